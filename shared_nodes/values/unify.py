"""Unification: one type that values of several types can all be converted to.

This gives `c ? a : b`, `tolist([...])` and `coalesce(...)` their types. If all types are of one kind, the result may be
a new type, built part by part; otherwise it is the most general of the given types, provided that all others convert to
it. A dynamic type among types of one kind makes the result dynamic: until it is known, so is what the types have in
common.

Which conversions exist depends on unification in turn (a tuple converts to a list if its element types unify). That
relation is therefore a parameter here; `convert.unify` supplies it, and is the function to call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

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

__all__ = ["Converts", "unify_types"]

Converts = Callable[[Type, Type], bool]
"""`converts(got, want)`: whether values of one type can be converted to the other. True for equal types."""


def unify_types(types: Sequence[Type], converts: Converts) -> Type | None:
    """The common type, or None. Converting a value to a dynamic common type leaves it unchanged."""
    if len(set(types)) <= 1:
        return types[0] if types else None
    kinds = {type(ty) for ty in types if ty is not DYNAMIC}
    if len(kinds) == 1 and Primitive not in kinds:
        return DYNAMIC if DYNAMIC in types else _unify_one_kind(types, converts)
    if kinds == {MapType, ObjectType}:
        found = _unify_as_collections(types, ObjectType, _objects_to_map, converts)
    elif kinds == {ListType, TupleType}:
        found = _unify_as_collections(types, TupleType, _tuples_to_list, converts)
    elif ObjectType in kinds and TupleType in kinds:
        return None
    else:
        found = None
    return found or _most_general(types, converts)


def _all_convert(types: Iterable[Type], want: Type, converts: Converts) -> bool:
    return all(converts(ty, want) for ty in set(types))


def _unify_one_kind(types: Sequence[Type], converts: Converts) -> Type | None:
    first = types[0]
    if isinstance(first, ObjectType):
        return _unify_objects([ty for ty in types if isinstance(ty, ObjectType)], converts)
    if isinstance(first, TupleType):
        return _unify_tuples([ty for ty in types if isinstance(ty, TupleType)], converts)
    assert isinstance(first, CollectionType)
    element = unify_types([ty.element for ty in types if isinstance(ty, CollectionType)], converts)
    if element is None:
        return None
    result = type(first)(element)
    return result if _all_convert(types, result, converts) else None


def _unify_objects(types: Sequence[ObjectType], converts: Converts) -> Type | None:
    """An object, unified attribute by attribute, if the names agree; otherwise a map.

    If one attribute has no common type there is no result: a map would have to hold that attribute too.
    """
    names = types[0].attributes.keys()
    if any(ty.attributes.keys() != names for ty in types):
        return _objects_to_map(types, converts)
    attributes: dict[str, Type] = {}
    for name in names:
        attribute = unify_types([ty.attributes[name] for ty in types], converts)
        if attribute is None:
            return None
        attributes[name] = attribute
    result = ObjectType(attributes)
    return result if _all_convert(types, result, converts) else _objects_to_map(types, converts)


def _unify_tuples(types: Sequence[TupleType], converts: Converts) -> Type | None:
    """A tuple, unified element by element, if the lengths agree; otherwise a list."""
    if len({len(ty.elements) for ty in types}) > 1:
        return _tuples_to_list(types, converts)
    elements: list[Type] = []
    for across in zip(*[ty.elements for ty in types], strict=True):
        element = unify_types(across, converts)
        if element is None:
            return None
        elements.append(element)
    result = TupleType(elements)
    return result if _all_convert(types, result, converts) else _tuples_to_list(types, converts)


def _objects_to_map(types: Sequence[Type], converts: Converts) -> Type | None:
    attributes = [a for ty in types if isinstance(ty, ObjectType) for a in ty.attributes.values()]
    element = unify_types(attributes, converts)
    return None if element is None else _if_all_convert(types, MapType(element), converts)


def _tuples_to_list(types: Sequence[Type], converts: Converts) -> Type | None:
    elements = [e for ty in types if isinstance(ty, TupleType) for e in ty.elements]
    element = unify_types(elements, converts)
    return None if element is None else _if_all_convert(types, ListType(element), converts)


def _if_all_convert(types: Sequence[Type], want: Type, converts: Converts) -> Type | None:
    return want if _all_convert(types, want, converts) else None


def _unify_as_collections(
    types: Sequence[Type],
    structural: type[Type],
    to_collection: Callable[[Sequence[Type], Converts], Type | None],
    converts: Converts,
) -> Type | None:
    """Unify objects with maps, or tuples with lists, by first treating the structural types as one collection type."""
    collection = to_collection([ty for ty in types if isinstance(ty, structural)], converts)
    if collection is None:
        return None
    result = unify_types([collection if isinstance(ty, structural) else ty for ty in types], converts)
    return result if type(result) is type(collection) else None


def _most_general(types: Sequence[Type], converts: Converts) -> Type | None:
    for candidate in _sort_by_preference(types):
        if _all_convert(types, candidate, converts):
            return candidate
    return None


def _sort_by_preference(types: Sequence[Type]) -> list[Type]:
    """The distinct types in topological order of the pairwise preferences, more general ones first.

    Types without a preference between them keep the order in which they become unblocked, which depends on how often
    the more general ones occur. Hence every occurrence counts, although only distinct types are compared.
    """
    positions: dict[Type, list[int]] = {}
    for position, ty in enumerate(types):
        positions.setdefault(ty, []).append(position)
    distinct = list(positions)
    less_general: dict[Type, list[Type]] = {ty: [] for ty in distinct}
    blockers = dict.fromkeys(distinct, 0)
    for number, first in enumerate(distinct):
        for second in distinct[number + 1 :]:
            preference = _preference(first, second)
            if preference:
                winner, loser = (first, second) if preference < 0 else (second, first)
                less_general[winner].append(loser)
                blockers[loser] += len(positions[winner])
    queue = [ty for ty in types if not blockers[ty]]
    for ty in queue:  # grows during iteration
        freed: list[int] = []
        for loser in less_general[ty]:
            blockers[loser] -= 1
            if not blockers[loser]:
                freed += positions[loser]
        queue += [types[position] for position in sorted(freed)]
    return list(dict.fromkeys(queue))


def _preference(first: Type, second: Type) -> int:
    """Negative if the first type is more general, positive if the second is, zero if neither is."""
    if DYNAMIC in (first, second):
        return (first is DYNAMIC) - (second is DYNAMIC)
    if isinstance(first, Primitive) and isinstance(second, Primitive):
        return (second is STRING) - (first is STRING)
    if isinstance(first, CollectionType) and isinstance(second, CollectionType) and type(first) is type(second):
        return _preference(first.element, second.element)
    if (type(first), type(second)) in _PREFERRED_KINDS:
        return -1
    if (type(second), type(first)) in _PREFERRED_KINDS:
        return 1
    if isinstance(first, ObjectType) and isinstance(second, ObjectType):
        if first.attributes.keys() != second.attributes.keys():
            return 0
        return _joint_preference(zip(first.attributes.values(), second.attributes.values(), strict=True))
    if isinstance(first, TupleType) and isinstance(second, TupleType) and len(first.elements) == len(second.elements):
        return _joint_preference(zip(first.elements, second.elements, strict=True))
    return 0


_PREFERRED_KINDS: Final = {(ListType, SetType), (ListType, TupleType), (TupleType, SetType), (MapType, ObjectType)}
"""(kind, kind it is preferred to). Preferring tuples to sets never makes a tuple the result: only tuples convert to
tuples."""


def _joint_preference(pairs: Iterable[tuple[Type, Type]]) -> int:
    """The preference between two types, given the pairs of their parts. A type is more general if it is so in at least
    one part and the other type in none."""
    preferences = {_preference(first, second) for first, second in pairs} - {0}
    return preferences.pop() if len(preferences) == 1 else 0
