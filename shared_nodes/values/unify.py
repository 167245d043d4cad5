"""Unification: one type that values of several types can all be converted to.

This is what gives `c ? a : b`, `tolist([...])` and `coalesce(...)` their types. Where all types are of one kind the
answer may be a new type, built part by part; otherwise it is the most general of the given ones, and only if all
others convert to it. With `unsafe`, conversions that may fail for some values count as well.

Dynamic among types of one kind gives dynamic: what the parts have in common cannot be told before that type is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

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
    if len(set(types)) <= 1:
        return types[0] if types else None
    kinds = {type(ty) for ty in types if ty is not DYNAMIC}
    if len(kinds) == 1 and Primitive not in kinds:
        return DYNAMIC if DYNAMIC in types else _unify_one_kind(types, unsafe)
    if kinds == {MapType, ObjectType}:
        found = _unify_as_collections(types, ObjectType, _objects_to_map, unsafe)
    elif kinds == {ListType, TupleType}:
        found = _unify_as_collections(types, TupleType, _tuples_to_list, unsafe)
    elif ObjectType in kinds and TupleType in kinds:
        return None
    else:
        found = None
    return found or _most_general(types, unsafe)


def _all_convert(types: Iterable[Type], want: Type, unsafe: bool) -> bool:
    return all(conversion.conversion_exists(ty, want, unsafe=unsafe) for ty in set(types))


def _unify_one_kind(types: Sequence[Type], unsafe: bool) -> Type | None:
    first = types[0]
    if isinstance(first, ObjectType):
        return _unify_objects([ty for ty in types if isinstance(ty, ObjectType)], unsafe)
    if isinstance(first, TupleType):
        return _unify_tuples([ty for ty in types if isinstance(ty, TupleType)], unsafe)
    assert isinstance(first, CollectionType)
    element = unify([ty.element for ty in types if isinstance(ty, CollectionType)], unsafe=unsafe)
    if element is None:
        return None
    result = type(first)(element)
    return result if _all_convert(types, result, unsafe) else None


def _unify_objects(types: Sequence[ObjectType], unsafe: bool) -> Type | None:
    """Attribute by attribute where the names agree, else a map. One attribute without a common type is the end of
    it: a map would have to hold that attribute too."""
    names = types[0].attributes.keys()
    if any(ty.attributes.keys() != names for ty in types):
        return _objects_to_map(types, unsafe)
    attributes: dict[str, Type] = {}
    for name in names:
        attribute = unify([ty.attributes[name] for ty in types], unsafe=unsafe)
        if attribute is None:
            return None
        attributes[name] = attribute
    result = ObjectType(attributes)
    return result if _all_convert(types, result, unsafe) else _objects_to_map(types, unsafe)


def _unify_tuples(types: Sequence[TupleType], unsafe: bool) -> Type | None:
    """Element by element where the lengths agree, else a list."""
    if len({len(ty.elements) for ty in types}) > 1:
        return _tuples_to_list(types, unsafe)
    elements: list[Type] = []
    for across in zip(*[ty.elements for ty in types], strict=True):
        element = unify(across, unsafe=unsafe)
        if element is None:
            return None
        elements.append(element)
    result = TupleType(elements)
    return result if _all_convert(types, result, unsafe) else _tuples_to_list(types, unsafe)


def _objects_to_map(types: Sequence[Type], unsafe: bool) -> Type | None:
    attributes = [a for ty in types if isinstance(ty, ObjectType) for a in ty.attributes.values()]
    element = unify(attributes, unsafe=unsafe)
    return None if element is None else _if_all_convert(types, MapType(element), unsafe)


def _tuples_to_list(types: Sequence[Type], unsafe: bool) -> Type | None:
    elements = [e for ty in types if isinstance(ty, TupleType) for e in ty.elements]
    element = unify(elements, unsafe=unsafe)
    return None if element is None else _if_all_convert(types, ListType(element), unsafe)


def _if_all_convert(types: Sequence[Type], want: Type, unsafe: bool) -> Type | None:
    return want if _all_convert(types, want, unsafe) else None


def _unify_as_collections(
    types: Sequence[Type],
    structural: type[Type],
    to_collection: Callable[[Sequence[Type], bool], Type | None],
    unsafe: bool,
) -> Type | None:
    """Objects among maps and tuples among lists are usually meant as such, so they are first taken for one."""
    collection = to_collection([ty for ty in types if isinstance(ty, structural)], unsafe)
    if collection is None:
        return None
    result = unify([collection if isinstance(ty, structural) else ty for ty in types], unsafe=unsafe)
    return result if type(result) is type(collection) else None


def _most_general(types: Sequence[Type], unsafe: bool) -> Type | None:
    for candidate in _by_preference(types):
        if _all_convert(types, candidate, unsafe):
            return candidate
    return None


def _by_preference(types: Sequence[Type]) -> list[Type]:
    """The distinct types, more general ones first: a topological order of the pairwise preferences.

    Types without a preference between them keep the order in which they become free, which depends on how often the
    more general ones occur. So each occurrence counts, although only distinct types are compared.
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
    for ty in queue:  # grows while it is walked
        freed: list[int] = []
        for loser in less_general[ty]:
            blockers[loser] -= 1
            if not blockers[loser]:
                freed += positions[loser]
        queue += [types[position] for position in sorted(freed)]
    return list(dict.fromkeys(queue))


def _preference(first: Type, second: Type) -> int:
    """Negative when the first type is the more general one, positive when the second is, zero when neither."""
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
"""(kind, kind it is preferred to). That tuples are preferred to sets does not make them win: nothing converts to a
tuple but a tuple."""


def _joint_preference(pairs: Iterable[tuple[Type, Type]]) -> int:
    """One type is more general only if it is so in some part and the other in none."""
    preferences = {_preference(first, second) for first, second in pairs} - {0}
    return preferences.pop() if len(preferences) == 1 else 0
