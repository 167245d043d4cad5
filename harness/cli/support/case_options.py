"""What commands about one case share: which case, run by whom, in which way."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from harness.cli.support.options import change_option, permissive_option, permitted
from harness.cli.support.run_directory import find_run
from harness.cli.trust import allow_exec_option, configuration_here, trusted_for
from harness.configuration import Configuration
from harness.engines.external import require_engine
from harness.engines.registry import DEFAULT_ENGINES, EngineNotFoundError
from harness.execute.journal import JournalError, read_header, read_run
from harness.findings.known_divergences import KnownDivergences, KnownError, read_known
from harness.findings.result import CaseResult
from harness.play.run_spec import DEFAULT_TIMEOUT_S, RunSpec
from harness.play.schedule import PlanTransfer, Schedule

__all__ = ["OneCase", "case_options", "chosen", "documented"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPTIONS: Final = (
    click.option(
        "--engines", help=f"Who runs the case; the first is the baseline.  [default: {','.join(DEFAULT_ENGINES)}]"
    ),
    click.option("--seed", type=int, help="One seed, one order of everything dependencies leave open."),
    click.option("--parallelism", type=click.IntRange(min=1), help="How much is done at a time."),
    click.option("--handover", type=click.Choice([handover.value for handover in PlanTransfer]), help="Plan to apply."),
    change_option,
    permissive_option,
    allow_exec_option,
)


def case_options(command: _Command) -> _Command:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class OneCase:
    directory: Path
    settings: RunSpec
    """With one way."""


def chosen(text: str, given: dict[str, Any]) -> OneCase:
    """`text` is the path of a case, or RUN:CASE: a case of a run as that had it. Options change what the run had."""
    configuration = configuration_here()
    directory, settings = _of_path(text, configuration) or _of_run(text, configuration)
    engines = settings.engines if given["engines"] is None else _engines(given["engines"])
    way = settings.ways[0]
    asked = {name: given[name] for name in ("seed", "parallelism") if given[name] is not None}
    if given["handover"] is not None:
        asked["handover"] = PlanTransfer(given["handover"])
    return OneCase(
        directory,
        replace(
            settings,
            engines=engines,
            ways=(replace(way, **asked),),
            trusted=trusted_for(engines, [directory], given["allow_exec"]),
            changes=frozenset(given["change"]) or settings.changes,
            permissive=permitted(given["permissive"]) or settings.permissive,
        ),
    )


def _of_path(text: str, configuration: Configuration) -> tuple[Path, RunSpec] | None:
    path = Path(text)
    if not path.exists():
        return None
    directory = path.parent if path.is_file() else path
    if directory.name in ("", "..") or not directory.parent.name:
        directory = Path(os.path.abspath(directory))
    engines = tuple(configuration.engines or DEFAULT_ENGINES)
    return directory, RunSpec(engines, (Schedule(seed=configuration.seed or 0),), timeout_s=float(DEFAULT_TIMEOUT_S))


def _of_run(text: str, configuration: Configuration) -> tuple[Path, RunSpec]:
    run_name, colon, case_name = text.rpartition(":")
    if not colon or not run_name:
        raise click.UsageError(f"there is no case {text}; give its directory, or RUN:CASE for a case of a run")
    place = find_run(configuration, run_name)
    try:
        results = read_run([place]).results
        settings = read_header(place).settings
    except JournalError as problem:
        raise click.ClickException(str(problem)) from problem
    found = [result for result in results if case_name in (result.identifier, result.path)]
    if not found or found[0].counts:
        raise click.UsageError(f"the run {run_name} has no case {case_name}")
    directory = Path(found[0].path)
    if not directory.is_dir():
        raise click.UsageError(f"{directory} is not there any more, or was run from another directory")
    return directory, _recorded_settings(place, settings, found[0])


def _recorded_settings(place: Path, tree: Any, result: CaseResult) -> RunSpec:
    """The way that brought the case down, where one did; else the first."""
    try:
        ways, again = (
            [Schedule(way["seed"], way["parallelism"], PlanTransfer(way["handover"])) for way in tree[name]]
            for name in ("ways", "again")
        )
        told = {text for finding in result.findings for text in (finding.place, *finding.ways[1:])}
        blamed = [way for way in (*ways, *again) if str(way) in told]
        return RunSpec(
            tuple(tree["engines"]),
            (*blamed, *ways)[:1],
            changes=frozenset(tree["changes"]),
            timeout_s=float(tree["timeout_s"]),
            permissive=tuple(tree.get("permissive", ())),
            mutant=tree.get("mutant", ""),
        )
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise click.ClickException(f"{place}: its settings cannot be read: {problem}") from problem


def _engines(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise click.BadParameter("name at least one engine", param_hint="--engines")
    for name in names:
        try:
            require_engine(name)
        except EngineNotFoundError as problem:
            raise click.BadParameter(str(problem), param_hint="--engines") from problem
    return names


def documented(result: CaseResult) -> CaseResult:
    """With the entries of the project's known.yaml, where it has one."""
    file = configuration_here().known
    if file is None:
        return result
    try:
        known: KnownDivergences = read_known(file)
    except KnownError as problem:
        raise click.ClickException(str(problem)) from problem
    return known.documented(result)
