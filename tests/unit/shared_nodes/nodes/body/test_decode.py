"""Bodies against schemas: diagnostics and values are those of the original, and work is done only once."""

from __future__ import annotations

from typing import Any

import pytest

from shared_nodes.addresses.expression_cache import ExpressionCache, PreparedExpression
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.tree import Expression
from shared_nodes.nodes.body.decode import body_references, decode_body
from shared_nodes.providers.schema import BlockType, Nesting, SchemaAttribute, SchemaBlock, implied_type
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.raw_equality import raw_equals, unrefined
from shared_nodes.values.types import DYNAMIC, NUMBER, STRING, ListType
from shared_nodes.values.value import DYNAMIC_UNKNOWN, integer, list_of, string, unknown
from tests.unit.shared_nodes.nodes.decoding import decode_file, read, scope_of
from tests.unit.shared_nodes.nodes.recorded import recorded_object, rows, schema

BODIES = schema("bodies")
JSON_BODIES = schema("json_bodies")
DECODED = schema("proposed")


def as_recorded(problem: Diagnostic) -> list[str]:
    assert problem.subject is not None
    first, last = problem.subject.display_positions
    return [f"{first.line},{first.column}-{last.line},{last.column}", problem.summary, problem.detail]


@pytest.mark.parametrize("row", rows("bodies"))
def test_diagnostics_are_those_of_the_original(row: dict[str, Any]) -> None:
    _, problems = decode_file(row["text"], BODIES)
    assert sorted(map(as_recorded, problems)) == sorted(row["diagnostics"])


@pytest.mark.parametrize("row", rows("json_bodies"))
def test_json_bodies_find_their_blocks_by_schema(row: dict[str, Any]) -> None:
    _, problems = decode_file(row["text"], JSON_BODIES, "main.tf.json")
    assert sorted(map(as_recorded, problems)) == sorted(row["diagnostics"])


@pytest.mark.parametrize("row", rows("decoded"))
def test_values_are_what_a_provider_was_given(row: dict[str, Any]) -> None:
    values, problems = decode_file(f'resource "t_a" "a" {{\n{row["text"]}\n}}\n', DECODED)
    assert problems == []
    assert raw_equals(unrefined(values["a"]), unrefined(recorded_object(DECODED, row["value"])))


ITEM = SchemaBlock({"key": SchemaAttribute(STRING, required=True), "amount": SchemaAttribute(NUMBER, optional=True)})
SMALL = SchemaBlock(
    {"id": SchemaAttribute(STRING, computed=True), "name": SchemaAttribute(STRING, required=True)},
    {
        "item": BlockType(Nesting.LIST, ITEM, min_items=1, max_items=2),
        "needed": BlockType(Nesting.SINGLE, ITEM, min_items=1),
        "loose": BlockType(Nesting.LIST, SchemaBlock({"any": SchemaAttribute(DYNAMIC, optional=True)})),
        "keyed": BlockType(Nesting.MAP, SchemaBlock({"any": SchemaAttribute(DYNAMIC, optional=True)})),
    },
)


def test_a_required_single_block_is_missed_at_the_opening_brace() -> None:
    _, problems = decode_file('resource "t_a" "a" {\n name = 1\n item {\n  key = 1\n }\n}\n', SMALL)
    assert list(map(as_recorded, problems)) == [
        ["1,20-1,21", "Missing needed block", 'A block of type "needed" is required here.']
    ]


REST = "needed {\n key = 1\n}\n"


def test_unknown_blocks_of_open_type_have_no_type_either() -> None:
    dynamic = "dynamic {!r} {{\n for_each = var.u\n {}content {{\n  any = 1\n }}\n}}\n"
    text = dynamic.format("loose", "").replace("'", '"') + dynamic.format("keyed", 'labels = ["a"]\n ').replace(
        "'", '"'
    )
    text = f'variable "u" {{}}\nresource "t_a" "a" {{\n name = 1\n item {{\n  key = 1\n }}\n{REST}{text}}}\n'
    values, problems = decode_file(text, SMALL)
    assert problems == []
    assert values["a"].payload["loose"] == DYNAMIC_UNKNOWN
    assert values["a"].payload["keyed"] == DYNAMIC_UNKNOWN


