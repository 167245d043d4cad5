"""`--help` with headings: a command with many options lists them in groups instead of in one long list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

__all__ = ["GroupedCommand"]


class GroupedCommand(click.Command):
    """`groups` maps each heading to the parameter names of its options. Options that no group names, such as
    `--help`, are listed last under "Other options"."""

    def __init__(self, *arguments: Any, groups: Mapping[str, Sequence[str]], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.groups = groups

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = {
            parameter.name: row
            for parameter in self.get_params(ctx)
            if (row := parameter.get_help_record(ctx)) is not None
        }
        grouped = {name for names in self.groups.values() for name in names}
        others = [name for name in rows if name not in grouped]
        for heading, names in {**self.groups, "Other options": others}.items():
            with formatter.section(heading):
                formatter.write_dl([rows[name] for name in names if name in rows])
