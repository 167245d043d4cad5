"""Stories are run once without mutants; with a mutant, exactly the runs that could differ are repeated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import harness.trials.baseline as baselines
from harness.compare.ruling import Ruling
from harness.findings.signature import Signature
from harness.generate.campaign import BATCH_SIZE, CampaignOptions, StoryTask, run_task, story_of_task
from harness.generate.story import GeneratedStory
from harness.mutants.activation import apply_mutant
from harness.mutants.catalogue import MUTANTS
from harness.mutants.catalogue.mutant import Mutant
from harness.mutants.source import targets_of
from harness.play.case_runner import CaseRunner
from harness.play.schedule import Schedule
from harness.trials.baseline import Baseline, findings_with, run_baseline
from harness.trials.call_coverage import reaches, record_calls
from harness.trials.trial import MutantTrial, try_stories
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.resource import AbsResourceInstance, Resource, ResourceMode
from shared_nodes.nodes.statements.removed import removed_destroys

THING = AbsResourceInstance(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "sim_thing", "a"), None)
TERMS = CampaignOptions(schedules=2)
GROSS = MUTANTS["M20"]
"""A mutant that any story with a planned object shows."""


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Schedule]]:
    """Return the engines that are really run, with their schedules."""
    plays: list[tuple[str, Schedule]] = []
    original = CaseRunner.run

    def run(runner: CaseRunner, engine: str, schedule: Schedule, *arguments: Any, **options: Any) -> Any:
        plays.append((engine, schedule))
        return original(runner, engine, schedule, *arguments, **options)

    monkeypatch.setattr(CaseRunner, "run", run)
    return plays


def baseline(index: int, directory: Path, mutants: Iterable[Mutant] = (GROSS,)) -> Baseline:
    return run_baseline(StoryTask(TERMS, index), [target for one in mutants for target in targets_of(one)], directory)


def test_calls_are_recorded_by_engine_and_nothing_is_left_behind() -> None:
    (target,) = targets_of(MUTANTS["M16"])
    before = removed_destroys.__code__
    with record_calls([target], ["legacy", "new"]) as calls:
        assert not calls
        assert removed_destroys([], THING) is None
    assert calls == {("", target)}
    assert removed_destroys.__code__ is before


def test_shared_code_is_reached_by_its_own_engine_only() -> None:
    shared, own = MUTANTS["M16"], MUTANTS["S16"]
    (shared_target,), (own_target,) = targets_of(shared), targets_of(own)
    assert reaches({("new", shared_target)}, shared)
    assert not reaches({("legacy", shared_target)}, shared)
    assert reaches({("", own_target)}, own)
    assert not reaches({("new", shared_target)}, own)


def test_what_a_story_reaches_is_noted_for_both_engines(tmp_path: Path) -> None:
    one = baseline(1, tmp_path)
    (target,) = targets_of(GROSS)
    assert {("legacy", target), ("new", target)} <= one.calls


def test_only_the_engine_of_the_mutant_plays_again_and_only_once(
    tmp_path: Path, runs: list[tuple[str, Schedule]]
) -> None:
    one = baseline(1, tmp_path)
    assert {engine for engine, _ in runs} == {"legacy", "new"}
    assert len(runs) == 2
    runs.clear()
    assert findings_with(GROSS, one)
    assert [engine for engine, _ in runs] == ["new"]


def test_a_story_that_does_not_reach_a_mutant_is_not_played(tmp_path: Path, runs: list[tuple[str, Schedule]]) -> None:
    one = replace(baseline(1, tmp_path), calls=frozenset(), law_calls=frozenset())
    runs.clear()
    assert findings_with(GROSS, one) == []
    assert runs == []


def test_what_a_baseline_keeps_is_what_would_have_been_seen(tmp_path: Path) -> None:
    """A mutant that changes nothing is not found, and one that a campaign finds is found with the same signature."""
    harmless = replace(GROSS, change=" context.events.emit(event)\n+pass\n return halt(context)\n")
    for index in (1, 2, 3):
        one = baseline(index, tmp_path)
        assert findings_with(harmless, one) == []
        with apply_mutant(GROSS):
            found = {finding.signature for finding in run_task(StoryTask(TERMS, index)).result.findings}
        assert {finding.signature for finding in findings_with(GROSS, one)} <= found


def test_what_is_found_without_the_mutant_does_not_count(tmp_path: Path) -> None:
    one = baseline(1, tmp_path)
    known = frozenset(finding.signature for finding in findings_with(GROSS, one))
    assert findings_with(GROSS, replace(one, signatures=known)) == []


def test_a_story_whose_outcome_varies_by_itself_shows_nothing(tmp_path: Path) -> None:
    """A difference of the engine with the mutant may be a coincidence there."""
    one = baseline(1, tmp_path)
    assert one.may_show(GROSS)
    for ruling in (Ruling.NOISE, Ruling.FLAKY):
        varying = Signature("legacy", "apply", ruling, "state", "value")
        assert not replace(one, signatures=frozenset({varying})).may_show(GROSS)


def _stable(trials: Iterable[MutantTrial]) -> list[MutantTrial]:
    return [replace(trial, seconds=0.0) for trial in trials]


def test_the_same_seed_gives_the_same_table_whatever_else_is_tried() -> None:
    """Alone or together with others, a mutant is found by the same story."""
    chosen = [MUTANTS[name] for name in ("M01", "M20")]
    *_, together = try_stories(chosen, TERMS, 6)
    alone = [list(try_stories([one], TERMS, 6))[-1][0] for one in chosen]
    assert _stable(together) == _stable(alone)
    assert all(trial.found_by for trial in together)


def test_no_story_is_generated_once_all_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    generated: list[int] = []

    def noted(task: StoryTask) -> GeneratedStory:
        generated.append(task.index)
        return story_of_task(task)

    monkeypatch.setattr(baselines, "story_of_task", noted)
    *_, (trial,) = try_stories([GROSS], TERMS, 100)
    assert trial.found_by
    assert max(generated) < BATCH_SIZE
