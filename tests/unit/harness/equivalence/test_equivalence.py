"""Equivalence tests: how they are found and read, what is ignored, and which difference is reported."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.cli.engine.product_command import run_product_command
from harness.cli.equivalence import equivalence
from harness.equivalence.comparison import first_difference_of_documents, first_difference_of_texts
from harness.equivalence.judging import CommandFailedError, judge_test
from harness.equivalence.specification import Form, SpecificationError, find_tests, flavour_of_goldens
from harness.equivalence.stripping import DEFAULT_FIELDS, IgnoredField, strip, strip_golden
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.values.json import loads

CONFIGURATION = 'resource "terraform_data" "a" {\n input = "x"\n}\n'


def put_test(root: Path, name: str, specification: Any, **goldens: Any) -> None:
    directory, outputs = root / "tests" / name, root / "outputs" / name
    for place in (directory, outputs):
        place.mkdir(parents=True)
    (directory / "main.tf").write_text(CONFIGURATION)
    (directory / "spec.json").write_text(json.dumps(specification))
    for golden, content in goldens.items():
        file = golden.replace("_json", ".json")
        (outputs / file).write_text(content if isinstance(content, str) else json.dumps(content))


# Specifications


@pytest.mark.parametrize("below", ["", "testing/equivalence-tests"])
def test_tests_are_found_in_a_checkout_or_in_their_directory(tmp_path: Path, below: str) -> None:
    put_test(tmp_path / below, "one", {})
    (found,) = find_tests(tmp_path)
    artefacts = [command.artefact for command in found.commands]
    assert (found.name, artefacts) == ("one", [None, "plan", "apply.json", "state", "state.json", "plan.json"])


def test_a_directory_without_tests_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecificationError, match="no equivalence tests"):
        find_tests(tmp_path)


@pytest.mark.parametrize("specification", [[], {"commands": {"a": 1}}, {"commands": [1]}, {"include_files": [1]}])
def test_a_specification_of_another_form_is_refused(tmp_path: Path, specification: Any) -> None:
    put_test(tmp_path, "one", specification)
    with pytest.raises(SpecificationError, match=r"spec\.json"):
        find_tests(tmp_path)


def test_a_test_may_name_its_own_commands(tmp_path: Path) -> None:
    stream = {
        "capture_output": True,
        "output_file_name": "a.json",
        "has_json_output": True,
        "streams_json_output": True,
    }
    commands = [{"name": "init", "arguments": ["init"]}, {"name": "apply", "arguments": ["apply", "-json"], **stream}]
    put_test(tmp_path, "one", {"commands": commands})
    (found,) = find_tests(tmp_path)
    assert [(one.name, one.arguments, one.artefact, one.form) for one in found.commands] == [
        ("init", ("init",), None, Form.TEXT),
        ("apply", ("apply", "-json"), "a.json", Form.STREAM),
    ]


def test_the_golden_files_say_which_product_they_are_from(tmp_path: Path) -> None:
    put_test(tmp_path, "one", {}, plan="OpenTofu used the selected providers")
    assert flavour_of_goldens(find_tests(tmp_path)) is OPENTOFU_1_12


# What is ignored


@pytest.mark.parametrize(
    ("path", "of_type", "expected"),
    [
        ("0", None, [{"type": "b", "x": {"y": 3}}]),
        ("*.x.y", None, [{"type": "a", "x": {}}, {"type": "b", "x": {}}]),
        ("*.x", "b", [{"type": "a", "x": {"y": 2}}, {"type": "b"}]),
        ("*.missing", None, [{"type": "a", "x": {"y": 2}}, {"type": "b", "x": {"y": 3}}]),
        ("1.*", None, [{"type": "a", "x": {"y": 2}}, {}]),
    ],
)
def test_fields_are_removed_by_their_path(path: str, of_type: str | None, expected: Any) -> None:
    document = loads('[{"type": "a", "x": {"y": 2}}, {"type": "b", "x": {"y": 3}}]')
    assert strip(document, [IgnoredField(path, of_type)]) == loads(json.dumps(expected))


def test_a_golden_file_lost_its_first_event_when_it_was_written() -> None:
    events = loads('[{"type": "planned_change", "@timestamp": "now"}]')
    assert strip_golden(events, DEFAULT_FIELDS["apply.json"]) == [{"type": "planned_change"}]


# Differences


@pytest.mark.parametrize(
    ("golden", "got", "expected"),
    [
        ('{"a": [1]}', '{"a": [1.0]}', None),
        ('{"a": [1, 2]}', '{"a": [1]}', "a: 2 elements, got 1"),
        ('{"a": {"b": true}}', '{"a": {"b": 1}}', "a.b: true, got 1"),
        ('{"a": 1}', "{}", "a: missing"),
        ("{}", '{"a": 1}', "a: unexpected"),
        ('["x"]', '["y"]', '[0]: "x", got "y"'),
    ],
)
def test_the_first_difference_of_documents_has_a_place(golden: str, got: str, expected: str | None) -> None:
    assert first_difference_of_documents(loads(golden), loads(got)) == expected


def test_the_first_difference_of_texts_is_a_line() -> None:
    assert first_difference_of_texts("a\nb\n", "a\nb\n") is None
    assert first_difference_of_texts("a\nb\n", "a\nc\n") == "line 2: 'b', got 'c'"
    assert first_difference_of_texts("a\n", "a") == "line 2: '', got the end"


def test_a_command_that_fails_is_the_last_one(tmp_path: Path) -> None:
    put_test(tmp_path, "one", {}, plan="")

    def run(_directory: Path, arguments: Sequence[str]) -> str:
        if arguments[0] == "apply":
            raise CommandFailedError("refused")
        return ""

    found = [(one.artefact, one.difference) for one in judge_test(find_tests(tmp_path)[0], run)]
    assert found == [("plan", None), ("apply", "refused")]


# The command


def test_the_command_compares_every_artefact_with_both_engines(tmp_path: Path) -> None:
    captured = {"capture_output": True, "output_file_name": "plan"}
    commands = [
        {"name": "init", "arguments": ["init"]},
        {"name": "plan", "arguments": ["plan", "-out=p", "-no-color"], **captured},
    ]
    put_test(tmp_path, "one", {"commands": commands}, plan="")
    result = CliRunner().invoke(equivalence, [str(tmp_path), "--json", str(tmp_path / "found.json")])
    assert result.exit_code == 1, result.output
    rows = json.loads((tmp_path / "found.json").read_text())["artefacts"]
    expected = "line 2: the end, got 'Terraform used the selected providers to generate the following execution'"
    assert [(row["engine"], row["artefact"], row["difference"]) for row in rows] == [
        ("legacy", "plan", expected),
        ("new", "plan", expected),
    ]
    golden = tmp_path / "outputs" / "one" / "plan"
    golden.write_text(printed_plan(tmp_path))
    assert CliRunner().invoke(equivalence, [str(tmp_path)]).exit_code == 0


def printed_plan(root: Path) -> str:
    text = run_product_command("legacy", TERRAFORM_1_11, root / "tests" / "one", ["plan", "-out=p", "-no-color"])
    (root / "tests" / "one" / "p").unlink()
    assert text.endswith('run the following command to apply:\n    terraform apply "p"\n')
    return text


def test_options_without_a_counterpart_are_reported(tmp_path: Path) -> None:
    put_test(tmp_path, "one", {"commands": [{"name": "plan", "arguments": ["plan", "-generate-config-out=x"]}]})
    result = CliRunner().invoke(equivalence, [str(tmp_path), "--engines", "new"])
    assert (result.exit_code, "has no counterpart" in result.output) == (1, True)
