"""The file of the event stream: it may fail, but never stops an apply.

Every line is written at once, so that a reader of the file sees each event when it happens. After the first line that
cannot be written, because the disk is full for example, the file stays as it is, and the command reports that when it
ends.
"""

from __future__ import annotations

import os
from pathlib import Path

import click

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.record import record

__all__ = ["EventFile", "open_event_file"]


def open_event_file(path: Path) -> EventFile:
    try:
        return EventFile(path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666))
    except OSError as problem:
        raise click.ClickException(f"cannot write {path}: {problem.strerror}") from problem


@record(frozen=False)
class EventFile:
    path: Path
    _descriptor: int
    _failure: OSError | None = None

    def write(self, text: str) -> None:
        content = text.encode()
        try:
            while content and self._failure is None:
                content = content[os.write(self._descriptor, content) :]
        except OSError as failure:
            self._failure = failure

    def problems(self) -> list[Diagnostic]:
        if self._failure is None:
            return []
        return [error("Failed to write the event stream", f"{self.path} is incomplete: {self._failure.strerror}.")]

    def close(self) -> None:
        os.close(self._descriptor)
