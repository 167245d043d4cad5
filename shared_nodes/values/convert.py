"""Conversion of a value to a wanted type.

`convert` returns a value of the wanted type (or of its own type, where the wanted type is dynamic), or raises a
`ConversionError` that says what is missing. A conversion is *safe* if it succeeds for every value of the type, like
number to string. `convert` also performs unsafe ones, like string to number, which depend on the value.

The work has two stages, because one pair of types usually occurs with many values. `_converter` looks only at the types
and returns a function that converts values, or None if there is no such conversion; its results are cached. So whether
a conversion exists and how it is done are defined in one place.

For all types, a null converts to a null and an unknown to an unknown of the wanted type, and marks stay on the part
that carries them. There is one exception, an oversight of the original: a null *element* loses its marks when a list or
set is converted to a list or set, a tuple to a set, or a map to an object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.number import NumberTooLargeError, number_text
from shared_nodes.values.paths import AttributeStep, IndexStep, Path, Step
from shared_nodes.values.refinement import Refinement
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
    contains_dynamic,
    friendly_name,
    friendly_name_for_constraint,
    without_optional_attributes,
)
from shared_nodes.values.unify import unify_types
from shared_nodes.values.value import FALSE, NULL, TRUE, Unknown, Value, integer, null, object_of, string, unknown

__all__ = ["ConversionError", "conversion_exists", "convert", "mismatch_message", "unify"]

Converter = Callable[[Value], Value]


@record
class Mismatch:
    """Two types between which there is no conversion. `place` introduces the part of the value that has them."""

    got: Type
    want: Type
    place: str = ""

    def explain(self, flavour: Flavour) -> str:
        return self.place + mismatch_message(self.got, self.want, flavour)


class ConversionError(Exception):
    """There is no conversion between the types, or none for this value.

    `path` leads to the offending part of the value. The explanation has no final period and does not repeat the path.
    """

    def __init__(self, reason: str | Mismatch, path: Path = ()) -> None:
        super().__init__(reason)
        self._reason: Final = reason
        self.path = path

    def explain(self, flavour: Flavour) -> str:
        return self._reason if isinstance(self._reason, str) else self._reason.explain(flavour)

    def below(self, step: Step) -> ConversionError:
        self.path = (step, *self.path)
        return self


def convert(value: Value, want: Type) -> Value:
    got = value.type
    if got is want or want is DYNAMIC or got == without_optional_attributes(want):
        return value
    converter = _converter(got, want, True)
    if converter is None:
        raise ConversionError(Mismatch(got, want))
    return converter(value)


def conversion_exists(got: Type, want: Type, *, unsafe: bool) -> bool:
    """Whether values of one type can be converted to the other: all of them, or with `unsafe` at least some."""
    return got == want or _converter(got, want, unsafe) is not None


_CONVERTS_SAFELY: Final = partial(conversion_exists, unsafe=False)
_CONVERTS: Final = partial(conversion_exists, unsafe=True)


def unify(types: Sequence[Type], *, unsafe: bool) -> Type | None:
    """One type that values of all these types can be converted to, or None. See `unify.unify_types` for the rules.

    With `unsafe`, conversions that may fail for some values count as well.
    """
    return unify_types(types, _CONVERTS if unsafe else _CONVERTS_SAFELY)


@lru_cache(maxsize=4096)
def _converter(got: Type, want: Type, unsafe: bool) -> Converter | None:
    """Return a function that converts values of type `got` to a different type `want`, or None."""
    if want is DYNAMIC:
        return _unchanged
    content = _content_converter(got, want, unsafe)
    if content is None:
        return None

    def convert_any(value: Value) -> Value:
        payload = value.payload
        if payload is NULL:
            return Value(_result_type(got, want), NULL, value.marks)
        if payload.__class__ is Unknown:
            return _convert_unknown(value, _result_type(got, want))
        return content(value).with_marks(value.marks)

    return convert_any


def _unchanged(value: Value) -> Value:
    return value


def _content_converter(got: Type, want: Type, unsafe: bool) -> Converter | None:
    """Return a function that converts known content. The caller carries over marks on the value itself."""
    if got is DYNAMIC:
        return _unchanged if unsafe else None  # values of dynamic type have no content: they are null or unknown
    match got, want:
        case Primitive(), Primitive():
            return _SAFE.get((got, want)) or (_UNSAFE.get((got, want)) if unsafe else None)
        case ObjectType() as source, ObjectType() as target:
            return _object_to_object(source, target, unsafe)
        case TupleType() as source, TupleType() as target:
            return _tuple_to_tuple(source, target, unsafe)
        case (ListType() | SetType()) as source, ListType() as target:
            return _collection_to_list(source, target, unsafe)
        case (ListType() | SetType()) as source, SetType() as target:
            return _collection_to_set(source, target, unsafe) if unsafe or isinstance(source, SetType) else None
        case MapType() as source, MapType() as target:
            return _map_to_map(source, target, unsafe)
        case TupleType() as source, ListType() as target:
            return _tuple_to_list(source, target, unsafe)
        case TupleType() as source, SetType() as target:
            return _tuple_to_set(source, target, unsafe)
        case ObjectType() as source, MapType() as target:
            return _object_to_map(source, target, unsafe)
        case MapType() as source, ObjectType() as target:
            return _map_to_object(source, target) if unsafe else None
    return None


def _part_converter(got: Type, want: Type, unsafe: bool) -> Converter | None:
    return _unchanged if got == want else _converter(got, want, unsafe)


# Scalars


def _string_to_number(value: Value) -> Value:
    parsed = numbers.parse(value.payload)
    if parsed is None:
        raise ConversionError("a number is required")
    return Value(NUMBER, parsed)


_BOOLS: Final = {"true": TRUE, "1": TRUE, "false": FALSE, "0": FALSE}


def _string_to_bool(value: Value) -> Value:
    text = value.payload
    if (found := _BOOLS.get(text)) is not None:
        return found
    if text.lower() in ("true", "false"):
        raise ConversionError(f'a bool is required; to convert from string, use lowercase "{text.lower()}"')
    raise ConversionError("a bool is required")


def _number_to_string(value: Value) -> Value:
    try:
        return Value(STRING, number_text(value.payload))
    except NumberTooLargeError as failure:
        raise ConversionError("the number has too many digits to be written as a string") from failure


_TRUE_TEXT: Final = string("true")
_FALSE_TEXT: Final = string("false")


def _bool_to_string(value: Value) -> Value:
    return _TRUE_TEXT if value.payload else _FALSE_TEXT


_SAFE: Final[Mapping[tuple[Type, Type], Converter]] = {
    (NUMBER, STRING): _number_to_string,
    (BOOL, STRING): _bool_to_string,
}
_UNSAFE: Final[Mapping[tuple[Type, Type], Converter]] = {
    (STRING, NUMBER): _string_to_number,
    (STRING, BOOL): _string_to_bool,
}


# Parts of containers


def _convert_elements(elements: Iterable[Value], converters: Iterable[Converter]) -> list[Value]:
    """Convert each element; an error names the position of the element that failed.

    This is a loop rather than a comprehension because the count of converted elements gives that position.
    """
    converted: list[Value] = []
    try:
        for element, converter in zip(elements, converters, strict=False):
            converted.append(converter(element))
    except ConversionError as failure:
        raise failure.below(IndexStep(integer(len(converted)))) from None
    return converted


def _convert_attributes(
    attributes: Mapping[str, Value], converters: Mapping[str, Converter], step: Callable[[str], Step]
) -> dict[str, Value]:
    """Convert the attributes that have a converter, in key order."""
    converted: dict[str, Value] = {}
    name = ""
    try:
        for name, value in attributes.items():
            if name in converters:
                converted[name] = converters[name](value)
    except ConversionError as failure:
        raise failure.below(step(name)) from None
    return converted


def _key_step(key: str) -> Step:
    return IndexStep(string(key))


def _without_marks_of_nulls(elements: Iterable[Value]) -> list[Value]:
    return [null(without_optional_attributes(e.type)) if e.payload is NULL else e for e in elements]


def _common_type(elements: Iterable[Value]) -> Type | None:
    """The single type of all elements, ignoring dynamic ones, which can take any type; None if there are several."""
    common: Type = DYNAMIC
    for element in elements:
        ty = element.type
        if common is DYNAMIC:
            common = ty
        elif ty is not common and ty is not DYNAMIC and ty != common:
            return None
    return common


def _as_type(element: Value, ty: Type) -> Value:
    """Give a null or unknown of dynamic type the type of its siblings."""
    return element if element.type is ty or element.type is not DYNAMIC else Value(ty, element.payload, element.marks)


def _make_list(elements: Sequence[Value]) -> Value:
    ty = _common_type(elements)
    if ty is None:
        raise ConversionError("element types must all match for conversion to list")
    return Value(ListType(ty), tuple([_as_type(element, ty) for element in elements]))


def _make_set(elements: Sequence[Value]) -> Value:
    ty = _common_type(elements)
    if ty is None:
        raise ConversionError("element types must all match for conversion to set")
    return set_of(ty, [_as_type(element, ty) for element in elements])


def _make_map(elements: Mapping[str, Value], noun: str) -> Value:
    ty = _common_type(elements.values())
    if ty is None:
        raise ConversionError(f"{noun} types must all match for conversion to map")
    return Value(MapType(ty), {key: _as_type(element, ty) for key, element in elements.items()})


def _make_object(attributes: dict[str, Value], expected: ObjectType) -> Value:
    """An object with these attributes. Its type is nearly always the expected one, which is cheaper than building
    another."""
    types = expected.attributes
    for name, attribute in attributes.items():
        if attribute.type is not types[name] and attribute.type != types[name]:
            return object_of(attributes)
    return Value(expected, attributes)


def _unify_elements(elements: Sequence[Value], *, unsafe: bool) -> list[Value]:
    """Convert the elements to one type. Conversion to `list(map(any))`, for example, may have given them different
    types."""
    common = unify([element.type for element in elements], unsafe=unsafe)
    if common is None:
        raise ConversionError("cannot find a common base type for all elements")
    converters = [_part_converter(element.type, common, unsafe) or _unchanged for element in elements]
    return _convert_elements(elements, converters)


def _unify_map(elements: dict[str, Value], element_type: Type, *, unsafe: bool) -> dict[str, Value]:
    """Unify the elements of a map. The original leaves maps of tuples and of scalars unchanged."""
    if not isinstance(element_type, CollectionType | ObjectType):
        return elements
    return dict(zip(elements, _unify_elements(list(elements.values()), unsafe=unsafe), strict=True))


# Containers


def _object_to_object(source: ObjectType, target: ObjectType, unsafe: bool) -> Converter | None:
    converters: dict[str, Converter] = {}
    absent: dict[str, Value] = {}
    for name, want in target.attributes.items():
        if name not in source.attributes:
            if name not in target.optional:
                return None
            absent[name] = null(without_optional_attributes(want))
            continue
        converter = _part_converter(source.attributes[name], want, unsafe)
        if converter is None:
            return None
        converters[name] = converter
    bare = without_optional_attributes(target)
    assert isinstance(bare, ObjectType)

    def content(value: Value) -> Value:
        attributes = _convert_attributes(value.payload, converters, AttributeStep)
        if absent:
            attributes = {name: attributes[name] if name in attributes else absent[name] for name in bare.attributes}
        return _make_object(attributes, bare)

    return content


def _tuple_to_tuple(source: TupleType, target: TupleType, unsafe: bool) -> Converter | None:
    if len(source.elements) != len(target.elements):
        return None
    converters = _converters_for(source.elements, target.elements, unsafe)
    if converters is None:
        return None

    def content(value: Value) -> Value:
        elements = _convert_elements(value.payload, converters)
        return Value(TupleType([element.type for element in elements]), tuple(elements))

    return content


def _converters_for(got: Iterable[Type], want: Iterable[Type], unsafe: bool) -> list[Converter] | None:
    converters = []
    for got_part, want_part in zip(got, want, strict=False):
        converter = _part_converter(got_part, want_part, unsafe)
        if converter is None:
            return None
        converters.append(converter)
    return converters


def _empty_of(element: Type, source: CollectionType) -> Type:
    """The element type of an empty result. A dynamic one is replaced by that of the source, which is more specific."""
    return source.element if element is DYNAMIC else without_optional_attributes(element)


def _collection_to_list(source: ListType | SetType, target: ListType, unsafe: bool) -> Converter | None:
    converter = _part_converter(source.element, target.element, unsafe)
    if converter is None:
        return None

    def content(value: Value) -> Value:
        elements = value.payload
        if isinstance(source, SetType) and len(elements) > 1 and not value.is_wholly_known:
            # The number of elements is not known yet. Using the element type of the source instead of the wanted one is
            # an oversight of the original, visible when the result is compared.
            return unknown(ListType(source.element))
        if not elements:
            return Value(ListType(_empty_of(target.element, source)), ())
        return _make_list(_without_marks_of_nulls(_convert_elements(elements, [converter] * len(elements))))

    return content


def _collection_to_set(source: ListType | SetType, target: SetType, unsafe: bool) -> Converter | None:
    converter = _part_converter(source.element, target.element, unsafe)
    if converter is None:
        return None

    def content(value: Value) -> Value:
        elements = value.payload
        if not elements:
            return Value(SetType(_empty_of(target.element, source)), ())
        return _make_set(_without_marks_of_nulls(_convert_elements(elements, [converter] * len(elements))))

    return content


def _map_to_map(source: MapType, target: MapType, unsafe: bool) -> Converter | None:
    converter = _part_converter(source.element, target.element, unsafe)
    if converter is None:
        return None

    def content(value: Value) -> Value:
        if not value.payload:
            return Value(MapType(_empty_of(target.element, source)), {})
        elements = _convert_attributes(value.payload, dict.fromkeys(value.payload, converter), _key_step)
        return _make_map(_unify_map(elements, target.element, unsafe=False), "element")

    return content


def _unified_element_type(parts: Sequence[Type], want: Type, unsafe: bool) -> Type | None:
    """The element type of a collection made of parts of these types, or None if they have no common type."""
    return unify(parts, unsafe=unsafe) if want is DYNAMIC else want


def _sequence_element_type(source: TupleType, want: Type, unsafe: bool) -> Type | None:
    """The element type of a list or set made of a tuple. A dynamic type next to parts that are not dynamic does not
    count."""
    element = _unified_element_type(source.elements, want, unsafe)
    if want is DYNAMIC and element is DYNAMIC and any(part is not DYNAMIC for part in source.elements):
        return None
    return element


def _tuple_to_list(source: TupleType, target: ListType, unsafe: bool) -> Converter | None:
    if not source.elements:
        return lambda _: Value(ListType(without_optional_attributes(target.element)), ())
    element = _sequence_element_type(source, target.element, unsafe)
    converters = element and _converters_for(source.elements, [element] * len(source.elements), unsafe)
    if not converters:
        return None

    def content(value: Value) -> Value:
        return _make_list(_unify_elements(_convert_elements(value.payload, converters), unsafe=unsafe))

    return content


def _tuple_to_set(source: TupleType, target: SetType, unsafe: bool) -> Converter | None:
    if not source.elements:
        return lambda _: Value(SetType(without_optional_attributes(target.element)), ())
    element = _sequence_element_type(source, target.element, unsafe)
    converters = element and _converters_for(source.elements, [element] * len(source.elements), unsafe)
    if not converters:
        return None

    def content(value: Value) -> Value:
        return _make_set(_without_marks_of_nulls(_convert_elements(value.payload, converters)))

    return content


def _object_to_map(source: ObjectType, target: MapType, unsafe: bool) -> Converter | None:
    if not source.attributes:
        return lambda _: Value(MapType(without_optional_attributes(target.element)), {})
    element = _unified_element_type(tuple(source.attributes.values()), target.element, unsafe)
    if element is None:
        return None
    found = _converters_for(source.attributes.values(), [element] * len(source.attributes), unsafe)
    if found is None:
        return None
    converters = dict(zip(source.attributes, found, strict=True))

    def content(value: Value) -> Value:
        elements = _convert_attributes(value.payload, converters, _key_step)
        return _make_map(_unify_map(elements, element, unsafe=unsafe), "attribute")

    return content


def _map_to_object(source: MapType, target: ObjectType) -> Converter | None:
    """Conversion from map to object. It is always unsafe, because the keys are only known with the value.

    An optional attribute whose type cannot be converted is no obstacle as long as the map lacks that key.
    """
    converters: dict[str, Converter] = {}
    for name, want in target.attributes.items():
        converter = _part_converter(source.element, want, True)
        if converter is None:
            if name not in target.optional:
                return None
            converter = _refusal(name, source.element, want)
        converters[name] = converter

    def content(value: Value) -> Value:
        converted = _convert_attributes(value.payload, converters, _key_step)
        found = dict(zip(converted, _without_marks_of_nulls(converted.values()), strict=True))
        attributes: dict[str, Value] = {}
        for name, want in target.attributes.items():
            if name in found:
                attributes[name] = found[name]
            elif name in target.optional:
                attributes[name] = null(want)  # optional attributes inside `want` stay, as in the original
            else:
                raise ConversionError(f"map has no element for required attribute {quoted(name)}")
        return object_of(attributes)

    return content


def _refusal(name: str, got: Type, want: Type) -> Converter:
    mismatch = Mismatch(got, want, f"map element type is incompatible with attribute {quoted(name)}: ")

    def refuse(_: Value) -> Value:
        raise ConversionError(mismatch)

    return refuse


# Nulls and unknowns


@lru_cache(maxsize=4096)
def _result_type(got: Type, want: Type) -> Type:
    """The type of a null or unknown after conversion: the wanted one, with dynamic parts filled in from the source."""
    return _fill_dynamic(got, without_optional_attributes(want))


def _fill_dynamic(got: Type | None, want: Type) -> Type:
    if got is None or got is DYNAMIC or not contains_dynamic(want):
        return want
    match want:
        case CollectionType():
            if isinstance(got, CollectionType):
                return type(want)(_fill_dynamic(got.element, want.element))
            parts = got.elements if isinstance(got, TupleType) else tuple(_attribute_types(got).values())
            return type(want)(_fill_dynamic(unify(parts, unsafe=True), want.element))
        case TupleType() if isinstance(got, TupleType):
            return TupleType(map(_fill_dynamic, got.elements, want.elements))
        case ObjectType() if isinstance(got, MapType):
            return ObjectType({name: _fill_dynamic(got.element, ty) for name, ty in want.attributes.items()})
        case ObjectType():
            types = _attribute_types(got)
            return ObjectType({name: _fill_dynamic(types.get(name), ty) for name, ty in want.attributes.items()})
    return got


def _attribute_types(ty: Type) -> Mapping[str, Type]:
    assert isinstance(ty, ObjectType)
    return ty.attributes


def _convert_unknown(value: Value, result: Type) -> Value:
    """Convert an unknown, keeping what still holds for the result: whether it can be null, and its possible lengths."""
    source = value.refinement
    least, most = _lengths(value.type, source, result)
    if not source.not_null and not least and most is None:
        return unknown(result).with_marks(value.marks)
    refinement = Refinement(not_null=source.not_null, min_length=least, max_length=most)
    return unknown(result, refinement).with_marks(value.marks)


def _lengths(got: Type, source: Refinement, result: Type) -> tuple[int, int | None]:
    if not isinstance(result, CollectionType):
        return 0, None
    least, most = source.min_length, source.max_length
    if isinstance(got, TupleType):
        least = most = len(got.elements)
    elif isinstance(got, ObjectType):
        least = most = len(got.attributes)
    return min(least, 1) if isinstance(result, SetType) else least, most


# Messages


def mismatch_message(got: Type, want: Type, flavour: Flavour) -> str:
    """Why there is no conversion between the types, as a phrase such as `element 0: string required`."""
    match got, want:
        case ObjectType() as source, ObjectType() as target:
            return _object_mismatch(source, target, flavour)
        case (TupleType(), (ListType() | SetType()) as target) | (ObjectType(), MapType() as target):
            if target.element is DYNAMIC:
                return f"all {target.kind} elements must have the same type"
            return _element_mismatch(got, target.element, flavour)
        case ((TupleType() | ObjectType()), CollectionType()):
            return f"{friendly_name_for_constraint(want)} required"
        case CollectionType() as source, CollectionType() as target:
            if isinstance(source, MapType) != isinstance(target, MapType):
                return f"{friendly_name_for_constraint(want)} required"
            return f"incorrect {target.kind} element type: {mismatch_message(source.element, target.element, flavour)}"
    if flavour.mismatch_names_both_types and _is_clear_by_names(got, want):
        return f"{friendly_name(want)} required, but have {friendly_name(got)}"
    return f"{friendly_name_for_constraint(want)} required"


def _is_clear_by_names(got: Type, want: Type) -> bool:
    """Whether the names of the two types alone tell what is wrong. The names of two lists or two objects, for example,
    would not."""
    if got in _SCALARS and want in _SCALARS:
        return got is not STRING  # some strings are numbers or bools: then the value is wrong rather than the type
    one_is_scalar = got in _SCALARS or want in _SCALARS
    return one_is_scalar or (isinstance(got, TupleType) and isinstance(want, ObjectType))


_SCALARS: Final = frozenset((STRING, NUMBER, BOOL))


def _object_mismatch(got: ObjectType, want: ObjectType, flavour: Flavour) -> str:
    """Name missing attributes first, then the first attribute that cannot be converted at all, then one that is
    unsafe."""
    missing = [quoted(name) for name in want.attributes if name not in got.attributes and name not in want.optional]
    if len(missing) == 1:
        return f"attribute {missing[0]} is required"
    if len(missing) == 2:
        return f"attributes {missing[0]} and {missing[1]} are required"
    if missing:
        return f"attributes {', '.join(missing[:-1])}, and {missing[-1]} are required"
    shared = [(name, got.attributes[name], ty) for name, ty in want.attributes.items() if name in got.attributes]
    for unsafe in (True, False):
        for name, got_attribute, want_attribute in shared:
            if _part_converter(got_attribute, want_attribute, unsafe) is None:
                return f"attribute {quoted(name)}: {mismatch_message(got_attribute, want_attribute, flavour)}"
    return "incorrect object attributes"


def _element_mismatch(got: Type, want: Type, flavour: Flavour) -> str:
    if isinstance(got, TupleType):
        parts: Iterable[tuple[str, Type]] = ((str(position), ty) for position, ty in enumerate(got.elements))
    else:
        parts = ((quoted(name), ty) for name, ty in _attribute_types(got).items())
    for name, ty in parts:
        if _part_converter(ty, want, True) is None:
            return f"element {name}: {mismatch_message(ty, want, flavour)}"
    return f"all elements must be {friendly_name_for_constraint(want)}"
