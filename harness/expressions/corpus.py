"""Files of expression lines: reads them, answers every line, and counts agreement per area.

The files of a directory are Terraform's answers. A directory `opentofu` below it holds what is recorded of OpenTofu:
`differing/AREA.jsonl` has the lines that OpenTofu answers differently, by id, and `further/AREA.jsonl` lines of its
own. All other lines are the same for both products.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from harness.directory_walk import is_hidden, walk
from harness.expressions.answer import OUTCOME_KEYS, Answerer
from harness.expressions.compare import AnswerAgreement, compare_answers
from shared_nodes.flavour import FLAVOUR_NAMES, TERRAFORM_1_11, Flavour
from shared_nodes.record import record
from shared_nodes.values.json import loads
from shared_nodes.world import Files, World

__all__ = [
    "AreaResult",
    "JudgedLine",
    "find_corpora",
    "judge_file",
    "other_answers",
    "read_lines",
    "recorded_lines",
    "waiting_ids",
]

_RECORDED_AT: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


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


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    content = Files(file.parent, root=file.parent).read_bytes(file.name)
    for line in filter(None, content.decode("utf-8").split("\n")):
        tree = loads(line)
        if not isinstance(tree, dict) or "id" not in tree:
            raise ValueError(f"{file}: each line must be an object with an id")
        yield tree


def other_answers(file: Path) -> list[str]:
    """Return the flavours that the corpus of a file has answers of, in addition to Terraform's."""
    return sorted(name for spelling, name in FLAVOUR_NAMES.items() if os.path.isdir(file.parent / spelling))


def recorded_lines(file: Path, flavour: str) -> Iterator[dict[str, Any]]:
    """Return the lines of a file as a flavour answers them."""
    places = [file.parent / spelling for spelling, name in FLAVOUR_NAMES.items() if name == flavour]
    differing = {line["id"]: line for place in places for line in _read_if_exists(place / "differing" / file.name)}
    for line in read_lines(file):
        yield differing.get(line["id"], line)
    for place in places:
        yield from _read_if_exists(place / "further" / file.name)


def _read_if_exists(file: Path) -> Iterator[dict[str, Any]]:
    return read_lines(file) if file.exists() else iter(())


def waiting_ids(directory: Path) -> frozenset[str]:
    """Return the lines that need a part of an engine that does not exist yet. This list must only ever shrink."""
    file = directory / "waiting.txt"
    if not file.exists():
        return frozenset()
    lines = (line.split("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines())
    return frozenset(line for line in lines if line)


def judge_file(file: Path, flavour: Flavour = TERRAFORM_1_11, against: str = "") -> Iterator[JudgedLine]:
    """Answer every line of a file as a flavour does, and compare with the recording of that flavour, or of the flavour
    `against`. Files are read only from the corpus directory; time and randomness are fixed."""
    directory = file.parent
    waiting = waiting_ids(directory)
    world = World.confined(directory, seed=0, now=_RECORDED_AT)
    answerer = Answerer(directory, world, flavour)
    for line in recorded_lines(file, against or flavour.name):
        question = {key: value for key, value in line.items() if key not in OUTCOME_KEYS}
        got = answerer.answer(question)
        yield JudgedLine(line, got, compare_answers(line, got), line["id"] in waiting)
