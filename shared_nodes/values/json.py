"""Values, types and paths as JSON, with exact numbers.

The functions here translate to and from a *tree*: dict, list, str, bool, None, and `JsonNumber`, which keeps the
decimal text of a number. `dumps` and `loads` translate between trees and text. Floats are never used, because a number
may have more digits than a float can hold.

JSON cannot express everything about a value. Marks and unknown parts have no JSON form; a plan represents them in the
separate shapes made by `unknown_shape` and `sensitive_shape`. Reading a value back requires its type, except where the
constraint is dynamic: there the text includes it, as `{"value": ..., "type": ...}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeGuard, TypeVar

from shared_nodes.pattern import pattern
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.number import NumberTooLargeError, number_text
from shared_nodes.values.paths import AttributeStep, IndexStep, Path, Step
from shared_nodes.values.sets import set_of
from shared_nodes.values.text import quoted
from shared_nodes.values.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    Primitive,
    SetType,
    TupleType,
    Type,
)
from shared_nodes.values.value import (
    NULL,
    NULL_DYNAMIC,
    Unknown,
    Value,
    boolean,
    list_of,
    map_of,
    null,
    number,
    object_of,
    string,
    tuple_of,
)

__all__ = [
    "JsonError",
    "JsonNumber",
    "JsonWriter",
    "Tree",
    "are_strings",
    "dumps",
    "implied_value",
    "kind_of",
    "loads",
    "path_from_json",
    "path_to_json",
    "sensitive_shape",
    "type_from_json",
    "type_to_json",
    "unknown_shape",
    "value_from_json",
    "value_to_json",
    "without_unknowns",
]


class JsonError(Exception):
    """The value has no JSON form, or the JSON does not have the expected form. The message has no final period."""

    def __init__(self, message: str, path: Path = ()) -> None:
        super().__init__(message)
        self.message: Final = message
        self.path = path

    def below(self, step: Step) -> JsonError:
        self.path = (step, *self.path)
        return self


@record
class JsonNumber:
    """A number, represented by its decimal text."""

    text: str


Tree = None | bool | str | JsonNumber | list["Tree"] | dict[str, "Tree"]


# Text

_ESCAPES: Final = {
    **{chr(code): f"\\u{code:04x}" for code in range(0x20)},
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
    **dict.fromkeys(map(chr, range(0xD800, 0xE000)), "\\ufffd"),
    **{character: f"\\u{ord(character):04x}" for character in "<>&"},
}
_ESCAPED: Final = pattern(r'[\x00-\x1f"\\\u2028\u2029\ud800-\udfff]')
_ESCAPED_FOR_HTML: Final = pattern(r'[\x00-\x1f"\\\u2028\u2029\ud800-\udfff<>&]')


def dumps(tree: Tree, *, escape_html: bool = True, indent: int | None = None) -> str:
    """JSON text as the original's encoder writes it.

    There are no spaces or, with `indent`, one item per line. Keys keep the order of the tree. `<`, `>` and `&` are
    escaped unless `escape_html` is false.
    """
    return JsonWriter(escape_html=escape_html, indent=indent).text(tree)


class JsonWriter:
    """Writes any number of trees in the format of `dumps`.

    It caches the quoted form of member names and of strings in lists of strings, which large documents repeat very
    often, such as the addresses in lists of dependencies.
    """

    __slots__ = ("_colon", "_escaped", "_indent", "_quoted")

    def __init__(self, *, escape_html: bool = True, indent: int | None = None) -> None:
        self._escaped = _ESCAPED_FOR_HTML if escape_html else _ESCAPED
        self._indent = indent
        self._colon = ":" if indent is None else ": "
        self._quoted = _Quoted(self._escaped)

    def text(self, tree: Tree) -> str:
        parts: list[str] = []
        self._write(tree, parts, "\n")
        return "".join(parts)

    def members(self, tree: dict[str, Tree]) -> str:
        """The members of an object as text, without the braces and the space inside them.

        A large document can be written as several such texts, without ever joining them.
        """
        parts: list[str] = []
        self._write_items(tree, parts, "\n" + " " * (self._indent or 0))
        return "".join(parts)

    def _write(self, tree: Tree, parts: list[str], newline: str) -> None:
        if isinstance(tree, str):
            parts.append(_string(tree, self._escaped))
        elif isinstance(tree, JsonNumber):
            parts.append(tree.text)
        elif tree is None or isinstance(tree, bool):
            parts.append("null" if tree is None else "true" if tree else "false")
        elif not tree:
            parts.append("{}" if isinstance(tree, dict) else "[]")
        else:
            inner = newline if self._indent is None else newline + " " * self._indent
            opening, closing = "{}" if isinstance(tree, dict) else "[]"
            parts.append(opening if self._indent is None else opening + inner)
            self._write_items(tree, parts, inner)
            parts.append(closing if self._indent is None else newline + closing)

    def _write_items(self, tree: list[Tree] | dict[str, Tree], parts: list[str], newline: str) -> None:
        separator = "," if self._indent is None else "," + newline
        quoted = self._quoted
        if isinstance(tree, dict):
            before = ""
            for key, item in tree.items():
                parts.append(before + quoted[key] + self._colon)
                self._write(item, parts, newline)
                before = separator
        elif are_strings(tree):
            parts.append(separator.join(map(quoted.__getitem__, tree)))
        else:
            for position, item in enumerate(tree):
                if position:
                    parts.append(separator)
                self._write(item, parts, newline)


def are_strings(items: list[Tree]) -> TypeGuard[list[str]]:
    """Whether all items are strings. Checks types as a set, since lists of dependencies can be very long."""
    return set(map(type, items)) <= {str}


class _Quoted(dict[str, str]):
    def __init__(self, escaped: re.Pattern[str]) -> None:
        self._escaped = escaped

    def __missing__(self, text: str) -> str:
        quoted = self[text] = _string(text, self._escaped)
        return quoted


def _string(text: str, escaped: re.Pattern[str]) -> str:
    return f'"{escaped.sub(lambda found: _ESCAPES[found[0]], text)}"'


def _reject(constant: str) -> Tree:
    raise JsonError(f"invalid character {constant[0]!r} looking for beginning of value")


def loads(text: str) -> Tree:
    """Parse JSON text. The last of several equal keys wins."""
    try:
        tree: Tree = json.loads(text, parse_int=JsonNumber, parse_float=JsonNumber, parse_constant=_reject)
    except ValueError as failure:
        raise JsonError(f"invalid JSON: {failure}") from failure
    except RecursionError as failure:
        raise JsonError("exceeded max depth") from failure
    return tree


# Types


def type_to_json(ty: Type) -> Tree:
    """Encode a type: `"string"`, `["list", T]`, `["tuple", [T, ...]]` or `["object", {name: T}]`.

    The latter is followed by a list of the names of optional attributes, if there are any.
    """
    match ty:
        case Primitive():
            return ty.name
        case CollectionType():
            return [ty.kind, type_to_json(ty.element)]
        case TupleType():
            return ["tuple", list(map(type_to_json, ty.elements))]
        case ObjectType():
            attributes: Tree = {name: type_to_json(attribute) for name, attribute in ty.attributes.items()}
            optional: list[Tree] = [*sorted(ty.optional)]
            return ["object", attributes, optional] if optional else ["object", attributes]
    raise AssertionError(ty)


_Kind = TypeVar("_Kind", str, list[Any], dict[str, Any])
_PRIMITIVES: Final = {ty.name: ty for ty in (STRING, NUMBER, BOOL, DYNAMIC)}
_COLLECTIONS: Final[Mapping[str, type[CollectionType]]] = {"list": ListType, "set": SetType, "map": MapType}


def type_from_json(tree: Tree) -> Type:
    """Read a type description. Errors are those of the original, which reads it from left to right."""
    match tree:
        case str():
            if tree not in _PRIMITIVES:
                raise JsonError(f"invalid primitive type name {quoted(tree)}")
            return _PRIMITIVES[tree]
        case list():
            return _complex_type(tree)
        case dict():
            raise JsonError("invalid complex type description")
    raise JsonError("invalid type description")


def _complex_type(parts: list[Tree]) -> Type:
    kind = parts[0] if parts else None
    if kind not in ("tuple", "object", *_COLLECTIONS):
        raise JsonError("invalid complex type kind name")
    if len(parts) == 1:
        raise JsonError("expected comma after array element")
    found: Type
    if kind == "object":
        found = _object_type(parts[1], parts[2] if len(parts) > 2 else None)
    elif kind == "tuple":
        found = TupleType(map(type_from_json, _require_kind(list, parts[1], "[]cty.Type")))
    else:
        found = _COLLECTIONS[str(kind)](type_from_json(parts[1]))
    if len(parts) > (3 if kind == "object" else 2):
        raise JsonError("unexpected extra data in type description")
    return found


def _object_type(attributes: Tree, optional: Tree) -> ObjectType:
    described = _require_kind(dict, attributes, "map[string]cty.Type")
    types = {name: type_from_json(ty) for name, ty in described.items()}
    names = [_require_kind(str, name, "string") for name in _require_kind(list, optional, "[]string")]
    undeclared = next((name for name in names if name not in types), None)
    if undeclared is not None:
        raise JsonError(f"optional contains undeclared attribute {quoted(undeclared)}")
    return ObjectType(types, names)


def _require_kind(kind: type[_Kind], tree: Tree, wanted: str) -> _Kind:
    """Check that the tree is of a kind. Null counts as empty for every kind."""
    if tree is None:
        return kind()
    if not isinstance(tree, kind):
        raise JsonError(f"json: cannot unmarshal {kind_of(tree)} into Go value of type {wanted}")
    return tree


def kind_of(tree: Tree) -> str:
    match tree:
        case bool():
            return "bool"
        case str():
            return "string"
        case JsonNumber():
            return "number"
        case list():
            return "array"
    return "object"


# Values to JSON


def value_to_json(value: Value, ty: Type | None = None) -> Tree:
    """The JSON form of an unmarked, wholly known value that conforms to the type (by default its own)."""
    want = value.type if ty is None else ty
    if value.marks:
        raise JsonError("value has marks, so it cannot be serialized as JSON")
    if want is DYNAMIC and value.type is not DYNAMIC:
        return {"value": value_to_json(value), "type": type_to_json(value.type)}
    payload = value.payload
    if payload is NULL:
        return None
    if payload.__class__ is Unknown:
        raise JsonError("value is not known")
    if isinstance(payload, str | bool):
        return payload
    if payload.__class__ is tuple:
        return _sequence_to_json(payload, want)
    if payload.__class__ is dict:
        return _attributes_to_json(payload, want)
    return _number_to_json(value)


def _number_to_json(value: Value) -> JsonNumber:
    if numbers.is_infinite(value.payload):
        raise JsonError("cannot serialize infinity as JSON")
    try:
        return JsonNumber(number_text(value.payload))
    except NumberTooLargeError as failure:
        raise JsonError("cannot serialize a number with that many digits as JSON") from failure


def _sequence_to_json(elements: tuple[Value, ...], want: Type) -> Tree:
    types = want.elements if isinstance(want, TupleType) else [_element_type(want)] * len(elements)
    converted: list[Tree] = []
    try:
        for element, ty in zip(elements, types, strict=True):
            converted.append(value_to_json(element, ty))
    except JsonError as failure:
        raise failure.below(_position(len(converted))) from None
    return converted


def _attributes_to_json(attributes: Mapping[str, Value], want: Type) -> Tree:
    converted: dict[str, Tree] = {}
    for name, value in attributes.items():
        try:
            ty = want.attributes[name] if isinstance(want, ObjectType) else _element_type(want)
            converted[name] = value_to_json(value, ty)
        except JsonError as failure:
            step = AttributeStep(name) if isinstance(want, ObjectType) else IndexStep(string(name))
            raise failure.below(step) from None
    return converted


def _element_type(ty: Type) -> Type:
    assert isinstance(ty, CollectionType)
    return ty.element


def _position(index: int) -> Step:
    return IndexStep(number(numbers.from_int(index)))


# Values from JSON


def value_from_json(tree: Tree, ty: Type) -> Value:
    """Read a value of the type. Scalars are lenient, as in the original: `"5"` is accepted as a number."""
    if ty is DYNAMIC:
        return _dynamic_from_json(tree)
    if tree is None:
        return null(ty)
    if isinstance(ty, Primitive):
        return _scalar_from_json(tree, ty)
    if isinstance(ty, ListType | SetType | TupleType):
        return _sequence_from_json(tree, ty)
    if isinstance(ty, MapType):
        parts = _parts_from_json(tree, lambda _: ty.element, _key_step)
        return map_of(ty.element, parts)
    assert isinstance(ty, ObjectType)
    return _object_from_json(tree, ty)


def _key_step(key: str) -> Step:
    return IndexStep(string(key))


def _dynamic_from_json(tree: Tree) -> Value:
    """Read a value that is accompanied by its type."""
    if tree is None:
        return NULL_DYNAMIC
    if not isinstance(tree, dict):
        raise JsonError("missing expected {")
    for name in tree:
        if name not in ("type", "value"):
            raise JsonError(f"invalid key {quoted(name)} in dynamically-typed value")
    for name in ("type", "value"):
        if name not in tree:
            raise JsonError(f"missing {name} in dynamically-typed value")
    try:
        ty = type_from_json(tree["type"])
    except JsonError as failure:
        raise JsonError(f"failed to decode type for dynamic value: {failure.message}") from None
    return value_from_json(tree["value"], ty)


_BOOLS: Final = {"true": True, "1": True, "false": False, "0": False}


def _scalar_from_json(tree: Tree, ty: Primitive) -> Value:
    """Read a scalar leniently. A number read as a string keeps its exact text.

    The message for a string that is not a number or bool differs from the message for anything but a string.
    """
    if ty is STRING:
        if isinstance(tree, bool):
            return string("true" if tree else "false")
        if isinstance(tree, str | JsonNumber):
            return string(tree if isinstance(tree, str) else tree.text)
    elif ty is BOOL:
        truth = _BOOLS.get(tree) if isinstance(tree, str) else tree
        if isinstance(truth, bool):
            return boolean(truth)
    elif isinstance(tree, str | JsonNumber):
        parsed = numbers.parse(tree if isinstance(tree, str) else tree.text)
        if parsed is not None:
            return number(parsed)
    article = "a " if isinstance(tree, str) else ""
    raise JsonError(f"{article}{ty.name} is required")


def _sequence_from_json(tree: Tree, ty: ListType | SetType | TupleType) -> Value:
    if not isinstance(tree, list):
        raise JsonError("missing expected [")
    if isinstance(ty, TupleType):
        if len(tree) != len(ty.elements):
            quantity = "too many" if len(tree) > len(ty.elements) else "not enough"
            raise JsonError(f"{quantity} tuple elements (need {len(ty.elements)})")
        return tuple_of(_elements_from_json(tree, ty.elements))
    elements = _elements_from_json(tree, [ty.element] * len(tree))
    return list_of(ty.element, elements) if isinstance(ty, ListType) else set_of(ty.element, elements)


def _elements_from_json(trees: list[Tree], types: Iterable[Type]) -> list[Value]:
    elements: list[Value] = []
    try:
        for tree, ty in zip(trees, types, strict=True):
            elements.append(value_from_json(tree, ty))
    except JsonError as failure:
        raise failure.below(_position(len(elements))) from None
    return elements


def _parts_from_json(tree: Tree, type_of: Callable[[str], Type], step: Callable[[str], Step]) -> dict[str, Value]:
    if not isinstance(tree, dict):
        raise JsonError("missing expected {")
    parts: dict[str, Value] = {}
    for key, part in tree.items():
        try:
            parts[key] = value_from_json(part, type_of(key))
        except JsonError as failure:
            raise failure.below(step(key)) from None
    return parts


def _object_from_json(tree: Tree, ty: ObjectType) -> Value:
    """Read an object. Absent attributes are null; unknown names are an error."""
    if isinstance(tree, dict):
        for name in tree:
            if name not in ty.attributes:
                raise JsonError(f"unsupported attribute {quoted(name)}")
    found = _parts_from_json(tree, ty.attributes.__getitem__, AttributeStep)
    return object_of({name: found.get(name) or null(attribute) for name, attribute in ty.attributes.items()})


def implied_value(tree: Tree) -> Value:
    """The value that JSON has without a type: arrays are tuples, objects are objects, null is of dynamic type."""
    match tree:
        case None:
            return NULL_DYNAMIC
        case bool():
            return boolean(tree)
        case str():
            return string(tree)
        case JsonNumber():
            parsed = numbers.parse(tree.text)
            if parsed is None:
                raise JsonError("number is out of range")
            return number(parsed)
        case list():
            return tuple_of(map(implied_value, tree))
    return object_of({name: implied_value(part) for name, part in tree.items()})


# Shapes that accompany a value in a plan


def unknown_shape(value: Value) -> Tree:
    """The shape of the value with `true` in place of every unknown.

    Sequences show every position; maps and objects omit parts that are known and have no parts themselves.
    """
    if value.payload.__class__ is Unknown:
        return True
    return _shape(value, unknown_shape)


def sensitive_shape(value: Value) -> Tree:
    """The shape of the value with `true` in place of every sensitive part, built like `unknown_shape`.

    Unknowns count as empty.
    """
    if value.marks and SENSITIVE in value.marks:
        return True
    if value.payload.__class__ is Unknown:
        if isinstance(value.type, MapType | ObjectType):
            return {}
        return False if isinstance(value.type, Primitive) else []
    return _shape(value, sensitive_shape)


def _shape(value: Value, of_part: Callable[[Value], Tree]) -> Tree:
    payload = value.payload
    if payload.__class__ is tuple:
        return list(map(of_part, payload))
    if payload.__class__ is dict:
        shapes = {name: of_part(part) for name, part in payload.items()}
        return {name: shape for name, shape in shapes.items() if shape is not False}
    return False


def without_unknowns(value: Value) -> Value | None:
    """What a plan shows of a value, or None for a value that is unknown as a whole.

    Unknown elements of sequences become null and unknown attributes are omitted. All sequences become tuples and all
    mappings objects.
    """
    payload = value.payload
    if payload.__class__ is Unknown:
        return None
    if payload.__class__ is tuple:
        shown = [without_unknowns(element) or null(element.type) for element in payload]
        return tuple_of(shown).with_marks(value.marks)
    if payload.__class__ is dict:
        parts = {name: without_unknowns(part) for name, part in payload.items()}
        known = {name: part for name, part in parts.items() if part is not None}
        return object_of(known).with_marks(value.marks)
    return value


# Paths


def path_to_json(path: Path) -> Tree:
    """Encode a path as in `sensitive_attributes` of the state."""
    steps: list[Tree] = []
    for step in path:
        if isinstance(step, AttributeStep):
            steps.append({"type": "get_attr", "value": step.name})
        else:
            key: Tree = {"value": value_to_json(step.key), "type": type_to_json(step.key.type)}
            steps.append({"type": "index", "value": key})
    return steps


def path_from_json(tree: Tree) -> Path:
    if not isinstance(tree, list):
        raise JsonError("a list of path steps is required")
    return tuple(map(_step_from_json, tree))


def _step_from_json(tree: Tree) -> Step:
    match tree:
        case {"type": "get_attr", "value": str(name)}:
            return AttributeStep(name)
        case {"type": "index", "value": {"type": "string", "value": str(key)}}:
            return IndexStep(string(key))
        case {"type": "index", "value": {"type": "number", "value": JsonNumber(text)}}:
            parsed = numbers.parse(text)
            if parsed is not None and numbers.is_whole(parsed):
                return IndexStep(number(numbers.from_int(numbers.to_int(parsed))))
    raise JsonError("invalid path step")
