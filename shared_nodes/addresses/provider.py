"""Provider configurations: which `provider` block configures the resources of a provider, and which of the instances
of that block manages an object."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from shared_nodes.addresses.key import InstanceKey, key_text
from shared_nodes.addresses.module import ROOT_PATH, ModulePath
from shared_nodes.record import record

__all__ = ["BUILTIN", "AbsProviderConfig", "ProviderInstance", "ProviderSource"]


@record
class ProviderSource:
    """Where a provider comes from: `registry.terraform.io/hashicorp/null`.

    The hash is cached, because the schemas of all resources are looked up by source.
    """

    host: str
    namespace: str
    type: str
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash((self.host, self.namespace, self.type)))
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the cached hash: string hashes differ between processes."""
        return ProviderSource, (self.host, self.namespace, self.type)

    def __str__(self) -> str:
        return f"{self.host}/{self.namespace}/{self.type}"


BUILTIN: Final = ProviderSource("terraform.io", "builtin", "terraform")


@record
class AbsProviderConfig:
    """One configuration of a provider, in a module of the tree, possibly with an alias. The hash is cached."""

    source: ProviderSource
    module: ModulePath = ROOT_PATH
    alias: str | None = None
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash((self.source, self.module, self.alias)))
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return AbsProviderConfig, (self.source, self.module, self.alias)

    def __str__(self) -> str:
        alias = f".{self.alias}" if self.alias else ""
        return self.module.prefix(f'provider["{self.source}"]{alias}')


@record
class ProviderInstance:
    """One instance of a provider configuration: the one with this key, or the only one."""

    config: AbsProviderConfig
    key: InstanceKey = None

    @property
    def source(self) -> ProviderSource:
        return self.config.source

    def __str__(self) -> str:
        return f"{self.config}{key_text(self.key)}"
