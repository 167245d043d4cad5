"""SARIF: a divergence is on the line that causes it, and is recognised by its cause."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from harness.compare.ruling import Ruling
from harness.findings.run import Run, Stale
from reports.run.sarif import MOST_RESULTS, sarif
from tests.sample_runs import EVIDENCE, MAIN, MIXED, finding, result, run_of


def results(run: Run) -> list[dict[str, Any]]:
    (only,) = json.loads(sarif(run))["runs"]
    found: list[dict[str, Any]] = only["results"]
    for each in found:
        assert only["tool"]["driver"]["rules"][each["ruleIndex"]]["id"] == each["ruleId"]
    return found


def location(run: Run) -> tuple[str, int]:
    (place,) = results(run)[0]["locations"]
    return place["physicalLocation"]["artifactLocation"]["uri"], place["physicalLocation"]["region"]["startLine"]


def test_a_divergence_is_on_the_block_its_address_names() -> None:
    assert location(run_of(result("a/one", finding()))) == ("corpus/a/one/v1/main.tf", 1)


def test_objects_and_outputs_lead_to_their_blocks() -> None:
    files = {"v1/main.tf": 'locals {}\n\noutput "o" {\n}\n  data "null_data" "b" {}\n', "v2/main.tf": 'output "o" {}\n'}
    courses = {"new": {"step 1 (apply v1)": {"config": "v1"}}}
    evidence = json.dumps({"files": files, "courses": courses})
    for field, line in (("plan.output_changes.o.after", 3), ("state.resources.data null_data b.instances", 5)):
        assert location(run_of(result("a/one", finding(field=field), evidence=evidence))) == (
            "corpus/a/one/v1/main.tf",
            line,
        )


def test_a_line_that_is_quoted_goes_before_the_block() -> None:
    quoted = finding(explanation=("b depends on a because of the reference a.x at main.tf:2,3.",))
    assert location(run_of(result("a/one", quoted))) == ("corpus/a/one/v1/main.tf", 2)


def test_a_diagnostic_only_one_side_has_tells_its_line() -> None:
    place = "step 1 (apply v1)"
    diagnostic = {"summary": "No", "range": {"filename": "main.tf", "start": {"line": 3, "column": 1}}}
    courses = {
        "legacy": {place: {"config": "v1", "diagnostics": []}},
        "new": {place: {"config": "v1", "diagnostics": [diagnostic]}},
    }
    evidence = json.dumps({"files": {"v1/main.tf": MAIN}, "courses": courses})
    run = run_of(result("a/one", finding(field="diagnostics"), evidence=evidence))
    assert location(run) == ("corpus/a/one/v1/main.tf", 3)


def test_lines_that_are_not_there_are_not_named() -> None:
    quoted = finding(field="x", explanation=("at main.tf:999,1 and at /etc/passwd:1,1",))
    assert location(run_of(result("a/one", quoted))) == ("corpus/a/one/case.yaml", 1)


def test_files_that_are_no_configuration_are_never_annotated() -> None:
    """The files of a directory without a case.yaml, some of them outside of it."""
    names = ["../../.editorconfig", "../../modules/v/README.md", "../../modules/v/a.tf", "README.md", "b.tf", "main.tf"]
    evidence = json.dumps({"files": dict.fromkeys(names, "\n"), "courses": {}})
    case = result("examples/complete", finding(field="x"), evidence=evidence)
    assert location(run_of(case)) == ("corpus/examples/complete/main.tf", 1)
    module = json.dumps({"files": dict.fromkeys(names[:3], "\n"), "courses": {}})
    assert location(run_of(replace(case, evidence=module))) == ("corpus/modules/v/a.tf", 1)


def test_paths_are_relative_to_the_repository_wherever_the_run_was_started() -> None:
    def uri(case_path: str, root: str, here: str) -> str:
        case = replace(result("a/one", finding()), path=case_path)
        (only,) = json.loads(sarif(run_of(case), None, root, here))["runs"]
        place: str = only["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        return place

    assert uri("cases/a/one", "/repo", "/repo/sub") == "sub/cases/a/one/v1/main.tf"
    assert uri("../cases/a/one", "/repo", "/repo/sub") == "cases/a/one/v1/main.tf"
    assert uri("/repo/x", "/repo", "/repo/sub") == "x/v1/main.tf"
    assert uri("/elsewhere/x", "/repo", "/repo/sub") == "a/one/v1/main.tf"
    assert uri("../../x", "/repo", "/repo/sub") == "a/one/v1/main.tf"
    assert uri("/repository/x", "/repo", "/repo") == "a/one/v1/main.tf"


def test_an_unreadable_case_is_annotated_where_it_cannot_be_read() -> None:
    placed = finding("x", Ruling.INVALID_CASE, field="corpus/a/one/case.yaml:3", got="not YAML: no", place="")
    assert location(run_of(result("a/one", placed, evidence=""))) == ("corpus/a/one/case.yaml", 3)
    unplaced = finding("x", Ruling.INVALID_CASE, field="", got="corpus/a/one/sub/x.tf: too long", place="")
    assert location(run_of(result("a/one", unplaced, evidence=""))) == ("corpus/a/one/sub/x.tf", 1)
    absolute = finding("x", Ruling.INVALID_CASE, field="/repo/corpus/a/one/main.tf:7", got="calls", place="")
    run = run_of(result("a/one", absolute, evidence=""))
    place = json.loads(sarif(run, root="/repo"))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "corpus/a/one/main.tf"}, "region": {"startLine": 7}}


def test_a_story_that_failed_leads_to_the_error_that_ended_it() -> None:
    failed = {
        "config": ".",
        "op": "validate",
        "ok": False,
        "diagnostics": [
            {"severity": "warning", "summary": "w", "range": {"filename": "main.tf", "start": {"line": 1}}},
            {"severity": "error", "summary": "e", "range": {"filename": "sub/x.tf", "start": {"line": 2}}},
        ],
    }
    courses = {"legacy": {"task validate #1 (validate .)": failed, "story": {"op": "story", "ok": False}}}
    evidence = json.dumps({"files": {"main.tf": "\n\n", "sub/x.tf": "\n\n"}, "courses": courses})
    found = finding(place="story", field="story")
    found = replace(found, signature=replace(found.signature, subject="legacy"), against=("story",))
    assert location(run_of(result("a/one", found, evidence=evidence))) == ("corpus/a/one/sub/x.tf", 2)


def test_a_generated_story_has_a_name_and_no_file() -> None:
    (found,) = results(run_of(result("fuzz/default-0-1", finding(), generated_by="diffharness fuzz")))
    assert found["locations"] == [{"logicalLocations": [{"fullyQualifiedName": "fuzz/default-0-1"}]}]
    assert "again      diffharness fuzz" in found["message"]["text"]


def test_a_run_in_which_something_broke_was_no_successful_invocation() -> None:
    def invocation(run: Run) -> dict[str, Any]:
        (only,) = json.loads(sarif(run))["runs"]
        (found,) = only["invocations"]
        return dict(found)

    assert invocation(run_of(result("a/one", finding())))["executionSuccessful"] is True
    broken = invocation(run_of(result("a/one", finding("x", Ruling.CRASH, got="KeyError: 1"))))
    assert broken["executionSuccessful"] is False
    assert "came to no end in 1 of 1 cases" in broken["toolExecutionNotifications"][0]["message"]["text"]


def test_the_same_cause_in_the_same_case_has_the_same_fingerprint() -> None:
    one = results(run_of(result("a/one", finding())))[0]
    moved = results(
        run_of(result("a/one", finding(got="other"), evidence=EVIDENCE.replace("resource", "\\nresource")))
    )[0]
    assert one["partialFingerprints"] == moved["partialFingerprints"]
    (cause,) = run_of(result("a/one", finding())).causes
    assert one["partialFingerprints"] == {
        "cause/v1": cause.identifier,
        "primaryLocationLineHash": f"{cause.identifier}:a/one",
    }
    assert one["ruleId"] == cause.identifier


def test_rules_are_causes_and_a_case_is_a_result_of_each() -> None:
    value, words = finding("state.x"), finding("diagnostics[warning: Hm]")
    run = run_of(result("a/both", value, words), result("a/one", words))
    (only,) = json.loads(sarif(run))["runs"]
    rules = only["tool"]["driver"]["rules"]
    assert [rule["shortDescription"]["text"] for rule in rules] == [cause.title for cause in run.causes]
    assert [rule["id"] for rule in rules] == [cause.identifier for cause in run.causes]
    found = [(each["ruleIndex"], each["message"]["text"].partition("\n")[0]) for each in only["results"]]
    titles = [cause.title for cause in run.causes]
    assert found == [(0, titles[0]), (1, titles[1]), (1, titles[1])]


def test_files_are_named_relative_to_the_project_and_never_by_an_address_on_this_machine() -> None:
    here = run_of(result("a/one", finding(), path="/home/me/project/corpus/a/one"))
    places = {}
    for root in ("/home/me/project", "/home/me/project/", "/home/me/pro", ""):
        (only,) = json.loads(sarif(here, root=root))["runs"]
        places[root] = only["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert places == {
        "/home/me/project": "corpus/a/one/v1/main.tf",
        "/home/me/project/": "corpus/a/one/v1/main.tf",
        "/home/me/pro": "a/one/v1/main.tf",
        "": "a/one/v1/main.tf",
    }


def test_documented_is_suppressed_and_last() -> None:
    run = run_of(result("a/known", finding("x", known="K1")), result("b/new", finding()), classes={"K1": "bug"})
    first, last = results(run)
    assert "suppressions" not in first
    assert last["suppressions"] == [{"kind": "external", "justification": "K1"}]


def test_what_fails_a_run_without_a_case_is_told() -> None:
    run = replace(run_of(), stale=(Stale("K2", "known.yaml:9", "is not so"),), planned=3)
    (only,) = json.loads(sarif(run))["runs"]
    texts = [note["message"]["text"] for note in only["invocations"][0]["toolExecutionNotifications"]]
    assert texts == ["known.yaml:9: K2: is not so", "3 of 3 cases were not run"]


def test_there_are_no_more_results_than_are_taken() -> None:
    run = run_of(*(result(f"a/{number}", finding(), evidence="") for number in range(MOST_RESULTS + 2)))
    assert len(results(run)) == MOST_RESULTS
    assert "2 more results do not fit here" in sarif(run)


def test_levels_follow_rulings_and_weights() -> None:
    assert [each["level"] for each in results(run_of(result("a/light", finding("events.x"))))] == ["warning"]
    noisy = run_of(result("a/noise", finding("x", Ruling.NOISE)))
    assert [each["level"] for each in results(noisy)] == ["warning"]
    assert {each["level"] for each in results(MIXED)} == {"error", "note"}
