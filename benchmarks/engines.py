"""Measures the speed of the engines: validate, plan, apply and a plan without changes, on shapes of configuration.

    blocks    N resource blocks in chains of ten
    count     one resource with count = N, read by another
    chain     N resources, each reading the one before
    locals    N local values, each reading the one before
    modules   N/10 instances of a module with ten resources

If the real terraform is on PATH, it does the same in the same run, and every engine is compared with it: seconds, how
many times as fast as terraform, and the peak memory of the process. Whole commands are measured, from reading files to
writing the state, each in a process of its own. Elapsed seconds are compared; processor seconds, of which terraform
uses several at once, show how busy the machine was with other work. Nothing here passes or fails, but missed goals are
listed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Timer
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
TERRAFORM: Final = "terraform"


@dataclass(frozen=True, slots=True)
class Goals:
    """Goals of an engine. `speed`: per operation, how many times as fast as terraform it should be at the largest size.
    `growth`: how many times as long it may take for `span` times the size."""

    speed: Mapping[str, float]
    growth: float
    span: float
    within_terraforms_memory: bool = False


GOALS: Final = {
    "legacy": Goals({"plan": 1.0, "apply": 10.0}, growth=6.0, span=5.0),
    "new": Goals({"plan": 2.0, "apply": 20.0}, growth=12.0, span=10.0, within_terraforms_memory=True),
}


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measured command. `seconds` is None for a command that failed, was stopped at the limit, or was not tried
    because an earlier one did not succeed; `outcome` says which. `stopped_at` is the limit at which a command was
    stopped."""

    shape: str
    size: int
    operation: str
    engine: str
    outcome: str
    seconds: float | None = None
    cpu_seconds: float | None = None
    peak_mb: float | None = None
    stopped_at: float | None = None


