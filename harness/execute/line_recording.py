"""Records which lines engines execute in the cases of a run, and where engines part, so that these tell causes apart.

This is done after the run, and only if at least two cases have findings of engines in process that are not documented:
those cases are run twice more, and some of the others, which show what does not lead to the findings. Both are limited,
because this makes a run longer; of more cases, some are chosen at equal distances. Results are not touched. In a small
run nothing is recorded, because lines of few cases mislead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from harness.case.features import TASKS
from harness.case.unit import Unit, UnitKind
from harness.compare.ruling import Ruling
from harness.engines.chain import engines_of
from harness.engines.external import is_external
from harness.engines.recorded import is_recorded
from harness.engines.registry import engine_module
from harness.execute.call_tracer import trace_calls
from harness.execute.execution import ExecutionOptions, RunnerName
from harness.execute.line_tracer import trace_lines
from harness.execute.local import LocalRunner
from harness.findings.executed_lines import CaseLines, ExecutedLines
from harness.findings.partings import Parting, find_partings
from harness.findings.result import CaseResult
from harness.play.run_spec import RunSpec
from harness.worker_pool import start_pool

__all__ = ["lines_of_unit", "partings_of_unit", "record_lines"]

_MOST_SHOWING: Final = 400
_MOST_OTHERS: Final = 400
"""Each case takes four times as long as in the run before Python 3.12, hardly longer since."""

_FEWEST_SHOWING: Final = 2
_FEWEST: Final = 200
_SHARED: Final = "shared_nodes"
_UNREPEATABLE: Final = (Ruling.HANG, Ruling.OVER_BUDGET)

_PAIR: Final = 2
_SLOWER: Final = 10.0
"""How many times as long a case may take while its calls are recorded."""


_Observed = tuple[CaseLines, tuple[Parting, ...]]
_Each = TypeVar("_Each")


def record_lines(
    units: Sequence[Unit],
    results: Iterable[CaseResult],
    spec: RunSpec,
    options: ExecutionOptions,
    on_case: Callable[[int, int], None] = lambda _done, _total: None,
) -> ExecutedLines | None:
    """Return the lines of the chosen cases, or None if there is nothing to tell apart, or if a worker was lost. A case
    that cannot be repeated, or parts of which run in processes of their own, has none. After each case, `on_case` is
    called with the number of cases that are done, and of all."""
    engines = tuple(engine for engine in spec.engines if not is_external(engine) and not is_recorded(engine))
    by_name = {result.identifier: result for result in results}
    able = [unit for unit in units if unit.identifier in by_name and _is_repeatable(unit, by_name[unit.identifier])]
    showing = [unit for unit in able if _shows(by_name[unit.identifier], engines)]
    others = [unit for unit in able if not by_name[unit.identifier].findings]
    if len(showing) < _FEWEST_SHOWING or len(showing) + len(others) < _FEWEST:
        return None
    chosen = [*_some(showing, _MOST_SHOWING), *_some(others, _MOST_OTHERS)]
    observe = partial(_observe, spec=replace(spec, engines=engines))
    try:
        found: dict[str, _Observed] = {}
        for unit, observed in zip(chosen, _map(observe, chosen, options), strict=True):
            found[unit.identifier] = observed
            on_case(len(found), len(chosen))
    except BrokenExecutor:
        return None
    return ExecutedLines.of(
        {name: lines for name, (lines, _) in found.items() if lines},
        engines,
        {name: partings for name, (lines, partings) in found.items() if lines},
    )


def _observe(unit: Unit, spec: RunSpec) -> _Observed:
    return lines_of_unit(unit, spec), partings_of_unit(unit, spec)


def lines_of_unit(unit: Unit, spec: RunSpec) -> CaseLines:
    """Run a unit once by each engine, and return the lines that they executed."""
    modules = (engine_module(engine) for name in spec.engines for engine in engines_of(name))
    packages = sorted({_SHARED, *(module.partition(".")[0] for module in modules)})
    once = replace(spec, schedules=spec.schedules[:1], baseline_schedules=())
    with LocalRunner(once) as runner, trace_lines(packages) as lines:
        for _ in runner.judge([unit]):
            pass
    return dict(lines)


def partings_of_unit(unit: Unit, spec: RunSpec) -> tuple[Parting, ...]:
    """Run a unit once by each engine, and return where they part. It is not known of a chain, and not of engines that
    are the same module, or more than two."""
    modules = [engine_module(engine) for name in spec.engines for engine in engines_of(name)]
    if len(spec.engines) != _PAIR or len(set(modules)) != _PAIR or len(modules) != _PAIR:
        return ()
    patient = replace(spec, schedules=spec.schedules[:1], baseline_schedules=(), timeout_s=spec.timeout_s * _SLOWER)
    with LocalRunner(patient) as runner, trace_calls(modules) as calls:
        for _ in runner.judge([unit]):
            pass
    baseline, candidate = modules
    return find_partings(calls[baseline], calls[candidate])


def _map(observe: Callable[[Unit], _Observed], units: Sequence[Unit], options: ExecutionOptions) -> Iterator[_Observed]:
    if options.runner is RunnerName.LOCAL:
        yield from map(observe, units)
        return
    with start_pool(options.jobs) as pool:
        yield from pool.map(observe, units, chunksize=8)


def _is_repeatable(unit: Unit, result: CaseResult) -> bool:
    if result.ruling in _UNREPEATABLE or result.attempts > 1:
        return False
    return unit.kind is not UnitKind.CASE or (result.flavour != "" and TASKS not in result.features)


def _shows(result: CaseResult, engines: Sequence[str]) -> bool:
    return any(not finding.known and finding.signature.subject in engines for finding in result.findings)


def _some(items: Sequence[_Each], most: int) -> Sequence[_Each]:
    """Return at most so many of the items, at equal distances."""
    return [items[number * len(items) // most] for number in range(most)] if len(items) > most else items
