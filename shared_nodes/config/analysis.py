"""The dependencies a configuration declares, known before anything is evaluated.

For each resource, the analysis lists the resources it refers to, directly or through values, modules and provider
configurations; the provider configuration that serves it; what reading it has to wait for; and the order in which it
asks to be replaced. It is conservative: both arms of a conditional count, and a reference counts for all instances. It
is plain data, which a validation returns along with its diagnostics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.resource import ConfigResource
from shared_nodes.addresses.resource_sets import ResourceSets
from shared_nodes.record import record

__all__ = ["ConfigAnalysis", "ResourceFacts"]


@record
class ResourceFacts:
    """What the configuration states about one resource. `direct` are the resources it reaches without passing another
    one. `dependencies` are all that it reaches; in a long chain these lists are far larger than everything else, so
    they are computed on demand."""

    address: ConfigResource
    provider: AbsProviderConfig | None
    direct: tuple[ConfigResource, ...]
    read_after: tuple[ConfigResource, ...]
    """For a data source or ephemeral resource: the resources whose pending changes postpone reading it."""

    creates_first: bool
    """Its block sets create_before_destroy."""

    _sets: ResourceSets = field(compare=False, repr=False)
    _below: int = field(compare=False, repr=False)

    @property
    def dependencies(self) -> tuple[ConfigResource, ...]:
        return self._sets.members(self._below)


@record
class ConfigAnalysis:
    resources: Mapping[ConfigResource, ResourceFacts]

    def of(self, address: ConfigResource) -> ResourceFacts:
        return self.resources[address]

    def dependents(self, address: ConfigResource) -> list[ConfigResource]:
        """Return the resources that refer directly to this one."""
        return [facts.address for facts in self.resources.values() if address in facts.direct]

    def providers(self) -> Mapping[AbsProviderConfig, list[ConfigResource]]:
        """Return the resources that use each provider configuration."""
        found: dict[AbsProviderConfig, list[ConfigResource]] = {}
        for facts in self.resources.values():
            if facts.provider is not None:
                found.setdefault(facts.provider, []).append(facts.address)
        return found

    def text(self) -> str:
        """Format as one paragraph per resource, sorted: its provider, and below it what it refers to."""
        lines = []
        for address in sorted(self.resources, key=str):
            facts = self.resources[address]
            order = " (creates first)" if facts.creates_first else ""
            lines.append(f"{address}{order} by {facts.provider}")
            lines += [f"  refers to {other}" for other in facts.direct]
            lines += [f"  is read after {other}" for other in facts.read_after]
        return "".join(f"{line}\n" for line in lines)
