"""What `diffharness run` is going to do: the options, completed by the project's settings, become a `RunPlan`.

An option given on the command line wins over the project's settings, and these win over the default.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from harness.case.prelude import Prelude
from harness.case.recordings import recorded_systems
from harness.case.unit import FoundUnits, Unit, select_units
from harness.cli.support.given_options import given_modules, given_values, module_directories
from harness.cli.support.options import (
    check_permissive,
    flavour_of_binaries,
    given_directories,
    read_chains,
    read_engines,
    read_permissive_files,
    require_recordings,
)
from harness.cli.support.project import find_trusted_directories
from harness.cli.support.provenance import commit_here, version, version_fact
from harness.cli.support.repositories import Repository
from harness.cli.support.selection import NothingSelectedError, SelectionOptions, select_asked
from harness.configuration import Configuration
from harness.engines.external import BinaryFailedError, find_binary, is_external
from harness.engines.recorded import is_recorded, recorded_system
from harness.engines.registry import DEFAULT_ENGINES
from harness.execute.execution import ExecutionOptions, RunnerName
from harness.execute.journal import RunHeader
from harness.execute.wire import settings_to_json, to_line
from harness.play.engine_runs import known_changes
from harness.play.run_spec import DEFAULT_TIMEOUT_S, RunSpec
from harness.play.schedule import PARALLELISMS, PlanTransfer, Schedule, every_schedule
from reports.run.repositories import REPOSITORY_FACT
from shared_nodes.record import record

__all__ = ["MEMORY_MB", "RunOptions", "RunPlan", "make_run_plan", "read_shard"]

_Value = TypeVar("_Value")

CHUNK_SIZE: Final = 64
RETRIES: Final = 2
_FEW: Final = 64
"""Workers for so few units are forked from the leading process. In a large run that process grows with the results."""

_LOCAL: Final = frozenset({"trusted", "given"})
"""Settings that are paths of one machine."""

MEMORY_MB: Final = 2048
"""The limit of a worker process: several times what the largest case of the corpus needs."""


@record
class RunOptions:
    """The options of `run` as given. None: not given."""

    engines: str | None
    chains: tuple[str, ...]
    jobs: int | None
    runner: str | None
    scheduler: str | None
    chunk_size: int | None
    fail_fast: bool
    retries: int | None
    timeout_s: float | None
    memory_mb: int | None
    shard: tuple[int, int] | None
    resume: str | None
    seed: int | None
    parallelism: int | None
    seeds: int | None
    handovers: tuple[str, ...]
    repeat: int
    flavour: str | None
    against: str | None
    change: tuple[str, ...]
    permissive: tuple[str, ...]
    permissive_values: str | None
    provider_schemas: str | None
    prelude: Prelude | None
    mutant: str
    update_agreeing: bool
    expect_success: bool
    known: Path | None
    out: Path | None
    allow_exec: bool
    include: tuple[Path, ...]
    module: tuple[str, ...]
    inputs: tuple[tuple[str, str], ...]
    generate_vars: bool
    selection: SelectionOptions

    @staticmethod
    def from_click(values: dict[str, Any]) -> RunOptions:
        values = {**values, "selection": SelectionOptions.from_click(values)}
        return RunOptions(**{field.name: values[field.name] for field in fields(RunOptions)})


@record
class RunPlan:
    units: tuple[Unit, ...]
    settings: RunSpec
    execution: ExecutionOptions
    header: RunHeader
    repeated: tuple[str, ...] = ()
    """Options that are not part of the settings, and that a command which reproduces a result needs as well."""


def make_run_plan(
    paths: Sequence[Path],
    configuration: Configuration,
    options: RunOptions,
    repositories: Sequence[Repository] = (),
) -> RunPlan:
    """Make the plan of a run. Every mistake in the options, and a path with nothing to run, is reported before anything
    runs."""
    if options.resume is not None and options.selection.last_failed:
        raise click.UsageError("--resume continues with the cases of the run: omit --last-failed")
    engines = read_engines(options.engines, configuration.engines or DEFAULT_ENGINES, with_recorded=True)
    engines = tuple(dict.fromkeys([*engines, *read_chains(options.chains)]))
    settings = _make_settings(engines, paths, configuration, options)
    systems = [recorded_system(engine) for engine in engines if is_recorded(engine)]
    found = _find_units(paths, settings.flavour, systems)
    selected_units = select_asked(found.units, options.selection, paths, configuration)
    units = [_in_repository(unit, repositories) for unit in selected_units]
    require_recordings(engines, (unit.path for unit in units))
    shard = options.shard
    selected = units if shard is None else units[shard[0] - 1 :: shard[1]]
    execution = _make_execution(configuration, options, len(selected))
    header = RunHeader(
        units=tuple(unit.identifier for unit in selected),
        engines=engines,
        settings=_settings_that_decide(settings, execution, options.allow_exec),
        facts={
            **_describe(settings, execution, shard),
            **_describe_left_out(found),
            **_describe_selection(options.selection, len(units), len(found.units)),
            **_describe_repositories(repositories),
        },
        shard="" if shard is None else "{}/{}".format(*shard),
        total=len(units),
    )
    return RunPlan(tuple(selected), settings, execution, header, _options_to_repeat(options))


def _options_to_repeat(options: RunOptions) -> tuple[str, ...]:
    return (
        *(() if options.known is None else ("--known", str(options.known))),
        *(() if options.memory_mb is None else ("--memory", str(options.memory_mb))),
    )


def _find_units(paths: Sequence[Path], flavour: str, systems: Collection[str]) -> FoundUnits:
    """Find the units at or below the paths. A path such as `.` is made absolute first, because cases are named after
    their directories."""
    roots = [Path(os.path.abspath(path)) if path.name in ("", "..") else path for path in paths]
    found = select_units(roots, flavour, systems)
    units = found.units
    if not units:
        raise NothingSelectedError(
            f"nothing to run below {', '.join(map(str, paths))}: no *.jsonl beside a context.tf, no case.yaml, "
            "no *.tf or *.tofu"
        )
    identifier, count = Counter(unit.identifier for unit in units).most_common(1)[0]
    if count > 1:
        places = [str(unit.path) for unit in units if unit.identifier == identifier]
        raise click.UsageError(
            f"two files of expressions are called {identifier}: {' and '.join(places[:2])}. A run identifies them by "
            "their names: rename one of them, or run them separately."
        )
    return found


def read_shard(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    part, slash, count = text.partition("/")
    if not slash or not part.isdecimal() or not count.isdecimal() or not 1 <= int(part) <= int(count):
        raise click.BadParameter(f"{text} is not I/N, a part and the number of parts, such as 2/4")
    return int(part), int(count)


# Settings


def _make_settings(
    engines: tuple[str, ...], paths: Sequence[Path], configuration: Configuration, options: RunOptions
) -> RunSpec:
    # Before anything asks a program for its version: settings of a stranger may name any.
    trusted = find_trusted_directories(engines, paths, options.allow_exec)
    seed = _first_given(options.seed, configuration.seed, default=0)
    schedules = _make_schedules(seed, options)
    is_repeated = len(schedules) == 1 and not is_recorded(engines[0])
    modules = given_modules(options.module, configuration)
    return RunSpec(
        engines,
        tuple(schedules),
        _choose_flavour(engines, configuration, options),
        options.against or "",
        trusted,
        _check_changes(options.change or configuration.changes or (), engines),
        baseline_schedules=(replace(schedules[0], seed=seed + 1),) if is_repeated else (),
        timeout_s=_first_given(options.timeout_s, configuration.timeout_s, default=float(DEFAULT_TIMEOUT_S)),
        permissive=check_permissive(options.permissive),
        permissive_files=read_permissive_files(options.permissive_values, options.provider_schemas),
        mutant=options.mutant,
        prelude=options.prelude,
        repeat=options.repeat,
        expect_success=options.expect_success,
        engine_settings=configuration.engine_settings,
        given=given_directories(paths, (*options.include, *module_directories(modules, configuration, paths))),
        modules=modules,
        values=given_values(options.inputs),
        generates_values=options.generate_vars,
    )


def _choose_flavour(engines: Sequence[str], configuration: Configuration, options: RunOptions) -> str:
    """Return the product that the whole run follows: the one asked for, or else that of the first binary. Without
    either, each case is run as the products that it is about."""
    return _first_given(options.flavour, configuration.flavour, default=flavour_of_binaries(engines))


def _make_schedules(seed: int, options: RunOptions) -> list[Schedule]:
    parallelism, seeds = options.parallelism, options.seeds
    limits = PARALLELISMS if parallelism is None and seeds is not None else (parallelism or PARALLELISMS[0],)
    return every_schedule(range(seed, seed + (seeds or 1)), limits, map(PlanTransfer, options.handovers))


def _check_changes(names: Iterable[str], engines: Iterable[str]) -> frozenset[str]:
    supported = {change for engine in engines for change in known_changes(engine)}
    for name in names:
        if name not in supported:
            message = f"no engine here can change {name}; there are {', '.join(sorted(supported)) or 'none'}"
            raise click.BadParameter(message, param_hint="--change")
    return frozenset(names)


def _make_execution(configuration: Configuration, options: RunOptions, count: int) -> ExecutionOptions:
    jobs = _first_given(options.jobs, configuration.jobs, default=os.cpu_count() or 1)
    memory_mb = options.memory_mb or configuration.memory_mb
    is_limited = any(limit is not None for limit in (memory_mb, options.timeout_s, configuration.timeout_s))
    default = RunnerName.PROCESS if jobs > 1 or is_limited else RunnerName.LOCAL
    runner = RunnerName(options.runner or default)
    if runner is RunnerName.LOCAL and memory_mb is not None:
        raise click.UsageError("--memory limits worker processes, and the local runner has none")
    if runner is not RunnerName.DASK and options.scheduler is not None:
        raise click.UsageError("--scheduler is the address of a Dask cluster: add --runner dask")
    return ExecutionOptions(
        runner,
        jobs,
        _first_given(options.chunk_size, configuration.chunk_size, default=CHUNK_SIZE),
        options.fail_fast,
        _first_given(options.retries, configuration.retries, default=RETRIES),
        memory_mb=memory_mb or MEMORY_MB,
        by_forking=count <= _FEW,
        scheduler=options.scheduler,
    )


def _first_given(*values: _Value | None, default: _Value) -> _Value:
    return next((value for value in values if value is not None), default)


# The header of the journal


def _settings_that_decide(settings: RunSpec, execution: ExecutionOptions, allow_exec: bool) -> dict[str, Any]:
    """Return everything that results depend on and that is equal on all machines that run a shard. The environment of
    an engine may hold a secret, and is represented by its digest."""
    tree = {name: value for name, value in settings_to_json(settings).items() if name not in _LOCAL}
    digest = hashlib.sha256(to_line(tree["engine_settings"]).encode()).hexdigest()
    return {
        **tree,
        "engine_settings": digest if settings.engine_settings else "",
        "allow_exec": allow_exec,
        "memory_mb": None if execution.runner is RunnerName.LOCAL else execution.memory_mb,
        "version": version(),
        "commit": commit_here(),
    }


def _without_values(words: Sequence[str]) -> list[str]:
    """Return the words of the command line without the values of `--var`, which may be secret."""
    is_value = [
        before == "--var" or word.startswith("--var=") for before, word in zip(["", *words], words, strict=False)
    ]
    return [
        re.sub(r"(?s)^((?:--var=)?[^=]*=).*", r"\1...", word) if hidden else word
        for word, hidden in zip(words, is_value, strict=True)
    ]


def _describe(settings: RunSpec, execution: ExecutionOptions, shard: tuple[int, int] | None) -> dict[str, str]:
    """Return the facts that are shown at the top of every report of the run."""
    lines = {
        "command": shlex.join(["diffharness", *_without_values(sys.argv[1:])]),
        "engines": ", ".join(settings.engines),
        "seed": str(settings.schedules[0].seed),
        "ways": _describe_schedules(settings),
        "flavour": settings.flavour or "that of each case",
        "version": version(),
        "commit": commit_here(),
        "jobs": str(execution.jobs),
        "runner": str(execution.runner),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    lines |= {version_fact(name): release for name in settings.engines if (release := _version_of_binary(name))}
    if settings.against:
        lines["against"] = f"recordings of {settings.against}"
    if settings.prelude is not None:
        lines["prelude"] = settings.prelude.option
    if settings.mutant:
        lines["mutant"] = settings.mutant.replace(",", ", ")
    return lines if shard is None else {**lines, "shard": "{}/{}".format(*shard)}


def _describe_selection(asked: SelectionOptions, selected: int, found: int) -> dict[str, str]:
    return {"selected": f"{selected:,} of {found:,} by {asked}"} if str(asked) else {}


def _describe_left_out(found: FoundUnits) -> dict[str, str]:
    """Return what was found and not run, and how to run it; nothing if everything found is run."""
    parts = []
    if cases := found.left_out:
        shared = set.intersection(*(set(recorded_systems(case)) for case in cases)) or {"NAME"}
        engines = ",".join(f"recorded:{system}" for system in sorted(shared))
        command = shlex.join(["diffharness", "run", os.path.commonpath(cases), "--engines", engines])
        parts.append(f"{len(cases):,} cases, which only other systems were recorded of; to run them: {command}")
    for places, one, several in (
        (found.called, "module that another configuration calls", "modules that other configurations call"),
        (found.fixtures, "configuration for tests", "configurations for tests"),
    ):
        if places:
            what = one if len(places) == 1 else several
            parts.append(f"{len(places):,} {what}, such as {places[0]}")
    if found.called or found.fixtures:
        parts.append("a directory that is named is run")
    return {"left out": "; ".join(parts)} if parts else {}


def _in_repository(unit: Unit, repositories: Sequence[Repository]) -> Unit:
    """Return the unit with the repository that it is from: the innermost, if one contains another."""
    place = unit.path.absolute()
    around = [each for each in repositories if place.is_relative_to(os.path.abspath(each.directory))]
    if not around:
        return unit
    return replace(unit, repository=max(around, key=lambda each: len(each.directory.parts)).name)


def _describe_repositories(repositories: Iterable[Repository]) -> dict[str, str]:
    return {f"{REPOSITORY_FACT}{each.name}": each.description for each in repositories}


def _version_of_binary(engine: str) -> str:
    """Return the version of a binary, which reports on the run cannot ask for any more; empty for another engine, and
    for a program that does not tell."""
    try:
        return find_binary(engine).version if is_external(engine) else ""
    except BinaryFailedError:
        return ""


def _describe_schedules(settings: RunSpec) -> str:
    """Return the ways in which each case is run. A binary has no seed, and is not run once more unless asked to be."""
    if all(map(is_recorded, settings.engines)):
        return "as recorded"
    binaries = [is_external(engine) for engine in settings.engines]
    seeds = len({schedule.seed for schedule in settings.schedules})
    limits = ", ".join(map(str, dict.fromkeys(schedule.parallelism for schedule in settings.schedules)))
    transfers = ", ".join(dict.fromkeys(schedule.handover for schedule in settings.schedules))
    ways = [] if all(binaries) else [f"{seeds} {'seed' if seeds == 1 else 'seeds'}"]
    ways += [f"parallelism {limits}", f"plans by {transfers}"]
    ways += [f"{settings.repeat} times by binaries"] if any(binaries) and settings.repeat > 1 else []
    is_repeated = settings.baseline_schedules and not binaries[0]
    again = f", {settings.engines[0]} once more with another seed where engines differ" if is_repeated else ""
    return f"{' x '.join(ways)}{again}"
