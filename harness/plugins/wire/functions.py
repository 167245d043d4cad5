"""Signatures of functions on the wire.

The implementation of a function stays where it is: reading a signature needs something that makes the call.
"""

from __future__ import annotations

from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.types import type_from_wire, type_to_wire
from shared_nodes.lang.function import Arguments, Function, FunctionError, Implementation, Parameter
from shared_nodes.values.types import DYNAMIC, Type
from shared_nodes.values.value import Value, unknown

__all__ = ["function_from_message", "function_message"]


def function_message(function: Function) -> pb.Function:
    """Write a signature. A return type that depends on the arguments can only be announced as dynamic."""
    fixed = function.return_type if isinstance(function.return_type, Type) else DYNAMIC
    return pb.Function(
        parameters=map(_parameter_message, function.parameters),
        variadic_parameter=None if function.variadic is None else _parameter_message(function.variadic),
        returns=pb.Function.Return(type=type_to_wire(fixed)),
    )


def _parameter_message(parameter: Parameter) -> pb.Function.Parameter:
    return pb.Function.Parameter(
        name=parameter.name,
        type=type_to_wire(parameter.type),
        allow_null_value=parameter.allow_null,
        allow_unknown_values=parameter.allow_unknown,
    )


def function_from_message(name: str, message: pb.Function, implementation: Implementation) -> Function:
    """Read a signature. Unless a parameter allows unknown values, the implementation sees none, not even nested
    ones."""
    parameters = tuple(map(_parameter, message.parameters))
    variadic = _parameter(message.variadic_parameter) if message.HasField("variadic_parameter") else None

    def call(arguments: Arguments, return_type: Type) -> Value:
        for index, argument in enumerate(arguments):
            parameter = parameters[index] if index < len(parameters) else variadic
            assert parameter is not None, "the caller has checked the number of arguments"
            if not parameter.allow_unknown and not argument.is_wholly_known:
                return unknown(return_type)
            if not parameter.allow_null and argument.is_null:
                raise FunctionError(f'argument "{parameter.name}" cannot be null')
        return implementation(arguments, return_type)

    return_type = type_from_wire(message.returns.type)
    return Function(name, parameters, return_type, call, variadic, refinement=None)


def _parameter(message: pb.Function.Parameter) -> Parameter:
    return Parameter(
        message.name,
        type_from_wire(message.type),
        allow_null=message.allow_null_value,
        allow_unknown=message.allow_unknown_values,
        allow_dynamic=True,
    )
