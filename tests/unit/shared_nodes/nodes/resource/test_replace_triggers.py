"""`replace_triggered_by`: which planned changes of other resources fire, and which references are errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.context.expander import Repetition
from shared_nodes.context.operation import Operation
from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.nodes.resource.instance import DeclaredInstance
from shared_nodes.nodes.resource.replace_triggers import replacement_triggered, validate_triggers
from shared_nodes.plan.change import Action, ResourceChange
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, object_of, string, unknown
from tests.unit.shared_nodes.nodes.block_runner import ADDRESS, PROVIDER, BlockRunner, Walk

OTHER = AbsResource(ADDRESS.module, Resource(ResourceMode.MANAGED, "terraform_data", "b"))


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    return BlockRunner(tmp_path)


def triggered(
    runner: BlockRunner, expression: str, *changes: tuple[InstanceKey, Action, Value, Value], count: bool = False
) -> tuple[bool, list[str]]:
    text = (
        f'resource "terraform_data" "a" {{\n  {"count = 2" if count else ""}\n  lifecycle {{\n'
        f"    replace_triggered_by = [{expression}]\n  }}\n}}\n"
        f'resource "terraform_data" "b" {{\n  {"count = 2" if count else ""}\n}}\n'
    )
    walk = Walk(runner.context(text, Operation.PLAN))
    for key, action, before, after in changes:
        address = OTHER.instance(key)
        walk.context.changes.record(ResourceChange(address, address, PROVIDER, action, before, after))
    assert walk.block is not None
    repetition = Repetition.count(2) if count else Repetition.single()
    address = ADDRESS.instance(1 if count else None)
    instance = DeclaredInstance(address, walk.context.config, walk.block, PROVIDER, repetition)
    fired, problems = replacement_triggered(walk.context, instance)
    return fired, [f"{problem.summary}|{problem.detail}" for problem in problems]


X, Y = (object_of({"input": string(text), "output": string("same")}) for text in "xy")
UNKNOWN = object_of({"input": unknown(STRING), "output": string("same")})


@pytest.mark.parametrize(
    ("expression", "action", "after", "fires"),
    [
        ("terraform_data.b", Action.UPDATE, Y, True),
        ("terraform_data.b", Action.DELETE_THEN_CREATE, Y, True),
        ("terraform_data.b", Action.CREATE_THEN_DELETE, Y, True),
        ("terraform_data.b", Action.CREATE, Y, False),
        ("terraform_data.b", Action.NO_OP, X, False),
        ("terraform_data.b.input", Action.UPDATE, Y, True),
        ("terraform_data.b.input", Action.UPDATE, UNKNOWN, True),
        ("terraform_data.b.output", Action.UPDATE, Y, False),
        ("terraform_data.b.nothing", Action.UPDATE, Y, False),
    ],
)
def test_what_fires(runner: BlockRunner, expression: str, action: Action, after: Value, fires: bool) -> None:
    assert triggered(runner, expression, (None, action, X, after)) == (fires, [])


@pytest.mark.parametrize(
    ("expression", "fires"),
    [("terraform_data.b", True), ("terraform_data.b[0]", True), ("terraform_data.b[count.index]", False)],
)
def test_instances(runner: BlockRunner, expression: str, fires: bool) -> None:
    changes = [(0, Action.UPDATE, X, Y), (1, Action.NO_OP, X, X)]
    assert triggered(runner, expression, *changes, count=True) == (fires, [])


def test_all_mistakes_are_told(runner: BlockRunner) -> None:
    fired, problems = triggered(runner, "terraform_data.nope, terraform_data.b, terraform_data.a")
    assert not fired
    assert problems == [
        "Reference to undeclared resource|A resource terraform_data.nope has not been declared in the root module",
        "no change found for terraform_data.b in the root module|",
        "no change found for terraform_data.a in the root module|",
    ]


@pytest.mark.parametrize(
    ("repetition", "expression", "problem"),
    [
        ("", "terraform_data.b", None),
        ("", "terraform_data.b.input.x", None),
        ("count = 2", "terraform_data.b[count.index].id", None),
        ("for_each = {}", "terraform_data.b[each.key].id", None),
        ("", "terraform_data.nope[0].id", "Resource terraform_data.a refers to terraform_data.nope in"),
        ("", "data.terraform_data.b", "Resource terraform_data.a refers to data.terraform_data.b in"),
        ("", "terraform_data.b.nope", 'This object has no argument, nested block, or exported attribute named "nope".'),
        ("", "terraform_data.b.id.x", "Can't access attributes on a primitive-typed value (string)."),
        ("", "terraform_data.b[count.index]", 'The "count" object can only be used in "resource" blocks when the'),
        ("count = 2", "terraform_data.b[each.key]", 'The "each" object can be used only in "resource" blocks when'),
    ],
)
def test_validation_checks_what_is_named(tmp_path: Path, repetition: str, expression: str, problem: str | None) -> None:
    text = (
        f'resource "terraform_data" "a" {{\n  {repetition}\n  lifecycle {{\n'
        f'    replace_triggered_by = [{expression}]\n  }}\n}}\nresource "terraform_data" "b" {{}}\n'
    )
    walk = Walk(BlockRunner(tmp_path, flavour=OPENTOFU_1_12).context(text, Operation.VALIDATE))
    assert walk.block is not None
    found = validate_triggers(walk.context.scope(ADDRESS.module), ADDRESS, walk.block)
    assert len(found) == (problem is not None)
    assert all(problem is not None and one.detail.startswith(problem) for one in found)
