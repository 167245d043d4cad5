"""Cycles of every kind: both engines report them, in the words of the original, and never wait for them.

The legacy engine finds them in a graph before anything is walked, the new one when all workers wait. The results must
be the same.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import networkx as nx
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from shared_nodes.addresses.provider import BUILTIN, ProviderSource
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.options import Options
from shared_nodes.providers.builtin import BUILTIN_SCHEMA, BuiltinProvider
from shared_nodes.providers.contract import Provider
from shared_nodes.providers.registry import ProviderFactory
from shared_nodes.providers.schema import SchemaAttribute, SchemaBlock
from shared_nodes.values.types import STRING
from shared_nodes.world import World
from tests.unit.new_engine.operating import ENGINES, Place


@dataclass(frozen=True)
class Case:
    name: str
    files: Mapping[str, str]
    validate: list[str]
    plan: list[str]


def _read_recordings() -> list[Case]:
    rows = yaml.safe_load((Path(__file__).parent / "recorded_cycles.yaml").read_text(encoding="utf-8"))
    return [Case(row["name"], row["files"], row["validate"], row.get("plan", row["validate"])) for row in rows]


CASES: Final = _read_recordings()

each_case: Final = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
each_engine: Final = pytest.mark.parametrize("engine", ENGINES)


@each_engine
@each_case
def test_cycles_are_reported_as_recorded(case: Case, engine: str, tmp_path: Path) -> None:
    """This holds under any schedule: members of a cycle fail at the same moment as everything that waits for the
    cycle."""
    place = Place(tmp_path)
    place.write(case.files)
    for seed in range(4):
        options = Options(seed=seed)
        assert sorted(found.summary for found in place.validate(ENGINES[engine], options)) == case.validate
        assert sorted(found.summary for found in place.plan(ENGINES[engine], options).diagnostics) == case.plan


@each_case
def test_engines_report_equal_diagnostics(case: Case, tmp_path: Path) -> None:
    """All parts of the diagnostics are equal, not only the summaries."""
    place = Place(tmp_path)
    place.write(case.files)
    legacy, new = (
        sorted(map(_describe, [*place.validate(engine), *place.plan(engine).diagnostics]))
        for engine in ENGINES.values()
    )
    assert legacy == new


def _describe(found: Diagnostic) -> tuple[str, ...]:
    return str(found.severity), found.summary, found.detail, str(found.subject), str(found.context), str(found.address)


@pytest.mark.terraform
@each_case
def test_recordings_are_what_terraform_says(case: Case, tmp_path: Path) -> None:
    Place(tmp_path).write(case.files)
    environment = {name: value for name, value in os.environ.items() if name != "TF_CLI_CONFIG_FILE"}

    def terraform(*arguments: str) -> str:
        command = ["terraform", *arguments]
        finished = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        return finished.stdout

    if len(case.files) > 1:
        terraform("init", "-backend=false")
    diagnostics = json.loads(terraform("validate", "-json"))["diagnostics"]
    assert sorted(_sorted_names(found["summary"]) for found in diagnostics) == case.validate


def _sorted_names(summary: str) -> str:
    head, separator, names = summary.partition("Cycle: ")
    return f"{head}{separator}{', '.join(sorted(names.split(', ')))}" if separator else summary


# Provider configurations: the builtin provider has no arguments, so a fake provider with one replaces it


def _configurable(world: World) -> ProviderFactory:
    class Configurable(BuiltinProvider):
        schema = replace(BUILTIN_SCHEMA, provider=SchemaBlock({"endpoint": SchemaAttribute(STRING, optional=True)}))

    def make(source: ProviderSource) -> Provider | None:
        return Configurable(world) if source == BUILTIN else None

    return make


PROVIDER: Final = 'provider["terraform.io/builtin/terraform"]'
PROVIDER_CASES: Final = {
    "resource": (
        'provider "terraform" { endpoint = terraform_data.a.id }\nresource "terraform_data" "a" {}\n',
        f"Cycle: {PROVIDER}, terraform_data.a",
    ),
    "through a value": (
        'provider "terraform" { endpoint = local.l }\nlocals { l = terraform_data.a.id }\n'
        'resource "terraform_data" "a" {}\n',
        f"Cycle: local.l (expand), {PROVIDER}, terraform_data.a",
    ),
    "each configures the other": (
        'provider "terraform" { endpoint = terraform_data.b.id }\n'
        'provider "terraform" {\n  alias    = "other"\n  endpoint = terraform_data.a.id\n}\n'
        'resource "terraform_data" "a" {}\n'
        'resource "terraform_data" "b" { provider = terraform.other }\n',
        f"Cycle: {PROVIDER}, {PROVIDER}.other, terraform_data.a, terraform_data.b",
    ),
}


@each_engine
@pytest.mark.parametrize("name", PROVIDER_CASES)
def test_cycles_through_provider_configurations(name: str, engine: str, tmp_path: Path) -> None:
    text, expected = PROVIDER_CASES[name]
    place = Place(tmp_path, _configurable)
    place.write(text)
    for seed in range(4):
        options = Options(seed=seed)
        assert [found.summary for found in place.validate(ENGINES[engine], options)] == [expected]
        assert [found.summary for found in place.plan(ENGINES[engine], options).diagnostics] == [expected]


# Any shape


@given(st.lists(st.lists(st.integers(0, 7), max_size=2), min_size=8, max_size=8), st.integers(0, 2**32))
@settings(max_examples=50)
def test_cycles_are_the_strongly_connected_components(graph: list[list[int]], seed: int) -> None:
    """Values and resources alternate, and each refers to others. References to itself are excluded, because they are
    another mistake."""
    names = ["local.l{0}", "terraform_data.r{0}"]
    references = [
        ", ".join(names[other % 2].format(other) for other in others if other != number)
        for number, others in enumerate(graph)
    ]
    text = "".join(f"locals {{\n  l{number} = [{references[number]}]\n}}\n" for number in range(0, 8, 2)) + "".join(
        f'resource "terraform_data" "r{number}" {{\n  input = [{references[number]}]\n}}\n' for number in range(1, 8, 2)
    )
    edges = nx.DiGraph([(number, other) for number, others in enumerate(graph) for other in others if other != number])
    shown = ["local.l{0} (expand)", "terraform_data.r{0}"]
    expected = [
        f"Cycle: {', '.join(sorted(shown[member % 2].format(member) for member in component))}"
        for component in nx.strongly_connected_components(edges)
        if len(component) > 1
    ]
    with tempfile.TemporaryDirectory() as directory:
        place = Place(Path(directory))
        place.write(text)
        for engine in ENGINES.values():
            found = place.validate(engine, Options(seed=seed))
            assert sorted(each.summary for each in found) == sorted(expected)


# Size


@each_engine
def test_a_cycle_through_a_thousand_locals_is_one(engine: str, tmp_path: Path) -> None:
    place = Place(tmp_path)
    lines = "".join(f"  l{number} = local.l{(number + 1) % 1000}\n" for number in range(1000))
    place.write(f"locals {{\n{lines}}}\n")
    (found,) = place.plan(ENGINES[engine]).diagnostics
    assert found.summary.removeprefix("Cycle: ").split(", ") == sorted(f"local.l{n} (expand)" for n in range(1000))


@each_engine
def test_a_cycle_of_the_apply_is_found_while_planning(engine: str, tmp_path: Path) -> None:
    """Each destruction would have to wait for the other. A plan that cannot be applied must not be offered."""
    place = Place(tmp_path)
    place.write(
        'resource "terraform_data" "a" { triggers_replace = 1 }\n'
        'resource "terraform_data" "b" { triggers_replace = terraform_data.a.id }\n'
    )
    place.apply(ENGINES[engine])
    place.write(
        'resource "terraform_data" "b" { triggers_replace = 2 }\n'
        'resource "terraform_data" "a" { triggers_replace = terraform_data.b.id }\n'
    )
    assert [found.summary for found in place.plan(ENGINES[engine]).diagnostics] == [
        "Cycle: terraform_data.a (destroy), terraform_data.b (destroy)"
    ]
