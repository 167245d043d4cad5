"""Records a case by a binary: what was the same in every run, and in which order events have to happen.

A case is run several times with different limits on concurrency. What differs between runs is listed in `unstable`.
That one event came before another in a few runs does not prove that it had to: a pair is recorded only if the
dependency graph that the binary prints for this plan forces it as well. So a recording may lack a constraint that the
graph does not show, and never has one that does not exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import networkx

from harness.case.case import PLACES, Case, CaseError
from harness.case.plain_directory import holds_configuration
from harness.case.prelude import Prelude
from harness.compare.observations import compare_with_binary
from harness.engine_settings import NO_SETTINGS, EngineSettings
from harness.engines.external import find_binary
from harness.json_layout import laid_out
from harness.observe.drawn_graph import read_drawn_graph
from harness.observe.instance_keys import without_keys
from harness.observe.json_trees import JsonObject, as_items, as_object, as_objects
from harness.observe.observation import Observation
from harness.play.case_runner import CaseRunner
from harness.play.schedule import Schedule
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["PARALLELISM_OF_RUNS", "configurations_of", "golden_text", "partial_order", "recorded_by"]

PARALLELISM_OF_RUNS: Final = (10, 1, 2, 4, 10, 1)

_FIELDS: Final = (
    *("op", "config", "init", "ok", "crash", "diagnostics", "plan_summary", "plan", "plan_events"),
    *("execution_graph", "apply_summary", "events", "state", "story"),
)
_CLOUD: Final = ("plan_calls", "calls", "inventory")
"""Recorded of cases that use the simulated cloud."""

_PHASES: Final = ("init", "validate", "plan", "apply")


def recorded_by(
    case: Case,
    engine: str,
    directory: Path,
    timeout_s: float,
    *,
    prelude: Prelude | None = None,
    settings: EngineSettings = NO_SETTINGS,
) -> dict[str, Tree]:
    """Run the case in an empty directory, and return the recording. The recording of a case with tasks names the task
    of each step. CaseError is raised if these are not the same in every run."""
    configurations = configurations_of(case)
    runner = replace(CaseRunner.of(case, directory, configurations), prelude=prelude)
    limit_s = timeout_s if settings.timeout_s is None else settings.timeout_s
    runs = [
        runner.run(engine, Schedule(parallelism=limit), limit_s, with_graphs=True, settings=settings)
        for limit in PARALLELISM_OF_RUNS
    ]
    places = list(runs[0])
    if any(list(run) != places for run in runs):
        raise CaseError(f"{case.directory}: the story took another way in another run, so that none can be recorded")
    fields = (*_FIELDS, *_CLOUD) if any(map(_uses_cloud, runs[0].values())) else _FIELDS
    merged = [_merged([run[place] for run in runs], fields) for place in places]
    verdicts = {name: _verdict(step) for name, step in zip(configurations, merged, strict=False)}
    return {
        "engine": find_binary(engine, settings).version,
        "parallelism_of_runs": [JsonNumber(str(limit)) for limit in PARALLELISM_OF_RUNS],
        "validate": verdicts,
        **({PLACES: [*places[len(configurations) :]]} if case.tasks is not None else {}),
        "steps": [*merged[len(configurations) :]],
    }


def configurations_of(case: Case) -> list[str]:
    """Return the configurations that are validated before the first step."""
    return sorted({*case.configurations, *_root_modules(case.directory)})


def _root_modules(directory: Path) -> list[str]:
    """Return the directories directly below the case that contain a configuration, whether or not a step names them."""
    return [place.name for place in directory.iterdir() if holds_configuration(place)]


def _verdict(step: Mapping[str, Tree]) -> Tree:
    return {name: step[name] for name in ("init", "ok", "crash", "diagnostics") if name in step}


def _uses_cloud(step: Mapping[str, Tree]) -> bool:
    calls = [as_object(step.get(name)).get("items") for name in ("plan_calls", "calls")]
    return bool(step.get("inventory")) or any(calls)


def _merged(runs: Sequence[Observation], fields: Iterable[str]) -> JsonObject:
    first = runs[0]
    step: JsonObject = {name: first[name] for name in fields if name in first}
    step["diagnostics"] = _sorted_diagnostics(step["diagnostics"])
    if isinstance(plan := step.get("plan"), dict):
        step["plan"] = _with_sorted_plan(plan)
    if isinstance(state := step.get("state"), dict):
        step["state"] = _with_sorted_state(state)
    for events, graph in (("plan_events", "plan_graph"), ("events", "graph")):
        if events in step:
            orders = [as_items(run[events]) for run in runs if events in run]
            step[events] = partial_order(orders, str(first.get(graph, "")))
    unstable = {found.field.partition(".")[0] for run in runs[1:] for found in compare_with_binary(first, run)}
    return {**step, "unstable": [*sorted(unstable)]} if unstable else step


def _sorted_diagnostics(found: Tree) -> list[Tree]:
    def key(diagnostic: Mapping[str, Tree]) -> tuple[int, list[str], str]:
        names = ("severity", "summary", "detail", "address")
        return (
            _PHASES.index(str(diagnostic["phase"])),
            [str(diagnostic.get(name, "")) for name in names],
            dumps(diagnostic.get("range")),
        )

    return [*sorted(as_objects(found), key=key)]


def _with_sorted_lists(tree: Mapping[str, Tree], names: Iterable[str]) -> dict[str, Tree]:
    def key(item: Mapping[str, Tree]) -> tuple[str, str, str]:
        address = item.get("address", item.get("config_addr", item.get("object_addr")))
        name = address if isinstance(address, str) else dumps(address)
        return name, str(item.get("deposed", "")), dumps(dict(item), escape_html=False)

    result = dict(tree)
    for name in names:
        if isinstance(items := result.get(name), list):
            result[name] = [*sorted(as_objects(items), key=key)]
    return result


def _with_sorted_plan(plan: Mapping[str, Tree]) -> dict[str, Tree]:
    result = _with_sorted_lists(plan, ("resource_changes", "resource_drift", "checks"))
    used = as_objects(result["relevant_attributes"])
    used = sorted(used, key=lambda each: (dumps(each["attribute"]), dumps(each["resource"])))
    return {**result, "relevant_attributes": [*used]}


def _with_sorted_state(state: Mapping[str, Tree]) -> dict[str, Tree]:
    """A state file is sorted, except for its check results and the dependencies of objects."""
    result = _with_sorted_lists(state, ("check_results",))
    if isinstance(results := result["check_results"], list):
        result["check_results"] = [_with_sorted_lists(each, ("objects",)) for each in as_objects(results)]
    for resource in as_objects(result["resources"]):
        for instance in as_objects(resource["instances"]):
            for name in ("dependencies", "depends_on"):
                if isinstance(addresses := instance.get(name), list):
                    instance[name] = sorted(addresses, key=str)
    return result


# Events

_Event = tuple[str, int]
"""Text of an item, and how many equal ones came before it."""


def partial_order(runs: Sequence[Sequence[Tree]], graph: str) -> Tree:
    """Return the events of the first run, and which of them precede others in every run because the graph says so. Runs
    with other events say nothing about the order of these."""
    items = runs[0]
    events = _numbered(items)
    same = [order for order in map(_numbered, runs) if Counter(order) == Counter(events)]
    positions = [{event: index for index, event in enumerate(order)} for order in same]
    operations = _operations_of(items)
    drawing = _Drawing(graph)
    order: networkx.DiGraph = networkx.DiGraph()
    order.add_nodes_from(range(len(items)))
    order.add_edges_from(
        (first, second)
        for first, one in enumerate(events)
        for second, other in enumerate(events)
        if first != second
        and all(position[one] < position[other] for position in positions)
        and drawing.forces(operations[first], operations[second])
    )
    return _listed(items, networkx.transitive_reduction(order))


def _numbered(items: Iterable[Tree]) -> list[_Event]:
    seen: Counter[str] = Counter()
    events: list[_Event] = []
    for item in items:
        text = dumps(item, escape_html=False)
        events.append((text, seen[text]))
        seen[text] += 1
    return events


_EventOperation = tuple[str, str, str]
"""The operation an event belongs to: an address, an action, and the object if it is deleted."""


def _operations_of(items: Iterable[Tree]) -> list[_EventOperation]:
    """Events of provisioners do not say whether an object is created or deleted: they belong to what began last."""
    begun: dict[str, _EventOperation] = {}
    operations: list[_EventOperation] = []
    for item in items:
        kind, address, action, *extra = (part if isinstance(part, str) else "" for part in as_items(item))
        if kind.startswith("provision"):
            operation = begun.get(address, (address, "make", ""))
        elif kind.startswith("refresh"):
            operation = (address, "refresh", "")
        else:
            operation = (address, action, extra[0] if action == "delete" and extra else "")
        if kind == "apply_start":
            begun[address] = operation
        operations.append(operation)
    return operations


def _listed(items: Sequence[Tree], order: networkx.DiGraph) -> Tree:
    """List events by the number of their predecessors, then by text: independent of which run was first."""
    depth: dict[int, int] = {}
    for index in networkx.topological_sort(order):
        depth[index] = max((depth[before] + 1 for before in order.predecessors(index)), default=0)
    listing = sorted(depth, key=lambda index: (depth[index], dumps(items[index], escape_html=False), index))
    place = {index: position for position, index in enumerate(listing)}
    pairs = sorted((place[first], place[second]) for first, second in order.edges)
    before: list[Tree] = [[JsonNumber(str(first)), JsonNumber(str(second))] for first, second in pairs]
    return {"items": [items[index] for index in listing], "before": before}


class _Drawing:
    """The graph of an operation as the binary prints it: an arrow leads to what must be done before."""

    __slots__ = ("_earlier", "_nodes")

    def __init__(self, text: str) -> None:
        graph: networkx.DiGraph = networkx.DiGraph(read_drawn_graph(text))
        self._nodes = frozenset(graph)
        self._earlier = {node: frozenset(networkx.descendants(graph, node)) for node in graph}

    def forces(self, first: _EventOperation, second: _EventOperation) -> bool:
        if first == second:
            return True
        earlier, later = self._nodes_of(first), self._nodes_of(second)
        if not earlier or not later or earlier & later:
            return False
        return all(self._earlier[node] >= earlier for node in later)

    def _nodes_of(self, operation: _EventOperation) -> frozenset[str]:
        """Return all nodes that could be meant. The graph does not show which of two objects at one address a node
        deletes."""
        address, action, _ = operation
        if action == "delete":
            return frozenset(node for node in self._nodes if node.startswith(f"{address} (destroy"))
        block = without_keys(address)
        for name in (address, f"{address} (expand)", f"{block} (expand)", f"{address} (orphan)"):
            if name in self._nodes:
                return frozenset([name])
        return frozenset()


# Text


def golden_text(golden: Mapping[str, Tree]) -> str:
    """Return the text of a recording. Whatever fits into a line is on one line, so that differences are short."""
    return laid_out(dict(golden)) + "\n"
