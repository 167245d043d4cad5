"""The `diffharness` command.

One module a command; this one holds the group they hang on and what happens at the border: exit codes, interrupts, and
a crash told in one message.

    0 equal, or success      1 different, or the operation failed      2 wrong usage
    3 a crash of ours        130 interrupted
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
from typing import Final

import click

from harness.cli.support.lazy import LazyGroup

__all__ = ["main"]

CRASHED: Final = 3
INTERRUPTED: Final = 130
COLLECT_SELDOM: Final = (50_000, 20, 20)
"""Values, trees and graphs refer to each other without cycles, so looking for garbage in them finds none: at the usual
thresholds that takes a fifth of the time of a large plan."""

ONE_OPERATION: Final = ("validate", "plan", "apply", "destroy")
"""Of `diffharness engine ENGINE`: the process ends with it, so that looking for garbage even seldom is too often."""


_COMMANDS: Final = {
    "run": "harness.cli.run:run",
    "report": "harness.cli.report:report",
    "faults": "harness.cli.faults:faults",
    "fuzz": "harness.cli.fuzz:fuzz",
    "mutants": "harness.cli.mutants:mutants",
    "shrink": "harness.cli.shrink:shrink",
    "explain": "harness.cli.explain:explain",
    "replay": "harness.cli.replay:replay",
    "record": "harness.cli.record:record",
    "engine": "harness.cli.engine.group:engine",
    "workflow": "harness.cli.workflow:workflow",
    "schema": "harness.cli.schema:schema",
    "doctor": "harness.cli.doctor:doctor",
    "completion": "harness.cli.completion:completion",
}


@click.group(cls=LazyGroup, places=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="diffharness", prog_name="diffharness")
def commands() -> None:
    """Prove that a new execution engine behaves exactly like the one it replaces."""


def main() -> None:
    """Run the command line. Never shows a traceback, unless DIFFHARNESS_DEBUG is set."""
    gc.set_threshold(*COLLECT_SELDOM)
    match sys.argv[1:]:
        case ["engine", _, operation, *_] if operation in ONE_OPERATION:
            gc.disable()
    try:
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
    except Exception as crash:  # the border: whatever escapes is a bug of ours and must end in one message
        if os.environ.get("DIFFHARNESS_DEBUG"):
            traceback.print_exc()
        click.echo(
            f"diffharness crashed: {type(crash).__name__}: {crash}\n"
            "This is a bug in diffharness, not in your configuration. Run again with DIFFHARNESS_DEBUG=1 to see where, "
            "and report it with the command you ran.",
            err=True,
        )
        status = CRASHED
    gc.freeze()  # or the interpreter takes a large plan apart object by object, for nobody: a sixth of the whole time
    sys.exit(status if isinstance(status, int) else 0)
