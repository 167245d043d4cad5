"""Legs: the halves of changes, as nodes among the others while applying.

A change has a leg that creates, updates or reads, or one that destroys or forgets, or, for a replacement, both. The
first kind has the names of its instance, so that references to the instance wait for it. The second has no names:
nothing waits for a removal because of a reference. Its place in the order comes from `new_engine.planning.leg_order`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto

from new_engine.execgraph.graph import Ref
from new_engine.execgraph.run import DependencyFailed
from new_engine.nodes.instance import InstanceNode
from new_engine.nodes.node import Evaluator, Name, Node, NodeLookup
from new_engine.nodes.provider import ChosenProvider, ProviderNode
from new_engine.nodes.resource import ResourceNode
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.change import Action
from shared_nodes.record import record

__all__ = ["Leg", "LegKind", "LegNode", "ResultNode"]


class LegKind(Enum):
    APPLY = auto()
    """Creates, updates or reads; or only checks whether conditions still hold."""
    DESTROY = auto()
    FORGET = auto()


@record
class Leg:
    """Half a change. `deposed` is the key of the object it is about, unless that is the current one. `deposes` is the
    key under which an applying leg deposes the current object, to create its replacement first."""

    kind: LegKind
    instance: AbsResourceInstance
    action: Action
    deposed: str | None = None
    deposes: str | None = None

    @property
    def is_no_op(self) -> bool:
        return self.action is Action.NO_OP

    @property
    def is_managed(self) -> bool:
        return self.instance.resource.mode is ResourceMode.MANAGED

    def __str__(self) -> str:
        """The name of the graph engine's vertex, so that both engines report a cycle in the same words."""
        if self.kind is LegKind.APPLY:
            return str(self.instance)
        verb = "destroy" if self.kind is LegKind.DESTROY else "forget"
        return f"{self.instance} ({verb}{'' if self.deposed is None else f' deposed {self.deposed}'})"


class LegNode(InstanceNode):
    """A leg while its place in the order is being found. `declared` is the node of its block, if that (still) exists.
    If `is_removal` is set, it has a place in the order of destroying; if `waits_for_block` is set, it waits until the
    instances of its block are known."""

    def __init__(
        self,
        leg: Leg,
        declared: ResourceNode | None,
        provider: ChosenProvider | None,
        *,
        is_removal: bool,
        waits_for_block: bool,
    ) -> None:
        super().__init__(leg.instance)
        self.leg = leg
        self.declared = declared
        self.provider = provider
        self.is_removal = is_removal
        self.in_module = not is_removal
        self.belongs_to_check = declared is not None and declared.belongs_to_check
        self._waits_for_block = waits_for_block

    @property
    def name(self) -> str:
        return str(self.leg)

    @property
    def provider_node(self) -> ProviderNode | None:
        return None if self.provider is None else self.provider.node

    @property
    def block(self) -> ResourceBlock | None:
        return None if self.declared is None else self.declared.block

    def names(self) -> Iterable[Name]:
        return [] if self.is_removal or self.leg.deposed is not None else self.instance.reference_names()

    def needs(self, lookup: NodeLookup) -> Iterable[Node]:
        if self.provider is not None:
            yield self.provider.node
        if self.declared is None:
            return
        if self._waits_for_block:
            yield self.declared
        is_removed = self.leg.kind is not LegKind.APPLY
        yield from lookup.seen_from(self.instance, self._references(self.declared), with_own=is_removed)

    def _references(self, declared: ResourceNode) -> Sequence[ScopedSubject]:
        """Return what the leg refers to. Forgetting a deposed object refers to nothing."""
        if self.leg.kind is LegKind.FORGET and self.leg.deposed is not None:
            return ()
        return declared.destroy_references() if self.is_removal else declared.block_references()


class ResultNode(InstanceNode):
    """A leg while it is carried out, for references to its instance. The operations of the leg wait for everything the
    leg waits for, so this node waits for them alone."""

    def __init__(self, instance: AbsResourceInstance, operation: Ref, *, belongs_to_check: bool) -> None:
        super().__init__(instance)
        self.belongs_to_check = belongs_to_check
        self.operation = operation

    def names(self) -> Iterable[Name]:
        return self.instance.reference_names()

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        """Wait for the operation. If it fails, its own diagnostics are reported elsewhere."""
        if not await evaluator.operation_succeeded(self.operation):
            raise DependencyFailed(str(self.instance))
        return ()
