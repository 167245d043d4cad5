"""Resource blocks: what they have in common, and what each operation does with them.

ValidateResource    the block by itself
PlanResource        its instances, planned side by side; and those of the state that it does not want any more
ApplyResource       its instances, made known to expressions: the changes to them are the execution graph's
EphemeralResource   its instances, opened, and closed when the operation ends
EvalResource        nothing: expressions see the state
ImportWithoutBlock  imports into a resource that has no block
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from new_engine.nodes.instance import InstanceNode, PlanInstance, PlanOrphan
from new_engine.nodes.node import Name, Node
from new_engine.nodes.provider import ProviderNode
from shared_nodes.addresses.key import key_text
from shared_nodes.addresses.module import ModuleInstance, ModuleStep
from shared_nodes.addresses.parse import Target
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ResourceInstance, ScopedSubject
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource
from shared_nodes.config.blocks import Lifecycle, ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import ResourceExpansion, expand_resource, refers_to_itself
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.nodes.references import import_references, resource_references
from shared_nodes.nodes.resource.ephemeral import EphemeralClose, EphemeralOpen, close_ephemeral, open_ephemeral
from shared_nodes.nodes.resource.instance import DeclaredInstance, self_references
from shared_nodes.nodes.resource.validate import ResourceValidation, validate_resource
from shared_nodes.nodes.statements.imports import (
    ImportTarget,
    expand_imports,
    imports_of_missing_instances,
    missing_configuration,
    validate_imports,
)
from shared_nodes.plan.targets import contains_any, incomplete_replacement
from shared_nodes.providers.schema import Block

if TYPE_CHECKING:
    from new_engine.compiled import Compiled
    from new_engine.evaluation import Evaluation

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
    """`provider` is found once all provider configurations are known."""

    def __init__(self, address: ConfigResource, node: ConfigTree, block: ResourceBlock, schema: Block | None) -> None:
        self.address = address
        self.module = address.module
        self.origin = block.range
        self.node = node
        self.block = block
        self.belongs_to_check = block.check is not None
        self.imports: tuple[ImportTarget, ...] = ()
        self.provider: ProviderNode | None = None
        self.schema = schema
        self._request: AbsProviderConfig | None = None

    @property
    def name(self) -> str:
        return f"{self.address} (expand)"

    def names(self) -> Iterable[Name]:
        return [(self.module, str(self.address.resource))]

    def references(self) -> Sequence[ScopedSubject]:
        """What an import block says is always meant in the root module."""
        return resource_references(self.node, self.block, self.schema)

    def needs(self, compiled: Compiled) -> Iterable[Node]:
        if self.provider is not None:
            yield self.provider
        if self.block.check is not None:
            yield from compiled.report_of(self.module, self.block.check)
        for target in self.imports:
            yield from compiled.behind(import_references(compiled.config, target))

    def provider_request(self) -> AbsProviderConfig:
        """One for all its instances: each of their legs asks."""
        if self._request is None:
            alias = None if self.block.provider is None else self.block.provider.alias
            source = self.node.module.source_of(self.address.resource)
            self._request = AbsProviderConfig(source, self.module, alias)
        return self._request

    @property
    def provider_config(self) -> AbsProviderConfig:
        assert self.provider is not None
        return self.provider.config

    async def expand(self, evaluation: Evaluation) -> tuple[list[AbsResource], list[Diagnostic]]:
        """Which instances there are, in each instance of the module; those in which that can be told."""
        context, deferral = evaluation.context, evaluation.deferral
        expanded, problems = [], []
        for module in context.expander.modules(self.module):
            address = AbsResource(module, self.address.resource)
            if deferral is not None and deferral.puts_off_resource(address, self.node, self.block):
                continue
            found = await expand_resource(context, ResourceExpansion(address, self.block, self.provider_config))
            problems += found
            if not has_errors(found):
                expanded.append(address)
        return expanded, problems


class ValidateResource(ResourceNode):
    @property
    def name(self) -> str:
        return str(self.address)

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        context = evaluation.context
        module = ModuleInstance(tuple(ModuleStep(name) for name in self.module.names))
        request = ResourceValidation(module, self.block, self.provider_config)
        problems = await validate_resource(context, request)
        if evaluation.compiled.profile.self_references_at_validate:
            problems += self._self_references(module)
        return [*problems, *validate_imports(context, self.imports, self.block)]

    def _self_references(self, module: ModuleInstance) -> list[Diagnostic]:
        """What planning would say of the only instance, or of the number of instances."""
        address = AbsResource(module, self.address.resource).instance(None)
        instance = DeclaredInstance(address, self.node, self.block, self.provider_config, Repetition.single())
        found = [] if self.schema is None else self_references(instance, self.schema)
        return [*refers_to_itself(self.block), *found]


class PlanResource(ResourceNode):
    """`targets` and `excludes` limit the instances, where the options do."""

    targets: tuple[Target, ...] = ()
    excludes: tuple[Target, ...] = ()

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        """Orphans are found here as well: instances of this block whose key, or whose module instance, is not wanted
        any more."""
        context, start = evaluation.context, evaluation.compiled.start
        imports, problems = expand_imports(context, self.imports, self.block)
        if has_errors(problems):
            return problems
        expanded, found = await self.expand(evaluation)
        problems += found
        wanted: list[AbsResourceInstance] = []
        for address in expanded:
            instances = [address.instance(key) for key in context.expander.resource(address).keys]
            problems += incomplete_replacement(
                context.options.force_replace,
                address,
                instances,
                in_any_module=context.flavour.replacement_requests_match_in_any_module,
            )
            wanted += instances
        problems += (
            [] if has_errors(problems) else imports_of_missing_instances(context, self._settled(imports, context))
        )
        if evaluation.compiled.profile.own_name_is_cycle:
            problems += self._cycles_by_own_name(wanted)
        if has_errors(problems):
            return problems
        if self.block.lifecycle.has_conditions:
            context.checks.report_objects(str(self.address), map(str, wanted))
        identifiers = {**imports}
        work: list[InstanceNode] = [
            *(PlanOrphan(instance, self.block, self.provider, start) for instance in self._lost(evaluation)),
            *self._limited(PlanInstance(instance, self, identifiers.get(instance)) for instance in wanted),
            *self._limited(
                PlanOrphan(instance, self.block, self.provider, start)
                for address in expanded
                for instance in self._without_key(address, context, evaluation.compiled)
            ),
        ]
        if len(work) > 1:
            self._order_by_references(work)
        return [*problems, *await evaluation.fan_out(work)]

    @staticmethod
    def _settled(imports: Iterable[AbsResourceInstance], context: NodeContext) -> list[AbsResourceInstance]:
        """Of what is put off, nobody can say whether it has such an instance."""
        return [instance for instance in imports if instance.containing not in context.unsettled]

    def _cycles_by_own_name(self, wanted: Sequence[AbsResourceInstance]) -> list[Diagnostic]:
        """A provisioner runs before its object is done, so an object that it calls by name is waited for by itself."""
        provisioning = replace(self.block, depends_on=(), count=None, for_each=None, lifecycle=Lifecycle())
        called = [
            instance
            for instance in wanted
            for subject in self._own(resource_references(self.node, provisioning, None))
            if not isinstance(subject, ResourceInstance) or subject.key == instance.key
        ]
        return [error(f"Cycle: {', '.join(map(str, dict.fromkeys(called)))}")] if called else []

    def _own(self, references: Iterable[ScopedSubject]) -> Iterator[object]:
        """What is named of this resource itself."""
        for reference in references:
            if reference.module == self.module and _resource_of(reference) == self.address.resource:
                yield reference.subject

    def _lost(self, evaluation: Evaluation) -> Iterator[AbsResourceInstance]:
        """Objects in module instances that are gone. Quirk `targets-miss-lost-modules`: nobody looks whether these
        are targeted."""
        if not self.module.names:
            return
        existing = set(evaluation.context.expander.modules(self.module))
        state, deferral = evaluation.compiled.state, evaluation.deferral
        for address in evaluation.compiled.state_resources(self.address):
            if address.module not in existing and not (deferral is not None and deferral.holds_back(address.module)):
                record = state.resources[address]
                for key in record.keys_in_order():
                    if record.instances[key].current is not None:
                        yield address.instance(key)

    @staticmethod
    def _without_key(address: AbsResource, context: NodeContext, compiled: Compiled) -> Iterator[AbsResourceInstance]:
        record = compiled.state.resources.get(address)
        if record is None:
            return
        keys = set(context.expander.resource(address).keys)
        for key in record.keys_in_order():
            if record.instances[key].current is not None and key not in keys:
                yield address.instance(key)

    def _limited(self, work: Iterable[InstanceNode]) -> Iterator[InstanceNode]:
        for node in work:
            if self.targets and not contains_any(self.targets, node.instance):
                continue
            if self.excludes and contains_any(self.excludes, node.instance):
                continue
            yield node

    def _order_by_references(self, work: Sequence[InstanceNode]) -> None:
        """A block that names itself names its own instances, and these have to wait for each other: that it may not
        is found out only when the first of them is planned."""
        keys = {key_text(node.instance.key) for node in work}
        own = [_as_named(subject, keys) for subject in self._own(self.references())]
        if not own:
            return
        for node in work:
            node.siblings = [
                other
                for other in work
                if other is not node and any(_is_called(subject, node, other) for subject in own)
            ]


def _resource_of(reference: ScopedSubject) -> object:
    subject = reference.subject
    return subject.resource if isinstance(subject, ResourceInstance) else subject


def _as_named(subject: object, keys: Collection[str]) -> object:
    """An instance that nobody is stands for the whole resource, as any name does that nobody has exactly."""
    if isinstance(subject, ResourceInstance) and key_text(subject.key) not in keys:
        return subject.resource
    return subject


def _is_called(subject: object, asking: InstanceNode, other: InstanceNode) -> bool:
    """Two instances of one module do not see each other, although their resources have the same names."""
    ours, theirs = asking.instance.module, other.instance.module
    if ours != theirs and ours.path == theirs.path:
        return False
    if isinstance(subject, ResourceInstance):
        return subject.key is None or key_text(subject.key) == key_text(other.instance.key)
    return True


class ApplyResource(ResourceNode):
    def references(self) -> Sequence[ScopedSubject]:
        """Without those to the resource itself: its instances come after this node, not before."""
        return [
            reference
            for reference in super().references()
            if reference.module != self.module or _resource_of(reference) != self.address.resource
        ]

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        return (await self.expand(evaluation))[1]


class EphemeralResource(ResourceNode):
    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        context = evaluation.context
        expanded, problems = await self.expand(evaluation)
        if has_errors(problems):
            return problems
        work = [
            OpenInstance(address.instance(key), self)
            for address in expanded
            for key in context.expander.resource(address).keys
        ]
        return [*problems, *await evaluation.fan_out(work)]


class OpenInstance(InstanceNode):
    def __init__(self, instance: AbsResourceInstance, resource: EphemeralResource) -> None:
        super().__init__(instance)
        self._resource = resource

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        """Closed at the end also if opening half succeeded: closing finds out what there is to close."""
        resource, context = self._resource, evaluation.context
        if evaluation.is_put_off(self.instance, resource):
            return ()
        provider = resource.provider_config
        repetition = context.expander.resource(self.instance.containing)
        evaluation.when_served(resource, partial(close_ephemeral, context, EphemeralClose(self.instance, provider)))
        request = EphemeralOpen(self.instance, resource.node, resource.block, provider, repetition)
        return await open_ephemeral(context, request)


class EvalResource(ResourceNode):
    @property
    def name(self) -> str:
        return str(self.address)


class ImportWithoutBlock(Node):
    """`is_validated`: what validation says of such an import; planning only says that the block is missing."""

    def __init__(
        self, address: ConfigResource, node: ConfigTree, imports: tuple[ImportTarget, ...], *, is_validated: bool
    ) -> None:
        self.module = address.module
        self.address = address
        self._node = node
        self.provider: ProviderNode | None = None
        self._imports = imports
        self._is_validated = is_validated

    @property
    def name(self) -> str:
        return str(self.address) if self._is_validated else f"{self.address} (expand)"

    def names(self) -> Iterable[Name]:
        return [(self.module, str(self.address.resource))]

    def provider_request(self) -> AbsProviderConfig:
        """The type tells which provider it seems to belong to, and that one has to work."""
        return AbsProviderConfig(self._node.module.source_of(self.address.resource), self.module)

    def needs(self, compiled: Compiled) -> Iterable[Node]:
        if self.provider is not None:
            yield self.provider
        for target in self._imports:
            yield from compiled.behind(import_references(compiled.config, target))

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        if self._is_validated:
            return validate_imports(evaluation.context, self._imports, None)
        return [missing_configuration(target) for target in self._imports]
