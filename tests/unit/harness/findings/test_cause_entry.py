"""The entry that documents a cause: exactly its findings, written so that a person can read it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.findings.cause_entry import DocumentedCause, Examination, KnownList, document_cause
from harness.findings.causes import Cause
from harness.findings.executed_lines import ExecutedLines
from harness.findings.finding import Finding, Standing
from harness.findings.known_divergences import KnownError, parse_known
from harness.findings.result import CaseResult
from harness.findings.run import Run
from tests.unit.harness.findings.sample_results import finding, following, result

SHAPES: Final = (
    "plan.*",
    "plan.*.actions",
    "state.x",
    r"odd\*",
    "diagnostics[error: a: 'b' \"c\" # d]",
    "- x",
    "ü\ud800",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    for name in "abcdef":
        (tmp_path / "area" / name).mkdir(parents=True)
    return tmp_path / "known.yaml"


def run_of(*results: CaseResult) -> Run:
    return Run({}, ("legacy", "new"), results, planned=len(results))


def cause_with(run: Run, shape: str) -> Cause:
    return next(cause for cause in run.causes if shape in [signature.shape for signature in cause.signatures])


def document(run: Run, cause: Cause, file: Path, *, text: str = "", name: str = "it") -> DocumentedCause:
    examination = Examination(name, "bug", "it is wrong", cause.smallest)
    return document_cause(run, cause, examination, KnownList(file, text))


def known_shapes(run: Run, name: str = "it") -> list[tuple[str, str]]:
    return [
        (result.identifier, found.signature.shape)
        for result in run.results
        for found in result.findings
        if found.known == name
    ]


def test_an_entry_takes_the_findings_of_its_cause_and_no_other_of_the_case(file: Path) -> None:
    run = run_of(
        result("area/a", finding("plan.*"), finding("plan.*.actions"), evidence="long"),
        result("area/b", finding("plan.*")),
        result("area/c", finding("plan.*.actions", kind="missing")),
        result("area/d", finding("plan.*", role="create")),
    )
    documented = document(run, cause_with(run, "plan.*"), file)
    assert known_shapes(documented.run) == [("area/a", "plan.*"), ("area/b", "plan.*")]
    assert documented.cases == {"area/a", "area/b"}
    assert documented.entry == (
        "- id: it\n"
        "  class: bug\n"
        "  reason: it is wrong\n"
        "  case: area/b\n"
        "  match:\n"
        "    subject: new\n"
        "    ruling: differs\n"
        "    shape: plan.\\*\n"
        "    kind: value\n"
        "    role: ''\n"
    )


def test_a_signature_of_two_causes_is_documented_in_the_cases_of_one(file: Path) -> None:
    """The lines tell the cases apart."""
    names = [[f"area/{name}" for name in names] for names in ("abc", "def")]
    findings = [finding("summary"), finding("plan.*")], [finding("summary"), finding("state.x")]
    found = [result(name, *shown) for those, shown in zip(names, findings, strict=True) for name in those]
    others = [result(f"other/{number}") for number in range(100)]
    executed = {each.identifier: {"x.py": 0b1000 if each.identifier in names[0] else 0b10000} for each in found}
    lines = ExecutedLines.of(executed | {each.identifier: {"x.py": 0b100} for each in others}, ("new",))
    run = replace(run_of(*found, *others), lines=lines)
    documented = document(run, cause_with(run, "plan.*"), file)
    assert documented.cases == set(names[0])
    assert {case for case, shape in known_shapes(documented.run) if shape == "summary"} == set(names[0])


def test_what_follows_is_documented_with_it(file: Path) -> None:
    reason = finding("plan.*")
    run = run_of(result("area/a", following("apply_summary", reason), reason))
    documented = document(run, run.causes[0], file)
    assert known_shapes(documented.run) == [("area/a", "apply_summary"), ("area/a", "plan.*")]
    assert "apply_summary" not in documented.entry
    assert documented.run.exit_status == 0


def test_what_follows_from_another_cause_stays_with_that(file: Path) -> None:
    crash = finding("state.y")
    run = run_of(
        result("area/a", finding("state.x")),
        result("area/b", crash, following("state.x", crash)),
        *(result(f"area/{name}", crash) for name in "cd"),
    )
    documented = document(run, cause_with(run, "state.x"), file)
    assert known_shapes(documented.run) == [("area/a", "state.x")]
    assert "standing" in documented.entry


def test_a_consequence_of_two_causes_waits_for_both(file: Path) -> None:
    one, two = finding("state.x"), finding("state.y")
    run = run_of(
        result("area/a", one, two, following("apply_summary", one, two)),
        *(result(f"area/{name}", one) for name in "bc"),
        *(result(f"area/{name}", two) for name in "de"),
    )
    first = document(run, cause_with(run, "state.x"), file)
    assert ("area/a", "apply_summary") not in known_shapes(first.run)
    second = document(first.run, cause_with(first.run, "state.y"), file, text=first.text, name="other")
    assert second.run.exit_status == 0


def test_shapes_and_roles_that_have_all_else_in_common_share_a_matcher(file: Path) -> None:
    found = [finding(shape, role=role) for shape in ("state.x", "state.y") for role in ("create", "update")]
    run = run_of(result("area/a", *found), result("area/b"))
    documented = document(run, run.causes[0], file)
    assert "    shape:\n      - state.x\n      - state.y\n" in documented.entry
    assert "    role:\n      - create\n      - update\n" in documented.entry


def test_entries_are_added_at_the_end_and_keep_what_is_there(file: Path) -> None:
    run = run_of(result("area/a", finding("state.x")), result("area/b", finding("state.y")))
    text = "# A list of ours.\n\n" + document(run, cause_with(run, "state.x"), file).entry.replace("it", "ours", 1)
    documented = document(run, cause_with(run, "state.y"), file, text=text)
    assert documented.text.startswith(text.rstrip("\n") + "\n\n- id: it\n")
    assert documented.run.documented == {"it": 1, "ours": 1}


def test_a_name_that_is_there_already_is_refused(file: Path) -> None:
    run = run_of(result("area/a", finding("state.x")), result("area/b", finding("state.y")))
    first = document(run, cause_with(run, "state.x"), file)
    with pytest.raises(KnownError, match="id: it is there already: choose another name"):
        document(first.run, cause_with(first.run, "state.y"), file, text=first.text)
    others = parse_known(first.text, file)
    with pytest.raises(KnownError, match="is there already"):
        document_cause(run, run.causes[0], Examination("it", "bug", "wrong", "area/a"), KnownList(file, others=others))


def test_findings_that_another_list_documents_are_left_to_it(file: Path) -> None:
    """The other list does not hold here, so only the cases are left to distinguish them by."""
    run = run_of(result("area/a", finding("state.x")), result("area/b", finding("state.x", known="elsewhere")))
    documented = document(run, cause_with(run, "state.x"), file)
    assert "    case: area/a\n" in documented.entry
    assert known_shapes(documented.run) == [("area/a", "state.x")]


def test_an_entry_that_cannot_be_narrow_enough_is_refused(file: Path) -> None:
    run = run_of(result("area/a", finding("state.x"), finding("state.x", known="elsewhere", place="step 2 (apply v1)")))
    open_cause = next(cause for cause in run.causes if not cause.known)
    with pytest.raises(KnownError, match="would also take 1 findings of other causes, in area/a for example"):
        document(run, open_cause, file)


def test_long_reasons_are_folded_and_optional_parts_left_out(file: Path) -> None:
    run = run_of(result("area/a", finding("state.x")))
    examination = Examination(
        "it", "change", "a word " * 20 + "end", "area/a", title="Short", link="none yet", changes=("C01",)
    )
    text = document_cause(run, run.causes[0], examination, KnownList(file)).text
    assert "  title: Short\n  reason: >-\n    a word" in text
    assert "  link: none yet\n  case: area/a\n  changes:\n    - C01\n" in text
    (entry,) = parse_known(text, file).entries
    assert (entry.title, entry.reason, entry.link) == ("Short", "a word " * 20 + "end", "none yet")


@st.composite
def findings(draw: st.DrawFn) -> list[Finding]:
    """Findings of a case by themselves, and some that follow from those."""
    shapes = st.lists(st.tuples(st.sampled_from(SHAPES), st.sampled_from(["", "create"])), max_size=4, unique=True)
    own = [finding(shape, role=role) for shape, role in draw(shapes)]
    later = draw(st.lists(st.sampled_from(SHAPES), max_size=3, unique=True)) if own else []
    standings = st.sampled_from([Standing.FOLLOWS, Standing.MAY_FOLLOW])
    return own + [
        following(shape, draw(st.sampled_from(own)), place="step 2 (apply v2)", standing=draw(standings))
        for shape in later
    ]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(found=st.lists(findings(), min_size=1, max_size=6))
def test_documenting_cause_after_cause_documents_everything(file: Path, found: list[list[Finding]]) -> None:
    """And each entry takes open findings of its own cause only, so that no cause is hidden by the entry of another."""
    run = run_of(*(result(f"area/{name}", *some) for name, some in zip("abcdef", found, strict=False)))
    text = ""
    for number in range(len(run.causes)):
        cause = next((each for each in run.causes if not each.known), None)
        if cause is None:
            break
        documented = document(run, cause, file, text=text, name=f"e{number}")
        own = {signature.identity for signature in cause.signatures}
        before = {result.identifier: result.findings for result in run.results}
        taken = [before[case][index] for case, index in documented.places]
        assert all(each.signature.identity in own or each.standing is not Standing.OWN for each in taken)
        text, run = documented.text, documented.run
    assert [each for result in run.results for each in result.findings if not each.known] == []
    assert (run.stale, run.exit_status) == ((), 0)