def run(command: Sequence[str], directory: Path, limit_s: float) -> tuple[str, tuple[float, float, float]]:
    """Run a command. Return how it ended, and elapsed seconds, processor seconds and peak memory in megabytes."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("TF_")}
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=directory, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    timer = Timer(limit_s, process.kill)
    timer.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    stopped = f"over {limit_s:g} s" if seconds >= limit_s else "failed"
    outcome = "ok" if process.returncode == 0 else stopped
    return outcome, (seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def command(engine: str, operation: str, binary: str | None) -> list[str]:
    verb = {"no-op plan": "plan"}.get(operation, operation)
    if engine != TERRAFORM:
        return [sys.executable, "-c", "from harness.cli import main; main()", "engine", engine, verb, "."]
    assert binary is not None
    arguments = {"validate": [], "plan": ["-input=false"], "apply": ["-auto-approve", "-input=false"]}
    return [binary, verb, *arguments[verb]]


def measure(shape: str, size: int, engine: str, binary: str | None, limit_s: float) -> Iterator[Measurement]:
    """Measure all operations, one after the other in one directory."""
    with tempfile.TemporaryDirectory(prefix="diffharness-bench-") as place:
        for name, text in SHAPES[shape](size).items():
            file = Path(place, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        if engine == TERRAFORM and binary is not None:
            run([binary, "init", "-input=false"], Path(place), limit_s)
        is_going = True
        for operation in OPERATIONS:
            if not is_going:
                yield Measurement(shape, size, operation, engine, "not tried")
                continue
            outcome, used = run(command(engine, operation, binary), Path(place), limit_s)
            is_going = outcome == "ok" or operation != "apply"
            if outcome == "ok":
                yield Measurement(shape, size, operation, engine, outcome, *used)
            else:
                limit = limit_s if outcome.startswith("over") else None
                yield Measurement(shape, size, operation, engine, outcome, stopped_at=limit)


Key = tuple[str, int, str]
"""Shape, size and operation."""


class Results:
    """All measurements. The shortest of several rounds counts: noise on a shared machine only ever adds time."""

    def __init__(self, engines: Sequence[str]) -> None:
        self.engines = engines
        self._found: dict[tuple[Key, str], Measurement] = {}

    def add(self, item: Measurement) -> None:
        at = (item.shape, item.size, item.operation), item.engine
        known = self._found.get(at)
        if known is None or known.seconds is None or (item.seconds is not None and item.seconds < known.seconds):
            self._found[at] = item

    def all(self) -> list[Measurement]:
        return list(self._found.values())

    def cases(self) -> list[Key]:
        return list(dict.fromkeys(key for key, _ in self._found))

    def of(self, key: Key, engine: str) -> Measurement | None:
        return self._found.get((key, engine))

    def seconds(self, key: Key, engine: str) -> float | None:
        item = self.of(key, engine)
        return None if item is None else item.seconds

    def ratio(self, key: Key, engine: str) -> float | None:
        ours, theirs = self.seconds(key, engine), self.of(key, TERRAFORM)
        if not ours or theirs is None:
            return None
        taken = theirs.seconds or theirs.stopped_at
        return taken / ours if taken else None

    def is_bound(self, key: Key) -> bool:
        """Whether ratios are only lower bounds, because terraform was stopped."""
        theirs = self.of(key, TERRAFORM)
        return theirs is not None and theirs.stopped_at is not None

    def growth(self, key: Key, smaller: int, engine: str) -> tuple[float, float] | None:
        """Return the growth of elapsed time and of processor time. Other work on the machine disturbs the latter
        less."""
        shape, _, operation = key
        now, before = self.of(key, engine), self.of((shape, smaller, operation), engine)
        if now is None or before is None:
            return None
        if not (now.seconds and before.seconds and now.cpu_seconds and before.cpu_seconds):
            return None
        return now.seconds / before.seconds, now.cpu_seconds / before.cpu_seconds


def format_number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def cells(results: Results, key: Key, engine: str) -> list[str]:
    item = results.of(key, engine)
    if item is None:
        return [""] * len(columns(engine))
    taken = [format_number(item.seconds) or item.outcome, format_number(item.cpu_seconds), format_number(item.peak_mb)]
    if engine == TERRAFORM:
        return taken
    ratio = format_number(results.ratio(key, engine))
    return [*taken, f"> {ratio}" if ratio and results.is_bound(key) else ratio]


def columns(engine: str) -> list[str]:
    taken = [f"{engine}, s", "CPU, s", "MB"]
    return taken if engine == TERRAFORM else [*taken, "times as fast"]


def headings(engines: Sequence[str]) -> list[str]:
    return ["shape", "N", "operation", *(column for engine in engines for column in columns(engine))]


def rows(results: Results) -> Iterator[list[str]]:
    for key in results.cases():
        shape, size, operation = key
        yield [shape, f"{size:,}", operation, *(cell for e in results.engines for cell in cells(results, key, e))]


def growth_rows(results: Results, sizes: Sequence[int]) -> Iterator[list[str]]:
    for key in results.cases():
        if key[1] == sizes[-1]:
            grown = [results.growth(key, sizes[0], engine) for engine in results.engines]
            yield [key[0], key[2], *("" if pair is None else f"{pair[0]:.1f} ({pair[1]:.1f})" for pair in grown)]


def find_misses(results: Results, sizes: Sequence[int]) -> Iterator[str]:
    for key in results.cases():
        for engine, goals in GOALS.items():
            if engine in results.engines and key[1] == sizes[-1]:
                what = f"{engine}: {key[2]} of {key[0]} at {key[1]:,}"
                yield from (f"{what} {missed}" for missed in _find_missed_goals(results, key, engine, goals, sizes[0]))


def _find_missed_goals(results: Results, key: Key, engine: str, goals: Goals, smallest: int) -> Iterator[str]:
    item, theirs = results.of(key, engine), results.of(key, TERRAFORM)
    goal, ratio = goals.speed.get(key[2]), results.ratio(key, engine)
    if item is None or item.seconds is None:
        yield "was not measured" if item is None else f"ended otherwise: {item.outcome}"
    if goal is not None and ratio is not None and ratio < goal:
        certain = "at least " if results.is_bound(key) else ""
        yield f"is {certain}{ratio:.2f} times as fast as terraform; the goal is {goal:g}"
    growth, allowed = results.growth(key, smallest, engine), goals.growth * key[1] / smallest / goals.span
    if growth is not None and key[1] > smallest and max(growth) > allowed:
        grown = f"{growth[0]:.1f} times as long as at {smallest:,} ({growth[1]:.1f} of the processors)"
        yield f"takes {grown}; the goal is {allowed:g}"
    if goals.within_terraforms_memory and item and theirs and (item.peak_mb or 0) > (theirs.peak_mb or math.inf):
        yield f"needs {item.peak_mb:.0f} MB, and terraform {theirs.peak_mb:.0f}"


def machine(binary: str | None) -> str:
    """Describe the machine, without which figures mean nothing."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    parts = [platform.system(), platform.machine(), _processor(), f"{os.cpu_count()} cores", f"{memory:.0f} GB"]
    parts.append(f"Python {platform.python_version()}")
    if binary is not None:
        version = subprocess.run([binary, "version", "-json"], capture_output=True, text=True, check=False).stdout
        parts.append(f"terraform {json.loads(version)['terraform_version']}")
    return ", ".join(filter(None, parts))


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def markdown(titles: Sequence[str], lines: Iterator[list[str]]) -> str:
    rule = ["---"] * 2 + ["---:"] * (len(titles) - 2)
    return "".join(f"| {' | '.join(line)} |\n" for line in [titles, rule, *lines])


