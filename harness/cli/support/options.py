"""Options that mean the same in every command that has them, and the one reader of `--engines`.

Modules that are expensive to import are imported by the function that needs them: `diffharness engine` reads its
options here too, and must start fast.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from harness.cli.support.completions import complete_changes, complete_mutants
from harness.cli.support.output import DocumentPath
from harness.engines.chain import is_chain, parse_chain
from harness.engines.dynamic_providers import PERMISSIBLE, is_permissible
from harness.engines.recorded import is_recorded, recorded_system, require_recorded
from harness.engines.registry import EngineNotFoundError, engine_named
from shared_nodes.flavour import FLAVOUR_NAMES

if TYPE_CHECKING:
    from harness.case.prelude import Prelude
    from harness.simulation.permissive.permissive_files import PermissiveFiles

__all__ = [
    "add_options",
    "allow_exec_option",
    "allow_plugins_option",
    "change_option",
    "check_permissive",
    "flavour_of_binaries",
    "flavour_option",
    "full_flavour_name",
    "given_directories",
    "include_option",
    "json_file_option",
    "judging_option",
    "known_option",
    "mutant_option",
    "permissive_file_options",
    "permissive_option",
    "prelude_option",
    "read_chains",
    "read_engines",
    "read_permissive_files",
    "require_recordings",
    "seed_help",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])
Decorator = Callable[[_Command], _Command]

seed_help: Final = "Seed of the schedule: decides the order of independent operations."


def add_options(command: _Command, options: Sequence[Callable[[_Command], _Command]]) -> _Command:
    """Decorate the command with all options, so that `--help` lists them in the given order."""
    for option in reversed(options):
        command = option(command)
    return command


# Engines


def read_engines(
    text: str | None, default: Sequence[str] = (), *, in_process_only: bool = False, with_recorded: bool = False
) -> tuple[str, ...]:
    """Split the value of `--engines` at commas, and check that each engine exists. Without a value, the default is
    checked the same way. Recorded engines are for commands that run cases as they are."""
    names = tuple(name.strip() for name in (default if text is None else text.split(",")) if name.strip())
    if not names:
        raise click.BadParameter("name at least one engine", param_hint="--engines")
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise click.BadParameter(
            f"{twice[0]} is named twice; --schedules compares an engine with itself", param_hint="--engines"
        )
    from harness.engines.external import require_engine

    for name in names:
        try:
            if is_recorded(name) and not is_chain(name):
                _check_recorded(name, with_recorded)
            else:
                (engine_named if in_process_only else require_engine)(name)
        except EngineNotFoundError as problem:
            raise click.BadParameter(str(problem), param_hint="--engines") from problem
    return names


def read_chains(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the chains that `--handover-state` asks for, and check that their engines exist."""
    from harness.engines.external import require_engine

    names: list[str] = []
    for text in texts:
        try:
            names.append(str(parse_chain(text)))
            require_engine(names[-1])
        except EngineNotFoundError as problem:
            raise click.BadParameter(str(problem), param_hint="--handover-state") from problem
    return tuple(names)


def _check_recorded(name: str, with_recorded: bool) -> None:
    if not with_recorded:
        raise EngineNotFoundError(f"{name} only answers what was recorded, and this command asks new questions")
    require_recorded(name)


def require_recordings(engines: Sequence[str], cases: Iterable[Path]) -> None:
    """Raise a usage error if no case has a recording of a recorded engine: its name is then misspelt, or the path is
    another than intended."""
    from harness.case.recordings import system_file

    missing = {name: system_file(Path(), recorded_system(name)).name for name in engines if is_recorded(name)}
    for case in cases if missing else ():
        missing = {name: file for name, file in missing.items() if not (case / file).exists()}
        if not missing:
            return
    for name, file in missing.items():
        raise click.BadParameter(f"{name}: no case here has a file {file}", param_hint="--engines")


def flavour_of_binaries(engines: Iterable[str]) -> str:
    """Return the product of the first binary among the engines; empty if there is none that a flavour models."""
    from harness.engines.chain import engines_of
    from harness.engines.external import find_binary, is_external

    single = (each for engine in engines for each in engines_of(engine))
    flavours = (find_binary(engine).flavour for engine in single if is_external(engine))
    return next((flavour.name for flavour in flavours if flavour is not None), "")


def full_flavour_name(_context: click.Context, _option: click.Parameter, name: str | None) -> str | None:
    """Return the full name of a flavour that may have been given by its short one."""
    return None if name is None else FLAVOUR_NAMES[name]


