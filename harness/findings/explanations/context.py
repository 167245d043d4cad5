"""A finding and all around it that may say more about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from harness.findings.finding import Finding
from harness.observe.json_trees import as_objects, as_texts
from shared_nodes.config.tree import ConfigTree
from shared_nodes.values.json import Tree, dumps

__all__ = ["SHOWN", "FindingContext", "Observation", "Side", "capital", "planned_actions", "short", "sorted_text"]

SHOWN: Final = 8
"""Values, diagnostics or orders that are told one by one."""

_LONGEST: Final = 300

Observation = Mapping[str, Tree]


@dataclass(frozen=True, slots=True)
class Side:
    """`name` as sentences call it."""

    name: str
    observation: Observation


@dataclass(frozen=True, slots=True)
class FindingContext:
    """One finding, both sides at its place, and what else differs there."""

    finding: Finding
    expected: Side
    got: Side
    others: Sequence[Finding] = ()
    """Findings about the same engine at the same place."""

    state_before: Observation = field(default_factory=dict)
    configuration: Callable[[], ConfigTree | None] = lambda: None
    """That of the step, loaded where somebody asks."""


def capital(name: str) -> str:
    """At the beginning of a sentence. Engines keep their names as they are written."""
    return name[:1].upper() + name[1:] if name.startswith("the ") else name


def short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def sorted_text(tree: Tree) -> str:
    """The same for equal trees, whatever the order of their keys."""
    return dumps(_sorted(tree), escape_html=False)


def _sorted(tree: Tree) -> Tree:
    return {name: _sorted(tree[name]) for name in sorted(tree)} if isinstance(tree, dict) else tree


def planned_actions(observation: Observation, key: str) -> str:
    """In words: what is planned for an object, given as address and, if it is a deposed one, its key."""
    plan = observation.get("plan")
    changes = plan.get("resource_changes") if isinstance(plan, dict) else None
    for change in as_objects(changes):
        detail = change.get("change")
        found = " ".join(str(change[name]) for name in ("address", "deposed") if name in change)
        if found == key and isinstance(detail, dict):
            steps = as_texts(detail.get("actions"))
            return "do nothing" if steps == ["no-op"] else ", then ".join(steps)
    return "do nothing"
