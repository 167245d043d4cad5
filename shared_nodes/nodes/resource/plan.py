"""Planning of one managed resource instance: find out what exists, then decide what to change.

The order of the steps is observable in many ways (which state is updated when, which problem hides which), and is that
of the original.
"""

from __future__ import annotations

from dataclasses import replace

from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.context.node_context import NodeContext
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.nodes.provider.diagnostics import deferral_problems
from shared_nodes.nodes.resource.change import Intent, propose_change
from shared_nodes.nodes.resource.instance import (
    DeclaredInstance,
    announce,
    halt,
    known_identity,
    resource_schema,
    run_conditions,
    self_references,
)
from shared_nodes.nodes.resource.prevent_destroy import check_prevent_destroy
from shared_nodes.nodes.resource.refresh import Refresh, refresh_object
from shared_nodes.nodes.resource.removal import keeps_objects
from shared_nodes.nodes.resource.replace_triggers import replacement_triggered
from shared_nodes.nodes.resource.upgrade import current_object
from shared_nodes.plan.change import Action, ActionReason
from shared_nodes.plan.events import Event, EventType
from shared_nodes.plan.importing import ImportKey, shown_key
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject, ObjectStatus
from shared_nodes.values.go_syntax import go_string
from shared_nodes.values.text import quoted
from shared_nodes.values.value import DYNAMIC_UNKNOWN

__all__ = ["ManagedPlan", "plan_managed"]


@record
class ManagedPlan(DeclaredInstance):
    """A request to plan a managed instance. `dependencies` are all direct and indirect dependencies, sorted.
    `create_before_destroy` is set by the block or forced by another resource. `import_key` identifies an existing
    object to import if the state has none; nothing is imported only to be destroyed."""

    dependencies: tuple[ConfigResource, ...] = ()
    create_before_destroy: bool = False
    import_key: ImportKey | None = None
    previous_address: AbsResourceInstance | None = None


async def plan_managed(context: NodeContext, request: ManagedPlan) -> list[Diagnostic]:
    schema = resource_schema(context, request.provider, request.address.resource)
    assert schema is not None
    problems = self_references(request, schema.block)
    if problems:
        return problems
    wanted = request.import_key is not None and not context.options.pre_destroy_refresh
    importing = wanted and context.working.instance(request.address) is None
    if importing:
        current, problems = await _import(context, request)
    else:
        stored = context.working.current(request.address)
        current, problems = await current_object(context, request.address, request.provider, stored)
    if has_errors(problems) and not importing:
        return problems
    context.previous.put(request.address, request.provider, current)
    if has_errors(problems):
        return problems
    context.refreshed.put(request.address, request.provider, current)
    current, found = await _refresh(context, request, current, importing)
    problems += found
    if has_errors(problems):
        return problems
    if context.options.refresh_only:
        return [*problems, *_record_as_found(context, request, current)]
    return [*problems, *await _plan_change(context, request, current, importing)]


async def _refresh(
    context: NodeContext, request: ManagedPlan, current: InstanceObject | None, importing: bool
) -> tuple[InstanceObject | None, list[Diagnostic]]:
    """Return the object as it is now. How it is to be replaced and destroyed is updated at once, because that is
    decided by the state, even for a run that changes nothing else. Dependencies are only added to, until a change is
    applied or found to be unnecessary."""
    address, provider = request.address, request.provider
    known = current
    if current is not None:
        keeps, problems = keeps_objects(request.block)
        if has_errors(problems):
            return current, problems
        current = replace(current, create_before_destroy=request.create_before_destroy, skip_destroy=keeps)
    if importing:
        return current, []
    if not context.options.refresh:
        if current != known:
            context.refreshed.put(address, provider, current)
        return current, []
    current, problems = await refresh_object(context, Refresh(address, provider, request.block.body), current)
    if has_errors(problems):
        return current, problems
    if current is not None:
        current = replace(current, dependencies=_merge_dependencies(request.dependencies, current.dependencies))
    context.refreshed.put(address, provider, current)
    return current, problems


def _merge_dependencies(
    first: tuple[ConfigResource, ...], second: tuple[ConfigResource, ...]
) -> tuple[ConfigResource, ...]:
    """Merge dependencies, which are almost always equal already."""
    return first if first == second else tuple(sorted({*first, *second}, key=str))


def _record_as_found(context: NodeContext, request: ManagedPlan, current: InstanceObject | None) -> list[Diagnostic]:
    """Record the object of a refresh-only plan: expressions see what was found, and failed conditions are only
    warnings."""
    problems = run_conditions(context, request, "precondition", as_warning=True)
    context.working.put(request.address, request.provider, current)
    self_value = DYNAMIC_UNKNOWN if current is None or current.value is None else current.value
    return [*problems, *run_conditions(context, request, "postcondition", as_warning=True, self_value=self_value)]


