"""`diffharness record`: record what a real binary does with a case, for engines to be compared with."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from harness.case.case import Case, CaseError, find_cases, read_case
from harness.case.prelude import Prelude
from harness.case.recordings import recording_file
from harness.cli.support.options import allow_exec_option, prelude_option
from harness.cli.support.output import write_file
from harness.cli.support.project import find_trusted_directories, read_project_configuration
from harness.cli.support.unreadable_case import UnreadableCaseError
from harness.engine_settings import NO_SETTINGS, EngineSettings
from harness.engines.external import EXTERNAL, BinaryFailedError, find_binary, is_external, require_engine
from harness.engines.registry import EngineNotFoundError
from harness.play.external_step import obstacle
from harness.play.run_spec import DEFAULT_TIMEOUT_S
from harness.plugins.tapes.tape import TAPES, has_tapes, write_tapes
from harness.record.recording import PARALLELISM_OF_RUNS, golden_text, recorded_by
from harness.record.taping import taped_by
from shared_nodes import tasks
from shared_nodes.flavour import Flavour

__all__ = ["record"]


@click.command()
@click.argument("paths", metavar="CASE...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--engine",
    default="terraform",
    show_default=True,
    callback=lambda _context, _option, value: _binary(value),
    help=f"Binary to record: {', '.join(EXTERNAL)}, the path of one, or experimental:PATH for its new runtime.",
)
@click.option(
    "--out",
    "out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the recording of a single case.  [default: golden.json in its directory, or golden.PRODUCT.json for "
    "a product that the case is not about]",
)
@click.option("--force", is_flag=True, help="Replace existing recordings, and tapes with --tape.")
@click.option(
    "--tape",
    "with_tapes",
    is_flag=True,
    help="First record what the real provider plugins of the case answer, as tapes beside it. The recording is made by "
    "replaying them.",
)
@click.option(
    "--hide-env",
    "hidden",
    metavar="NAME",
    multiple=True,
    help="Variable of the environment whose value must not stand on a tape. Sensitive values never do.",
)
@prelude_option
@allow_exec_option
def record(
    paths: tuple[Path, ...],
    *,
    engine: str,
    out: Path | None,
    force: bool,
    with_tapes: bool,
    hidden: tuple[str, ...],
    prelude: Prelude | None,
    allow_exec: bool,
) -> None:
    """Run each CASE below the given paths several times with a real binary, and write a recording."""
    find_trusted_directories([engine], paths, allow_exec)
    cases = find_cases(paths)
    if not cases:
        raise click.ClickException(f"no case.yaml at or below {', '.join(map(str, paths))}")
    if out is not None and len(cases) > 1:
        raise click.UsageError(f"--out is for one case, and there are {len(cases)}")
    settings = read_project_configuration().engine_settings.get(engine, NO_SETTINGS)
    binary = find_binary(engine, settings)
    flavour = binary.flavour
    files = {directory: out or _recording_file(directory, flavour) for directory in cases}
    kept = [str(file) for file in files.values() if file.exists()]
    if kept and not force:
        raise click.ClickException(f"a recording already exists: {kept[0]}; --force replaces it")
    taped = [str(directory / TAPES) for directory in files if has_tapes(directory)]
    if with_tapes and taped and not force:
        raise click.ClickException(f"there are tapes already: {taped[0]}; --force replaces them")
    secrets = [os.environ[name] for name in hidden if name in os.environ]
    for directory, file in files.items():
        if with_tapes:
            _record_tapes(_read(directory, flavour), engine, prelude, settings, secrets)
        write_file(file, _recording(directory, engine, flavour, prelude, settings))
        click.echo(f"recorded {file}: {binary.version}, {len(PARALLELISM_OF_RUNS)} runs")


def _binary(name: str) -> str:
    if not is_external(name):
        raise click.BadParameter(f"{name} is not a binary; there are {', '.join(EXTERNAL)}, and paths of binaries")
    try:
        require_engine(name)
    except EngineNotFoundError as problem:
        raise click.BadParameter(str(problem)) from problem
    return name


def _recording_file(directory: Path, flavour: Flavour | None) -> Path:
    own = _read(directory).own_flavour
    return recording_file(directory, own if flavour is None else flavour.name, own)


def _read(directory: Path, flavour: Flavour | None = None) -> Case:
    try:
        return read_case(directory, "" if flavour is None else flavour.name)
    except CaseError as problem:
        raise UnreadableCaseError(str(problem)) from problem


def _recording(
    directory: Path, engine: str, flavour: Flavour | None, prelude: Prelude | None, settings: EngineSettings
) -> str:
    case = _read(directory, flavour)
    with _reporting(case, engine), tempfile.TemporaryDirectory(prefix="diffharness-") as place:
        wanted = prelude if case.prelude else None
        recording = recorded_by(case, engine, Path(place), DEFAULT_TIMEOUT_S, prelude=wanted, settings=settings)
    return golden_text(recording)


def _record_tapes(
    case: Case, engine: str, prelude: Prelude | None, settings: EngineSettings, secrets: list[str]
) -> None:
    directory = case.directory
    with _reporting(case, engine), tempfile.TemporaryDirectory(prefix="diffharness-") as place:
        wanted = prelude if case.prelude else None
        tapes = taped_by(
            case, engine, Path(place), DEFAULT_TIMEOUT_S, prelude=wanted, settings=settings, secrets=secrets
        )
    if not tapes:
        raise click.ClickException(f"{directory}: no provider that could be recorded was asked anything")
    for tape, file in zip(tapes, write_tapes(tapes, directory), strict=True):
        click.echo(f"taped {file}: {len(tape.exchanges)} requests")


@contextmanager
def _reporting(case: Case, engine: str) -> Iterator[None]:
    """Report why a case cannot be recorded."""
    directory = case.directory
    try:
        reason = obstacle(case, find_binary(engine))
        if reason is not None:
            raise click.ClickException(f"{directory}: cannot be recorded: {reason}")
        yield
    except CaseError as problem:
        raise click.ClickException(str(problem)) from problem
    except (BinaryFailedError, tasks.TooSlowError) as problem:
        raise click.ClickException(f"{directory}: {engine}: {problem}") from problem
