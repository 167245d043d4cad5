"""Passes: each change is what it says, in all versions and places at once."""

from __future__ import annotations

from typing import Any

import pytest

from harness.reduce.passes import case_passes, deletions, expressions, inlining
from harness.reduce.passes.inline_module import inline_modules
from harness.reduce.passes.json_data import drop_json_parts, without_each
from harness.reduce.passes.shorten_names import shorten_names
from harness.reduce.passes.use_terraform_data import use_terraform_data
from harness.reduce.specimen import Specimen, SpecimenChange, TextEdit
from harness.reduce.syntax import breaks_syntax, formatted

_CASE_YAML: dict[str, Any] = {"description": "", "steps": [{"op": "apply", "config": "v1"}]}


def specimen(text: str = "", **more: str) -> Specimen:
    files = {f"{path.replace('__', '/')}.tf": content for path, content in more.items()}
    return Specimen(_CASE_YAML, {"v1/main.tf": text, **files})


def main_texts(before: Specimen, changes: list[SpecimenChange]) -> list[str]:
    return [before.changed(change).files["v1/main.tf"] for change in changes]


def test_of_spans_inside_each_other_the_outer_one_counts() -> None:
    change = SpecimenChange(
        (TextEdit("v1/main.tf", 2, 3, "x"), TextEdit("v1/main.tf", 1, 5), TextEdit("v1/main.tf", 6, 7, "y"))
    )
    assert specimen("0123456789").changed(change).files["v1/main.tf"] == "05y789"


def test_blocks_of_the_same_name_go_from_all_versions_at_once() -> None:
    """Dropped from one version alone, an object would be deleted there: another story."""
    both = specimen('output "a" {\n}\nresource "t" "b" {\n}\n', v2__main='output "a" {\n}\n')
    first = both.changed(deletions.drop_blocks(both)[0])
    assert first.files == {"v1/main.tf": 'resource "t" "b" {\n}\n', "v2/main.tf": ""}
    assert len(deletions.drop_blocks_in_one_version(both)) == 2


def test_a_block_goes_with_everything_that_refers_to_it() -> None:
    text = (
        'resource "t" "a" {\n}\nresource "t" "b" {\n  x = t.a.id\n  y = 1\n  depends_on = [t.a, t.c]\n}\n'
        'resource "t" "c" {\n}\noutput "o" {\n  value = t.a\n}\n'
    )
    whole = specimen(text)
    without = 'resource "t" "b" {\n  y = 1\n  depends_on = [t.c]\n}\nresource "t" "c" {\n}\n'
    assert without in main_texts(whole, deletions.drop_blocks_with_references(whole))


def test_a_module_goes_with_its_calls() -> None:
    whole = specimen('module "m" {\n  source = "./m"\n}\n', v1__m__main="locals {\n}\n")
    (change,) = deletions.drop_modules(whole)
    assert whole.changed(change).files == {"v1/main.tf": ""}


def test_what_is_in_a_module_stands_where_it_was_called() -> None:
    whole = Specimen(
        {"steps": [{"op": "apply", "config": "v1", "target": ["module.m.t.a"]}]},
        {
            "v1/main.tf": 'module "m" {\n  source = "./m"\n}\nlocals {\n  v = module.m.o.id\n}\n',
            "v1/m/main.tf": 'output "o" {\n  value = t.a\n}\n',
            "v1/m/inner/main.tf": "",
        },
    )
    (change,) = inline_modules(whole)
    changed = whole.changed(change)
    assert changed.files == {
        "v1/main.tf": "locals {\n  v = (t.a).id\n}\n",
        "v1/m_main.tf": 'output "o" {\n  value = t.a\n}\n',
        "v1/inner/main.tf": "",
    }
    assert changed.case_yaml["steps"][0]["target"] == ["t.a"]


@pytest.mark.parametrize(
    ("expression", "simpler"),
    [
        ("7", ["0", "1"]),
        ('"long"', ['"a"']),
        ('"${t.a.id}-x"', ['"a"', "t.a.id"]),
        ("[1, 2]", ["[]", "[1]", "2"]),
        ("{ a = 1, b = 2 }", ["{}", "{ a = 1 }", "{ b = 2 }"]),
        ("true ? 1 : 2", ["1", "2"]),
        ("upper(var.x)", ['"a"', "var.x"]),
        ("[for x in var.y : x]", ["[]", "var.y"]),
        ("string", []),
    ],
)
def test_expressions_become_simpler(expression: str, simpler: list[str]) -> None:
    whole = specimen(f"locals {{\n  v = {expression}\n}}\n")
    found = main_texts(whole, expressions.simplify(whole))
    assert {f"locals {{\n  v = {text}\n}}\n" for text in simpler} <= set(found)
    assert bool(found) == bool(simpler)


