"""One table of how long users wait, beside terraform and tofu: `make bench`.

    start      what a command costs before it does anything, and a plan of one resource
    shapes     whole operations of the engines (the shapes are those of `benchmarks/engines.py`)
    case       `diffharness run` of one case
    stories    a second of fuzzing, medium stories and the default campaign

terraform is looked for on PATH; tofu on PATH, or where the variable TOFU says. What is not there is left out. Commands
alternate: in every round each of them runs once, so that other work on the machine disturbs all of them alike. A ratio
is the median of the ratios of single rounds, with the smallest and the largest one. Elapsed time is what users wait,
but means something on an idle machine alone; processor time means something on any.

`--keep` writes the ratios to `benchmarks/history.jsonl`, one line per commit. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks.engines import SHAPES, keep_compiled_modules, machine, run

HISTORY: Final = Path(__file__).parent / "history.jsonl"
ROOT: Final = Path(__file__).parent.parent
OURS: Final = [sys.executable, "-c", "from diffharness_command import main; main()"]
CASE: Final = ROOT / "corpus" / "cases" / "checks" / "assertion_that_does_not_need_the_data"
OPERATIONS: Final = ("validate", "plan", "apply", "no-op plan")
ENGINES: Final = ("new", "legacy")
SLOW: Final = {("terraform", "apply"), ("terraform", "no-op plan")}
"""Not measured: terraform saves its whole state after each resource, which takes minutes for large configurations. An
engine is compared with tofu there, which does not."""

STORIES: Final = """
from harness.cli import main
import sys
sys.argv = ["diffharness", "fuzz", "--jobs", "1", "--seed", "3", *{arguments!r}]
main()
"""


@dataclass(frozen=True, slots=True)
class Used:
    """What one command took."""

    elapsed_s: float
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Workload:
    """Something to do, and the commands that do it, by who does it."""

    name: str
    commands: Mapping[str, Sequence[str]]
    directories: Mapping[str, Path] = field(default_factory=dict)
    fresh: bool = False
    """Whether nothing may be left of the round before."""


Taken = dict[str, dict[str, list[Used]]]
"""By workload and program, one entry per round."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times as long as a reference one program takes, and between which limits single rounds were."""

    value: float
    least: float
    most: float

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.least:.2f}-{self.most:.2f})"


def ratio_of(ours: Sequence[float], theirs: Sequence[float]) -> Ratio:
    """Compare round by round: what disturbs a round disturbs both."""
    rounds = [one / other for one, other in zip(ours, theirs, strict=True) if other > 0]
    return Ratio(median(rounds), min(rounds), max(rounds))


def references() -> dict[str, str]:
    """Return the binaries that are there, by name."""
    found = {"terraform": shutil.which("terraform"), "tofu": os.environ.get("TOFU") or shutil.which("tofu")}
    return {name: path for name, path in found.items() if path is not None}


def engine_command(engine: str, operation: str) -> list[str]:
    return [*OURS, "engine", engine, operation, "."]


def binary_command(binary: str, operation: str) -> list[str]:
    arguments = {"validate": [], "plan": ["-input=false"], "apply": ["-auto-approve", "-input=false"]}
    return [binary, operation, *arguments[operation]]


def make_directories(place: Path, shape: str, size: int, binaries: Mapping[str, str]) -> dict[str, Path]:
    """Write the configuration once for each program, since each writes a state of its own."""
    found: dict[str, Path] = {}
    for name in (*binaries, *ENGINES):
        directory = found[name] = place / f"{shape}-{size}-{name}"
        for file, text in SHAPES[shape](size).items():
            (directory / file).parent.mkdir(parents=True, exist_ok=True)
            (directory / file).write_text(text, encoding="utf-8")
        if name in binaries:
            run([binaries[name], "init", "-input=false"], directory, 600)
    return found


def start_workloads(place: Path, binaries: Mapping[str, str]) -> Iterator[Workload]:
    for option in ("--version", "--help"):
        theirs = {name: [path, option.removeprefix("-")] for name, path in binaries.items()}
        yield Workload(option, {**theirs, "diffharness": [*OURS, option]})
    yield from shape_workloads(place, "blocks", 1, binaries, ("plan",))


def shape_workloads(
    place: Path, shape: str, size: int, binaries: Mapping[str, str], operations: Sequence[str] = OPERATIONS
) -> Iterator[Workload]:
    """The operations are those of one directory, one after the other."""
    directories = make_directories(place, shape, size, binaries)
    for operation in operations:
        verb = operation.rpartition(" ")[2]
        theirs = {name: binary_command(path, verb) for name, path in binaries.items() if (name, operation) not in SLOW}
        ours = {engine: engine_command(engine, verb) for engine in ENGINES}
        resources = f"{size:,} {shape}" if size > 1 else "one resource"
        yield Workload(f"{operation} of {resources}", {**theirs, **ours}, directories, operation == "apply")


def harness_workloads() -> Iterator[Workload]:
    yield Workload("run CASE", {"diffharness": [*OURS, "run", str(CASE), "--out", "run"]}, fresh=True)
    for name, arguments in {
        "32 medium stories": ["--examples", "32", "--profile", "medium", "--schedules", "1"],
        "64 stories by default": ["--examples", "64"],
    }.items():
        yield Workload(name, {"diffharness": [sys.executable, "-c", STORIES.format(arguments=arguments)]})


