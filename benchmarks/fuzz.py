"""Speed of fuzzing: stories per second on one core, from the first decision to the verdict.

    small, medium    stories of that size with all features, through both engines
    terraform        stories that a binary can run, through both engines and then twice through the terraform binary,
                     which is the cost of comparing two binaries

Processor time of this process and its children is counted, to reduce the effect of other work on the machine. Each
story is run under one schedule. The goals are 25 medium stories per second and fifty times the speed of two binaries.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from harness.compare.ruling import Ruling
from harness.findings.case_findings import findings_of
from harness.garbage_collection import collect_rarely
from harness.generate.campaign import CampaignOptions, StoryTask, story_of_task
from harness.generate.story_execution import run_story, schedules_of_story, should_validate, story_scratch_directory

WARMING: Final = 5
GOAL: Final = 25.0
GOAL_TIMES: Final = 50.0


@dataclass(frozen=True, slots=True)
class Measured:
    profile: str
    engines: str
    stories: int
    steps: int
    processor_s: float
    clock_s: float

    @property
    def per_second(self) -> float:
        return self.stories / self.processor_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stories", type=int, default=60)
    parser.add_argument(
        "--binary-stories", type=int, default=5, help="Number of stories that the binary runs; 0 for none."
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    collect_rarely()
    found = [measure(profile, ("legacy", "new"), options.stories) for profile in ("small", "medium", "terraform")]
    if options.binary_stories and shutil.which("terraform") is not None:
        found.append(measure("terraform", ("terraform", "terraform"), options.binary_stories))
    print_table(found)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(one) for one in found], indent=2) + "\n")


def measure(profile: str, engines: tuple[str, str], number: int) -> Measured:
    """Measure one profile. Two engines of the same name are run one after the other, since a verdict contains each name
    only once."""
    run = run_both if engines[0] != engines[1] else run_twice
    for index in range(WARMING if run is run_both else 0):
        run(StoryTask(CampaignOptions(1, profile, engines), index))
    before, began = processor_s(), time.monotonic()
    steps = sum(run(StoryTask(CampaignOptions(1, profile, engines), index)) for index in range(number))
    spent = processor_s() - before
    return Measured(profile, " and ".join(engines), number, steps, spent, time.monotonic() - began)


def run_both(task: StoryTask) -> int:
    story = story_of_task(task)
    with story_scratch_directory() as place:
        schedules = schedules_of_story(task.index, 1, story, task.options.engines)
        findings_of(run_story(story, place, task.options.engines, schedules, validates=should_validate(task.index)))
    return len(story.steps)


def run_twice(task: StoryTask) -> int:
    """Run a story twice with a binary: the same work as `run_both` does with two engines."""
    story = story_of_task(task)
    for engine in task.options.engines:
        with story_scratch_directory() as place:
            schedules = schedules_of_story(task.index, 1, story, task.options.engines)
            verdict = run_story(story, place, (engine,), schedules, validates=should_validate(task.index))
            assert verdict.of[engine].ruling is not Ruling.NOT_RUN, verdict.of[engine].reason
    return len(story.steps)


def processor_s() -> float:
    spent = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


def print_table(found: list[Measured]) -> None:
    table = Table("profile", "engines", "stories", "steps", "processor, s", "clock, s", "stories a second and core")
    for one in found:
        figures = (f"{one.processor_s:.2f}", f"{one.clock_s:.2f}", f"{one.per_second:.2f}")
        table.add_row(one.profile, one.engines, str(one.stories), str(one.steps), *figures)
    console = Console(width=120)
    console.print(table)
    by_engines = {(one.profile, one.engines): one for one in found}
    medium = by_engines["medium", "legacy and new"]
    console.print(f"medium: {medium.per_second:.1f} a second and core, goal {GOAL:.0f}")
    binaries = by_engines.get(("terraform", "terraform and terraform"))
    if binaries is not None:
        times = by_engines["terraform", "legacy and new"].per_second / binaries.per_second
        console.print(f"beside two runs of the binary: {times:.0f} times as fast, goal {GOAL_TIMES:.0f}")


if __name__ == "__main__":
    main()
