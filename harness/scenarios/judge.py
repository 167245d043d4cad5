"""One case through one engine, and a verdict.

Steps after a difference are still run, since a recording tells most where several steps agree, but a case is judged by
its first difference. A crash or a hang of the engine is a verdict of its own, never a difference.
"""

from __future__ import annotations

import shutil
import signal
import tempfile
import traceback
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Final, cast

import trio

from harness.engines.registry import engine_named
from harness.scenarios.case import GOLDEN_FILE, Case, CaseError, Step, read_case, read_golden
from harness.scenarios.compare import Difference, compare_step, compare_verdict
from harness.scenarios.normalise import Names
from harness.scenarios.step import Stage, run_step
from shared_nodes.flavour import FLAVOURS
from shared_nodes.processes import REAL
from shared_nodes.values.json import Tree
from shared_nodes.world import World

__all__ = ["Agreement", "Verdict", "judge_case", "judge_cases"]

_NOW: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PATIENCE_S: Final = 60
"""No recorded case takes a second; one that takes this long hangs."""


class Agreement(StrEnum):
    AGREES = "agrees"
    DETAILS = "details differ"
    DIFFERS = "differs"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`differences` are told with their step: "step 2 (apply v2)", or "validate v1" for a verdict on a directory."""

    area: str
    identifier: str
    agreement: Agreement
    differences: tuple[tuple[str, Difference], ...] = ()
    crash: str = ""

    @property
    def first(self) -> str:
        """The first thing that is wrong, in one text."""
        if self.agreement is Agreement.CRASHED:
            return self.crash.strip().rpartition("\n")[2]
        serious = [found for found in self.differences if not found[1].is_detail]
        where, difference = (serious or self.differences)[0]
        return f"{where}: {difference}"


class _Hang(BaseException):
    """Not an Exception, so that nothing in an engine can take it for one of its own."""


def judge_cases(
    directories: Iterable[Path], engine: str = "legacy", *, jobs: int = 1, parallelism: int = 10, seed: int = 0
) -> Iterator[Verdict]:
    """Verdicts in the order of the directories, as they become known."""
    judge = partial(judge_case, engine=engine, parallelism=parallelism, seed=seed)
    if jobs <= 1:
        yield from map(judge, directories)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("forkserver")) as pool:
        yield from pool.map(judge, directories, chunksize=4)


def judge_case(directory: Path, engine: str = "legacy", *, parallelism: int = 10, seed: int = 0) -> Verdict:
    try:
        case = read_case(directory)
        golden = read_golden(case)
        if golden is None:
            raise CaseError(f"{directory / GOLDEN_FILE}: missing, so there is nothing to hold the outcome against")
    except CaseError as problem:
        return Verdict(
            directory.parent.name, f"{directory.parent.name}/{directory.name}", Agreement.CRASHED, (), str(problem)
        )
    try:
        with _limited_time(), tempfile.TemporaryDirectory(prefix="diffharness-") as place:
            stage = _stage(case, engine, Path(place), parallelism, seed)
            differences = tuple(_differences(case, golden, stage, Path(place)))
    except (_Hang, trio.TooSlowError):
        crash = f"{traceback.format_exc()}\nhung: no end after {PATIENCE_S} s"
        return Verdict(case.area, case.identifier, Agreement.CRASHED, (), crash)
    except Exception as crash:  # whatever escapes an engine is its crash, and the verdict on this case
        return Verdict(case.area, case.identifier, Agreement.CRASHED, (), _told(crash))
    return Verdict(case.area, case.identifier, _agreement(differences), differences)


def _told(crash: BaseException) -> str:
    """The traceback, ending with the crash itself: concurrent code wraps it into groups that say nothing."""
    text = traceback.format_exc()
    while isinstance(crash, BaseExceptionGroup):
        crash = crash.exceptions[0]
    return text + "".join(traceback.format_exception_only(crash))


def _agreement(differences: Iterable[tuple[str, Difference]]) -> Agreement:
    kinds = {difference.is_detail for _, difference in differences}
    if False in kinds:
        return Agreement.DIFFERS
    return Agreement.DETAILS if kinds else Agreement.AGREES


@contextmanager
def _limited_time() -> Iterator[None]:
    """For an engine that computes without end: one that waits without end was told to stop long before."""

    def expired(_signal: int, _frame: FrameType | None) -> None:
        raise _Hang

    before = signal.signal(signal.SIGALRM, expired)
    signal.setitimer(signal.ITIMER_REAL, 2 * PATIENCE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _differences(case: Case, golden: Mapping[str, Tree], stage: Stage, place: Path) -> Iterator[tuple[str, Difference]]:
    """Everything of one case that is not as recorded, in the order of its steps."""
    names = Names(_given_text(case), _NOW, _NOW)
    for name, expected in cast("Mapping[str, Mapping[str, Tree]]", golden.get("validate") or {}).items():
        step = Step("validate", name)
        with _fresh_directory(case, step, place) as directory:
            got, _ = run_step(stage.at(directory), step, None, PATIENCE_S)
            got = names.normalised(got, str(directory))
        yield from ((f"validate {name}", difference) for difference in compare_verdict(expected, got))
    state = (case.directory / case.prior_state).read_text(encoding="utf-8") if case.prior_state is not None else None
    for position, (step, recorded) in enumerate(zip(case.steps, cast("list[Tree]", golden["steps"]), strict=True), 1):
        with _fresh_directory(case, step, place) as directory:
            got, state = run_step(stage.at(directory), step, state, PATIENCE_S)
            got = names.normalised(got, str(directory))
        where = f"step {position} ({step.operation} {step.config})"
        found = compare_step(cast("Mapping[str, Tree]", recorded), got)
        yield from ((where, difference) for difference in found)


def _stage(case: Case, engine: str, place: Path, parallelism: int, seed: int) -> Stage:
    world = World.confined(place, case.seed, _NOW, processes=REAL)
    return Stage(engine_named(engine), world, FLAVOURS[case.flavour], parallelism, seed)


@contextmanager
def _fresh_directory(case: Case, step: Step, place: Path) -> Iterator[Path]:
    """A copy of the step's configuration: what a provisioner writes there is gone before the next step."""
    directory = place / step.config
    shutil.copytree(case.directory / step.config, directory)
    try:
        yield directory
    finally:
        shutil.rmtree(directory)


def _given_text(case: Case) -> str:
    """All text of the case itself. Bytes that are no text cannot hold an identifier."""
    files = sorted(path for path in case.directory.rglob("*") if path.is_file() and path.name != GOLDEN_FILE)
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)
