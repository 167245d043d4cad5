"""C: changes that are meant, made without being asked for. Each is one switch of `new_engine.compat`, so that the
mistake is always the same: the switch is on by default.

C08 is missing: it drops what no file, plan or expression ever shows, and so cannot be told from the engine itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from harness.mutants.mutant import Mutant

__all__ = ["MUTANTS"]


def _on_by_default(identifier: str, toggle: str, breaks: str, phase: str, field: str) -> Mutant:
    def patch(original: Callable[..., Any]) -> Callable[..., Any]:
        return lambda names: replace(original(names), **{toggle: True})

    return Mutant(identifier, breaks, "new_engine.compat:profile_of", patch, phase, field, ("intended-changes",))


MUTANTS: Final = (
    _on_by_default("C01", "other_wording", "Mistakes are told in other words.", "validate", "diagnostics"),
    _on_by_default(
        "C02",
        "self_references_at_validate",
        "A block that refers to itself is refused by validation already.",
        "validate",
        "diagnostics",
    ),
    _on_by_default(
        "C03",
        "exact_dependencies",
        "Dependencies are recorded by instance and by the branch taken, not by what a block names.",
        "apply",
        "state",
    ),
    _on_by_default(
        "C04",
        "deferred_actions",
        "What has an unknown number of instances is put off, where the plan is to be refused.",
        "plan",
        "diagnostics",
    ),
    _on_by_default("C05", "changes_only", "Objects that stay as they are do not stand in the plan.", "plan", "plan"),
    _on_by_default(
        "C06",
        "child_providers_stand",
        "An empty provider block in a module is used in the place of what the call passes.",
        "apply",
        "state",
    ),
    _on_by_default(
        "C07",
        "dependents_updated_first",
        "With fewer instances than before, dependents are updated before the rest is destroyed.",
        "apply",
        "order",
    ),
    _on_by_default(
        "C09",
        "own_name_is_cycle",
        "A provisioner that calls its own object by name is refused as a cycle.",
        "plan",
        "diagnostics",
    ),
)