def measure(workloads: Sequence[Workload], rounds: int, scratch: Path, limit_s: float) -> Taken:
    console = Console(stderr=True)
    taken: Taken = {workload.name: {name: [] for name in workload.commands} for workload in workloads}
    for number in range(rounds + 1):
        for workload in workloads:
            for name, command in workload.commands.items():
                directory = workload.directories.get(name, scratch)
                if workload.fresh:
                    remove_results(directory)
                outcome, (elapsed_s, cpu_s, _) = run(command, directory, limit_s)
                if outcome != "ok":
                    sys.exit(f"{workload.name}: {' '.join(command)} in {directory}: {outcome}")
                if number:  # the first round fills caches
                    taken[workload.name][name].append(Used(elapsed_s, cpu_s))
        console.print(f"round {number} of {rounds}" if number else "warm")
    return taken


def remove_results(directory: Path) -> None:
    for left in ("terraform.tfstate", "terraform.tfstate.backup"):
        (directory / left).unlink(missing_ok=True)
    shutil.rmtree(directory / "run", ignore_errors=True)


def ratios_of(taken: Taken) -> dict[str, dict[str, Ratio]]:
    """Return all ratios by `WORKLOAD: OURS/THEIRS`, of elapsed and of processor time."""
    found: dict[str, dict[str, Ratio]] = {}
    for workload, programs in taken.items():
        theirs = [name for name in programs if name in ("terraform", "tofu")]
        for ours in programs.keys() - theirs:
            for other in theirs:
                pair = programs[ours], programs[other]
                elapsed, cpu = (
                    [[one.elapsed_s for one in each] for each in pair],
                    [[o.cpu_s for o in e] for e in pair],
                )
                found[f"{workload}: {ours}/{other}"] = {"elapsed": ratio_of(*elapsed), "cpu": ratio_of(*cpu)}
    return dict(sorted(found.items()))


def table_of(taken: Taken, about: str) -> Table:
    table = Table("", "program", "elapsed, s", "CPU, s", "times terraform", "times tofu", title=about)
    ratios = ratios_of(taken)
    for workload, programs in taken.items():
        for number, (name, used) in enumerate(programs.items()):
            beside = [ratios.get(f"{workload}: {name}/{other}") for other in ("terraform", "tofu")]
            cells = ["" if each is None else f"{each['elapsed']}, CPU {each['cpu']}" for each in beside]
            figures = [f"{median(one.elapsed_s for one in used):.3f}", f"{median(one.cpu_s for one in used):.3f}"]
            table.add_row("" if number else workload, name, *figures, *cells)
        table.add_section()
    return table


def keep(history: Path, commit: str, entry: Mapping[str, object]) -> None:
    """Write the line of a commit, in the place of an earlier one."""
    lines = history.read_text(encoding="utf-8").splitlines() if history.is_file() else []
    others = [line for line in lines if json.loads(line)["commit"] != commit]
    text = "".join(f"{line}\n" for line in [*others, json.dumps({"commit": commit, **entry})])
    history.write_text(text, encoding="utf-8")


def entry_of(taken: Taken, about: str, rounds: int, when: str, load: float) -> dict[str, object]:
    """Return what is kept: ratios, and the processor time of what has no reference. The load says what ratios of
    elapsed time are worth: nothing, if it is above the number of cores."""
    ratios = {
        name: {kind: [round(one.value, 3), round(one.least, 3), round(one.most, 3)] for kind, one in each.items()}
        for name, each in ratios_of(taken).items()
    }
    alone = {
        workload: round(median(one.cpu_s for one in programs["diffharness"]), 3)
        for workload, programs in taken.items()
        if list(programs) == ["diffharness"]
    }
    return {"when": when, "machine": about, "load": round(load), "rounds": rounds, "ratios": ratios, "cpu_s": alone}


def commit_here() -> str:
    """Return the commit, with a plus sign if there are changes."""
    command = ["git", "describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--sizes", default="1000,5000", help="comma-separated numbers of resources; empty for none")
    parser.add_argument("--shapes", default="blocks,count,modules", help="comma-separated names of shapes")
    parser.add_argument("--limit", type=float, default=600, help="time limit of one command, in seconds")
    parser.add_argument("--without-harness", action="store_true", help="leave out cases and stories")
    parser.add_argument("--keep", action="store_true", help=f"keep the ratios in {HISTORY.name}")
    options = parser.parse_args()
    binaries = references()
    with ExitStack() as cleanup:
        place, scratch, compiled = (
            Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="diffharness-bench-"))) for _ in range(3)
        )
        keep_compiled_modules(str(compiled))
        os.environ["PYTHONPATH"] = str(ROOT)
        workloads = list(start_workloads(place, binaries))
        for shape in options.shapes.split(","):
            for size in map(int, filter(None, options.sizes.split(","))):
                workloads += shape_workloads(place, shape, size, binaries)
        if not options.without_harness:
            workloads += harness_workloads()
        taken = measure(workloads, options.rounds, scratch, options.limit)
    about = ", ".join([machine(binaries.get("terraform")), *(["tofu"] if "tofu" in binaries else [])])
    Console(width=150).print(table_of(taken, about))
    if options.keep:
        now = datetime.now(UTC).isoformat(timespec="minutes")
        _, load, _ = os.getloadavg()
        keep(HISTORY, commit_here(), entry_of(taken, about, options.rounds, now, load))


if __name__ == "__main__":
    main()
