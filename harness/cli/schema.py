"""`diffharness schema`: the published JSON Schemas, for editors and for programs that write or read the files."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import click

__all__ = ["schema"]

_SCHEMAS: Final = {"case": "harness.case", "run": "reports.run"}
"""Each is called NAME.schema.json, and lies in the package that reads or writes what it describes."""


@click.command()
@click.argument("name", metavar="NAME", type=click.Choice(sorted(_SCHEMAS)))
def schema(name: str) -> None:
    """Print the JSON Schema of a case (case.yaml), or of what `run --json` writes (run)."""
    click.echo(files(_SCHEMAS[name]).joinpath(f"{name}.schema.json").read_text(encoding="utf-8"), nl=False)
