"""Legs: the halves of changes, as nodes among the others while applying.

A change has a leg that creates, updates or reads, or one that destroys or forgets, or, for a replacement, both. The
first kind goes by the names of its instance, so that whoever refers to the instance waits for it. The second has no
names: nobody waits for a removal because of a reference. Its place in the order comes from `new_engine.connecting`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from new_engine.execgraph.graph import Ref
from new_engine.execgraph.run import Hindered
from new_engine.nodes.instance import InstanceNode
from new_engine.nodes.node import Name, Node
from new_engine.nodes.provider import ProviderNode
from shared_nodes.addresses.key import key_text
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.change import Action

if TYPE_CHECKING:
    from new_engine.compiled import Compiled
    from new_engine.evaluation import Evaluation
    from new_engine.nodes.resource import ResourceNode

__all__ = ["Leg", "LegKind", "LegNode", "ResultNode"]


class LegKind(Enum):
    APPLY = auto()
    """Creates, updates or reads; or looks only whether conditions still hold."""
    DESTROY = auto()
    FORGET = auto()


class Leg(NamedTuple):
    """`deposed` is the key of the object it is about, unless that is the current one. `deposes` is the key under which
    an applying leg puts the current object aside, to create its replacement first."""

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
        """As the graph engine calls its vertices: both complain about a cycle in the same words."""
        if self.kind is LegKind.APPLY:
            return str(self.instance)
        verb = "destroy" if self.kind is LegKind.DESTROY else "forget"
        return f"{self.instance} ({verb}{'' if self.deposed is None else f' deposed {self.deposed}'})"


def _names(instance: AbsResourceInstance) -> list[Name]:
    module, resource = instance.module.path, str(instance.resource)
    if instance.key is None:
        return [(module, resource)]
    return [(module, f"{resource}{key_text(instance.key)}"), (module, resource)]


class LegNode(InstanceNode):
    """A leg while its place in the order is being found. `declared` is where its instance is declared, if it (still)
    is; `recorded` is the provider the state names for it. `is_removal`: it has a place in the order of destroying."""

    def __init__(
        self,
        leg: Leg,
        declared: ResourceNode | None,
        recorded: AbsProviderConfig | None,
        *,
        is_removal: bool,
    ) -> None:
        super().__init__(leg.instance)
        self.leg = leg
        self.declared = declared
        self.provider: ProviderNode | None = None
        self.is_removal = is_removal
        self.in_module = not is_removal
        self.belongs_to_check = declared is not None and declared.belongs_to_check
        self._recorded = recorded

    @property
    def name(self) -> str:
        return str(self.leg)

    @property
    def block(self) -> ResourceBlock | None:
        return None if self.declared is None else self.declared.block

    def names(self) -> Iterable[Name]:
        return [] if self.is_removal else _names(self.instance)

    def needs(self, compiled: Compiled) -> Iterable[Node]:
        if self.provider is not None:
            yield self.provider
        if self.declared is not None and not self.is_removal:
            yield from compiled.waits_of(self.instance, self.declared, of_apply=self.leg.kind is LegKind.APPLY)
        yield from compiled.before(self)

    def provider_request(self) -> AbsProviderConfig | None:
        """Destroying data only drops it. Without a block only the very configuration that was recorded will do."""
        if self.leg.kind is LegKind.DESTROY and self.leg.deposed is None and not self.leg.is_managed:
            return None
        return self._recorded if self.declared is None else self.declared.provider_request()


class ResultNode(InstanceNode):
    """A leg while it is carried out, for whoever refers to its instance. The operations of the leg wait for what it
    waits for, so this node waits for them alone."""

    def __init__(self, instance: AbsResourceInstance, operation: Ref, *, belongs_to_check: bool) -> None:
        super().__init__(instance)
        self.belongs_to_check = belongs_to_check
        self.operation = operation

    def names(self) -> Iterable[Name]:
        return _names(self.instance)

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        """What went wrong is reported by the operations."""
        assert evaluation.execution is not None
        if not await evaluation.execution.succeeded(self.operation):
            raise Hindered(str(self.instance))
        return ()
