"""Several mutants at once: what each does alone is found out first, then causes are compared with the mutants."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from harness.case.unit import Unit, UnitKind
from harness.cli import mutant_mixes
from harness.cli.mutants import mutants
from harness.engines.registry import DEFAULT_ENGINES
from harness.findings.finding import leading
from harness.findings.result import CaseResult
from harness.mutants.activation import can_be_combined
from harness.mutants.catalogue import MUTANTS
from harness.mutants.catalogue.known_cases import KNOWN_CASES
from harness.play.case_runner import CaseRunner
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule
from harness.trials.case_baseline import find_cases_of_terraform, judge_with_mutants, run_case_baseline
from harness.trials.mix_cache import knowledge_directory
from harness.trials.mixes import Knowledge, draw_mixes, learn, read_knowledge, try_mix
from harness.trials.mutant_truth import (
    CaseTruth,
    difference_marks,
    find_overlooked,
    find_truth,
    group_mutants,
    merge_truths,
    single_mutants,
)

CORPUS: Final = Path(__file__).parents[4] / "corpus"
CASES: Final = (
    "cases/checks/failing_assertion",
    "cases/moved/both_addresses_are_taken",
    "cases/destroy/output_no_longer_declared",
    "conformance/scenarios/removed/removed-still-declared",
)
SPEC: Final = RunSpec(DEFAULT_ENGINES, trusted=(CORPUS,), timeout_s=10)
NAMES: Final = ("S22", "S41", "S51")
"""Mutants of which each shows in one of the cases, and in no other."""


def units() -> list[Unit]:
    return [Unit(UnitKind.CASE, CORPUS / case) for case in CASES]


@dataclass(frozen=True, slots=True)
class Cause:
    title: str
    cases: tuple[str, ...]


def causes_by_signature(results: Sequence[CaseResult], **_lines: object) -> list[Cause]:
    """One cause for each signature that is the first of a case."""
    found: dict[str, list[str]] = {}
    for result in results:
        for finding in leading(result.findings):
            found.setdefault(str(finding.signature), []).append(result.identifier)
    return [Cause(title, tuple(cases)) for title, cases in sorted(found.items())]


def one_cause(results: Sequence[CaseResult], **_lines: object) -> list[Cause]:
    return [Cause("everything", tuple(result.identifier for result in results if result.findings))]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("knowledge")
    learn(units(), NAMES, SPEC, directory)
    return directory


@pytest.fixture(scope="module")
def knowledge(directory: Path) -> Knowledge:
    knowledge = read_knowledge(directory)
    assert knowledge is not None
    return knowledge


def test_the_truth_is_what_each_mutant_shows_alone(knowledge: Knowledge) -> None:
    assert {name: list(cases) for name, cases in knowledge.truth.items()} == {
        "S22": ["moved/both_addresses_are_taken"],
        "S41": ["checks/failing_assertion"],
        "S51": ["removed/removed-still-declared"],
    }


def test_the_truth_is_the_same_for_groups_for_single_mutants_and_for_judged_cases(knowledge: Knowledge) -> None:
    groups = group_mutants(NAMES, [CaseTruth("of a sample", {})] * 20)
    assert [len(group.members) for group in groups] == [len(NAMES)]
    for baseline in knowledge.baselines:
        judged = {name: difference_marks(judge_with_mutants([name], baseline, SPEC)) for name in NAMES}
        shown = {name: marks for name, marks in judged.items() if marks}
        for some in (groups, single_mutants(NAMES)):
            assert find_truth(baseline, some, SPEC) == CaseTruth(baseline.unit.identifier, shown)


def test_mutants_that_others_hide_are_in_the_truth(tmp_path: Path) -> None:
    """C03 hides L04 in the known case of L04, and S35 hides S65, if they are active at once."""
    names = ("C03", "L04", "S35", "S65")
    known = [Unit(UnitKind.CASE, CORPUS / case) for case in dict.fromkeys(KNOWN_CASES[name] for name in names)]
    truth = learn(known, names, SPEC, tmp_path).truth
    assert {name for name in names if "/".join(KNOWN_CASES[name].split("/")[-2:]) in truth[name]} == set(names)


def test_a_mutant_that_a_group_overlooks_is_found_by_what_it_does_alone() -> None:
    grouped = [CaseTruth("a/b", {"S22": frozenset("1")}), CaseTruth("a/c", {})]
    alone = [CaseTruth("a/b", {"S22": frozenset("1"), "S41": frozenset("2")})]
    assert find_overlooked(grouped, alone) == ["S41"]
    assert find_overlooked(grouped, grouped) == []
    assert merge_truths([*grouped, *alone]) == [alone[0], grouped[1]]


def test_mutants_that_are_told_apart_are_perfect(directory: Path) -> None:
    score = try_mix(NAMES, directory, SPEC, causes_by_signature)
    assert score.showing == NAMES
    assert score.is_exact
    assert sorted(name for name, _ in score.causes) == sorted(NAMES)


def test_mutants_that_are_thrown_together_are_not(directory: Path) -> None:
    score = try_mix(("S22", "S41"), directory, SPEC, one_cause)
    assert not score.is_perfect
    assert "S41 is merged" in " ".join(score.problems) or "S22 is merged" in " ".join(score.problems)


def test_the_lines_of_every_usable_case_are_known(knowledge: Knowledge) -> None:
    usable = [each for each in knowledge.baselines if each.is_usable and not each.has_child_processes]
    assert knowledge.lines.cases == tuple(sorted(each.unit.identifier for each in usable))
    assert knowledge.lines.engines == SPEC.engines
    assert {line.file.partition("/")[0] for group in knowledge.lines.groups for line in group.lines} == {
        "shared_nodes",
        "legacy_engine",
        "new_engine",
    }


def test_results_of_a_mix_are_kept(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another search for causes gets the same results, and no engine runs."""
    first = try_mix(NAMES, directory, SPEC, causes_by_signature)
    monkeypatch.setattr(CaseRunner, "run", lambda *_arguments, **_named: pytest.fail("an engine ran"))
    assert try_mix(NAMES, directory, SPEC, causes_by_signature) == first
    assert try_mix(NAMES, directory, SPEC, one_cause) != first


