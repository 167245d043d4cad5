"""Each known difference of the runtimes of OpenTofu has a smallest story that shows it; upstream's marks are listed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
import yaml

from harness.case.case import Case, find_cases, read_case
from harness.case.recordings import recorded_systems
from harness.compare.ruling import Ruling
from tests.judging import judge_engines

MIGRATION: Final = Path(__file__).parents[2] / "corpus" / "opentofu-migration"
STORIES: Final = find_cases([MIGRATION / "discoveries"])
OLD, NEW = "opentofu-main", "opentofu-main-new"

IDS: Final = (
    *(f"D{number}" for number in range(1, 30)),
    "D27b",
    *(f"N{number}" for number in range(1, 21)),
    *(f"U{number}" for number in range(1, 5)),
    *("B1", "B2", "T27", "T28"),
)
FAILING: Final = (
    "D1",
    "D2",
    "D3",
    "D6",
    "D7",
    "D16",
    "D18",
    "D19",
    "D21",
    "D26",
    "N1",
    "N2",
    "N3",
    "N4",
    "N11",
    "U4",
    "B1",
    "B2",
)
ACCEPTED: Final = ("D8", "D9", "D10", "N16")
"""What the old runtime refuses, and the new one plans."""

UPSTREAM: Final = yaml.safe_load((MIGRATION / "upstream.yaml").read_text(encoding="utf-8"))
FLAGS: Final = {str(flag["id"]) for flag in UPSTREAM["flags"]}
NO_FLAG: Final = "no-action-reason"


def _id_of(directory: Path) -> str:
    """Return the id that the name of a story begins with: D27b of d27b_delete_before_former_user."""
    prefix = directory.name.partition("_")[0]
    return prefix[0].upper() + prefix[1:].lstrip("0")


STORY_OF: Final = {_id_of(directory): directory for directory in STORIES}


def test_every_discovery_has_one_story() -> None:
    assert sorted(STORY_OF) == sorted(IDS)
    assert len(STORIES) == len(IDS)


@pytest.mark.parametrize("name", IDS)
def test_a_story_says_what_both_runtimes_do(name: str) -> None:
    case = read_case(STORY_OF[name])
    assert case.tags[0] == name
    assert "old runtime" in case.description
    assert "new runtime" in case.description or "new one" in case.description


def test_a_tag_that_looks_like_a_flag_is_one() -> None:
    tags = {
        tag for case in map(read_case, STORIES) for tag in case.tags if tag.startswith(("Bug", "Change", "Feature"))
    }
    assert tags
    assert tags <= FLAGS


@pytest.mark.parametrize("name", IDS)
def test_every_story_is_recorded(name: str) -> None:
    assert {*recorded_systems(STORY_OF[name])} == {OLD, NEW}


@pytest.mark.parametrize("name", IDS)
def test_the_runtimes_differ(name: str) -> None:
    verdict = judge_engines(STORY_OF[name], [f"recorded:{OLD}", f"recorded:{NEW}"], may_execute=False)
    assert verdict.between[f"recorded:{NEW}"].ruling is not Ruling.EQUAL


@pytest.mark.parametrize("name", FAILING)
def test_only_the_new_runtime_fails(name: str) -> None:
    assert _failing_steps(name, OLD) == 0
    assert _failing_steps(name, NEW) > 0


@pytest.mark.parametrize("name", ACCEPTED)
def test_only_the_old_runtime_refuses(name: str) -> None:
    assert _failing_steps(name, OLD) > _failing_steps(name, NEW)


@pytest.mark.parametrize("name", ["D6", "D7", "D14", "D15", "N1", "N3", "N11"])
def test_only_the_new_runtime_crashes(name: str) -> None:
    assert not any("crash" in step for step in _steps(name, OLD))
    assert any("crash" in step for step in _steps(name, NEW))


def _steps(name: str, system: str) -> list[dict[str, object]]:
    recording = yaml.safe_load((STORY_OF[name] / f"golden.{system}.json").read_text(encoding="utf-8"))
    steps: list[dict[str, object]] = recording["steps"]
    return steps


def _failing_steps(name: str, system: str) -> int:
    return sum(not step["ok"] for step in _steps(name, system))


def test_flags_have_a_class_and_a_sentence() -> None:
    assert len(FLAGS) == len(UPSTREAM["flags"])
    for flag in UPSTREAM["flags"]:
        assert {*flag} - {"done"} == {"id", "class", "what"}, flag
        assert flag["class"] in ("bug", "change", "missing", "unknown"), flag
        assert flag["what"].endswith("."), flag


def test_all_tests_of_upstream_without_a_known_reason_are_listed_once() -> None:
    names = [test["test"] for test in UPSTREAM["unknown_tests"]]
    assert len(set(names)) == len(names) == 43


@pytest.mark.parametrize("test", UPSTREAM["unknown_tests"], ids=lambda test: str(test["test"]))
def test_a_test_of_upstream_has_causes_and_a_story_that_exist(test: dict[str, object]) -> None:
    assert {*test} - {"reason"} == {"test", "outcome", "causes", "story"}
    assert test["outcome"] in ("passes", "fails", "artefact")
    causes = test["causes"]
    assert isinstance(causes, list)
    assert {*causes} <= {*FLAGS, *IDS, NO_FLAG}
    assert causes or test["outcome"] != "fails"
    assert (test["story"] == "none") == ("reason" in test)
    assert test["story"] == "none" or _case_of(str(test["story"])).steps


def _case_of(story: str) -> Case:
    return read_case(MIGRATION / story)
