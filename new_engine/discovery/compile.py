"""Compiling a configuration: every block becomes a node. Nothing is evaluated.

Compiling takes one pass over the blocks and cannot fail because of an expression: an undeclared name leads to no node,
and evaluation reports it. Three things can be wrong already: imports into modules that do not exist, objects whose
provider configuration is gone, and functions of providers that are not required.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from new_engine.compat.profile import profile_of
from new_engine.discovery.node_table import NodeTable, waits_for_block
from new_engine.execgraph.graph import Ref
from new_engine.nodes.check import CheckNode, CheckReport
from new_engine.nodes.instance import DeposedNode, DestroyNode, OrderedDeposedNode, OrphanNode, UnwantedNode
from new_engine.nodes.leg import Leg, LegKind, LegNode, ResultNode
from new_engine.nodes.module import ModuleCallNode, ModuleEnd
from new_engine.nodes.node import Node
from new_engine.nodes.provider import ChosenProvider, ProviderNode
from new_engine.nodes.resource import (
    ApplyResource,
    EphemeralResource,
    EvalResource,
    ImportWithoutBlock,
    PlanResource,
    ResourceNode,
    ValidateResource,
)
from new_engine.nodes.values import (
    LocalNode,
    ModuleVariable,
    OutputNode,
    RemovedOutput,
    RootVariable,
    VariableRules,
)
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.provider_configurations import (
    ProviderConfiguration,
    ProviderConfigurations,
    ProviderRequest,
    recorded_provider,
    requested_by_import,
    requested_provider,
)
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.configure import missing_configuration, missing_schemas
from shared_nodes.nodes.references import (
    function_provider_problems,
    function_providers,
    import_references,
    resource_references,
)
from shared_nodes.nodes.statements.import_targets import ImportTarget, misplaced_imports
from shared_nodes.operations.graph import self_reference_error
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.session import Session
from shared_nodes.plan.change import Action

__all__ = ["compile_configuration"]

_ProviderUser = ResourceNode | ImportWithoutBlock | UnwantedNode | LegNode


def compile_configuration(
    session: Session,
    inputs: PlanInput,
    legs: Iterable[Leg] = (),
    results: Iterable[tuple[AbsResourceInstance, Ref]] = (),
    serving: Iterable[AbsProviderConfig] = (),
) -> tuple[NodeTable, list[Diagnostic]]:
    """Return the nodes of one operation. For applying there are legs as well: `legs` are those whose order is to be
    found; `results` are the final operations of legs that are carried out, and `serving` the provider configurations
    they use, because destroying an object may be the only reason to configure a provider."""
    compiler = _Compiler(session, inputs)
    problems = misplaced_imports(inputs.imports, session.request.config, session.schemas) or compiler.missing_providers
    if problems:
        return compiler.finish(()), problems
    compiler.add_configuration()
    compiler.add_objects()
    compiler.add_removed_outputs()
    for leg in legs:
        compiler.add_leg(leg)
    for instance, operation in results:
        compiler.add_result(instance, operation)
    table = compiler.finish(tuple(serving))
    references = (reference for node in table.nodes for reference in node.references())
    problems = compiler.problems or missing_schemas(inputs.state, session.request.config, session.schemas)
    return table, problems or function_provider_problems(session.request.config, references)


class _Compiler:
    def __init__(self, session: Session, inputs: PlanInput) -> None:
        self._session = session
        self._config = session.request.config
        self._flavour = session.request.flavour
        self._profile = profile_of(session.request.options.changes)
        self._inputs = inputs
        self._operation = inputs.operation
        self._nodes: list[Node] = []
        self._only_needed: set[Node] = set()
        self._resources: dict[ConfigResource, ResourceNode] = {}
        self._configurations = ProviderConfigurations(
            self._config,
            child_blocks_stand=self._profile.child_providers_stand,
            supplies_aliases=self._operation is Operation.VALIDATE and self._flavour.root_aliases_are_supplied,
        )
        self._providers: dict[ProviderConfiguration, ProviderNode] = {}
        self._imports: dict[ConfigResource, list[ImportTarget]] = defaultdict(list)
        for target in inputs.imports:
            self._imports[target.resource].append(target)
        self.problems: list[Diagnostic] = []

    @property
    def missing_providers(self) -> list[Diagnostic]:
        """What calls pass although their modules have no such configuration."""
        return self._configurations.problems

    def finish(self, serving: Iterable[AbsProviderConfig]) -> NodeTable:
        users = [node for node in self._nodes if isinstance(node, _ProviderUser)]
        used = dict.fromkeys(node.provider.node for node in users if node.provider is not None)
        resolved = [self._resolve(recorded_provider(config)) for config in serving]
        served = [provider.node for provider in resolved if provider is not None]
        used.update(dict.fromkeys(served))
        called = self._called_providers(used) if self._flavour.provider_functions_are_references else {}
        return NodeTable(
            self._config,
            self._inputs,
            self._flavour,
            self._profile,
            [*self._nodes, *used],
            only_needed={*self._only_needed, *used},
            serving=served,
            called=called,
        )

    def _called_providers(self, used: dict[ProviderNode, None]) -> dict[Node, list[ProviderNode]]:
        """Return the providers whose functions each node calls, and add them to the used ones. What is configured with
        nothing offers its functions without being configured, unless something else uses it."""
        called: dict[Node, list[ProviderNode]] = {}
        calling: list[Node] = [*self._nodes, *used]
        while calling:
            caller = calling.pop()
            for declared in function_providers(self._config, self._configurations, self._calling_references(caller)):
                node = self._node_of(declared)
                if node not in used and declared.block is not None:
                    used[node] = None
                    calling.append(node)
                if node in used:
                    called.setdefault(caller, []).append(node)
                if node is caller:
                    self.problems.append(self_reference_error(node.name))
        return called

    def _calling_references(self, node: Node) -> Sequence[ScopedSubject]:
        """Return the references of a node, with those of import blocks; and all of a block whose object is to be
        destroyed, although destroying it waits for few of them."""
        if isinstance(node, DestroyNode) and node.block is not None:
            tree = self._config.at(node.instance.config.module)
            assert tree is not None
            schema = self._session.schemas[tree.module.source_of(node.instance.resource)].resource(
                node.instance.resource
            )
            return resource_references(tree, node.block, None if schema is None else schema.block)
        if isinstance(node, ResourceNode | ImportWithoutBlock):
            imports = (import_references(self._config, target) for target in node.imports)
            return [*node.references(), *chain.from_iterable(imports)]
        return node.references()

    # What the configuration declares

    def add_configuration(self) -> None:
        for tree in self._config.walk():
            self._add_module_call(tree)
            self._add_values(tree)
            self._add_checks(tree)
            for resource, block in tree.module.resources.items():
                self._add_resource(ConfigResource(tree.path, resource), tree, block)
        is_validated = self._operation is Operation.VALIDATE
        for address, targets in self._imports.items():
            request = requested_by_import(self._config, address, targets[0].block)
            node = ImportWithoutBlock(address, tuple(targets), self._resolve(request), is_validated=is_validated)
            self._add_user(node, request)

    def _parent(self, tree: ConfigTree) -> ConfigTree:
        parent = self._config.at(tree.path.parent)
        assert parent is not None
        return parent

    def _add_module_call(self, tree: ConfigTree) -> None:
        if tree.call is not None:
            self._nodes.append(ModuleCallNode(tree, self._parent(tree), tree.call))
            end = ModuleEnd(tree.path)
            self._nodes.append(end)
            self._only_needed.add(end)

    def _add_values(self, tree: ConfigTree) -> None:
        add = self._nodes.append
        given = self._session.request.variables
        for variable in tree.module.variables.values():
            value: Node
            if tree.call is None:
                value = RootVariable(variable, given.get(variable.name), self._flavour)
            else:
                value = ModuleVariable(variable, tree, self._parent(tree), self._flavour)
            add(value)
            has_rules = variable.validations or self._flavour.variables_have_reference_vertices
            if has_rules and self._operation is not Operation.EVAL:
                is_destroying = self._operation.is_destroying
                add(VariableRules(variable, tree, value, self._flavour, is_destroying=is_destroying))
        for declaration in tree.module.locals.values():
            add(LocalNode(declaration, tree))
        for block in tree.module.outputs.values():
            add(OutputNode(block, tree, is_deleted=self._operation.is_destroying))

    def _add_checks(self, tree: ConfigTree) -> None:
        if self._operation.is_destroying or self._operation is Operation.EVAL:
            return
        for block in tree.module.checks.values():
            if self._operation is Operation.PLAN:
                self._nodes.append(CheckReport(block, tree))
            self._nodes.append(CheckNode(block, tree))

    def _add_resource(self, address: ConfigResource, tree: ConfigTree, block: ResourceBlock) -> None:
        """Add the node of a resource block. In destroy mode objects of the state are planned instead, and only
        ephemeral resources are added: a provider may be configured with them."""
        is_ephemeral = address.resource.mode is ResourceMode.EPHEMERAL
        if self._operation is Operation.PLAN_DESTROY and not is_ephemeral:
            return
        if self._operation is Operation.VALIDATE:
            kind: type[ResourceNode] = ValidateResource
        elif self._operation is Operation.EVAL:
            kind = EvalResource
        elif is_ephemeral:
            kind = EphemeralResource
        else:
            kind = PlanResource if self._operation.is_planning else ApplyResource
        provider_schema = self._session.schemas.get(tree.module.source_of(address.resource))
        schema = None if provider_schema is None else provider_schema.resource(address.resource)
        request = requested_provider(tree, address.resource, block)
        node = kind(
            address,
            tree,
            block,
            None if schema is None else schema.block,
            self._resolve(request),
            imports=tuple(self._imports.pop(address, ())),
        )
        self._resources[address] = node
        self._add_user(node, request)

    # What the state has

    def add_objects(self) -> None:
        """Add objects that are in the state but not in the configuration; in destroy mode, all of them."""
        if not self._operation.is_planning:
            return
        inputs, state = self._inputs, self._inputs.state
        deposed_node = OrderedDeposedNode if self._flavour.planning_orders_deposed_objects else DeposedNode
        for address, instance in state.instances():
            block = self._config.resource(address.config)
            recorded = recorded_provider(state.resources[address.containing].provider)
            request = recorded if block is None else self._request_of(address.config, block)
            if instance.current is not None and self._operation is Operation.PLAN_DESTROY:
                self._add_user(DestroyNode(address, block, self._resolve(request), inputs), request)
            elif instance.current is not None and block is None:
                self._add_orphan(address, recorded)
            for key in sorted(instance.deposed):
                self._add_user(deposed_node(address, key, block, self._resolve(request), inputs), request)

    def _add_orphan(self, address: AbsResourceInstance, recorded: ProviderRequest) -> None:
        """Add an object whose block is gone. Data is only dropped, which needs no provider."""
        if address.resource.mode is ResourceMode.DATA:
            self._nodes.append(OrphanNode(address, None, None, self._inputs))
        else:
            node = OrphanNode(address, None, self._resolve(recorded), self._inputs)
            self._add_user(node, recorded)

    def _request_of(self, address: ConfigResource, block: ResourceBlock) -> ProviderRequest:
        tree = self._config.at(address.module)
        assert tree is not None
        return requested_provider(tree, address.resource, block)

    def add_removed_outputs(self) -> None:
        for name in self._inputs.state.outputs:
            if name not in self._config.module.outputs and self._operation is not Operation.EVAL:
                self._nodes.append(RemovedOutput(name))

    # What a plan changes

    def add_leg(self, leg: Leg) -> None:
        """Add a leg. Destroying data only drops it, which needs no provider. Without a block only the recorded provider
        configuration can be used."""
        declared = self._resources.get(leg.instance.config)
        request: ProviderRequest | None = None
        provider: ChosenProvider | None = None
        if leg.kind is not LegKind.DESTROY or leg.deposed is not None or leg.is_managed:
            if declared is not None:
                request = requested_provider(declared.tree, leg.instance.resource, declared.block)
                provider = declared.provider
            elif (record := self._inputs.state.resources.get(leg.instance.containing)) is not None:
                request = recorded_provider(record.provider)
                provider = self._resolve(request)
        is_forgotten_in_order = leg.kind is LegKind.FORGET and self._flavour.forgets_in_order_of_destroying
        node = LegNode(
            leg,
            declared,
            provider,
            is_removal=leg.kind is LegKind.DESTROY or (is_forgotten_in_order and leg.action is Action.FORGET),
            waits_for_block=leg.kind is LegKind.APPLY and waits_for_block(self._flavour, leg.instance),
        )
        self._add_user(node, request)

    def add_result(self, instance: AbsResourceInstance, operation: Ref) -> None:
        declared = self._resources.get(instance.config)
        belongs_to_check = declared is not None and declared.belongs_to_check
        self._nodes.append(ResultNode(instance, operation, belongs_to_check=belongs_to_check))

    # Providers

    def _resolve(self, request: ProviderRequest) -> ChosenProvider | None:
        """Return the configuration that serves a request."""
        choice = self._configurations.resolve(request)
        if choice is None:
            return None
        return ChosenProvider(self._node_of(choice.configuration), choice)

    def _node_of(self, declared: ProviderConfiguration) -> ProviderNode:
        if declared not in self._providers:
            schema = self._session.schemas.get(declared.config.source)
            self._providers[declared] = ProviderNode(declared, None if schema is None else schema.provider)
        return self._providers[declared]

    def _add_user(self, node: _ProviderUser, request: ProviderRequest | None) -> None:
        """Add a node that works through a provider, and report it if there is no provider for it."""
        self._nodes.append(node)
        if node.provider is None and request is not None:
            self.problems.append(missing_configuration(node.name, request.config))
