"""`diffharness causes` and `report --known`: a run is read, judged and documented, and nothing is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result

from harness.cli.causes import causes
from harness.cli.report import report
from harness.compare.ruling import Ruling
from harness.execute.journal import RunHeader, RunJournal
from tests.unit.harness.findings.sample_results import finding, following, result

CRASH: Final = finding("KeyError in f", ruling=Ruling.CRASH, kind="crash")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a run of three cases: one crashes, and two have another value."""
    monkeypatch.chdir(tmp_path)
    value = finding("state.*.x", field="state.a.x")
    results = [
        result("area/crash", CRASH, following("state", CRASH)),
        result("area/large", value, evidence="much", features=("moved block",)),
        result("area/small", value, features=("moved block",), changes=("C01",)),
    ]
    names = tuple(each.identifier for each in results)
    journal = RunJournal.create(Path("ran"), RunHeader(names, ("legacy", "new"), {}, total=len(names)))
    for each in results:
        Path(each.path).mkdir(parents=True)
        journal.append(each)
    journal.end(1.0, ())
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(causes, ["ran", *words])


def digest_of(title: str) -> str:
    """Return the id of the cause whose line has these words."""
    return next(line.split()[0] for line in call().output.splitlines() if title in line)


def test_causes_are_listed_heaviest_first() -> None:
    lines = call().output.splitlines()
    assert lines[0].split() == ["cause", "weight", "cases", "class", "known", "what", "is", "wrong"]
    assert [line.split()[1:4] for line in lines[1:]] == [["crash", "1", "new"], ["state", "2", "new"]]
    assert "With a moved block" in lines[2]


def test_the_json_has_the_causes_as_the_run_document_has_them(here: Path) -> None:
    assert call("--json", "causes.json").exit_code == 0
    tree = json.loads((here / "causes.json").read_text())
    assert [(each["weight"], each["cases"], each["smallest"]) for each in tree] == [
        (90, ["area/crash"], "area/crash"),
        (50, ["area/large", "area/small"], "area/small"),
    ]


def test_one_cause_is_shown_in_full_by_the_beginning_of_its_id() -> None:
    shown = call(digest_of("crashes")[:4]).output
    assert "crash, 1 case, not documented" in shown
    assert "signatures:\n  new: apply crash: KeyError in f (crash)" in shown
    assert "consequences:\n  new: apply differs: state (value)" in shown
    values = call(digest_of("moved block")).output
    assert "features of its cases alone:\n  moved block" in values
    assert "cases, smallest first:\n  area/small\n  area/large" in values
    assert "state.a.x" in values


def test_an_unknown_id_is_refused() -> None:
    refused = call("zz")
    assert (refused.exit_code, "there is no cause zz in this run" in refused.output) == (2, True)


def test_an_id_that_several_causes_begin_with_is_refused() -> None:
    both = [digest_of("crashes"), digest_of("moved block")]
    documented = call(both[0], "--name", "one", "--class", "bug", "--write", "known.yaml")
    again = call(both[1], "--name", "other", "--class", "bug", "--write", "known.yaml")
    assert (documented.exit_code, again.exit_code) == (0, 0)
    refused = call("o", "--known", "known.yaml")
    assert (refused.exit_code, "several causes begin with o: one, other" in refused.output) == (2, True)


def test_documenting_a_cause_and_judging_again(here: Path) -> None:
    added = call(digest_of("crashes"), "--name", "crashes", "--class", "bug", "--link", "none yet", "--write", "k.yaml")
    assert "Added to k.yaml: it takes away 2 findings in 1 case, none of another cause." in added.output
    assert (here / "k.yaml").read_text() in added.output
    judged = CliRunner().invoke(report, ["ran", "--known", "k.yaml", "--json", "run.json"])
    tree = json.loads((here / "run.json").read_text())
    assert {each["id"]: each["class"] for each in tree["causes"]}["crashes"] == "bug"
    assert (judged.exit_code, tree["cases"]["rulings"]["crash"]) == (1, 0)
    assert CliRunner().invoke(report, ["ran"]).exit_code == 3


def test_the_entry_names_the_smallest_case_from_its_file_and_the_changes_of_the_run(here: Path) -> None:
    (here / "lists").mkdir()
    found = call(digest_of("moved block"), "--name", "v", "--class", "change", "--write", "lists/known.yaml")
    assert found.exit_code == 0
    text = (here / "lists" / "known.yaml").read_text()
    assert "  case: ../area/small\n  changes:\n    - C01\n" in text


def test_a_documented_cause_is_not_documented_twice() -> None:
    identifier = digest_of("crashes")
    call(identifier, "--name", "crashes", "--class", "bug", "--write", "k.yaml")
    twice = call("crashes", "--name", "again", "--class", "bug", "--write", "k.yaml")
    assert (twice.exit_code, "crashes is documented already" in twice.output) == (2, True)


def test_a_name_that_is_taken_leaves_the_list_as_it_was(here: Path) -> None:
    call(digest_of("crashes"), "--name", "one", "--class", "bug", "--write", "k.yaml")
    before = (here / "k.yaml").read_bytes()
    refused = call(digest_of("moved block"), "--name", "one", "--class", "bug", "--write", "k.yaml")
    assert (refused.exit_code, "one is there already" in refused.output) == (1, True)
    assert (here / "k.yaml").read_bytes() == before


def test_a_case_that_is_gone_cannot_be_named(here: Path) -> None:
    (here / "area" / "crash").rmdir()
    refused = call(digest_of("crashes"), "--name", "one", "--class", "bug", "--write", "k.yaml")
    assert (refused.exit_code, "area/crash is not at area/crash any more" in refused.output) == (1, True)
    assert not (here / "k.yaml").exists()


@pytest.mark.parametrize(
    "words", [["--name", "x"], ["{}", "--name", "x"], ["{}", "--write", "k.yaml"], ["--write", "k.yaml"]]
)
def test_half_an_entry_is_refused(words: list[str]) -> None:
    identifier = digest_of("crashes")
    refused = call(*(word.format(identifier) for word in words))
    assert (refused.exit_code, "a new entry needs a CAUSE, --name, --class and --write" in refused.output) == (2, True)
