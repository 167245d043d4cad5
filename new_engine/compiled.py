"""A configuration, compiled: every block a node, every name a way to it. Nothing is evaluated here.

Compiling takes one pass over the blocks and cannot fail for what an expression says: a name that means nothing leads to
no node, and evaluation will complain where the name stands. The two things that can be wrong already are imports into
modules that do not exist, and objects whose provider configuration is gone.

The edges between nodes are not stored. `dependencies` reads them off a node's references the first time anybody asks,
and what has no asker has no edges: that is the difference to building a graph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from new_engine.analysis import Reach, analyse
from new_engine.compat import profile_of
from new_engine.execgraph.graph import Ref
from new_engine.nodes.check import CheckNode, CheckReport
from new_engine.nodes.instance import DeposedNode, DestroyNode, InstanceNode, OrphanNode, UnwantedNode
from new_engine.nodes.leg import Leg, LegKind, LegNode, ResultNode
from new_engine.nodes.local import LocalNode
from new_engine.nodes.module_call import ModuleCallNode, ModuleEnd
from new_engine.nodes.node import Name, Node
from new_engine.nodes.output import OutputNode, RemovedOutput
from new_engine.nodes.provider import ProviderNode
from new_engine.nodes.resource import (
    ApplyResource,
    EphemeralResource,
    EvalResource,
    ImportWithoutBlock,
    PlanResource,
    ResourceNode,
    ValidateResource,
)
from new_engine.nodes.variable import ModuleVariable, RootVariable, VariableRules
from new_engine.providers import ProviderTable
from shared_nodes.addresses.module import ModuleInstance, ModulePath
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource, ResourceMode
from shared_nodes.config.analysis import ConfigAnalysis
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.configure import missing_configuration
from shared_nodes.nodes.references import resource_references
from shared_nodes.nodes.statements.imports import ImportTarget, misplaced_imports
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.session import Session
from shared_nodes.plan.change import Action
from shared_nodes.state.model import State

__all__ = ["Compiled", "compile_configuration", "in_different_instances_of_same_module"]


class Compiled:
    """All nodes of one operation. `nodes` are those that are looked at for their own sake; others are only needed."""

    def __init__(self, session: Session, start: PlanInput) -> None:
        self.config: Final = session.request.config
        self.state: Final[State] = start.state
        self.start: Final = start
        self.flavour: Final = session.request.flavour
        self.profile: Final = profile_of(session.request.options.changes)
        self.nodes: list[Node] = []
        self.creating_first: frozenset[ConfigResource] = frozenset()
        self.used_providers: dict[ProviderNode, None] = {}
        self.serving: list[ProviderNode] = []
        self._named: dict[Name, _Namesakes] = defaultdict(_Namesakes)
        self._members: dict[ModulePath, list[Node]] = defaultdict(list)
        self._calls: dict[ModulePath, ModuleCallNode] = {}
        self._ends: dict[ModulePath, ModuleEnd] = {}
        self._reports: dict[tuple[ModulePath, str], CheckReport] = {}
        self._resources: dict[ConfigResource, ResourceNode] = {}
        self._dependencies: dict[Node, tuple[Node, ...]] = {}
        self._before: dict[LegNode, tuple[LegNode, ...]] = {}
        self._removals: dict[ConfigResource, list[UnwantedNode]] | None = None
        self._by_block: dict[ConfigResource, list[AbsResource]] | None = None
        self._reach: Reach | None = None
        self._dropped: frozenset[Node] = frozenset()

    @property
    def is_destroying(self) -> bool:
        """A plan in destroy mode, or its apply."""
        return self.start.operation in (Operation.PLAN_DESTROY, Operation.DESTROY)

    @property
    def analysis(self) -> ConfigAnalysis:
        """What depends on what, over all. Made when first asked for."""
        return self.reach.resources

    @property
    def reach(self) -> Reach:
        if self._reach is None:
            self._reach = analyse(self)
        return self._reach

    def add(self, node: Node, *, is_needed_only: bool = False) -> None:
        if not is_needed_only:
            self.nodes.append(node)
        for name in node.names():
            self._named[name].add(node)
        if node.in_module:
            self._members[node.module].append(node)
        if isinstance(node, ModuleCallNode):
            self._calls[node.module] = node
        elif isinstance(node, ModuleEnd):
            self._ends[node.module] = node
        elif isinstance(node, ResourceNode):
            self._resources[node.address] = node

    def add_report(self, report: CheckReport, block_name: str) -> None:
        self._reports[report.module, block_name] = report
        self.add(report)

    def use(self, provider: ProviderNode) -> None:
        if provider not in self.used_providers:
            self.used_providers[provider] = None
            self.add(provider, is_needed_only=True)

    def drop(self, nodes: Collection[Node]) -> None:
        """Nobody waits for these any more."""
        self.nodes = [node for node in self.nodes if node not in nodes]
        self._dropped = frozenset(nodes)
        self._dependencies.clear()
        self._reach = None

    # Legs

    def place(self, leg: LegNode, after: Iterable[LegNode]) -> None:
        """Give a leg its place in the order. What was said about it before is forgotten."""
        self._before[leg] = tuple(after)
        self._dependencies.pop(leg, None)
        self._reach = None

    def before(self, leg: LegNode) -> Iterable[LegNode]:
        return self._before.get(leg, ())

    def waits_of(self, instance: AbsResourceInstance, declared: ResourceNode, *, of_apply: bool) -> Iterator[Node]:
        """What the leg of an instance waits for because its block refers to it; and, if it applies something, the
        block's instances."""
        if of_apply and self._waits_for_block(instance):
            yield declared
        for reference in resource_references(declared.node, declared.block, declared.schema):
            for name in reference.names:
                found = self._named.get(name)
                if found is not None:
                    yield from found.seen_from(instance)
                    break

    def _waits_for_block(self, instance: AbsResourceInstance) -> bool:
        has_keys = any(step.key is not None for step in instance.module.steps)
        return not has_keys or self.flavour.applies_after_expansion_in_keyed_modules

    def provider_of(self, config: AbsProviderConfig) -> Iterable[ProviderNode]:
        """None for a configuration that nobody needs."""
        return [provider for provider in self.used_providers if provider.config == config]

    def declared(self, instance: AbsResourceInstance) -> ResourceNode | None:
        """The block of an instance."""
        return self._resources.get(instance.config)

    # Edges

    def dependencies(self, node: Node) -> tuple[Node, ...]:
        """All a node waits for, each once, never itself."""
        found = self._dependencies.get(node)
        if found is None:
            several = dict.fromkeys(self._all_dependencies(node))
            several.pop(node, None)
            found = self._dependencies[node] = tuple([other for other in several if other not in self._dropped])
        return found

    def waits(self, node: Node) -> Iterator[Node]:
        """The same for whoever asks what a node depends on and awaits nothing: behind a result stands an operation,
        which is no node, and this sees through it to what the operation waits for."""
        if isinstance(node, ResultNode) and (declared := self.declared(node.instance)) is not None:
            seen = [*self.calls_around(declared.module), *self.waits_of(node.instance, declared, of_apply=True)]
            seen += () if declared.provider is None else (declared.provider,)
            yield from (other for other in dict.fromkeys(seen) if other not in self._dropped and other is not node)
        yield from self.dependencies(node)

    def _all_dependencies(self, node: Node) -> Iterator[Node]:
        if node.in_module:
            yield from self.calls_around(node.module)
        yield from self.behind(node.references())
        yield from node.needs(self)

    def behind(self, references: Iterable[ScopedSubject]) -> Iterator[Node]:
        for reference in references:
            yield from self.named(reference)

    def named(self, reference: ScopedSubject) -> Sequence[Node]:
        """By the exact name; failing that, by the next more general one that somebody has. An undeclared name leads
        nowhere, and evaluation will say so."""
        for name in reference.names:
            found = self._named.get(name)
            if found is not None:
                return found.nodes
        return ()

    def calls_around(self, module: ModulePath) -> Iterable[ModuleCallNode]:
        call = self._calls.get(module)
        return () if call is None else (call,)

    def inside(self, module: ModulePath) -> Iterator[Node]:
        yield from self.calls_around(module)
        for node in self._members.get(module, ()):
            if not (self.flavour.modules_close_before_checks and node.belongs_to_check):
                yield node
        for path, end in self._ends.items():
            if path != module and module.contains(path):
                yield end

    def report_of(self, module: ModulePath, check: str) -> Iterable[CheckReport]:
        report = self._reports.get((module, check))
        return () if report is None else (report,)

    def removed_before(self, node: UnwantedNode) -> Iterator[UnwantedNode]:
        """Objects that go before this one, because they were recorded to depend on it."""
        if self._removals is None:
            self._removals = self._removals_by_dependency()
        for other in self._removals.get(node.instance.config, ()):
            if not in_different_instances_of_same_module(node.instance, other.instance):
                yield other

    def _removals_by_dependency(self) -> dict[ConfigResource, list[UnwantedNode]]:
        removals: dict[ConfigResource, list[UnwantedNode]] = defaultdict(list)
        for node in self.nodes:
            if isinstance(node, DeposedNode | DestroyNode):
                current = self.state.current(node.instance)
                for dependency in () if current is None else current.dependencies:
                    removals[dependency].append(node)
        return removals

    def state_resources(self, address: ConfigResource) -> list[AbsResource]:
        """A resource block in all module instances the state knows it in."""
        if self._by_block is None:
            self._by_block = defaultdict(list)
            for resource in sorted(self.state.resources, key=lambda resource: resource.sort_key):
                self._by_block[resource.config].append(resource)
        return self._by_block.get(address, [])


