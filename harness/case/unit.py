"""Units of work: what a run consists of.

A unit is a case, or a file of expressions with their recorded answers, under one flavour. Recordings of several
products make several units. A unit is plain data, so that a worker on another machine needs nothing but the unit and
the `RunSpec` of the run.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from harness.case.case import find_cases
from harness.case.plain_directory import FoundDirectories, find_plain_directories
from harness.case.recordings import is_foreign, is_recorded, other_flavours, system_file
from harness.expressions.corpus import find_corpora, other_answers
from shared_nodes.record import record

__all__ = ["EXPRESSIONS", "LANGUAGE", "FoundUnits", "Unit", "UnitKind", "find_units", "select_units"]

EXPRESSIONS: Final = "expressions"
LANGUAGE: Final = "language"
"""The subject of findings about expressions, which all engines share."""


class UnitKind(StrEnum):
    CASE = "case"
    EXPRESSIONS = "expressions"


@record
class Unit:
    kind: UnitKind
    path: Path
    flavour: str = ""
    """A product that the unit has a recording of in addition to the one it is about; empty for that one."""

    name: str = ""
    """The end of its path, in a run in which the last two parts are those of another unit as well."""

    repository: str = ""
    """The repository that it is from, in a run of several."""

    @property
    def full_name(self) -> str:
        if self.name:
            return self.name
        return "/".join(self.path.parts[-2:]) if self.kind is UnitKind.CASE else f"{EXPRESSIONS}/{self.path.stem}"

    @property
    def area(self) -> str:
        return self.full_name.rpartition("/")[0]

    @property
    def identifier(self) -> str:
        return f"{self.full_name}@{self.flavour}" if self.flavour else self.full_name


@record
class FoundUnits:
    units: list[Unit]
    left_out: list[Path]
    """Cases below the paths that are there for other systems than the engines of the run."""

    called: tuple[Path, ...] = ()
    """Configurations without a `case.yaml` that others call."""

    fixtures: tuple[Path, ...] = ()
    """Those that are there for tests."""


def find_units(paths: Iterable[Path], flavour: str = "") -> list[Unit]:
    """Return the units at or below the paths, for a run without recorded engines. Configurations without a `case.yaml`
    count only below a path that has nothing else."""
    return _select(paths, flavour, (), _find_plain_alone).units


def select_units(paths: Iterable[Path], flavour: str = "", systems: Collection[str] = ()) -> FoundUnits:
    """Return everything at or below the paths: expressions first, then cases, each sorted. A configuration that belongs
    to none of these is a case by itself (harness/case/plain_directory.py).

    Without a flavour, everything is found once under each flavour that it has a recording of. With one, everything is
    found once, to be run under that flavour.

    A case whose only recordings are of systems that no flavour models is left out below a path that has other cases
    as well, together with cases beside it that have no recording, unless it has a recording of one of `systems`, which
    recorded engines of the run name.
    """
    return _select(paths, flavour, systems, _find_plain)


_FindPlain = Callable[[Path], FoundDirectories]


def _select(paths: Iterable[Path], flavour: str, systems: Collection[str], find_plain: _FindPlain) -> FoundUnits:
    paths = list(paths)
    left_out = _left_out(paths, systems)
    plain = [find_plain(path) for path in paths]
    cases = [case for each in plain for case in each.cases]
    units = _with_unique_names([unit for unit in _find_by_path(paths, cases) if unit.path not in left_out])
    if not flavour:
        units = [each for unit in units for each in (unit, *(replace(unit, flavour=other) for other in _others(unit)))]
    called = {each for found in plain for each in found.called} - set(cases)
    fixtures = {each for found in plain for each in found.fixtures} - set(cases)
    return FoundUnits(units, sorted(left_out), tuple(sorted(called)), tuple(sorted(fixtures)))


def _with_unique_names(units: Sequence[Unit]) -> list[Unit]:
    """Return the units with names that are unique, each as short as possible. Two files of expressions with one name
    stay as they are."""
    named = list(units)
    longest = max((len(unit.path.parts) for unit in units), default=0)
    for length in range(3, longest + 1):
        counts = Counter(unit.full_name for unit in named)
        named = [
            replace(unit, name="/".join(unit.path.parts[-length:]))
            if unit.kind is UnitKind.CASE and counts[unit.full_name] > 1
            else unit
            for unit in named
        ]
    return named


def _left_out(paths: Iterable[Path], systems: Collection[str]) -> set[Path]:
    """Return the cases that no path asks for. A path below which there is nothing else asks for them."""
    foreign: set[Path] = set()
    asked: set[Path] = set()
    for path in paths:
        cases = find_cases([path])
        strangers = _strangers(cases)
        (asked if len(strangers) == len(cases) and not find_corpora([path]) else foreign).update(strangers)
    return {case for case in foreign - asked if not any(os.path.lexists(system_file(case, each)) for each in systems)}


def _strangers(cases: Iterable[Path]) -> set[Path]:
    """Return the cases that are not for engines of ours. One without a recording, such as a story that no binary can
    run, belongs to the recorded ones in the same directory."""
    recorded = [case for case in cases if is_recorded(case)]
    foreign = {case for case in recorded if is_foreign(case)}
    places = {case.parent for case in foreign} - {case.parent for case in recorded if case not in foreign}
    return foreign | {case for case in cases if case.parent in places}


def _others(unit: Unit) -> list[str]:
    return other_flavours(unit.path) if unit.kind is UnitKind.CASE else other_answers(unit.path)


def _find_plain(path: Path) -> FoundDirectories:
    return find_plain_directories(path, {*find_cases([path]), *find_corpora([path])})


def _find_plain_alone(path: Path) -> FoundDirectories:
    return FoundDirectories() if find_corpora([path]) or find_cases([path]) else find_plain_directories(path)


def _find_by_path(paths: Iterable[Path], plain: Iterable[Path]) -> list[Unit]:
    paths = list(paths)
    files = [file for corpus in find_corpora(paths) for file in sorted(corpus.glob("*.jsonl"))]
    cases = dict.fromkeys([*find_cases(paths), *plain])
    return [Unit(UnitKind.EXPRESSIONS, file) for file in files] + [Unit(UnitKind.CASE, case) for case in cases]
