"""A resource block while planning: its instances are found, and planned each by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from legacy_engine.build import BuildContext
from legacy_engine.capabilities import (
    CreateBeforeDestroyAware,
    DependencyHolder,
    Expandable,
    Expander,
    Targetable,
    Vertex,
)
from legacy_engine.nodes.plan_instance import PlanInstance
from legacy_engine.nodes.plan_orphan import PlanOrphan
from legacy_engine.nodes.resource import ResourceInstanceVertex, ResourceVertex
from legacy_engine.transforms import attach_state, reference
from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.parse import Target
from shared_nodes.addresses.references import ResourceInstance
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import ResourceExpansion, expand_resource
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.statements.imports import expand_imports, imports_of_missing_instances
from shared_nodes.operations.graph import Graph
from shared_nodes.plan.targets import contains_any, incomplete_replacement

__all__ = ["PlanResource"]


class PlanResource(ResourceVertex, CreateBeforeDestroyAware, Targetable, Expandable, DependencyHolder, Expander):
    def __init__(self, address: ConfigResource, node: ConfigTree, block: ResourceBlock, build: BuildContext) -> None:
        super().__init__(address, node, block)
        self._create_before_destroy = bool(block.lifecycle.create_before_destroy)
        self.targets: tuple[Target, ...] = ()
        self.excludes: tuple[Target, ...] = ()
        self._build = build

    @property
    def name(self) -> str:
        return f"{self.address} (expand)"

    @property
    def create_before_destroy(self) -> bool:
        return self._create_before_destroy

    def force_create_before_destroy(self) -> None:
        self._create_before_destroy = True

    async def expand(self, context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        """Orphans are found here as well: instances of this block whose key, or whose module instance, is not wanted
        any more."""
        assert self.block is not None
        assert self.provider is not None
        graph: Graph[Vertex] = Graph()
        addresses: list[AbsResourceInstance] = []
        imports, problems = expand_imports(context, self.imports, self.block)
        if has_errors(problems):
            return graph, problems
        self._build.resolved_imports.update(imports)
        modules = context.expander.modules(self.module)
        for orphan in self._in_missing_modules(modules):
            self._adopt(graph, orphan)
        for module in modules:
            address = AbsResource(module, self.address.resource)
            found = await expand_resource(context, ResourceExpansion(address, self.block, self.provider))
            problems += found
            if not has_errors(found):
                wanted = self._add_instances(graph, address, context)
                problems += incomplete_replacement(
                    context.options.force_replace,
                    address,
                    wanted,
                    in_any_module=context.flavour.replacement_requests_match_in_any_module,
                )
                addresses += wanted
        problems += [] if has_errors(problems) else imports_of_missing_instances(context, imports)
        if has_errors(problems):
            return graph, problems
        if self.block.lifecycle.has_conditions:
            context.checks.report_objects(str(self.address), map(str, addresses))
        attach_state.transform(graph, self._build)
        if len(graph) > 1 and self._refers_to_itself():
            reference.transform(graph, self._build)
        return graph, problems

    def _add_instances(
        self, graph: Graph[Vertex], address: AbsResource, context: NodeContext
    ) -> list[AbsResourceInstance]:
        repetition = context.expander.resource(address)
        wanted = [address.instance(key) for key in repetition.keys]
        for instance in wanted:
            self._add(graph, PlanInstance(instance, self, repetition, self._build))
        record = self._build.state.resources.get(address)
        if record is not None:
            keys = set(repetition.keys)
            for key in record.keys_in_order():
                if record.instances[key].current is not None and key not in keys:
                    self._add(graph, PlanOrphan(address.instance(key), self._build))
        return wanted

    def _in_missing_modules(self, modules: Sequence[ModuleInstance]) -> Iterator[PlanOrphan]:
        """Quirk `targets-miss-lost-modules`: nobody looks whether these are targeted."""
        if not self.module.names:
            return
        existing = set(modules)
        for address in self._build.state_resources(self.address):
            if address.module not in existing:
                record = self._build.state.resources[address]
                for key in record.keys_in_order():
                    if record.instances[key].current is not None:
                        yield PlanOrphan(address.instance(key), self._build)

    def _add(self, graph: Graph[Vertex], vertex: ResourceInstanceVertex) -> None:
        """Unless the targets leave it out."""
        if self.targets and not contains_any(self.targets, vertex.instance):
            return
        if self.excludes and contains_any(self.excludes, vertex.instance):
            return
        self._adopt(graph, vertex)

    def _adopt(self, graph: Graph[Vertex], vertex: ResourceInstanceVertex) -> None:
        """With what it shares with the block."""
        vertex.node, vertex.block, vertex.schema = self.node, self.block, self.schema
        vertex.provider = self.provider
        graph.add(vertex)

    def _refers_to_itself(self) -> bool:
        for found in self.references():
            subject = found.subject
            resource = subject.resource if isinstance(subject, ResourceInstance) else subject
            if resource == self.address.resource and found.module == self.module:
                return True
        return False
