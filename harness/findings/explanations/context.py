"""The context of a finding: everything that may explain it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Final

from harness.findings.finding import Finding
from harness.observe.json_trees import as_objects, as_texts
from shared_nodes.config.tree import ConfigTree
from shared_nodes.record import record
from shared_nodes.values.json import Tree, dumps

__all__ = [
    "NO_CHANGE",
    "SHOWN",
    "FindingContext",
    "Observation",
    "Side",
    "capital",
    "planned_actions",
    "short",
    "sorted_text",
]

SHOWN: Final = 8
"""How many values, diagnostics or orders are listed one by one."""

_LONGEST: Final = 300
NO_CHANGE: Final = "do nothing"

Observation = Mapping[str, Tree]


@record
class Side:
    """One side of a comparison. `name` is used in sentences."""

    name: str
    observation: Observation


@record
class FindingContext:
    """One finding, both sides at its place, and what else differs there."""

    finding: Finding
    expected: Side
    got: Side
    others: Sequence[Finding] = ()
    """Findings about the same engine at the same place."""

    state_before: Observation = field(default_factory=dict)
    configuration: Callable[[], ConfigTree | None] = lambda: None
    """Loads the configuration of the step, if it is needed."""


def capital(name: str) -> str:
    """Return the name for the beginning of a sentence. Names of engines are not capitalised."""
    return name[:1].upper() + name[1:] if name.startswith("the ") else name


def short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def sorted_text(tree: Tree) -> str:
    """Return a text that is the same for equal trees, whatever the order of their keys."""
    return dumps(_sorted(tree), escape_html=False)


def _sorted(tree: Tree) -> Tree:
    return {name: _sorted(tree[name]) for name in sorted(tree)} if isinstance(tree, dict) else tree


def planned_actions(observation: Observation, key: str) -> str:
    """Describe what is planned for an object. `key` is its address, followed by its deposed key if it has one."""
    plan = observation.get("plan")
    changes = plan.get("resource_changes") if isinstance(plan, dict) else None
    for change in as_objects(changes):
        detail = change.get("change")
        found = " ".join(str(change[name]) for name in ("address", "deposed") if name in change)
        if found == key and isinstance(detail, dict):
            steps = as_texts(detail.get("actions"))
            return NO_CHANGE if steps == ["no-op"] else ", then ".join(steps)
    return NO_CHANGE
