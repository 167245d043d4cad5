"""What the commands about a single case share: `explain`, `replay`, `reproduce` and `shrink`.

A case is named by its path, or as RUN:CASE: then it runs with the settings of that run, and options on the command
line override them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from harness.case.prelude import Prelude
from harness.cli.support.completions import complete_engines
from harness.cli.support.given_options import (
    generate_vars_option,
    given_modules,
    given_values,
    module_directories,
    module_option,
    value_options,
)
from harness.cli.support.options import (
    add_options,
    allow_exec_option,
    change_option,
    check_permissive,
    flavour_of_binaries,
    full_flavour_name,
    given_directories,
    include_option,
    permissive_file_options,
    permissive_option,
    prelude_option,
    read_engines,
    read_permissive_files,
    require_recordings,
    seed_help,
)
from harness.cli.support.project import (
    find_trusted_directories,
    read_known_divergences,
    read_project_configuration,
)
from harness.cli.support.repeating import with_repeated_options
from harness.cli.support.run_directory import find_run
from harness.configuration import Configuration
from harness.engines.registry import DEFAULT_ENGINES
from harness.execute.journal import JournalError, read_header, read_run
from harness.findings.result import CaseResult
from harness.play.run_spec import DEFAULT_TIMEOUT_S, RunSpec
from harness.play.schedule import PlanTransfer, Schedule
from harness.simulation.permissive.permissive_files import PermissiveFiles
from shared_nodes.flavour import FLAVOUR_NAMES
from shared_nodes.record import record

__all__ = [
    "CaseOptions",
    "KeptResult",
    "SelectedCase",
    "case_options",
    "find_kept_result",
    "mark_known",
    "select_case",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPTIONS: Final = (
    click.option(
        "--engines",
        shell_complete=complete_engines,
        help=f"Engines to run; the first is the baseline.  [default: {','.join(DEFAULT_ENGINES)}]",
    ),
    click.option("--seed", type=int, help=seed_help),
    click.option("--parallelism", type=click.IntRange(min=1), help="Operations at the same time."),
    click.option(
        "--handover",
        type=click.Choice([handover.value for handover in PlanTransfer]),
        help="How the plan reaches apply: through a file, in memory, or in another process.",
    ),
    click.option(
        "--flavour",
        type=click.Choice(list(FLAVOUR_NAMES)),
        callback=full_flavour_name,
        help="The product that engines follow.  [default: that of the first binary, or the one that the case is about]",
    ),
    change_option,
    permissive_option,
    *permissive_file_options,
    prelude_option,
    module_option,
    *value_options,
    generate_vars_option,
    allow_exec_option,
    include_option,
)


def case_options(command: _Command) -> _Command:
    return add_options(command, _OPTIONS)


@record
class CaseOptions:
    engines: str | None
    seed: int | None
    parallelism: int | None
    handover: str | None
    flavour: str | None
    change: tuple[str, ...]
    permissive: tuple[str, ...]
    permissive_values: str | None
    provider_schemas: str | None
    prelude: Prelude | None
    allow_exec: bool
    include: tuple[Path, ...]
    module: tuple[str, ...]
    inputs: tuple[tuple[str, str], ...]
    generate_vars: bool

    @staticmethod
    def from_click(values: dict[str, Any]) -> CaseOptions:
        return CaseOptions(**{field.name: values[field.name] for field in fields(CaseOptions)})


@record
class SelectedCase:
    directory: Path
    settings: RunSpec
    """The settings of the run, with exactly one schedule."""


@record
class KeptResult:
    """The result of one case in a run."""

    result: CaseResult
    settings: RunSpec
    """The settings of the run, with exactly one schedule."""

    facts: Mapping[str, str]
    """The facts of the run, as its reports show them."""


def select_case(text: str, options: CaseOptions, *, with_recorded: bool = True) -> SelectedCase:
    """Find the case that `text` names, and apply the options to its settings. Recorded engines know this case alone,
    and so are not for a command that changes it."""
    configuration = read_project_configuration()
    directory, settings = _find_by_path(text, configuration) or _find_in_run(text, configuration)
    engines = read_engines(options.engines, settings.engines, with_recorded=with_recorded)
    require_recordings(engines, [directory])
    modules = {**settings.modules, **given_modules(options.module, configuration)}
    return SelectedCase(
        directory,
        replace(
            settings,
            engines=engines,
            schedules=(_override_schedule(settings.schedules[0], options),),
            trusted=find_trusted_directories(engines, [directory], options.allow_exec),
            given=given_directories(
                [directory], (*options.include, *module_directories(modules, configuration, [directory]))
            ),
            modules=modules,
            values=(*settings.values, *given_values(options.inputs)),
            generates_values=options.generate_vars or settings.generates_values,
            flavour=options.flavour or settings.flavour or flavour_of_binaries(engines),
            changes=frozenset(options.change) or settings.changes,
            permissive=check_permissive(options.permissive) or settings.permissive,
            permissive_files=_permissive_files(options, settings),
            prelude=options.prelude or settings.prelude,
            engine_settings=configuration.engine_settings,
        ),
    )


def _permissive_files(options: CaseOptions, settings: RunSpec) -> PermissiveFiles:
    known = settings.permissive_files
    return read_permissive_files(
        options.permissive_values or known.values or None, options.provider_schemas or known.schemas or None
    )


def _override_schedule(schedule: Schedule, options: CaseOptions) -> Schedule:
    return Schedule(
        schedule.seed if options.seed is None else options.seed,
        schedule.parallelism if options.parallelism is None else options.parallelism,
        schedule.handover if options.handover is None else PlanTransfer(options.handover),
    )


def _find_by_path(text: str, configuration: Configuration) -> tuple[Path, RunSpec] | None:
    path = Path(text)
    if not path.exists():
        return None
    directory = path.parent if path.is_file() else path
    if directory.name in ("", "..") or not directory.parent.name:
        directory = Path(os.path.abspath(directory))
    engines = tuple(configuration.engines or DEFAULT_ENGINES)
    return directory, RunSpec(engines, (Schedule(seed=configuration.seed or 0),), timeout_s=float(DEFAULT_TIMEOUT_S))


def _find_in_run(text: str, configuration: Configuration) -> tuple[Path, RunSpec]:
    run_name, colon, case_name = text.rpartition(":")
    if not colon or not run_name:
        raise click.UsageError(f"there is no case {text}; give its directory, or RUN:CASE for a case of a run")
    kept = find_kept_result(configuration, run_name, case_name)
    directory = Path(kept.result.path)
    if not directory.is_dir():
        raise click.UsageError(f"{directory} does not exist any more, or was run from another directory")
    return directory, kept.settings


def find_kept_result(configuration: Configuration, run_name: str, case_name: str) -> KeptResult:
    """Find the result of a case in a run, by its identifier or its path. The case itself may be gone."""
    place = find_run(configuration, run_name)
    try:
        run, settings = read_run([place]), read_header(place).settings
    except JournalError as problem:
        raise click.ClickException(str(problem)) from problem
    names = (case_name, os.path.normpath(case_name))
    found = [result for result in run.results if result.identifier in names or result.path in names]
    if not found or found[0].counts:
        raise click.UsageError(f"the run {run_name} has no case {case_name}")
    return KeptResult(found[0], _read_settings(place, settings, found[0]), run.header)


def _read_settings(place: Path, tree: Any, result: CaseResult) -> RunSpec:
    """Read the settings of a run, with the schedule that a finding of the case blames, or else the first."""
    try:
        schedules, repeated = (
            [Schedule(each["seed"], each["parallelism"], PlanTransfer(each["handover"])) for each in tree[name]]
            for name in ("ways", "again")
        )
        named = {text for finding in result.findings for text in (finding.place, *finding.schedules[1:])}
        blamed = [schedule for schedule in (*schedules, *repeated) if str(schedule) in named]
        return RunSpec(
            tuple(tree["engines"]),
            (*blamed, *schedules)[:1],
            flavour=result.flavour,
            against=tree.get("against", ""),
            changes=frozenset(tree["changes"]),
            timeout_s=float(tree["timeout_s"]),
            permissive=tuple(tree.get("permissive", ())),
            permissive_files=PermissiveFiles(**tree.get("permissive_files", {})),
            mutant=tree.get("mutant", ""),
            prelude=Prelude(**tree["prelude"]) if tree.get("prelude") else None,
            modules=tree.get("modules", {}),
            values=tuple((kind, text) for kind, text in tree.get("values", ())),
            generates_values=tree.get("generates_values", False),
        )
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise click.ClickException(f"{place}: its settings cannot be read: {problem}") from problem


def mark_known(result: CaseResult, settings: RunSpec) -> CaseResult:
    """Mark the findings that the project's known.yaml documents, and add what a command that shows them again needs."""
    return with_repeated_options(read_known_divergences().documented(result), settings)
