"""Reuses what an engine was observed to do: a mutant changes one engine, and the others need not run again."""

from __future__ import annotations

from dataclasses import field, fields
from typing import NamedTuple

from harness.engine_settings import NO_SETTINGS, EngineSettings
from harness.observe.observation import Observation
from harness.play.case_runner import CaseRunner
from harness.play.checkpoint import Checkpoint
from harness.play.schedule import Schedule
from shared_nodes.record import record

__all__ = ["KnownRun", "KnownRuns", "with_known_runs"]


class KnownRun(NamedTuple):
    observations: dict[str, Observation]
    checkpoints: dict[str, Checkpoint]
    """Where the run was before each step; empty if that was not asked for."""


KnownRuns = dict[tuple[str, Schedule], KnownRun | Exception]
"""By engine and schedule the run, or the exception that ended it."""


def with_known_runs(runner: CaseRunner, known: KnownRuns, *, with_checkpoints: bool = True) -> CaseRunner:
    """Return a runner that runs each engine under each schedule only once. Known runs are not repeated, and new ones
    are added to them. A run that ends in a crash is not kept. Without checkpoints, no step can be run again from the
    state of another engine, and less has to be kept."""
    inherited = {each.name: getattr(runner, each.name) for each in fields(runner)}
    return _CachingRunner(**inherited, known=known, with_checkpoints=with_checkpoints)


@record
class _CachingRunner(CaseRunner):
    known: KnownRuns = field(default_factory=dict, compare=False)
    with_checkpoints: bool = True

    def run(
        self,
        engine: str,
        schedule: Schedule,
        timeout_s: float,
        changes: frozenset[str] = frozenset(),
        *,
        with_graphs: bool = False,
        kept: dict[str, Checkpoint] | None = None,
        settings: EngineSettings = NO_SETTINGS,
    ) -> dict[str, Observation]:
        found = self.known.get((engine, schedule))
        if isinstance(found, Exception):
            raise found
        if found is None:
            own: dict[str, Checkpoint] = {}
            asked = own if self.with_checkpoints else None
            seen = CaseRunner.run(
                self, engine, schedule, timeout_s, changes, with_graphs=with_graphs, kept=asked, settings=settings
            )
            found = self.known[engine, schedule] = KnownRun(seen, own)
        if kept is not None:
            kept.update(found.checkpoints)
        return found.observations
