"""Containers with other elements: the same kind of list, set, map, tuple or object around new content.

Unlike `Value.map_elements`, elements may change their types where the container allows it: the type of a tuple or an
object follows its elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shared_nodes.values.types import ListType, MapType, SetType
from shared_nodes.values.value import Value, list_of, map_of, object_of, set_of, tuple_of

__all__ = ["rebuilt", "transformed"]


def rebuilt(container: Value, elements: Sequence[Value]) -> Value:
    """A known container with its elements, in iteration order, exchanged for these. Marks of the container stay."""
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
    """Every element transformed. What has no elements, a null or an unknown say, stays as it is."""
    payload = container.payload
    if payload.__class__ is tuple:
        return rebuilt(container, [transform(element) for element in payload])
    if payload.__class__ is dict:
        return rebuilt(container, [transform(element) for element in payload.values()])
    return container
