"""Writing files atomically: a reader finds the old content or the new one, never a part of it."""

from __future__ import annotations

import os
from pathlib import Path

import click

__all__ = ["write_file"]


def write_file(file: Path, text: str) -> None:
    """Write to a temporary file in the same directory, then rename it."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(file)
    except OSError as problem:
        temporary.unlink(missing_ok=True)
        raise click.ClickException(f"cannot write {file}: {problem.strerror}") from problem
