"""Signatures in words: no path into a document, and no term of the harness, where the document is one of ours."""

from __future__ import annotations

import pytest

from harness.compare.ruling import Ruling
from harness.findings.signature import Signature
from harness.findings.spoken_signature import describe_signature, spoken_document

CHANGE = "plan.resource_changes.*.change"
INSTANCE = "state.resources.*.instances.*"


@pytest.mark.parametrize(
    ("shape", "kind", "role", "words"),
    [
        (
            f"{CHANGE}.actions[]",
            "value",
            "move, no-op > create",
            "the baseline plans to move an object, B to create it",
        ),
        (
            f"{CHANGE}.actions",
            "value",
            "import, update > delete deposed",
            "the baseline plans to import an object and update it, B to delete a deposed object",
        ),
        (
            f"{CHANGE}.actions[]",
            "value",
            "replace, create first > update",
            "the baseline plans to replace an object, creating the new one first, B to update it",
        ),
        ("plan.resource_changes.*", "missing", "no-op", "in the plan, B lacks an object that does not change"),
        ("plan.resource_changes.*", "surplus", "none > odd", "the baseline plans nothing for an object, B to odd it"),
        (
            "plan.resource_changes.*.action_reason",
            "missing",
            "move, delete",
            "in the plan, B lacks the reason of the action for an object to be moved and deleted",
        ),
        (f"{CHANGE}.before", "type", "delete", "in the plan, B differs in the prior values of an object to be deleted"),
        (f"{CHANGE}.after.id", "value", "", "in the plan, B differs in the planned `id` of an object"),
        (
            f"{CHANGE}.after_unknown.tags.*",
            "surplus",
            "create",
            "in the plan, B also has `tags` (known after apply) of an object to be created",
        ),
        (
            f"{CHANGE}.after_sensitive.input",
            "missing",
            "update",
            "in the plan, B lacks `input` (sensitive) of an object to be updated",
        ),
        ("plan.errored", "value", "", "in the plan, B differs in whether it has failed"),
        ("plan.output_changes.*.after", "value", "", "in the plan, B differs in the planned value of an output"),
        ("plan.checks.*.instances.*.status", "value", "", "in the plan, B differs in the result of a check"),
        ("plan", "type", "", "B differs in the plan"),
        ("plan_summary.remove", "value", "", "B differs in the number of objects to remove, as the plan says"),
        (f"{INSTANCE}.attributes.output.*", "value", "none", "in the state, B differs in `output` of an object"),
        (
            f"{INSTANCE}.sensitive_attributes",
            "value",
            "a > b",
            "in the state, B differs in the sensitive attributes of an object",
        ),
        ("state.outputs.*.value", "value", "", "in the state, B differs in the value of an output"),
        (
            "plan_events[refresh_start]",
            "missing",
            "delete deposed",
            "while planning, B lacks the event `refresh_start` for a deposed object to be deleted",
        ),
        ("calls[apply-update]", "surplus", "", "while applying, B also has the call `apply-update` of a provider"),
        ("calls", "missing", "", "B lacks the provider calls while applying"),
        (
            "constraints[create before delete of one instance]",
            "order",
            "",
            "B does not guarantee create before delete of one instance",
        ),
        ("extra constraints[a before b]", "order", "", "B guarantees a before b, which the baseline does not"),
        ("events.order[x before y]", "order", "", "B does not guarantee x before y"),
        ("cycle[evaluation]", "order", "", "B differs in operations that wait for each other"),
        ("inventory[].name", "value", "", "in the cloud, B differs in `name` of an object"),
        ("provider_data.instances.*", "missing", "", "B lacks what a provider keeps with an object"),
        ("unheard.of.x", "value", "", "B differs in `of.x`"),
        ("unheard[of]", "value", "", "B differs in `of`"),
    ],
)
def test_values_and_order(shape: str, kind: str, role: str, words: str) -> None:
    assert describe_signature(Signature("recorded:B", "apply", Ruling.DIFFERS, shape, kind, role)) == words


@pytest.mark.parametrize(
    ("shape", "kind", "ruling", "words"),
    [
        (
            "diagnostics[error: No]",
            "surplus",
            Ruling.ONLY_CANDIDATE_FAILS,
            'B reports the error "No", which the baseline does not',
        ),
        ("init.diagnostics[error: No]", "missing", Ruling.DIFFERS, 'during init B does not report the error "No"'),
        ("diagnostics[error: No].range", "missing", Ruling.DIFFERS, 'B says no place with the error "No"'),
        ("diagnostics[error: No].address", "value", Ruling.DIFFERS, 'B says another object with the error "No"'),
        ("crash[panic: lost in a/b/c.F]", "surplus", Ruling.CRASH, "B crashes: panic: lost in c.F"),
        (
            "story.unhandled_failure",
            "value",
            Ruling.DIFFERS,
            "B does not bring the story to a good end (unhandled failure)",
        ),
        ("hang", "hang", Ruling.HANG, "B had not ended within the time limit (--timeout)"),
        ("over-budget", "over-budget", Ruling.OVER_BUDGET, "B took too much memory"),
        ("expect.outputs", "value", Ruling.DIFFERS, "B does not do what the case expects (outputs)"),
    ],
)
def test_diagnostics_crashes_and_stories(shape: str, kind: str, ruling: Ruling, words: str) -> None:
    assert describe_signature(Signature("recorded:B", "apply", ruling, shape, kind)) == words


def test_what_a_path_begins_in() -> None:
    assert spoken_document("plan_events[0].x") == "the events while planning"
    assert spoken_document("init.diagnostics") == "the initialisation"
    assert spoken_document("unheard.of") == "unheard"