def test_one_object_in_the_place_of_several_is_referred_to_without_keys() -> None:
    text = 'resource "t" "a" {\n  for_each = var.k\n  x = each.key\n}\nlocals {\n  v = [t.a["k"].id, t.a[*].id]\n}\n'
    step = {"op": "apply", "config": "v1", "target": ['t.a["k"]', "t.b[0]"]}
    whole = Specimen({"steps": [step]}, {"v1/main.tf": text})
    (change,) = expressions.remove_repetition(whole)
    changed = whole.changed(change)
    assert changed.files["v1/main.tf"] == 'resource "t" "a" {\n  x = "a"\n}\nlocals {\n  v = [t.a.id, t.a.id]\n}\n'
    assert changed.case_yaml["steps"][0]["target"] == ["t.a", "t.b[0]"]


def test_local_values_and_variables_are_written_out() -> None:
    text = 'locals {\n  l = 1 + 2\n}\nvariable "v" {\n  default = 3\n}\noutput "o" {\n  value = [local.l, var.v]\n}\n'
    steps = [{"op": "apply", "config": "v1", "vars": {"v": "x", "w": 1}}]
    whole = Specimen({"steps": steps}, {"v1/main.tf": text})
    local, variable = (whole.changed(change) for change in inlining.inline_values(whole))
    assert "value = [(1 + 2), var.v]" in local.files["v1/main.tf"]
    assert 'value = [local.l, "x"]' in variable.files["v1/main.tf"]
    assert variable.case_yaml["steps"][0]["vars"] == {"w": 1}


def test_variables_of_modules_have_what_the_call_gives_them() -> None:
    whole = specimen(
        'module "m" {\n  source = "./m"\n  v = 5\n}\n', v1__m__main='variable "v" {\n}\nlocals {\n  x = var.v\n}\n'
    )
    changed = whole.changed(inlining.inline_values(whole)[-1])
    assert changed.files == {
        "v1/main.tf": 'module "m" {\n  source = "./m"\n}\n',
        "v1/m/main.tf": "locals {\n  x = 5\n}\n",
    }


def test_resources_become_plain_ones_that_still_depend_on_each_other() -> None:
    text = (
        'resource "sim_thing" "a" {\n  name = "x"\n  value = "y"\n}\n'
        'resource "sim_thing" "b" {\n  name = "z"\n  value = sim_thing.a.id\n  tags {\n  }\n}\n'
    )
    declared = "terraform {\n}\n"
    whole = specimen(declared + text)
    plain = (
        'resource "terraform_data" "a" {\n  input = "y"\n}\n'
        'resource "terraform_data" "b" {\n  input = terraform_data.a.output\n}\n'
    )
    replaced = plain.replace("input", "triggers_replace").replace("output", "id")
    found = main_texts(whole, use_terraform_data(whole))
    assert found == [plain, replaced, declared + plain, declared + replaced]


def test_names_are_shortened_wherever_they_stand_and_are_not_taken_twice() -> None:
    text = 'output "a" {\n}\nresource "t" "first" {\n  x = "first"\n}\nresource "t" "second" {\n  x = t.first.id\n}\n'
    step = {"op": "apply", "config": "v1", "target": ["t.second"]}
    whole = Specimen({"description": "first", "steps": [step]}, {"v1/main.tf": text})
    changed = whole.changed(shorten_names(whole)[0])
    renamed = 'output "a" {\n}\nresource "t" "b" {\n  x = "b"\n}\nresource "t" "c" {\n  x = t.b.id\n}\n'
    assert changed.files["v1/main.tf"] == renamed
    assert changed.case_yaml == {"description": "first", "steps": [{**step, "target": ["t.c"]}]}


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


def test_data_is_left_out_at_any_depth() -> None:
    assert list(without_each({"a": [1, 2]})) == [{}, {"a": [2]}, {"a": [1]}]
    whole = Specimen({}, {"state.json": '{"resources": [1.50]}', "broken.json": "{"})
    assert [change.files["state.json"] for change in drop_json_parts(whole)] == ["{}\n", '{\n  "resources": []\n}\n']


def test_files_that_cannot_be_read_lose_lines_and_may_stay_unreadable() -> None:
    wrong = specimen("locals {\n  a = \n}\n")
    assert [*main_texts(wrong, deletions.drop_lines(wrong))] == ["  a = \n}\n", "locals {\n}\n", "locals {\n  a = \n"]
    assert not breaks_syntax(wrong, wrong.changed(deletions.drop_lines(wrong)[0]))
    right = specimen("locals {\n}\n")
    assert deletions.drop_lines(right) == []
    assert breaks_syntax(right, specimen("locals {"))


def test_formatting_takes_comments_and_heredocs_away() -> None:
    assert formatted("main.tf", "# c\na = <<E\nx\nE\n") == 'a = "x\\n"\n'
    assert formatted("main.tf", "a = ") == "a = "
    assert formatted("script.sh", "# c") == "# c"
