"""What a node can see and change while an operation runs.

One `NodeContext` belongs to one walk. Planning has three states: `previous` is what the last run left, upgraded to the
current addresses and schemas; `refreshed` is what was found to exist; `working` is what expressions see, with planned
objects in place. Applying changes only `working`; `refreshed` is what the plan found and does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.provider import BUILTIN, ProviderInstance, ProviderSource
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, Resource
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.check_results import Checks
from shared_nodes.context.expander import InstanceExpander
from shared_nodes.context.named_values import NamedValues
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.context.provider_functions import blaming_an_argument, provider_functions
from shared_nodes.context.renewal import Renewal
from shared_nodes.context.scope import ModuleScope
from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.registry import function_table, with_provider_functions
from shared_nodes.lang.function import Function
from shared_nodes.lang.lazy_function import LazyFunction
from shared_nodes.lang.source import Range
from shared_nodes.plan.change import Changes, DeferredChange
from shared_nodes.plan.events import EventSink
from shared_nodes.providers.contract import Provider
from shared_nodes.providers.schema import ProviderSchema, ResourceSchema, SchemaBlock
from shared_nodes.record import record
from shared_nodes.state.model import State
from shared_nodes.values.value import Value
from shared_nodes.world import World

__all__ = ["MovedObject", "NodeContext"]


@record
class MovedObject:
    """Where an object of the state was in the last run, and the provider that had it."""

    address: AbsResourceInstance
    provider: ProviderSource


@record(frozen=False)
class NodeContext:
    operation: Operation
    config: ConfigTree
    world: World
    flavour: Flavour
    schemas: Mapping[ProviderSource, ProviderSchema]
    provider_of: Callable[[ProviderInstance], Provider]
    """Returns the provider of one instance of a configuration. The node of the configuration must have run before."""

    events: EventSink
    working: State
    previous: State = field(default_factory=State)
    refreshed: State = field(default_factory=State)
    changes: Changes = field(default_factory=Changes)
    checks: Checks = field(default_factory=Checks)
    expander: InstanceExpander = field(default_factory=InstanceExpander)
    options: PlanOptions = field(default_factory=PlanOptions)
    variables: dict[tuple[ModuleInstance, str], Value] = field(default_factory=dict)
    """Values of input variables of all module instances, the root included, converted and marked."""

    unvalidated: dict[tuple[ModuleInstance, str], tuple[Value, Range]] = field(default_factory=dict)
    """For variables that have rules: the value without the marks of the declaration, and the range to blame for it."""

    unsettled: set[AbsResource | ModuleInstance] = field(default_factory=set)
    """Resources and module calls (as the instance without a key) whose instances are not yet known. Expressions see
    them as unknown. Empty unless an engine defers what cannot be planned."""

    deferred: list[DeferredChange] = field(default_factory=list)
    """The changes that are deferred for that reason."""

    to_convert: Mapping[AbsResourceInstance, MovedObject] = field(default_factory=dict)
    """Objects of the state that still have the type of their old address, in a flavour that converts them when they
    are read."""

    imports: dict[AbsResourceInstance, Range] = field(default_factory=dict)
    """The addresses of all imports resolved so far, with the place of each import block, in a flavour that resolves
    them when planning."""

    provider_functions: Mapping[ProviderSource, Sequence[Function]] = field(default_factory=dict)
    """The functions of each provider. They need no configured instance."""

    plan_time: datetime | None = None
    """When the plan was made, for `plantimestamp()`. None while validating."""

    renewals: dict[AbsResourceInstance, Renewal] = field(default_factory=dict)
    """Renewals of the open ephemeral objects that expire."""

    _functions: Mapping[str, Function | LazyFunction] | None = None
    _scopes: dict[ModuleInstance, ModuleScope] = field(default_factory=dict)

    def scope(self, module: ModuleInstance) -> ModuleScope:
        """Return the scope of one module instance. Validation sees every module at its address without keys."""
        scope = self._scopes.get(module)
        if scope is None:
            node = self.config.at(module.path)
            assert node is not None
            scope = self._scopes[module] = ModuleScope(
                node.module,
                NamedValues(self, module, node),
                self._functions_of(node),
                lambda resource: self.block_of(node, resource),
                module.path,
                self.flavour,
            )
        return scope

    def forget_scopes(self) -> None:
        """Break the reference cycle between scopes and context after a walk.

        Everything that a walk has made is reachable from that cycle. Freeing it at once takes a third of the time in
        which the garbage collector would find it, which is a fifth of the run time of a small case.
        """
        self._scopes.clear()

    @property
    def functions(self) -> Mapping[str, Function | LazyFunction]:
        if self._functions is None:
            impure = self.operation.is_applying or self.operation is Operation.EVAL
            context = FunctionContext(
                self.world,
                self.flavour,
                impure_results_known=impure,
                plan_time_known=self.operation is not Operation.VALIDATE,
            )
            self._functions = function_table(context)
        return self._functions

    def _functions_of(self, node: ConfigTree) -> Mapping[str, Function | LazyFunction]:
        """Return the functions of the language and those of the providers that a module requires, under their local
        names."""
        by_provider = {
            name: {function.name: function for function in self._offered_functions(wanted.source)}
            for name, wanted in node.module.required_providers.items()
        }
        offered = provider_functions(by_provider, self.flavour, validating=self.operation is Operation.VALIDATE)
        return with_provider_functions(self.functions, offered)

    def _offered_functions(self, source: ProviderSource) -> Iterable[Function]:
        offered = self.provider_functions.get(source, ())
        blames = self.flavour.provider_functions_blame_an_argument and source != BUILTIN
        return map(blaming_an_argument, offered) if blames else offered

    def schema_of(self, node: ConfigTree, resource: Resource) -> ResourceSchema | None:
        """Return the schema of a resource type, from the provider that its module assigns to it."""
        provider = self.schemas.get(node.module.source_of(resource))
        return None if provider is None else provider.resource(resource)

    def block_of(self, node: ConfigTree, resource: Resource) -> SchemaBlock | None:
        schema = self.schema_of(node, resource)
        return None if schema is None else schema.block
