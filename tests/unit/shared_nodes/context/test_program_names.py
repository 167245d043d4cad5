"""`terraform` and `tofu`: the object that describes the running program, as the binaries answered one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.config.reader import read_module
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.lang.source import Source
from shared_nodes.operations.module_evaluator import EvaluationPhase, ModuleEvaluator
from shared_nodes.values.marks import EPHEMERAL
from shared_nodes.values.value import value_text
from shared_nodes.world import World


def evaluate(text: str, flavour: Flavour) -> list[str]:
    """Return the value, or the summaries of the problems."""
    module, problems = read_module([Source("main.tf", f"locals {{\n  v = {text}\n}}\n")], flavour=flavour)
    assert problems == []
    evaluator = ModuleEvaluator(module, World.real(Path()), EvaluationPhase.APPLY, flavour)
    value, problems = evaluator.scope.evaluate(module.locals["v"].expression)
    return [problem.summary for problem in problems] or [value_text(value.unmark_deep()[0])]


@pytest.mark.parametrize(
    ("text", "terraform", "opentofu"),
    [
        ("terraform.workspace", ['"default"'], ['"default"']),
        ("tofu.workspace", ["Reference to undeclared resource"], ['"default"']),
        ("tofu.workspace == terraform.workspace", ["Reference to undeclared resource"], ["true"]),
        ("resource.tofu.workspace", ["Reference to undeclared resource"], ["Reference to undeclared resource"]),
        ("tofu.env", ["Reference to undeclared resource"], ['Invalid "tofu" attribute']),
        ("terraform.env", ['Invalid "terraform" attribute'], ['Invalid "terraform" attribute']),
        ("tofu", ["Invalid reference"], ["Invalid reference", 'Invalid "tofu" attribute']),
        ('tofu["workspace"]', ["Invalid reference"], ["Invalid reference", 'Invalid "tofu" attribute']),
    ],
)
def test_names_of_the_program(text: str, terraform: list[str], opentofu: list[str]) -> None:
    assert evaluate(text, TERRAFORM_1_11) == terraform
    assert evaluate(text, OPENTOFU_1_12) == opentofu


def test_whether_something_is_being_applied_is_ephemeral() -> None:
    source = Source("main.tf", "locals {\n  v = tofu.applying\n}\n")
    module, _ = read_module([source], flavour=OPENTOFU_1_12)
    evaluator = ModuleEvaluator(module, World.real(Path()), EvaluationPhase.APPLY, OPENTOFU_1_12)
    value, problems = evaluator.scope.evaluate(module.locals["v"].expression)
    assert problems == []
    assert value.marks == {EPHEMERAL}


@pytest.mark.parametrize("root", ["terraform", "tofu"])
def test_opentofu_names_workspace_alone(root: str) -> None:
    module, _ = read_module([Source("main.tf", f"locals {{\n  v = {root}.x\n}}\n")], flavour=OPENTOFU_1_12)
    evaluator = ModuleEvaluator(module, World.real(Path()), EvaluationPhase.APPLY, OPENTOFU_1_12)
    (problem,) = evaluator.scope.evaluate(module.locals["v"].expression)[1]
    assert problem.detail == (
        f'The "{root}" object does not have an attribute named "x". The only supported attribute is {root}.workspace, '
        "the name of the currently-selected workspace."
    )
