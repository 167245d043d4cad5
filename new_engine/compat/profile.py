"""Where the engine may differ on purpose from the one it replaces: nine named changes, all off by default.

Without any of them the engine behaves exactly like the other one, bugs included; that is what conformance measures.
Each change is something upstream intends to do differently, so that a difference can be distinguished from a defect:
with the change on, the engines differ in the field that docs/intended-changes.md names, and nowhere else. A change
takes effect in one place of the engine, which consults the profile; only this module knows the identifiers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, fields
from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.record import record
from shared_nodes.values.json import Tree

__all__ = ["KNOWN_CHANGES", "Adopted", "CompatProfile", "adopted_by", "profile_of"]


def _change(identifier: str) -> bool:
    """Declare a toggle, off by default, with its identifier outside the engine."""
    return field(default=False, metadata={"id": identifier})


@record(kw_only=True)
class CompatProfile:
    other_wording: bool = _change("C01")
    """The same mistakes are reported in other words. Upstream reports a mistake where it is made and not where its
    consequence shows, and has rewritten its messages accordingly. Severity and place stay."""

    self_references_at_validate: bool = _change("C02")
    """A resource that refers to itself is refused by validation. The old engine finds out when it plans the first
    instance, although no value could make it right; upstream wants mistakes of the text alone to be found without a
    state."""

    exact_dependencies: bool = _change("C03")
    """Dependencies are those a value was really computed from: instances instead of blocks, the taken branch instead of
    both. Users wait for unrelated objects and see them destroyed in an order nothing demands; values that carry their
    origin avoid that."""

    deferred_actions: bool = _change("C04")
    """What cannot be planned yet, because the number of its instances is unknown, is deferred to the next run together
    with what is computed from it. The old engine refuses the whole plan, and users have to find out with targets what
    could have been done."""

    changes_only: bool = _change("C05")
    """A plan lists changes. The old engine lists every object, unchanged ones as `no-op`, so that a plan grows with the
    state instead of with what happens."""

    child_providers_stand: bool = _change("C06")
    """A provider block in a module is a configuration of its own, even an empty one with an alias. Before
    `required_providers` existed, such a block only announced a configuration that the caller passes; upstream has given
    up that meaning."""

    dependents_updated_first: bool = _change("C07")
    """What used an object is updated before the object is destroyed. The old engine destroys first if a block has fewer
    instances than before, so that for a while something refers to an object that no longer exists."""

    module_outputs_dropped: bool = _change("C08")
    """The state in memory does not keep outputs of modules below the root. Nothing outside reads them, and a state file
    never held them; upstream evaluates them where they are used."""

    own_name_is_cycle: bool = _change("C09")
    """A provisioner that refers to its own object by name is reported as a cycle. The old engine lets it read whatever
    the state has at that moment, which depends on timing; `self` exists for that."""


_FIELDS: Final = {toggle.metadata["id"]: toggle.name for toggle in fields(CompatProfile)}

KNOWN_CHANGES: Final = tuple(sorted(_FIELDS))
"""The identifiers of all changes."""


def profile_of(changes: Iterable[str]) -> CompatProfile:
    """Return the profile with these changes on. They must have been checked: an unknown identifier raises KeyError."""
    return CompatProfile(**{_FIELDS[change]: True for change in changes})


@record
class Adopted:
    """What a plan was made with and must be applied with: its intended changes, and the addresses it has deferred."""

    changes: frozenset[str] = frozenset()
    deferred: frozenset[str] = frozenset()

    @property
    def tree(self) -> dict[str, Tree]:
        """The form in which it is saved next to the execution graph; empty if no change was adopted."""
        if not self.changes:
            return {}
        return {"changes": [*sorted(self.changes)], "put_off": [*sorted(self.deferred)]}


def adopted_by(execution: Tree) -> Adopted | Diagnostic:
    """Read what was saved with a plan. Nothing in a file is trusted: it may have been edited, or saved by another
    version."""
    if not isinstance(execution, dict) or "changes" not in execution:
        return Adopted()
    changes, deferred = (_texts(execution.get(name)) for name in ("changes", "put_off"))
    if changes is None or deferred is None or not changes <= _FIELDS.keys():
        detail = (
            "The plan file says that it was made with intended changes of behaviour, but not with which, or with some "
            f"this version does not know. It knows {', '.join(KNOWN_CHANGES)}. Make a new plan."
        )
        return error("Unknown intended change in plan file", detail)
    return Adopted(changes, deferred)


def _texts(tree: Tree) -> frozenset[str] | None:
    if not isinstance(tree, list):
        return None
    texts = [item for item in tree if isinstance(item, str)]
    return frozenset(texts) if len(texts) == len(tree) else None
