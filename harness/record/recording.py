"""A recording of a case, made by a binary: what was the same in every run, and in which order things have to happen.

A case is run several times with different limits on concurrency. What differs between runs is named in `unstable`.
That one event came before another in a few runs is no proof that it had to: a pair is recorded only if the dependency
graph the binary draws of that very plan forces it as well. So a recording may leave out a constraint, where the graph
does not show one, and never claims one that is not there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import networkx

from harness.case.case import PLACES, Case, CaseError
from harness.compare.observations import compare_with_binary
from harness.engines.external import find_binary
from harness.observe.json_trees import as_items, as_objects, as_texts
from harness.observe.observation import Observation
from harness.play.case_runner import CaseRunner
from harness.play.schedule import Schedule
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["PARALLELISM_OF_RUNS", "golden_text", "partial_order", "recorded_by"]

PARALLELISM_OF_RUNS: Final = (10, 1, 2, 4, 10, 1)

_FIELDS: Final = (
    *("op", "config", "ok", "diagnostics", "plan_summary", "plan", "plan_events"),
    *("apply_summary", "events", "state", "story"),
)
_PHASES: Final = ("validate", "plan", "apply")
_WIDTH: Final = 150


def recorded_by(case: Case, engine: str, directory: Path, timeout_s: float) -> dict[str, Tree]:
    """`directory` is empty, and the case is run in it. Of a story with tasks the way it took is recorded as well: which
    task each step was. CaseError where that was not the same way each time."""
    configurations = sorted({*case.configurations, *_root_modules(case.directory)})
    theatre = CaseRunner.of(case, directory, configurations)
    courses = [
        theatre.run(engine, Schedule(parallelism=limit), timeout_s, with_graphs=True) for limit in PARALLELISM_OF_RUNS
    ]
    places = list(courses[0])
    if any(list(course) != places for course in courses):
        raise CaseError(f"{case.directory}: the story took another way in another run, so that none can be recorded")
    merged = [_merged([course[place] for course in courses]) for place in places]
    verdicts = {name: _verdict(step) for name, step in zip(configurations, merged, strict=False)}
    return {
        "engine": find_binary(engine).version,
        "parallelism_of_runs": [JsonNumber(str(limit)) for limit in PARALLELISM_OF_RUNS],
        "validate": verdicts,
        **({PLACES: [*places[len(configurations) :]]} if case.tasks is not None else {}),
        "steps": [*merged[len(configurations) :]],
    }


def _root_modules(directory: Path) -> list[str]:
    """Directories right below the case that hold a configuration, whether or not a step names them."""
    return [place.name for place in directory.iterdir() if any((*place.glob("*.tf"), *place.glob("*.tf.json")))]


def _verdict(step: Observation) -> Tree:
    return {name: step[name] for name in ("ok", "diagnostics")}


def _merged(runs: Sequence[Observation]) -> Observation:
    first = runs[0]
    step: Observation = {name: first[name] for name in _FIELDS if name in first}
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
    """A state file is in order, but for its check results and for what an object depends on."""
    result = _with_sorted_lists(state, ("check_results",))
    if isinstance(results := result["check_results"], list):
        result["check_results"] = [_with_sorted_lists(each, ("objects",)) for each in as_objects(results)]
    for resource in as_objects(result["resources"]):
        for instance in as_objects(resource["instances"]):
            if isinstance(dependencies := instance.get("dependencies"), list):
                instance["dependencies"] = sorted(dependencies, key=str)
    return result


# Events

_Event = tuple[str, int]
"""Text of an item, and how many equal ones came before it."""


def partial_order(runs: Sequence[Sequence[Tree]], graph: str) -> Tree:
    """The events of the first run, and which of them come first in every run because the graph says so. Runs with
    other events tell nothing about the order of these."""
    items = runs[0]
    events = _numbered(items)
    same = [order for order in map(_numbered, runs) if Counter(order) == Counter(events)]
    positions = [{event: index for index, event in enumerate(order)} for order in same]
    doings = _doings(items)
    drawing = _Drawing(graph)
    order: networkx.DiGraph = networkx.DiGraph()
    order.add_nodes_from(range(len(items)))
    order.add_edges_from(
        (first, second)
        for first, one in enumerate(events)
        for second, other in enumerate(events)
        if first != second
        and all(position[one] < position[other] for position in positions)
        and drawing.forces(doings[first], doings[second])
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


_Doing = tuple[str, str, str]
"""What an event is a part of: an address, what is done there, and to which object if it is deleted."""


def _doings(items: Iterable[Tree]) -> list[_Doing]:
    """Events of provisioners do not say whether an object is made or deleted: they belong to what began last."""
    begun: dict[str, _Doing] = {}
    doings: list[_Doing] = []
    for item in items:
        kind, address, action, *extra = as_texts(item)
        if kind.startswith("provision"):
            doing = begun.get(address, (address, "make", ""))
        elif kind.startswith("refresh"):
            doing = (address, "refresh", "")
        else:
            doing = (address, action, extra[0] if action == "delete" and extra else "")
        if kind == "apply_start":
            begun[address] = doing
        doings.append(doing)
    return doings


def _listed(items: Sequence[Tree], order: networkx.DiGraph) -> Tree:
    """By how much has to come before, then by text: the same listing, whichever run was the first."""
    depth: dict[int, int] = {}
    for index in networkx.topological_sort(order):
        depth[index] = max((depth[before] + 1 for before in order.predecessors(index)), default=0)
    listing = sorted(depth, key=lambda index: (depth[index], dumps(items[index], escape_html=False), index))
    place = {index: position for position, index in enumerate(listing)}
    pairs = sorted((place[first], place[second]) for first, second in order.edges)
    before: list[Tree] = [[JsonNumber(str(first)), JsonNumber(str(second))] for first, second in pairs]
    return {"items": [items[index] for index in listing], "before": before}


_NODE: Final = r'"((?:[^"\\]|\\.)*)"'
_EDGE: Final = re.compile(rf"^\s*{_NODE} -> {_NODE}", re.MULTILINE)
_DECLARED: Final = re.compile(rf"^\s*{_NODE} \[", re.MULTILINE)
_KEY: Final = re.compile(r'\[(?:\d+|"(?:[^"\\]|\\.)*")\]')


class _Drawing:
    """The graph of an operation as the binary draws it: an arrow leads to what has to be done before."""

    __slots__ = ("_earlier", "_nodes")

    def __init__(self, text: str) -> None:
        graph: networkx.DiGraph = networkx.DiGraph()
        graph.add_nodes_from(map(_unquoted, _DECLARED.findall(text)))
        graph.add_edges_from((_unquoted(later), _unquoted(earlier)) for later, earlier in _EDGE.findall(text))
        self._nodes = frozenset(graph)
        self._earlier = {node: frozenset(networkx.descendants(graph, node)) for node in graph}

    def forces(self, first: _Doing, second: _Doing) -> bool:
        if first == second:
            return True
        earlier, later = self._nodes_of(first), self._nodes_of(second)
        if not earlier or not later or earlier & later:
            return False
        return all(self._earlier[node] >= earlier for node in later)

    def _nodes_of(self, doing: _Doing) -> frozenset[str]:
        """All nodes that could be meant. Which of two objects at one address a node deletes is not drawn."""
        address, action, _ = doing
        if action == "delete":
            return frozenset(node for node in self._nodes if node.startswith(f"{address} (destroy"))
        block = _KEY.sub("", address)
        for name in (address, f"{address} (expand)", f"{block} (expand)", f"{address} (orphan)"):
            if name in self._nodes:
                return frozenset([name])
        return frozenset()


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text).removeprefix("[root] ")


# Text


def golden_text(golden: Mapping[str, Tree]) -> str:
    """Whatever fits into a line is on one: a difference between two recordings is then a line or two."""
    return _laid_out(dict(golden), 0) + "\n"


def _laid_out(tree: Tree, indent: int) -> str:
    line = _on_one_line(tree)
    if not isinstance(tree, dict | list) or indent + len(line) <= _WIDTH:
        return line
    if isinstance(tree, dict):
        parts = [f"{_on_one_line(key)}: {_laid_out(item, indent + 1)}" for key, item in tree.items()]
        opening, closing = "{", "}"
    else:
        parts = [_laid_out(item, indent + 1) for item in tree]
        opening, closing = "[", "]"
    margin = "\n" + " " * (indent + 1)
    return f"{opening}{margin}{f',{margin}'.join(parts)}\n{' ' * indent}{closing}"


def _on_one_line(tree: Tree) -> str:
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{_on_one_line(key)}: {_on_one_line(item)}" for key, item in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(map(_on_one_line, tree)) + "]"
    return dumps(tree, escape_html=False)