class _Namesakes:
    """Nodes of one name. Those of instances are found by the module instance they stand in: a module may have very many
    instances, and each of them sees only its own."""

    __slots__ = ("_by_module", "_of_blocks", "nodes")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._of_blocks: list[Node] = []
        self._by_module: dict[ModuleInstance, list[InstanceNode]] = defaultdict(list)

    def add(self, node: Node) -> None:
        self.nodes.append(node)
        if isinstance(node, InstanceNode):
            self._by_module[node.instance.module].append(node)
        else:
            self._of_blocks.append(node)

    def seen_from(self, instance: AbsResourceInstance) -> Iterator[Node]:
        """All but those in other instances of the same module, and those of the instance itself."""
        yield from self._of_blocks
        if not self._by_module:
            return
        own = self._by_module.get(instance.module)
        if own is not None:
            yield from (node for node in own if node.instance != instance)
        elif next(iter(self._by_module)).path != instance.module.path:
            yield from (node for nodes in self._by_module.values() for node in nodes)


def in_different_instances_of_same_module(one: AbsResourceInstance, other: AbsResourceInstance) -> bool:
    """Two instances of one module do not see each other, although their resources have the same names."""
    ours: ModuleInstance = one.module
    return ours != other.module and ours.path == other.module.path


def compile_configuration(
    session: Session,
    start: PlanInput,
    legs: Iterable[Leg] = (),
    results: Iterable[tuple[AbsResourceInstance, Ref]] = (),
    serving: Iterable[AbsProviderConfig] = (),
) -> tuple[Compiled, list[Diagnostic]]:
    """For applying there are legs as well: those whose order is to be found, or the results of those that are carried
    out, and the provider configurations `serving` them: what is destroyed may be the last to need one."""
    compiled = Compiled(session, start)
    problems = misplaced_imports(start.imports, compiled.config, session.schemas)
    if problems:
        return compiled, problems
    _Compiler(session, compiled).compile()
    for leg in legs:
        compiled.add(_leg_node(compiled, leg))
    for instance, operation in results:
        declared = compiled.declared(instance)
        belongs = declared is not None and declared.belongs_to_check
        compiled.add(ResultNode(instance, operation, belongs_to_check=belongs))
    return compiled, _find_providers(session, compiled, tuple(serving))


