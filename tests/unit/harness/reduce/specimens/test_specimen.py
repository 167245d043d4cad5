"""A case in memory and changes of it."""

from __future__ import annotations

from pathlib import Path

from harness.reduce.specimens.specimen import SpecimenChange, TextEdit, merge_changes, read_specimen
from tests.unit.harness.reduce.sample_specimens import make_specimen


def test_of_spans_inside_each_other_the_outer_one_counts() -> None:
    change = SpecimenChange(
        (TextEdit("v1/main.tf", 2, 3, "x"), TextEdit("v1/main.tf", 1, 5), TextEdit("v1/main.tf", 6, 7, "y"))
    )
    assert make_specimen("0123456789").changed(change).files["v1/main.tf"] == "05y789"


def test_merged_changes_are_applied_together() -> None:
    first = SpecimenChange((TextEdit("v1/main.tf", 0, 1),), frozenset(["v1/a.tf"]), case_yaml={"steps": []})
    second = SpecimenChange((TextEdit("v1/main.tf", 2, 3, "x"),), files={"v1/b.tf": "b"}, case_yaml={"steps": [1]})
    changed = make_specimen("012", v1__a="a").changed(merge_changes([first, second]))
    assert changed.files == {"v1/main.tf": "1x", "v1/b.tf": "b"}
    assert changed.case_yaml == {"steps": [1]}


def test_less_text_ranks_lower_and_white_space_does_not_count() -> None:
    assert make_specimen("a").rank < make_specimen("ab").rank
    assert make_specimen("a\n\n  b").rank[0] == make_specimen("ab").rank[0]


def test_a_written_specimen_is_read_back_even_if_it_is_not_utf_8(tmp_path: Path) -> None:
    specimen = make_specimen("# \udcff\n")
    specimen.write(tmp_path)
    assert (tmp_path / "v1" / "main.tf").read_bytes() == b"# \xff\n"
    assert read_specimen(tmp_path) == specimen


def test_a_configuration_without_a_case_gets_the_default_steps(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text("locals {}\n")
    specimen = read_specimen(tmp_path)
    assert specimen.files == {"v1/main.tf": "locals {}\n"}
    assert [step["op"] for step in specimen.case_yaml["steps"]] == ["plan", "apply", "plan", "destroy"]


def test_a_specimen_names_the_product_that_only_its_recording_showed(tmp_path: Path) -> None:
    (tmp_path / "v1").mkdir()
    (tmp_path / "case.yaml").write_text("description: x\nsteps: [{op: plan, config: v1}]\n")
    assert "flavour" not in read_specimen(tmp_path).case_yaml
    assert read_specimen(tmp_path, "opentofu-1.12").case_yaml["flavour"] == "opentofu-1.12"
    (tmp_path / "golden.json").write_text('{"engine": "opentofu 1.12.6", "steps": [{}]}')
    assert read_specimen(tmp_path).case_yaml["flavour"] == "opentofu-1.12"
