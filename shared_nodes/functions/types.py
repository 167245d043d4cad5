"""Conversion to a named type (tobool tolist tomap tonumber toset tostring) and marks (sensitive nonsensitive
issensitive ephemeralasnull).

The conversions accept everything, including null, unknown and marked values, so that their messages can refer to an
explicit conversion and hide what is sensitive.
"""

from __future__ import annotations

from functools import partial

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Arguments, Function, Parameter
from shared_nodes.values.convert import ConversionError, conversion_exists, convert
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.rebuild import map_elements
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.text import quoted
from shared_nodes.values.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    SetType,
    Type,
    friendly_name,
    friendly_name_for_constraint,
)
from shared_nodes.values.value import FALSE, TRUE, Value, boolean, null, unknown

__all__ = ["functions"]


# tobool, tolist, tomap, tonumber, toset, tostring


def _conversion(name: str, want: Type, flavour: Flavour) -> Function:
    def return_type(arguments: Arguments) -> Type:
        got = arguments[0].type
        if got != want and not conversion_exists(got, want, unsafe=True):
            raise ArgumentError(0, f"cannot convert {friendly_name(got)} to {friendly_name_for_constraint(want)}")
        return want

    def convert_argument(arguments: Arguments, _type: Type) -> Value:
        """Convert the argument. An unknown keeps only its marks, not what was known about its length or nullness."""
        value = arguments[0]
        if not value.is_known:
            return unknown(want).with_marks(value.marks)
        try:
            return convert(value, want)
        except ConversionError as failure:
            raise ArgumentError(0, _failed_conversion(value, want, flavour)) from failure

    sees_unknowns = not flavour.unknown_arguments_lose_marks
    parameter = Parameter("v", allow_null=True, allow_unknown=sees_unknowns, allow_dynamic=True, allow_marked=True)
    return Function(name, (parameter,), return_type, convert_argument, refinement=None)


def _failed_conversion(value: Value, want: Type, flavour: Flavour) -> str:
    """The message for a value that cannot be converted although its type can. A mark anywhere inside hides the
    value."""
    marks = value.deep_marks()
    what, target = friendly_name(value.type), friendly_name_for_constraint(want)
    if EPHEMERAL in marks and flavour.errors_hide_ephemeral_values:
        return f"cannot convert this ephemeral {what} to {target}"
    if SENSITIVE in marks:
        return f"cannot convert this sensitive {what} to {target}"
    if value.type is STRING and want is BOOL:
        return f'cannot convert {quoted(value.payload)} to bool; only the strings "true" or "false" are allowed'
    if value.type is STRING and want is NUMBER:
        shown = quoted(value.payload)
        return f"cannot convert {shown} to number; given string must be a decimal representation of a number"
    return f"cannot convert {what} to {target}"


# sensitive, nonsensitive, issensitive, ephemeralasnull


def _type_of_first(arguments: Arguments) -> Type:
    return arguments[0].type


def _sensitive(arguments: Arguments, _type: Type) -> Value:
    return arguments[0].mark(SENSITIVE)


def _nonsensitive(arguments: Arguments, _type: Type) -> Value:
    """Remove the mark of the value itself; sensitive elements stay sensitive."""
    value = arguments[0]
    return value.without_marks().with_marks(value.marks - {SENSITIVE})


def _issensitive(arguments: Arguments, _type: Type) -> Value:
    """Whether the value is sensitive. An unknown value without the mark may still turn out to be."""
    value = arguments[0]
    if SENSITIVE in value.marks:
        return TRUE
    return FALSE if value.is_known else unknown(BOOL)


def _issensitive_once_known(arguments: Arguments, _type: Type) -> Value:
    """Whether the value is sensitive. An unknown value may still lose the mark: it may be that of a branch not
    taken."""
    value = arguments[0]
    return boolean(SENSITIVE in value.marks) if value.is_known else unknown(BOOL, NOT_NULL)


def _ephemeralasnull(flavour: Flavour, arguments: Arguments, _type: Type) -> Value:
    """The value with ephemeral parts replaced by null. Other marks stay.

    An unknown ephemeral part stays unknown, since its type may become more specific than that of a null now. Its
    refinement is dropped, because none of it will hold for null. If unknown values may still become ephemeral, that is
    true of each of them.
    """

    def replace(value: Value) -> Value:
        if not value.is_known and (EPHEMERAL in value.marks or flavour.marks_of_unknown_values_are_open):
            return unknown(value.type).with_marks(value.marks - {EPHEMERAL})
        if EPHEMERAL in value.marks:
            return null(value.type).with_marks(value.marks - {EPHEMERAL})
        return map_elements(value, replace) if value.payload.__class__ in (tuple, dict) else value

    return replace(arguments[0])


def functions(context: FunctionContext) -> tuple[Function, ...]:
    value = (Parameter("value", allow_null=True, allow_unknown=True, allow_dynamic=True, allow_marked=True),)
    issensitive = _issensitive_once_known if context.flavour.marks_of_unknown_values_are_open else _issensitive
    ephemeralasnull = partial(_ephemeralasnull, context.flavour)
    return (
        _conversion("tobool", BOOL, context.flavour),
        _conversion("tolist", ListType(DYNAMIC), context.flavour),
        _conversion("tomap", MapType(DYNAMIC), context.flavour),
        _conversion("tonumber", NUMBER, context.flavour),
        _conversion("toset", SetType(DYNAMIC), context.flavour),
        _conversion("tostring", STRING, context.flavour),
        Function("sensitive", value, _type_of_first, _sensitive, refinement=None),
        Function("nonsensitive", value, _type_of_first, _nonsensitive, refinement=None),
        Function("issensitive", value, BOOL, issensitive, refinement=None),
        Function("ephemeralasnull", value, _type_of_first, ephemeralasnull, refinement=None),
    )
