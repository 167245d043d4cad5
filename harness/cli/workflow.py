"""`diffharness workflow`: trace a workflow file with given outcomes, without running any action."""

from __future__ import annotations

import json
from pathlib import Path

import click

from harness.workflow.model import Match, Workflow
from harness.workflow.outcome import WorkflowStatus
from harness.workflow.outcomes_file import KnownOutcomes, OutcomesError, read_outcomes
from harness.workflow.reading import WorkflowError, read_workflow
from harness.workflow.trace import WorkflowTrace, rejected_document, trace_document, trace_workflow

__all__ = ["workflow"]

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", metavar="FILE", type=_FILE)
@click.option("--outcomes", "outcomes_file", type=_FILE, help="Outcomes of executions. Without it, all succeed.")
@click.option(
    "--match",
    type=click.Choice([match.value for match in Match]),
    help="Transitions to take when several match.  [default: as the file says, else first]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the trace, as in corpus/conformance/workflows.")
@click.pass_context
def workflow(context: click.Context, file: Path, outcomes_file: Path | None, match: str | None, as_json: bool) -> None:
    """Trace the workflow in FILE without running any action: print what would run, and how it would end.

    A workflow that fails exits with 1, but with 0 if --outcomes is given.
    """
    try:
        written = read_workflow(file)
    except WorkflowError as problem:
        if as_json:
            click.echo(json.dumps(rejected_document(problem)))
        raise click.ClickException(str(problem)) from problem
    trace = _trace(written, outcomes_file, None if match is None else Match(match))
    for warning in trace.conductor.warnings:
        click.echo(f"Warning: {warning}", err=True)
    if as_json:
        click.echo(json.dumps(trace_document(trace)))
    else:
        click.echo(_describe(trace))
    context.exit(0 if outcomes_file is not None or trace.conductor.status is WorkflowStatus.SUCCEEDED else 1)


def _trace(written: Workflow, outcomes_file: Path | None, match: Match | None) -> WorkflowTrace:
    try:
        known = KnownOutcomes({}) if outcomes_file is None else read_outcomes(outcomes_file)
    except OutcomesError as problem:
        raise click.ClickException(str(problem)) from problem
    for task in sorted(known.answers.keys() - written.tasks.keys()):
        click.echo(f"Warning: {outcomes_file} has outcomes for {task}, and there is no such task", err=True)
    return trace_workflow(written, known.answers, known.discipline, match)


def _describe(trace: WorkflowTrace) -> str:
    """Return one line per execution in the order they end, with the executions it started."""
    conductor = trace.conductor
    batches = dict(zip(trace.batch_after, trace.batches, strict=True))
    lines = [f"start: {', '.join(one.task for one in batches.get(0, ()))}"]
    for position, (execution, outcome) in enumerate(trace.ended, 1):
        names = [one.task if one.attempt == 1 else f"{one.task} (retry)" for one in batches.get(position, ())]
        then = f" -> {', '.join(names)}" if names else ""
        lines.append(f"{execution.task} {execution.number}: {outcome.value}{then}")
    reason = [str(conductor.ended_by).replace("_", " "), *conductor.unreachable_joins]
    number = "1 execution" if conductor.decided_after == 1 else f"{conductor.decided_after} executions"
    lines.append(f"{conductor.status.value} after {number}: {' '.join(reason)}")
    return "\n".join([*lines, *([conductor.problem] if conductor.problem else [])])
