"""The options that select cases: `-k`, `--area`, `--tag`, `--last-failed`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from harness.case.selection import Keywords, KeywordsError, Selection, read_keywords
from harness.case.unit import Unit
from harness.cli.support.options import add_options
from harness.cli.support.run_directory import runs_newest_first
from harness.compare.ruling import Ruling
from harness.configuration import Configuration
from harness.execute.journal import JournalError, read_header, read_run
from harness.findings.result import CaseResult
from shared_nodes.record import record

__all__ = ["SELECTING", "NothingSelectedError", "SelectionOptions", "select_asked", "selection_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

NOTHING_SELECTED: Final = 5
"""Exit code, as in pytest: a run of nothing is no success."""

SELECTING: Final = ("keywords", "areas", "tags", "last_failed")
"""The names of the parameters."""

_PASSING: Final = (Ruling.EQUAL, Ruling.NOT_RUN)


class NothingSelectedError(click.ClickException):
    exit_code = NOTHING_SELECTED


@record
class SelectionOptions:
    keywords: Keywords | None = None
    areas: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    last_failed: bool = False

    @staticmethod
    def from_click(values: Mapping[str, Any]) -> SelectionOptions:
        return SelectionOptions(**{name: values[name] for name in SELECTING})

    def __str__(self) -> str:
        """Return the options as a command line gives them."""
        words = [] if self.keywords is None else [f"-k '{self.keywords.text}'"]
        words += [f"--area {area}" for area in self.areas] + [f"--tag {tag}" for tag in self.tags]
        return " ".join([*words, *(["--last-failed"] if self.last_failed else [])])


def _read_keywords(_context: click.Context, _option: click.Parameter, text: str | None) -> Keywords | None:
    try:
        return None if text is None else read_keywords(text)
    except KeywordsError as problem:
        raise click.BadParameter(f"{text}: {problem}") from problem


def selection_options(command: _Command) -> _Command:
    return add_options(
        command,
        [
            click.option(
                "-k",
                "keywords",
                metavar="EXPR",
                callback=_read_keywords,
                help="Run only cases whose area/name contains these words: replace and not (deposed or import).",
            ),
            click.option(
                "--area", "areas", metavar="AREA", multiple=True, help="Run only cases of this area. Can be repeated."
            ),
            click.option(
                "--tag", "tags", metavar="TAG", multiple=True, help="Run only cases with this tag. Can be repeated."
            ),
            click.option(
                "--last-failed",
                is_flag=True,
                help="Run only cases that failed in the last run of any of them; all, if none did.",
            ),
        ],
    )


def select_asked(
    units: Sequence[Unit], asked: SelectionOptions, paths: Sequence[Path], configuration: Configuration
) -> list[Unit]:
    """Return the units that were asked for. Selecting none is an error with an exit code of its own."""
    names = _last_failed(units, configuration) if asked.last_failed else None
    selected = list(Selection(asked.keywords, asked.areas, asked.tags, names).select(units))
    if not selected:
        places = ", ".join(map(str, paths))
        raise NothingSelectedError(f"nothing selected: {asked} matches none of the {len(units):,} cases below {places}")
    return selected


def _last_failed(units: Sequence[Unit], configuration: Configuration) -> frozenset[str] | None:
    """Return the names of the units that failed in the newest run with any of them; None if there is no such run, or
    nothing failed in it. A run that cannot be read is skipped, because it was not asked for by name."""
    names = {unit.identifier for unit in units}
    for directory in runs_newest_first(configuration):
        try:
            if names.isdisjoint(read_header(directory).units):
                continue
            failed = frozenset(each.identifier for each in read_run([directory]).results if _has_failed(each))
        except JournalError:
            continue
        if failed:
            return failed
        click.echo(f"Nothing failed in {directory}: all cases are run.", err=True)
        return None
    click.echo("There is no earlier run of these cases: all are run.", err=True)
    return None


def _has_failed(result: CaseResult) -> bool:
    return bool(result.open_findings) or result.ruling not in _PASSING
