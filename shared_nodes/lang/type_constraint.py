"""Type constraints: the expressions after `type =`, read as types.

A constraint is syntax, not a value: `string`, `list(number)`, `object({ a = optional(string, "x") })`. Reading one
returns the type and the defaults of its optional attributes. Default expressions are evaluated at once, without names
or functions.
"""

from __future__ import annotations

from dataclasses import field
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.json_static import as_syntax, literal_text
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Range
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.defaults import Defaults
from shared_nodes.values.text import quoted
from shared_nodes.values.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from shared_nodes.values.value import Value

__all__ = ["TypeConstraint", "keyword_of", "read_type", "read_variable_type"]

_PRIMITIVES: Final = {"string": STRING, "number": NUMBER, "bool": BOOL}
_COLLECTIONS: Final = {"list": ListType, "set": SetType, "map": MapType}
_MISSING_ARGUMENT: Final = {
    "list": "The list type constructor requires one argument specifying the element type.",
    "set": "The set type constructor requires one argument specifying the element type.",
    "map": "The map type constructor requires one argument specifying the element type.",
    "object": ("The object type constructor requires one argument specifying the attribute types and values as a map."),
    "tuple": "The tuple type constructor requires one argument specifying the element types as a list.",
}


@record
class TypeConstraint:
    """A type, with the defaults of optional attributes anywhere in it (None if there are none)."""

    type: Type
    defaults: Defaults | None = None


ANYTHING: Final = TypeConstraint(DYNAMIC)


def keyword_of(expression: tree.Expression) -> str | None:
    """Return the word if the expression is a single bare word (`true` and `null` count)."""
    if isinstance(expression, tree.Traversal) and not expression.steps:
        return expression.root
    if isinstance(expression, tree.Literal):
        value = expression.value
        return expression.range.text if value.is_null or isinstance(value.payload, bool) else None
    return None


def _invalid_type(detail: str, subject: Range) -> Diagnostic:
    return error("Invalid type specification", detail, subject)


def read_variable_type(given: tree.Expression, flavour: Flavour) -> tuple[TypeConstraint, list[Diagnostic]]:
    """Read the type of an input variable, which may be written in two legacy forms: quoted, or as a bare `list` or
    `map`."""
    expression = as_syntax(given)
    text = None if given.range.source.is_json else literal_text(expression)
    if text is not None:
        return ANYTHING, [_quoted_type(text, expression.range, flavour.product)]
    match keyword_of(expression):
        case "list":
            return TypeConstraint(ListType(DYNAMIC)), []
        case "map":
            return TypeConstraint(MapType(DYNAMIC)), []
    return read_type(expression, flavour)


def _quoted_type(text: str, subject: Range, product: str) -> Diagnostic:
    if text not in ("string", "list", "map"):
        return error(
            "Invalid legacy variable type hint",
            "To provide a full type expression, remove the surrounding quotes and give the type expression directly.",
            subject,
        )
    advice = "."
    if text != "string":
        advice = f" and write {text}(string) instead to explicitly indicate that the {text} elements are strings."
    return error(
        "Invalid quoted type constraints",
        f"{product} 0.11 and earlier required type constraints to be given in quotes, but that form is now deprecated "
        f'and will be removed in a future version of {product}. Remove the quotes around "{text}"{advice}',
        subject,
    )


@record
class _Reading:
    """One reading of a type: its flavour, and the problems found so far."""

    flavour: Flavour
    problems: list[Diagnostic] = field(default_factory=list)


def read_type(expression: tree.Expression, flavour: Flavour) -> tuple[TypeConstraint, list[Diagnostic]]:
    """Read a type. Faulty parts are read as `any`, so that the rest can still be checked."""
    reading = _Reading(flavour)
    constraint = _read(expression, reading)
    return constraint, reading.problems


def _read(expression: tree.Expression, reading: _Reading) -> TypeConstraint:
    keyword = keyword_of(expression)
    if keyword is not None:
        return _read_keyword(keyword, expression.range, reading)
    if not isinstance(expression, tree.Call):
        detail = (
            "A type specification is either a primitive type keyword (bool, number, string) or a complex type "
            "constructor call, like list(string)."
        )
        reading.problems.append(_invalid_type(detail, expression.range))
        return ANYTHING
    return _read_call(expression, reading)


def _read_keyword(keyword: str, subject: Range, reading: _Reading) -> TypeConstraint:
    if keyword in _PRIMITIVES:
        return TypeConstraint(_PRIMITIVES[keyword])
    if keyword == "any":
        return ANYTHING
    unknown = f"The keyword {quoted(keyword)} is not a valid type specification."
    reading.problems.append(_invalid_type(_MISSING_ARGUMENT.get(keyword, unknown), subject))
    return ANYTHING


def _arguments_range(call: tree.Call) -> Range:
    return call.open_range.through(call.close_range)


