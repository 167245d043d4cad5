"""Mixes of mutants: several mistakes at once, of which is known what each does alone.

A real engine has more than one mistake. Whether the harness finds out how many, and which cases belong to which, can
only be measured where that is known. So several mutants are put into the engines at once, all cases that one of them
shows alone are judged, and the causes that are found are compared with the mutants (`mix_score.py`). What mutants do
only together, in cases that none of them shows alone, is not looked for.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Final, Protocol, TypeVar

from harness.case.unit import Unit
from harness.compare.ruling import Ruling
from harness.execute.line_recording import lines_of_unit, partings_of_unit
from harness.findings.executed_lines import ExecutedLines
from harness.findings.partings import Parting
from harness.findings.result import CaseResult
from harness.mutants.activation import can_be_combined
from harness.mutants.catalogue import mutant_named
from harness.mutants.source import targets_of
from harness.play.run_spec import RunSpec
from harness.trials.case_baseline import CaseBaseline, judge_with_mutants, run_case_baseline
from harness.trials.group_testing import Group
from harness.trials.mix_score import CauseCases, MixScore, expect_causes, score_mix
from harness.trials.mutant_truth import (
    CaseTruth,
    Truth,
    as_truth,
    difference_marks,
    find_known_truth,
    find_overlooked,
    find_truth,
    group_mutants,
    merge_truths,
    single_mutants,
)
from harness.trials.trial import Work
from shared_nodes.record import record

__all__ = ["FindCauses", "FoundCause", "Knowledge", "draw_mixes", "learn", "read_knowledge", "try_mix"]

_Item = TypeVar("_Item")

_SIZES: Final = (2, 3, 4, 5)
_SAMPLE: Final = 20
"""Number of cases that are tried with each mutant alone, to learn which mutants show often."""

_KNOWLEDGE: Final = "knowledge.pickle"


class FoundCause(Protocol):
    @property
    def title(self) -> str: ...

    @property
    def cases(self) -> Collection[str]: ...


class FindCauses(Protocol):
    def __call__(self, results: Sequence[CaseResult], /, *, lines: ExecutedLines) -> Sequence[FoundCause]: ...


@record
class Knowledge:
    """What is known before mutants are mixed: what cases do and execute without any mutant, and which of them show
    which one."""

    baselines: tuple[CaseBaseline, ...]
    truth: Truth
    lines: ExecutedLines
    """What both engines execute without any mutant, and where they part even so."""


@record
class _Judged:
    """A case with the mutants of a mix."""

    result: CaseResult
    partings: tuple[Parting, ...]
    """Empty if nothing is found, or if the case cannot be repeated."""


# Learning


def learn(
    units: Sequence[Unit],
    mutants: Sequence[str],
    spec: RunSpec,
    directory: Path,
    *,
    work: Work = map,
    on_case: Callable[[], None] = lambda: None,
) -> Knowledge:
    """Try all mutants alone, and write what is learnt into the directory. `on_case` is called twice per case.

    Where a sample, or a case that is known to show a mutant, shows that groups overlook a mutant because another one
    hides it, this mutant is tried again without a group in every case."""
    targets = tuple(dict.fromkeys(target for name in mutants for target in targets_of(mutant_named(name))))
    judge = partial(run_case_baseline, spec=spec, targets=targets, directory=directory)
    baselines = tuple(_counted(work(judge, units), on_case))
    sample = baselines[:: max(1, len(baselines) // _SAMPLE)]
    alone = partial(_try_alone, spec=spec, work=work)
    first = alone(sample, single_mutants(mutants))
    grouped = alone(baselines, group_mutants(mutants, first), on_case=on_case)
    known = list(work(partial(find_known_truth, mutants=mutants, spec=spec), baselines))
    hidden = find_overlooked(grouped, [*first, *known])
    cases = merge_truths([*grouped, *first, *known, *(alone(baselines, single_mutants(hidden)) if hidden else ())])
    knowledge = Knowledge(baselines, as_truth(mutants, cases), _record_lines(baselines, spec, work))
    (directory / _KNOWLEDGE).write_bytes(pickle.dumps(knowledge))
    return knowledge


def _record_lines(baselines: Iterable[CaseBaseline], spec: RunSpec, work: Work) -> ExecutedLines:
    units = [each.unit for each in baselines if each.is_usable and not each.has_child_processes]
    names = [unit.identifier for unit in units]
    lines = dict(zip(names, work(partial(lines_of_unit, spec=spec), units), strict=True))
    partings = dict(zip(names, work(partial(partings_of_unit, spec=spec), units), strict=True))
    return ExecutedLines.of(lines, spec.engines, partings)


def _try_alone(
    baselines: Iterable[CaseBaseline],
    groups: Sequence[Group],
    *,
    spec: RunSpec,
    work: Work,
    on_case: Callable[[], None] = lambda: None,
) -> list[CaseTruth]:
    return list(_counted(work(partial(find_truth, groups=groups, spec=spec), baselines), on_case))


def _counted(items: Iterable[_Item], on_item: Callable[[], None]) -> Iterator[_Item]:
    for item in items:
        on_item()
        yield item


def read_knowledge(directory: Path) -> Knowledge | None:
    """Return what was learnt in this directory before, or None."""
    return _read(directory / _KNOWLEDGE) if (directory / _KNOWLEDGE).is_file() else None


@lru_cache(maxsize=1)
def _read(file: Path) -> Knowledge:
    knowledge: Knowledge = pickle.loads(file.read_bytes())
    return knowledge


# Mixing


def draw_mixes(truth: Truth, count: int, seed: int) -> list[tuple[str, ...]]:
    """Draw mixes of mutants that some case shows and that can be combined. Every number of mutants is as likely."""
    random, shown = Random(seed), sorted(name for name, cases in truth.items() if cases)
    sizes = [size for size in _SIZES if size <= len(shown)]
    mixes: list[tuple[str, ...]] = []
    while sizes and len(mixes) < count:
        size = random.choice(sizes)
        mix = tuple(sorted(random.sample(shown, size)))
        while not can_be_combined(mix):
            mix = tuple(sorted(random.sample(shown, size)))
        mixes.append(mix)
    return mixes


def try_mix(mix: Sequence[str], directory: Path, spec: RunSpec, find_causes: FindCauses) -> MixScore:
    """Judge the cases that show one of the mutants with all of them, find causes among all results, and score them. The
    results are kept in the directory, so that another search for causes need not wait for the engines."""
    knowledge = read_knowledge(directory)
    assert knowledge is not None, directory
    file = directory / f"{'+'.join(mix)}.results"
    if not file.is_file():
        file.write_bytes(zlib.compress(pickle.dumps(_judge_mix(mix, knowledge, spec))))
    judged: dict[str, _Judged] = pickle.loads(zlib.decompress(file.read_bytes()))
    found = {name: each.result for name, each in judged.items()}
    results = [found.get(each.unit.identifier, each.result) for each in knowledge.baselines if each.is_usable]
    parted = {name: each.partings for name, each in judged.items() if each.partings}
    lines = replace(knowledge.lines, partings={**knowledge.lines.partings, **parted})
    causes = [CauseCases(cause.title, frozenset(cause.cases)) for cause in find_causes(results, lines=lines)]
    seen = {result.identifier: difference_marks(result) for result in results if result.findings}
    return score_mix(expect_causes(mix, knowledge.truth, seen), causes)


def _judge_mix(mix: Sequence[str], knowledge: Knowledge, spec: RunSpec) -> dict[str, _Judged]:
    shown = {case for name in mix for case in knowledge.truth[name]}
    affected = [each for each in knowledge.baselines if each.unit.identifier in shown]
    return {each.unit.identifier: _judge_case(mix, each, knowledge, spec) for each in affected}


def _judge_case(mix: Sequence[str], baseline: CaseBaseline, knowledge: Knowledge, spec: RunSpec) -> _Judged:
    result = judge_with_mutants(mix, baseline, spec)
    is_repeatable = result.ruling is not Ruling.HANG and baseline.unit.identifier in knowledge.lines.cases
    with_mutants = replace(spec, mutant=",".join(mix))
    return _Judged(result, partings_of_unit(baseline.unit, with_mutants) if result.findings and is_repeatable else ())
