"""Outputs: what is planned for them, and what is stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance, ModuleStep
from shared_nodes.context.check_results import declared_checks
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Severity
from shared_nodes.nodes.values.output import OutputRequest, delete_output, evaluate_output
from shared_nodes.plan.change import Action, OutputChange
from shared_nodes.state.model import OutputState
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import DYNAMIC, STRING
from shared_nodes.values.value import NULL_DYNAMIC, Value, object_of, string, tuple_of, unknown
from tests.unit.shared_nodes.nodes.block_runner import BlockRunner


def _context(directory: Path, output: str, value: Value, operation: Operation = Operation.PLAN) -> NodeContext:
    text = f'variable "v" {{}}\noutput "o" {{\n  value = var.v\n  {output}\n}}'
    context = BlockRunner(directory).context(text, operation)
    context.checks = declared_checks(context.config)
    context.variables[ROOT_INSTANCE, "v"] = value
    return context


def _request(context: NodeContext) -> OutputRequest:
    return OutputRequest(ROOT_INSTANCE, context.config.module.outputs["o"])


@pytest.mark.parametrize(
    ("prior", "value", "action"),
    [
        (None, string("a"), Action.CREATE),
        (None, NULL_DYNAMIC, Action.NO_OP),
        (None, unknown(STRING), Action.CREATE),
        (OutputState(string("a")), string("a"), Action.NO_OP),
        (OutputState(string("a")), string("b"), Action.UPDATE),
        (OutputState(string("a")), tuple_of([string("a")]), Action.UPDATE),
        (OutputState(string("a")), unknown(STRING), Action.UPDATE),
        (OutputState(string("a")), NULL_DYNAMIC, Action.UPDATE),
        (OutputState(string("a"), sensitive=True), string("a"), Action.UPDATE),
    ],
)
def test_the_planned_action(tmp_path: Path, prior: OutputState | None, value: Value, action: Action) -> None:
    context = _context(tmp_path, "", value)
    if prior is not None:
        context.working.outputs["o"] = prior
    assert not evaluate_output(context, _request(context))
    change = context.changes.outputs[ROOT_INSTANCE, "o"]
    assert change.action is action
    assert change.after == value
    assert change.sensitive is (prior is not None and prior.sensitive)


def test_unknown_parts_are_null_in_the_state_and_unknown_in_the_change(tmp_path: Path) -> None:
    value = object_of({"a": unknown(STRING), "b": string("b")})
    context = _context(tmp_path, "", value)
    evaluate_output(context, _request(context))
    stored = context.working.outputs["o"].value
    assert stored.payload["a"].is_null
    assert stored.payload["b"] == string("b")
    assert "o" not in context.refreshed.outputs
    assert context.changes.outputs[ROOT_INSTANCE, "o"].after == value


def test_a_null_output_leaves_the_state(tmp_path: Path) -> None:
    context = _context(tmp_path, "", NULL_DYNAMIC)
    context.working.outputs["o"] = OutputState(string("a"))
    evaluate_output(context, _request(context))
    assert "o" not in context.working.outputs


@pytest.mark.parametrize(
    ("output", "value", "summary"),
    [
        ("", string("s").mark(SENSITIVE), "Output refers to sensitive values"),
        ("", tuple_of([string("s").mark(SENSITIVE)]), "Output refers to sensitive values"),
        ("", string("s").mark(EPHEMERAL), "Ephemeral value not allowed"),
        ("ephemeral = true", string("s"), "Ephemeral output not allowed"),
    ],
)
def test_what_the_root_must_not_show(tmp_path: Path, output: str, value: Value, summary: str) -> None:
    context = _context(tmp_path, output, value)
    assert [problem.summary for problem in evaluate_output(context, _request(context))] == [summary]
    assert not context.changes.outputs


def test_a_failed_precondition_keeps_the_old_value(tmp_path: Path) -> None:
    rule = 'precondition {\n condition = var.v == "x"\n error_message = "no"\n }'
    context = _context(tmp_path, rule, string("a"))
    context.working.outputs["o"] = OutputState(string("old"))
    [problem] = evaluate_output(context, _request(context))
    assert problem.severity is Severity.ERROR
    assert context.working.outputs["o"].value == string("old")


def test_applying_takes_a_value_that_was_known_and_finds_out_others(tmp_path: Path) -> None:
    for planned, expected in ((string("planned"), "planned"), (unknown(STRING), "now")):
        context = _context(tmp_path, "", string("now"), Operation.APPLY)
        change = OutputChange(ROOT_INSTANCE, "o", Action.UPDATE, NULL_DYNAMIC, planned)
        context.changes.outputs[ROOT_INSTANCE, "o"] = change
        evaluate_output(context, _request(context))
        assert context.working.outputs["o"].value == string(expected)
        assert not context.changes.outputs


def test_outputs_of_modules_are_kept_whole_for_the_walk(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "main.tf").write_text('variable "v" {}\noutput "o" {\n  value = var.v\n  sensitive = true\n}')
    context = BlockRunner(tmp_path).context('module "m" {\n  source = "./m"\n  v = 1\n}', Operation.PLAN)
    module = ModuleInstance((ModuleStep("m"),))
    context.variables[module, "v"] = unknown(STRING)
    node = context.config.at(module.path)
    assert node is not None
    assert not evaluate_output(context, OutputRequest(module, node.module.outputs["o"]))
    assert context.working.module_outputs[module]["o"].value == unknown(STRING)
    assert not context.working.outputs


def test_an_output_that_is_gone_is_deleted_once(tmp_path: Path) -> None:
    context = _context(tmp_path, "", string("a"))
    context.working.outputs["old"] = OutputState(string("x"), sensitive=True)
    delete_output(context, "old")
    delete_output(context, "never")
    [(key, change)] = context.changes.outputs.items()
    assert key == (ROOT_INSTANCE, "old")
    assert (change.action, change.before, change.sensitive) == (Action.DELETE, string("x"), True)
    assert change.after.type is DYNAMIC
    assert not context.working.outputs
