"""Provider configurations: which block configures what a resource belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shared_nodes.addresses.module import ROOT_PATH, ModulePath

__all__ = ["BUILTIN", "AbsProviderConfig", "ProviderSource"]


@dataclass(frozen=True, slots=True)
class ProviderSource:
    """Where a provider comes from: `registry.terraform.io/hashicorp/null`."""

    host: str
    namespace: str
    type: str

    def __str__(self) -> str:
        return f"{self.host}/{self.namespace}/{self.type}"


BUILTIN: Final = ProviderSource("terraform.io", "builtin", "terraform")


@dataclass(frozen=True, slots=True)
class AbsProviderConfig:
    """One configuration of a provider: in a module of the tree, possibly under an alias."""

    source: ProviderSource
    module: ModulePath = ROOT_PATH
    alias: str | None = None

    def __str__(self) -> str:
        alias = f".{self.alias}" if self.alias else ""
        return self.module.prefix(f'provider["{self.source}"]{alias}')
