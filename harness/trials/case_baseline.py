"""Judges the cases of a corpus once without any mutant, so that each mutant, and each mix of them, costs only the time
of what it changes.

The observations of each case are kept in a file. With mutants, only the engines that they change are run again, and
only in cases that call a function that one of them changes.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from harness.case.case import CaseError, read_case
from harness.case.unit import Unit, UnitKind, find_units
from harness.execute.local import judge_safely
from harness.findings.result import CaseResult
from harness.mutants.catalogue import mutant_named
from harness.mutants.catalogue.mutant import Mutant
from harness.play.run_spec import RunSpec
from harness.trials.call_coverage import Call, reaches, record_calls
from harness.trials.known_runs import KnownRuns, with_known_runs
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.record import record

__all__ = ["CaseBaseline", "find_cases_of_terraform", "judge_with_mutants", "read_known_runs", "run_case_baseline"]


@record
class CaseBaseline:
    """The outcome of one case without a mutant."""

    unit: Unit
    file: Path
    """The file with its observations, which are large."""

    calls: frozenset[Call]
    result: CaseResult
    has_child_processes: bool
    """Whether parts of it run in processes of their own, where no call is recorded."""

    @property
    def is_usable(self) -> bool:
        """Whether nothing is found without a mutant, so that everything that is found with one is due to it."""
        return not self.result.findings

    def may_show(self, mutant: Mutant) -> bool:
        return self.has_child_processes or reaches(self.calls, mutant)


def find_cases_of_terraform(corpus: Path) -> list[Unit]:
    """Return the cases of a corpus that are about Terraform, each once. Most cases are, and each case of the other
    product would repeat what one of them shows."""
    cases = (unit for unit in find_units([corpus]) if unit.kind is UnitKind.CASE and not unit.flavour)
    return [unit for unit in cases if _is_about_terraform(unit)]


def _is_about_terraform(unit: Unit) -> bool:
    try:
        return read_case(unit.path).flavour == TERRAFORM_1_11.name
    except CaseError:
        return False


def run_case_baseline(unit: Unit, spec: RunSpec, targets: Iterable[str], directory: Path) -> CaseBaseline:
    """Judge a case, record calls of these functions, and write its observations into the directory."""
    known: KnownRuns = {}
    with record_calls(targets, spec.engines) as calls:
        result = judge_safely(unit, spec, adapt_runner=partial(with_known_runs, known=known))
    file = directory / f"{unit.identifier.replace('/', '+')}.observations"
    file.write_bytes(pickle.dumps(known))
    return CaseBaseline(unit, file, frozenset(calls), result, read_case(unit.path).tasks is not None)


def read_known_runs(baseline: CaseBaseline) -> KnownRuns:
    """Return what was observed without a mutant."""
    known: KnownRuns = pickle.loads(baseline.file.read_bytes())
    return known


def judge_with_mutants(
    mutants: Sequence[str], baseline: CaseBaseline, spec: RunSpec, known: KnownRuns | None = None
) -> CaseResult:
    """Judge a case with these mutants at once. Only the engines that they change are run, unless it is known what they
    do with them."""
    changed = {mutant_named(identifier).engine for identifier in mutants}
    others = {key: seen for key, seen in read_known_runs(baseline).items() if key[0] not in changed}
    with_mutants = replace(spec, mutant=",".join(mutants))
    adapt = partial(with_known_runs, known={**others, **(known or {})})
    return judge_safely(baseline.unit, with_mutants, adapt_runner=adapt)
