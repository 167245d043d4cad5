"""Attribute and index access, with their diagnostics.

Traversals (`a.b["c"]`), index expressions and splats share these functions, so the rules and quirks are defined once.
"""

from __future__ import annotations

from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Step, TraverseAttribute
from shared_nodes.values import number as numbers
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.text import normalise, quoted
from shared_nodes.values.types import (
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
    friendly_name,
)
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, unknown

__all__ = ["follow", "get_attribute", "get_index"]

_NO_SUCH_KEY: Final = "The given key does not identify an element in this collection value"


def follow(value: Value, steps: tuple[Step, ...], flavour: Flavour) -> Value | Diagnostic:
    """Apply steps to a value, one after another. Stops at the first step that fails."""
    outcome: Value | Diagnostic = value
    for step in steps:
        if not isinstance(outcome, Value):
            return outcome
        if isinstance(step, TraverseAttribute):
            outcome = get_attribute(outcome, step.name, step.range)
        else:
            outcome = get_index(outcome, step.key, step.range, flavour)
    return outcome


def get_attribute(value: Value, name: str, subject: Range) -> Value | Diagnostic:
    """Evaluate `value.name`. Attribute names are compared in normal form, however they are spelled."""
    name = normalise(name)
    ty = value.type
    payload = value.payload
    if payload.__class__ is dict:
        element = payload.get(name)
        if element is not None:
            return element.with_marks(value.marks) if value.marks else element  # type: ignore[no-any-return]  # a dict payload holds values
    if value.is_null:
        return error(
            "Attempt to get attribute from null value",
            "This value is null, so it does not have any attributes.",
            subject,
        )
    if isinstance(ty, ObjectType):
        attribute = ty.attributes.get(name)
        if attribute is None:
            detail = f"This object does not have an attribute named {quoted(name)}."
            return error("Unsupported attribute", detail, subject)
        return unknown(attribute).with_marks(value.marks)
    if isinstance(ty, MapType):
        if not value.is_known:
            return unknown(ty.element).with_marks(value.marks)
        return error("Missing map element", f"This map does not have an element with the key {quoted(name)}.", subject)
    if ty is DYNAMIC:
        return DYNAMIC_UNKNOWN.with_marks(value.marks)
    return error("Unsupported attribute", _no_attributes(ty, name), subject)


def _no_attributes(ty: object, name: str) -> str:
    """Why a value of this type has no attributes, with a hint if a list of objects was used like an object."""
    if isinstance(ty, ListType) and isinstance(ty.element, ObjectType):
        wanted = f"attribute {quoted(name)}" if name in ty.element.attributes else "an attribute"
        return (
            f"Can't access attributes on a list of objects. Did you mean to access {wanted} for a specific element "
            "of the list, or across all elements of the list?"
        )
    if isinstance(ty, SetType) and isinstance(ty.element, ObjectType):
        return (
            "Can't access attributes on a set of objects. Did you mean to access an attribute across all elements "
            "of the set?"
        )
    if isinstance(ty, Primitive):
        return f"Can't access attributes on a primitive-typed value ({friendly_name(ty)})."
    return "This value does not have any attributes."


def get_index(collection: Value, key: Value, subject: Range, flavour: Flavour) -> Value | Diagnostic:
    """Evaluate `collection[key]`."""
    if collection.is_null:
        return error("Attempt to index null value", "This value is null, so it does not have any indices.", subject)
    if key.is_null:
        return error("Invalid index", "Can't use a null value as an indexing key.", subject)
    ty = collection.type
    if ty is DYNAMIC or key.type is DYNAMIC:
        return DYNAMIC_UNKNOWN.with_marks(collection.marks)
    if isinstance(ty, ListType | TupleType | MapType):
        return _index_collection(collection, key, subject, flavour)
    if isinstance(ty, ObjectType):
        return _index_object(collection, ty, key, subject, flavour)
    if isinstance(ty, SetType):
        return error(
            "Invalid index",
            "Elements of a set are identified only by their value and don't have any separate index or key to select "
            "with, so it's only possible to perform operations across all elements of the set.",
            subject,
        )
    return error("Invalid index", "This value does not have any indices.", subject)


def _index_collection(collection: Value, key: Value, subject: Range, flavour: Flavour) -> Value | Diagnostic:
    ty = collection.type
    is_map = isinstance(ty, MapType)
    try:
        key = convert(key, STRING if is_map else NUMBER)
    except ConversionError as failure:
        return error("Invalid index", f"{_NO_SUCH_KEY}: {failure.explain(flavour)}.", subject)
    if not key.is_known or (not collection.is_known and not isinstance(ty, TupleType)):
        result = unknown(ty.element) if isinstance(ty, CollectionType) else DYNAMIC_UNKNOWN
        return result.with_marks(collection.marks)
    marks = collection.marks | key.marks
    if is_map:
        element = collection.payload.get(key.payload)
        if element is None:
            return error("Invalid index", f"{_NO_SUCH_KEY}.", subject)
        return element.with_marks(marks)  # type: ignore[no-any-return]  # a dict payload holds values
    return _index_sequence(collection, key, subject)


def _index_sequence(collection: Value, key: Value, subject: Range) -> Value | Diagnostic:
    ty = collection.type
    length = len(ty.elements) if isinstance(ty, TupleType) else len(collection.payload)
    position = key.payload
    if numbers.is_infinite(position) or not numbers.is_whole(position):
        reason = ": indexing a sequence requires a whole number, but the given index has a fractional part"
    elif position < 0:
        reason = ": a negative number is not a valid index for a sequence"
    elif position >= length:
        reason = _explain_beyond_end(collection, length, numbers.to_int(position))
    else:
        at = int(position)
        if not collection.is_known:
            assert isinstance(ty, TupleType)
            return unknown(ty.elements[at]).with_marks(collection.marks | key.marks)
        found: Value = collection.payload[at]
        return found.with_marks(collection.marks | key.marks)
    return error("Invalid index", f"{_NO_SUCH_KEY}{reason}.", subject)


def _explain_beyond_end(collection: Value, length: int, position: int) -> str:
    """Explain why there is no such index. Quirk `index-above-length-is-terse`: only an index exactly equal to the
    length is explained."""
    if collection.marks or not collection.is_known or position != length:
        return ""
    if length == 0:
        return ": the collection has no elements"
    return ": the given index is greater than or equal to the length of the collection"


def _index_object(
    collection: Value, ty: ObjectType, key: Value, subject: Range, flavour: Flavour
) -> Value | Diagnostic:
    """Evaluate an index into an object. Quirk `object-index-drops-key-marks`: a sensitive key does not make the result
    sensitive."""
    was_number = key.type is NUMBER
    try:
        key = convert(key, STRING)
    except ConversionError as failure:
        return error("Invalid index", f"{_NO_SUCH_KEY}: {failure.explain(flavour)}.", subject)
    if not key.is_known:
        return DYNAMIC_UNKNOWN.with_marks(collection.marks)
    if not collection.is_known:
        return DYNAMIC_UNKNOWN.with_marks(collection.marks)
    name = key.payload
    if name not in ty.attributes:
        hint = " An object only supports looking up attributes by name, not by numeric index." if was_number else ""
        return error("Invalid index", f"{_NO_SUCH_KEY}.{hint}", subject)
    found: Value = collection.payload[name]
    return found.with_marks(collection.marks)
