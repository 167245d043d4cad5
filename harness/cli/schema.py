"""`diffharness schema`: the published JSON Schemas, for editors and other programs."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import click

__all__ = ["schema"]

_SCHEMAS: Final = {"case": "harness.case", "run": "reports.run"}
"""The package that holds NAME.schema.json."""


@click.command()
@click.argument("name", metavar="NAME", type=click.Choice(sorted(_SCHEMAS)))
def schema(name: str) -> None:
    """Print the JSON Schema of case.yaml (case), or of the output of `run --json` (run)."""
    click.echo(files(_SCHEMAS[name]).joinpath(f"{name}.schema.json").read_text(encoding="utf-8"), nl=False)
