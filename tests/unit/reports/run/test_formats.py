"""Reports of a run: numbers that add up, one screen per divergence, and files that other programs can read."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import pytest
from rich.console import Console

from harness.compare.ruling import Ruling
from harness.findings.finding import Finding, Standing
from harness.findings.reproduction import reproduction
from harness.findings.result import CaseResult
from harness.findings.run import Run, Stale
from harness.findings.run_comparison import Comparison, compare_runs
from harness.findings.signature import Signature
from harness.findings.speed import BinaryShare, binary_share, speeds
from reports.run.document import run_document
from reports.run.junit import junit_xml
from reports.run.markdown import COMMENT, markdown
from reports.run.screen import case_screen, describe_further
from reports.run.summary import print_run
from reports.visible import shortened, visible, visible_line
from tests.schema import violations

SCHEMA: Final = json.loads(
    (Path(__file__).parents[4] / "reports" / "run" / "run.schema.json").read_text(encoding="utf-8")
)
EVIDENCE: Final = json.dumps({"courses": {"new": {"validate v1": {}, "step 1 (plan v1)": {}, "step 2 (apply v1)": {}}}})


def finding(shape: str = "plan.actions", ruling: Ruling = Ruling.DIFFERS, **other: Any) -> Finding:
    signature = Signature("new", "apply", ruling, shape, "value")
    found = Finding(signature, ("legacy", "recorded"), "step 2 (apply v1)", "plan.a.actions", '"create"', '"no-op"')
    return replace(found, **other)


def result(name: str, *findings: Finding, **other: Any) -> CaseResult:
    area = name.partition("/")[0]
    found = CaseResult(
        name,
        f"corpus/{name}",
        area,
        "it protects something",
        engines=("legacy", "new"),
        equal=() if findings else ("new",),
        findings=findings,
        runs={"legacy": 1, "new": 1},
        elapsed_s={"legacy": 0.25, "new": 0.25},
    )
    return replace(found, **other)


def run_of(*results: CaseResult, **other: Any) -> Run:
    ordered = tuple(sorted(results, key=lambda each: each.identifier))
    return replace(Run({"seed": "0"}, ("legacy", "new"), ordered, planned=len(ordered)), **other)


def print_summary(run: Run) -> str:
    file = io.StringIO()
    print_run(run, Console(file=file, width=120))
    return file.getvalue()


def test_headings_of_three_engines_are_not_cut_off() -> None:
    engines = ("terraform", "legacy", "new")
    case = result("a/one", engines=engines, is_recorded=True, agrees=engines, equal=engines[1:])
    text = print_summary(run_of(case, engines=engines))
    assert "\u2026" not in text
    words = set(text.replace("┃", " ").split())
    assert {"terraform", "legacy", "new", "agrees", "recorded"} <= words


BROKEN: Final = finding(
    "KeyError in new_engine/x.py:f", Ruling.CRASH, got="Traceback\n  somewhere\nKeyError: 1", field=""
)
MIXED: Final = run_of(
    result("a/equal", is_recorded=True, agrees=("legacy", "new")),
    result("a/one", finding(), evidence=EVIDENCE),
    result("a/two", finding(), evidence=EVIDENCE + " "),
    result("b/crash", BROKEN),
    result("b/known", finding("state.x", known="K1")),
    result("b/skipped", not_run={"legacy": "no", "new": "no"}, equal=()),
    stale=(Stale("K2", "known.yaml:9", "does not show it any more"),),
    classes={"K1": "bug", "K2": "change"},
    titles={"K1": "title of K1"},
)


# The terminal


def test_numbers_add_up() -> None:
    text = print_summary(MIXED)
    assert (
        "6 cases: 1 equal, 1 equal but for documented divergences, 2 differs, 1 crash, 1 not-run; 1 of known.yaml"
        in text
    )
    assert "│ total │     6 │        1 │             1 │          1 │            1 │" in text


def test_causes_are_listed_heavy_ones_first_and_the_worst_has_its_smallest_case() -> None:
    lines = print_summary(MIXED).splitlines()
    start = lines.index("3 causes: 2 undocumented, 1 to be mended")
    assert lines[start + 1 : start + 4] == [
        "  crash            1 case  new crashes: KeyError in x.py:f (b/crash)",
        "  state           2 cases  In the plan, new differs in `actions` (a/one)",
        "  state            1 case  title of K1 [known bug: K1] (b/known)",
    ]
    text = "\n".join(lines[start:])
    assert "new crashes: KeyError in x.py:f; the only case that shows it:\nb/crash: crash" in text
    assert "a/one: differs" not in text, "one case is enough"
    assert "known.yaml:9: K2: does not show it any more" in text


def test_documented_causes_are_counted_by_class_as_present_and_gone() -> None:
    text = print_summary(MIXED)
    assert "\nknown.yaml: bug 1 of 1 present; change 0 of 1 present, 1 gone; undocumented 2\n" in text


def test_many_causes_are_counted() -> None:
    many = run_of(*(result(f"a/{number:02}", finding(f"plan.x{number}")) for number in range(22)))
    text = print_summary(many)
    assert "\n22 causes, all undocumented\n" in text
    assert text.count("  In the plan, new differs in `x") == 12
    assert "  and 10 more: see the report\n" in text


def test_a_large_corpus_leaves_room_for_its_causes() -> None:
    """Areas in which something was found are shown, and all others together."""
    cases = [result(f"area{number:02}/{name}") for number in range(30) for name in "ab"]
    text = print_summary(run_of(*cases, result("area17/odd", finding())))
    assert "│ area17         │     3 │" in text
    assert "│ 23 other areas │    46 │" in text
    assert "│ total          │    61 │" in text
    assert len(text.splitlines()) < 45


def test_a_case_with_many_findings_prints_one() -> None:
    light = [finding(f"events.x{number}", field=f"events.x{number}") for number in range(299)]
    text = print_summary(run_of(result("a/one", *light, finding())))
    assert text.count("what       ") == 1
    assert "what       new: apply differs: plan.actions (value)" in text
    assert "further    299 findings\n" in text


def test_a_quiet_run_says_little() -> None:
    text = print_summary(run_of(result("a/equal")))
    assert text.rstrip().endswith("1 case: 1 equal.")
    for word in ("documented", "Documented", "cause", "vary", "not run", "\nagain"):
        assert word not in text


def test_a_documented_case_that_nobody_could_run_is_not_counted_as_equal() -> None:
    run = run_of(result("a/odd", finding(known="K1"), not_run={"legacy": "no", "new": "no"}), classes={"K1": "bug"})
    assert print_summary(run).rstrip().endswith("1 case: 1 not-run.")


def test_what_was_faked_is_said() -> None:
    assert "1 case may not run commands, and wanted to" in print_summary(run_of(result("a/faked", faked=("rm -rf /",))))


def test_why_a_configuration_fails_is_said_completely_for_a_single_one() -> None:
    failure = "plan fails\n\nError: No value\n\n  on main.tf line 1:\n   1: variable {}"
    alone = print_summary(run_of(result("a/module", failure=failure)))
    assert "1 case came to no good end" in alone
    assert failure in alone
    several = print_summary(run_of(*(result(f"a/{name}", failure=failure) for name in "bc"), result("a/equal")))
    assert "2 cases  plan fails: No value (a/b)" in several
    assert "variable {}" not in several


def test_a_run_that_was_stopped_says_so() -> None:
    assert "stopped, 3 cases not run" in print_summary(run_of(result("a/equal"), planned=4))


def test_expressions_are_counted_by_themselves() -> None:
    counts = {"lines": 10, "exact": 9, "different": 1}
    text = print_summary(run_of(CaseResult("expressions/op", "x/op.jsonl", "expressions", counts=counts)))
    assert "│ op    │    10 │     9 │         1 │" in text
    assert "Cases" not in text


def test_speed_is_told_where_a_binary_took_part() -> None:
    engines, runs = ("terraform", "new"), {"terraform": 2, "new": 1}
    ran = result("a/x", engines=engines, elapsed_s={"terraform": 4.0, "new": 0.01}, runs=runs)
    broken = replace(ran, identifier="a/y", runs={"terraform": 2})
    found = speeds(replace(run_of(ran, broken), engines=engines))
    assert [(each.engine, each.cases, each.mean_s, each.factor) for each in found] == [
        ("terraform", 1, 2.0, None),
        ("new", 1, 0.01, 200.0),
    ]
    assert speeds(run_of(result("a/x"))) == ()


def test_the_share_of_the_binaries_is_printed_and_not_in_the_document() -> None:
    quick, slow = result("a/x", case_s=1.0, binaries_s=0.5), result("a/y", case_s=3.0, binaries_s=2.5)
    without = result("a/z", case_s=9.0)
    run = run_of(quick, slow, without)
    assert binary_share(run) == BinaryShare(2, 2.0, 0.75)
    assert "2 cases with binaries, 2.00 s per case, 75 % of it in the binaries" in print_summary(run)
    assert run_document(run) == run_document(run_of(*(each.stable for each in run.results)))
    assert binary_share(run_of(without)) is None


# One screen


def test_a_divergence_fits_on_one_screen() -> None:
    explanation = ("Both agreed up to event 3.", "Then new created a, because b.")
    found = result("a/one", finding(explanation=explanation), finding("state", field="state.x"), evidence=EVIDENCE)
    text = case_screen(found)
    assert len(text.splitlines()) < 30
    for part in (
        "what       new: apply differs: plan.actions (value)",
        'expected   "create"  (legacy and recorded)',
        'got        "no-op"  (new)',
        "since      step 2 (apply v1); all was equal before, in validate v1, step 1 (plan v1)",
        "why        Both agreed up to event 3.\n           Then new created a, because b.",
        "further    1 finding\n",
        "again      diffharness run corpus/a/one --engines legacy,new",
    ):
        assert part in text


def test_what_else_was_found_is_counted_by_what_it_is() -> None:
    reason = finding()
    follows = finding("state.x", standing=Standing.FOLLOWS, follows=(reason.signature.digest,))
    other = finding("diagnostics[error: Other]")
    found = result("a/one", other, reason, follows, finding("events.x", known="K1"))
    causes = run_of(found, result("a/two", reason, follows), classes={"K1": "wording"}).causes
    assert [cause.cases for cause in causes] == [("a/one", "a/two"), ("a/one",), ("a/one",)]
    assert describe_further(found, causes, [reason]) == "3 findings (1 consequence, 1 documented), 2 further causes"
    assert describe_further(found, causes, found.findings) == ""
    assert describe_further(found, (), [reason]) == "3 findings (1 consequence, 1 documented)"


def test_a_finding_after_another_one_does_not_say_that_all_was_equal_before() -> None:
    first = finding("events.x", place="step 1 (plan v1)")
    text = case_screen(result("a/one", first, finding(), evidence=EVIDENCE))
    assert "since      step 2 (apply v1); other differences before, in step 1 (plan v1)" in text


def test_a_crash_of_a_binary_is_told_by_its_text_and_function_alone() -> None:
    shape = "crash[panic: no * in sight in example.com/product/internal/tf.(*Provider).Read]"
    text = case_screen(result("b/crash", finding(shape, Ruling.CRASH, got='Traceback\n  File "harness/x.py"')))
    assert "raised     panic: no * in sight\nin         example.com/product/internal/tf.(*Provider).Read\n" in text
    assert "Traceback" not in text


def test_a_documented_crash_is_not_called_equal() -> None:
    found = result("b/known", finding("crash[panic: lost]", Ruling.CRASH, got="panic: lost", known="K1"))
    assert case_screen(found).startswith("b/known: differs as documented\n")


def test_long_values_are_cut_around_the_first_difference() -> None:
    left, right = (f'{{"same": "{"x" * 5000}", "other": {number}, "tail": "{"y" * 5000}"}}' for number in (1, 2))
    text = case_screen(result("a/one", finding(expected=left, got=right)))
    assert len(text) < 3000
    assert '"other": 1' in text
    assert '"other": 2' in text


def test_a_crash_is_told_by_its_end() -> None:
    text = case_screen(result("b/crash", replace(BROKEN, got="line\n" * 100 + "KeyError: 1")))
    assert "KeyError: 1" in text
    assert text.count("line") < 10


@pytest.mark.parametrize(
    ("found", "command"),
    [
        (result("a/x y", finding()), "diffharness run 'corpus/a/x y' --engines legacy,new"),
        (result("a/x", changes=("C01",)), "diffharness run corpus/a/x --engines legacy,new --change C01"),
        (
            result("a/x", replace(BROKEN, place="seed 3, parallelism 2, plan by process")),
            "diffharness run corpus/a/x --engines legacy,new --seed 3 --parallelism 2 --handover process",
        ),
        (result("expressions/op", counts={"lines": 1}), "diffharness run corpus/expressions/op"),
    ],
)
def test_the_command_that_shows_it_again(found: CaseResult, command: str) -> None:
    assert reproduction(found) == command


# Documents


def test_the_document_is_what_its_schema_says() -> None:
    document = json.loads(json.dumps(run_document(MIXED)))
    assert list(violations(document, SCHEMA)) == []
    assert sum(document["cases"]["rulings"].values()) == document["cases"]["run"] == 6
    assert [group["smallest"] for group in document["groups"]] == ["b/crash", "a/one", "b/known"]
    assert [(cause["severity"], cause["known"], cause["cases"]) for cause in document["causes"]] == [
        ("crash", "", ["b/crash"]),
        ("state", "", ["a/one", "a/two"]),
        ("state", "K1", ["b/known"]),
    ]
    assert document["known"] == [
        {"entry": "K1", "class": "bug", "cases": 1},
        {"entry": "K2", "class": "change", "cases": 0},
    ]


def test_the_document_has_a_row_for_each_feature_of_three_cases() -> None:
    cases = [
        result(f"a/{number}", *found, features=("moved block",)) for number, found in enumerate([(), (), (BROKEN,)])
    ]
    document = json.loads(json.dumps(run_document(run_of(*cases))))
    assert list(violations(document, SCHEMA)) == []
    assert document["features"] == [
        {"name": "moved block", "cases": 3, "same": 2, "error": 0, "ignored": 0, "wrong": 0, "crash": 1}
    ]


def test_the_schema_notices_what_is_wrong() -> None:
    """A schema that accepts everything would pass the test above."""
    document = json.loads(json.dumps(run_document(MIXED)))
    assert list(violations({**document, "more": 1}, SCHEMA)) == ["$: more is unknown"]
    assert "$.causes[0]: id is missing" in list(violations({**document, "causes": [{}]}, SCHEMA))
    assert list(violations({**document, "exit_status": 4}, SCHEMA)) == ["$.exit_status: violates enum"]
    assert "$.results[0]: ruling is missing" in list(violations({**document, "results": [{}]}, SCHEMA))


def test_two_runs_that_did_the_same_give_the_same_bytes() -> None:
    slower = tuple(replace(each, elapsed_s={"legacy": 9.0, "new": 9.0}, attempts=2) for each in MIXED.results)
    header = {"seed": "0", "jobs": "8", "elapsed": "9 s", "started": "today", "command": "x"}
    assert json.dumps(run_document(replace(MIXED, header=header, results=slower))) == json.dumps(run_document(MIXED))


_STRICT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package", "file"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
    ),
    "testcase": (
        {"name", "time", "classname", "group"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
    "skipped": ({"type", "message"}, set()),
    "system-out": (set(), set()),
}
"""The elements that we write, each with the attributes and children that the schema junit-10 of Jenkins allows."""

_REQUIRED = {"testsuite": {"name", "tests", "failures", "errors"}, "testcase": {"name"}}
_TIME = re.compile(r"([0-9]{0,3},)*[0-9]{0,3}\.[0-9]{0,3}|[0-9]*\.[0-9]{0,3}")


@pytest.mark.parametrize("since", [None, compare_runs(run_of(), MIXED)], ids=["alone", "compared"])
def test_junit_is_valid_by_the_strictest_schema(since: Comparison | None) -> None:
    root = ElementTree.fromstring(junit_xml(MIXED, since).encode())
    assert root.tag == "testsuites"
    for element in root.iter():
        attributes, children = _STRICT[element.tag]
        assert set(element.attrib) <= attributes, element.tag
        assert {child.tag for child in element} <= children, element.tag
        assert _REQUIRED.get(element.tag, set()) <= set(element.attrib)
        assert _TIME.fullmatch(element.get("time", "0.0"))
        for count in ("tests", "failures", "errors", "skipped"):
            assert element.get(count, "0").isdecimal()


def test_junit_has_a_test_case_for_every_case() -> None:
    root = ElementTree.fromstring(junit_xml(MIXED).encode())
    tests = {(test.get("classname"), test.get("name")): test for test in root.iter("testcase")}
    assert root.attrib == {
        "name": "diffharness",
        "tests": "7",
        "failures": "3",
        "errors": "1",
        "time": "3.000",
    }
    assert tests["a", "equal"].find("failure") is None
    assert "further" not in str(tests["a", "one"].findtext("failure"))
    failure = tests["a", "one"].find("failure")
    assert failure is not None
    assert failure.get("message") == "In the plan, new differs in `actions`"
    assert str(failure.text).startswith("state: In the plan, new differs in `actions` (")
    assert "again      diffharness run corpus/a/one" in str(tests["a", "one"].findtext("failure"))
    assert str(tests["a", "equal"].findtext("system-out")).startswith("diffharness run corpus/a/equal --engines")
    assert tests["b", "crash"].find("error") is not None
    assert "documented: K1" in str(tests["b", "known"].findtext("system-out"))
    assert tests["b", "skipped"].find("skipped") is not None
    assert tests["diffharness", "known.yaml: K2"].find("failure") is not None


def test_junit_has_one_failure_for_a_case_and_all_its_causes_in_it() -> None:
    found = result("a/one", finding("events.x", known="K1"), finding("diagnostics[error: No]"), finding())
    run = run_of(found, result("a/two", finding()), classes={"K1": "wording"}, titles={"K1": "other words"})
    failure, _ = ElementTree.fromstring(junit_xml(run)).iter("failure")
    assert failure.get("message") == "In the plan, new differs in `actions` (and 1 more new cause)"
    lines = str(failure.text).splitlines()
    assert [line.rpartition(" (")[0] for line in lines[:3]] == [
        "state: In the plan, new differs in `actions`",
        'diagnostics: new reports the error "No", which the baseline does not',
        "events: other words [wording K1]",
    ]
    assert "further    2 findings (1 documented), 2 further causes" in lines


def test_a_build_server_sees_that_cases_were_not_run() -> None:
    root = ElementTree.fromstring(junit_xml(run_of(result("a/equal"), planned=4)).encode())
    assert root.get("failures") == "1"


def test_markdown_has_what_both_printed() -> None:
    step, ok = "step 2 (apply v1)", {"op": "apply", "ok": True, "apply_summary": {"add": 1, "change": 0, "remove": 0}}
    error = {"severity": "error", "summary": "No ```way```"}
    courses = {"legacy": {step: ok}, "new": {step: {"op": "apply", "ok": False, "diagnostics": [error]}}}
    text = markdown(run_of(result("a/one", finding(), evidence=json.dumps({"courses": courses}))))
    assert "````text\nA: legacy\nB: new\n\n" in text
    assert (
        "A (apply succeeded: 1 added, 0 changed, 0 destroyed)\nB Error: No ```way```\nB \nB (apply failed)\n````"
        in text
    )


def test_markdown_says_first_what_matters() -> None:
    text = markdown(MIXED)
    said = "`new crashes in 1 of 5 cases and does something else in 3`"
    assert text.startswith(f"## ❌ diffharness: broken\n\n{said}\n\n`new` against `legacy`, 6 cases.\n\n**3 causes: ")
    for part in (
        "| does something else | 3 |",
        "| **all** | **6** |",
        "### Causes",
        "| crash | 1 | `new crashes: KeyError in x.py:f` | undocumented | `b/crash` |",
        "| state | 2 | `In the plan, new differs in actions` | undocumented | `a/one` |",
        "| state | 1 | `title of K1` | known bug `K1` | `b/known` |",
        "`known.yaml:9`",
        "| bug | 1 | 1 | 0 | 1 |",
        "| change | 1 | 0 | 1 | 0 |",
        "<details><summary><code>In the plan, new differs in actions</code></summary>\n\n```text\na/one: differs",
    ):
        assert part in text
    assert "### Features" not in text
    assert text.count("<details>") == 3, "what can be ignored has no section"
    assert markdown(run_of(result("a/equal"))).startswith("## ✅ diffharness: equal")


def test_markdown_has_the_table_of_features() -> None:
    cases = [
        result(f"a/{number}", *found, tags=("moved|x",)) for number, found in enumerate([(), (BROKEN,), (BROKEN,)])
    ]
    text = markdown(run_of(*cases))
    assert "### Features\n\n| feature | cases | same | error | ignored | wrong | crash |\n" in text
    assert "| `moved\N{BOX DRAWINGS LIGHT VERTICAL}x` | 3 | 1 | 0 | 0 | 0 | 2 |\n" in text


def test_markdown_trims_itself() -> None:
    many = run_of(*(result(f"a/{number:04}", finding(f"plan.x{number}", got="é" * 300)) for number in range(800)))
    text = markdown(many)
    assert COMMENT // 2 < len(text.encode()) <= COMMENT
    assert "more causes*" in text
    assert text.count("<details>") == text.count("</details>")
    assert text.endswith("more parts do not fit here*\n")


# Invisible characters


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext é 日本 🎉", "plain\n\ttext é 日本 🎉"),
        ("\x1b[31mred\x07\r", "\\u{1b}[31mred\\u{7}\\u{d}"),
        ("a\u202eb\u200bc\u2066\ufeff", "a\\u{202e}b\\u{200b}c\\u{2066}\\u{feff}"),
        ("\ud800\uffff\U0001fffe\u2028\x85", "\\u{d800}\\u{ffff}\\u{1fffe}\\u{2028}\\u{85}"),
    ],
)
def test_what_cannot_be_seen_is_made_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_one_line_is_one_line() -> None:
    assert visible_line("a\nb\tc\r\n") == "a\\nb\\tc\\u{d}\\n"
    assert shortened("x" * 10, 10) == "x" * 10
    assert shortened("a" * 90 + "b" * 10, 20) == f"{'a' * 15} ... (80 characters) ... bbbbb"


def _printed(width: int) -> str:
    """The summary of a run with three engines and a long name, without borders."""
    engines = ("terraform", "legacy", "new")
    results = tuple(replace(each, engines=engines, area="order_of_destroying") for each in MIXED.results)
    out = io.StringIO()
    print_run(replace(MIXED, engines=engines, results=results), Console(file=out, width=width))
    return out.getvalue()


@pytest.mark.parametrize("width", [140, 120, 100, 80, 60])
def test_headings_of_tables_are_never_cut(width: int) -> None:
    text = _printed(width).partition("legacy not run")[0]
    assert "…" not in text
    if width >= 120:
        assert "documented" in text
        assert "order_of_destroying" in text
    elif width <= 100:
        assert "a cases, b recorded, c terraform agrees, d legacy agrees" in text
    assert re.search(r"total\W+6\W+1\W+0", text)
