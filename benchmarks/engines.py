"""Speed of the engines: validate, plan, apply and a plan without changes, on shapes of configuration.

    blocks    N resource blocks in chains of ten
    count     one resource with count = N, read by another
    chain     N resources, each reading the one before
    locals    N local values, each reading the one before
    modules   N/10 instances of a module with ten resources

Where the real terraform is on PATH it does the same in the same run, and the last column says how many times as fast we
are. Whole commands are measured, from reading files to writing the state, each in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table


def blocks(number: int) -> Mapping[str, str]:
    lines = []
    for index in range(number):
        value = f"terraform_data.r{index - 1}.output" if index % 10 else '"start"'
        lines.append(f'resource "terraform_data" "r{index}" {{\n  input = {value}\n}}\n')
    return {"main.tf": "".join(lines)}


def count(number: int) -> Mapping[str, str]:
    text = f'resource "terraform_data" "many" {{\n  count = {number}\n  input = count.index\n}}\n'
    return {"main.tf": text + 'resource "terraform_data" "reader" {\n  input = terraform_data.many[*].output\n}\n'}


def chain(number: int) -> Mapping[str, str]:
    first = 'resource "terraform_data" "r0" {\n  input = "start"\n}\n'
    rest = (
        f'resource "terraform_data" "r{index}" {{\n  input = terraform_data.r{index - 1}.output\n}}\n'
        for index in range(1, number)
    )
    return {"main.tf": first + "".join(rest)}


def locals_(number: int) -> Mapping[str, str]:
    lines = "".join(f"  v{index} = local.v{index - 1} + 1\n" for index in range(1, number))
    text = f"locals {{\n  v0 = 0\n{lines}}}\n"
    return {"main.tf": text + f'resource "terraform_data" "last" {{\n  input = local.v{number - 1}\n}}\n'}


def modules(number: int) -> Mapping[str, str]:
    call = f'module "m" {{\n  source = "./m"\n  count  = {number // 10}\n  start  = count.index\n}}\n'
    inner = 'variable "start" {\n  type = number\n}\nresource "terraform_data" "r0" {\n  input = var.start\n}\n'
    inner += "".join(
        f'resource "terraform_data" "r{index}" {{\n  input = terraform_data.r{index - 1}.output\n}}\n'
        for index in range(1, 10)
    )
    return {"main.tf": call, "m/main.tf": inner}


SHAPES: Final[Mapping[str, Callable[[int], Mapping[str, str]]]] = {
    "blocks": blocks,
    "count": count,
    "chain": chain,
    "locals": locals_,
    "modules": modules,
}
OPERATIONS: Final = ("validate", "plan", "apply", "no-op plan")


@dataclass(frozen=True, slots=True)
class Measurement:
    shape: str
    size: int
    operation: str
    ours_s: float | None
    terraform_s: float | None

    @property
    def ratio(self) -> float | None:
        return self.terraform_s / self.ours_s if self.ours_s and self.terraform_s else None


def seconds(command: Sequence[str], directory: Path, limit_s: float) -> float | None:
    """How long a command takes; None where it fails or takes longer than the limit."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("TF_")}
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command, cwd=directory, env=environment, capture_output=True, timeout=limit_s, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return time.perf_counter() - start if done.returncode == 0 else None


def ours(engine: str, operation: str) -> list[str]:
    start = [sys.executable, "-c", "from harness.cli import main; main()", "engine", engine]
    return [*start, {"no-op plan": "plan"}.get(operation, operation), "."]


def theirs(binary: str, operation: str) -> list[str]:
    arguments = {
        "validate": ["validate"],
        "plan": ["plan", "-input=false"],
        "apply": ["apply", "-auto-approve", "-input=false"],
        "no-op plan": ["plan", "-input=false"],
    }
    return [binary, *arguments[operation]]


def measure(shape: str, size: int, engine: str, binary: str | None, limit_s: float) -> list[Measurement]:
    with tempfile.TemporaryDirectory(prefix="diffharness-bench-") as place:
        directories = [Path(place) / "ours", Path(place) / "theirs"]
        for directory in directories:
            for name, text in SHAPES[shape](size).items():
                (directory / name).parent.mkdir(parents=True, exist_ok=True)
                (directory / name).write_text(text)
        if binary is not None:
            seconds([binary, "init", "-input=false"], directories[1], limit_s)
        found = []
        for operation in OPERATIONS:
            mine = seconds(ours(engine, operation), directories[0], limit_s)
            other = seconds(theirs(binary, operation), directories[1], limit_s) if binary is not None else None
            found.append(Measurement(shape, size, operation, mine, other))
        return found


def shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,5000", help="comma-separated numbers of resources")
    parser.add_argument("--shapes", default=",".join(SHAPES), help="comma-separated names of shapes")
    parser.add_argument("--engine", default="legacy")
    parser.add_argument("--limit", type=float, default=600, help="seconds one command may take")
    parser.add_argument("--no-terraform", action="store_true", help="measure only our own engine")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args()
    binary = None if options.no_terraform else shutil.which("terraform")
    table = Table("shape", "size", "operation", "ours, s", "terraform, s", "times as fast")
    found: list[Measurement] = []
    for shape in options.shapes.split(","):
        for size in map(int, options.sizes.split(",")):
            for item in measure(shape, size, options.engine, binary, options.limit):
                found.append(item)
                numbers = (shown(item.ours_s), shown(item.terraform_s), shown(item.ratio))
                table.add_row(item.shape, f"{item.size:,}", item.operation, *numbers)
    Console().print(table)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(item) for item in found], indent=2) + "\n")


if __name__ == "__main__":
    main()
