"""Nodes about whole resource blocks: what each operation does with them.

ResourceNode          base class
ValidateResource      a block, checked by itself
PlanResource          a block whose instances, and unwanted objects, are planned concurrently
ApplyResource         a block whose instances are made known to expressions; their changes are operations
EphemeralResource     an ephemeral block, opened, and closed after its last user
EvalResource          a block while only expressions are evaluated: its values are those of the state
ImportWithoutBlock    imports into a resource that has no block
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from new_engine.nodes.instance import InstanceNode, OpenInstance, PlanInstance, PlanOrphan
from new_engine.nodes.node import Evaluator, Name, Node, NodeLookup
from new_engine.nodes.provider import ChosenProvider
from shared_nodes.addresses.key import key_text
from shared_nodes.addresses.module import ModuleInstance, ModuleStep
from shared_nodes.addresses.provider import AbsProviderConfig, ProviderInstance
from shared_nodes.addresses.references import ResourceInstance, ScopedSubject, resource_of
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource
from shared_nodes.config.blocks import Lifecycle, ResourceBlock
from shared_nodes.config.provider_configurations import ProviderChoice
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.expander import Repetition
from shared_nodes.context.repetition import ResourceExpansion, expand_resource, refers_to_itself
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.references import destroy_references, import_references, resource_references
from shared_nodes.nodes.resource.instance import DeclaredInstance, self_references
from shared_nodes.nodes.resource.validate import ResourceValidation, validate_resource
from shared_nodes.nodes.statements.import_targets import ImportTarget
from shared_nodes.nodes.statements.imports import refuse_imports_without_block, validate_imports
from shared_nodes.operations.graph import components, cycle_error
from shared_nodes.operations.plan_block import (
    BlockToPlan,
    InstanceFilter,
    expand_block,
    report_checked_instances,
)
from shared_nodes.providers.schema import SchemaBlock

__all__ = [
    "ApplyResource",
    "EphemeralResource",
    "EvalResource",
    "ImportWithoutBlock",
    "PlanResource",
    "ResourceNode",
    "ValidateResource",
]


class ResourceNode(Node):
    """A resource block. `provider` is None if no configuration fits; then nothing is evaluated."""

    def __init__(
        self,
        address: ConfigResource,
        tree: ConfigTree,
        block: ResourceBlock,
        schema: SchemaBlock | None,
        provider: ChosenProvider | None,
        *,
        imports: tuple[ImportTarget, ...] = (),
    ) -> None:
        self.address = address
        self.module = address.module
        self.origin = block.range
        self.tree = tree
        self.block = block
        self.belongs_to_check = block.check is not None
        self.provider = provider
        self._schema = schema
        self.imports = imports

    @property
    def name(self) -> str:
        return f"{self.address} (expand)"

    def names(self) -> Iterable[Name]:
        return [(self.module, str(self.address.resource))]

    def references(self) -> Sequence[ScopedSubject]:
        return self.block_references()

    def block_references(self) -> Sequence[ScopedSubject]:
        """Return everything the block refers to: what each of its instances waits for."""
        return resource_references(self.tree, self.block, self._schema)

    def destroy_references(self) -> Sequence[ScopedSubject]:
        """Return what decides whether objects of the block may be destroyed."""
        return destroy_references(self.tree, self.block)

    def needs(self, lookup: NodeLookup) -> Iterable[Node]:
        """Return the provider, the report of a check, and what import blocks refer to, always resolved in the root
        module."""
        if self.provider is not None:
            yield self.provider.node
        if self.block.check is not None:
            yield from lookup.report_of(self.module, self.block.check)
        for target in self.imports:
            yield from lookup.targets_of(import_references(lookup.config, target))

    @property
    def provider_config(self) -> AbsProviderConfig:
        return self._required_choice().config

    def _required_choice(self) -> ProviderChoice:
        assert self.provider is not None
        return self.provider.choice

    def _is_self(self, reference: ScopedSubject) -> bool:
        return reference.module == self.module and resource_of(reference.subject) == self.address.resource

    async def expand(self, evaluator: Evaluator) -> tuple[list[AbsResource], list[Diagnostic]]:
        """Find the instances of the block in each instance of its module. Return the resources for which they are
        known."""
        context, deferral = evaluator.context, evaluator.deferral
        expanded, problems = [], []
        for module in context.expander.modules(self.module):
            address = AbsResource(module, self.address.resource)
            if deferral is not None and deferral.defers_resource(address, self.tree, self.block):
                continue
            found = await expand_resource(context, ResourceExpansion(address, self.block, self.provider_config))
            problems += found
            if not has_errors(found):
                expanded.append(address)
        return expanded, problems

    async def fan_out_in_order(self, evaluator: Evaluator, work: Sequence[InstanceNode]) -> list[Diagnostic]:
        order = self._order_by_references(work)
        cyclic = _members_of_cycles(order)
        return await evaluator.fan_out([node for node in work if node in cyclic] if cyclic else work, order)

    def _own_subjects(self, references: Iterable[ScopedSubject]) -> Iterator[object]:
        """Return what references name of this resource itself."""
        return (reference.subject for reference in references if self._is_self(reference))

    def _order_by_references(self, work: Sequence[InstanceNode]) -> Mapping[Node, Sequence[Node]]:
        """Make instances wait for each other if the block refers to itself. That this is not allowed is reported only
        when the first of them is planned."""
        if len(work) < 2:
            return {}
        keys = {key_text(node.instance.key) for node in work}
        own = [_existing_subject(subject, keys) for subject in self._own_subjects(self.references())]
        if not own:
            return {}
        return {
            node: [
                other
                for other in work
                if other is not node and any(_is_called(subject, node, other) for subject in own)
            ]
            for node in work
        }


class ValidateResource(ResourceNode):
    @property
    def name(self) -> str:
        return str(self.address)

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        context = evaluator.context
        module = ModuleInstance(tuple(ModuleStep(name) for name in self.module.names))
        request = ResourceValidation(module, self.block, ProviderInstance(self.provider_config))
        problems = await validate_resource(context, request)
        if evaluator.profile.self_references_at_validate:
            problems += self._find_self_references(module)
        return [*problems, *validate_imports(context, self.imports, self.block)]

    def _find_self_references(self, module: ModuleInstance) -> list[Diagnostic]:
        """Report what planning would report about the only instance, or about the number of instances."""
        address = AbsResource(module, self.address.resource).instance(None)
        provider = ProviderInstance(self.provider_config)
        instance = DeclaredInstance(address, self.tree, self.block, provider, Repetition.single())
        found = [] if self._schema is None else self_references(instance, self._schema)
        return [*refers_to_itself(self.block), *found]


class PlanResource(ResourceNode):
    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        """Plan each instance that is wanted, and each object whose key, or whose module instance, is not wanted any
        more."""
        context, inputs = evaluator.context, evaluator.inputs
        expanded, problems = await expand_block(context, inputs, self._to_plan(evaluator))
        wanted = expanded.wanted
        if evaluator.profile.own_name_is_cycle:
            problems += self._find_own_names(wanted)
        if has_errors(problems):
            return problems
        report_checked_instances(context, self.address, self.block, wanted)
        limit, choice = InstanceFilter(inputs, self.address), self._required_choice()
        import_keys = expanded.import_keys
        work: list[InstanceNode] = [
            *(PlanOrphan(instance, self.block, choice, inputs) for instance in expanded.in_lost_modules),
            *(
                PlanInstance(instance, self.tree, self.block, choice, import_keys.get(instance))
                for instance in wanted
                if limit.keeps(instance)
            ),
            *(
                PlanOrphan(instance, self.block, choice, inputs)
                for _, unwanted in expanded.resources
                for instance in unwanted
                if limit.keeps(instance)
            ),
        ]
        return [*problems, *await self.fan_out_in_order(evaluator, work)]

    def _to_plan(self, evaluator: Evaluator) -> BlockToPlan:
        deferral = evaluator.deferral
        if deferral is None:
            return BlockToPlan(self.address, self.block, self.provider_config, self.imports)
        return BlockToPlan(
            self.address,
            self.block,
            self.provider_config,
            self.imports,
            is_resource_deferred=lambda address: deferral.defers_resource(address, self.tree, self.block),
            is_module_deferred=deferral.defers_module,
        )

    def _find_own_names(self, wanted: Sequence[AbsResourceInstance]) -> list[Diagnostic]:
        """Report provisioners that refer to their own object by name: a provisioner runs before its object is complete,
        so that the object would wait for itself."""
        provisioning = replace(self.block, depends_on=(), count=None, for_each=None, lifecycle=Lifecycle())
        called = [
            instance
            for instance in wanted
            for subject in self._own_subjects(resource_references(self.tree, provisioning, None))
            if not isinstance(subject, ResourceInstance) or subject.key == instance.key
        ]
        return [cycle_error(map(str, dict.fromkeys(called)))] if called else []


def _members_of_cycles(order: Mapping[Node, Sequence[Node]]) -> set[Node]:
    """Return the nodes that wait for themselves. Where there are any, they are reported, and nothing of the block is
    planned."""
    found = components(order, lambda node: order[node])
    return {node for component in found if len(component) > 1 for node in component}


def _existing_subject(subject: object, keys: Collection[str]) -> object:
    """Return the subject that a reference resolves to. An instance key that does not exist resolves to the whole
    resource, like any inexact name."""
    if isinstance(subject, ResourceInstance) and key_text(subject.key) not in keys:
        return subject.resource
    return subject


def _is_called(subject: object, user: InstanceNode, other: InstanceNode) -> bool:
    if not user.instance.sees(other.instance):
        return False
    if isinstance(subject, ResourceInstance):
        return subject.key is None or key_text(subject.key) == key_text(other.instance.key)
    return True


class ApplyResource(ResourceNode):
    def references(self) -> Sequence[ScopedSubject]:
        """Return the references except those to the resource itself: its instances come after this node, not before."""
        return [reference for reference in super().references() if not self._is_self(reference)]

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        return (await self.expand(evaluator))[1]


class EphemeralResource(ResourceNode):
    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        expanded, problems = await self.expand(evaluator)
        if has_errors(problems):
            return problems
        limit, expander = InstanceFilter(evaluator.inputs, self.address), evaluator.context.expander
        work = [
            OpenInstance(instance, self, self.tree, self.block, self._required_choice())
            for address in expanded
            for instance in filter(limit.keeps, map(address.instance, expander.resource(address).keys))
        ]
        return [*problems, *await self.fan_out_in_order(evaluator, work)]


class EvalResource(ResourceNode):
    @property
    def name(self) -> str:
        return str(self.address)


class ImportWithoutBlock(Node):
    """Imports into a resource without a block. If `is_validated` is set, it reports what validation reports about such
    an import; planning only reports that the block is missing."""

    def __init__(
        self,
        address: ConfigResource,
        imports: tuple[ImportTarget, ...],
        provider: ChosenProvider | None,
        *,
        is_validated: bool,
    ) -> None:
        self.module = address.module
        self.address = address
        self.provider = provider
        self.imports = imports
        self._is_validated = is_validated

    @property
    def name(self) -> str:
        return str(self.address) if self._is_validated else f"{self.address} (expand)"

    def names(self) -> Iterable[Name]:
        return [(self.module, str(self.address.resource))]

    def needs(self, lookup: NodeLookup) -> Iterable[Node]:
        if self.provider is not None:
            yield self.provider.node
        for target in self.imports:
            yield from lookup.targets_of(import_references(lookup.config, target))

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        if self._is_validated:
            return validate_imports(evaluator.context, self.imports, None)
        return refuse_imports_without_block(evaluator.context, self.imports)
