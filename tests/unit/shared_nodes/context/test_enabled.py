"""`enabled`: recorded diagnostics for unusable values, the resulting instances, and how a disabled resource reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.context.operation import Operation
from shared_nodes.context.repetition import check_repetition
from shared_nodes.flavour import OPENTOFU_1_12
from tests.unit.shared_nodes.nodes.block_runner import ADDRESS, ONE, BlockRunner, apply_text, lifecycle

UNSUITABLE = 'The given "enabled" argument value is unsuitable: '
NULL = f"{UNSUITABLE}the given value is null."
SENSITIVE = (
    'Sensitive values, or values derived from sensitive values, cannot be used in "enabled" arguments. If used, the '
    "sensitive value would be exposed by whether an instance is present."
)
UNKNOWN = (
    'The given "enabled" argument value is derived from a value that won\'t be known until the apply phase, so '
    "OpenTofu cannot determine whether an instance of this object is declared or not."
)


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    return BlockRunner(tmp_path, flavour=OPENTOFU_1_12)


def enabled(expression: str) -> str:
    return lifecycle(ONE, f"enabled = {expression}")


@pytest.mark.parametrize(
    ("expression", "details"),
    [
        ("null", [NULL]),
        ("sensitive(null)", [SENSITIVE, NULL]),
        ("sensitive(true)", [SENSITIVE]),
        ("terraform.applying", [f"{UNSUITABLE}the given value is ephemeral."]),
        ('"yes"', [f"{UNSUITABLE}a bool is required."]),
        ("1", [f"{UNSUITABLE}bool required, but have number."]),
        ("[true]", [f"{UNSUITABLE}bool required, but have tuple."]),
        ("[sensitive(true)]", [f"{UNSUITABLE}bool required, but have tuple."]),
        ("timestamp() == plantimestamp()", [UNKNOWN]),
        ("sensitive(timestamp()) == plantimestamp()", [SENSITIVE, UNKNOWN]),
        (
            "terraform_data.a.id",
            ["This value is null, so it does not have any attributes.", UNKNOWN],
        ),
        (
            "self.id",
            [
                'The "self" object is not available in this context. This object can be used only in resource '
                "provisioner, connection, and postcondition blocks."
            ],
        ),
    ],
)
def test_unusable_values(runner: BlockRunner, expression: str, details: list[str]) -> None:
    assert [problem.detail for problem in runner.plan(enabled(expression)).problems] == details


@pytest.mark.parametrize("expression", ["null", "sensitive(true)", "nope.nope", "each.value"])
def test_validation_does_not_look_at_it(runner: BlockRunner, expression: str) -> None:
    context = runner.context(enabled(expression), Operation.VALIDATE)
    scope = context.scope(ADDRESS.module)
    assert check_repetition(scope, scope.module.resources[ADDRESS.resource]) == []


@pytest.mark.parametrize(("expression", "count"), [("true", 1), ("false", 0), ('"true"', 1), ('"false"', 0)])
def test_there_is_one_instance_without_a_key_or_none(runner: BlockRunner, expression: str, count: int) -> None:
    assert len(runner.plan(enabled(expression)).actions) == count


def test_an_object_of_a_disabled_resource_is_deleted(runner: BlockRunner) -> None:
    apply_text(runner, enabled("true"))
    assert runner.plan(enabled("false")).actions == {"terraform_data.a": "delete delete_because_enabled_false"}


@pytest.mark.parametrize("is_enabled", [True, False])
def test_a_disabled_resource_reads_as_null(runner: BlockRunner, is_enabled: bool) -> None:
    walk = runner.plan(enabled("true" if is_enabled else "false"))
    assert walk.context.scope(ADDRESS.module).names.resource(ADDRESS.resource).is_null is not is_enabled
