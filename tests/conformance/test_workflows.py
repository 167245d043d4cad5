"""Compares the conductor with recorded traces of Orquesta: the same executions, joins, cycles and final status.

The keys named in corpus/conformance/workflows/README.md are binding; commands, retries and joins agree as well, and are
kept that way. The numbers of branches are informative only and not compared.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from harness.workflow.model import Match
from harness.workflow.outcomes_file import read_outcomes
from harness.workflow.reading import WorkflowError, read_workflow
from harness.workflow.trace import rejected_document, trace_document, trace_workflow

RECORDINGS: Final = Path(__file__).parent.parent.parent / "corpus" / "conformance" / "workflows"
COMPARED: Final = (
    "accepted", "status", "ended_by", "unhandled_failure", "decided_after", "batches", "batch_after", "executions",
    "iterations", "commands", "retries", "unreachable_joins", "rejected",
)  # fmt: skip
NUMBERS: Final = {".": 140, "all-matching": 15, "quirks": 5, "rejected": 5}


def find_recordings(folder: str) -> list[Any]:
    return [pytest.param(file, id=file.stem) for file in sorted((RECORDINGS / folder).glob("*.json"))]


def select_compared(trace: dict[str, Any]) -> dict[str, Any]:
    return {key: trace[key] for key in COMPARED if key in trace}


def read_expected(file: Path) -> dict[str, Any]:
    return select_compared(json.loads(file.read_text())["trace"])


def conduct(file: Path, match: Match) -> tuple[dict[str, Any], list[str]]:
    known = read_outcomes(file)
    trace = trace_workflow(read_workflow(file.with_suffix(".yaml")), known.answers, known.discipline, match)
    return select_compared(trace_document(trace)), list(trace.conductor.warnings)


def test_every_recording_is_there() -> None:
    assert {folder: len(find_recordings(folder)) for folder in NUMBERS} == NUMBERS


@pytest.mark.parametrize("match", Match)
@pytest.mark.parametrize("file", find_recordings("."))
def test_trace_is_the_recorded_one(file: Path, match: Match) -> None:
    """At most one transition matches in these workflows, so both modes must agree, and no match is skipped."""
    assert conduct(file, match) == (read_expected(file), [])


@pytest.mark.parametrize("file", find_recordings("all-matching"))
def test_all_matching_transitions_are_taken(file: Path) -> None:
    assert conduct(file, Match.ALL) == (read_expected(file), [])


@pytest.mark.parametrize("file", find_recordings("all-matching"))
def test_first_match_is_reported_where_it_changes_the_meaning(file: Path) -> None:
    trace, warnings = conduct(file, Match.FIRST)
    assert warnings or trace == read_expected(file)


@pytest.mark.parametrize("file", find_recordings("rejected"))
def test_refused_with_the_recorded_reason(file: Path) -> None:
    with pytest.raises(WorkflowError) as refused:
        read_workflow(file.with_suffix(".yaml"))
    assert select_compared(rejected_document(refused.value)) == read_expected(file)


@pytest.mark.parametrize(
    ("name", "status", "executions", "decided"),
    [
        ("cycle-entered-while-running-with-join", "succeeded", 9, 9),
        ("join-count-second-arrival-while-running", "succeeded", 8, 8),
        ("merged-failure-is-lost", "failed", 7, 6),
        ("side-task-still-running", "succeeded", 9, 9),
        ("succeeds-before-the-last-execution", "succeeded", 6, 6),
    ],
)
def test_overlapping_executions_are_runs_of_their_own(name: str, status: str, executions: int, decided: int) -> None:
    """The recorded conductor merges two executions and loses one of them. Here nothing is lost: both continue, a
    failure of either counts, and the workflow does not succeed before the last has ended."""
    trace, _ = conduct(RECORDINGS / "quirks" / f"{name}.json", Match.FIRST)
    assert (trace["status"], len(trace["executions"]), trace["decided_after"]) == (status, executions, decided)


def test_the_command_prints_the_recorded_form() -> None:
    file = RECORDINGS / "retry-renewed-by-rejoin.json"
    command = [sys.executable, "-c", "from harness.cli import main; main()", "workflow"]
    command += [str(file.with_suffix(".yaml")), "--outcomes", str(file), "--json"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")
    trace = json.loads(answer.stdout)
    assert trace.keys() == json.loads(file.read_text())["trace"].keys()
    assert select_compared(trace) == read_expected(file)
