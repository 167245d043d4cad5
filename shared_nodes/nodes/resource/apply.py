"""Applying the planned change of one managed resource instance: a creation, an update, or the creating half of a
replacement. If nothing changes, its conditions are checked again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from shared_nodes.addresses.resource import ConfigResource
from shared_nodes.config.blocks import ProvisionerWhen
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.nodes.provider.conformance import compatibility_problems
from shared_nodes.nodes.resource.change import Intent, propose_change
from shared_nodes.nodes.resource.deposed import new_deposed_key
from shared_nodes.nodes.resource.instance import (
    PROVIDER_BUG,
    DeclaredInstance,
    announce,
    evaluate_configuration,
    halt,
    identified,
    record_change,
    resource_schema,
    run_conditions,
)
from shared_nodes.nodes.resource.provider_apply import ACTION_WORDS, ProviderApply, apply_change, unknown_paths
from shared_nodes.nodes.resource.provisioner import run_provisioners
from shared_nodes.nodes.resource.removal import keeps_objects
from shared_nodes.nodes.resource.upgrade import current_object
from shared_nodes.plan.change import Action, ResourceChange
from shared_nodes.plan.events import Event, EventType
from shared_nodes.providers.schema import ResourceSchema
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject, ObjectStatus
from shared_nodes.state.object_values import object_value
from shared_nodes.values.go_syntax import go_path
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, null

__all__ = [
    "ManagedApply",
    "Settled",
    "apply_managed",
    "make_room",
    "perform_managed",
    "planned_change",
    "settle_managed",
]


@record
class ManagedApply(DeclaredInstance):
    """A request to apply the change of one instance. `deposed_key` is the key for the old object while it waits to be
    destroyed, if the key was decided before."""

    dependencies: tuple[ConfigResource, ...] = ()
    create_before_destroy: bool = False
    deposed_key: str | None = None


@record
class Settled:
    """A change with all values known, and the object it starts from."""

    change: ResourceChange
    current: InstanceObject | None


async def apply_managed(context: NodeContext, request: ManagedApply) -> list[Diagnostic]:
    """Run the three steps: make room, settle what is to be done, do it."""
    planned = planned_change(context, request)
    if planned is None:
        return []
    deposed_key = make_room(context, request, planned)
    settled, problems = await settle_managed(context, request, planned)
    if settled is None:
        return problems
    return [*problems, *await perform_managed(context, request, settled, deposed_key)]


def planned_change(context: NodeContext, request: ManagedApply) -> ResourceChange | None:
    """Return the change, or None if there is nothing to create or update."""
    planned = context.changes.of(request.address)
    return None if planned is None or planned.action is Action.DELETE else planned


async def settle_managed(
    context: NodeContext, request: ManagedApply, planned: ResourceChange
) -> tuple[Settled | None, list[Diagnostic]]:
    """Return the settled change, or None and the problems if the change cannot be made."""
    stored = context.working.current(request.address)
    current, problems = await current_object(context, request.address, request.provider, stored)
    if has_errors(problems):
        return None, problems
    change, found = await _settle_change(context, request, planned, current)
    problems += found
    if change is None or has_errors(problems):
        return None, problems
    return Settled(change, current), problems


async def perform_managed(
    context: NodeContext, request: ManagedApply, settled: Settled, deposed_key: str | None
) -> list[Diagnostic]:
    change, problems = settled.change, []
    if change.action is Action.NO_OP:
        problems += halt(context)
        if has_errors(problems):
            return problems
    else:
        problems += announce(context, _event(EventType.APPLY_START, change, change.before))
        if has_errors(problems):
            return problems
        problems += await _apply_and_record(context, request, change, settled.current, deposed_key)
    return [*problems, *_check_postconditions(context, request)]


def make_room(context: NodeContext, request: ManagedApply, planned: ResourceChange) -> str | None:
    """Depose the old object before its replacement is created, and return its key. From then on, only a failed creation
    makes it current again."""
    creates_first = planned.action is Action.CREATE_THEN_DELETE
    if not creates_first and not (planned.action.is_replace and request.create_before_destroy):
        return None
    address = request.address
    key = request.deposed_key or new_deposed_key(context.world, context.working, request.address)
    current = context.working.current(address)
    if current is not None:
        context.working.put_deposed(address, key, request.provider, current)
        context.working.put(address, request.provider, None)
    return key


async def _settle_change(
    context: NodeContext, request: ManagedApply, planned: ResourceChange, current: InstanceObject | None
) -> tuple[ResourceChange | None, list[Diagnostic]]:
    """Return the change with all values known, if it is still the planned one. A replacement is a creation from here
    on: another node destroys the old object."""
    forced = request.address in context.options.force_replace
    intent = Intent(planned.previous_address, False, forced, planned)
    change, problems = await propose_change(context, request, current, intent)
    if change is None or has_errors(problems):
        return None, problems
    schema = resource_schema(context, request.provider, request.address.resource)
    assert schema is not None
    problems += _find_inconsistencies(context, request, planned, change, schema)
    if change.action.is_replace:
        change = replace(change, action=Action.CREATE, before=null(change.after.type), before_identity=None)
    return change, problems


def _find_inconsistencies(
    context: NodeContext,
    request: ManagedApply,
    planned: ResourceChange,
    actual: ResourceChange,
    schema: ResourceSchema,
) -> Iterator[Diagnostic]:
    """Report how the change differs from the planned one. An update may turn out to be unnecessary, and an object that
    was to be forgotten and created is forgotten by now; everything else that was known when planning must stay."""
    start = f"When expanding the plan for {request.address} to include new values learned so far during apply,"
    provider = f'provider "{request.provider.source}"'
    may_become = {Action.UPDATE: Action.NO_OP, Action.FORGET_THEN_CREATE: Action.CREATE}.get(planned.action)
    if actual.action not in (planned.action, may_become):
        transition = f"from {ACTION_WORDS[planned.action]} to {ACTION_WORDS[actual.action]}"
        if planned.action.is_replace and actual.action.is_replace:
            product = context.flavour.product
            blame = f"This is a bug in {product} and should be reported."
            detail = f"{start} the planned action changed {transition}.\n\n{blame}"
            yield error(f"{product} produced inconsistent final plan", detail)
        else:
            detail = f"{start} {provider} changed the planned action {transition}.\n\n{PROVIDER_BUG}"
            yield error("Provider produced inconsistent final plan", detail)
    for problem in compatibility_problems(schema.block, planned.after, actual.after, context.flavour):
        detail = f"{start} {provider} produced an invalid new value for {problem}.\n\n{PROVIDER_BUG}"
        yield error("Provider produced inconsistent final plan", detail)


async def _apply_and_record(
    context: NodeContext,
    request: ManagedApply,
    change: ResourceChange,
    current: InstanceObject | None,
    deposed_key: str | None,
) -> list[Diagnostic]:
    """Apply the change. The state is recorded as soon as the provider has answered, and again after the provisioners,
    so that the object is not lost whatever happens in between. Until its provisioners have ended the object counts as
    tainted: if the run is killed, the next one creates it again, and they run."""
    address, provider = request.address, request.provider
    kept, problems = await _call_provider(context, request, change, current)
    context.changes.discard(address)
    kept = _taint_on_failure(kept, change, problems)
    if kept is not None:
        kept = replace(kept, dependencies=request.dependencies)
    context.working.put(address, provider, kept)
    if change.action is Action.CREATE and kept is not None and kept.status is not ObjectStatus.TAINTED:
        assert kept.value is not None
        when = ProvisionerWhen.CREATE
        if any(provisioner.when is when for provisioner in request.block.provisioners):
            context.working.put(address, provider, replace(kept, status=ObjectStatus.TAINTED))
            context.events.state_changed()
        problems += await run_provisioners(
            context, address, request.block, when, kept.value, repetition=request.repetition
        )
        kept = _taint_on_failure(kept, change, problems)
        context.working.put(address, provider, kept)
    if deposed_key is not None and has_errors(problems):
        _restore(context, request, deposed_key)
    failed = has_errors(problems)
    result = None if kept is None or failed else kept.value
    problems += announce(context, _event(_ENDINGS[failed], change, result))
    return [*problems, *record_change(context)]


_ENDINGS = {True: EventType.APPLY_ERRORED, False: EventType.APPLY_COMPLETE}


async def _call_provider(
    context: NodeContext, request: ManagedApply, change: ResourceChange, current: InstanceObject | None
) -> tuple[InstanceObject | None, list[Diagnostic]]:
    """Evaluate the configuration once more and call the provider. Impure functions give the provider yet another value,
    as in the original."""
    schema = resource_schema(context, request.provider, request.address.resource)
    assert schema is not None
    config, problems = evaluate_configuration(context, request, schema.block)
    if has_errors(problems):
        return None, problems
    if not config.is_wholly_known:
        return None, [*problems, _unknown_configuration_problem(context, request, config)]
    keeps, found = keeps_objects(request.block)
    assert not found, "planning refuses a `destroy` argument that is no constant"
    applying = ProviderApply(change, current, config, request.block.body, request.create_before_destroy, keeps)
    kept, found = await apply_change(context, applying)
    return kept, [*problems, *found]


def _unknown_configuration_problem(context: NodeContext, request: ManagedApply, config: Value) -> Diagnostic:
    paths = "\n".join(go_path(path) for path in unknown_paths(config))
    detail = (
        f"configuration for {request.address} still contains unknown values during apply (this is a bug in "
        f"{context.flavour.product}; please report it!)\n"
        f"The following paths in the resource configuration are unknown:\n{paths}"
    )
    return error("Configuration contains unknown value", detail)


def _taint_on_failure(
    kept: InstanceObject | None, change: ResourceChange, problems: list[Diagnostic]
) -> InstanceObject | None:
    """Taint the object after a failed creation, whose result is uncertain. A failed update leaves a usable object."""
    if kept is None or change.action is not Action.CREATE or not has_errors(problems):
        return kept
    return replace(kept, status=ObjectStatus.TAINTED)


def _restore(context: NodeContext, request: ManagedApply, key: str) -> None:
    """If the creation left no object at all, make the old object current again."""
    address, provider = request.address, request.provider
    instance = context.working.instance(address)
    if instance is None or instance.current is not None or key not in instance.deposed:
        return
    old = instance.deposed[key]
    context.working.put(address, provider, old)
    context.working.put_deposed(address, key, provider, None)


def _event(kind: EventType, change: ResourceChange, value: Value | None) -> Event:
    return identified(Event(kind, change.address, change.action), value)


def _check_postconditions(context: NodeContext, request: ManagedApply) -> list[Diagnostic]:
    """Check postconditions against the current state, after everything is saved, so that a failure loses nothing."""
    current = context.working.current(request.address)
    schema = resource_schema(context, request.provider, request.address.resource)
    assert schema is not None
    self_value = DYNAMIC_UNKNOWN if current is None else object_value(current, schema.block)
    return run_conditions(context, request, "postcondition", as_warning=False, self_value=self_value)
