"""References into a resource, checked against its schema: the words are those of the real Terraform 1.11.4."""

from __future__ import annotations

from typing import Final

import pytest

from shared_nodes.context.attribute_steps import check_attributes
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang.diagnostics import Severity
from shared_nodes.lang.parser import parse_traversal
from shared_nodes.lang.source import Source
from shared_nodes.providers.schema import BlockType, Nesting, SchemaAttribute, SchemaBlock
from shared_nodes.values.types import STRING, MapType

INNER: Final = SchemaBlock({"name": SchemaAttribute(STRING), "old": SchemaAttribute(STRING, deprecated=True)})
SCHEMA: Final = SchemaBlock(
    {
        "id": SchemaAttribute(STRING),
        "tags": SchemaAttribute(MapType(STRING)),
        "old": SchemaAttribute(STRING, deprecated=True),
    },
    {nesting.value: BlockType(nesting, INNER) for nesting in Nesting},
)


def find_problems(steps: str) -> list[tuple[str, str, str]]:
    traversal, problems = parse_traversal(Source("", f"x{steps}"))
    assert not problems
    assert traversal is not None
    checked = check_attributes(SCHEMA, traversal.steps, TERRAFORM_1_11)
    return [(str(problem.severity), problem.summary, problem.detail) for problem in checked]


@pytest.mark.parametrize(
    "steps", ["", ".id", ".tags.any", ".single", ".single.name", ".group.name", ".list", ".list[0].name", ".list[7]"]
)
def test_what_the_schema_has_may_be_referred_to(steps: str) -> None:
    assert find_problems(steps) == []


@pytest.mark.parametrize("steps", [".map.key.name", '.map["key"].name', ".set"])
def test_keys_of_maps_are_left_to_evaluation(steps: str) -> None:
    assert find_problems(steps) == []


@pytest.mark.parametrize("steps", [".old", ".single.old", ".list[0].old", '.map["a"].old'])
def test_a_deprecated_attribute_is_warned_about_wherever_a_reference_reaches_it(steps: str) -> None:
    detail = 'The attribute "old" is deprecated. Refer to the provider documentation for details.'
    assert find_problems(steps) == [(Severity.WARNING, "Deprecated attribute", detail)]


@pytest.mark.parametrize(
    ("steps", "summary", "detail"),
    [
        (
            ".idd",
            "Unsupported attribute",
            'This object has no argument, nested block, or exported attribute named "idd". Did you mean "id"?',
        ),
        (
            ".list[0].nam",
            "Unsupported attribute",
            'This object has no argument, nested block, or exported attribute named "nam". Did you mean "name"?',
        ),
        (".id.x", "Unsupported attribute", "Can't access attributes on a primitive-typed value (string)."),
        (
            '["id"]',
            "Invalid index operation",
            'Only attribute access is allowed here. Did you mean to access attribute "id" using the dot operator?',
        ),
        ('["a b"]', "Invalid index operation", "Only attribute access is allowed here, using the dot operator."),
        ("[0]", "Invalid index operation", "Only attribute access is allowed here, using the dot operator."),
        (
            ".list.name",
            "Invalid operation",
            'Block type "list" is represented by a list of objects, so it must be indexed using a numeric key, like '
            ".list[0].",
        ),
        (
            ".set[0].name",
            "Cannot index a set value",
            'Block type "set" is represented by a set of objects, and set elements do not have addressable keys. To '
            'find elements matching specific criteria, use a "for" expression with an "if" clause.',
        ),
    ],
)
def test_what_cannot_be_there_is_told_before_anything_is_evaluated(steps: str, summary: str, detail: str) -> None:
    assert find_problems(steps) == [("error", summary, detail)]


def test_a_deprecated_attribute_that_is_misused_is_told_twice() -> None:
    assert [summary for _, summary, _ in find_problems(".old.x")] == ["Deprecated attribute", "Unsupported attribute"]
