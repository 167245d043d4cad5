"""The published JSON form of a plan, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator

from harness.engines.providers import SCHEMAS
from shared_nodes.config.tree import ConfigTree
from shared_nodes.diagnostics import Diagnostic, error
from shared_nodes.flavour import Flavour
from shared_nodes.plan.document import plan_document
from shared_nodes.plan.plan import Plan
from shared_nodes.state.file import schema_of
from shared_nodes.state.model import State
from shared_nodes.values.json import Tree

__all__ = ["published_plan"]


def published_plan(plan: Plan, config: ConfigTree, flavour: Flavour) -> dict[str, Tree] | Diagnostic:
    """A plan that failed may hold objects nobody could read: those of a newer version of their provider. The original
    cannot show such a plan either."""
    for problem in _unreadable(plan.prior_state):
        return error("Failed to marshal plan to json", f"error marshaling prior state: {problem}")
    return plan_document(plan, config, SCHEMAS, flavour)


def _unreadable(state: State) -> Iterator[str]:
    for address, instance in state.instances():
        resource = state.resources[address.containing]
        schema = schema_of(SCHEMAS, resource.provider, address.resource)
        for stored in (instance.current, *instance.deposed.values()):
            if stored is None or stored.value is not None or schema is None or stored.stored_version == schema.version:
                continue
            yield (
                f"schema version {stored.stored_version} for {address} in state does not match version "
                f"{schema.version} from the provider"
            )
