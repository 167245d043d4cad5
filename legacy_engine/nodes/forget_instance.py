"""Objects that only leave the state."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.capabilities import Destroyer, Executable
from legacy_engine.nodes.resource import ResourceInstanceVertex
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource import forget

__all__ = ["ForgetDeposed", "ForgetInstance", "OrderedForgetDeposed", "OrderedForgetInstance"]


class ForgetInstance(ResourceInstanceVertex, Executable):
    """By itself it is ordered by references alone."""

    @property
    def name(self) -> str:
        return f"{self.instance} (forget)"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        return await forget.forget_instance(context, forget.ForgetInstance(self.instance))


class ForgetDeposed(ResourceInstanceVertex, Executable):
    def __init__(self, instance: AbsResourceInstance, key: str) -> None:
        super().__init__(instance)
        self.deposed = key

    @property
    def name(self) -> str:
        return f"{self.instance} (forget deposed {self.deposed})"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.provider is not None
        return await forget.forget_deposed(context, forget.ForgetDeposed(self.instance, self.provider, self.deposed))


class OrderedForgetInstance(ForgetInstance, Destroyer):
    """Takes the place in the order that destroying would have."""


class OrderedForgetDeposed(ForgetDeposed, Destroyer):
    """Likewise, and like a current object: nothing is created first."""
