"""Units of work: what a run consists of.

A unit is a case, or a file of expressions with their recorded answers, under one flavour. Recordings of several
products make several units. A unit is plain data, so that a worker on another machine needs nothing but the unit and
the `RunSpec` of the run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from harness.case.case import find_cases
from harness.case.plain_directory import find_plain_directories
from harness.case.recordings import other_flavours
from harness.expressions.corpus import find_corpora, other_answers

__all__ = ["EXPRESSIONS", "LANGUAGE", "Unit", "UnitKind", "find_units"]

EXPRESSIONS: Final = "expressions"
LANGUAGE: Final = "language"
"""The subject of findings about expressions, which all engines share."""


class UnitKind(StrEnum):
    CASE = "case"
    EXPRESSIONS = "expressions"


@dataclass(frozen=True, slots=True)
class Unit:
    kind: UnitKind
    path: Path
    flavour: str = ""
    """A product that the unit has a recording of in addition to the one it is about; empty for that one."""

    @property
    def identifier(self) -> str:
        area = self.path.parent.name if self.kind is UnitKind.CASE else EXPRESSIONS
        name = self.path.name if self.kind is UnitKind.CASE else self.path.stem
        return f"{area}/{name}@{self.flavour}" if self.flavour else f"{area}/{name}"


def find_units(paths: Iterable[Path], flavour: str = "") -> list[Unit]:
    """Return everything at or below the paths: expressions first, then cases, each sorted. Below a path that has
    neither, each configuration is a case by itself (harness/case/plain_directory.py).

    Without a flavour, everything is found once under each flavour that it has a recording of. With one, everything is
    found once, to be run under that flavour.
    """
    units = _find_by_path(paths)
    if flavour:
        return units
    return [each for unit in units for each in (unit, *(replace(unit, flavour=other) for other in _others(unit)))]


def _others(unit: Unit) -> list[str]:
    return other_flavours(unit.path) if unit.kind is UnitKind.CASE else other_answers(unit.path)


def _find_by_path(paths: Iterable[Path]) -> list[Unit]:
    paths = list(paths)
    files = [file for corpus in find_corpora(paths) for file in sorted(corpus.glob("*.jsonl"))]
    plain = (
        case
        for path in paths
        if not find_corpora([path]) and not find_cases([path])
        for case in find_plain_directories(path)
    )
    cases = dict.fromkeys([*find_cases(paths), *plain])
    return [Unit(UnitKind.EXPRESSIONS, file) for file in files] + [Unit(UnitKind.CASE, case) for case in cases]