def test_the_number_of_unknown_blocks_is_not_judged() -> None:
    text = 'dynamic "item" {\n for_each = var.u\n content {\n  key = item.value\n }\n}\n'
    values, problems = decode_file(
        f'variable "u" {{}}\nresource "t_a" "a" {{\n name = 1\n{REST}{text}{text}{text}}}\n', SMALL
    )
    assert problems == []
    assert values["a"].payload["item"] == unknown(ListType(implied_type(ITEM)))


def test_what_is_wrong_with_a_reference_hides_the_rest() -> None:
    values, problems = decode_file('resource "t_a" "a" {\n name = [local.nope]\n nonsense = 1\n}\n', SMALL)
    assert [problem.summary for problem in problems] == ["Reference to undeclared local value"]
    assert values["a"] == unknown(implied_type(SMALL))


def test_marks_stay_where_they_were_written() -> None:
    text = f'resource "t_a" "a" {{\n name = sensitive("n")\n item {{\n  key = sensitive("k")\n }}\n{REST}}}\n'
    values, _ = decode_file(text, SMALL)
    assert values["a"].payload["name"] == string("n").mark(SENSITIVE)
    assert values["a"].payload["item"].payload[0].payload["key"] == string("k").mark(SENSITIVE)


def test_references_include_dynamic_blocks_but_not_their_iterators() -> None:
    text = (
        'resource "t_a" "a" {\n name = var.name\n unknown_argument = var.no\n dynamic "item" {\n'
        "  for_each = local.each\n  content {\n   key = item.value\n   amount = var.amount\n  }\n }\n}\n"
    )
    module, _ = read(text)
    body = next(iter(module.resources.values())).body
    found = [str(reference.subject) for reference in body_references(module, body, SMALL)]
    assert found == ["var.name", "local.each", "var.amount"]


def test_a_body_is_prepared_once_for_all_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    module, _ = read(f'resource "t_a" "a" {{\n count = 3\n name = count.index\n item {{\n  key = 1\n }}\n{REST}}}\n')
    block = next(iter(module.resources.values()))
    asked: list[int] = []
    prepare = ExpressionCache.prepare

    def counted(self: ExpressionCache, expression: Expression) -> PreparedExpression:
        asked.append(id(expression))
        return prepare(self, expression)

    monkeypatch.setattr(ExpressionCache, "prepare", counted)
    scope = scope_of(module, SMALL)
    names = []
    for index in range(3):
        value, problems = decode_body(scope.repeated("count", {"index": integer(index)}), block.body, SMALL)
        assert problems == []
        names.append(value.payload["name"])
    assert names == [string("0"), string("1"), string("2")]
    assert len(asked) == len(set(asked))


def test_a_list_of_known_elements_decodes_to_that_list() -> None:
    text = f'resource "t_a" "a" {{\n name = 1\n item {{\n  key = "a"\n  amount = "7"\n }}\n{REST}}}\n'
    values, _ = decode_file(text, SMALL)
    items = values["a"].payload["item"]
    assert items.type == list_of(implied_type(ITEM), ()).type
    assert items.payload[0].payload["amount"].type is NUMBER


def test_a_managed_resource_is_found_under_either_of_its_roots() -> None:
    block = SchemaBlock({"id": SchemaAttribute(STRING, computed=True), "both": SchemaAttribute(DYNAMIC, optional=True)})
    text = 'resource "t_a" "a" {\n}\nresource "t_a" "b" {\n  both = [t_a.a.id, resource.t_a.a.id]\n}\n'
    values, problems = decode_file(text, block)
    assert problems == []
    assert [part.type for part in values["b"].payload["both"].payload] == [STRING, STRING]
