"""`for` expressions: a tuple or an object made from the elements of a collection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shared_nodes.lang import tree
from shared_nodes.lang.frame import Code, Frame
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import Marks
from shared_nodes.values.text import quoted
from shared_nodes.values.types import BOOL, DYNAMIC, STRING, Primitive, friendly_name
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, object_of, tuple_of

__all__ = ["ForCode", "run_for_object", "run_for_tuple"]

_INVALID_CONDITION: Final = "Invalid 'for' condition"
_INVALID_KEY: Final = "Invalid object key"


@record
class ForCode:
    """A compiled `for`: its parts as closures, and the slots of its variables.

    While parts that use the variables are evaluated, `frame.bound` holds their names.
    """

    node: tree.For
    collection: Code
    key_slot: int | None
    value_slot: int
    bound: Mapping[str, int]
    """Slots, by name, of its variables and of those of enclosing `for` expressions."""

    key: Code | None
    value: Code
    condition: Code | None

    def bind(self, frame: Frame, key: Value, value: Value) -> None:
        if self.key_slot is not None:
            frame.slots[self.key_slot] = key
        frame.slots[self.value_slot] = value


@record(frozen=False)
class _Progress:
    """Marks collected so far, and whether the result can still be known."""

    marks: Marks
    known: bool = True


def _iterable(frame: Frame, code: ForCode) -> Value:
    """Evaluate the collection. If the result is unknown, it is also the result of the whole expression.

    It is unknown if the collection is not known yet or if a problem was reported.
    """
    node = code.node
    collection = code.collection(frame)
    if collection.is_null:
        detail = "A null value cannot be used as the collection in a 'for' expression."
        frame.error("Iteration over null value", detail, node.collection.range, node.range, of=node.collection)
        return DYNAMIC_UNKNOWN
    if isinstance(collection.type, Primitive) and collection.type is not DYNAMIC:
        detail = (
            f"A value of type {friendly_name(collection.type)} cannot be used as the collection in a 'for' expression."
        )
        subject = node.collection.range
        frame.error("Iteration over non-iterable value", detail, subject, node.range, of=node.collection)
        return DYNAMIC_UNKNOWN
    if collection.type is not DYNAMIC and code.condition is not None and not _condition_is_plausible(frame, code):
        return DYNAMIC_UNKNOWN
    if collection.type is DYNAMIC:
        return DYNAMIC_UNKNOWN
    return collection if collection.is_known else DYNAMIC_UNKNOWN.with_marks(collection.marks)


def _condition_is_plausible(frame: Frame, code: ForCode) -> bool:
    """Evaluate the condition once with unknown variables, so that one that always fails is reported once and not per
    element."""
    assert code.condition is not None
    assert code.node.condition is not None
    code.bind(frame, DYNAMIC_UNKNOWN, DYNAMIC_UNKNOWN)
    before = len(frame.diagnostics)
    outer, frame.bound = frame.bound, code.bound
    result = code.condition(frame)
    frame.bound = outer
    subject, whole = code.node.condition.range, code.node.range
    if result.is_null:
        detail = "The value of the 'if' clause must not be null."
        frame.error("Condition is null", detail, subject, whole, of=code.node.condition)
        return False
    try:
        convert(result, BOOL)
    except ConversionError as failure:
        frame.error(
            _INVALID_CONDITION,
            f"The 'if' clause value is invalid: {frame.explain(failure)}.",
            subject,
            whole,
            of=code.node.condition,
        )
        return False
    return len(frame.diagnostics) == before


def _is_included(frame: Frame, code: ForCode, progress: _Progress) -> bool:
    """Evaluate the `if` clause for the bound element. Only the first problem of its kind is reported."""
    if code.condition is None:
        return True
    assert code.node.condition is not None
    raw = code.condition(frame)
    subject, whole = code.node.condition.range, code.node.range
    if raw.is_null:
        if progress.known:
            detail = "The value of the 'if' clause must not be null."
            frame.error(_INVALID_CONDITION, detail, subject, whole, of=code.node.condition)
        progress.known = False
        return False
    try:
        include = convert(raw, BOOL)
    except ConversionError as failure:
        if progress.known:
            frame.error(
                _INVALID_CONDITION,
                f"The 'if' clause value is invalid: {frame.explain(failure)}.",
                subject,
                whole,
                of=code.node.condition,
            )
        progress.known = False
        return False
    progress.marks |= include.marks
    if not include.is_known:
        progress.known = False
        return False
    return bool(include.payload)


def run_for_tuple(frame: Frame, code: ForCode) -> Value:
    collection = _iterable(frame, code)
    if not collection.is_known:
        return collection
    progress = _Progress(collection.marks)
    results: list[Value] = []
    value_code = code.value
    outer, frame.bound = frame.bound, code.bound
    for key, value in collection.elements():
        code.bind(frame, key, value)
        if _is_included(frame, code, progress):
            results.append(value_code(frame))
    frame.bound = outer
    return (tuple_of(results) if progress.known else DYNAMIC_UNKNOWN).with_marks(progress.marks)


def run_for_object(frame: Frame, code: ForCode) -> Value:
    collection = _iterable(frame, code)
    if not collection.is_known:
        return collection
    progress = _Progress(collection.marks)
    attributes: dict[str, Value] = {}
    groups: dict[str, list[Value]] = {}
    outer, frame.bound = frame.bound, code.bound
    for key, value in collection.elements():
        code.bind(frame, key, value)
        if not _is_included(frame, code, progress):
            continue
        name = _attribute_name(frame, code, progress)
        if name is None:
            continue
        result = code.value(frame)
        if code.node.group:
            groups.setdefault(name, []).append(result)
        elif name in attributes:
            _report_duplicate(frame, code, name)
        else:
            attributes[name] = result
    frame.bound = outer
    if code.node.group:
        attributes = {name: tuple_of(members) for name, members in groups.items()}
    return (object_of(attributes) if progress.known else DYNAMIC_UNKNOWN).with_marks(progress.marks)


def _attribute_name(frame: Frame, code: ForCode, progress: _Progress) -> str | None:
    assert code.key is not None
    assert code.node.key is not None
    raw = code.key(frame)
    subject, whole = code.node.key.range, code.node.range
    if raw.is_null:
        if progress.known:
            detail = "Key expression in 'for' expression must not produce a null value."
            frame.error(_INVALID_KEY, detail, subject, whole, of=code.node.key)
        progress.known = False
        return None
    progress.marks |= raw.marks
    if not raw.is_known:
        progress.known = False
        return None
    try:
        return str(convert(raw.without_marks(), STRING).payload)
    except ConversionError as failure:
        if progress.known:
            detail = f"The key expression produced an invalid result: {frame.explain(failure)}."
            frame.error(_INVALID_KEY, detail, subject, whole, of=code.node.key)
        progress.known = False
        return None


def _report_duplicate(frame: Frame, code: ForCode, name: str) -> None:
    assert code.node.key is not None
    detail = (
        f"Two different items produced the key {quoted(name)} in this 'for' expression. If duplicates are expected, "
        "use the ellipsis (...) after the value expression to enable grouping by key."
    )
    frame.error("Duplicate object key", detail, code.node.key.range, code.node.range, of=code.node.key)
