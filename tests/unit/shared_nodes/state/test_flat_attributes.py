"""Attributes of states before version 4: each row is what `terraform show -json` of Terraform 1.11.4 prints."""

from __future__ import annotations

from typing import Any

import pytest

from shared_nodes.state.flat_attributes import value_from_flat
from shared_nodes.values.json import JsonError, dumps, value_to_json
from shared_nodes.values.types import DYNAMIC, NUMBER, STRING, ListType, MapType, ObjectType, SetType, TupleType

_RULES = ListType(ObjectType({"port": NUMBER, "to": SetType(ObjectType({"a": STRING}))}))
_UNKNOWN = "74D93920-ED26-11E3-AC10-0800200C9A66"


@pytest.mark.parametrize(
    ("texts", "ty", "expected"),
    [
        ({}, STRING, "null"),
        ({"x": ""}, STRING, '""'),
        ({"x": _UNKNOWN}, STRING, "null"),
        ({"x": "12"}, NUMBER, "12"),
        ({"x.0": "a"}, ListType(STRING), "null"),
        ({"x.#": _UNKNOWN}, ListType(STRING), "null"),
        ({"x.#": "0", "x.0": "a"}, ListType(STRING), "[]"),
        ({"x.#": "2", "x.0": "a"}, ListType(STRING), '["a",null]'),
        ({"x.#": "1", "x.0.port": "5"}, _RULES, '[{"port":5,"to":null}]'),
        ({"x.#": "1", "x.0.to.#": "z"}, _RULES, '[{"port":null,"to":[]}]'),
        (
            {"x.#": "1", "x.0.to.#": "1", "x.0.to.77.a": "x", "x.0.to.8.a": "y", "x.0.to.9.a": "y"},
            _RULES,
            '[{"port":null,"to":[{"a":"x"},{"a":"y"}]}]',
        ),
        ({"x.a": "1"}, MapType(STRING), "null"),
        ({"x.%": "1", "x.a": "1", "x.b.c": "2"}, MapType(STRING), '{"a":"1","b.c":"2"}'),
        ({"x.%": "1", "x.k.a": "1"}, MapType(ObjectType({"a": STRING})), '{"k":{"a":"1"}}'),
        ({"x.0": "1", "x.1": "2"}, TupleType([STRING, NUMBER]), '["1",2]'),
    ],
)
def test_texts_are_read_by_the_type(texts: dict[str, str], ty: Any, expected: str) -> None:
    value = value_from_flat({**texts, "other": "1"}, ObjectType({"x": ty}))
    assert dumps(value_to_json(value.payload["x"])) == expected


@pytest.mark.parametrize(
    ("texts", "ty", "message"),
    [
        ({"x": "a"}, NUMBER, 'invalid value for "x" in state: a number is required'),
        ({"x": "a"}, DYNAMIC, "cannot decode dynamic from flatmap"),
        ({}, DYNAMIC, "cannot decode dynamic from flatmap"),
        (
            {"x.#": "z"},
            ListType(STRING),
            'invalid count value for "x." in state: strconv.Atoi: parsing "z": invalid syntax',
        ),
    ],
)
def test_texts_that_do_not_fit(texts: dict[str, str], ty: Any, message: str) -> None:
    with pytest.raises(JsonError) as failure:
        value_from_flat(texts, ObjectType({"x": ty}))
    assert failure.value.message == message


@pytest.mark.parametrize("count", ["-1", "9999999999"])
def test_counts_that_crash_the_original_are_reported(count: str) -> None:
    with pytest.raises(JsonError):
        value_from_flat({"x.#": count}, ObjectType({"x": ListType(STRING)}))
