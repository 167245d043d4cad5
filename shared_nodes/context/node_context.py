"""What a node can see and change while an operation runs.

One `NodeContext` belongs to one walk. Planning has three states: `previous` is what the last run left, brought to the
current addresses and schemas; `refreshed` is what was found to exist; `working` is what expressions see, with planned
objects in place. Applying changes only `working`; `refreshed` is what the plan found, and stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.provider import AbsProviderConfig, ProviderSource
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, Resource
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.check_results import Checks
from shared_nodes.context.expander import Expander
from shared_nodes.context.named_values import NamedValues
from shared_nodes.context.operation import Operation, PlanOptions
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
from shared_nodes.providers.schema import Block, ProviderSchema, ResourceSchema
from shared_nodes.state.model import State
from shared_nodes.values.value import Value
from shared_nodes.world import World

__all__ = ["NodeContext"]


@dataclass(slots=True)
class NodeContext:
    operation: Operation
    config: ConfigTree
    world: World
    flavour: Flavour
    schemas: Mapping[ProviderSource, ProviderSchema]
    provider_of: Callable[[AbsProviderConfig], Provider]
    """The configured instance of a provider configuration. Its node has run before anybody asks."""

    events: EventSink
    working: State
    previous: State = field(default_factory=State)
    refreshed: State = field(default_factory=State)
    changes: Changes = field(default_factory=Changes)
    checks: Checks = field(default_factory=Checks)
    expander: Expander = field(default_factory=Expander)
    options: PlanOptions = field(default_factory=PlanOptions)
    variables: dict[tuple[ModuleInstance, str], Value] = field(default_factory=dict)
    """Values of input variables, converted and marked. Root variables and those of module instances alike."""

    unvalidated: dict[tuple[ModuleInstance, str], tuple[Value, Range]] = field(default_factory=dict)
    """Values of variables that have rules, without the marks of their declaration, and what to blame for them."""

    unsettled: set[AbsResource | ModuleInstance] = field(default_factory=set)
    """Resources, and module calls (as the instance without a key), of which it is not to be told yet which instances
    there are: to expressions they are unknown. Empty, unless an engine puts off what cannot be planned."""

    deferred: list[DeferredChange] = field(default_factory=list)
    """What is put off for such a reason."""

    provider_functions: Mapping[ProviderSource, Sequence[Function]] = field(default_factory=dict)
    """What each provider offers to expressions. Functions need no configured instance."""

    plan_time: datetime | None = None
    """When the plan was made: `plantimestamp()`. None while validating."""

    renewals: dict[AbsResourceInstance, Renewal] = field(default_factory=dict)
    """Of ephemeral objects that are open and run out."""

    _functions: Mapping[str, Function | LazyFunction] | None = None
    _scopes: dict[ModuleInstance, ModuleScope] = field(default_factory=dict)

    def scope(self, module: ModuleInstance) -> ModuleScope:
        """Expressions of one module instance. Validation sees every module at its unkeyed address."""
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
        """After a walk. Scopes and the context hold each other, and everything a walk has made hangs on them: freed at
        once it costs a third of what the garbage collector takes to find it, a fifth of the time of a small case."""
        self._scopes.clear()

    @property
    def functions(self) -> Mapping[str, Function | LazyFunction]:
        if self._functions is None:
            impure = self.operation.is_applying or self.operation is Operation.EVAL
            self._functions = function_table(FunctionContext(self.world, self.flavour, impure_results_known=impure))
        return self._functions

    def _functions_of(self, node: ConfigTree) -> Mapping[str, Function | LazyFunction]:
        """The language's own, and those of the providers a module requires, under the names it gives them."""
        offered = {
            f"provider::{name}::{function.name}": function
            for name, wanted in node.module.required_providers.items()
            for function in self.provider_functions.get(wanted.source, ())
        }
        return with_provider_functions(self.functions, offered)

    def schema_of(self, node: ConfigTree, resource: Resource) -> ResourceSchema | None:
        """The schema of a resource type, by the provider its module says it belongs to."""
        provider = self.schemas.get(node.module.source_of(resource))
        return None if provider is None else provider.resource(resource)

    def block_of(self, node: ConfigTree, resource: Resource) -> Block | None:
        schema = self.schema_of(node, resource)
        return None if schema is None else schema.block
