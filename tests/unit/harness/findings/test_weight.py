"""How bad findings are."""

from __future__ import annotations

import pytest

from harness.compare.ruling import Ruling
from harness.findings.signature import Signature
from harness.findings.weight import Weight, weight_of


@pytest.mark.parametrize(
    ("weight", "shape", "role"),
    [
        (Weight.ACTIONS, "plan.resource_changes.*.change.actions[]", "update > replace"),
        (Weight.ACTIONS, "plan.resource_changes.*", "create"),
        (Weight.EVENTS, "plan.resource_changes.*", "no-op"),
        (Weight.STATE, "plan.resource_changes.*.change.after.x", "create"),
        (Weight.STATE, "state.resources.*.instances.*.attributes.x", ""),
        (Weight.EVENTS, "state.resources.*.instances.*.dependencies[]", ""),
        (Weight.EVENTS, "plan.resource_changes.*.action_reason", "replace"),
        (Weight.ORDER, "constraints[create before delete]", ""),
        (Weight.DIAGNOSTICS, "diagnostics[warning: Old]", ""),
        (Weight.DIAGNOSTICS, "init.diagnostics[error: No]", ""),
        (Weight.WORDING, "diagnostics[error: Bad].range", ""),
        (Weight.EVENTS, "plan_events[refresh_start]", ""),
    ],
)
def test_the_weight_of_a_difference(weight: Weight, shape: str, role: str) -> None:
    assert weight_of(Signature("new", "plan", Ruling.DIFFERS, shape, "value", role)) is weight


@pytest.mark.parametrize(
    ("weight", "ruling"),
    [
        (Weight.CRASH, Ruling.CRASH),
        (Weight.HANG, Ruling.HANG),
        (Weight.HANG, Ruling.OVER_BUDGET),
        (Weight.FAILURE, Ruling.ONLY_BASELINE_FAILS),
        (Weight.FAILURE, Ruling.ONLY_CANDIDATE_FAILS),
    ],
)
def test_a_ruling_outweighs_the_shape(weight: Weight, ruling: Ruling) -> None:
    assert weight_of(Signature("new", "plan", ruling, "plan_events[read]", "value")) is weight


def test_prose_is_wording() -> None:
    signature = Signature("new", "plan", Ruling.DIFFERS, "diagnostics[error: Bad].detail", "value")
    assert weight_of(signature, is_detail=True) is Weight.WORDING
