"""An engine as a package: the graph engine, but for one thing. It refuses to apply a plan that destroys objects.

After `pip install examples/engine` it is an engine like ours:

    diffharness engine cautious plan DIR
    diffharness run PATH --engines legacy,cautious
"""

from __future__ import annotations

from legacy_engine import api
from shared_nodes.lang.diagnostics import error
from shared_nodes.operations.engine import ApplyResult, EngineRequest, PlanResult, ValidateResult
from shared_nodes.plan.change import Action

KNOWN_CHANGES: frozenset[str] = frozenset()
"""The intended changes that the engine can adopt (`--change`): none."""


async def validate(request: EngineRequest) -> ValidateResult:
    return await api.validate(request)


async def plan(request: EngineRequest) -> PlanResult:
    """Plan. A result without a plan has an error that says why."""
    return await api.plan(request)


async def apply(request: EngineRequest) -> ApplyResult:
    """Apply `request.plan`. The result has the whole new state, whatever happened."""
    assert request.plan is not None, "only a plan can be applied"
    for change in request.plan.changes.resources.values():
        if change.action is Action.DELETE:
            problem = error("Destruction refused", f"{change.address} would be destroyed, and this engine is cautious.")
            return ApplyResult((problem,), request.state)
    return await api.apply(request)
