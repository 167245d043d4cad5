"""The order of effects that a real binary guarantees for one plan, in the form in which engines of ours report theirs.

A binary of Terraform, or of OpenTofu with its old runtime, draws the apply graph of a plan if it is asked. OpenTofu's
new runtime draws none: its `graph` command shows the graph of the old one. But it logs the execution graph while it
plans. The log goes to a file, so that what the binary prints is the same with and without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from harness.engines.external import ExternalBinary
from harness.observe.evaluation import references_in
from harness.observe.execution_graph import UnreadableGraph, find_execution_graph, parse_execution_graph
from harness.observe.json_trees import as_object
from harness.observe.observation import Observation
from harness.observe.step_order import order_of_step
from shared_nodes.flavour import OPENTOFU_1_12, Flavour
from shared_nodes.values.json import JsonError, Tree, loads
from shared_nodes.world import Files

__all__ = ["add_order", "has_execution_graph", "logged_execution_graph", "logging_execution_graph"]

_SWITCH: Final = "TOFU_X_EXPERIMENTAL_RUNTIME"


def has_execution_graph(binary: ExternalBinary) -> bool:
    """Return whether this is the runtime that plans an execution graph."""
    return _SWITCH in binary.switches


def logging_execution_graph(binary: ExternalBinary, log: Path) -> ExternalBinary:
    """Return the binary as it has to be called to plan, so that it logs the graph."""
    if not has_execution_graph(binary):
        return binary
    return replace(binary, switches={**binary.switches, "TF_LOG": "debug", "TF_LOG_PATH": str(log)})


def logged_execution_graph(log: Path) -> str | None:
    """Return the graph that was planned last, in the notation of the binary, without its constants: these may contain
    secrets, and say nothing about the order. If it cannot be read, the reason is returned in its place."""
    if not log.exists():
        return None
    text = find_execution_graph(log.read_text(encoding="utf-8", errors="replace"))
    if text is None:
        return None
    graph = parse_execution_graph(text)
    return str(graph) if isinstance(graph, UnreadableGraph) else graph.text(with_constants=False)


def add_order(observation: Observation, directory: Path, flavour: Flavour | None, state: str | None) -> Observation:
    """Add the order of effects to what was observed of planning, from the graph that is part of it. `state` is the text
    of the state file that the plan was made from. A graph that cannot be read means that no order is reported."""
    order = order_of_step(observation, references_in(Files(directory), flavour or OPENTOFU_1_12), _document(state))
    return observation if order is None else replace(observation, order=order, has_order=True)


def _document(state: str | None) -> Mapping[str, Tree]:
    """Return the document in a state file. One that is encrypted, or is none, says nothing."""
    try:
        return as_object(loads(state or "null"))
    except JsonError:
        return {}
