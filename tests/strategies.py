"""Hypothesis strategies for types and values, shared by all law tests.

Values contain everything that the algebra has to handle: nulls, unknowns with and without refinements, marks at any
depth, numbers of different precision and sign, and text that is not in normal form before it becomes a value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from shared_nodes.values import number as numbers
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.refinement import NOT_NULL, UNREFINED, Refinement
from shared_nodes.values.sets import set_of
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
from shared_nodes.values.value import (
    Value,
    boolean,
    list_of,
    map_of,
    null,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)

__all__ = [
    "EVERYTHING",
    "KNOWN",
    "MARKS",
    "Ingredients",
    "conversion_targets",
    "names",
    "number_payloads",
    "texts",
    "types",
    "types_with_dynamic",
    "values",
    "values_of",
]

MARKS: Final = (SENSITIVE, EPHEMERAL)

texts: Final = st.one_of(
    st.sampled_from(["", "a", "b", "true", "0", "1", "-0", "2.50", "e\u0301", "\u00e9", "\n", '"', "\u2028", "<&>"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
)
names: Final = st.sampled_from(["a", "b", "c", "e\u0301", "with space", "10", "9"])

_scalars: Final = st.sampled_from([STRING, NUMBER, BOOL])


def _containers(parts: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    return st.one_of(
        st.builds(ListType, parts),
        st.builds(SetType, parts),
        st.builds(MapType, parts),
        st.builds(TupleType, st.lists(parts, max_size=3)),
        st.builds(ObjectType, st.dictionaries(names, parts, max_size=3)),
    )


types: Final = st.recursive(_scalars, _containers, max_leaves=5)
"""Types that a wholly known value can have."""

types_with_dynamic: Final = st.recursive(st.one_of(_scalars, st.just(DYNAMIC)), _containers, max_leaves=5)

_number_texts: Final = st.one_of(
    st.sampled_from(["0", "-0", "1", "-1", "10", "9", "0.5", "3.3", "1e21", "1e-18", "18446744073709551616"]),
    st.decimals(allow_nan=False, allow_infinity=False).map(str).filter(lambda text: len(text) < 40),
)


number_payloads: Final = st.one_of(
    _number_texts.map(numbers.parse),
    st.integers(-(2**70), 2**70).map(numbers.from_int),
    st.floats(allow_nan=False, allow_infinity=False).map(numbers.from_float),
)


@dataclass(frozen=True)
class Ingredients:
    """What generated values may contain besides known content."""

    nulls: bool = True
    unknowns: bool = True
    marks: bool = True


EVERYTHING: Final = Ingredients()
KNOWN: Final = Ingredients(unknowns=False, marks=False)


def values_of(ty: Type, allowed: Ingredients = EVERYTHING) -> st.SearchStrategy[Value]:
    """Values of the type. Values of dynamic type are always null or unknown."""
    choices = [] if ty is DYNAMIC else [_known_values(ty, allowed)] * 4
    if allowed.nulls or ty is DYNAMIC:
        choices.append(st.just(null(ty)))
    if allowed.unknowns:
        choices.append(_refinements(ty).map(lambda refinement: unknown(ty, refinement)))
    plain = st.one_of(choices)
    if not allowed.marks:
        return plain
    marks = st.sampled_from([(), (), (), (SENSITIVE,), (EPHEMERAL,), MARKS])
    return st.builds(lambda value, chosen: value.with_marks(frozenset(chosen)), plain, marks)


def _known_values(ty: Type, allowed: Ingredients) -> st.SearchStrategy[Value]:
    match ty:
        case ListType():
            return st.lists(values_of(ty.element, allowed), max_size=3).map(lambda parts: list_of(ty.element, parts))
        case SetType():
            return st.lists(values_of(ty.element, allowed), max_size=3).map(lambda parts: set_of(ty.element, parts))
        case MapType():
            parts = st.dictionaries(names, values_of(ty.element, allowed), max_size=3)
            return parts.map(lambda parts: map_of(ty.element, parts))
        case TupleType():
            return st.tuples(*[values_of(part, allowed) for part in ty.elements]).map(tuple_of)
        case ObjectType():
            attributes = {name: values_of(part, allowed) for name, part in ty.attributes.items()}
            return st.fixed_dictionaries(attributes).map(object_of)
    if ty is NUMBER:
        return number_payloads.map(number)
    return texts.map(string) if ty is STRING else st.booleans().map(boolean)


def _refinements(ty: Type) -> st.SearchStrategy[Refinement]:
    choices = [UNREFINED, NOT_NULL]
    if ty is STRING:
        choices.append(Refinement(not_null=True, prefix="a"))
    if ty is NUMBER:
        choices.append(Refinement(not_null=True, lower=numbers.from_int(0)))
        choices.append(Refinement(upper=numbers.from_int(10), upper_inclusive=False))
    if isinstance(ty, ListType | SetType | MapType):
        choices.append(Refinement(not_null=True, min_length=1, max_length=3))
        choices.append(Refinement(max_length=2))
    return st.sampled_from(choices)


def values(allowed: Ingredients = EVERYTHING) -> st.SearchStrategy[Value]:
    return types.flatmap(lambda ty: values_of(ty, allowed))


def conversion_targets(ty: Type) -> st.SearchStrategy[Type]:
    """Types to which values of this type are likely to convert; unrelated types rarely convert at all."""
    match ty:
        case ListType() | SetType():
            elements = conversion_targets(ty.element)
            return st.one_of(st.builds(ListType, elements), st.builds(SetType, elements))
        case MapType():
            return st.builds(MapType, conversion_targets(ty.element))
        case TupleType():
            element = conversion_targets(ty.elements[0]) if ty.elements else types
            same_length = st.tuples(*map(conversion_targets, ty.elements)).map(TupleType)
            return st.one_of(same_length, st.builds(ListType, element), st.builds(SetType, element))
        case ObjectType():
            parts = {name: conversion_targets(part) for name, part in ty.attributes.items()}
            element = next(iter(parts.values()), types)
            more = st.dictionaries(names, types, max_size=1)
            wanted = st.builds(
                lambda own, new: ObjectType({**new, **own}, new), st.fixed_dictionaries({}, optional=parts), more
            )
            return st.one_of(wanted, st.builds(MapType, element))
    return st.sampled_from([STRING, STRING, NUMBER, BOOL, DYNAMIC, ty])
