"""Splat expressions: `each` is applied to every element of a sequence, or to a single value as if it were a list of
one."""

from __future__ import annotations

from shared_nodes.lang.frame import Code, Frame
from shared_nodes.lang.tree import Splat
from shared_nodes.record import record
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.types import DYNAMIC, ListType, SetType, TupleType, Type
from shared_nodes.values.value import DYNAMIC_UNKNOWN, EMPTY_TUPLE, Value, list_of, tuple_of, unknown

__all__ = ["SplatCode", "run_splat"]


@record
class SplatCode:
    """A compiled splat: the code to run for each element, and the slot that holds the element."""

    node: Splat
    each: Code
    slot: int

    def visit(self, frame: Frame, element: Value) -> Value:
        """Run `each` for one element."""
        frame.slots[self.slot] = element
        return self.each(frame)


def run_splat(frame: Frame, before: int, source: Value, code: SplatCode) -> Value:
    """Apply the splat, unless evaluating the source added to the `before` diagnostics that existed then."""
    if len(frame.diagnostics) > before:
        return DYNAMIC_UNKNOWN
    is_sequence = isinstance(source.type, ListType | SetType | TupleType)
    if source.is_null:
        if not is_sequence:
            return EMPTY_TUPLE.with_marks(source.marks)
        detail = "Splat expressions (with the * symbol) cannot be applied to null sequences."
        node = code.node
        whole = node.source.range.through(node.marker_range)
        frame.error("Splat of null value", detail, node.source.range, whole, of=node.source)
        return DYNAMIC_UNKNOWN
    if source.type is DYNAMIC:
        return DYNAMIC_UNKNOWN.with_marks(source.marks)
    may_become_empty = False
    if not is_sequence:
        may_become_empty = not source.is_known and not source.refinement.not_null
        source = tuple_of([source]).with_marks(source.marks)
    if not source.is_known:
        return _unknown_result(frame, source, code)
    return _known_result(frame, source, code, may_become_empty)


def _unknown_result(frame: Frame, source: Value, code: SplatCode) -> Value:
    """The result for an unknown source, whose type and length bounds are certain even though the elements are not."""
    ty = _result_type(frame, source.type, code)
    refinement = NOT_NULL
    if isinstance(ty, ListType):
        known = source.refinement
        refinement = Refinement(not_null=True, min_length=known.min_length, max_length=known.max_length)
    return unknown(ty, refinement).with_marks(source.marks)


def _known_result(frame: Frame, source: Value, code: SplatCode, may_become_empty: bool) -> Value:
    before = len(frame.diagnostics)
    results = [code.visit(frame, element) for element in source.payload]
    if may_become_empty:
        return DYNAMIC_UNKNOWN.with_marks(source.marks)
    if len(frame.diagnostics) > before:
        ty, _ = frame.attempt(lambda inner: unknown(_result_type(inner, source.type, code)))
        return ty.with_marks(source.marks)
    if isinstance(source.type, TupleType):
        return tuple_of(results).with_marks(source.marks)
    return _list_result(frame, source, results, code)


def _list_result(frame: Frame, source: Value, results: list[Value], code: SplatCode) -> Value:
    """A list of the results.

    A splat inside a splat may produce elements of different types, which no list can hold. Terraform 1.11 crashes then;
    later versions report an error, and so do we for all versions.
    """
    if not results:
        ty = _result_type(frame, source.type, code)
        assert isinstance(ty, ListType)
        return list_of(ty.element, ()).with_marks(source.marks)
    types = {result.type for result in results if result.type is not DYNAMIC}
    if len(types) > 1:
        detail = (
            "The second level of splat expression produced elements of different types, so it isn't possible to "
            "construct a valid list to represent the top-level result.\n\nConsider using a for expression instead, to "
            "produce a tuple-typed result which can therefore have non-homogenous element types."
        )
        frame.error("Invalid nested splat expressions", detail, code.node.each.range, code.node.range, of=code.node)
        return DYNAMIC_UNKNOWN
    return list_of(types.pop() if types else DYNAMIC, results).with_marks(source.marks)


def _result_type(frame: Frame, source: Type, code: SplatCode) -> Type:
    """The type of the result, found by visiting unknown values of the source's element types."""
    if isinstance(source, TupleType):
        return TupleType([code.visit(frame, unknown(element)).type for element in source.elements])
    assert isinstance(source, ListType | SetType)
    return ListType(code.visit(frame, unknown(source.element)).type)