flavour_option: Final = click.option(
    "--flavour",
    type=click.Choice(list(FLAVOUR_NAMES)),
    callback=full_flavour_name,
    help="The product whose behaviour to follow.  [default: opentofu in a directory with .tofu files, with a file "
    ".opentofu-version at or above it, or with a state of OpenTofu; else terraform]",
)
change_option: Final = click.option(
    "--change",
    multiple=True,
    shell_complete=complete_changes,
    metavar="ID",
    help="Adopt an intended change, C01 to C09 (docs/intended-changes.md). Can be repeated.",
)
permissive_option: Final = click.option(
    "--permissive",
    multiple=True,
    metavar="SOURCE",
    help="Mock this provider, such as hashicorp/aws, with a schema derived from the configuration; or all.",
)


permissive_file_options: Final = (
    click.option(
        "--permissive-values",
        metavar="FILE",
        help="YAML or JSON with values that mocked providers compute: attributes by type or resource.",
    ),
    click.option(
        "--provider-schemas",
        metavar="FILE",
        help="Real schemas of mocked providers, as `terraform providers schema -json` prints them.",
    ),
)


def read_permissive_files(values: str | None, schemas: str | None) -> PermissiveFiles:
    """Return the files for mocked providers, after reading them once. A file that cannot be used ends the command."""
    from harness.simulation.permissive.known_schemas import KnownSchemasError
    from harness.simulation.permissive.known_values import KnownValuesError
    from harness.simulation.permissive.permissive_files import PermissiveFiles

    files = PermissiveFiles(*("" if file is None else os.path.abspath(file) for file in (values, schemas)))
    try:
        files.check()
    except (KnownSchemasError, KnownValuesError) as problem:
        raise click.ClickException(str(problem)) from problem
    return files


def check_permissive(sources: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sources unchanged. A value that cannot be the source of a provider is a usage error."""
    for source in sources:
        if not is_permissible(source):
            raise click.BadParameter(f"{source} is not {PERMISSIBLE}", param_hint="--permissive")
    return sources


def _read_prelude(_context: click.Context, _option: click.Parameter, value: str | None) -> Prelude | None:
    from harness.case.prelude import PreludeError, read_prelude

    try:
        return None if value is None else read_prelude(value)
    except PreludeError as problem:
        raise click.BadParameter(str(problem)) from problem


prelude_option: Final = click.option(
    "--prelude",
    metavar="FILE",
    callback=_read_prelude,
    help="Add this file to every module that has no required_providers; builtin: one that declares the builtin "
    "provider. A case declines it with prelude: false.",
)


def _read_mutants(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> str:
    """Return the ids separated by commas, as `RunSpec.mutant` has them. Mutants that cannot be combined are a usage
    error. The catalogue is imported only if there are any."""
    names = [name.strip() for text in values for name in text.split(",") if name.strip()]
    if not names:
        return ""
    from harness.mutants.activation import apply_mutants
    from harness.mutants.catalogue import UnknownMutantError, mutant_named
    from harness.mutants.source import PatchError

    try:
        identifiers = ",".join(dict.fromkeys(mutant_named(name).identifier for name in names))
        with apply_mutants(identifiers):
            return identifiers
    except (UnknownMutantError, PatchError) as problem:
        raise click.BadParameter(str(problem)) from problem


mutant_option: Final = click.option(
    "--mutant",
    metavar="ID",
    multiple=True,
    callback=_read_mutants,
    shell_complete=complete_mutants,
    help="Put a known mistake into an engine (diffharness mutants list). Can be repeated.",
)

# Safety, and files


def given_directories(paths: Iterable[Path], included: Iterable[Path]) -> tuple[Path, ...]:
    """Return what a configuration may read and have copied: the paths that are run, and those of `--include`."""
    return tuple(Path(os.path.abspath(path)) for path in (*paths, *included))


allow_exec_option: Final = click.option(
    "--allow-exec",
    is_flag=True,
    help="Run the commands of cases, and real binaries, wherever the cases are. Without it, only below the directories "
    "listed as trusted in [tool.diffharness] of pyproject.toml.",
)
include_option: Final = click.option(
    "--include",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A directory in which modules of a configuration without case.yaml may be, besides the paths that are run. "
    "Can be repeated.",
)
allow_plugins_option: Final = click.option(
    "--allow-exec",
    is_flag=True,
    help="Run the real provider plugins that are installed for DIR. Without it, only below the directories listed as "
    "trusted in [tool.diffharness] of pyproject.toml.",
)
known_option: Final = click.option(
    "--known",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File of documented divergences.  [default: the one that pyproject.toml names]",
)
judging_option: Final = click.option(
    "--known",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File of documented divergences by which the run is judged again.  [default: as the run was judged]",
)
json_file_option: Final = click.option(
    "--json",
    "json_file",
    metavar="FILE",
    type=DocumentPath(),
    help="Write the result as JSON; to standard output if FILE is -.",
)
