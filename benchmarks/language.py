"""Measures the speed of the language core, in comparison with similar tools.

This is a command and not a test: figures depend on the machine, so nothing here passes or fails. Every figure is the
best of several rounds, because noise on a shared machine only ever adds time. The other tools are measured in the same
run on the same text:

- python-hcl2, the other Python parser of this language, on its syntax tree without further processing;
- the real terraform, where it is installed: `terraform console` for expressions, as the time that additional lines
  take, so that starting the process does not count; `terraform validate` for a whole file, which does more than parse.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

import click
import hcl2
from rich.console import Console
from rich.table import Table

from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.registry import function_table
from shared_nodes.lang.compile import compile_expression
from shared_nodes.lang.parser import parse_body, parse_expression
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Source
from shared_nodes.world import World

BLOCK: Final = """\
resource "terraform_data" "service_{number}" {{
  triggers_replace = [local.prefix, {number}, "release-{number}"]

  input = {{
    name     = "${{local.prefix}}-service-{number}"
    replicas = {number} % 3 + 1
    ports    = [for offset in range(3) : 8000 + {number} * 10 + offset]
    labels = {{
      tier    = {number} > 500 ? "back" : "front"
      "owner" = upper(substr("team-{number}", 0, 4))
    }}
    motd = <<-EOT
      Service {number} of ${{local.prefix}}.
      Listening on ${{8000 + {number}}}.
    EOT
  }}

  lifecycle {{
    create_before_destroy = true
  }}
}}

"""
HEADER: Final = 'locals {\n  prefix = "bench"\n}\n\n'

EXPRESSIONS: Final = {
    "template": '"${"a"}-${1 + 2}-%{ if true }yes%{ else }no%{ endif }-${upper("x")}"',
    "for over 1,000 elements": "[for number in range(1000) : number * 2 if number % 2 == 0]",
    "30 functions": """[
        abs(-1), ceil(1.5), floor(1.5), max(1, 2, 3), min(1, 2, 3), parseint("ff", 16), pow(2, 8), signum(-3),
        upper("a"), lower("A"), title("a b"), trimspace(" a "), substr("hello", 1, 3), join(",", ["a", "b"]),
        split(",", "a,b"), replace("a-b", "-", "_"), format("%s-%03d", "a", 7), regex("[a-z]+", "abc1"),
        strrev("abc"), startswith("abc", "a"), length([1, 2]), concat([1], [2]), flatten([[1], [2]]),
        merge({ a = 1 }, { b = 2 }), keys({ a = 1 }), distinct([1, 1]), jsonencode({ a = [1] }), jsondecode("[1]"),
        base64encode("a"), sha256("a"),
    ]""",
}
PARSED_BLOCKS: Final = (20, 357, 1000)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure. More is better, for us and for the peer."""

    what: str
    unit: str
    ours: float
    peer: str | None = None
    theirs: float | None = None

    @property
    def ratio(self) -> float | None:
        return self.ours / self.theirs if self.theirs else None


def best_seconds(action: Callable[[], object], at_least: float = 0.5, rounds: int = 3) -> float:
    """Return the shortest duration of one action, over as many rounds as fill some time. Garbage is collected before
    each."""
    best = float("inf")
    spent = 0.0
    for done in count(1):
        gc.collect()
        begin = time.perf_counter()
        action()
        seconds = time.perf_counter() - begin
        best = min(best, seconds)
        spent += seconds
        if spent >= at_least and done >= rounds:
            return best
    raise AssertionError("count() never ends")


def configuration(blocks: int) -> str:
    return HEADER + "".join(BLOCK.format(number=number) for number in range(blocks))


def parse_fully(text: str) -> None:
    _, diagnostics = parse_body(Source("main.tf", text.encode()))
    if diagnostics:
        raise click.ClickException(f"the generated file does not parse: {diagnostics[0]}")


def parsing_figure(blocks: int) -> Figure:
    text = configuration(blocks)
    megabytes = len(text.encode()) / 1e6
    ours = best_seconds(lambda: parse_fully(text))
    theirs = best_seconds(lambda: hcl2.parses_to_tree(text), rounds=1)
    what = f"parse {blocks:,} blocks, {megabytes * 1000:,.0f} KB"
    return Figure(what, "MB/s", megabytes / ours, "python-hcl2", megabytes / theirs)


