"""The catalogue as a table of docs/mutants.md."""

from __future__ import annotations

from collections.abc import Iterator

from harness.mutants.catalogue import MUTANTS
from harness.mutants.catalogue.shown import SHOWN_BY
from harness.mutants.mutant import Mutant

__all__ = ["markdown_table"]


def markdown_table() -> str:
    return "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    yield "| id | engine | what it breaks | function | expected in | shown by |"
    yield "|---|---|---|---|---|---|"
    yield from map(_row, MUTANTS.values())


def _row(mutant: Mutant) -> str:
    case = SHOWN_BY.get(mutant.identifier, "")
    cells = (
        mutant.identifier,
        mutant.engine,
        mutant.breaks,
        f"`{mutant.target}`",
        f"{mutant.phase}: {mutant.field}",
        f"`{case}`" if case else "not found",
    )
    return f"| {' | '.join(cells)} |"
