"""Runs the steps of a case by a chain of engines, each of which continues the state that the one before has left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from harness.case.steps import Step
from harness.engines.chain import Chain, Link
from harness.play.artifacts import ArtifactWriter
from harness.play.case_run import StepOutcome, StepRunner
from harness.play.checkpoint import EngineMemory
from harness.play.external_step import BinarySteps
from harness.play.mock_objects import MockObjects
from harness.play.step_context import StepContext
from harness.play.step_runner import EngineSteps
from shared_nodes.record import record

__all__ = ["ChainSteps", "chain_steps"]


@record(frozen=False)
class ChainSteps:
    """Runs the steps of one run by a chain. A validation is not a link of it, since it neither reads nor writes the
    state: the engine of the next step validates."""

    chain: Chain
    steps: Mapping[Link, StepRunner]
    """What runs the steps of each link. They share everything that outlives a step."""

    _done: int = 0

    def run(self, directory: Path, step: Step, state: str | None, *, until_killed: bool = False) -> StepOutcome:
        steps = self._next
        if step.operation != "validate":
            self._done += 1
        return steps.run(directory, step, state, until_killed=until_killed)

    def remember(self) -> EngineMemory | None:
        return self._next.remember()

    def recall(self, memory: EngineMemory) -> None:
        for steps in self.steps.values():
            steps.recall(memory)

    @property
    def _next(self) -> StepRunner:
        return self.steps[self.chain.link_of(self._done)]


def chain_steps(
    chain: Chain,
    contexts: Mapping[str, StepContext],
    binaries: Mapping[str, BinarySteps],
    artifacts: ArtifactWriter | None = None,
) -> ChainSteps:
    """Return what runs the steps of a chain. Each of its engines has a context, which is in the same world and cloud as
    the others, or is a binary."""
    objects = MockObjects()

    def steps_of(link: Link) -> StepRunner:
        is_handed_over = link.planner != link.applier
        if link.planner in binaries:
            applied_by = binaries[link.applier].binary if is_handed_over else None
            return replace(binaries[link.planner], applied_by=applied_by, objects=objects)
        applying = contexts[link.applier] if is_handed_over else None
        return EngineSteps(contexts[link.planner], artifacts, objects, applying)

    return ChainSteps(chain, {link: steps_of(link) for link in chain.links})
