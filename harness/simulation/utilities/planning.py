"""Planned changes, by the rules of the plugin framework.

First defaults take the place of what is not configured. If the result differs from the prior object, computed
attributes that are not configured become unknown, unless an update keeps them. Only then is it decided which attributes
force a replacement.
"""

from __future__ import annotations

from harness.simulation.problems import block_error
from harness.simulation.utilities.definition import Attribute, Object, RefusalError, ResourceType
from shared_nodes.providers.contract import PlanRequest, PlanResponse
from shared_nodes.values.paths import AttributeStep
from shared_nodes.values.raw_equality import raw_equals
from shared_nodes.values.value import Value, object_of, unknown

__all__ = ["plan_change"]


def plan_change(definition: ResourceType, request: PlanRequest) -> PlanResponse:
    if request.proposed.is_null:
        return PlanResponse(request.proposed)
    config: Object = request.config.payload
    prior: Object | None = None if request.prior.is_null else request.prior.payload
    planned = {
        name: _with_default(attribute, config[name], request.proposed.payload[name])
        for name, attribute in definition.attributes.items()
    }
    if prior is None or not raw_equals(object_of(planned), request.prior):
        for name, attribute in definition.attributes.items():
            planned[name] = _computed(attribute, config[name], planned[name], None if prior is None else prior[name])
    try:
        settled = definition.settle(config, planned)
    except RefusalError as problem:
        return PlanResponse(None, problems=[block_error(problem.summary, problem.detail)])
    return PlanResponse(object_of(settled), requires_replace=_replaced(definition, config, settled, prior))


def _with_default(attribute: Attribute, config: Value, proposed: Value) -> Value:
    return attribute.default if attribute.default is not None and config.is_null else proposed


def _computed(attribute: Attribute, config: Value, planned: Value, prior: Value | None) -> Value:
    if not attribute.schema.computed or attribute.default is not None or not config.is_null:
        return planned
    if attribute.is_kept and prior is not None and not prior.is_null:
        return prior
    return unknown(planned.type)


def _replaced(
    definition: ResourceType, config: Object, planned: Object, prior: Object | None
) -> tuple[tuple[AttributeStep], ...]:
    if prior is None:
        return ()
    names = sorted(definition.attributes)
    rules = {name: definition.attributes[name].replaces for name in names}
    return tuple(
        (AttributeStep(name),)
        for name, rule in rules.items()
        if rule is not None
        and not raw_equals(planned[name], prior[name])
        and rule(planned[name], config[name], prior[name])
    )
