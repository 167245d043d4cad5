"""Prints the catalogue as the table of docs/mutants.md."""

from __future__ import annotations

from collections.abc import Iterator

from harness.mutants.catalogue import MUTANTS
from harness.mutants.catalogue.known_cases import KNOWN_CASES
from harness.mutants.catalogue.mutant import Mutant
from harness.mutants.source import targets_of

__all__ = ["markdown_table"]


def markdown_table() -> str:
    return "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    yield "| id | engine | what it breaks | function | expected in | shown by |"
    yield "|---|---|---|---|---|---|"
    yield from map(_row, MUTANTS.values())


def _row(mutant: Mutant) -> str:
    case = KNOWN_CASES.get(mutant.identifier, "")
    cells = (
        mutant.identifier,
        mutant.engine,
        mutant.breaks,
        f"`{targets_of(mutant)[0]}`",
        f"{mutant.phase}: {mutant.field}",
        f"`{case}`" if case else "not found",
    )
    return f"| {' | '.join(cells)} |"
