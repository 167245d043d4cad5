"""The `diffharness` command.

Each command has a module of its own, which is imported when the command is used: `run.py`, `fuzz.py`, and so on;
`engine/` holds the commands of `diffharness engine`, `support/` what several commands share. This module is the border
to the outside: it turns every outcome into an exit code, and a crash into one message.

    0 equal, or success          1 a difference, or the operation failed     2 wrong usage, an invalid case, or none
    3 something crashed          5 nothing was selected to run                 that could be run
    130 interrupted
"""

from __future__ import annotations

import gc
import os
import sys
from typing import Final

import click

from harness.cli.support.lazy import LazyCommand, LazyGroup
from harness.cli.support.termination import interrupted_by_termination
from harness.garbage_collection import collect_rarely

__all__ = ["main"]

CRASHED: Final = 3
INTERRUPTED: Final = 130

_OPERATIONS: Final = ("validate", "plan", "apply", "destroy")
"""The process ends after one of these commands of `diffharness engine ENGINE`, so that collecting never pays."""

_COMMANDS: Final = {
    "run": LazyCommand("harness.cli.run:run", "Run cases through the engines and compare."),
    "report": LazyCommand("harness.cli.report:report", "Report on a run again, or merge shards."),
    "runs": LazyCommand("harness.cli.runs:runs", "List the runs that are kept."),
    "causes": LazyCommand("harness.cli.causes:causes", "List what is wrong in a run, and document it."),
    "explain": LazyCommand("harness.cli.explain:explain", "Run one case and explain every difference."),
    "replay": LazyCommand("harness.cli.replay:replay", "Run one case and keep all plans and states."),
    "reproduce": LazyCommand("harness.cli.reproduce.command:reproduce", "Write a directory for a bug report."),
    "shrink": LazyCommand("harness.cli.shrink:shrink", "Reduce a case that shows a difference."),
    "fuzz": LazyCommand("harness.cli.fuzz:fuzz", "Generate stories and compare the engines on them."),
    "faults": LazyCommand("harness.cli.faults:faults", "Make every provider call of a story fail in turn."),
    "chaos": LazyCommand("harness.cli.chaos:chaos", "Kill and interrupt commands, and check that nothing is lost."),
    "mutants": LazyCommand("harness.cli.mutants:mutants", "Measure which known mistakes are detected."),
    "new": LazyCommand("harness.cli.new:new", "Make a case of a directory with a configuration."),
    "record": LazyCommand("harness.cli.record:record", "Record what a real binary does with a case."),
    "equivalence": LazyCommand("harness.cli.equivalence:equivalence", "Run the equivalence tests of a checkout."),
    "engine": LazyCommand("harness.cli.engine.group:engine", "Use one engine: plan, apply, show, graph, eval."),
    "provider": LazyCommand("harness.cli.provider:provider", "Offer simulated providers to real binaries."),
    "workflow": LazyCommand("harness.cli.workflow:workflow", "Trace a workflow file without running actions."),
    "schema": LazyCommand("harness.cli.schema:schema", "Print a published JSON Schema."),
    "doctor": LazyCommand("harness.cli.doctor:doctor", "Check the installation and the settings."),
    "completion": LazyCommand("harness.cli.completion:completion", "Print a shell completion script."),
}


def _print_version(context: click.Context, _option: click.Parameter, is_asked: bool) -> None:
    if is_asked and not context.resilient_parsing:
        from harness.cli.support.provenance import version

        click.echo(f"diffharness, version {version()}")
        context.exit()


@click.group(cls=LazyGroup, places=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def commands() -> None:
    """Prove that a new execution engine behaves exactly like the one it replaces."""


def main() -> None:
    """Run the command line. A traceback is shown only if DIFFHARNESS_DEBUG is set."""
    collect_rarely()
    match sys.argv[1:]:
        case ["engine", _, operation, *_] if operation in _OPERATIONS:
            gc.disable()
    try:
        with interrupted_by_termination():
            status = commands.main(standalone_mode=False)
    except click.ClickException as problem:
        problem.show()
        status = problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        status = INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except Exception as crash:
        # Commands turn every user error into a ClickException, so anything else is a bug in diffharness. It must end
        # in one message and exit code 3 instead of a traceback.
        if os.environ.get("DIFFHARNESS_DEBUG"):
            import traceback

            traceback.print_exc()
        click.echo(
            f"diffharness crashed: {type(crash).__name__}: {crash}\n"
            "This is a bug in diffharness, not in your configuration. Run again with DIFFHARNESS_DEBUG=1 to see where, "
            "and report it with the command you ran.",
            err=True,
        )
        status = CRASHED
    gc.freeze()  # otherwise a sixth of the time is spent on deallocating a large plan at exit
    sys.exit(status if isinstance(status, int) else 0)
