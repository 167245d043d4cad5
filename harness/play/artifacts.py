"""Writes the files of a replay: one directory per engine and step, with all its inputs and outputs.

    legacy/02-apply-v2/before.tfstate     the state the step began with; after.tfstate: what it left
                       step.tfplan        the plan that was applied
                       graph.txt          the graph that was walked or followed to apply it, as the engine writes it
                       plan.log, ...      what each command of a binary wrote to its standard error stream
                       observation.json   diagnostics, plan, events, calls, not normalised
                       work/              the configuration, and what provisioners wrote there

Unlike reports, these files are not masked: they stay on the machine of the user.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Final

from harness.case.own_output import REPLAY_MARK
from harness.case.steps import Step
from harness.engines.session import Planned
from harness.play.plan_transfer import STATE_BEFORE, save_plan
from harness.play.step_context import StepContext
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.order import EffectOrder
from shared_nodes.record import record
from shared_nodes.values.json import Tree, dumps

__all__ = ["GRAPH_FILE", "ArtifactWriter", "directory_of"]

GRAPH_FILE: Final = "graph.txt"
_AFTER: Final = "after.tfstate"
_OBSERVATION: Final = "observation.json"
_UNUSUAL: Final = re.compile(r"[^\w.-]+")


def directory_of(engine: str) -> str:
    """Return the name of the directory of an engine, whose own name may be a path."""
    return _UNUSUAL.sub("_", engine)


@record(frozen=False)
class ArtifactWriter:
    directory: Path
    watch: Callable[[str, Step, Mapping[str, Tree]], None] = lambda _engine, _step, _observation: None
    """Called after each step."""

    _engine: str = ""
    _steps: int = 0
    _current: Path = field(default_factory=Path)

    def begin_run(self, engine: str) -> None:
        """Remove what an earlier run of the engine has left, and mark the directory as what it is."""
        self._engine, self._steps = engine, 0
        self.directory.mkdir(parents=True, exist_ok=True)
        (self.directory / REPLAY_MARK).touch()
        shutil.rmtree(self._of_engine, ignore_errors=True)

    @property
    def _of_engine(self) -> Path:
        return self.directory / directory_of(self._engine)

    def begin_step(self, step: Step, state: str | None) -> None:
        self._steps += 1
        name = f"{self._steps:02}-{step.operation}-{_UNUSUAL.sub('_', step.config)}"
        self._current = self._of_engine / name
        self._current.mkdir(parents=True)
        if state is not None:
            _write(self._current / STATE_BEFORE, state)

    def end_step(
        self, step: Step, directory: Path | None, observation: Mapping[str, Tree], state: str | None = None
    ) -> None:
        """Write what is known after a step. A recorded engine has no directory: it has not run."""
        if directory is not None:
            shutil.copytree(directory, self._current / "work", symlinks=True)
        drawn = observation.get("execution_graph") or observation.get("graph")
        if isinstance(drawn, str):
            _write(self._current / GRAPH_FILE, drawn)
        _write(self._current / _OBSERVATION, dumps(dict(observation), escape_html=False, indent=2) + "\n")
        if state is not None:
            _write(self._current / _AFTER, state)
        self.watch(self._engine, step, observation)

    def write_recorded_run(self, engine: str, observations: Iterable[Mapping[str, Tree]]) -> None:
        """Write what a recorded engine answered: observations are all there is."""
        self.begin_run(engine)
        for observation in observations:
            if isinstance(config := observation.get("config"), str):
                step = Step(str(observation["op"]), config)
                self.begin_step(step, None)
                self.end_step(step, None, observation)

    def attend(self, _context: StepContext, sink: EventSink) -> None:
        """Write the graph of an apply before its order is observed."""
        forward = sink.ordered
        if forward is None:
            return

        def ordered(order: EffectOrder) -> None:
            forward(order)
            if order.graph is not None:
                _write(self._current / GRAPH_FILE, order.graph.text())

        sink.ordered = ordered

    def save_log(self, command: str, text: str) -> None:
        if text:
            _write(self._current / f"{command}.log", text)

    def save_plan(self, context: StepContext, step: Step, planned: Planned, state: str) -> None:
        save_plan(context, step, planned, state, self._current)


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
