"""Engines with one rule broken: the explanation names what differs, since when, and the true cause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

import new_engine.api
from harness.compare.difference import DifferenceKind
from harness.findings.finding import Finding, leading
from new_engine.nodes.leg import LegKind
from new_engine.planning.leg_order import Edges, order_legs
from reports.run.screen import case_screen
from shared_nodes.operations.engine import EngineRequest, PlanResult
from shared_nodes.values.value import string
from tests.unit.harness.findings.patched import judge_case, write_case

STEPS: Final = "steps: [{op: apply, config: v1}, {op: apply, config: v2}]"
CHAIN: Final = """\
resource "terraform_data" "a" {
  triggers_replace = TRIGGER
}

locals {
  id = terraform_data.a.id
}

resource "terraform_data" "b" {
  triggers_replace = local.id
}

output "id" {
  value = "OUTPUT"
}
"""
ONE_SCREEN: Final = 24


def chain(directory: Path) -> Path:
    texts = {f"v{number}/main.tf": CHAIN.replace("TRIGGER", str(number)).replace("OUTPUT", "o") for number in (1, 2)}
    return write_case(directory, STEPS, texts)


def without_edges(monkeypatch: pytest.MonkeyPatch, waiting: LegKind, dependency: LegKind) -> None:
    def connected(*arguments: Any) -> Edges:
        edges = order_legs(*arguments)
        return {
            leg: {other: None for other in others if (leg.leg.kind, other.leg.kind) != (waiting, dependency)}
            for leg, others in edges.items()
        }

    monkeypatch.setattr("new_engine.planning.emit.order_legs", connected)


def patch_plan(monkeypatch: pytest.MonkeyPatch, change: Callable[[PlanResult], PlanResult]) -> None:
    plan = new_engine.api.plan

    async def changed(request: EngineRequest) -> PlanResult:
        return change(await plan(request))

    monkeypatch.setattr(new_engine.api, "plan", changed)


def judge_first(case: Path) -> tuple[Finding, str]:
    result = judge_case(case)
    (finding,) = leading(result.findings)
    screen = case_screen(result)
    assert len(screen.splitlines()) <= ONE_SCREEN
    return finding, screen


def test_missing_edge_is_found_without_an_unlucky_schedule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found by comparing what the engines guarantee. The explanation names the reference that causes the order,
    and whether the order was violated in this run."""
    without_edges(monkeypatch, LegKind.DESTROY, LegKind.DESTROY)
    finding, screen = judge_first(chain(tmp_path))
    assert (finding.field, finding.signature.kind) == ("order", str(DifferenceKind.ORDER))
    assert finding.signature.shape == "constraints[delete before delete]"
    since, planned, forced, reference, recorded, rule, seen = finding.explanation
    assert since == "legacy and new agreed on everything up to step 1 (apply v1)."
    assert planned == "Both planned the same, and then made different orders of it."
    assert forced == (
        "legacy always has terraform_data.b (delete) before terraform_data.a (delete); new may do them in any order."
    )
    assert reference == (
        "terraform_data.b depends on terraform_data.a because of the reference local.id at main.tf:10,22, then "
        "terraform_data.a at main.tf:6,8."
    )
    assert recorded == "The state before this step has recorded that terraform_data.b depends on terraform_data.a."
    assert rule == "The rule is that nothing goes before what depends on it; new has no such edge."
    assert seen.startswith("In this run new ")
    assert all(word in screen for word in ("what", "since", "why", "main.tf:10,22", "diffharness run"))