def _leg_node(compiled: Compiled, leg: Leg) -> LegNode:
    record = compiled.state.resources.get(leg.instance.containing)
    is_forgotten_in_order = leg.kind is LegKind.FORGET and compiled.flavour.forgets_in_order_of_destroying
    return LegNode(
        leg,
        compiled.declared(leg.instance),
        None if record is None else record.provider,
        is_removal=leg.kind is LegKind.DESTROY or (is_forgotten_in_order and leg.action is Action.FORGET),
    )


class _Compiler:
    __slots__ = ("_compiled", "_imports", "_operation", "_session")

    def __init__(self, session: Session, compiled: Compiled) -> None:
        self._session = session
        self._compiled = compiled
        self._operation = compiled.start.operation
        self._imports: dict[ConfigResource, list[ImportTarget]] = defaultdict(list)
        for target in compiled.start.imports:
            self._imports[target.resource].append(target)

    def compile(self) -> None:
        for node in self._compiled.config.walk():
            self._module_call(node)
            self._values(node)
            self._checks(node)
            for address, block in node.module.resources.items():
                self._resource(ConfigResource(node.path, address), node, block)
        for resource, targets in self._imports.items():
            is_validated = self._operation is Operation.VALIDATE
            declared_in = self._compiled.config.at(resource.module)
            assert declared_in is not None, "imports into missing modules are refused before"
            self._compiled.add(ImportWithoutBlock(resource, declared_in, tuple(targets), is_validated=is_validated))
        self._objects()
        for name in self._compiled.state.outputs:
            if name not in self._compiled.config.module.outputs and self._operation is not Operation.EVAL:
                self._compiled.add(RemovedOutput(name))

    def _parent(self, node: ConfigTree) -> ConfigTree:
        parent = self._compiled.config.at(node.path.parent)
        assert parent is not None
        return parent

    def _module_call(self, node: ConfigTree) -> None:
        if node.call is not None:
            self._compiled.add(ModuleCallNode(node, self._parent(node), node.call))
            self._compiled.add(ModuleEnd(node.path), is_needed_only=True)

    def _values(self, node: ConfigTree) -> None:
        add = self._compiled.add
        given = self._session.request.variables
        for variable in node.module.variables.values():
            value: Node
            if node.call is None:
                value = RootVariable(variable, given.get(variable.name))
            else:
                value = ModuleVariable(variable, node, self._parent(node))
            add(value)
            if variable.validations and self._operation is not Operation.EVAL:
                add(VariableRules(variable, node, value))
        for declaration in node.module.locals.values():
            add(LocalNode(declaration, node))
        for block in node.module.outputs.values():
            add(OutputNode(block, node, is_deleted=self._compiled.is_destroying))

    def _checks(self, node: ConfigTree) -> None:
        if self._compiled.is_destroying or self._operation is Operation.EVAL:
            return
        for block in node.module.checks.values():
            if self._operation is Operation.PLAN:
                self._compiled.add_report(CheckReport(block, node), block.name)
            self._compiled.add(CheckNode(block, node))

    def _resource(self, address: ConfigResource, node: ConfigTree, block: ResourceBlock) -> None:
        """Planning to destroy everything looks at the state instead; only ephemeral resources may be needed all the
        same, to configure a provider."""
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
        provider = self._session.schemas.get(node.module.source_of(address.resource))
        schema = None if provider is None else provider.resource(address.resource)
        resource = kind(address, node, block, None if schema is None else schema.block)
        resource.imports = tuple(self._imports.pop(address, ()))
        self._compiled.add(resource)

    def _objects(self) -> None:
        """What the state has and the configuration has not; in destroy mode, all it has."""
        compiled, start = self._compiled, self._compiled.start
        if not self._operation.is_planning:
            return
        for address, instance in compiled.state.instances():
            block = compiled.config.resource(address.config)
            recorded = compiled.state.resources[address.containing].provider
            request = recorded if block is None else self._request_of(address.config, block)
            if instance.current is not None:
                if self._operation is Operation.PLAN_DESTROY:
                    compiled.add(DestroyNode(address, block, request, start))
                elif block is None:
                    compiled.add(OrphanNode(address, recorded, start))
            for key in sorted(instance.deposed):
                compiled.add(DeposedNode(address, key, block, request, start))

    def _request_of(self, address: ConfigResource, block: ResourceBlock) -> AbsProviderConfig:
        node = self._compiled.config.at(address.module)
        assert node is not None
        alias = None if block.provider is None else block.provider.alias
        return AbsProviderConfig(node.module.source_of(address.resource), address.module, alias)


def _find_providers(session: Session, compiled: Compiled, serving: tuple[AbsProviderConfig, ...]) -> list[Diagnostic]:
    kinds = ResourceNode | ImportWithoutBlock | UnwantedNode | LegNode
    users = [node for node in compiled.nodes if isinstance(node, kinds)]
    requests = [(node, request) for node in users if (request := node.provider_request()) is not None]
    table = ProviderTable(compiled.config, session.schemas, child_blocks_stand=compiled.profile.child_providers_stand)
    for source in dict.fromkeys(request.source for request in (*(request for _, request in requests), *serving)):
        table.use_by_default(source)
    problems = []
    for node, request in requests:
        exact = isinstance(node, UnwantedNode | LegNode) and node.block is None
        found = table.resolve(request, exact=exact)
        if found is None:
            problems.append(missing_configuration(node.name, request))
            continue
        node.provider = found
        compiled.use(found)
    for config in serving:
        found = table.resolve(config, exact=True)
        if found is not None:
            compiled.use(found)
            compiled.serving.append(found)
    return problems
