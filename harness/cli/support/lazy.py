"""Groups of commands that import a command only when it is used.

The group knows the module and a one-line summary of each command, so that its own help imports none of them.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import click

__all__ = ["LazyCommand", "LazyGroup"]


class LazyCommand(NamedTuple):
    place: str
    """The module, a colon, and the name of the command in it."""

    summary: str
    """The line of the group's help. Short enough for a terminal of 80 columns."""


class LazyGroup(click.Group):
    def __init__(self, *arguments: Any, places: Mapping[str, LazyCommand], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._places, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        lazy = self._places.get(cmd_name)
        if lazy is None:
            return super().get_command(ctx, cmd_name)
        module, _, name = lazy.place.partition(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or name the one that was probably meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as problem:
            from difflib import get_close_matches

            meant = get_close_matches(args[0], self.list_commands(ctx), 1)
            if not meant:
                raise
            raise click.UsageError(f"{problem.message.rstrip('.')}. Did you mean {meant[0]}?", ctx) from problem

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, lazy.summary) for name, lazy in self._places.items()])
