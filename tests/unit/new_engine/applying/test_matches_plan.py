"""A plan file whose execution graph is not the planned one results in one diagnostic, and nothing is changed.

Files get edited, mixed up and truncated. Whatever can be detected before anything is done is detected then: a malformed
graph, and a graph that does not belong to the changes in the same file.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.engines.scheduling import run_deterministically
from new_engine.execgraph.codec import dump, load
from new_engine.execgraph.graph import ExecutionGraph
from new_engine.execgraph.opcodes import Opcode
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.operations.engine import ApplyResult, EngineRequest
from shared_nodes.plan.options import Options
from shared_nodes.plan.plan import Plan
from shared_nodes.values.json import dumps, loads
from tests.unit.new_engine.operating import ENGINES, Place

CONFIGURATION: Final = """
variable "t" {
  default = 1
}
resource "terraform_data" "a" {
  triggers_replace = var.t
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "b" {
  input = terraform_data.a.id
}
resource "terraform_data" "c" {
  count = var.t == 1 ? 2 : 1
}
"""
"""With a different `t`, one object is replaced create-first, one is updated, and one is destroyed."""

UNUSABLE: Final = "Invalid execution graph in plan file"


class Planned:
    """A plan with several kinds of changes, which can be applied with an edited graph."""

    def __init__(self, directory: Path, engine: str = "new") -> None:
        place = Place(directory)
        place.write(CONFIGURATION)
        place.apply(ENGINES["new"])
        request, _ = place.request(Options(), t="2")
        assert request is not None
        result = run_deterministically(0, ENGINES[engine].plan, request)
        assert result.plan is not None, result.diagnostics
        self.request: EngineRequest = request
        self.plan: Plan = result.plan

    @property
    def graph(self) -> Any:
        return json.loads(dumps(self.plan.execution_tree))

    def apply(self, graph: Any) -> ApplyResult:
        plan = replace(self.plan, execution=loads(json.dumps(graph)))
        return run_deterministically(0, ENGINES["new"].apply, replace(self.request, plan=plan), timeout_s=60)


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Planned:
    return Planned(tmp_path_factory.mktemp("tampered"))


def is_operation(element: Any, opcode: int) -> bool:
    return isinstance(element, list) and element[0] == opcode


def replace_text(text: str, by: str) -> Callable[[Any], Any]:
    return lambda graph: json.loads(json.dumps(graph).replace(json.dumps(text)[1:-1], json.dumps(by)[1:-1]))


def change_at(path: list[Any], by: Any) -> Callable[[Any], Any]:
    def change(graph: Any) -> Any:
        *parents, last = path
        inner = graph
        for step in parents:
            inner = inner[step]
        inner[last] = by
        return graph

    return change


def change_opcode(before: int, after: int) -> Callable[[Any], Any]:
    def change(graph: Any) -> Any:
        for element in graph["elements"]:
            if is_operation(element, before):
                element[0] = after
        return graph

    return change


def without_deletions(graph: Any) -> Any:
    return {**graph, "deletions": []}


def drop_desired(graph: Any) -> Any:
    """Turn an update into a destruction."""
    for element in graph["elements"]:
        if is_operation(element, 4):
            element[2] = None
    return graph


TAMPERINGS: Final[dict[str, Callable[[Any], Any]]] = {
    "a graph of another kind": lambda _graph: "graph",
    "no graph": lambda _graph: None,
    "an empty graph": lambda _graph: {
        **{name: [] for name in ("elements", "operations", "waiters", "deletions")},
        **{name: {} for name in ("results", "resources", "instances")},
        "version": 1,
    },
    "another version": change_at(["version"], 2),
    "a part is missing": lambda graph: {name: part for name, part in graph.items() if name != "results"},
    "an element is cut off": lambda graph: {**graph, "elements": graph["elements"][:-1]},
    "an address that is none": replace_text("terraform_data.b", "terraform_data b"),
    "a resource that nobody declared": replace_text("terraform_data.b", "terraform_data.nobody"),
    "another resource that has no change": replace_text("terraform_data.b", "terraform_data.c[0]"),
    "two resources in each other's place": lambda graph: replace_text("terraform_data.x", "terraform_data.b")(
        replace_text("terraform_data.b", "terraform_data.a")(
            replace_text("terraform_data.a", "terraform_data.x")(graph)
        )
    ),
    "data in place of something managed": replace_text("terraform_data.b", "data.terraform_remote_state.b"),
    "a provider that does not exist": replace_text("terraform.io/builtin/terraform", "registry.terraform.io/x/y"),
    "a provider under another alias": replace_text('builtin/terraform"]', 'builtin/terraform"].other'),
    "a result of another resource": lambda graph: change_at(
        ["results", "terraform_data.a"], graph["results"]["terraform_data.b"]
    )(graph),
    "a result that comes too early": lambda graph: change_at(
        ["results", "terraform_data.a"], graph["results"]["terraform_data.a"] - 1
    )(graph),
    "nothing to record": change_at(["instances"], {}),
    "deletions dropped": without_deletions,
    "deletions of something else": change_at(["deletions", 0, 1], "00000000"),
    "updates that became destructions": drop_desired,
    "an unknown opcode": change_opcode(5, 99),
    "an opcode with other operands": change_opcode(5, 12),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_graph_that_does_not_fit_is_one_diagnostic(name: str, planned: Planned) -> None:
    result = planned.apply(TAMPERINGS[name](planned.graph))
    assert [found.summary for found in result.diagnostics] == [UNUSABLE]
    assert "Make a new plan." in result.diagnostics[0].detail
    assert result.state.resources == planned.plan.prior_state.resources, "nothing was touched"


def test_the_graph_itself_fits(planned: Planned) -> None:
    assert planned.apply(planned.graph).diagnostics == ()


def test_a_plan_of_the_other_engine_is_refused(tmp_path: Path) -> None:
    """It has no graph. Doing nothing and reporting success would be the worst answer."""
    made = Planned(tmp_path, "legacy")
    (found,) = made.apply(None).diagnostics
    assert found.summary == UNUSABLE
    assert "there is none, as in plans of another engine" in found.detail


def test_waiting_for_who_waits_is_a_cycle(planned: Planned) -> None:
    """The graph alone has no cycle: the replacement waits for the update, and only the configuration says that the
    update needs a value of the replacement."""
    graph = load(loads(json.dumps(planned.graph)))
    assert isinstance(graph, ExecutionGraph)
    a, b = (next(instance for instance in graph.results if instance.resource.name == name) for name in ("a", "b"))
    waits = {leg: _waiter(graph, leg) for leg in (a, b)}
    waiters = list(graph.waiters)
    waiters[waits[a]], waiters[waits[b]] = (graph.results[b],), ()
    tree = dump(replace(graph, waiters=tuple(waiters)))
    (found,) = planned.apply(json.loads(dumps(tree))).diagnostics
    assert found.summary.startswith("Cycle: terraform_data.a, ")
    assert "terraform_data.b" in found.summary


def _waiter(graph: ExecutionGraph, instance: AbsResourceInstance) -> int:
    """Return the waiter of the leg that applies a change to an instance: it belongs to the first operation of the
    leg."""
    for operation in graph.operations:
        if operation.opcode is Opcode.CURRENT_META:
            named, _, _, waiter = operation.operands
            assert named is not None
            assert waiter is not None
            if graph.instances[named.index] == instance:
                return waiter.index
    raise AssertionError(f"no leg for {instance}")


def places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    steps = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for step, inner in steps:
        yield from places(inner, (*path, step))


@given(st.data())
def test_any_edit_ends_in_a_result(planned: Planned, data: st.DataObject) -> None:
    """Parts are dropped, copied to other places, or replaced by numbers. Some edits change nothing relevant, or only
    the order; all others are reported, and none causes a crash."""
    graph = planned.graph
    every = list(places(graph))[1:]
    for _ in range(data.draw(st.integers(1, 2))):
        *parents, last = data.draw(st.sampled_from(every))
        edited = graph
        try:
            for step in parents:
                edited = edited[step]
            match data.draw(st.sampled_from(["drop", "copy", "number"])):
                case "drop":
                    del edited[last]
                case "copy":
                    source = graph
                    for step in data.draw(st.sampled_from(every)):
                        source = source[step]
                    edited[last] = copy.deepcopy(source)
                case "number":
                    edited[last] = data.draw(st.integers(0, len(graph["elements"])))
        except (KeyError, IndexError, TypeError):
            continue
    result = planned.apply(graph)
    assert len([found for found in result.diagnostics if found.summary == UNUSABLE]) <= 1


# On the command line


def command(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from harness.cli import main; main()", "engine", "new", *arguments]
    return subprocess.run(program, cwd=directory, capture_output=True, text=True, timeout=120, check=False)


def tamper(file: Path, change: Callable[[Any], Any]) -> None:
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    plan = json.loads(members["plan.json"])
    plan["execution"] = change(plan["execution"])
    members["plan.json"] = json.dumps(plan).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def test_the_command_line_reports_it_and_leaves_the_state_alone(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(CONFIGURATION, encoding="utf-8")
    assert command(tmp_path, "apply", ".").returncode == 0
    state = (tmp_path / "terraform.tfstate").read_bytes()
    assert command(tmp_path, "plan", ".", "--var", "t=2", "--out", "p").returncode == 0
    good = (tmp_path / "p").read_bytes()
    tamper(tmp_path / "p", TAMPERINGS["a resource that nobody declared"])
    outcome = command(tmp_path, "apply", "p", "--json")
    assert outcome.returncode == 1, outcome.stderr
    assert [found["summary"] for found in json.loads(outcome.stdout)["diagnostics"]] == [UNUSABLE]
    (tmp_path / "p").write_bytes(good)
    tamper(tmp_path / "p", TAMPERINGS["an element is cut off"])
    shown = command(tmp_path, "apply", "p")
    assert (shown.returncode, shown.stderr.count("Error: ")) == (1, 1)
    assert "Traceback" not in shown.stderr
    assert (tmp_path / "terraform.tfstate").read_bytes() == state
