"""The environment of one operation: the request, the schemas of all providers it needs, and contexts for its nodes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

from shared_nodes import tasks
from shared_nodes.addresses.provider import ProviderInstance, ProviderSource
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.check_results import Checks, declared_checks
from shared_nodes.context.node_context import MovedObject, NodeContext
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.function import Function
from shared_nodes.nodes.statements.import_targets import import_targets
from shared_nodes.operations.engine import EngineRequest
from shared_nodes.plan.change import Changes
from shared_nodes.providers.contract import Provider
from shared_nodes.providers.registry import missing_providers
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.provisioners.registry import missing_provisioners
from shared_nodes.record import record
from shared_nodes.state.model import State

__all__ = ["ProviderPool", "Session", "open_session"]


class ProviderPool:
    """The provider instances of one walk, created on first use. An interrupt calls `stop` on
    each, so that calls that wait can give up. This is the same for all engines."""

    __slots__ = ("_instances", "_request")

    def __init__(self, request: EngineRequest) -> None:
        self._request = request
        self._instances: dict[ProviderInstance, Provider] = {}

    def of(self, instance: ProviderInstance) -> Provider:
        provider = self._instances.get(instance)
        if provider is None:
            provider = self._request.providers(instance.source)
            assert provider is not None, "availability is checked before anything runs"
            self._instances[instance] = provider
            self._request.events.when_stopped(partial(_stop_soon, tasks.caller_of_this_loop(), provider.stop))
        return provider


def _stop_soon(call_soon: tasks.CallSoon, stop: Callable[[], Awaitable[None]]) -> None:
    """Call `stop` in the event loop of the provider, from any thread or signal handler. Does nothing if the loop has
    ended."""
    with suppress(tasks.LoopEnded):
        call_soon(tasks.spawn_system_task, stop)


@record
class Session:
    request: EngineRequest
    schemas: Mapping[ProviderSource, ProviderSchema]
    functions: Mapping[ProviderSource, Sequence[Function]]
    plan_time: datetime | None = None

    def context(
        self,
        operation: Operation,
        working: State,
        *,
        refreshed: State | None = None,
        options: PlanOptions | None = None,
        checks: Checks | None = None,
        changes: Changes | None = None,
        to_convert: Mapping[AbsResourceInstance, MovedObject] | None = None,
    ) -> NodeContext:
        """Create a context. Planning starts with three equal states; applying gets the refreshed state of its plan."""
        request = self.request
        return NodeContext(
            operation,
            request.config,
            request.world,
            request.flavour,
            self.schemas,
            ProviderPool(request).of,
            request.events,
            working,
            previous=working.copy() if operation.is_planning else State(),
            refreshed=working.copy() if operation.is_planning else refreshed or State(),
            changes=changes or Changes(),
            checks=checks or declared_checks(request.config),
            options=options or PlanOptions(),
            to_convert=to_convert or {},
            provider_functions=self.functions,
            plan_time=self.plan_time,
        )


def open_session(
    request: EngineRequest, state: State, plan_time: datetime | None = None
) -> tuple[Session | None, list[Diagnostic]]:
    """Collect all schemas. Returns None if a provider or provisioner is missing, because a configuration cannot be
    checked without schemas."""
    by_state = {resource.provider.source for resource in state.resources.values()}
    by_configuration = _declared_sources(request)
    schemas: dict[ProviderSource, ProviderSchema] = {}
    functions: dict[ProviderSource, Sequence[Function]] = {}
    for source in by_configuration | by_state | _sources_of_imports(request.config):
        provider = request.providers(source)
        if provider is not None:
            schemas[source], functions[source] = provider.schema, provider.functions
    required = by_state if request.flavour.states_require_providers else ()
    problems = missing_providers(by_configuration, required, schemas.__contains__, request.flavour)
    problems += missing_provisioners(_declared_provisioners(request), request.flavour)
    return (None, problems) if problems else (Session(request, schemas, functions, plan_time), [])


def _declared_sources(request: EngineRequest) -> set[ProviderSource]:
    found: set[ProviderSource] = set()
    for node in request.config.walk():
        found.update(requirement.source for requirement in node.module.required_providers.values())
        found.update(node.module.source_for(name) for name, _ in node.module.providers)
        found.update(node.module.source_of(resource) for resource in node.module.resources)
    return found


def _sources_of_imports(config: ConfigTree) -> set[ProviderSource]:
    """Return the providers of import targets. They need a schema too, if there is one: a target may have no block, and
    whether its type exists is checked later."""
    found = [(config.at(target.resource.module), target.resource.resource) for target in import_targets(config)]
    return {node.module.source_of(resource) for node, resource in found if node is not None}


def _declared_provisioners(request: EngineRequest) -> set[str]:
    blocks = [block for node in request.config.walk() for block in node.module.resources.values()]
    return {provisioner.type for block in blocks for provisioner in block.provisioners}
