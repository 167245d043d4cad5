"""Containers with new elements: the same kind of list, set, map, tuple or object around other content.

Marks of the container are kept. `map_elements` and `with_elements` also keep its type; `rebuilt` and `transformed` let
the type of a tuple or an object follow its elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shared_nodes.values.sets import set_of
from shared_nodes.values.types import ListType, MapType, SetType
from shared_nodes.values.value import Value, list_of, map_of, object_of, tuple_of

__all__ = ["map_elements", "rebuilt", "transformed", "with_elements"]


def map_elements(container: Value, transform: Callable[[Value], Value]) -> Value:
    """A known container with every element replaced by one of the same type."""
    payload = container.payload
    return with_elements(container, [*map(transform, payload.values() if payload.__class__ is dict else payload)])


def with_elements(container: Value, elements: Sequence[Value]) -> Value:
    """A known container with its elements, in iteration order, replaced by these of the same types."""
    payload = container.payload
    if payload.__class__ is dict:
        return Value(container.type, dict(zip(payload, elements, strict=True)), container.marks)
    if isinstance(container.type, SetType):
        return set_of(container.type.element, elements).with_marks(container.marks)
    return Value(container.type, tuple(elements), container.marks)


def rebuilt(container: Value, elements: Sequence[Value]) -> Value:
    """A known container with its elements, in iteration order, replaced by these."""
    ty = container.type
    if isinstance(ty, ListType):
        value = list_of(ty.element, elements)
    elif isinstance(ty, SetType):
        value = set_of(ty.element, elements)
    elif container.payload.__class__ is tuple:
        value = tuple_of(elements)
    else:
        parts = dict(zip(container.payload, elements, strict=True))
        value = map_of(ty.element, parts) if isinstance(ty, MapType) else object_of(parts)
    return value.with_marks(container.marks)


def transformed(container: Value, transform: Callable[[Value], Value]) -> Value:
    """The container with every element transformed. A value without elements, such as a null, is returned unchanged."""
    payload = container.payload
    if payload.__class__ is tuple:
        return rebuilt(container, [transform(element) for element in payload])
    if payload.__class__ is dict:
        return rebuilt(container, [transform(element) for element in payload.values()])
    return container
