"""Measures the speed of the harness: many small cases in worker processes, with both engines and all operations.

Each case is made by this script: a variable, a chain of two or three resources of the builtin provider and of the
simulated cloud, an output; validate, plan, apply, plan again, destroy. The baseline runs an eighth of them again, as
it does by default. The output has cases per second of real time, and milliseconds of processor time per case: the
second figure is meaningful even if the machine is busy. Nothing here passes or fails, but a missed goal is reported.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Final

from harness.case.unit import Unit, UnitKind
from harness.execute.execution import ExecutionOptions, RunnerName, execute
from harness.findings.result import CaseResult
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule

GOAL: Final = 50
"""Cases per second, on two cores."""

_CASE: Final = """\
description: small case {number}
steps:
  - {{op: validate, config: v1}}
  - {{op: plan, config: v1}}
  - {{op: apply, config: v1}}
  - {{op: plan, config: v1}}
  - {{op: destroy, config: v1}}
"""
_BUILTIN: Final = """\
variable "size" {{
  type    = number
  default = {number}
}}

resource "terraform_data" "first" {{
  input = var.size + 1
}}

resource "terraform_data" "second" {{
  count = {count}
  input = "${{terraform_data.first.output}}-${{count.index}}"
}}

output "all" {{
  value = terraform_data.second[*].output
}}
"""
_SIMULATED: Final = """\
terraform {{
  required_providers {{
    sim = {{ source = "dh.test/diffharness/sim" }}
  }}
}}

resource "sim_thing" "first" {{
  name  = "thing-{number}"
}}

resource "terraform_data" "second" {{
  count = {count}
  input = "${{sim_thing.first.id}}-${{count.index}}"
}}

output "all" {{
  value = terraform_data.second[*].output
}}
"""


def make_cases(place: Path, number: int) -> list[Unit]:
    units = []
    for index in range(number):
        case = place / f"area{index // 100:03}" / f"case{index:05}"
        (case / "v1").mkdir(parents=True)
        (case / "case.yaml").write_text(_CASE.format(number=index), encoding="utf-8")
        template = _SIMULATED if index % 2 else _BUILTIN
        (case / "v1" / "main.tf").write_text(template.format(number=index, count=1 + index % 3), encoding="utf-8")
        units.append(Unit(UnitKind.CASE, case))
    return units


def processor_s() -> float:
    """Return the processor time of this process and of all workers that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measure(number: int, jobs: int, *, twice: bool) -> dict[str, float | int | str]:
    rulings: Counter[str] = Counter()

    def count(result: CaseResult) -> bool:
        rulings[str(result.ruling)] += 1
        return True

    settings = RunSpec(("legacy", "new"), baseline_schedules=(Schedule(seed=1),) if twice else ())
    with tempfile.TemporaryDirectory(prefix="diffharness-benchmark-") as place:
        units = make_cases(Path(place), number)
        before_s, started_s = processor_s(), time.monotonic()
        execute(units, settings, ExecutionOptions(RunnerName.PROCESS, jobs, memory_mb=2048), count)
        elapsed_s, used_s = time.monotonic() - started_s, processor_s() - before_s
    return {
        "cases": number,
        "jobs": jobs,
        "baseline": "twice" if twice else "once",
        "seconds": round(elapsed_s, 2),
        "cases a second": round(number / elapsed_s, 1),
        "milliseconds of processor a case": round(1000 * used_s / number, 2),
        "rulings": ", ".join(f"{count} {ruling}" for ruling, count in sorted(rulings.items())),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--once", action="store_true", help="run the baseline only once")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    arguments = parser.parse_args()
    figures = measure(arguments.cases, arguments.jobs, twice=not arguments.once)
    for name, value in figures.items():
        print(f"{name}: {value}")
    rate = float(figures["cases a second"])
    if rate < GOAL:
        print(f"below the goal of {GOAL} cases a second on two cores, by this machine as busy as it is now")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
