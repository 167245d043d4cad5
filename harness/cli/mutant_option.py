"""`--mutant`: an engine broken on purpose, for one run or campaign."""

from __future__ import annotations

from typing import Final

import click

from harness.mutants.mutant import UnknownMutantError

__all__ = ["mutant_option"]


def _known(_context: click.Context, _option: click.Parameter, identifier: str) -> str:
    """The catalogue knows both engines, so it is read only where somebody asks for one of its mutants."""
    from harness.mutants.catalogue import mutant_named

    try:
        return mutant_named(identifier).identifier if identifier else ""
    except UnknownMutantError as problem:
        raise click.BadParameter(str(problem)) from problem


mutant_option: Final = click.option(
    "--mutant", metavar="ID", default="", callback=_known, help="Break an engine on purpose: diffharness mutants list."
)
