"""Whole operations on small configurations: the sequences around the graphs."""

from __future__ import annotations

import inspect
import sys
from dataclasses import replace

import pytest
import trio

from legacy_engine import api
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.source import Source
from shared_nodes.plan.change import Action
from shared_nodes.plan.options import Mode, Options
from tests.unit.legacy_engine.conftest import Workspace

_PAIR = """
resource "terraform_data" "a" { triggers_replace = var.t }
resource "terraform_data" "b" { input = terraform_data.a.id }
output "o" { value = terraform_data.b.output }
variable "t" { default = 1 }
"""


def _actions(workspace: Workspace, options: Options | None = None, **variables: str) -> dict[str, Action]:
    planned = workspace.plan(options, **variables)
    assert planned.plan is not None, planned.diagnostics
    return {str(change.address): change.action for change in planned.plan.changes.in_order()}


def _order(workspace: Workspace) -> list[str]:
    """Return the applied changes in order: `a+ b~ a-`."""
    signs = {Action.CREATE: "+", Action.UPDATE: "~", Action.DELETE: "-"}
    return [
        f"{event.address.resource.name}{signs[event.action]}"
        for event in workspace.events
        if event.type == "apply_complete" and event.action in signs
    ]


def test_create_then_nothing_then_destroy(workspace: Workspace) -> None:
    workspace.write(_PAIR)
    assert workspace.apply().ok
    assert _order(workspace) == ["a+", "b+"]
    assert set(_actions(workspace).values()) == {Action.NO_OP}
    assert workspace.apply(Options(mode=Mode.DESTROY)).ok
    assert _order(workspace) == ["b-", "a-"]
    assert workspace.state.is_empty


def test_destroy_and_create_around_an_updated_dependent(workspace: Workspace) -> None:
    workspace.write(_PAIR)
    workspace.apply()
    assert workspace.apply(t="2").ok
    assert _order(workspace) == ["a-", "a+", "b~"]


def test_create_before_destroy_spreads_to_what_is_depended_upon(workspace: Workspace) -> None:
    forced = _PAIR.replace(
        "{ input = terraform_data.a.id }",
        "{\n  input = terraform_data.a.id\n  lifecycle { create_before_destroy = true }\n}",
    )
    workspace.write(forced)
    workspace.apply()
    assert workspace.apply(t="2").ok
    assert _order(workspace) == ["a+", "b~", "a-"]
    a = workspace.state.resources[AbsResource(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "terraform_data", "a"))]
    current = a.instances[None].current
    assert current is not None
    assert current.create_before_destroy


def test_a_cycle_of_the_apply_is_found_while_planning(workspace: Workspace) -> None:
    workspace.write(
        'resource "terraform_data" "a" { triggers_replace = 1 }\n'
        'resource "terraform_data" "b" { triggers_replace = terraform_data.a.id }\n'
    )
    workspace.apply()
    workspace.write(
        'resource "terraform_data" "b" { triggers_replace = 2 }\n'
        'resource "terraform_data" "a" { triggers_replace = terraform_data.b.id }\n'
    )
    planned = workspace.plan()
    assert [problem.summary for problem in planned.diagnostics] == [
        "Cycle: terraform_data.a (destroy), terraform_data.b (destroy)"
    ]
    assert planned.plan is not None
    assert not planned.plan.errored, "what was planned is sound in itself"


def test_nothing_is_planned_where_validation_fails(workspace: Workspace) -> None:
    workspace.write('resource "terraform_data" "a" { input = terraform_data.nope.id }\n')
    planned = workspace.plan()
    assert planned.plan is None
    assert [problem.summary for problem in planned.diagnostics] == ["Reference to undeclared resource"]


