"""`prevent_destroy`: which values are refused, and when; the words are those of the real OpenTofu."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.addresses.resource import AbsResource
from shared_nodes.context.operation import Operation
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.nodes.resource.prevent_destroy import validate_prevent_destroy
from tests.unit.shared_nodes.nodes.block_runner import (
    ADDRESS,
    ONE,
    REPLACED,
    BlockRunner,
    apply_text,
    lifecycle,
)

NULL = (
    "Resource instance terraform_data.a has prevent_destroy set to null. When making a dynamic decision to allow "
    "destroy, use false instead."
)
UNKNOWN = (
    "Resource instance terraform_data.a has a prevent_destroy argument but its value will not be known until the apply "
    "step, so OpenTofu can't predict whether destroying this is acceptable.\n\nTo proceed, exclude instances of this "
    'resource from this round using:\n    -exclude="terraform_data.a"'
)
REFUSED = (
    "Resource instance terraform_data.a has prevent_destroy set, but the plan calls for it to be destroyed.\n\nTo "
    "proceed, either disable prevent_destroy for this resource or exclude instances of this resource from this round "
    'using:\n    -exclude="terraform_data.a"'
)


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    made = BlockRunner(tmp_path, flavour=OPENTOFU_1_12)
    apply_text(made, ONE)
    return made


@pytest.mark.parametrize(
    ("value", "details"),
    [
        ("true", [REFUSED]),
        ("false", []),
        ('"true"', [REFUSED]),
        ("null", [NULL]),
        ("timestamp() == plantimestamp()", [UNKNOWN]),
    ],
)
def test_values_that_matter_only_if_something_is_destroyed(runner: BlockRunner, value: str, details: list[str]) -> None:
    protected = f"prevent_destroy = {value}"
    assert runner.plan(lifecycle(ONE, protected)).problems == []
    assert [problem.detail for problem in runner.plan(lifecycle(REPLACED, protected)).problems] == details
    assert [problem.detail for problem in runner.plan_destroy(lifecycle(ONE, protected)).problems] == details


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("sensitive(true)", "has a sensitive value for its prevent_destroy argument"),
        ("terraform.applying", "has an ephemeral value for its prevent_destroy argument"),
        ('format("%s", "no")', "has an invalid value for its prevent_destroy argument: a bool is required."),
        ("each.value", "A prevent_destroy argument cannot refer to each.value"),
        ("count.index == 0", "A prevent_destroy argument cannot refer to count.index"),
        ("self.id", 'The "self" object is not available in this context.'),
    ],
)
@pytest.mark.parametrize("text", [ONE, REPLACED])
def test_values_that_are_never_usable(runner: BlockRunner, text: str, value: str, words: str) -> None:
    [problem] = runner.plan(lifecycle(text, f"prevent_destroy = {value}")).problems
    assert words in problem.detail


def test_it_does_not_object_to_forgetting(runner: BlockRunner) -> None:
    kept = "prevent_destroy = true\n    destroy = false"
    walk = runner.plan(lifecycle(REPLACED, kept))
    assert walk.problems == []
    assert walk.actions == {"terraform_data.a": "forget-create replace_because_cannot_update"}
    assert runner.plan_destroy(lifecycle(ONE, kept)).problems == []


@pytest.mark.parametrize(
    ("value", "is_refused"), [("true", False), ('"no"', True), ("1", True), ("[]", True), ("var.x", False)]
)
def test_validation_checks_constants_alone(tmp_path: Path, value: str, is_refused: bool) -> None:
    runner = BlockRunner(tmp_path, flavour=OPENTOFU_1_12)
    context = runner.context(lifecycle(ONE, f"prevent_destroy = {value}"), Operation.VALIDATE)
    block = context.config.module.resources[ADDRESS.resource]
    assert bool(validate_prevent_destroy(block, AbsResource(ADDRESS.module, ADDRESS.resource), OPENTOFU_1_12)) is (
        is_refused
    )


def test_the_other_product_has_other_words(tmp_path: Path) -> None:
    runner = BlockRunner(tmp_path, flavour=TERRAFORM_1_11)
    apply_text(runner, ONE)
    [problem] = runner.plan(lifecycle(REPLACED, "prevent_destroy = true")).problems
    assert problem.summary == "Instance cannot be destroyed"
    assert "lifecycle.prevent_destroy" in problem.detail
