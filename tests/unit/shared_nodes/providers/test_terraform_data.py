"""`terraform_data` plans, applies, imports and takes over objects as observed with Terraform 1.11.4."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
import trio

from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.providers.builtin import BuiltinProvider
from shared_nodes.providers.contract import ApplyRequest, MoveRequest, PlanRequest
from shared_nodes.values.json import JsonNumber, Tree
from shared_nodes.values.paths import AttributeStep
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import DYNAMIC, NUMBER, STRING, MapType, ObjectType
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    NULL_DYNAMIC,
    Value,
    integer,
    map_of,
    null,
    object_of,
    string,
    tuple_of,
    unknown,
)
from shared_nodes.world import World

TYPE = ObjectType({"id": STRING, "input": DYNAMIC, "output": DYNAMIC, "triggers_replace": DYNAMIC})
NEW_ID = unknown(STRING, NOT_NULL)
NO_STRING = null(STRING)
Answer = TypeVar("Answer")


def provider() -> BuiltinProvider:
    return BuiltinProvider(World.confined(Path(), seed=1, now=datetime(2026, 1, 2, tzinfo=UTC)))


def run_call(call: Callable[[], Awaitable[Answer]]) -> Answer:
    return trio.run(call)


def data(
    id: Value = NO_STRING, input: Value = NULL_DYNAMIC, output: Value = NULL_DYNAMIC, triggers: Value = NULL_DYNAMIC
) -> Value:
    return object_of({"id": id, "input": input, "output": output, "triggers_replace": triggers})


def plan(prior: Value, proposed: Value) -> tuple[Value | None, bool]:
    """Return the planned value, and whether the object must be replaced."""
    request = PlanRequest("terraform_data", prior, proposed, proposed)
    planned = run_call(lambda: provider().plan(request))
    assert not planned.problems
    assert tuple(planned.requires_replace) in ((), ((AttributeStep("triggers_replace"),),))
    return planned.value, bool(planned.requires_replace)


def test_what_the_provider_decides_cannot_be_set_and_is_not_blamed_on_a_place() -> None:
    config = data(id=unknown(STRING), output=integer(5))
    problems = run_call(lambda: provider().validate_resource_config("terraform_data", config))
    assert [(problem.summary, problem.detail) for problem in problems] == [
        ('"id" attribute is read-only', ""),
        ('"output" attribute is read-only', ""),
    ]
    assert all(problem.attribute is None for problem in problems)


@pytest.mark.parametrize(
    ("given", "output"),
    [
        (string("x"), unknown(STRING)),
        (unknown(STRING, NOT_NULL), unknown(STRING)),
        (DYNAMIC_UNKNOWN, DYNAMIC_UNKNOWN),
        (NULL_DYNAMIC, NULL_DYNAMIC),
        (null(STRING), null(STRING)),
        (tuple_of([integer(1)]), unknown(tuple_of([integer(1)]).type)),
    ],
)
def test_a_new_object_shows_its_input_only_once_it_exists(given: Value, output: Value) -> None:
    planned, replaces = plan(null(TYPE), data(input=given))
    assert planned == data(NEW_ID, given, output)
    assert not replaces


EXISTING = data(string("i"), string("1"), string("1"), string("t"))


@pytest.mark.parametrize(
    ("proposed", "planned", "replaces"),
    [
        pytest.param(EXISTING, EXISTING, False, id="nothing changes"),
        pytest.param(
            data(string("i"), integer(1), string("1"), string("t")),
            data(string("i"), integer(1), unknown(NUMBER), string("t")),
            False,
            id="a number instead of a string is a change",
        ),
        pytest.param(
            data(string("i"), NULL_DYNAMIC, string("1"), string("t")),
            data(string("i"), NULL_DYNAMIC, DYNAMIC_UNKNOWN, string("t")),
            False,
            id="an input that became null leaves the output unknown",
        ),
        pytest.param(
            data(string("i"), string("1"), string("1"), string("u")),
            data(NEW_ID, string("1"), unknown(STRING), string("u")),
            True,
            id="a trigger replaces",
        ),
        pytest.param(
            data(string("i"), string("1"), string("1"), unknown(STRING)),
            data(NEW_ID, string("1"), unknown(STRING), unknown(STRING)),
            True,
            id="an unknown trigger replaces",
        ),
        pytest.param(
            data(string("i"), NULL_DYNAMIC, string("1"), NULL_DYNAMIC),
            data(NEW_ID, NULL_DYNAMIC, NULL_DYNAMIC, NULL_DYNAMIC),
            True,
            id="a removed trigger replaces, and a null input gives a null output",
        ),
    ],
)
def test_changes_of_an_existing_object(proposed: Value, planned: Value, replaces: bool) -> None:
    assert plan(EXISTING, proposed) == (planned, replaces)


def test_an_object_that_differs_from_its_input_is_left_as_it_is() -> None:
    """Only a change of the input gives a new output: one that was stored differently is never corrected."""
    odd = data(string("i"), string("a"), string("b"))
    assert plan(odd, odd) == (odd, False)


def test_destroying_is_planned_and_applied_as_nothing() -> None:
    assert plan(EXISTING, null(TYPE)) == (null(TYPE), False)
    request = ApplyRequest("terraform_data", EXISTING, null(TYPE), null(TYPE))
    assert run_call(lambda: provider().apply(request)).value == null(TYPE)


def apply_new(source: BuiltinProvider, owner: str) -> Value:
    planned = data(NEW_ID, string("x"), unknown(STRING))
    request = ApplyRequest("terraform_data", null(TYPE), planned, planned, owner=owner)
    value = run_call(lambda: source.apply(request)).value
    assert value is not None
    return value


def test_apply_fills_in_output_and_id() -> None:
    made = apply_new(provider(), "terraform_data.a")
    assert made.payload["output"] == string("x")
    assert made.payload["id"].is_known


def test_ids_depend_on_the_object_and_not_on_who_came_first() -> None:
    one, other = provider(), provider()
    first = {owner: apply_new(one, owner) for owner in ("terraform_data.a", "terraform_data.b")}
    second = {owner: apply_new(other, owner) for owner in ("terraform_data.b", "terraform_data.a")}
    assert first == second
    assert first["terraform_data.a"] != first["terraform_data.b"]
    assert apply_new(one, "terraform_data.a") != first["terraform_data.a"], "a replacement has an id of its own"


def test_an_imported_object_is_its_id_and_nothing_else() -> None:
    imported = run_call(lambda: provider().import_object("terraform_data", "anything"))
    assert [found.value for found in imported.objects] == [data(id=string("anything"))]


@pytest.mark.parametrize(
    ("attributes", "outcome"),
    [
        ({"id": "i"}, data(id=string("i"))),
        ({"id": JsonNumber("5")}, data(id=string("5"))),
        ({"id": "i", "input": {"value": "x", "type": "string"}}, data(string("i"), string("x"))),
        ({"id": ["x"]}, ".id: string is required"),
        ({"id": "a", "input": "plain"}, ".input: missing expected {"),
        ({"id": "a", "input": {"value": "x"}}, ".input: missing type in dynamically-typed value"),
        ({"id": "a", "input": {"value": "x", "type": "number"}}, ".input: a number is required"),
        (
            {"id": "a", "input": {"value": [JsonNumber("1"), "x"], "type": ["list", "number"]}},
            ".input[1]: a number is required",
        ),
        ([], "missing expected {"),
    ],
)
def test_stored_attributes_are_read_or_refused_in_the_words_of_the_original(
    attributes: Tree, outcome: Value | str
) -> None:
    read = run_call(lambda: provider().upgrade("terraform_data", 0, attributes))
    if isinstance(outcome, str):
        assert [problem.summary for problem in read.problems] == [outcome]
    else:
        assert read.value == outcome


def move(source_provider: str, source_type: str, attributes: Tree) -> tuple[Value | None, list[str]]:
    request = MoveRequest(source_provider, source_type, 0, attributes, b"", "terraform_data")
    moved = run_call(lambda: provider().move(request))
    return moved.value, [problem.summary for problem in moved.problems]


@pytest.mark.parametrize(
    ("triggers", "expected"),
    [
        ({"a": "b"}, object_of({"a": string("b")})),
        (None, NULL_DYNAMIC),
    ],
)
def test_a_null_resource_is_taken_over_with_its_triggers(triggers: Tree, expected: Value) -> None:
    """They become an object, not a map: `triggers_replace = {...}` in the configuration must not replace it at once."""
    value, problems = move("registry.terraform.io/hashicorp/null", "null_resource", {"id": "7", "triggers": triggers})
    assert not problems
    assert value == data(id=string("7"), triggers=expected)
    assert expected != map_of(STRING, {"a": string("b")})
    assert MapType(STRING) != expected.type


@pytest.mark.parametrize(
    ("source_provider", "source_type", "summary"),
    [
        ("terraform.io/builtin/terraform", "null_resource", "Unsupported source provider for move operation"),
        (
            "registry.terraform.io/hashicorp/null",
            "null_data",
            "Unsupported source resource type for move operation",
        ),
    ],
)
def test_nothing_else_is_taken_over(source_provider: str, source_type: str, summary: str) -> None:
    assert move(source_provider, source_type, {"id": "7"}) == (None, [summary])


def test_a_flavour_that_takes_null_resources_of_any_provider() -> None:
    world = World.confined(Path(), seed=1, now=datetime(2026, 1, 2, tzinfo=UTC))
    request = MoveRequest("x.y/a/b", "null_resource", 0, {"id": "7", "triggers": None}, b"kept", "terraform_data")
    moved = run_call(lambda: BuiltinProvider(world, OPENTOFU_1_12).move(request))
    assert (moved.value, moved.private) == (data(id=string("7")), b"kept")
    [problem] = run_call(
        lambda: BuiltinProvider(world, OPENTOFU_1_12).move(replace(request, source_type_name="null_data"))
    ).problems
    assert problem.summary == (
        "unsupported move: null_data -> terraform_data; only move from null_resource to terraform_data is supported"
    )


def test_types_it_does_not_have_are_a_problem_and_not_a_crash() -> None:
    read = run_call(lambda: provider().upgrade("terraform_other", 0, {}))
    assert [problem.summary for problem in read.problems] == ["unsupported resource type terraform_other"]