def _read_call(call: tree.Call, reading: _Reading) -> TypeConstraint:
    name, arguments = call.name, call.arguments
    if name in _PRIMITIVES or name == "any":
        kind = "Type constraint" if name == "any" else "Primitive type"
        reading.problems.append(
            _invalid_type(f'{kind} keyword "{name}" does not expect arguments.', _arguments_range(call))
        )
        return ANYTHING
    if name == "optional":
        detail = 'Keyword "optional" is valid only as a modifier for object type attributes.'
        reading.problems.append(_invalid_type(detail, call.name_range))
        return ANYTHING
    if name not in _MISSING_ARGUMENT:
        reading.problems.append(_invalid_type(f"Keyword {quoted(name)} is not a valid type constructor.", call.range))
        return ANYTHING
    if len(arguments) != 1:
        extra = len(arguments) > 1
        subject = arguments[1].range.through(arguments[-1].range) if extra else _arguments_range(call)
        reading.problems.append(_invalid_type(_MISSING_ARGUMENT[name], subject))
        return ANYTHING
    if name == "object":
        return _read_object(arguments[0], reading)
    if name == "tuple":
        return _read_tuple(arguments[0], reading)
    element = _read(arguments[0], reading)
    collection = _COLLECTIONS[name](element.type)
    return TypeConstraint(collection, _nested_defaults(collection, {"": element.defaults}))


def _nested_defaults(ty: Type, children: dict[str, Defaults | None]) -> Defaults | None:
    present = {key: defaults for key, defaults in children.items() if defaults is not None}
    return Defaults(ty, {}, present) if present else None


def _read_tuple(argument: tree.Expression, reading: _Reading) -> TypeConstraint:
    if not isinstance(argument, tree.TupleConstructor):
        reading.problems.append(
            _invalid_type("Tuple type constructor requires a list of element types.", argument.range)
        )
        return ANYTHING
    elements = [_read(item, reading) for item in argument.items]
    ty = TupleType([element.type for element in elements])
    children = {str(index): element.defaults for index, element in enumerate(elements)}
    return TypeConstraint(ty, _nested_defaults(ty, children))


def _read_object(argument: tree.Expression, reading: _Reading) -> TypeConstraint:
    if not isinstance(argument, tree.ObjectConstructor):
        detail = (
            "Object type constructor requires a map whose keys are attribute names and whose values are the "
            "corresponding attribute types."
        )
        reading.problems.append(_invalid_type(detail, argument.range))
        return ANYTHING
    attributes: dict[str, Type] = {}
    optional: set[str] = set()
    values: dict[str, Value] = {}
    children: dict[str, Defaults] = {}
    for item in argument.items:
        name = keyword_of(item.key)
        if name is None:
            reading.problems.append(
                _invalid_type("Object constructor map keys must be attribute names.", item.key.range)
            )
        elif name in attributes:
            reading.problems.append(_invalid_type("Object constructor map keys must be unique.", item.key.range))
        else:
            attribute = _read_attribute(item.value, reading)
            if attribute is None:
                continue
            attributes[name] = attribute.constraint.type
            if attribute.is_optional:
                optional.add(name)
            if attribute.default is not None:
                values[name] = attribute.default
            if attribute.constraint.defaults is not None:
                children[name] = attribute.constraint.defaults
    ty = ObjectType(attributes, optional)
    return TypeConstraint(ty, Defaults(ty, values, children) if values or children else None)


@record
class _Attribute:
    constraint: TypeConstraint
    is_optional: bool = False
    default: Value | None = None


def _read_attribute(expression: tree.Expression, reading: _Reading) -> _Attribute | None:
    """Read the type of an object's attribute, which may be wrapped in `optional(type, default)`."""
    if not isinstance(expression, tree.Call) or expression.name != "optional":
        return _Attribute(_read(expression, reading))
    arguments = expression.arguments
    if not arguments:
        detail = "Optional attribute modifier requires the attribute type as its argument."
        reading.problems.append(_invalid_type(detail, _arguments_range(expression)))
        return None
    if len(arguments) > 2:
        detail = "Optional attribute modifier expects at most two arguments: the attribute type, and a default value."
        reading.problems.append(_invalid_type(detail, _arguments_range(expression)))
    given = _evaluate_default(arguments[1], reading) if len(arguments) == 2 else None
    constraint = _read(arguments[0], reading)
    default = _convert_default(given, constraint.type, arguments[1].range, reading) if given is not None else None
    return _Attribute(constraint, True, default)


def _evaluate_default(expression: tree.Expression, reading: _Reading) -> Value | None:
    value, found = evaluate(expression, Scope(flavour=reading.flavour))
    reading.problems.extend(found)
    return None if found else value


def _convert_default(value: Value, ty: Type, subject: Range, reading: _Reading) -> Value | None:
    try:
        return convert(value, ty)
    except ConversionError as failure:
        reason = failure.explain(reading.flavour)
        detail = f"This default value is not compatible with the attribute's type constraint: {reason}."
        reading.problems.append(error("Invalid default value for optional attribute", detail, subject))
        return None
