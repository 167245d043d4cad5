"""Whether a harness that finds nothing could have found anything: how many mutants it finds, and what a campaign of
made-up stories was like.

Both are measured by commands of their own, take longer than a run, and leave a JSON file. A file may come from a
stranger: what is not of the form those commands write is refused, in one sentence.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

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
"""In the directory of a run these are found without being named."""


class QualityError(Exception):
    """The message tells which file, what it is not, and which command writes such a file."""


@dataclass(frozen=True, slots=True)
class MutantAttempt:
    """To find one mutant."""

    mutant: str
    found_by: str
    """A case or a story; empty where nothing found it."""

    examples: int
    signature: str
    breaks: str = ""
    """What the mutant does wrong, in a sentence, where somebody has looked that up."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    by: str
    """`corpus` or `fuzz`."""

    attempts: tuple[MutantAttempt, ...]

    @property
    def found(self) -> int:
        return sum(bool(attempt.found_by) for attempt in self.attempts)

    @property
    def classes(self) -> list[tuple[str, int, int]]:
        """By the first letter of identifiers: how many were found, of how many."""
        total = Counter(attempt.mutant[:1] for attempt in self.attempts)
        found = Counter(attempt.mutant[:1] for attempt in self.attempts if attempt.found_by)
        return [(kind, found[kind], count) for kind, count in total.items()]


@dataclass(frozen=True, slots=True)
class FuzzFigures:
    """Of a campaign of `diffharness fuzz`."""

    seed: str
    profile: str
    commit: str
    count: int
    per_second: float
    valid_share: float | None
    """Of the configurations somebody asked about; none where nobody did."""

    signatures: int
    canary: str
    """What became of the mutant every campaign must find."""


@dataclass(frozen=True, slots=True)
class HarnessQuality:
    benchmark: Benchmark | None = None
    stories: FuzzFigures | None = None


UNKNOWN: Final = HarnessQuality()


def read_quality(directory: Path, mutants: Path | None = None, fuzz: Path | None = None) -> HarnessQuality:
    """Files that were named, or else those beside the run."""
    benchmark = mutants or _beside(directory / BENCHMARK_FILE)
    stories = fuzz or _beside(directory / STORIES_FILE)
    return HarnessQuality(
        None if benchmark is None else read_benchmark(benchmark),
        None if stories is None else read_fuzz_figures(stories),
    )


def _beside(file: Path) -> Path | None:
    return file if file.is_file() else None


def read_benchmark(file: Path) -> Benchmark:
    return _read(file, _benchmark, "diffharness mutants run --json")


def read_fuzz_figures(file: Path) -> FuzzFigures:
    return _read(file, _stories, "diffharness fuzz --json")


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
        float(tree["stories_per_second"]),
        None if tree["valid_share"] is None else float(tree["valid_share"]),
        len(tree["signatures"]),
        str(tree["canary"]),
    )
