"""`diffharness new`: make a case of directories with configurations."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click
import yaml

from harness.case.case import CASE_FILE, CaseError, find_cases, read_case
from harness.case.given import GivenInputs
from harness.case.plain_directory import holds_configuration, read_plain_directory
from harness.cli.support.options import include_option
from harness.cli.support.unreadable_case import UnreadableCaseError
from harness.engines.registry import DEFAULT_ENGINES
from shared_nodes.flavour import FLAVOUR_NAMES

__all__ = ["new"]

_DIRECTORY: Final = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.argument("case", type=click.Path(path_type=Path))
@click.argument("directories", metavar="DIR...", nargs=-1, required=True, type=_DIRECTORY)
@click.option("--description", help="What the case protects.  [default: names the directories]")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag to select the case by. Can be repeated.")
@click.option("--flavour", type=click.Choice(list(FLAVOUR_NAMES)), help="The product that the case is about.")
@include_option
def new(
    *,
    case: Path,
    directories: tuple[Path, ...],
    description: str | None,
    tags: tuple[str, ...],
    flavour: str | None,
    include: tuple[Path, ...],
) -> None:
    """Make a CASE of the configuration in DIR, which is copied. Several DIRs are versions of it, one after the other.

    The steps plan, apply and plan again each version, and destroy the last one. They are a beginning: edit case.yaml,
    and record what is right with diffharness record.
    """
    if case.exists() and (not case.is_dir() or any(case.iterdir())):
        raise click.UsageError(f"{case} exists already: name a directory that does not")
    for directory in directories:
        if not holds_configuration(directory):
            raise click.UsageError(f"{directory} holds no configuration: no *.tf, *.tf.json or *.tofu")
    names = ", then ".join(directory.absolute().name for directory in directories)
    head: dict[str, object] = {"description": description or f"The configuration of {names}."}
    head |= {"tags": [*tags]} if tags else {}
    head |= {"flavour": flavour} if flavour else {}
    try:
        _make(case, directories, head, include)
    except CaseError as problem:
        raise UnreadableCaseError(str(problem)) from problem
    except OSError as problem:
        raise click.ClickException(f"cannot write {case}: {problem.strerror or problem}") from problem
    engines = ",".join(DEFAULT_ENGINES)
    place = shlex.quote(str(case))
    click.echo(f"{case / CASE_FILE}\n\nRun it:     diffharness run {place} --engines {engines}")
    click.echo(f"Record it:  diffharness record {place}")


def _make(case: Path, directories: Sequence[Path], head: Mapping[str, object], include: Sequence[Path]) -> None:
    """Write the case elsewhere, since it may be inside of a configuration that it is made of. Read it as a run would,
    and only then give it its name."""
    with tempfile.TemporaryDirectory(prefix="diffharness-new-") as scratch:
        written = Path(scratch) / (case.name or "case")
        written.mkdir()
        places = [_copy(directory, written, f"v{number}", include) for number, directory in enumerate(directories, 1)]
        (written / CASE_FILE).write_text(_case_text(head, places), encoding="utf-8")
        try:
            read_case(written)
        except CaseError as problem:
            raise CaseError(str(problem).replace(str(written), str(case))) from problem
        case.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=case.parent) as beside:
            copied = shutil.copytree(written, Path(beside) / written.name, symlinks=True)
            if case.exists():
                case.rmdir()
            os.rename(copied, case)


def _copy(directory: Path, case: Path, version: str, include: Sequence[Path]) -> str:
    """Copy a configuration with the local modules that it calls, but without other cases that are inside of it. Return
    its place in the case."""
    plain = read_plain_directory(directory, GivenInputs(tuple(include)))
    main = plain.copy_to(case / version)
    for other in find_cases([main]):
        if other != main:
            shutil.rmtree(other)
            _remove_empty(other.parent, main)
    return main.relative_to(case).as_posix()


def _remove_empty(directory: Path, top: Path) -> None:
    """Remove a directory below `top`, and those around it, as long as they are empty."""
    while directory != top and not any(directory.iterdir()):
        directory.rmdir()
        directory = directory.parent


def _case_text(head: Mapping[str, object], places: Sequence[str]) -> str:
    steps = [(operation, place) for place in places for operation in ("plan", "apply", "plan")]
    steps.append(("destroy", places[-1]))
    lines = [yaml.safe_dump(dict(head), sort_keys=False, allow_unicode=True, width=100), "steps:\n"]
    for operation, place in steps:
        step = yaml.safe_dump({"op": operation, "config": place}, default_flow_style=True, sort_keys=False, width=1000)
        lines.append(f"  - {step.strip()}\n")
    return "".join(lines)
