"""Values for variables: which source wins, and what is refused, with the wording of Terraform 1.11.4.

Whether a value fits its variable's type is not decided here, so that message is left out of the recordings.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared_nodes.config.inputs import Given, GivenValue, VarFile, VarText, collect_inputs
from shared_nodes.config.loading import load_configuration
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.values.value import Value, string
from shared_nodes.world import Files
from tests.unit.shared_nodes.config.recordings import as_recorded, rows, write


def parse_arguments(arguments: list[str]) -> list[Given]:
    found: list[Given] = []
    for argument in arguments:
        if argument == "-var":
            continue
        if argument.startswith("-var-file="):
            found.append(VarFile(argument.removeprefix("-var-file=")))
        else:
            name, _, text = argument.partition("=")
            found.append(VarText(name, text))
    return found


def collect(
    directory: Path, files: dict[str, str], given: list[Given], environment: dict[str, str]
) -> tuple[dict[str, GivenValue], list[Diagnostic]]:
    write(directory, files)
    tree, problems = load_configuration(Files(directory))
    if tree is None:
        return {}, problems
    values, found = collect_inputs(tree, given, Files(directory), environment)
    return values, [*problems, *found]


def without_chosen_names(diagnostics: list[list[str | None]]) -> list[list[str | None]]:
    """Blank out names: the original decides at random which undeclared names it reports and which it only counts."""
    return [
        [severity, summary, None if summary == "Value for undeclared variable" else detail, place]
        for severity, summary, detail, place in diagnostics
    ]


@pytest.mark.parametrize("row", rows("recorded_inputs.jsonl"), ids=lambda row: row["name"])
def test_inputs_are_judged_as_recorded(row: dict[str, Any], tmp_path: Path) -> None:
    _, problems = collect(tmp_path, row["files"], parse_arguments(row["arguments"]), row["environment"])
    found, expected = as_recorded(problems), row["diagnostics"]
    if any(summary == "Values for undeclared variables" for _, summary, _, _ in expected):
        found, expected = without_chosen_names(found), without_chosen_names(expected)
    assert found == expected


SOURCES: dict[str, tuple[dict[str, str], list[Given], dict[str, str]]] = {
    "environment": ({}, [], {"TF_VAR_a": "environment"}),
    "tfvars": ({"terraform.tfvars": 'a = "tfvars"\n'}, [], {}),
    "tfvars.json": ({"terraform.tfvars.json": '{"a": "tfvars.json"}'}, [], {}),
    "auto": ({"x.auto.tfvars": 'a = "auto"\n'}, [], {}),
    "auto later by name": ({"y.auto.tfvars.json": '{"a": "auto later by name"}'}, [], {}),
    "file": ({}, [VarFile("given", 'a = "file"\n')], {}),
    "option": ({}, [VarText("a", "option")], {}),
}


@pytest.mark.parametrize("count", range(1, len(SOURCES) + 1))
def test_later_sources_win(count: int, tmp_path: Path) -> None:
    files, given, environment = {"main.tf": 'variable "a" {}\n'}, list[Given](), dict[str, str]()
    for more_files, more_given, more_environment in list(SOURCES.values())[:count]:
        files |= more_files
        given += more_given
        environment |= more_environment
    values, problems = collect(tmp_path, files, given, environment)
    assert not problems
    assert values["a"].value.payload == list(SOURCES)[count - 1]


@pytest.mark.parametrize(
    ("given", "value", "origin", "has_range"),
    [
        (VarText("a", "[1]"), string("[1]"), '-var="a=..."', False),
        (VarFile("f.tfvars", 'a = "${1}x"\n'), string("1x"), "f.tfvars", True),
        (VarFile("f.tfvars.json", '{"a": "${1}x"}'), string("${1}x"), "f.tfvars.json", True),
    ],
)
def test_origin_and_meaning_of_text(given: Given, value: Value, origin: str, has_range: bool, tmp_path: Path) -> None:
    values, _ = collect(tmp_path, {"main.tf": 'variable "a" {}\n'}, [given], {})
    found = values["a"]
    assert (found.value, found.origin, found.range is not None) == (value, origin, has_range)