def test_a_plan_that_fails_half_way_keeps_what_it_has(workspace: Workspace) -> None:
    workspace.write(
        'resource "terraform_data" "a" {}\n'
        'resource "terraform_data" "b" { count = length(terraform_data.a.id) }\n'
        'resource "terraform_data" "c" { input = terraform_data.b }\n'
    )
    planned = workspace.plan()
    assert planned.plan is not None
    assert planned.plan.errored
    assert [problem.summary for problem in planned.diagnostics] == ["Invalid count argument"]
    assert [str(change.address) for change in planned.plan.changes.in_order()] == ["terraform_data.a"]


def test_targets_take_dependencies_along_and_leave_the_rest(workspace: Workspace) -> None:
    workspace.write(_PAIR + 'resource "terraform_data" "c" {}\n')
    assert set(_actions(workspace, Options(targets=("terraform_data.b",)))) == {"terraform_data.a", "terraform_data.b"}


def test_an_exclusion_takes_dependents_along(workspace: Workspace) -> None:
    workspace.flavour = OPENTOFU_1_12
    workspace.write(_PAIR + 'resource "terraform_data" "c" {}\n')
    assert set(_actions(workspace, Options(excludes=("terraform_data.a",)))) == {"terraform_data.c"}
    assert set(_actions(workspace, Options(excludes=("terraform_data.b",)))) == {"terraform_data.a", "terraform_data.c"}


@pytest.mark.parametrize("seed", range(5))
def test_any_order_of_what_is_open_gives_the_same_result(workspace: Workspace, seed: int) -> None:
    blocks = [
        f'resource "terraform_data" "r{i}" {{ input = {f"terraform_data.r{i // 2}.output" if i else 1} }}'
        for i in range(20)
    ]
    workspace.write("\n".join(blocks))
    assert workspace.apply(Options(seed=seed, parallelism=3)).ok
    assert len(workspace.state.resources) == 20
    assert set(_actions(workspace, Options(seed=seed)).values()) == {Action.NO_OP}


def test_after_an_interrupt_nothing_new_begins_and_what_was_done_is_kept(workspace: Workspace) -> None:
    workspace.write(_PAIR)
    request = workspace.request()
    planned = trio.run(api.plan, request)

    def interrupt(_event: object) -> None:
        request.events.stopping = True

    request.events.receive = interrupt
    result = trio.run(api.apply, replace(request, plan=planned.plan))
    assert {problem.summary for problem in result.diagnostics} == {"execution halted"}
    assert len(result.state.resources) <= 1


def test_expressions_are_evaluated_with_the_state(workspace: Workspace) -> None:
    workspace.write(_PAIR + 'locals { l = "${terraform_data.b.output}!" }\n')
    workspace.apply()
    expression, _ = parse_expression(Source("console", 'endswith(local.l, "!") && var.t == 1'))
    assert expression is not None
    answers, problems = trio.run(api.evaluate, workspace.request(), [expression])
    assert not has_errors(problems)
    assert [(value.payload, found) for value, found in answers] == [(True, [])]


def test_long_chains_of_references_need_no_stack(workspace: Workspace) -> None:
    """Chains of resources and of local values, each of which reads the one before. No code may follow such a chain by
    recursion."""
    length = 300
    resources = (
        f'resource "terraform_data" "r{i}" {{ input = terraform_data.r{i - 1}.output }}\n' for i in range(1, length)
    )
    values = (f"  v{i} = local.v{i - 1} + 1\n" for i in range(1, length))
    workspace.write(
        'resource "terraform_data" "r0" { input = "start" }\n'
        + "".join(resources)
        + f"locals {{\n  v0 = 0\n{''.join(values)}}}\n"
        + f'output "last" {{ value = [local.v{length - 1}, terraform_data.r{length - 1}.output] }}\n'
    )
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 150)
    try:
        assert workspace.apply().ok
        assert set(_actions(workspace).values()) == {Action.NO_OP}
        assert workspace.apply(Options(mode=Mode.DESTROY)).ok
    finally:
        sys.setrecursionlimit(limit)
    assert workspace.state.is_empty
