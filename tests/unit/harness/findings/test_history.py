"""Which findings of later steps follow from earlier ones."""

from __future__ import annotations

from harness.compare.consequences import key_of
from harness.findings.finding import Finding, Standing
from harness.findings.history import with_history
from tests.unit.harness.findings.sample_results import finding

FIRST, SECOND = "step 1 (apply v1)", "step 2 (apply v2)"
OBJECT = finding("state.resources.*.instances.*.attributes.x", place=FIRST, objects=("t.a",))


def standings(*findings: Finding, again: frozenset[str] = frozenset(), gone: Finding | None = None) -> list[Standing]:
    keys = set() if gone is None else {key_of(gone.place, gone.signature)}
    return [each.standing for each in with_history(findings, again, keys)]


def test_what_differs_later_about_an_object_left_apart_may_follow() -> None:
    later = finding("plan.resource_changes.*", place=SECOND, objects=("t.a",))
    _, found = with_history([OBJECT, later], frozenset(), set())
    assert (found.standing, found.follows) == (Standing.MAY_FOLLOW, (OBJECT.signature.digest,))


def test_another_object_does_not_follow() -> None:
    later = finding("plan.resource_changes.*", place=SECOND, objects=("t.b",))
    both = finding("plan.resource_changes.*", place=SECOND, objects=("t.a", "t.b"))
    assert standings(OBJECT, later, both) == [Standing.OWN] * 3


def test_totals_follow_from_any_object() -> None:
    later = finding("plan_summary.add", place=SECOND)
    assert standings(OBJECT, later) == [Standing.OWN, Standing.MAY_FOLLOW]


def test_what_was_run_from_the_baselines_state_is_known() -> None:
    stays, gone = (finding(shape, place=SECOND, objects=("t.a",)) for shape in ("plan.x", "plan.y"))
    found = standings(OBJECT, stays, gone, again=frozenset([SECOND]), gone=gone)
    assert found == [Standing.OWN, Standing.OWN, Standing.FOLLOWS]


def test_the_same_difference_with_another_intention_is_another_one() -> None:
    """That objects without a change are not listed once hid that others, which failed before, are not there at all."""
    unlisted, absent = (
        finding("plan.resource_changes.*", place=SECOND, role=role, objects=("t.a",))
        for role in ("no-op > none", "delete > none")
    )
    found = standings(OBJECT, unlisted, absent, again=frozenset([SECOND]), gone=absent)
    assert found == [Standing.OWN, Standing.OWN, Standing.FOLLOWS]


def test_an_object_that_is_equal_again_explains_nothing_later() -> None:
    between = finding("events[x]", place=SECOND)
    later = finding("plan.resource_changes.*", place="step 3 (plan v2)", objects=("t.a",))
    assert standings(OBJECT, between, later) == [Standing.OWN] * 3


def test_remarks_in_a_state_explain_nothing() -> None:
    remark = finding("state.resources.*.instances.*.dependencies[]", place=FIRST, objects=("t.a",))
    later = finding("plan.resource_changes.*", place=SECOND, objects=("t.a",))
    assert standings(remark, later) == [Standing.OWN, Standing.OWN]


def test_the_first_reason_is_named_through_several_steps() -> None:
    second, third = (
        finding("state.resources.*", place=place, objects=("t.a",)) for place in (SECOND, "step 3 (apply v3)")
    )
    found = with_history([OBJECT, second, third], frozenset(), set())
    assert [each.follows for each in found] == [(), (OBJECT.signature.digest,), (OBJECT.signature.digest,)]
