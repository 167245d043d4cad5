"""`count` and `for_each`: recorded diagnostics for usable and unusable values, and the resulting instances."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.context.operation import Operation
from shared_nodes.context.repetition import check_repetition
from tests.unit.shared_nodes.nodes.block_runner import ADDRESS, BlockRunner, Walk

COUNT, EACH, EACH_SET = "Invalid count argument", "Invalid for_each argument", "Invalid for_each set argument"
UNSUITABLE_COUNT = 'The given "count" argument value is unsuitable: '
UNSUITABLE = 'The given "for_each" argument value is unsuitable: '
WHOLE = f"{UNSUITABLE_COUNT}value must be a whole number, between -9223372036854775808 and 9223372036854775807."
WRONG_KIND = (
    f'{UNSUITABLE}the "for_each" argument must be a map, or set of strings, and you have provided a value of type '
)
WRONG_SET = f'{UNSUITABLE}"for_each" supports maps and sets of strings, but you have provided a set containing type '
NULL_COUNT = 'The given "count" argument value is null. An integer is required.'
NULL_EACH = f'{UNSUITABLE}the given "for_each" argument value is null. A map, or set of strings is allowed.'
SENSITIVE = (
    "Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the "
    "sensitive value could be exposed as a resource instance key."
)

WRONG_COUNTS = [
    ("1.5", COUNT, WHOLE),
    ('"-1.5"', COUNT, WHOLE),
    ("99999999999999999999999", COUNT, WHOLE),
    ('"a"', "Incorrect value type", "Invalid expression value: a number is required."),
    ("[]", "Incorrect value type", "Invalid expression value: number required."),
    ("true", "Incorrect value type", "Invalid expression value: number required."),
    ("sensitive(-1)", COUNT, f"{UNSUITABLE_COUNT}must be greater than or equal to zero."),
    ("tonumber(null)", COUNT, NULL_COUNT),
    ("null", COUNT, NULL_COUNT),
]
WRONG_EACHES = [
    ('["a"]', EACH, f"{WRONG_KIND}tuple."),
    ("[]", EACH, f"{WRONG_KIND}tuple."),
    ('"a"', EACH, f"{WRONG_KIND}string."),
    ("5", EACH, f"{WRONG_KIND}number."),
    ('tolist(["a"])', EACH, f"{WRONG_KIND}list of string."),
    ("tolist([])", EACH, f"{WRONG_KIND}list of dynamic."),
    ("null", EACH, NULL_EACH),
    ("tomap(null)", EACH, NULL_EACH),
    ("toset([1])", EACH_SET, f"{WRONG_SET}number."),
    ("toset([true])", EACH_SET, f"{WRONG_SET}bool."),
    ('toset([["a"]])', EACH_SET, f"{WRONG_SET}tuple."),
    ("toset([null])", EACH_SET, f"{WRONG_SET}dynamic."),
    ('toset(["a", null])', EACH_SET, f'{UNSUITABLE}"for_each" sets must not contain null values.'),
    ("sensitive({ a = 1 })", EACH, SENSITIVE),
    ('sensitive(["a"])', EACH, SENSITIVE),
    ("sensitive(null)", EACH, SENSITIVE),
    ('sensitive(toset(["a", null]))', EACH, SENSITIVE),
]


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    return BlockRunner(tmp_path)


def make_configuration(argument: str, expression: str) -> str:
    return f'resource "terraform_data" "a" {{\n  {argument} = {expression}\n}}\nresource "terraform_data" "x" {{}}\n'


def find_problems(runner: BlockRunner, text: str) -> list[tuple[str, str]]:
    walk = Walk(runner.context(text, Operation.VALIDATE))
    assert walk.block is not None
    problems = check_repetition(walk.context.scope(ADDRESS.module), walk.block)
    return [(problem.summary, problem.detail) for problem in problems]


ALL_WRONG = [("count", *row) for row in WRONG_COUNTS] + [("for_each", *row) for row in WRONG_EACHES]


class TestUnusable:
    @pytest.mark.parametrize(("argument", "expression", "summary", "detail"), ALL_WRONG)
    def test_is_said_while_validating_and_while_planning(
        self, runner: BlockRunner, argument: str, expression: str, summary: str, detail: str
    ) -> None:
        text = make_configuration(argument, expression)
        assert find_problems(runner, text) == [(summary, detail)]
        plan = runner.plan(text)
        assert [(problem.summary, problem.detail) for problem in plan.problems] == [(summary, detail)]
        assert plan.context.expander.known_resource(ADDRESS) is None

    @pytest.mark.parametrize(
        ("argument", "expression", "start"),
        [
            ("count", "length(terraform_data.x.id)", 'The "count" value depends on resource attributes'),
            ("for_each", "toset([terraform_data.x.id])", 'The "for_each" set includes values derived from'),
            ("for_each", "toset([[terraform_data.x.id]])", 'The "for_each" set includes values derived from'),
            ("for_each", "{ (terraform_data.x.id) = 1 }", 'The "for_each" map includes keys derived from'),
        ],
    )
    def test_unknown_only_matters_while_planning(
        self, runner: BlockRunner, argument: str, expression: str, start: str
    ) -> None:
        text = make_configuration(argument, expression)
        assert find_problems(runner, text) == []
        (problem,) = runner.plan(text).problems
        assert problem.detail.startswith(start)

    def test_count_beyond_any_memory(self, runner: BlockRunner) -> None:
        text = make_configuration("count", "99999999999")
        assert find_problems(runner, text) == []
        assert runner.plan(text).summaries == [COUNT]

    @pytest.mark.parametrize(
        ("argument", "expression"),
        [
            ("count", "length(terraform_data.a)"),
            ("count", "try(length(terraform_data.a[0].id), 1)"),
            ("for_each", "{ for k, v in terraform_data.a : k => v }"),
        ],
    )
    def test_self_reference_only_matters_while_planning(
        self, runner: BlockRunner, argument: str, expression: str
    ) -> None:
        text = make_configuration(argument, expression)
        assert find_problems(runner, text) == []
        (problem,) = runner.plan(text).problems
        assert (problem.summary, problem.detail) == (
            "Self-referential block",
            "Configuration for terraform_data.a may not refer to itself.",
        )


class TestInstances:
    @pytest.mark.parametrize(
        ("argument", "expression", "keys"),
        [
            ("count", "3", [0, 1, 2]),
            ("count", '"2"', [0, 1]),
            ("count", "sensitive(2)", [0, 1]),
            ("for_each", '{ b = 1, a = "x" }', ["a", "b"]),
            ("for_each", 'toset(["b", "a"])', ["a", "b"]),
            ("for_each", "toset([])", []),
            ("for_each", "{ a = sensitive(1) }", ["a"]),
            ("for_each", "{ a = terraform_data.x.id }", ["a"]),
        ],
    )
    def test_keys(self, runner: BlockRunner, argument: str, expression: str, keys: list[object]) -> None:
        repetition = runner.plan(make_configuration(argument, expression)).context.expander.known_resource(ADDRESS)
        assert repetition is not None
        assert list(repetition.keys) == keys

    def test_resource_without_instances_is_recorded(self, runner: BlockRunner) -> None:
        plan = runner.plan(make_configuration("count", "0"))
        assert plan.context.working.resources[ADDRESS].instances == {}
