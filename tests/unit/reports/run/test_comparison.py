"""What has changed since an earlier run, in every format: new, gone, another class, and changes of cases."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from harness.cli import commands
from harness.findings.run_comparison import compare_runs
from reports.run.comparison import comparison_lines
from reports.run.document import run_document
from reports.run.harness_quality import QualityError, read_benchmark, read_fuzz_figures, read_quality
from reports.run.junit import junit_xml
from reports.run.markdown import markdown
from reports.run.sarif import sarif
from tests.sample_runs import finding, result, run_of
from tests.schema import violations

SCHEMA: Final = json.loads(
    (Path(__file__).parents[4] / "reports" / "run" / "run.schema.json").read_text(encoding="utf-8")
)
STAYS, GONE, NEW = finding("plan.stays"), finding("plan.gone"), finding("plan.new")
CLASSES: Final = {"K1": "bug"}
BEFORE: Final = run_of(
    result("a/stays", STAYS),
    result("a/mended", GONE),
    result("a/fine"),
    result("a/dropped"),
    result("a/documented", finding("plan.documented")),
    classes=CLASSES,
)
NOW: Final = run_of(
    result("a/stays", STAYS),
    result("a/mended"),
    result("a/fine", NEW),
    result("a/added"),
    result("a/documented", finding("plan.documented", known="K1")),
    classes=CLASSES,
)
SINCE: Final = compare_runs(BEFORE, NOW)


def test_json_says_it_as_the_schema_has_it() -> None:
    tree = json.loads(json.dumps(run_document(NOW, SINCE)))
    assert list(violations(tree, SCHEMA)) == []
    since = tree["since"]
    assert since["new"] == [NEW.signature.digest]
    assert [group["digest"] for group in since["gone"]] == [GONE.signature.digest]
    assert since["new_causes"] == [cause.identifier for cause in NOW.causes if cause.cases == ("a/fine",)]
    assert [cause["cases"] for cause in since["gone_causes"]] == [["a/mended"]]
    assert [(each["before"], each["now"]) for each in since["changed"]] == [("undocumented", "bug K1")]
    assert [since[name] for name in ("worse", "better", "added", "missing")] == [
        ["a/fine"],
        ["a/documented", "a/mended"],
        ["a/added"],
        ["a/dropped"],
    ]
    assert "since" not in run_document(NOW)


def test_sarif_has_the_state_of_each_result_and_a_note_for_what_is_gone() -> None:
    (only,) = json.loads(sarif(NOW, BEFORE))["runs"]
    states = {found["partialFingerprints"]["cause/v1"]: found["baselineState"] for found in only["results"]}
    names = {cause.cases: cause.identifier for cause in NOW.causes}
    assert states == {names[("a/stays",)]: "unchanged", names[("a/fine",)]: "new", "K1": "updated"}
    (note,) = only["invocations"][0]["toolExecutionNotifications"]
    assert note["level"] == "note"
    assert note["message"]["text"].startswith("gone: In the plan, new differs in `gone`")
    assert "baselineState" not in sarif(NOW)


def test_a_case_another_cause_came_to_is_new_there() -> None:
    """Results are compared by case and signature: a known bug in one more case is a new result in SARIF."""
    later = run_of(result("a/stays", STAYS), result("a/fine", STAYS))
    (only,) = json.loads(sarif(later, BEFORE))["runs"]
    states = {
        found["partialFingerprints"]["primaryLocationLineHash"]: found["baselineState"] for found in only["results"]
    }
    assert {name.partition(":")[2]: state for name, state in states.items()} == {
        "a/fine": "new",
        "a/stays": "unchanged",
    }


def test_junit_tells_it_with_the_case_and_as_a_whole_and_fails_nothing_more() -> None:
    root = ElementTree.fromstring(junit_xml(NOW, SINCE))
    output = {test.get("name"): test.findtext("system-out") or "" for test in root.iter("testcase")}
    assert "worse since the earlier run" in output["fine"]
    assert "since" not in output["stays"]
    assert "  gone: new: apply differs: plan.gone" in output["since the earlier run"]
    assert "  new cause: In the plan, new differs in `new` (1, such as a/fine)" in output["since the earlier run"]
    assert "  gone cause: In the plan, new differs in `gone` (1, such as a/mended)" in output["since the earlier run"]
    assert root.get("failures") == ElementTree.fromstring(junit_xml(NOW)).get("failures")


def test_markdown_lists_it_before_the_findings() -> None:
    text = markdown(NOW, since=SINCE)
    part = text[text.index("### Since the earlier run") : text.index("### Causes")]
    assert "- **new cause**: `In the plan, new differs in new`, as in `a/fine`\n" in part
    assert "- **gone cause**: `In the plan, new differs in gone`, as in `a/mended`\n" in part
    assert "- **new**: `new: apply differs: plan.new" in part
    assert "- **gone**: `new: apply differs: plan.gone" in part
    assert "- **another class**: `new: apply differs: plan.documented (value)` was `undocumented`, is `bug K1`" in part
    assert "- **missing**: 1 case: `a/dropped`" in part
    assert "- nothing has changed" in markdown(NOW, since=compare_runs(NOW, NOW))


def test_many_changes_are_counted() -> None:
    many = run_of(*(result(f"a/{number}", finding(f"plan.x{number}")) for number in range(200)))
    since = compare_runs(run_of(), many)
    assert "  and 194 more new" in comparison_lines(since)
    assert "  and 194 more new cause" in comparison_lines(since)
    assert len(markdown(many, 8_000, since)) <= 8_000
    assert "more*" in markdown(many, 8_000, since)


# Figures about the harness


MUTANTS: Final = {
    "by": "corpus",
    "trials": [
        {"id": "B01", "found_by": "corpus/a", "examples": 2, "signature": "new: x"},
        {"id": "B02", "found_by": "", "examples": 9, "signature": ""},
        {"id": "S01", "found_by": "corpus/a", "examples": 1, "signature": "new: y"},
    ],
}
FUZZ: Final = {
    "seed": 3,
    "profile": "default",
    "commit": "abc",
    "stories": 40,
    "stories_per_second": 2.5,
    "valid_share": None,
    "signatures": [],
    "canary": "found",
}


def test_figures_of_mutants_and_stories_are_read_beside_the_run_or_where_they_are_named(tmp_path: Path) -> None:
    (tmp_path / "mutants.json").write_text(json.dumps(MUTANTS))
    (tmp_path / "other.json").write_text(json.dumps(FUZZ))
    assert read_quality(tmp_path).stories is None
    health = read_quality(tmp_path, fuzz=tmp_path / "other.json")
    assert health.benchmark is not None
    assert health.benchmark.found == 2
    assert health.benchmark.classes == [("B", 1, 2), ("S", 1, 1)]
    assert health.stories is not None
    assert (health.stories.canary, health.stories.per_second, health.stories.valid_share) == ("found", 2.5, None)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"by": "corpus", "trials": [{}]}', '{"seed": 1}', "[" * 100_000])
def test_what_is_no_such_file_is_refused_with_the_command_that_writes_one(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(QualityError, match="not what diffharness mutants run --json writes"):
        read_benchmark(file)
    with pytest.raises(QualityError, match="not what diffharness fuzz --json writes"):
        read_fuzz_figures(file)


def test_a_run_without_change_says_so() -> None:
    assert comparison_lines(compare_runs(NOW, replace(NOW))) == ["Nothing has changed since the earlier run."]


# The command


SAMPLE: Final = Path(__file__).parents[2] / "harness" / "execute" / "runs" / "format-1"


def test_the_command_writes_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "mutants.json").write_text(json.dumps(MUTANTS))
    (tmp_path / "fuzz.json").write_text(json.dumps(FUZZ))
    names = {"html": "page.html", "json": "run.json", "junit": "run.xml", "markdown": "run.md", "sarif": "run.sarif"}
    options = [word for name, file in names.items() for word in (f"--{name}", str(tmp_path / file))]
    health = ["--mutants", str(tmp_path / "mutants.json"), "--fuzz", str(tmp_path / "fuzz.json")]
    answer = CliRunner().invoke(commands, ["report", str(SAMPLE), "--against", str(SAMPLE), *health, *options])
    assert answer.stdout.endswith("\nNothing has changed since the earlier run.\n")
    texts = {name: (tmp_path / file).read_text(encoding="utf-8") for name, file in names.items()}
    assert "Destroying an object waits for the change" in texts["html"], "what a mutant breaks is looked up"
    assert json.loads(texts["json"])["since"]["new"] == []
    assert "Nothing has changed" in texts["junit"]
    assert "nothing has changed" in texts["markdown"]
    assert '"baselineState": "unchanged"' in texts["sarif"]


def test_the_command_refuses_a_file_of_another_kind_in_one_message(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    answer = CliRunner().invoke(commands, ["report", str(SAMPLE), "--fuzz", str(tmp_path / "x.json")])
    assert answer.exit_code == 1
    assert answer.stderr.startswith(f"Error: {tmp_path / 'x.json'}: not what diffharness fuzz --json writes")
