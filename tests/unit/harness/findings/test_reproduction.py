"""The command shown with a finding reproduces it when it is copied to a shell."""

from __future__ import annotations

import pytest

from harness.compare.ruling import Ruling
from harness.findings.reproduction import reproduction
from harness.play.schedule import PlanTransfer, Schedule, parse_schedule
from tests.sample_runs import finding, result

COMMAND = "diffharness run corpus/a/x --engines legacy,new"


@pytest.mark.parametrize(
    ("usual", "other", "options"),
    [
        (Schedule(), Schedule(seed=1), " --schedules 2 --parallelism 10"),
        (Schedule(), Schedule(seed=7, parallelism=2), " --schedules 8"),
        (Schedule(seed=3), Schedule(seed=3, parallelism=1), " --seed 3 --schedules 1"),
        (Schedule(), Schedule(handover=PlanTransfer.PROCESS), " --handover file --handover process"),
        (Schedule(parallelism=4), Schedule(seed=2, parallelism=4), " --schedules 3 --parallelism 4"),
        (
            Schedule(handover=PlanTransfer.MEMORY),
            Schedule(5, 1, PlanTransfer.PROCESS),
            " --schedules 6 --handover memory --handover process",
        ),
    ],
)
def test_an_engine_that_differs_from_itself_is_run_in_both_ways(usual: Schedule, other: Schedule, options: str) -> None:
    found = finding(ruling=Ruling.FLAKY, schedules=(str(usual), str(other)))
    assert reproduction(result("a/x", finding(), found)) == COMMAND + options


def test_what_the_run_was_told_beside_is_told_again() -> None:
    changed = result("a/x", finding(), changes=("C01",), permissive=("hashicorp/aws", "all"), mutant="B01")
    options = " --change C01 --permissive hashicorp/aws --permissive all --mutant B01"
    assert reproduction(changed) == COMMAND + options


@pytest.mark.parametrize("way", [Schedule(), Schedule(-3, 1, PlanTransfer.PROCESS)])
def test_a_way_is_read_as_it_is_told(way: Schedule) -> None:
    assert parse_schedule(str(way)) == way
    assert parse_schedule(f"{way}, and more") is None
