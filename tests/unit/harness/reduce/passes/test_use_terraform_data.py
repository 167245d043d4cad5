"""Resources of any provider that become terraform_data."""

from __future__ import annotations

from harness.reduce.passes.use_terraform_data import use_terraform_data
from tests.unit.harness.reduce.sample_specimens import main_texts, make_specimen


def test_resources_become_plain_ones_that_still_depend_on_each_other() -> None:
    text = (
        'resource "sim_thing" "a" {\n  name = "x"\n  value = "y"\n}\n'
        'resource "sim_thing" "b" {\n  name = "z"\n  value = sim_thing.a.id\n  tags {\n  }\n}\n'
    )
    declared = "terraform {\n}\n"
    whole = make_specimen(declared + text)
    plain = (
        'resource "terraform_data" "a" {\n  input = "y"\n}\n'
        'resource "terraform_data" "b" {\n  input = terraform_data.a.output\n}\n'
    )
    replaced = plain.replace("input", "triggers_replace").replace("output", "id")
    found = main_texts(whole, use_terraform_data(whole))
    assert found == [plain, replaced, declared + plain, declared + replaced]
