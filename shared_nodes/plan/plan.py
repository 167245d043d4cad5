"""A plan: everything one run decided, and everything needed to apply it.

It has three states. `previous_state` is what the last run left, at its current addresses; `prior_state` is what was
found to exist, and what apply starts from; `planned_state` is what is expected afterwards, as far as it is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Protocol, runtime_checkable

from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ResourceMode
from shared_nodes.flavour import Flavour
from shared_nodes.plan.change import Action, Changes, DeferredChange, ResourceChange
from shared_nodes.plan.options import Mode
from shared_nodes.record import record
from shared_nodes.state.model import CheckResult, InstanceObject, State
from shared_nodes.values.json import Tree
from shared_nodes.values.paths import Path
from shared_nodes.values.value import Value

__all__ = ["Plan", "ResourceAttribute", "Saveable"]


@record
class ResourceAttribute:
    """A part of an object, or of all objects of a resource, from which something planned was computed."""

    resource: AbsResource | AbsResourceInstance
    path: Path


@runtime_checkable
class Saveable(Protocol):
    """An engine's own data, kept with a plan and converted only when the plan is saved, because most plans are applied
    at once."""

    def tree(self) -> Tree: ...


@record(frozen=False)
class Plan:
    mode: Mode
    changes: Changes
    prior_state: State
    planned_state: State
    previous_state: State
    timestamp: datetime
    drift: list[ResourceChange] = field(default_factory=list)
    checks: tuple[CheckResult, ...] = ()
    variables: Mapping[str, Value] = field(default_factory=dict)
    """Values of root variables as given, before conversion, without defaults."""

    apply_time_variables: frozenset[str] = frozenset()
    """Ephemeral root variables that were set. Their values are not kept and must be given again to apply."""

    targets: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    force_replace: tuple[str, ...] = ()
    errored: bool = False
    found_applyable: bool | None = field(default=None, compare=False)
    """The answer when the plan was made. It can no longer be derived from the states saved with the plan."""

    relevant_attributes: tuple[ResourceAttribute, ...] = ()
    deferred: tuple[DeferredChange, ...] = ()
    """What is left to another run, sorted by address. The real Terraform 1.11 refuses to plan instead."""

    execution: Tree | Saveable = None
    """Additional data that the engine that made the plan needs to apply it."""

    @property
    def execution_tree(self) -> Tree:
        """Return `execution` in the form in which it is saved."""
        return self.execution.tree() if isinstance(self.execution, Saveable) else self.execution

    @property
    def complete(self) -> bool:
        """Return whether applying this plan is everything there is to do, as far as can be seen."""
        return not (self.errored or self.targets or self.excludes or self.deferred)

    @property
    def has_changes(self) -> bool:
        """Return whether there are changes. A moved or imported object counts even if nothing else happens to it, and
        so does a changed output."""
        return any(map(_is_change, self.changes.resources.values())) or any(
            change.action is not Action.NO_OP for change in self.changes.outputs.values() if not change.module.steps
        )

    @property
    def applyable(self) -> bool:
        """Return whether there is anything to apply.

        A refresh-only plan is applyable if any managed object or root output differs from what was recorded, including
        differences that no report shows, such as an object's dependencies. An output whose new value is unknown, or
        that is no longer declared, is left unchanged.
        """
        if self.errored:
            return False
        if self.found_applyable is not None:
            return self.found_applyable
        if self.mode is not Mode.REFRESH_ONLY:
            return self.has_changes
        before, after = self.previous_state, self.prior_state
        return _managed_objects(before) != _managed_objects(after) or _outputs(before) != _outputs(after)

    def is_worth_applying(self, flavour: Flavour) -> bool:
        """Return whether a product advises to apply this plan. One whose plans do not say whether they can be applied
        advises it whenever there are changes, even if these are only outputs that refreshing leaves as they are."""
        if self.errored:
            return False
        return self.applyable or (self.has_changes and not flavour.plan_says_whether_it_applies)


def _is_change(change: ResourceChange) -> bool:
    is_moved = change.previous_address != change.address
    return change.action is not Action.NO_OP or is_moved or change.importing is not None


def _managed_objects(state: State) -> dict[AbsResource, object]:
    """Return all managed objects in a comparable form. Resources without instances are included."""
    return {
        address: {
            key: (_comparable(instance.current), {k: _comparable(d) for k, d in instance.deposed.items()})
            for key, instance in resource.instances.items()
        }
        for address, resource in state.resources.items()
        if address.resource.mode is ResourceMode.MANAGED
    }


def _outputs(state: State) -> dict[str, object]:
    """Return the outputs in a comparable form. A state does not record which parts of a value are sensitive."""
    return {
        name: (_with_precision(output.value.unmark_deep()[0]), output.sensitive)
        for name, output in state.outputs.items()
    }


def _comparable(stored: InstanceObject | None) -> object:
    if stored is None:
        return None
    content: object = (
        (stored.stored, stored.stored_sensitive) if stored.value is None else _with_precision(stored.value)
    )
    flags = (stored.create_before_destroy, stored.skip_destroy)
    return (stored.status, content, stored.private, frozenset(stored.dependencies), flags)


def _with_precision(value: Value) -> object:
    """Return a form that compares numbers together with their precision, as the original does here: a number returned
    by a provider or a function can differ from the same number in the state file."""
    payload = value.payload
    if payload.__class__ is tuple:
        return (value.type, value.marks, [_with_precision(element) for element in payload])
    if payload.__class__ is dict:
        return (value.type, value.marks, {name: _with_precision(element) for name, element in payload.items()})
    return (value, getattr(payload, "precision", None))
