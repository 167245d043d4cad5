"""What a shell can complete besides commands and options: names of engines, mutants, intended changes and runs.

The functions have the signature that click asks for. They import what they need when they are called, because commands
name them in their options and must start fast. A project that cannot be read offers nothing: completing is no occasion
to report that.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["complete_changes", "complete_engine", "complete_engines", "complete_mutants", "complete_runs"]


def complete_engine(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return _matching(_engines(), incomplete)


def complete_engines(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the last name of a list that is separated by commas, with one that is not in it yet."""
    return _matching_in_list(_engines(), incomplete)


def complete_mutants(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from harness.mutants.catalogue import MUTANTS

    return _matching_in_list(MUTANTS, incomplete, {name: mutant.breaks for name, mutant in MUTANTS.items()})


def complete_changes(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from harness.engines.registry import DEFAULT_ENGINES, supported_changes

    return _matching(sorted({change for engine in DEFAULT_ENGINES for change in supported_changes(engine)}), incomplete)


def complete_runs(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a run that is kept, the newest first; or a path."""
    from harness.cli.support.run_directory import LATEST, runs_newest_first
    from harness.configuration import ConfigurationError, read_configuration

    try:
        runs = [place.name for place in runs_newest_first(read_configuration(Path.cwd()))]
    except ConfigurationError:
        runs = []
    found = _matching([*([LATEST] if runs else []), *runs], incomplete)
    return found or [_item(incomplete, type="dir")]


def _engines() -> list[str]:
    from harness.engines.external import EXTERNAL
    from harness.engines.registry import installed_engines

    return list(dict.fromkeys([*installed_engines(), *EXTERNAL]))


def _matching(names: Iterable[str], incomplete: str, help_texts: dict[str, str] | None = None) -> list[CompletionItem]:
    texts = help_texts or {}
    return [_item(name, help=texts.get(name)) for name in names if name.startswith(incomplete)]


def _matching_in_list(
    names: Iterable[str], incomplete: str, help_texts: dict[str, str] | None = None
) -> list[CompletionItem]:
    before, comma, last = incomplete.rpartition(",")
    known = before.split(",")
    found = _matching((name for name in names if name not in known), last, help_texts)
    return [_item(f"{before}{comma}{item.value}", help=item.help) for item in found]


def _item(value: str, type: str = "plain", help: str | None = None) -> CompletionItem:
    from click.shell_completion import CompletionItem

    return CompletionItem(value, type, help)
