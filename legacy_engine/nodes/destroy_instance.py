"""Objects that are destroyed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from legacy_engine.build import BuildContext
from legacy_engine.capabilities import CreateBeforeDestroyAware, Destroyer, Executable, ProviderRequest
from legacy_engine.nodes.resource import ResourceInstanceVertex
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource import destroy
from shared_nodes.nodes.statements.removed import removed_statement_for

__all__ = ["DestroyDeposed", "DestroyInstance"]


class _Destroy(ResourceInstanceVertex, Destroyer, CreateBeforeDestroyAware, Executable):
    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        """Nobody waits for a destroy because of a name."""
        return []


class DestroyInstance(_Destroy):
    def __init__(self, instance: AbsResourceInstance, build: BuildContext) -> None:
        super().__init__(instance)
        self._build = build

    @property
    def name(self) -> str:
        return f"{self.instance} (destroy)"

    @property
    def create_before_destroy(self) -> bool:
        """As recorded with the object: with its block gone, nothing else could tell; and where it was forced by a
        dependent, the record says so."""
        if self.current is not None:
            return self.current.create_before_destroy
        return self.block is not None and bool(self.block.lifecycle.create_before_destroy)

    def provider_request(self) -> ProviderRequest | None:
        """Data is only dropped."""
        return super().provider_request() if self.address.resource.mode is ResourceMode.MANAGED else None

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        provider = self.provider or self.stored_provider
        assert provider is not None
        statement = removed_statement_for(self._build.removed, self.address)
        source = statement.block if self.block is None and statement is not None else self.block
        request = destroy.DestroyInstance(
            self.instance,
            provider,
            None,
            self.block,
            provisioners=() if source is None else source.provisioners,
            connection=None if source is None else source.connection,
        )
        return await destroy.destroy_instance(context, request)


class DestroyDeposed(_Destroy):
    """Always after its replacement: that is why it is deposed."""

    @property
    def create_before_destroy(self) -> bool:
        return True

    def __init__(self, instance: AbsResourceInstance, key: str) -> None:
        super().__init__(instance)
        self.deposed = key

    @property
    def name(self) -> str:
        return f"{self.instance} (destroy deposed {self.deposed})"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.provider is not None
        request = destroy.DestroyDeposed(self.instance, self.provider, None, self.block, deposed=self.deposed)
        return await destroy.destroy_deposed(context, request)
