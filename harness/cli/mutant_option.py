"""`--mutant`: an engine broken on purpose, for one run or campaign."""

from __future__ import annotations

from typing import Final

import click

from harness.mutants.catalogue import UnknownMutantError, mutant_named

__all__ = ["mutant_option"]


def _known(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> str:
    """The identifiers, separated by commas, as settings have them."""
    names = [name.strip() for text in given for name in text.split(",") if name.strip()]
    if not names:
        return ""
    try:
        return ",".join(dict.fromkeys(mutant_named(name).identifier for name in names))
    except UnknownMutantError as problem:
        raise click.BadParameter(str(problem)) from problem


mutant_option: Final = click.option(
    "--mutant",
    metavar="ID",
    multiple=True,
    callback=_known,
    help="Break an engine on purpose: diffharness mutants list. Several: all of these mistakes at once.",
)
