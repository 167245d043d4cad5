"""Figures that show whether the harness would find a divergence at all: how many mutants it finds, and the figures of a
fuzzing campaign.

Each is measured by a command of its own that takes longer than a run and writes a JSON file. Such a file may come from
an untrusted source: anything malformed is rejected with a one-line message.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

from shared_nodes.record import record

__all__ = [
    "UNKNOWN",
    "Benchmark",
    "FuzzFigures",
    "HarnessQuality",
    "MutantAttempt",
    "QualityError",
    "read_benchmark",
    "read_fuzz_figures",
    "read_quality",
]

_Figures = TypeVar("_Figures")

BENCHMARK_FILE: Final = "mutants.json"
STORIES_FILE: Final = "fuzz.json"
TIMES_SUFFIX: Final = ".times.json"
"""The suffix of the file with the times of a campaign, beside its figures."""
"""Names under which these files are found in the directory of a run."""


class QualityError(Exception):
    """The message names the file, the problem, and the command that writes such a file."""


@record
class MutantAttempt:
    """The attempt to find one mutant."""

    mutant: str
    found_by: str
    """A case or a story; empty if nothing found the mutant."""

    examples: int
    signature: str
    breaks: str = ""
    """What the mutant does wrong, in one sentence, if known."""


@record
class Benchmark:
    by: str
    """`corpus` or `fuzz`."""

    attempts: tuple[MutantAttempt, ...]

    @property
    def found(self) -> int:
        return sum(bool(attempt.found_by) for attempt in self.attempts)

    @property
    def classes(self) -> list[tuple[str, int, int]]:
        """Kinds of mutants, by the first letter of identifiers, with the numbers of found and of all mutants."""
        total = Counter(attempt.mutant[:1] for attempt in self.attempts)
        found = Counter(attempt.mutant[:1] for attempt in self.attempts if attempt.found_by)
        return [(kind, found[kind], count) for kind, count in total.items()]


@record
class FuzzFigures:
    """Figures of a campaign of `diffharness fuzz`."""

    seed: str
    profile: str
    commit: str
    count: int
    per_second: float | None
    """Stories per second, or None if the file with the times is not there."""

    valid_share: float | None
    """Share of valid configurations, or None if none was checked."""

    signatures: int
    canary: str
    """Whether the mutant that every campaign must find was found."""


@record
class HarnessQuality:
    benchmark: Benchmark | None = None
    stories: FuzzFigures | None = None


UNKNOWN: Final = HarnessQuality()


def read_quality(directory: Path, mutants: Path | None = None, fuzz: Path | None = None) -> HarnessQuality:
    """Read the given files, or else those in the directory of the run."""
    benchmark = mutants or _if_exists(directory / BENCHMARK_FILE)
    stories = fuzz or _if_exists(directory / STORIES_FILE)
    return HarnessQuality(
        None if benchmark is None else read_benchmark(benchmark),
        None if stories is None else read_fuzz_figures(stories),
    )


def _if_exists(file: Path) -> Path | None:
    return file if file.is_file() else None


def read_benchmark(file: Path) -> Benchmark:
    return _read(file, _benchmark, "diffharness mutants run --json")


def read_fuzz_figures(file: Path) -> FuzzFigures:
    """Read the figures, and the times beside them. Earlier versions wrote the times into the same file."""
    command = "diffharness fuzz --json"
    times = _if_exists(file.with_suffix(TIMES_SUFFIX))
    per_second = None if times is None else _read(times, _per_second, command)
    figures = _read(file, _stories, command)
    return figures if per_second is None else replace(figures, per_second=per_second)


def _per_second(tree: Mapping[str, Any]) -> float:
    return float(tree["stories_per_second"])


def _read(file: Path, make: Callable[[Any], _Figures], command: str) -> _Figures:
    try:
        return make(json.loads(file.read_text(encoding="utf-8")))
    except OSError as problem:
        raise QualityError(f"{file}: cannot be read: {problem.strerror}") from problem
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise QualityError(f"{file}: not what {command} writes: {type(problem).__name__} {problem}") from problem


def _benchmark(tree: Mapping[str, Any]) -> Benchmark:
    attempts = [
        MutantAttempt(str(each["id"]), str(each["found_by"]), int(each["examples"]), str(each["signature"]))
        for each in tree["trials"]
    ]
    return Benchmark(str(tree["by"]), tuple(attempts))


def _stories(tree: Mapping[str, Any]) -> FuzzFigures:
    return FuzzFigures(
        str(tree["seed"]),
        str(tree["profile"]),
        str(tree["commit"]),
        int(tree["stories"]),
        _per_second(tree) if "stories_per_second" in tree else None,
        None if tree["valid_share"] is None else float(tree["valid_share"]),
        len(tree["signatures"]),
        str(tree["canary"]),
    )
