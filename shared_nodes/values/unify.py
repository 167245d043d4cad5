"""Unification: one type that values of several types can all be converted to.

This is what gives `c ? a : b`, `tolist([...])` and `coalesce(...)` their types. Where all types are of one kind the
answer may be a new type, built part by part; otherwise it is the most general of the given ones, and only if all
others convert to it. With `unsafe`, conversions that may fail for some values count as well.

Dynamic among types of one kind gives dynamic: what the parts have in common cannot be told before that type is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from shared_nodes.values import convert as conversion
from shared_nodes.values.types import (
    DYNAMIC,
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

__all__ = ["unify"]


def unify(types: Sequence[Type], *, unsafe: bool) -> Type | None:
    """The common type, or None. Convert each value to it with `convert`, which keeps values that meet dynamic."""
    kinds = set(map(type, types))
    if len(kinds) == 1 and len(set(types)) == 1:
        return types[0]
    has_dynamic = DYNAMIC in types
    if has_dynamic and len(kinds) > 1 and Primitive in kinds and all(ty is DYNAMIC for ty in _primitives(types)):
        kinds.discard(Primitive)
    if not types:
        return None
    if len(kinds) == 1 and Primitive not in kinds:
        return DYNAMIC if has_dynamic else _unify_one_kind(types, unsafe)
    if kinds == {MapType, ObjectType} and (found := _unify_mixed(types, ObjectType, _objects_to_map, unsafe)):
        return found
    if kinds == {ListType, TupleType} and (found := _unify_mixed(types, TupleType, _tuples_to_list, unsafe)):
        return found
    if ObjectType in kinds and TupleType in kinds:
        return None
    return _most_general(types, unsafe)
