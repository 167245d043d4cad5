"""Problems of `moved` statements. Every message was recorded from the original."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.context.expander import Repetition
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.statements.moved import explicit_moves
from shared_nodes.nodes.statements.moved_validation import validate_moves
from tests.unit.shared_nodes.nodes.block_runner import BlockRunner

_DECLARATIONS = """resource "terraform_data" "s" {
  count = 2
}
module "a" {
  source = "./a"
  count  = 2
}
"""


def _problems(directory: Path, *moves: tuple[str, str], inside: tuple[str, str] | None = None) -> list[Diagnostic]:
    (directory / "a").mkdir()
    module = 'resource "terraform_data" "y" {}\n'
    module += "" if inside is None else f"moved {{\n  from = {inside[0]}\n  to = {inside[1]}\n}}\n"
    (directory / "a" / "main.tf").write_text(module)
    text = "".join(f"moved {{\n  from = {source}\n  to = {target}\n}}\n" for source, target in moves)
    context = BlockRunner(directory).context(_DECLARATIONS + text, Operation.PLAN)
    expander = context.expander
    expander.register_call(ROOT_INSTANCE, "a", Repetition.count(2))
    counted = AbsResource(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "terraform_data", "s"))
    expander.register_resource(counted, Repetition.count(2))
    for module_instance in expander.modules(ROOT_INSTANCE.child("a").path):
        inner = AbsResource(module_instance, Resource(ResourceMode.MANAGED, "terraform_data", "y"))
        expander.register_resource(inner, Repetition.single())
    return validate_moves(explicit_moves(context.config), context.config, expander)


@pytest.mark.parametrize(
    ("source", "target", "detail"),
    [
        (
            "terraform_data.s",
            "terraform_data.t",
            "This statement declares a move from terraform_data.s, but that resource is still declared at main.tf:1,1."
            "\n\nChange your configuration so that this resource will be declared as terraform_data.t instead.",
        ),
        (
            "terraform_data.s[1]",
            "terraform_data.s[7]",
            "This statement declares a move from terraform_data.s[1], but that resource instance is still declared at "
            "main.tf:2,11.\n\nChange your configuration so that this instance will be declared as terraform_data.s[7] "
            "instead.",
        ),
        (
            "module.a",
            "module.c",
            "This statement declares a move from module.a, but that module call is still declared at main.tf:4,1.\n\n"
            "Change your configuration so that this call will be declared as module.c instead.",
        ),
        (
            "module.a[1]",
            "module.a[3]",
            "This statement declares a move from module.a[1], but that module instance is still declared at "
            "main.tf:6,12.\n\nChange your configuration so that this instance will be declared as module.a[3] instead.",
        ),
        (
            "module.a[0].terraform_data.y",
            'terraform_data.h["b"]',
            "This statement declares a move from module.a[0].terraform_data.y, but that resource instance is still "
            "declared at a/main.tf:1,1.\n\nChange your configuration so that this instance will be declared as "
            'terraform_data.h["b"] instead.',
        ),
    ],
)
def test_the_source_must_be_gone(tmp_path: Path, source: str, target: str, detail: str) -> None:
    [problem] = _problems(tmp_path, (source, target))
    assert (problem.summary, problem.detail) == ("Moved object still exists", detail)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("terraform_data.s[9]", "terraform_data.s[0]"),
        ("terraform_data.gone", "terraform_data.s[0]"),
        ("module.a[7]", "module.a[0]"),
        ("module.b", "module.a"),
        ("module.b.terraform_data.y", "module.a[0].terraform_data.y"),
    ],
)
def test_a_sound_statement(tmp_path: Path, source: str, target: str) -> None:
    assert not _problems(tmp_path, (source, target))


def test_a_statement_in_a_module_is_checked_for_each_of_its_instances(tmp_path: Path) -> None:
    problems = _problems(tmp_path, inside=("terraform_data.y", "terraform_data.z"))
    assert [problem.detail.partition(",")[0] for problem in problems] == [
        f"This statement declares a move from module.a[{key}].terraform_data.y" for key in (0, 1)
    ]


def test_a_move_to_the_same_place(tmp_path: Path) -> None:
    [problem] = _problems(tmp_path, ("terraform_data.q", "terraform_data.q"))
    assert problem.summary == "Redundant move statement"


def test_one_source_cannot_have_two_targets(tmp_path: Path) -> None:
    [problem] = _problems(tmp_path, ("a.b", "a.c"), ("a.b", "a.d"))
    assert problem.detail == (
        "A statement at main.tf:8,1 declared that a.b moved to a.c, but this statement instead declares that it moved "
        "to a.d.\n\nEach resource can move to only one destination resource."
    )


def test_one_target_cannot_have_two_sources(tmp_path: Path) -> None:
    [problem] = _problems(tmp_path, ("a.b[0]", "a.d"), ("a.c[0]", "a.d"))
    assert problem.detail == (
        "A statement at main.tf:8,1 declared that a.b[0] moved to a.d, but this statement instead declares that a.c[0] "
        "moved there.\n\nEach resource instance can have moved from only one source instance."
    )


def test_a_cycle_is_reported_where_nothing_else_is_wrong(tmp_path: Path) -> None:
    [problem] = _problems(tmp_path, ("a.x", "a.y"), ("a.y", "a.x"))
    assert problem.summary == "Cyclic dependency in move statements"
    assert "\n  - main.tf:12,1: a.y[*] → a.x[*]\n  - main.tf:8,1: a.x[*] → a.y[*]\n\nA chain" in problem.detail


def test_a_cycle_gives_way_to_a_better_explanation(tmp_path: Path) -> None:
    problems = _problems(tmp_path, ("a.x", "a.y"), ("a.y", "a.x"), ("terraform_data.s", "terraform_data.t"))
    assert [problem.summary for problem in problems] == ["Moved object still exists"]
