"""How the statuses of rules are combined."""

from __future__ import annotations

import pytest

from shared_nodes.context.check_results import CheckKind, CheckRule, Checks, CheckStatus


def _checks() -> Checks:
    checks = Checks()
    checks.declare(CheckKind.RESOURCE, "a.b", {"precondition": 1, "postcondition": 1})
    return checks


def _status(checks: Checks) -> str:
    [result] = checks.results()
    return result.status


def test_what_has_no_rules_is_not_there() -> None:
    checks = Checks()
    checks.declare(CheckKind.OUTPUT, "output.o", {"precondition": 0})
    assert checks.results() == ()


def test_nothing_known_is_unknown_and_no_objects_is_a_pass() -> None:
    checks = _checks()
    assert _status(checks) == CheckStatus.UNKNOWN
    assert checks.results()[0].objects is None
    checks.report_objects("a.b", [])
    assert _status(checks) == CheckStatus.PASS


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ((CheckStatus.PASS, CheckStatus.PASS), CheckStatus.PASS),
        ((CheckStatus.PASS, CheckStatus.UNKNOWN), CheckStatus.UNKNOWN),
        ((CheckStatus.FAIL, CheckStatus.UNKNOWN), CheckStatus.FAIL),
        ((CheckStatus.ERROR, CheckStatus.FAIL), CheckStatus.ERROR),
    ],
)
def test_the_worst_outcome_counts(statuses: tuple[CheckStatus, CheckStatus], expected: CheckStatus) -> None:
    checks = _checks()
    for kind, status in zip(("precondition", "postcondition"), statuses, strict=True):
        checks.report("a.b", "a.b[0]", CheckRule(kind, 0), status)
    assert checks.status_of("a.b", "a.b[0]") is expected
    assert _status(checks) == expected


def test_reports_about_what_was_never_declared_are_ignored() -> None:
    checks = Checks()
    checks.report("x.y", "x.y", CheckRule("precondition", 0), CheckStatus.FAIL, "why")
    checks.report_objects("x.y", ["x.y"])
    assert checks.results() == ()
