"""Files of expression lines: reads them, answers every line, and counts agreement per area.

The files of a directory are Terraform's answers. A directory `opentofu` below it holds what is recorded of OpenTofu:
`differing/AREA.jsonl` has the lines that OpenTofu answers differently, by id, and `further/AREA.jsonl` lines of its
own. All other lines are the same for both products.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from harness.directory_walk import is_hidden, walk
from harness.expressions.answer import OUTCOME_KEYS, Answerer, QuestionError
from harness.expressions.compare import AnswerAgreement, compare_answers
from shared_nodes.flavour import FLAVOUR_NAMES, TERRAFORM_1_11, Flavour
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, loads
from shared_nodes.world import Files, World

__all__ = [
    "AreaResult",
    "CorpusError",
    "JudgedLine",
    "find_corpora",
    "judge_file",
    "other_answers",
    "read_lines",
    "recorded_lines",
    "waiting_ids",
]

_WAITING: Final = "waiting.txt"
_LONGEST: Final = 16_000_000
"""Limit of a file in bytes."""

_RECORDED_AT: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class CorpusError(Exception):
    """A file cannot be judged as it is. The message names it."""


@record
class JudgedLine:
    """One line, our answer, and the degree of their agreement."""

    expected: dict[str, Any]
    got: dict[str, Any]
    agreement: AnswerAgreement
    waiting: bool

    @property
    def identifier(self) -> str:
        return str(self.expected["id"])


@record(frozen=False)
class AreaResult:
    area: str
    judged: list[JudgedLine] = field(default_factory=list)

    @property
    def counted(self) -> Sequence[JudgedLine]:
        return [item for item in self.judged if not item.waiting]

    def count(self, *agreements: AnswerAgreement) -> int:
        return sum(item.agreement in agreements for item in self.counted)


def find_corpora(paths: Iterable[Path]) -> list[Path]:
    """Find directories with expression lines at or below the given paths, sorted."""
    paths = list(paths)
    found = {path.parent for path in paths if os.path.isfile(path)}
    found |= {place for path in paths for place, _, others in walk(path, is_hidden) if any(map(_has_lines, others))}
    return sorted(directory for directory in found if os.path.isfile(directory / "context.tf"))


def _has_lines(name: str) -> bool:
    return name.endswith(".jsonl")


def read_lines(file: Path, corpus: Path | None = None) -> Iterator[dict[str, Any]]:
    """Read a file, which must be inside of the directory of its corpus: by default the one it is in."""
    for number, line in enumerate(_read(file, corpus or file.parent).split("\n"), 1):
        if line:
            try:
                tree = loads(line)
            except JsonError as problem:
                raise CorpusError(f"{file}:{number}: {problem}") from problem
            if not isinstance(tree, dict) or not isinstance(tree.get("id"), str):
                raise CorpusError(f"{file}:{number}: each line must be an object whose id is a text")
            yield tree


def _read(file: Path, corpus: Path) -> str:
    try:
        return Files(corpus, root=corpus).read_bytes(os.path.relpath(file, corpus), _LONGEST).decode("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise CorpusError(f"{file}: cannot be read: {problem}") from problem


def other_answers(file: Path) -> list[str]:
    """Return the flavours that the corpus of a file has answers of, in addition to Terraform's."""
    return sorted(name for spelling, name in FLAVOUR_NAMES.items() if os.path.isdir(file.parent / spelling))


def recorded_lines(file: Path, flavour: str) -> Iterator[dict[str, Any]]:
    """Return the lines of a file as a flavour answers them."""
    places = [file.parent / spelling for spelling, name in FLAVOUR_NAMES.items() if name == flavour]
    differing = {line["id"]: line for place in places for line in _read_other(file, place / "differing")}
    for line in read_lines(file):
        yield differing.get(line["id"], line)
    for place in places:
        yield from _read_other(file, place / "further")


def _read_other(file: Path, place: Path) -> Iterator[dict[str, Any]]:
    """Read the file of that name in another place of the corpus, if there is one."""
    other = place / file.name
    return read_lines(other, file.parent) if os.path.lexists(other) else iter(())


def waiting_ids(directory: Path) -> frozenset[str]:
    """Return the lines that need a part of an engine that does not exist yet. This list must only ever shrink."""
    file = directory / _WAITING
    if not os.path.lexists(file):
        return frozenset()
    lines = (line.split("#")[0].strip() for line in _read(file, directory).splitlines())
    return frozenset(line for line in lines if line)


def judge_file(file: Path, flavour: Flavour = TERRAFORM_1_11, against: str = "") -> Iterator[JudgedLine]:
    """Answer every line of a file as a flavour does, and compare with the recording of that flavour, or of the flavour
    `against`. Files are read only from the corpus directory; time and randomness are fixed. CorpusError says what is
    wrong with the file or with one beside it."""
    directory = file.parent
    waiting = waiting_ids(directory)
    world = World.confined(directory, seed=0, now=_RECORDED_AT)
    answerer = Answerer(directory, world, flavour)
    for line in recorded_lines(file, against or flavour.name):
        question = {key: value for key, value in line.items() if key not in OUTCOME_KEYS}
        try:
            got = answerer.answer(question)
        except QuestionError as problem:
            raise CorpusError(f"{file}: {line['id']}: {problem}") from problem
        yield JudgedLine(line, got, _compare(file, line, got), line["id"] in waiting)


def _compare(file: Path, line: dict[str, Any], got: dict[str, Any]) -> AnswerAgreement:
    try:
        return compare_answers(line, got)
    except (AttributeError, EOFError, LookupError, OSError, TypeError, ValueError, zlib.error) as problem:
        raise CorpusError(f"{file}: {line['id']}: its answer does not have the form of a recorded one") from problem