def test_only_the_engine_of_the_mutants_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    original = CaseRunner.run

    def run(runner: CaseRunner, engine: str, schedule: Schedule, *arguments: Any, **options: Any) -> Any:
        ran.append(engine)
        return original(runner, engine, schedule, *arguments, **options)

    monkeypatch.setattr(CaseRunner, "run", run)
    baseline = run_case_baseline(units()[0], SPEC, (), tmp_path)
    assert ran == ["legacy", "new"]
    for mix, engines in ((["S41"], ["new"]), (["S07"], ["legacy"]), (["S41", "S07"], ["legacy", "new"])):
        ran.clear()
        judge_with_mutants(mix, baseline, SPEC)
        assert ran == engines


def test_a_case_that_runs_in_other_processes_is_tried_with_every_mutant(tmp_path: Path) -> None:
    """Calls are not recorded there."""
    killed = run_case_baseline(Unit(UnitKind.CASE, CORPUS / "stories" / "crash_and_resume"), SPEC, (), tmp_path)
    assert all(killed.may_show(mutant) for mutant in MUTANTS.values())


def test_mixes_are_drawn_from_what_shows_and_can_be_combined() -> None:
    truth = {name: {"a/b": frozenset("1")} for name in MUTANTS} | {"M20": {}}
    mixes = draw_mixes(truth, 30, 1)
    assert mixes == draw_mixes(truth, 30, 1) != draw_mixes(truth, 30, 2)
    assert {len(mix) for mix in mixes} == {2, 3, 4, 5}
    assert all(map(can_be_combined, mixes))
    assert not any("M20" in mix for mix in mixes)
    assert draw_mixes({"M20": {"a/b": frozenset("1")}}, 3, 1) == []


def test_cases_of_the_other_product_are_left_out() -> None:
    assert find_cases_of_terraform(CORPUS / "conformance" / "opentofu") == []
    assert len(find_cases_of_terraform(CORPUS / "cases" / "checks")) > 3


def test_knowledge_is_renewed_if_a_case_changes(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    shutil.copytree(CORPUS / CASES[0], corpus / "checks" / "one")
    before = knowledge_directory(tmp_path, corpus, NAMES)
    assert knowledge_directory(tmp_path, corpus, NAMES) == before
    assert knowledge_directory(tmp_path, corpus, NAMES[:2]) != before
    (corpus / "checks" / "one" / "notes.txt").write_text("x")
    assert knowledge_directory(tmp_path, corpus, NAMES) != before


def _mix(tmp_path: Path, jobs: int) -> tuple[str, Any]:
    corpus, file = tmp_path / "corpus", tmp_path / f"{jobs}.json"
    for unit in units():
        shutil.copytree(unit.path, corpus / unit.identifier, dirs_exist_ok=True)
    options = ["--mixes", "3", "--corpus", str(corpus), "--json", str(file), "--jobs", str(jobs)]
    result = CliRunner().invoke(mutants, ["mix", *NAMES, *options], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output, json.loads(file.read_text())


def test_the_command_prints_the_figures_whatever_the_number_of_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutant_mixes, "find_causes", causes_by_signature)
    text, document = _mix(tmp_path, 1)
    assert "3 of 3 mixes perfect, 100%; 3 of them exact" in text
    assert "purity 1.000; 1.00 causes per mutant" in text
    assert (document["perfect"], document["purity"], document["causes_per_mutant"]) == (3, 1, 1)
    assert document["truth"]["S41"] == ["checks/failing_assertion"]
    assert _mix(tmp_path, 2) == (text, document)


def test_too_few_mutants_are_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutant_mixes, "find_causes", causes_by_signature)
    result = CliRunner().invoke(mutants, ["mix", "S41", "--corpus", str(CORPUS / CASES[0])])
    assert result.exit_code == 2
    assert "fewer than two of these mutants" in result.output
    result = CliRunner().invoke(mutants, ["mix", "--corpus", str(tmp_path / "nowhere")])
    assert result.exit_code == 2
    assert "there is no directory" in result.output
