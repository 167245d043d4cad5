"""Where a command writes: documents to files or to standard output, everything else to the terminal.

Files are written atomically: a reader finds the old content or the new one, never a part of it. A document whose file
is called `-` goes to standard output, and everything that the command prints for people goes to standard error then, so
that another program can read the document. A reader who closes the pipe early ends no command: its files are still
written, and its exit code is that of its result.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

import click

__all__ = ["STANDARD_OUTPUT", "DocumentPath", "surviving_closed_pipe", "write_file"]

STANDARD_OUTPUT: Final = Path("-")
_REAL_OUTPUT: Final = "harness.cli.support.output"


class DocumentPath(click.Path):
    """The type of an option that names the file of a document, or standard output."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        file = super().convert(value, param, ctx)
        if file == STANDARD_OUTPUT and ctx is not None:
            self._claim_standard_output(param, ctx)
        return file

    def _claim_standard_output(self, param: click.Parameter | None, ctx: click.Context) -> None:
        if _REAL_OUTPUT in ctx.meta:
            self.fail("only one document can be written to standard output", param, ctx)
        real = ctx.meta[_REAL_OUTPUT] = sys.stdout
        sys.stdout = sys.stderr
        ctx.call_on_close(lambda: setattr(sys, "stdout", real))


def write_file(file: Path, text: str) -> None:
    """Write to a temporary file in the same directory, then rename it; or write to standard output."""
    context = click.get_current_context(silent=True)
    if file == STANDARD_OUTPUT and context is not None and _REAL_OUTPUT in context.meta:
        output: TextIO = context.meta[_REAL_OUTPUT]
        with surviving_closed_pipe(output):
            output.write(text)
        return
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(file)
    except OSError as problem:
        temporary.unlink(missing_ok=True)
        raise click.ClickException(f"cannot write {file}: {problem.strerror}") from problem


@contextmanager
def surviving_closed_pipe(output: TextIO | None = None) -> Iterator[None]:
    """Go on after the reader of the output has left. What is written afterwards is lost."""
    stream = sys.stdout if output is None else output
    try:
        yield
        stream.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
