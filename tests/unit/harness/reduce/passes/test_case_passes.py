"""Steps, versions, tasks and details of case.yaml that are dropped."""

from __future__ import annotations

from harness.reduce.passes import case_passes, deletions
from harness.reduce.specimens.specimen import Specimen


def test_a_step_goes_with_its_faults_and_its_configuration() -> None:
    steps = [{"op": "apply", "config": f"v{number}"} for number in (1, 2, 3)]
    faults = [{"step": 1, "kind": "vanish"}, {"step": 2, "kind": "drift"}, {"step": "all", "kind": "error"}]
    files = {f"v{number}/main.tf": "" for number in (1, 2, 3)}
    whole = Specimen({"steps": steps, "faults": faults}, files)
    changed = whole.changed(case_passes.drop_steps(whole)[1])
    assert changed.case_yaml["steps"] == [steps[0], steps[2]]
    assert changed.case_yaml["faults"] == [{"step": 1, "kind": "drift"}, {"step": "all", "kind": "error"}]
    assert set(changed.files) == {"v1/main.tf", "v3/main.tf"}


def test_versions_are_counted_from_one_and_each_is_one_file() -> None:
    whole = Specimen({"steps": [{"op": "apply", "config": "v3"}]}, {"v3/b.tf": "x = 1\n", "v3/a.tf": "y = 2", "s": ""})
    whole = whole.changed(case_passes.renumber_versions(whole)[0])
    assert (whole.case_yaml["steps"][0]["config"], set(whole.files)) == ("v1", {"v1/a.tf", "v1/b.tf", "s"})
    assert case_passes.renumber_versions(whole) == []
    whole = whole.changed(deletions.join_files(whole)[0])
    assert whole.files == {"v1/main.tf": "y = 2\nx = 1\n", "s": ""}
    assert deletions.join_files(whole) == []


def test_files_are_joined_for_each_suffix() -> None:
    files = {"v1/a.tf": "x = 1\n", "v1/b.tf": "y = 2\n", "v1/a.tofu": "z = 3\n", "v1/m/c.tofu": "u = 4\n"}
    changes = [change.files for change in deletions.join_files(Specimen({}, files))]
    assert changes == [{"v1/main.tf": "x = 1\ny = 2\n"}, {"v1/main.tofu": "z = 3\n"}, {"v1/m/main.tofu": "u = 4\n"}]


def test_a_task_goes_with_all_ways_to_it() -> None:
    tasks = {"one": {"next": [{"do": ["two", "three"]}, {"do": "two"}]}, "two": {}, "three": {}}
    whole = Specimen({"tasks": tasks}, {})
    assert whole.changed(case_passes.drop_tasks(whole)[1]).case_yaml["tasks"] == {
        "one": {"next": [{"do": ["three"]}]},
        "three": {},
    }


def test_everything_else_of_a_case_goes_one_by_one() -> None:
    step = {"op": "apply", "config": "v1", "target": ["a", "b"]}
    whole = Specimen({"description": "d", "steps": [step], "prior_state": "s.json"}, {"s.json": "{}", "v1/main.tf": ""})
    found = [whole.changed(change) for change in case_passes.drop_case_details(whole)]
    assert any("prior_state" not in one.case_yaml and "s.json" not in one.files for one in found)
    assert any(one.case_yaml["steps"][0].get("target") == ["b"] for one in found)
    assert all("description" in one.case_yaml for one in found)
