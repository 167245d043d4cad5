"""Function calls: lookup by name, argument expansion, argument count and conversion, and where failures are
reported."""

from __future__ import annotations

from collections.abc import Sequence

from shared_nodes.lang import tree
from shared_nodes.lang.frame import Code, Frame
from shared_nodes.lang.function import ArgumentError, Callee, Function, FunctionError, Parameter
from shared_nodes.lang.lazy_function import LazyArgument, LazyFunction
from shared_nodes.lang.unknown_functions import UNKNOWN_FUNCTION, describe_missing_function
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.types import DYNAMIC, ListType, SetType, TupleType
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value

__all__ = ["compile_call"]


@record
class _Expanded(tree.Expression):
    """An element of an expanded final argument. It has no syntax of its own; problems are reported at the whole
    argument."""


def compile_call(node: tree.Call, argument_codes: Sequence[Code]) -> Code:
    fixed = [LazyArgument(expression, code) for expression, code in zip(node.arguments, argument_codes, strict=True)]

    def run(frame: Frame) -> Value:
        functions = frame.scope.functions
        function = functions.get(node.name) if functions is not None else None
        if function is None:
            _report_missing_function(frame, node)
            return DYNAMIC_UNKNOWN
        before = len(frame.diagnostics)
        arguments: Sequence[LazyArgument] = fixed
        if node.expand_final:
            expanded = _expand(frame, node, fixed)
            if expanded is None:
                return DYNAMIC_UNKNOWN
            arguments = expanded
        if not _count_is_right(frame, node, function, arguments):
            return DYNAMIC_UNKNOWN
        values = [_argument_value(frame, node, function, index, item) for index, item in enumerate(arguments)]
        if len(frame.diagnostics) > before:
            return DYNAMIC_UNKNOWN
        return _call(frame, node, function, arguments, values)

    return run


def _call(
    frame: Frame,
    node: tree.Call,
    function: Callee,
    arguments: Sequence[LazyArgument],
    values: Sequence[Value | None],
) -> Value:
    try:
        if isinstance(function, Function):
            return function.call([value for value in values if value is not None])
        assert isinstance(function, LazyFunction)
        return function.implementation(frame, arguments, values)
    except ArgumentError as failure:
        if failure.index < len(arguments):
            parameter = function.parameter_at(failure.index)
            blamed = arguments[failure.index].expression
            _report_argument(frame, node, parameter, failure.message, blamed)
        else:
            _report_failure(frame, node, failure)
    except FunctionError as failure:
        _report_failure(frame, node, failure)
    return DYNAMIC_UNKNOWN


def _report_failure(frame: Frame, node: tree.Call, failure: FunctionError) -> None:
    detail = f'Call to function "{node.name}" failed: {failure.message}.'
    frame.error(
        "Error in function call",
        detail,
        node.start_range,
        node.range,
        of=node,
        function=node.name,
        failure=failure,
    )


def _report_argument(
    frame: Frame, node: tree.Call, parameter: Parameter, message: str, blamed: tree.Expression
) -> None:
    detail = f'Invalid value for "{parameter.name}" parameter: {message}.'
    frame.error("Invalid function argument", detail, blamed.start_range, node.range, of=blamed, function=node.name)


def _argument_value(
    frame: Frame, node: tree.Call, function: Callee, index: int, argument: LazyArgument
) -> Value | None:
    """Evaluate the argument and convert it to its parameter's type. Returns None if the function takes it
    unevaluated."""
    if isinstance(function, LazyFunction) and function.lazy(index):
        return None
    parameter = function.parameter_at(index)
    value = argument.code(frame)
    if parameter.type is DYNAMIC or value.type is parameter.type:
        return value
    try:
        return convert(value, parameter.type)
    except ConversionError as failure:
        _report_argument(frame, node, parameter, frame.explain(failure), argument.expression)
        return DYNAMIC_UNKNOWN


def _count_is_right(frame: Frame, node: tree.Call, function: Callee, arguments: Sequence[LazyArgument]) -> bool:
    wanted = len(function.parameters)
    if len(arguments) < wanted:
        qualifier = " at least" if function.variadic is not None else ""
        detail = (
            f'Function "{node.name}" expects{qualifier} {wanted} argument(s). '
            f'Missing value for "{function.parameters[len(arguments)].name}".'
        )
        frame.error("Not enough function arguments", detail, node.close_range, node.range, of=node, function=node.name)
        return False
    if function.variadic is None and len(arguments) > wanted:
        detail = f'Function "{node.name}" expects only {wanted} argument(s).'
        subject = arguments[wanted].expression.start_range
        frame.error("Too many function arguments", detail, subject, node.range, of=node, function=node.name)
        return False
    return True


def _expand(frame: Frame, node: tree.Call, fixed: Sequence[LazyArgument]) -> list[LazyArgument] | None:
    """Replace the final argument by its elements. Returns None if they are unknown or an error was reported."""
    before = len(frame.diagnostics)
    last = fixed[-1]
    value = last.code(frame)
    if len(frame.diagnostics) > before:
        return None
    subject = last.expression.range
    summary = "Invalid expanding argument value"
    if value.is_null and (value.type is DYNAMIC or isinstance(value.type, TupleType | ListType | SetType)):
        detail = "The expanding argument (indicated by ...) must not be null."
        frame.error(summary, detail, subject, node.range, of=last.expression, function=node.name)
        return None
    if value.type is not DYNAMIC and not isinstance(value.type, TupleType | ListType | SetType):
        detail = "The expanding argument (indicated by ...) must be of a tuple, list, or set type."
        frame.error(summary, detail, subject, node.range, of=last.expression, function=node.name)
        return None
    if not value.is_known:
        return None
    stand_in = _Expanded(subject)
    elements = [element.with_marks(value.marks) for element in value.payload]
    return [*fixed[:-1], *(LazyArgument(stand_in, _constant(element)) for element in elements)]


def _constant(value: Value) -> Code:
    return lambda _frame: value


def _report_missing_function(frame: Frame, node: tree.Call) -> None:
    functions = frame.scope.functions
    if functions is None:
        frame.error("Function calls not allowed", "Functions may not be called here.", node.range, of=node)
        return
    frame.error(
        UNKNOWN_FUNCTION,
        describe_missing_function(node.name, functions),
        node.name_range,
        node.range,
        of=node,
    )