def evaluation_figure(name: str, text: str, terraform: Terraform | None) -> Figure:
    expression, diagnostics = parse_expression(Source("expression", text.encode()))
    if expression is None:
        raise click.ClickException(f"the expression {name} does not parse: {diagnostics[0]}")
    compiled = compile_expression(expression)
    scope = Scope(variables={}, functions=function_table(FunctionContext(World.real(Path.cwd()))))
    _, diagnostics = compiled.evaluate(scope)
    if diagnostics:
        raise click.ClickException(f"the expression {name} fails: {diagnostics[0]}")
    ours = 1 / best_seconds(lambda: compiled.evaluate(scope))
    if terraform is None:
        return Figure(f"evaluate {name}", "1/s", ours)
    return Figure(f"evaluate {name}", "1/s", ours, "terraform console", 1 / terraform.console_seconds(text))


def whole_file_figure(blocks: int, terraform: Terraform) -> Figure:
    text = configuration(blocks)
    ours = best_seconds(lambda: parse_fully(text))
    what = f"{blocks:,} blocks: we parse, terraform validates"
    return Figure(what, "1/s", 1 / ours, "terraform validate", 1 / terraform.validate_seconds(text))


@dataclass(frozen=True, slots=True)
class Terraform:
    """The real binary, run in directories of its own and without the user's settings."""

    binary: str

    def run(self, directory: str, *arguments: str, given: str = "") -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TF_")}
        environment["CHECKPOINT_DISABLE"] = "1"
        command = [self.binary, *arguments]
        done = subprocess.run(
            command, cwd=directory, env=environment, input=given, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise click.ClickException(f"{' '.join(command)} failed: {done.stderr.strip()}")

    def console_seconds(self, expression: str) -> float:
        """Return the cost of one more line: the time that many lines take beyond one. Lines are added until they at
        least double the time of a run, most of which is spent on starting up."""
        line = " ".join(expression.split()) + "\n"
        with tempfile.TemporaryDirectory() as directory:
            one = best_seconds(partial(self.run, directory, "console", given=line))
            for lines in (100, 1_000, 10_000):
                many = best_seconds(partial(self.run, directory, "console", given=line * (1 + lines)))
                if many > 2 * one:
                    break
        return (many - one) / lines

    def validate_seconds(self, text: str) -> float:
        with tempfile.TemporaryDirectory() as directory:
            Path(directory, "main.tf").write_text(text, encoding="utf-8")
            return best_seconds(partial(self.run, directory, "validate"))


def measure(terraform: Terraform | None) -> Iterator[Figure]:
    for blocks in PARSED_BLOCKS:
        yield parsing_figure(blocks)
    for name, text in EXPRESSIONS.items():
        yield evaluation_figure(name, text, terraform)
    if terraform is not None:
        yield whole_file_figure(PARSED_BLOCKS[-1], terraform)


def readable(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def show(figures: list[Figure]) -> None:
    table = Table("what", "unit", "ours", "peer", "theirs", "ratio")
    for column in (table.columns[2], *table.columns[4:]):
        column.justify = "right"
    for figure in figures:
        ours, theirs, ratio = map(readable, (figure.ours, figure.theirs, figure.ratio))
        table.add_row(figure.what, figure.unit, ours, figure.peer or "", theirs, ratio)
    Console(width=120).print(table)


@click.command()
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to this file as well.")
@click.option(
    "--terraform/--no-terraform",
    "with_terraform",
    default=True,
    help="Also measure the real binary, if it is installed.",
)
def main(json_file: Path | None, with_terraform: bool) -> None:
    """Measure the language core: parsing and evaluating."""
    binary = shutil.which("terraform") if with_terraform else None
    figures = list(measure(Terraform(binary) if binary else None))
    show(figures)
    if with_terraform and binary is None:
        click.echo("There is no terraform on PATH, so it was not measured.", err=True)
    if json_file is not None:
        rows = [{**asdict(figure), "ratio": figure.ratio} for figure in figures]
        json_file.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
