"""The analysis of a configuration: its facts, and that they agree with the edges of the legacy engine's graph.

That graph is built from the same references in a different manner, by transformers that each connect vertices for one
reason. If both agree on every recorded configuration, neither has forgotten a kind of dependency between resources.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

import new_engine.api
from harness.engines.scheduling import run_deterministically
from legacy_engine.nodes.capabilities import Vertex
from legacy_engine.nodes.node import ResourceVertex
from legacy_engine.pipelines import build_graph
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from new_engine.discovery.compile import compile_configuration
from new_engine.discovery.dependencies import Dependencies
from shared_nodes.addresses.resource import ConfigResource
from shared_nodes.config.analysis import ConfigAnalysis, ResourceFacts
from shared_nodes.config.loading import load_configuration
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.statements.import_targets import import_targets
from shared_nodes.operations.engine import EngineRequest
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.session import Session, open_session
from shared_nodes.state.model import State
from shared_nodes.world import World
from tests.builtin_provider import builtin_provider_only

SCENARIOS: Final = Path(__file__).parents[4] / "corpus" / "conformance" / "scenarios"
AREAS: Final = sorted(path.name for path in SCENARIOS.iterdir() if path.is_dir())

Edges = Mapping[ConfigResource, frozenset[ConfigResource]]


def open_configuration(directory: Path) -> Session | None:
    """Open a session; None for a configuration with mistakes that are found before any engine runs."""
    world = World.confined(directory, 0, datetime(2026, 1, 2, tzinfo=UTC))
    config, problems = load_configuration(world.files, TERRAFORM_1_11)
    if config is None or has_errors(problems):
        return None
    request = EngineRequest(config, State(), world, builtin_provider_only(world))
    session, _ = open_session(request, State())
    return session


def analyse(session: Session) -> tuple[ConfigAnalysis, list[Diagnostic]]:
    imports = tuple(import_targets(session.request.config))
    start = PlanInput(Operation.PLAN, State(), PlanOptions(), imports=imports)
    table, problems = compile_configuration(session, start)
    return Dependencies(table).analysis, problems


def analysis_of(directory: Path, text: str) -> ConfigAnalysis:
    (directory / "main.tf").write_text(text, encoding="utf-8")
    session = open_configuration(directory)
    assert session is not None
    analysis, problems = analyse(session)
    assert not problems
    return analysis


# Comparison with the graph


def plan_graph(session: Session) -> tuple[VertexGraph, list[Diagnostic]]:
    """Return the graph of a plan with an empty state."""
    imports = tuple(import_targets(session.request.config))
    return build_graph(
        BuildContext.for_walk(session, PlanInput(Operation.PLAN, State(), PlanOptions(), imports=imports))
    )


def resource_edges(graph: VertexGraph) -> Edges:
    """Return, for each resource, those it reaches without passing another one."""
    return {
        vertex.address: frozenset(_next_resources(graph, vertex)) - {vertex.address}
        for vertex in graph
        if isinstance(vertex, ResourceVertex)
    }


def _next_resources(graph: VertexGraph, start: Vertex) -> Iterator[ConfigResource]:
    pending, seen = [start], {start}
    while pending:
        for vertex in graph.dependencies(pending.pop()):
            if isinstance(vertex, ResourceVertex):
                yield vertex.address
            elif vertex not in seen:
                seen.add(vertex)
                pending.append(vertex)


def all_below(edges: Edges) -> Edges:
    found = {}
    for start in edges:
        pending, below = [start], set[ConfigResource]()
        while pending:
            fresh = edges[pending.pop()] - below
            below |= fresh
            pending += fresh
        found[start] = frozenset(below) - {start}
    return found


@pytest.mark.parametrize("area", AREAS)
def test_resources_depend_on_each_other_as_in_the_graph(area: str) -> None:
    """All reachable resources agree and, unless there is a cycle, so do the direct ones. If a configuration cannot be
    compiled, its graph cannot be built either, for the same reasons."""
    looked_at = 0
    for directory in sorted(SCENARIOS.glob(f"{area}/*/v[0-9]*")):
        session = open_configuration(directory)
        if session is None:
            continue
        (analysis, problems), (graph, theirs) = analyse(session), plan_graph(session)
        if has_errors(problems):
            assert problems == theirs
            continue
        looked_at += 1
        edges = {address: found for address, found in resource_edges(graph).items() if address in analysis.resources}
        facts = analysis.resources.values()
        assert {each.address: frozenset(each.dependencies) for each in facts} == all_below(edges), directory
        if not graph.problems():
            assert {each.address: frozenset(each.direct) for each in facts} == edges, directory
    assert looked_at


# Facts

CONFIGURATION: Final = """
variable "v" {}
locals {
  l = terraform_data.a.id
}
data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = terraform_data.b.id }
}
resource "terraform_data" "a" {
  input = var.v
}
resource "terraform_data" "b" {
  input = var.v == "x" ? local.l : null
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "c" {
  input      = local.l
  depends_on = [terraform_data.b]
}
resource "terraform_data" "d" {
  input = data.terraform_remote_state.s.outputs
}
"""

TEXT: Final = """\
data.terraform_remote_state.s by provider["terraform.io/builtin/terraform"]
  refers to terraform_data.b
  is read after terraform_data.b
terraform_data.a by provider["terraform.io/builtin/terraform"]
terraform_data.b (creates first) by provider["terraform.io/builtin/terraform"]
  refers to terraform_data.a
terraform_data.c by provider["terraform.io/builtin/terraform"]
  refers to terraform_data.a
  refers to terraform_data.b
terraform_data.d by provider["terraform.io/builtin/terraform"]
  refers to data.terraform_remote_state.s
"""


def test_the_text_has_a_paragraph_for_each_resource(tmp_path: Path) -> None:
    assert analysis_of(tmp_path, CONFIGURATION).text() == TEXT


def test_the_order_in_a_file_does_not_show(tmp_path: Path) -> None:
    blocks = CONFIGURATION.replace("\nresource", "\n---resource").replace("\ndata", "\n---data").split("---")
    assert analysis_of(tmp_path, "".join(reversed(blocks))).text() == TEXT


def test_everything_reached_is_a_dependency_but_only_the_next_is_direct(tmp_path: Path) -> None:
    facts = {str(address): found for address, found in analysis_of(tmp_path, CONFIGURATION).resources.items()}
    last = facts["terraform_data.d"]
    assert [str(address) for address in last.direct] == ["data.terraform_remote_state.s"]
    assert sorted(map(str, last.dependencies)) == [
        "data.terraform_remote_state.s",
        "terraform_data.a",
        "terraform_data.b",
    ]


def test_dependents_are_the_other_side_of_direct(tmp_path: Path) -> None:
    analysis = analysis_of(tmp_path, CONFIGURATION)
    for address in analysis.resources:
        for dependent in analysis.dependents(address):
            assert address in analysis.of(dependent).direct
    pairs = {(facts.address, other) for facts in analysis.resources.values() for other in facts.direct}
    assert {
        (dependent, address) for address in analysis.resources for dependent in analysis.dependents(address)
    } == pairs


def test_every_resource_is_listed_with_the_provider_that_serves_it(tmp_path: Path) -> None:
    analysis = analysis_of(tmp_path, CONFIGURATION)
    (users,) = analysis.providers().values()
    assert sorted(map(str, users)) == sorted(map(str, analysis.resources))


def test_a_validation_offers_the_analysis(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(CONFIGURATION, encoding="utf-8")
    session = open_configuration(tmp_path)
    assert session is not None
    result = run_deterministically(0, new_engine.api.validate, session.request)
    assert result.ok
    assert result.analyse is not None
    assert result.analyse().text() == TEXT


def test_facts_are_plain_data(tmp_path: Path) -> None:
    """Facts are equal for equal configurations, and can be saved and sent: they refer to no node or promise."""
    facts = dict(analysis_of(tmp_path, CONFIGURATION).resources)
    again = dict(analysis_of(tmp_path, CONFIGURATION).resources)
    sent: dict[ConfigResource, ResourceFacts] = pickle.loads(pickle.dumps(facts))
    assert list(facts) == list(again) == list(sent)
    for address, found in facts.items():
        for other in (again[address], sent[address]):
            assert (found.provider, found.direct, found.read_after) == (other.provider, other.direct, other.read_after)
            assert (found.dependencies, found.creates_first) == (other.dependencies, other.creates_first)