async def _plan_change(
    context: NodeContext, request: ManagedPlan, current: InstanceObject | None, importing: bool
) -> list[Diagnostic]:
    address, provider = request.address, request.provider
    triggered, problems = replacement_triggered(context, request)
    if problems:
        return problems
    intent = Intent(
        request.previous_address or address,
        request.create_before_destroy,
        triggered or address in context.options.force_replace,
    )
    change, problems = await propose_change(context, request, current, intent)
    if change is None or has_errors(problems):
        return problems
    if importing:
        change = replace(change, importing=request.import_key)
    if triggered:
        change = replace(change, reason=ActionReason.REPLACE_BY_TRIGGERS)
    context.changes.record(change)
    problems += check_prevent_destroy(context, request.block, change)
    if has_errors(problems):
        return problems
    planned = InstanceObject(ObjectStatus.PLANNED, change.after, private=change.private)
    context.working.put(address, provider, planned)
    if change.action is Action.NO_OP and current is not None and current.dependencies != request.dependencies:
        context.refreshed.put(address, provider, replace(current, dependencies=request.dependencies))
    as_warning = context.options.pre_destroy_refresh
    found = run_conditions(context, request, "postcondition", as_warning=as_warning, self_value=change.after)
    return [*problems, *found]


async def _import(context: NodeContext, request: ManagedPlan) -> tuple[InstanceObject | None, list[Diagnostic]]:
    """Read the existing object. The configuration is not applied to it yet, not even sensitivity. One that cannot be
    read is still recorded as the previous object, so that it shows as gone."""
    address, provider = request.address, request.provider
    key = request.import_key
    assert key is not None
    halted = announce(context, _import_event(address, key))
    if has_errors(halted):
        return None, halted
    connection = context.provider_of(provider)
    if isinstance(key, str):
        answer = await connection.import_object(address.resource.type, key)
    else:
        answer = await connection.import_by_identity(address.resource.type, key)
    problems = [*answer.problems, *deferral_problems(answer.deferred, address, context.flavour)]
    if has_errors(problems):
        return None, problems
    problems += _import_problems(key, [each.value.is_null for each in answer.objects], context.flavour)
    if not answer.objects:
        return None, problems
    if answer.objects[0].value.is_null:
        problems += announce(context, Event(EventType.REFRESH_START, address))
        problems += announce(context, Event(EventType.REFRESH_COMPLETE, address))
        return None, problems
    problems += halt(context)
    first = answer.objects[0]
    identity = known_identity(context, provider, address.resource, first.identity)
    imported = InstanceObject(ObjectStatus.READY, first.value, private=first.private, identity=identity)
    current, found = await refresh_object(context, Refresh(address, provider), imported)
    problems += found
    if has_errors(problems):
        return current, problems
    if current is None or current.value is None:
        return None, [*problems, _missing_object(address, context.flavour)]
    return current, problems


def _import_event(address: AbsResourceInstance, key: ImportKey) -> Event:
    event, shown = Event(EventType.IMPORT_START, address), shown_key(key)
    return event if shown is None else replace(event, identifier_key=shown[0], identifier=shown[1])


def _import_problems(key: ImportKey, are_null: list[bool], flavour: Flavour) -> list[Diagnostic]:
    """Report an import without exactly one object. The missing spaces are those of the original, and so is that it then
    goes on to read the first object all the same."""
    identifier = key if isinstance(key, str) else go_string(key)
    start = f"While attempting to import with ID {identifier}, the provider"
    if not are_null:
        return [error("Import returned no resources", f"{start}returned no instance states.")]
    if len(are_null) > 1:
        detail = f"{start} returned multiple resource instance states. This is not currently supported."
        return [error("Multiple import states not supported", detail)]
    if are_null[0]:
        detail = f"While attempting to import with {identifier}, the provider returned an instance with no state."
        if flavour.null_imports_name_the_kind_of_key:
            detail = f"{start}returned an instance with no state."
        return [error("Import returned null resource", detail)]
    return []


def _missing_object(address: AbsResourceInstance, flavour: Flavour) -> Diagnostic:
    key = "id or identity" if flavour.imports_by_identity else "id"
    detail = (
        f"While attempting to import an existing object to {quoted(str(address))}, the provider detected that no "
        f"object exists with the given {key}. Only pre-existing objects can be imported; check that the {key} is "
        "correct and that it is associated with the provider's configured region or endpoint, or use "
        f'"{flavour.command} apply" to create a new remote object for this resource.'
    )
    return error("Cannot import non-existent remote object", detail)
