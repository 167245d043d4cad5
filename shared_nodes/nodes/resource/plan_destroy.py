"""Planning the removal of an object: its provider destroys it, or it is only forgotten."""

from __future__ import annotations

from typing import NamedTuple

from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.tree import Body
from shared_nodes.nodes.provider.diagnostics import attributed
from shared_nodes.nodes.provider.meta import provider_meta
from shared_nodes.nodes.resource.instance import PROVIDER_BUG, blamed_provider, known_identity, sent_identity
from shared_nodes.nodes.resource.removal import DESTROY, Removal
from shared_nodes.plan.change import Action, ResourceChange
from shared_nodes.providers.contract import PlanRequest
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject
from shared_nodes.values.types import DYNAMIC
from shared_nodes.values.value import Value, null

__all__ = ["StoredInstance", "plan_removal"]


@record
class StoredInstance:
    """An instance in the state. `block` is its declaration, or None if it is no longer configured. `removed_destroys`
    is what `removed` blocks say about it: to destroy it or only to forget it, or None if there is none."""

    address: AbsResourceInstance
    provider: ProviderInstance
    previous_address: AbsResourceInstance | None = None
    block: ResourceBlock | None = None
    removed_destroys: bool | None = None

    @property
    def body(self) -> Body | None:
        return None if self.block is None else self.block.body


class _Destruction(NamedTuple):
    """What a provider planned for the destruction of an object."""

    private: bytes
    identity: Value | None = None


async def plan_removal(
    context: NodeContext,
    request: StoredInstance,
    current: InstanceObject | None,
    *,
    deposed: str | None = None,
    removal: Removal = DESTROY,
) -> tuple[ResourceChange | None, list[Diagnostic]]:
    """Plan to destroy or forget an object. A provider that plans destroys is called before an object is destroyed,
    never before it is forgotten. For an object that is gone already, or was stored without attributes, a no-op change
    is recorded, to show that the object was examined."""
    address = request.address
    nothing = null(DYNAMIC)
    previous = request.previous_address or address
    if current is None or current.value is None or current.value.is_null:
        gone = ResourceChange(address, previous, request.provider, Action.NO_OP, nothing, nothing, deposed=deposed)
        return gone, []
    identity, problems = sent_identity(context, request.provider, address.resource, current.identity)
    if has_errors(problems):
        return None, problems
    action, planned = Action.FORGET, _Destruction(b"")
    if not removal.forgets:
        action = Action.DELETE
        planned, problems = await _plan_destroy(context, request, current, identity)
        if has_errors(problems):
            return None, problems
    change = ResourceChange(
        address,
        previous,
        request.provider,
        action,
        current.value,
        nothing,
        removal.reason,
        deposed=deposed,
        private=planned.private,
        before_identity=identity or current.identity,
        after_identity=planned.identity,
    )
    return change, problems


async def _plan_destroy(
    context: NodeContext, request: StoredInstance, current: InstanceObject, prior_identity: Value | None
) -> tuple[_Destruction, list[Diagnostic]]:
    """Ask the provider. The private data are unchanged if it does not plan destroys."""
    meta, problems = provider_meta(context, request.address, request.provider)
    if has_errors(problems):
        return _Destruction(b""), problems
    provider = context.provider_of(request.provider)
    if not provider.schema.plans_destroy:
        return _Destruction(current.private), problems
    assert current.value is not None
    prior = current.value.unmark_deep()[0]
    nothing = null(prior.type)
    resource = request.address.resource
    request_to_plan = PlanRequest(resource.type, prior, nothing, nothing, current.private, meta, prior_identity)
    answer = await provider.plan(request_to_plan)
    problems += attributed(answer.problems, request.body, request.address)
    if not has_errors(problems) and answer.value is not None and not answer.value.is_null:
        detail = (
            f"Provider {blamed_provider(request.provider, context.flavour)} planned a non-null destroy value for "
            f"{request.address}.\n\n{PROVIDER_BUG}"
        )
        problems.append(error("Provider produced invalid plan", detail))
    identity = known_identity(context, request.provider, resource, answer.identity)
    return _Destruction(answer.private, identity), problems
