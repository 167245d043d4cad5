"""Values on the wire: MessagePack, or JSON where an object comes from a state.

Both sides know the type of a value from the schema, and only where it is dynamic does the value contain its type. The
MessagePack form has an extension for unknown values: without content for one of which nothing is known, and with the
code 12 and a map for one with a refinement. Numbers are integers, floats, or decimal text, whichever is exact.

Reading a value reproduces the messages of the original for data of the wrong form. Where the original would crash, as
for contradictory refinements, there is a message of our own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import msgpack

from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.types import type_from_wire, type_to_wire
from harness.plugins.wire.wire_error import WireError
from shared_nodes.providers.contract import FlatAttributes, StoredAttributes
from shared_nodes.values import number as numbers
from shared_nodes.values.json import JsonError, dumps, loads, value_from_json
from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.number import NumberTooLargeError, number_text
from shared_nodes.values.paths import AttributeStep, IndexStep, Step
from shared_nodes.values.refinement import UNREFINED, Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.text import known_prefix
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
    Unknown,
    Value,
    boolean,
    integer,
    list_of,
    map_of,
    null,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)

__all__ = ["decode_value", "encode_value", "raw_state_message", "value_from_message", "value_message"]

_REFINED: Final = 12
_NULLNESS, _PREFIX, _LOWER, _UPPER, _MIN_LENGTH, _MAX_LENGTH = range(1, 7)
_BOUND: Final = TupleType((NUMBER, BOOL))

_MAX_REFINEMENT_BYTES: Final = 1024
_MAX_PREFIX_BYTES: Final = 256
_MAX_LENGTH_OF_UNKNOWN: Final = 1_000_000
"""A refinement that leaves only one length makes a list of that many unknowns. No provider has use for more."""

_INT64: Final = range(-(2**63), 2**63)


# Messages


def value_message(value: Value, ty: Type) -> pb.DynamicValue:
    return pb.DynamicValue(msgpack=encode_value(value, ty))


def value_from_message(message: pb.DynamicValue, ty: Type) -> Value:
    """Read a value in either form. A message without any content is null."""
    if message.msgpack:
        return decode_value(message.msgpack, ty)
    return _value_from_json(message.json, ty) if message.json else null(ty)


def _value_from_json(data: bytes, ty: Type) -> Value:
    try:
        return value_from_json(loads(data.decode("utf-8", "surrogateescape")), ty)
    except JsonError as failure:
        raise WireError(failure.message, failure.path) from failure
    except RecursionError as failure:
        raise WireError("exceeded max depth") from failure


def raw_state_message(attributes: StoredAttributes) -> pb.RawState:
    """Write an object as it is stored in a state, for the provider to upgrade or take over."""
    if isinstance(attributes, FlatAttributes):
        return pb.RawState(flatmap=attributes.texts)
    return pb.RawState(json=dumps(attributes).encode("utf-8", "surrogateescape"))


# To MessagePack


def encode_value(value: Value, ty: Type) -> bytes:
    """Write a value that conforms to the type. Marks have no place on the wire."""
    packer = msgpack.Packer(autoreset=False, unicode_errors="surrogateescape")
    try:
        _write(packer, value, ty)
    except NumberTooLargeError as failure:
        raise WireError("a number has too many digits to be passed to a provider") from failure
    except UnicodeEncodeError as failure:
        raise WireError("a string is not valid Unicode") from failure
    return bytes(packer.bytes())


def _write(packer: msgpack.Packer, value: Value, ty: Type) -> None:
    if value.marks:
        raise WireError("value has marks, so it cannot be serialized")
    if ty is DYNAMIC and value.type is not DYNAMIC:
        packer.pack_array_header(2)
        packer.pack(type_to_wire(value.type))
        ty = value.type
    payload = value.payload
    if payload is NULL:
        packer.pack(None)
    elif payload.__class__ is Unknown:
        packer.pack_ext_type(*_unknown_extension(value))
    elif payload.__class__ is dict:
        _write_map(packer, payload, ty)
    elif payload.__class__ is tuple:
        _write_array(packer, payload, ty)
    elif isinstance(payload, str | bool):
        packer.pack(payload)
    else:
        packer.pack(_number_to_wire(payload))


def _write_map(packer: msgpack.Packer, parts: dict[str, Value], ty: Type) -> None:
    packer.pack_map_header(len(parts))
    for name, part in parts.items():
        packer.pack(name)
        if isinstance(ty, ObjectType):
            _write_part(packer, part, ty.attributes[name], AttributeStep(name))
        else:
            _write_part(packer, part, _element_type(ty), IndexStep(string(name)))


def _write_array(packer: msgpack.Packer, parts: Sequence[Value], ty: Type) -> None:
    packer.pack_array_header(len(parts))
    for position, part in enumerate(parts):
        element = ty.elements[position] if isinstance(ty, TupleType) else _element_type(ty)
        _write_part(packer, part, element, IndexStep(integer(position)))


def _write_part(packer: msgpack.Packer, part: Value, ty: Type, step: Step) -> None:
    try:
        _write(packer, part, ty)
    except WireError as failure:
        raise failure.below(step) from None


def _element_type(ty: Type) -> Type:
    assert isinstance(ty, CollectionType)
    return ty.element


def _number_to_wire(payload: mpfr) -> int | float | str:
    if numbers.is_infinite(payload):
        return float(payload)
    if numbers.is_whole(payload):
        if abs(payload) < 2**64 and (whole := numbers.to_int(payload)) in _INT64:
            return whole
    elif (as_float := float(payload)) == payload:
        return as_float
    return number_text(payload)


def _unknown_extension(value: Value) -> tuple[int, bytes]:
    refinement = value.refinement
    parts: dict[int, object] = {}
    if refinement.not_null:
        parts[_NULLNESS] = False
    if refinement.prefix:
        parts[_PREFIX] = _short_prefix(refinement.prefix)
    if refinement.lower is not None:
        parts[_LOWER] = [_number_to_wire(refinement.lower), refinement.lower_inclusive]
    if refinement.upper is not None:
        parts[_UPPER] = [_number_to_wire(refinement.upper), refinement.upper_inclusive]
    if refinement.min_length:
        parts[_MIN_LENGTH] = refinement.min_length
    if refinement.max_length is not None:
        parts[_MAX_LENGTH] = refinement.max_length
    if not parts or value.type is DYNAMIC:
        return 0, b"\0"
    return _REFINED, msgpack.packb(parts, unicode_errors="surrogateescape")


def _short_prefix(prefix: str) -> str:
    if len(prefix.encode("utf-8", "surrogateescape")) <= _MAX_PREFIX_BYTES:
        return prefix
    return known_prefix(prefix, _MAX_PREFIX_BYTES - 1)


# From MessagePack


def decode_value(data: bytes, ty: Type) -> Value:
    """Read a value of the type. Bytes after the value are ignored, as the original does.

    The original accepts an object without any attributes for every object type, and finds later that it does not
    conform. Here it is refused at once.
    """
    try:
        return _read(_unpack(data), ty)
    except RecursionError as failure:
        raise WireError("exceeded max depth") from failure


def _unpack(data: bytes) -> Any:
    """Return the content of MessagePack: arrays are tuples, and maps are lists of pairs."""
    unpacker = msgpack.Unpacker(
        use_list=False,
        object_pairs_hook=list,
        strict_map_key=False,
        unicode_errors="surrogateescape",
        max_buffer_size=len(data),
    )
    unpacker.feed(data)
    try:
        return unpacker.unpack()
    except msgpack.OutOfData as failure:
        raise WireError("EOF") from failure
    except msgpack.StackError as failure:
        raise WireError("msgpack: exceeded max depth") from failure
    except (ValueError, msgpack.UnpackException) as failure:
        is_cut_off = "exceeds max_" in str(failure)
        raise WireError("EOF" if is_cut_off else f"msgpack: {str(failure) or type(failure).__name__}") from failure


def _read(item: Any, ty: Type) -> Value:
    if isinstance(item, msgpack.ExtType):
        return _read_unknown(item, ty)
    if isinstance(item, msgpack.Timestamp):
        raise WireError("unsupported extension type 0xff")
    if item is None:
        return null(ty)
    if isinstance(ty, Primitive):
        return _read_dynamic(item) if ty is DYNAMIC else _read_scalar(item, ty)
    if isinstance(ty, MapType):
        return _read_map(item, ty.element)
    if isinstance(ty, ObjectType):
        return _read_object(item, ty)
    if isinstance(ty, TupleType):
        return _read_tuple(item, ty)
    assert isinstance(ty, ListType | SetType)
    if not isinstance(item, tuple):
        raise WireError(f"a {ty.kind} is required")
    elements = [_read_part(part, ty.element, IndexStep(integer(index))) for index, part in enumerate(item)]
    element = _common_type(elements, ty.element)
    return list_of(element, elements) if isinstance(ty, ListType) else set_of(element, elements)


def _read_part(item: Any, ty: Type, step: Step) -> Value:
    try:
        return _read(item, ty)
    except WireError as failure:
        raise failure.below(step) from None


def _common_type(elements: Sequence[Value], ty: Type) -> Type:
    """Return the element type of a collection with these elements. Only a type with dynamic parts leaves anything
    open."""
    found = {element.type for element in elements} - {DYNAMIC}
    if len(found) > 1:
        raise WireError("all elements of a collection must have the same type")
    return found.pop() if found else ty


def _read_dynamic(item: Any) -> Value:
    if not isinstance(item, tuple):
        raise WireError("msgpack: a dynamic value must be an array")
    if len(item) != 2:
        raise WireError("dynamic value array must have exactly two elements")
    described, content = item
    if isinstance(described, str):
        described = described.encode("utf-8", "surrogateescape")
    if not isinstance(described, bytes):
        raise WireError("msgpack: the type of a dynamic value must be bytes")
    return _read(content, type_from_wire(described))


def _read_scalar(item: Any, ty: Primitive) -> Value:
    if ty is BOOL and isinstance(item, bool):
        return boolean(item)
    if ty is STRING and isinstance(item, str | bytes):
        return string(_text(item))
    if ty is NUMBER and (payload := _number(item)) is not None:
        return number(payload)
    raise WireError(f"{ty.name} is required")


def _text(item: str | bytes) -> str:
    return item if isinstance(item, str) else item.decode("utf-8", "surrogateescape")


def _number(item: Any) -> mpfr | None:
    if isinstance(item, bool):
        return None
    if isinstance(item, int):
        return numbers.from_int(item)
    if isinstance(item, float):
        return None if math.isnan(item) else numbers.from_float(item)
    return numbers.parse(_text(item)) if isinstance(item, str | bytes) else None


def _read_map(item: Any, element: Type) -> Value:
    if not isinstance(item, list):
        raise WireError("a map is required")
    parts: dict[str, Value] = {}
    for key, part in item:
        if not isinstance(key, str | bytes):
            raise WireError("non-string key in map")
        name = _text(key)
        parts[name] = _read_part(part, element, IndexStep(string(name)))
    return map_of(_common_type(list(parts.values()), element), parts)


def _read_tuple(item: Any, ty: TupleType) -> Value:
    if not isinstance(item, tuple):
        raise WireError("a tuple is required")
    if len(item) != len(ty.elements):
        raise WireError(f"a tuple of length {len(ty.elements)} is required")
    pairs = zip(item, ty.elements, strict=True)
    return tuple_of([_read_part(part, own, IndexStep(integer(index))) for index, (part, own) in enumerate(pairs)])


def _read_object(item: Any, ty: ObjectType) -> Value:
    if not isinstance(item, list):
        raise WireError("an object is required")
    if len(item) != len(ty.attributes):
        raise WireError(f"an object with {len(ty.attributes)} attributes is required ({len(item)} given)")
    parts: dict[str, Value] = {}
    for key, part in item:
        if not isinstance(key, str | bytes):
            raise WireError("all keys must be strings")
        name = _text(key)
        step = IndexStep(string(name))
        if name not in ty.attributes:
            raise WireError("unsupported attribute", (step,))
        parts[name] = _read_part(part, ty.attributes[name], step)
    if len(parts) != len(ty.attributes):
        raise WireError(f"an object with {len(ty.attributes)} attributes is required ({len(parts)} given)")
    return object_of(parts)


# Unknown values


def _read_unknown(item: msgpack.ExtType, ty: Type) -> Value:
    if len(item.data) <= 1:
        return unknown(ty)
    if item.code != _REFINED:
        raise WireError(f"unsupported extension type 0x{item.code & 0xFF:02x} with len {len(item.data)}")
    if len(item.data) > _MAX_REFINEMENT_BYTES:
        raise WireError("oversize unknown value refinement")
    entries = _unpack(item.data)
    if not isinstance(entries, list):
        raise _not_a_refinement("not a map")
    if ty is DYNAMIC:
        return unknown(ty)
    is_null, refinement = False, UNREFINED
    for key, content in entries:
        if not isinstance(key, int):
            raise _not_a_refinement("non-integer key in map")
        if key == _NULLNESS:
            is_null = is_null or _require_bool(content)
        refinement = refinement.narrow(_read_refinement(key, content, ty))
    _require_consistent(refinement, is_null=is_null)
    return null(ty) if is_null else unknown(ty, refinement)


def _read_refinement(key: int, content: Any, ty: Type) -> Refinement:
    """Read one entry. Keys that only a later version of the protocol has are ignored."""
    match key:
        case 1:
            return Refinement(not_null=not _require_bool(content))
        case 2:
            if ty is not STRING:
                raise _not_a_refinement("string prefix refinement for non-string type")
            if not isinstance(content, str | bytes):
                raise _not_a_refinement("string prefix refinement is not string")
            return Refinement(prefix=_read_prefix(_text(content)))
        case 3 | 4:
            if ty is not NUMBER:
                raise _not_a_refinement("numeric bound refinement for non-number type")
            bound, is_inclusive = _read_bound(content)
            if key == _LOWER:
                return Refinement(lower=bound, lower_inclusive=is_inclusive)
            return Refinement(upper=bound, upper_inclusive=is_inclusive)
        case 5 | 6:
            if not isinstance(ty, CollectionType):
                raise _not_a_refinement("length lower bound refinement for non-collection type")
            if not isinstance(content, int) or isinstance(content, bool):
                raise _not_a_refinement("length bound refinement must be integer or [integer, bool] array")
            return Refinement(min_length=max(content, 0)) if key == _MIN_LENGTH else Refinement(max_length=content)
    return UNREFINED


def _require_bool(content: Any) -> bool:
    if not isinstance(content, bool):
        raise _not_a_refinement("null refinement is not boolean")
    return content


def _read_prefix(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as failure:
        raise _not_a_refinement("string prefix refinement is not valid UTF-8") from failure
    prefix: str = string(text).payload
    return prefix


def _read_bound(content: Any) -> tuple[mpfr | None, bool]:
    """Read a bound and whether it is inclusive. An infinite bound says nothing."""
    try:
        parts = _read(content, _BOUND).payload
    except WireError:
        parts = None
    if parts.__class__ is not tuple or len(parts) != 2 or not all(map(_is_known_scalar, parts)):
        raise _not_a_refinement("length bound refinement must be [number, bool] array")
    bound, is_inclusive = parts
    return None if numbers.is_infinite(bound.payload) else bound.payload, is_inclusive.payload


def _is_known_scalar(part: Value) -> bool:
    return part.is_known and not part.is_null


def _require_consistent(refinement: Refinement, *, is_null: bool) -> None:
    lower, upper, most = refinement.lower, refinement.upper, refinement.max_length
    if is_null and refinement != UNREFINED:
        raise _not_a_refinement("a null value cannot be refined")
    if lower is not None and upper is not None and lower > upper:
        raise _not_a_refinement("the number bounds leave no number")
    if most is not None and most < refinement.min_length:
        raise _not_a_refinement("the length bounds leave no length")
    if most == refinement.min_length and most > _MAX_LENGTH_OF_UNKNOWN:
        raise _not_a_refinement("the length is too large")


def _not_a_refinement(reason: str) -> WireError:
    return WireError(f"failed to decode msgpack extension body: {reason}")
