"""Defaults of optional attributes: where they are filled in, and what they leave unchanged."""

from __future__ import annotations

from shared_nodes.values.defaults import Defaults, apply_defaults
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import DYNAMIC, NUMBER, STRING, ListType, MapType, ObjectType, TupleType
from shared_nodes.values.value import (
    EMPTY_OBJECT,
    NULL_DYNAMIC,
    integer,
    list_of,
    map_of,
    null,
    object_of,
    string,
    tuple_of,
    unknown,
)

A, X, ONE = string("a"), string("x"), integer(1)
OBJECT = ObjectType({"a": STRING}, ["a"])
DEFAULTS = Defaults(OBJECT, {"a": X})
FILLED = object_of({"a": X})


def test_absent_and_null_attributes_get_the_default() -> None:
    assert apply_defaults(EMPTY_OBJECT, DEFAULTS) == FILLED
    assert apply_defaults(object_of({"a": NULL_DYNAMIC}), DEFAULTS) == FILLED
    assert apply_defaults(object_of({"a": null(STRING).mark(SENSITIVE)}), DEFAULTS) == FILLED
    assert apply_defaults(object_of({"a": ONE, "b": A}), DEFAULTS) == object_of({"a": ONE, "b": A})


def test_null_and_unknown_values_stay() -> None:
    assert apply_defaults(null(OBJECT), DEFAULTS) == null(OBJECT)
    assert apply_defaults(unknown(OBJECT), DEFAULTS) == unknown(OBJECT)


def test_an_unknown_attribute_with_a_default_cannot_be_null() -> None:
    given = object_of({"a": unknown(STRING)})
    assert apply_defaults(given, DEFAULTS) == object_of({"a": unknown(STRING, NOT_NULL)})


def test_the_elements_of_collections_and_tuples() -> None:
    elements = Defaults(ListType(OBJECT), children={"": DEFAULTS})
    assert apply_defaults(tuple_of([EMPTY_OBJECT, FILLED]), elements) == tuple_of([FILLED, FILLED])
    assert apply_defaults(list_of(EMPTY_OBJECT.type, [EMPTY_OBJECT]), elements) == list_of(FILLED.type, [FILLED])
    assert apply_defaults(set_of(EMPTY_OBJECT.type, [EMPTY_OBJECT]), elements) == set_of(FILLED.type, [FILLED])
    assert apply_defaults(list_of(EMPTY_OBJECT.type, []), elements) == list_of(EMPTY_OBJECT.type, [])
    positions = Defaults(TupleType([NUMBER, OBJECT]), children={"1": DEFAULTS})
    assert apply_defaults(tuple_of([ONE, EMPTY_OBJECT]), positions) == tuple_of([ONE, FILLED])


def test_the_elements_of_maps_given_as_map_or_object() -> None:
    elements = Defaults(MapType(OBJECT), children={"": DEFAULTS})
    assert apply_defaults(object_of({"k": EMPTY_OBJECT}), elements) == object_of({"k": FILLED})
    given = map_of(EMPTY_OBJECT.type, {"k": EMPTY_OBJECT})
    assert apply_defaults(given, elements) == map_of(FILLED.type, {"k": FILLED})


def test_a_map_given_for_an_object_gets_the_default_as_a_key() -> None:
    assert apply_defaults(map_of(STRING, {"b": A}), DEFAULTS) == map_of(STRING, {"a": X, "b": A})
    assert apply_defaults(map_of(DYNAMIC, {}), DEFAULTS) == map_of(STRING, {"a": X})


def test_a_default_is_completed_by_the_defaults_below_it() -> None:
    outer = Defaults(ObjectType({"o": OBJECT}, ["o"]), {"o": EMPTY_OBJECT}, {"o": DEFAULTS})
    assert apply_defaults(EMPTY_OBJECT, outer) == object_of({"o": FILLED})
    without = Defaults(ObjectType({"o": OBJECT}, ["o"]), {}, {"o": DEFAULTS})
    assert apply_defaults(EMPTY_OBJECT, without) == EMPTY_OBJECT


def test_marks_stay() -> None:
    assert apply_defaults(EMPTY_OBJECT.mark(SENSITIVE), DEFAULTS) == FILLED.mark(SENSITIVE)


def test_what_does_not_look_like_the_type_is_left_to_the_conversion() -> None:
    assert apply_defaults(A, DEFAULTS) == A
    assert apply_defaults(tuple_of([EMPTY_OBJECT]), DEFAULTS) == tuple_of([EMPTY_OBJECT])
