"""Which parts of an object are marked as deprecated, and by which name.

The rules were read off OpenTofu 1.12.6; `corpus/cases/plan/values_of_deprecated_attributes` has its recording.
"""

from __future__ import annotations

from typing import Final

import pytest

from shared_nodes.providers.schema import (
    BlockType,
    NestedAttributes,
    Nesting,
    SchemaAttribute,
    SchemaBlock,
    implied_type,
)
from shared_nodes.state.deprecated_parts import mark_deprecated
from shared_nodes.values.json import Tree, value_from_json
from shared_nodes.values.marks import Deprecation
from shared_nodes.values.paths import marks_by_path, path_text
from shared_nodes.values.types import STRING
from shared_nodes.values.value import unknown

PLAIN: Final = SchemaAttribute(STRING, optional=True)
OLD: Final = SchemaAttribute(STRING, optional=True, deprecated=True)
SECRET: Final = SchemaAttribute(STRING, optional=True, sensitive=True)


def nested(nesting: Nesting, *, deprecated: bool = False, sensitive: bool = False) -> SchemaAttribute:
    inside = NestedAttributes(nesting, {"new": PLAIN, "old": OLD})
    return SchemaAttribute(None, inside, optional=True, deprecated=deprecated, sensitive=sensitive)


def block(nesting: Nesting, inside: SchemaBlock) -> SchemaBlock:
    return SchemaBlock({"new": PLAIN}, {"part": BlockType(nesting, inside)})


PARTS: Final = SchemaBlock({"new": PLAIN, "old": OLD})


@pytest.mark.parametrize(
    ("schema", "document", "marked"),
    [
        pytest.param(SchemaBlock({"new": PLAIN}), {"new": "a"}, {}, id="nothing"),
        pytest.param(PARTS, {"new": "a", "old": "b"}, {".old": ["t.a.old"]}, id="attribute"),
        pytest.param(PARTS, {"new": "a", "old": None}, {".old": ["t.a.old"]}, id="attribute that is null"),
        pytest.param(
            SchemaBlock({"at": nested(Nesting.SINGLE)}),
            {"at": {"new": "a", "old": "b"}},
            {".at.old": ["t.a.at.old"]},
            id="in an object",
        ),
        pytest.param(SchemaBlock({"at": nested(Nesting.SINGLE)}), {"at": None}, {}, id="in an object that is null"),
        pytest.param(
            SchemaBlock({"at": nested(Nesting.LIST)}),
            {"at": [{"new": "a", "old": "b"}, {"new": "a", "old": "c"}]},
            {".at[0].old": ["t.a.at[0].old"], ".at[1].old": ["t.a.at[1].old"]},
            id="in a list",
        ),
        pytest.param(
            SchemaBlock({"at": nested(Nesting.MAP)}),
            {"at": {"k": {"new": "a", "old": "b"}}},
            {'.at["k"].old': ['t.a.at["k"].old']},
            id="in a map",
        ),
        pytest.param(
            SchemaBlock({"at": nested(Nesting.SET)}),
            {"at": [{"new": "a", "old": "b"}, {"new": "a", "old": "c"}]},
            {".at": ["t.a.at[...].old"]},
            id="elements of a set have no marks of their own",
        ),
        pytest.param(
            SchemaBlock({"at": nested(Nesting.SINGLE, deprecated=True)}),
            {"at": {"new": "a", "old": "b"}},
            {".at": ["t.a.at"], ".at.old": ["t.a.at.old"]},
            id="a deprecated attribute of a block, and what is inside",
        ),
        pytest.param(
            SchemaBlock(
                {
                    "at": SchemaAttribute(
                        None, NestedAttributes(Nesting.SINGLE, {"in": nested(Nesting.SINGLE, deprecated=True)})
                    )
                }
            ),
            {"at": {"in": {"new": "a", "old": "b"}}},
            {".at.in": ["t.a.at.in"]},
            id="a deprecated attribute of an object, and nothing inside",
        ),
        pytest.param(
            SchemaBlock(
                {
                    "at": SchemaAttribute(
                        None, NestedAttributes(Nesting.SINGLE, {"in": nested(Nesting.SINGLE, sensitive=True)})
                    )
                }
            ),
            {"at": {"in": {"new": "a", "old": "b"}}},
            {},
            id="nothing inside a sensitive attribute of an object",
        ),
        pytest.param(
            block(Nesting.LIST, PARTS),
            {"new": "a", "part": [{"new": "b", "old": "c"}]},
            {".part[0].old": ["t.a.part[0].old"]},
            id="in blocks",
        ),
        pytest.param(
            block(Nesting.LIST, SchemaBlock({"new": PLAIN}, deprecated=True)),
            {"new": "a", "part": [{"new": "b"}]},
            {},
            id="a deprecated block without other marks",
        ),
        pytest.param(
            block(Nesting.LIST, SchemaBlock({"secret": SECRET}, deprecated=True)),
            {"new": "a", "part": [{"secret": "b"}]},
            {".part[0]": ["t.a.part[0]"]},
            id="a deprecated block with a secret",
        ),
        pytest.param(SchemaBlock({"new": PLAIN}, deprecated=True), {"new": "a"}, {}, id="a deprecated type"),
        pytest.param(
            SchemaBlock({"secret": SECRET}, deprecated=True), {"secret": "a"}, {"": ["t.a"]}, id="one with a secret"
        ),
    ],
)
def test_deprecated_parts_are_marked(schema: SchemaBlock, document: Tree, marked: dict[str, list[str]]) -> None:
    value = mark_deprecated(value_from_json(document, implied_type(schema)), schema, "t.a")
    found = {
        path_text(path): sorted(mark.source for mark in marks if isinstance(mark, Deprecation))
        for path, marks in marks_by_path(value)
    }
    assert found == marked


def test_a_mark_has_what_the_provider_says() -> None:
    old = SchemaAttribute(STRING, optional=True, deprecated=True, deprecation_message="Use new.")
    schema = SchemaBlock({"old": old, "secret": SECRET}, deprecated=True, deprecation_message="Use u.")
    value = mark_deprecated(value_from_json({"old": "a", "secret": "b"}, implied_type(schema)), schema, "t.a")
    marks = {mark for _, marks in marks_by_path(value) for mark in marks}
    assert {Deprecation("t.a", "Use u."), Deprecation("t.a.old", "Use new.")} <= marks


def test_an_object_that_is_not_known_has_no_marks() -> None:
    value = unknown(implied_type(PARTS))
    assert mark_deprecated(value, PARTS, "t.a") == value
