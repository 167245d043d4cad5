"""A resource block while only expressions are evaluated: a place in the order, its values are those of the state."""

from __future__ import annotations

from legacy_engine.nodes.resource import ResourceVertex

__all__ = ["EvalResource"]


class EvalResource(ResourceVertex):
    pass