def report(results: Results, sizes: Sequence[int], about: str) -> str:
    parts = [f"{about}\n", markdown(headings(results.engines), rows(results))]
    if len(sizes) > 1:
        title = f"Growth from {sizes[0]:,} to {sizes[-1]:,}, times, and in time of the processors:\n"
        parts += [title, markdown(["shape", "operation", *results.engines], growth_rows(results, sizes))]
    found = list(find_misses(results, sizes))
    parts.append(
        "What misses its goal:\n\n" + "".join(f"- {line}\n" for line in found) if found else "All goals are met.\n"
    )
    return "\n".join(parts)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,5000", help="comma-separated values of N")
    parser.add_argument("--shapes", default=",".join(SHAPES), help="comma-separated names of shapes")
    parser.add_argument("--engines", default="legacy,new", help="comma-separated names of our engines")
    parser.add_argument("--limit", type=float, default=600, help="time limit of one command, in seconds")
    parser.add_argument("--rounds", type=int, default=1, help="number of rounds; the shortest time counts")
    parser.add_argument("--no-terraform", action="store_true", help="measure only our own engines")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--markdown", type=Path, help="write the tables to this file")
    options = parser.parse_args()
    unknown = set(options.shapes.split(",")) - SHAPES.keys()
    if unknown:
        parser.error(f"there is no shape {', '.join(sorted(unknown))}; there are {', '.join(SHAPES)}")
    return options


def main() -> None:
    options = arguments()
    binary = None if options.no_terraform else shutil.which("terraform")
    ours = options.engines.split(",")
    sizes = sorted(map(int, options.sizes.split(",")))
    results = Results([*([TERRAFORM] if binary is not None else []), *ours])
    with tempfile.TemporaryDirectory(prefix="diffharness-bench-") as compiled:
        keep_compiled_modules(compiled)
        try:
            for engine in ours:
                run(command(engine, "validate", binary), Path(compiled), options.limit)
            for _ in range(options.rounds):
                measure_all(results, options.shapes.split(","), sizes, binary, options.limit)
        except KeyboardInterrupt:
            print("Interrupted: what follows was measured before that.", file=sys.stderr)
    show(results, sizes, machine(binary))
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(item) for item in results.all()], indent=2) + "\n")
    if options.markdown is not None:
        options.markdown.write_text(report(results, sizes, machine(binary)))


def keep_compiled_modules(directory: str) -> None:
    """Keep compiled modules between runs, as an installed package does, whatever the environment says."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = directory
    os.environ["CHECKPOINT_DISABLE"] = "1"


def measure_all(
    results: Results, shapes: Sequence[str], sizes: Sequence[int], binary: str | None, limit_s: float
) -> None:
    console = Console(stderr=True)
    for shape, size, engine in itertools.product(shapes, sizes, results.engines):
        for item in measure(shape, size, engine, binary, limit_s):
            console.print(f"{shape} {size:,} {item.operation} {engine}: {format_number(item.seconds) or item.outcome}")
            results.add(item)


def show(results: Results, sizes: Sequence[int], about: str) -> None:
    table = Table(*headings(results.engines), title=about)
    for row in rows(results):
        table.add_row(*row)
    console = Console(width=130)
    console.print(table)
    if len(sizes) > 1:
        growth = Table("shape", "operation", *results.engines, title=f"growth from {sizes[0]:,} to {sizes[-1]:,}")
        for row in growth_rows(results, sizes):
            growth.add_row(*row)
        console.print(growth)
    for line in find_misses(results, sizes):
        console.print(line)


if __name__ == "__main__":
    main()