def test_edge_that_only_the_new_engine_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The explanation says that nothing justifies the edge."""

    def connected(*arguments: Any) -> Edges:
        edges = order_legs(*arguments)
        legs = [leg for leg in arguments[0] if leg.leg.kind is LegKind.APPLY]
        return {**edges, legs[1]: {**edges.get(legs[1], {}), legs[0]: None}}

    monkeypatch.setattr("new_engine.planning.emit.order_legs", connected)
    texts = {"v1/main.tf": 'resource "terraform_data" "a" {}\nresource "terraform_data" "b" {}\n'}
    finding, _ = judge_first(write_case(tmp_path, "steps: [{op: apply, config: v1}]", texts))
    assert (finding.expected, finding.got) == (
        "no order between them",
        "terraform_data.a (create) before terraform_data.b (create)",
    )
    assert finding.explanation[2:4] == (
        "new always has terraform_data.a (create) before terraform_data.b (create); legacy may do them in any order.",
        "No chain of references and no recorded dependency leads from one of terraform_data.a and terraform_data.b to "
        "the other.",
    )


def test_edge_between_halves_of_a_replacement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_edges(monkeypatch, LegKind.APPLY, LegKind.DESTROY)
    finding, _ = judge_first(chain(tmp_path))
    assert "delete before create" in finding.signature.shape
    assert "Both are halves of what happens to terraform_data.a." in finding.explanation


def test_other_value_in_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(result: PlanResult) -> PlanResult:
        assert result.plan is not None
        outputs = result.plan.changes.outputs
        outputs.update({key: replace(output, after=string("other")) for key, output in outputs.items()})
        return result

    patch_plan(monkeypatch, change)
    finding, _ = judge_first(chain(tmp_path))
    assert finding.explanation[1:] == ('plan, output id, planned value: legacy has "o", new "other".',)


def test_other_action(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One engine updates the resource and the other replaces it. The explanations of later differences refer to
    this."""
    case = write_case(
        tmp_path,
        STEPS,
        {f"v{number}/main.tf": f'resource "terraform_data" "a" {{\n  input = {number}\n}}\n' for number in (1, 2)},
    )
    original = new_engine.api.plan

    async def replacing(request: EngineRequest) -> PlanResult:
        return await original(replace(request, options=replace(request.options, replace=("terraform_data.a",))))

    monkeypatch.setattr(new_engine.api, "plan", replacing)
    result = judge_case(case)
    sentences = [sentence for finding in result.findings for sentence in finding.explanation]
    assert "For terraform_data.a legacy planned to update, new to delete, then create." in sentences
    assert any("because for terraform_data.a legacy planned to update, and new to delete" in each for each in sentences)


MISTAKE: Final = 'variable "v" {\n  default = ["x"]\n}\noutput "o" {\n  value = var.v[3]\n}\n'


def test_diagnostic_at_another_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(result: PlanResult) -> PlanResult:
        moved = (
            replace(problem, subject=problem.subject and problem.subject._replace(start=problem.subject.start + 1))
            for problem in result.diagnostics
        )
        return replace(result, diagnostics=tuple(moved))

    patch_plan(monkeypatch, change)
    finding, _ = judge_first(write_case(tmp_path, "steps: [{op: plan, config: v1}]", {"v1/main.tf": MISTAKE}))
    assert finding.explanation == (
        "legacy and new agreed on everything up to validate v1.",
        'Both report the error "Invalid index", but differ in its place: legacy main.tf:5,16, new main.tf:5,17.',
    )


def test_diagnostic_in_other_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(result: PlanResult) -> PlanResult:
        said = (replace(each, detail=each.detail.replace("element", "item")) for each in result.diagnostics)
        return replace(result, diagnostics=tuple(said))

    patch_plan(monkeypatch, change)
    finding, _ = judge_first(write_case(tmp_path, "steps: [{op: plan, config: v1}]", {"v1/main.tf": MISTAKE}))
    assert finding.is_detail
    assert 'legacy says "element in this collection' in finding.explanation[-1]
    assert 'where new says "item in this collection' in finding.explanation[-1]


def test_crash_says_who_came_to_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def crashing(_request: EngineRequest) -> PlanResult:
        raise RuntimeError("lost my way")

    monkeypatch.setattr(new_engine.api, "plan", crashing)
    finding, _ = judge_first(chain(tmp_path))
    assert "RuntimeError: lost my way" in finding.explanation[0]
    assert finding.explanation[-1] == "legacy came to an end with the same case."


def test_explanation_is_the_same_every_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_edges(monkeypatch, LegKind.DESTROY, LegKind.DESTROY)
    case = chain(tmp_path)
    assert [finding.explanation for finding in judge_case(case).findings] == [
        finding.explanation for finding in judge_case(case).findings
    ]
