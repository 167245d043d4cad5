"""The command under a finding: copied to a shell, it shows the finding."""

from __future__ import annotations

import pytest

from harness.judging.reproduction import reproduction
from harness.judging.ruling import Ruling
from harness.scenarios.way import Handover, Way, read_way
from tests.sample_runs import finding, result

COMMAND = "diffharness run corpus/a/x --engines legacy,new"


@pytest.mark.parametrize(
    ("usual", "other", "options"),
    [
        (Way(), Way(seed=1), " --schedules 2 --parallelism 10"),
        (Way(), Way(seed=7, parallelism=2), " --schedules 8"),
        (Way(seed=3), Way(seed=3, parallelism=1), " --seed 3 --schedules 1"),
        (Way(), Way(handover=Handover.PROCESS), " --handover file --handover process"),
        (Way(parallelism=4), Way(seed=2, parallelism=4), " --schedules 3 --parallelism 4"),
        (
            Way(handover=Handover.MEMORY),
            Way(5, 1, Handover.PROCESS),
            " --schedules 6 --handover memory --handover process",
        ),
    ],
)
def test_an_engine_that_differs_from_itself_is_run_in_both_ways(usual: Way, other: Way, options: str) -> None:
    found = finding(ruling=Ruling.FLAKY, ways=(str(usual), str(other)))
    assert reproduction(result("a/x", finding(), found)) == COMMAND + options


def test_what_the_run_was_told_beside_is_told_again() -> None:
    told = result("a/x", finding(), changes=("C01",), permissive=("hashicorp/aws", "all"), mutant="B01")
    options = " --change C01 --permissive hashicorp/aws --permissive all --mutant B01"
    assert reproduction(told) == COMMAND + options


@pytest.mark.parametrize("way", [Way(), Way(-3, 1, Handover.PROCESS)])
def test_a_way_is_read_as_it_is_told(way: Way) -> None:
    assert read_way(str(way)) == way
    assert read_way(f"{way}, and more") is None
