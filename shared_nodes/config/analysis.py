"""What a configuration says about dependencies before anything is evaluated.

For each resource: which resources it refers to, directly or through values, modules and provider configurations; which
provider configuration serves it; what a read of it has to wait for; and in which order it asks to be replaced. It is
conservative: both arms of a conditional count, and all instances of whatever is named. It is plain data: what a
validation finds out about a configuration beside its mistakes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.resource import ConfigResource
from shared_nodes.addresses.resource_sets import ResourceSets

__all__ = ["ConfigAnalysis", "ResourceFacts"]


@dataclass(frozen=True, slots=True)
class ResourceFacts:
    """`direct` are the resources next to it: those it reaches without passing another one. `dependencies` are all it
    reaches; in a long chain these lists are far larger than everything else, so they are made when asked for."""

    address: ConfigResource
    provider: AbsProviderConfig | None
    direct: tuple[ConfigResource, ...]
    read_after: tuple[ConfigResource, ...]
    """For what is read and not managed: resources whose pending changes put off reading it."""

    creates_first: bool
    """Its block says that a replacement is created before it is destroyed."""

    _sets: ResourceSets = field(compare=False, repr=False)
    _below: int = field(compare=False, repr=False)

    @property
    def dependencies(self) -> tuple[ConfigResource, ...]:
        return self._sets.members(self._below)


@dataclass(frozen=True, slots=True)
class ConfigAnalysis:
    resources: Mapping[ConfigResource, ResourceFacts]

    def of(self, address: ConfigResource) -> ResourceFacts:
        return self.resources[address]

    def dependents(self, address: ConfigResource) -> list[ConfigResource]:
        """Resources next to it on the other side."""
        return [facts.address for facts in self.resources.values() if address in facts.direct]

    def providers(self) -> Mapping[AbsProviderConfig, list[ConfigResource]]:
        """Who uses which provider configuration."""
        found: dict[AbsProviderConfig, list[ConfigResource]] = {}
        for facts in self.resources.values():
            if facts.provider is not None:
                found.setdefault(facts.provider, []).append(facts.address)
        return found

    def text(self) -> str:
        """One paragraph a resource, sorted: what it uses, and below it what it refers to."""
        lines = []
        for address in sorted(self.resources, key=str):
            facts = self.resources[address]
            order = " (creates first)" if facts.creates_first else ""
            lines.append(f"{address}{order} by {facts.provider}")
            lines += [f"  refers to {other}" for other in facts.direct]
            lines += [f"  is read after {other}" for other in facts.read_after]
        return "".join(f"{line}\n" for line in lines)
