"""Hypothesis strategies for types and values, shared by all law tests.

Values come with everything the algebra has to cope with: nulls, unknowns with and without refinements, marks at any
depth, numbers of different precision and sign, and text that is not in normal form before it becomes a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

from shared_nodes.values import number as numbers
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.refinement import NOT_NULL, UNREFINED, Refinement
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
    set_of,
    string,
    tuple_of,
    unknown,
)

__all__ = ["MARKS", "names", "number_payloads", "texts", "types", "types_with_dynamic", "values", "values_of"]

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


def _parsed(text: str) -> object:
    return numbers.parse(text)


number_payloads: Final = st.one_of(
    _number_texts.map(_parsed),
    st.integers(-(2**70), 2**70).map(numbers.from_int),
    st.floats(allow_nan=False, allow_infinity=False).map(numbers.from_float),
)


def _known(ty: Type, parts: st.SearchStrategy[Value] | None, part_of: _PartOf) -> st.SearchStrategy[Value]:
    raise NotImplementedError
