"""Stories as cases."""

from __future__ import annotations

from pathlib import Path

from harness.case.case import Step, read_case
from harness.generate.story import GeneratedStory, case_of_story, case_yaml_of_story, save_story
from harness.simulation.simcloud.faults import Fault, FaultKind, Verb

FAULT = Fault(None, "r1", FaultKind.STUCK, Verb.CREATE, type_name="simcloud_updated")
DRIFT = Fault(1, "r1", FaultKind.DRIFT, type_name="simcloud_updated", attributes={"value": "drifted"})


def story(**more: object) -> GeneratedStory:
    steps = (Step("apply", "v1"), Step("plan", "v1", '{"a": 1}', refresh=False))
    return GeneratedStory("name", {"v1": {"main.tf": "locals {}\n"}}, steps, **more)  # type: ignore[arg-type]


def test_steps_are_written_without_default_values() -> None:
    assert case_yaml_of_story(story())["steps"] == [
        {"op": "apply", "config": "v1"},
        {"op": "plan", "config": "v1", "vars": {"a": 1}, "refresh": False},
    ]


def test_a_saved_story_is_read_as_the_same_case(tmp_path: Path) -> None:
    one = story(faults=(DRIFT,), flavour="opentofu-1.12")
    save_story(one, tmp_path)
    assert read_case(tmp_path) == case_of_story(one, tmp_path)


def test_a_story_with_a_killed_process_is_a_chain_of_tasks(tmp_path: Path) -> None:
    one = story(faults=(DRIFT,), kills={0: FAULT})
    tasks = case_yaml_of_story(one)["tasks"]
    assert [task["action"] for task in tasks.values()] == ["crash-and-resume", "drift", "plan"]
    assert tasks["task-1"]["input"]["at"] == {"verb": "create", "name": "r1", "type": "simcloud_updated"}
    assert tasks["task-2"]["next"] == [{"do": "task-3"}]
    save_story(one, tmp_path)
    assert read_case(tmp_path) == case_of_story(one, tmp_path)


def test_a_mistake_is_part_of_the_description() -> None:
    assert story(mistake="cycle").description == "Generated story name, wrong on purpose: cycle."
