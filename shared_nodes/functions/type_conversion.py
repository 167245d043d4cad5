"""`convert(value, type)`: OpenTofu's conversion to a type given in constraint syntax."""

from __future__ import annotations

from collections.abc import Sequence

from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.frame import Frame
from shared_nodes.lang.function import ArgumentError, Parameter
from shared_nodes.lang.lazy_function import LazyArgument, LazyFunction
from shared_nodes.lang.type_constraint import read_type
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.defaults import apply_defaults
from shared_nodes.values.value import Value

__all__ = ["functions"]


def functions(context: FunctionContext) -> tuple[LazyFunction, ...]:
    if not context.flavour.opentofu_functions:
        return ()
    parameters = (Parameter("value"), Parameter("type"))
    return (LazyFunction("convert", parameters, None, lambda index: index == 1, _convert),)


def _convert(_frame: Frame, arguments: Sequence[LazyArgument], values: Sequence[Value | None]) -> Value:
    """Convert the value. Defaults of optional attributes are applied first, as for an input variable of that type."""
    value = values[0]
    assert value is not None
    constraint, problems = read_type(arguments[1].expression)
    if problems:
        raise ArgumentError(1, f"{problems[0].summary}; {problems[0].detail}".removesuffix("."))
    if constraint.defaults is not None and not value.is_null:
        value = apply_defaults(value, constraint.defaults)
    try:
        return convert(value, constraint.type)
    except ConversionError as failure:
        raise ArgumentError(0, failure.message) from failure
