"""Vertices about whole resource blocks: what each operation does with them.

ValidateResource      a block, checked by itself; or imports into a resource that has no block
PlanResource          a block, expanded into instances to plan and objects that are not wanted any more
ApplyResource         a block whose planned instances are made known to expressions
EphemeralResource     an ephemeral block, opened; CloseEphemeral closes it again
EvalResource          a block while only expressions are evaluated: its values are those of the state
ImportWithoutBlock    imports into a resource that has no block, while planning
"""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.nodes.capabilities import (
    CreateBeforeDestroyAware,
    DependencyHolder,
    Executable,
    Expandable,
    Expander,
    ProviderConsumer,
    Vertex,
)
from legacy_engine.nodes.instance import OpenInstance, PlanInstance, PlanOrphan
from legacy_engine.nodes.node import ResourceInstanceVertex, ResourceVertex
from legacy_engine.nodes.references import connect_references
from shared_nodes.addresses.module import ModuleInstance, ModuleStep
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.addresses.resource import AbsResource, ConfigResource
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.provider_configurations import ProviderRequest
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import ResourceExpansion, expand_resource
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.resource.ephemeral import close_ephemeral
from shared_nodes.nodes.resource.validate import ResourceValidation, validate_resource
from shared_nodes.nodes.statements.imports import refuse_imports_without_block, validate_imports
from shared_nodes.operations.graph import Graph
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.plan_block import BlockToPlan, InstanceFilter, expand_block, report_checked_instances

__all__ = [
    "ApplyResource",
    "CloseEphemeral",
    "EphemeralResource",
    "EvalResource",
    "ImportWithoutBlock",
    "PlanResource",
    "ValidateResource",
]


class ValidateResource(ResourceVertex, Executable):
    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        if self.block is None:
            return validate_imports(context, self.imports, None)
        assert self.provider is not None
        module = ModuleInstance(tuple(ModuleStep(name) for name in self.module.names))
        request = ResourceValidation(module, self.block, ProviderInstance(self.provider.config))
        problems = await validate_resource(context, request)
        return [*problems, *validate_imports(context, self.imports, self.block)]


class PlanResource(ResourceVertex, CreateBeforeDestroyAware, Expandable, DependencyHolder, Expander):
    def __init__(self, address: ConfigResource, tree: ConfigTree, block: ResourceBlock, inputs: PlanInput) -> None:
        super().__init__(address, tree, block)
        self._create_before_destroy = bool(block.lifecycle.create_before_destroy)
        self._inputs = inputs

    @property
    def name(self) -> str:
        return f"{self.address} (expand)"

    @property
    def create_before_destroy(self) -> bool:
        return self._create_before_destroy

    def force_create_before_destroy(self) -> None:
        self._create_before_destroy = True

    async def expand(self, context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        """Make a vertex for each instance that is wanted, and for each object whose key, or whose module instance, is
        not wanted any more."""
        assert self.block is not None
        assert self.provider is not None
        request = BlockToPlan(self.address, self.block, self.provider.config, self.imports)
        expanded, problems = await expand_block(context, self._inputs, request)
        graph: Graph[Vertex] = Graph()
        if has_errors(problems):
            return graph, problems
        report_checked_instances(context, self.address, self.block, expanded.wanted)
        limit, dependencies = InstanceFilter(self._inputs, self.address), self.dependencies
        for instance in expanded.in_lost_modules:
            self._add(graph, PlanOrphan(instance, self._inputs, self))
        for wanted, unwanted in expanded.resources:
            for instance in filter(limit.keeps, wanted):
                vertex = PlanInstance(
                    instance,
                    self,
                    self._inputs,
                    repetition=context.expander.resource(instance.containing),
                    dependencies=dependencies,
                    create_before_destroy=self.create_before_destroy,
                    import_key=expanded.import_keys.get(instance),
                )
                self._add(graph, vertex)
            for instance in filter(limit.keeps, unwanted):
                self._add(graph, PlanOrphan(instance, self._inputs, self))
        if len(graph) > 1 and any(self._is_self(reference) for reference in self.references()):
            connect_references(graph)
        return graph, problems

    def _add(self, graph: Graph[Vertex], vertex: ResourceInstanceVertex) -> None:
        vertex.attach_object(self._inputs.state)
        graph.add(vertex)


class ApplyResource(ResourceVertex, CreateBeforeDestroyAware, Executable, Expander):
    """A block whose instances are planned already. The vertex only makes them known to expressions."""

    def __init__(self, address: ConfigResource, tree: ConfigTree, block: ResourceBlock, flavour: Flavour) -> None:
        super().__init__(address, tree, block)
        self._creates_first = flavour.unchanged_dependents_create_first and bool(block.lifecycle.create_before_destroy)

    @property
    def create_before_destroy(self) -> bool:
        """Whether the block sets it, so that dependents without any change count as well."""
        return self._creates_first

    @property
    def name(self) -> str:
        return f"{self.address} (expand)"

    def references(self) -> list[ScopedSubject]:
        """Return the references except those to the resource itself: its instances come after this vertex, not
        before."""
        return [reference for reference in super().references() if not self._is_self(reference)]

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.block is not None
        assert self.provider is not None
        problems: list[Diagnostic] = []
        for module in context.expander.modules(self.module):
            address = AbsResource(module, self.address.resource)
            problems += await expand_resource(context, ResourceExpansion(address, self.block, self.provider.config))
        return problems


class EphemeralResource(ResourceVertex, DependencyHolder, Expandable):
    def __init__(self, address: ConfigResource, tree: ConfigTree, block: ResourceBlock, inputs: PlanInput) -> None:
        super().__init__(address, tree, block)
        self._inputs = inputs

    @property
    def name(self) -> str:
        return f"{self.address} (expand)"

    async def expand(self, context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        assert self.block is not None
        assert self.provider is not None
        graph: Graph[Vertex] = Graph()
        problems: list[Diagnostic] = []
        limit, dependencies = InstanceFilter(self._inputs, self.address), self.dependencies
        for module in context.expander.modules(self.module):
            address = AbsResource(module, self.address.resource)
            found = await expand_resource(context, ResourceExpansion(address, self.block, self.provider.config))
            problems += found
            if not has_errors(found):
                repetition = context.expander.resource(address)
                for instance in filter(limit.keeps, map(address.instance, repetition.keys)):
                    graph.add(OpenInstance(instance, self, repetition, dependencies))
        if len(graph) > 1 and any(self._is_self(reference) for reference in self.references()):
            connect_references(graph)
        return graph, problems


class CloseEphemeral(ProviderConsumer, Executable):
    """Closes what was opened, when nothing uses it any more. It is a user of the provider too, so that the provider is
    closed after it."""

    def __init__(self, resource: ResourceVertex) -> None:
        self._resource = resource
        self.provider = resource.provider

    @property
    def name(self) -> str:
        return f"{self._resource.address} (close)"

    def provider_request(self) -> ProviderRequest | None:
        return self._resource.provider_request()

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        problems: list[Diagnostic] = []
        for instance in context.expander.instances(self._resource.address):
            problems += await close_ephemeral(context, instance)
        return problems


class EvalResource(ResourceVertex):
    pass


class ImportWithoutBlock(ResourceVertex, Executable):
    @property
    def name(self) -> str:
        return f"{self.address} (expand)"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        return refuse_imports_without_block(context, self.imports)
