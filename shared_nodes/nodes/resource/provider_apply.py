"""Applies a change through a provider, and interprets its answer.

Whatever happens, the result is what the state must hold afterwards: an object that may exist must not get lost, even if
the provider failed half-way or returned an invalid answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.context.node_context import NodeContext
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.tree import Body
from shared_nodes.nodes.provider.conformance import compatibility_problems
from shared_nodes.nodes.provider.diagnostics import attributed
from shared_nodes.nodes.provider.meta import provider_meta
from shared_nodes.nodes.resource.instance import PROVIDER_BUG, known_identity, resource_schema, write_only_details
from shared_nodes.plan.change import Action, ResourceChange
from shared_nodes.providers.contract import ApplyRequest, ApplyResponse
from shared_nodes.providers.schema import SchemaBlock, implied_type
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject, ObjectStatus
from shared_nodes.state.object_values import mark_sensitive
from shared_nodes.values.equality import equals
from shared_nodes.values.paths import (
    AttributeStep,
    IndexStep,
    Path,
    mark_at_paths,
    path_text,
    strip_marks,
)
from shared_nodes.values.stored import unknown_as_null
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, ObjectType, SetType
from shared_nodes.values.value import Value, integer, null, string

__all__ = ["ACTION_WORDS", "ProviderApply", "apply_change", "unknown_paths"]

ACTION_WORDS = {
    Action.NO_OP: "NoOp",
    Action.CREATE: "Create",
    Action.READ: "Read",
    Action.UPDATE: "Update",
    Action.DELETE: "Delete",
    Action.DELETE_THEN_CREATE: "DeleteThenCreate",
    Action.CREATE_THEN_DELETE: "CreateThenDelete",
    Action.FORGET: "Forget",
    Action.FORGET_THEN_CREATE: "ForgetThenCreate",
}
"""Actions as messages spell them."""


@record
class ProviderApply:
    """A change to apply. `current` is the object in the state. `config` and `body` are None if the object is
    destroyed."""

    change: ResourceChange
    current: InstanceObject | None
    config: Value | None = None
    body: Body | None = None
    create_before_destroy: bool = False
    skip_destroy: bool = False


async def apply_change(context: NodeContext, request: ProviderApply) -> tuple[InstanceObject | None, list[Diagnostic]]:
    """Return the object to keep (None if nothing is left of it), and the problems."""
    change = request.change
    schema = resource_schema(context, change.provider, change.address.resource)
    assert schema is not None
    meta, problems = provider_meta(context, change.address, change.provider)
    if has_errors(problems):
        return request.current, problems
    before, before_marks = strip_marks(change.before)
    after, after_marks = strip_marks(change.after)
    only_marks_differ = change.action is Action.UPDATE and before_marks != after_marks and _is_equal(before, after)
    if only_marks_differ and request.current is not None:
        return replace(request.current, value=change.after), problems
    config = null(DYNAMIC) if request.config is None else request.config.unmark_deep()[0]
    address = change.address
    apply_request = ApplyRequest(
        address.resource.type, before, after, config, change.private, str(address), meta, change.after_identity
    )
    answer = await context.provider_of(change.provider).apply(apply_request)
    problems += attributed(answer.problems, request.body, change.address)
    value = answer.value
    if value is None:
        problems += [] if has_errors(problems) else [_nothing_returned_problem(change)]
        value = null(implied_type(schema.block)) if after.is_null else before
    returned = write_only_details(schema.block, value, change.address, change.provider, "after apply")
    if returned:
        return None, [*problems, *(error("Provider produced invalid object", detail) for detail in returned)]
    value = mark_sensitive(mark_at_paths(value, after_marks), schema.block)
    problems += [_still_unknown_problem(change.address, path, context.flavour) for path in unknown_paths(value)]
    value = unknown_as_null(value)
    if not has_errors(problems):
        incompatible = _check_compatibility(context, answer, change, value, schema.block)
        problems += incompatible or _check_presence(context, change, value)
    kept = _object_to_keep(request, answer, value, has_errors(problems), schema.version)
    if kept is None or kept is request.current:
        return kept, problems
    identity = known_identity(context, change.provider, address.resource, answer.identity)
    return replace(kept, identity=identity), problems


def _is_equal(left: Value, right: Value) -> bool:
    same = equals(left, right)
    return same.is_known and same.payload is True


def _check_compatibility(
    context: NodeContext, answer: ApplyResponse, change: ResourceChange, value: Value, schema: SchemaBlock
) -> list[Diagnostic]:
    if change.action is Action.DELETE or answer.legacy_types:
        return []
    found = compatibility_problems(schema, change.after, value, context.flavour)
    return [_inconsistent_problem(change, problem) for problem in found]


def _inconsistent_problem(change: ResourceChange, problem: str) -> Diagnostic:
    detail = (
        f"When applying changes to {change.address}, provider {quoted(str(change.provider))} produced an unexpected "
        f"new value: {problem}.\n\n{PROVIDER_BUG}"
    )
    return error("Provider produced inconsistent result after apply", detail)


def _check_presence(context: NodeContext, change: ResourceChange, value: Value) -> list[Diagnostic]:
    """Report an object that should not exist, or a missing one."""
    summary = "Provider returned invalid result object after apply"
    start = f"After applying a {ACTION_WORDS[change.action]} plan, the provider returned a"
    blame = "so this is always a bug in the provider and should be reported in the provider's own repository."
    if change.action is Action.DELETE and not value.is_null:
        detail = (
            f"{start} non-null object for {change.address}. Destroying should always produce a null value, {blame} "
            f"{context.flavour.product} will still save this errant object in the state for debugging and recovery."
        )
        return [error(summary, detail)]
    if change.action is not Action.DELETE and value.is_null:
        detail = (
            f"{start} null object for {change.address}. Only destroying should always produce a null value, {blame}"
        )
        return [error(summary, detail)]
    return []


def _nothing_returned_problem(change: ResourceChange) -> Diagnostic:
    detail = (
        f"Provider {quoted(str(change.provider))} produced an invalid nil value after apply for {change.address}.\n\n"
        f"{PROVIDER_BUG}"
    )
    return error("Provider produced invalid object", detail)


def _still_unknown_problem(address: AbsResourceInstance, path: Path, flavour: Flavour) -> Diagnostic:
    detail = (
        f"After the apply operation, the provider still indicated an unknown value for {address}{path_text(path)}. All "
        "values must be known after apply, so this is always a bug in the provider and should be reported in the "
        f"provider's own repository. {flavour.product} will still save the other known object values in the state."
    )
    return error("Provider returned invalid result object after apply", detail)


def unknown_paths(value: Value, path: Path = ()) -> Iterator[Path]:
    if not value.is_known:
        yield path
    elif value.payload.__class__ is dict:
        of_object = isinstance(value.type, ObjectType)
        for name, part in value.payload.items():
            step = AttributeStep(name) if of_object else IndexStep(string(name))
            yield from unknown_paths(part, (*path, step))
    elif value.payload.__class__ is tuple:
        in_set = isinstance(value.type, SetType)
        for position, part in enumerate(value.payload):
            yield from unknown_paths(part, (*path, IndexStep(part if in_set else integer(position))))


def _object_to_keep(
    request: ProviderApply, answer: ApplyResponse, value: Value, failed: bool, schema_version: int
) -> InstanceObject | None:
    current = request.current
    if value.is_null:
        return current if failed else None
    status, skip_destroy = ObjectStatus.READY, request.skip_destroy
    if failed:
        status = status if current is None else current.status
        skip_destroy = current is not None and current.skip_destroy
    keeps_dependencies = failed and request.change.action is Action.DELETE and current is not None
    return InstanceObject(
        status,
        value,
        private=answer.private,
        dependencies=current.dependencies if keeps_dependencies and current is not None else (),
        create_before_destroy=request.create_before_destroy,
        skip_destroy=skip_destroy,
        schema_version=schema_version,
    )
