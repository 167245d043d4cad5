"""Documented divergences: what an entry covers, when it is stale, and which mistakes in the list are rejected."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from harness.case.unit import Unit, UnitKind
from harness.compare.ruling import Ruling
from harness.execute.judge import judge_unit
from harness.findings.finding import Finding, Standing
from harness.findings.known_divergences import KnownDivergences, KnownError, escape, read_known
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.signature import Signature
from harness.play.run_spec import RunSpec

ROOT: Final = Path(__file__).parents[4]
ENTRY: Final = """
- id: other-actions
  class: bug
  reason: it is wrong
  link: https://example.com/1
  case: area/shows-it
  match: {subject: new, shape: plan.resource_changes.*.actions}
"""


def finding(shape: str = "plan.resource_changes.*.actions", subject: str = "new", **other: Any) -> Finding:
    signature = Signature(subject, "plan", Ruling.DIFFERS, shape, "value")
    return replace(Finding(signature, ("legacy",), "step 1 (plan v1)", "plan.x", "1", "2"), **other)


def result(name: str, *findings: Finding, **other: Any) -> CaseResult:
    found = CaseResult(name, f"corpus/{name}", "area", engines=("legacy", "new"), findings=findings)
    return replace(found, **other)


@pytest.fixture
def known(tmp_path: Path) -> Callable[[str], KnownDivergences]:
    (tmp_path / "area" / "shows-it").mkdir(parents=True)

    def read(text: str) -> KnownDivergences:
        (tmp_path / "known.yaml").write_text(text)
        return read_known(tmp_path / "known.yaml")

    return read


# What an entry covers


def test_a_finding_gets_the_first_entry_that_matches(known: Callable[[str], KnownDivergences]) -> None:
    entries = known(ENTRY + ENTRY.replace("other-actions", "later"))
    documented = entries.documented(result("area/shows-it", finding(), finding("state.x")))
    assert [found.known for found in documented.findings] == ["other-actions", ""]
    assert documented.ruling is Ruling.DIFFERS


def test_a_case_with_nothing_but_documented_findings_is_equal(known: Callable[[str], KnownDivergences]) -> None:
    documented = known(ENTRY).documented(result("area/shows-it", finding()))
    assert documented.ruling is Ruling.EQUAL
    run = Run({}, ("legacy", "new"), (documented,), classes=known(ENTRY).classes, planned=1)
    assert (run.exit_status, run.documented) == (0, {"other-actions": 1})


@pytest.mark.parametrize(
    ("match", "fits"),
    [
        ("{shape: plan.*}", True),
        ("{shape: plan}", False),
        ("{shape: [state.*, plan.*]}", True),
        ("{shape: '*', subject: legacy}", False),
        ("{shape: '*', ruling: differs, operation: plan, kind: value}", True),
        ("{shape: '*', ruling: crash}", False),
        ("{shape: '*', case: 'area/*'}", True),
        ("{shape: '*', case: 'other/*'}", False),
        ("{shape: '*', against: recorded}", False),
        ("{shape: '*', place: 'step 1 (plan v1)', field: 'plan.?'}", False),
        ("{shape: '*', place: 'step * (plan *)', field: 'plan.*'}", True),
        ("{shape: '*', expected: '1', got: '2'}", True),
        ("{shape: '*', expected: '2'}", False),
        ("{shape: '*', got: '1'}", False),
    ],
)
def test_every_aspect_that_is_given_has_to_fit(
    known: Callable[[str], KnownDivergences], match: str, fits: bool
) -> None:
    text = ENTRY.replace("{subject: new, shape: plan.resource_changes.*.actions}", match)
    documented = known(text).documented(result("area/shows-it", finding()))
    assert bool(documented.findings[0].known) is fits


@pytest.mark.parametrize(
    ("match", "fits"),
    [
        ("{shape: state.x, beside: 'crash[*'}", [False, False, True, False]),
        ("{shape: state.x, after: 'crash[*'}", [False, False, False, True]),
        ("{shape: state.x, beside: '* (value, update)'}", [True, False, False, False]),
        ("{shape: state.x, after: ['nothing', 'state.x (value)']}", [False, False, True, True]),
        ("{shape: state.x, beside: '*'}", [True, False, True, True]),
    ],
)
def test_a_finding_may_have_to_be_beside_or_after_another_one_of_its_engine(
    known: Callable[[str], KnownDivergences], match: str, fits: list[bool]
) -> None:
    """The case differs in an update in step 1, crashes in step 2, and goes on in step 3; another engine crashes in
    step 1."""
    update = replace(finding().signature, shape="plan.y", role="update")
    findings = (
        finding("state.x"),
        finding(signature=update),
        finding("state.x", place="step 2 (apply v1)"),
        finding("crash[panic]", place="step 2 (apply v1)"),
        finding("state.x", place="step 3 (plan v1)"),
        finding("crash[panic]", subject="other"),
    )
    text = ENTRY.replace("{subject: new, shape: plan.resource_changes.*.actions}", match)
    documented = known(text).documented(result("area/shows-it", *findings)).findings
    assert [bool(documented[number].known) for number in (0, 1, 2, 4)] == fits


def test_an_entry_of_a_change_means_nothing_where_it_is_not_adopted(known: Callable[[str], KnownDivergences]) -> None:
    entries = known(ENTRY + "  changes: [C01]\n")
    without, adopted = result("area/shows-it", finding()), result("area/shows-it", finding(), changes=("C01", "C02"))
    assert entries.documented(without).ruling is Ruling.DIFFERS
    assert entries.documented(adopted).ruling is Ruling.EQUAL
    assert entries.stale([result("area/shows-it")]) == ()
    assert len(entries.stale([result("area/shows-it", changes=("C01",))])) == 1


# Stale


def test_an_entry_whose_case_shows_it_no_more_fails_the_run(known: Callable[[str], KnownDivergences]) -> None:
    entries = known(ENTRY)
    assert entries.stale([result("area/shows-it", finding())]) == ()
    (stale,) = entries.stale([result("area/shows-it"), result("area/other")])
    assert stale.entry == "other-actions"
    assert stale.place.endswith("known.yaml:2")
    assert "take the entry out" in stale.problem
    run = Run({}, ("legacy", "new"), (result("area/shows-it"),), (stale,), entries.classes, 1)
    assert run.exit_status == 1


def test_a_case_that_still_shows_it_is_named(known: Callable[[str], KnownDivergences]) -> None:
    (stale,) = known(ENTRY).stale([result("area/shows-it"), result("area/b", finding()), result("area/a", finding())])
    assert "2 other cases do: name area/a instead" in stale.problem


@pytest.mark.parametrize(
    "ran",
    [
        result("area/other"),
        result("area/shows-it", engines=("legacy",)),
        result("area/shows-it", engines=("new", "legacy")),
        result("area/shows-it", not_run={"new": "why"}),
        result("area/shows-it", faked=("true",)),
    ],
    ids=["another case", "engine not asked", "engine is the baseline", "engine cannot run it", "commands faked"],
)
def test_silence_of_a_run_that_could_not_show_it_says_nothing(
    known: Callable[[str], KnownDivergences], ran: CaseResult
) -> None:
    assert known(ENTRY).stale([ran]) == ()


def test_a_baseline_is_held_against_its_recording(known: Callable[[str], KnownDivergences]) -> None:
    text = ENTRY.replace("subject: new", "subject: legacy")
    assert known(text).stale([result("area/shows-it")]) == ()
    assert len(known(text).stale([result("area/shows-it", is_recorded=True)])) == 1


def test_what_varies_is_due_only_where_a_case_ran_in_several_ways(known: Callable[[str], KnownDivergences]) -> None:
    text = ENTRY.replace("subject: new", "ruling: flaky")
    assert known(text).stale([result("area/shows-it")]) == ()
    assert len(known(text).stale([result("area/shows-it", runs={"legacy": 2, "new": 4})])) == 1


# Reading


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: b", "known.yaml:1: must be a list of entries"),
        (
            ENTRY.replace("class: bug", "class: bag"),
            "known.yaml:3: class: must be one of bug, change, missing, obsolete",
        ),
        (ENTRY.replace("reason", "raeson"), "known.yaml:4: raeson: unknown key in entry 1; did you mean reason?"),
        (ENTRY + "  extra: 1\n", "known.yaml:8: extra: unknown key in entry 1"),
        (ENTRY.replace("subject: new", "subjekt: new"), "known.yaml:7: subjekt: unknown key in match of entry 1"),
        (
            ENTRY.replace(", shape: plan.resource_changes.*.actions", ""),
            "known.yaml:7: shape: missing in match of entry 1",
        ),
        (ENTRY.replace("subject: new", "subject: 1"), "known.yaml:7: subject: must be a text"),
        (
            ENTRY.replace("area/shows-it", "area/gone"),
            "known.yaml:6: case: there is no area/gone beside this file, or in a directory above it",
        ),
        (ENTRY + ENTRY, "known.yaml:9: id: other-actions is there already"),
        ("- {", "known.yaml:1: not YAML"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_key(
    known: Callable[[str], KnownDivergences], text: str, message: str
) -> None:
    with pytest.raises(KnownError) as caught:
        known(text)
    assert message in str(caught.value)


def test_nothing_known_is_fine(known: Callable[[str], KnownDivergences]) -> None:
    assert known("# nothing\n").entries == ()


# The project's own


@pytest.mark.parametrize("change", ["C01", "C02", "C03", "C04", "C05", "C06", "C07", "C09"])
def test_a_run_with_a_change_finds_it_documented(change: str) -> None:
    """Every finding of the case is covered, and no entry of the change is stale."""
    entries = read_known(ROOT / "corpus" / "known.yaml")
    settings = RunSpec(("legacy", "new"), trusted=(ROOT / "corpus",), changes=frozenset({change}))
    judged = judge_unit(Unit(UnitKind.CASE, ROOT / "corpus" / "intended-changes" / change), settings)
    documented = entries.documented(judged)
    assert documented.findings
    assert [str(found.signature) for found in documented.open_findings] == []
    assert entries.stale([documented]) == ()


# Stars, and what follows


def test_a_star_after_a_backslash_is_a_star(known: Callable[[str], KnownDivergences]) -> None:
    entries = known(ENTRY.replace("plan.resource_changes.*.actions", r"plan.\*.x*"))
    shapes = ("plan.*.x", "plan.*.xy", "plan.a.x", r"plan.\.x")
    documented = entries.documented(result("area/shows-it", *map(finding, shapes)))
    assert [bool(found.known) for found in documented.findings] == [True, True, False, False]


@pytest.mark.parametrize("text", ["*", r"\*", r"\\*", "**", r"a\b", "a*b"])
def test_an_escaped_text_matches_itself_alone(known: Callable[[str], KnownDivergences], text: str) -> None:
    entries = known(ENTRY.replace("plan.resource_changes.*.actions", f"'{escape(text)}'"))
    found = entries.documented(result("area/shows-it", finding(text), finding(text + "x"), finding("x" + text)))
    assert [bool(each.known) for each in found.findings] == [True, False, False]


def test_what_is_compared_before_its_reason_is_documented_with_it(known: Callable[[str], KnownDivergences]) -> None:
    reason = finding()
    summary = finding("plan_summary", standing=Standing.FOLLOWS, follows=(reason.signature.digest,))
    documented = known(ENTRY).documented(result("area/shows-it", summary, reason))
    assert [(found.known, found.inherits) for found in documented.findings] == [
        ("other-actions", True),
        ("other-actions", False),
    ]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (os.mkfifo, "not a regular file"),
        (lambda path: path.symlink_to("/dev/zero"), "not a regular file"),
        (lambda path: path.write_bytes(b"-" * 1_000_001), "larger than"),
        (lambda path: path.write_text("[" * 1_000_000), "nested more than 50 deep"),
        (lambda path: path.write_text("- &a [*a]"), "must be a mapping"),
        (lambda path: path.write_bytes(b"\xff"), "cannot be read"),
        (lambda path: path.write_text("- {id: !!timestamp x}"), "id: must be a text"),
        (lambda path: path.write_text("- {id: 2024-13-45}"), "id: must be a text"),
    ],
)
def test_what_is_no_list_is_refused(tmp_path: Path, make: Callable[[Path], None], message: str) -> None:
    """Nothing is waited for, and nothing fills the memory."""
    file = tmp_path / "known.yaml"
    make(file)
    with pytest.raises(KnownError, match=message):
        read_known(file)
