"""Values of resources that are about to be created, for expressions that refer to them.

Only `terraform_data` with an empty state is supported: this is how the corpus gets values that are unknown until apply.
"""

from __future__ import annotations

from collections.abc import Mapping

from shared_nodes.addresses.resource import Resource
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.module import Module
from shared_nodes.operations.module_evaluator import ModuleEvaluator
from shared_nodes.providers.builtin import planned_terraform_data
from shared_nodes.values.number import to_int
from shared_nodes.values.types import DYNAMIC
from shared_nodes.values.value import Value, integer, null, object_of, tuple_of

__all__ = ["planned_resources"]


def planned_resources(module: Module, evaluator: ModuleEvaluator) -> Mapping[Resource, Value]:
    """Return every declared resource as a first plan shows it: an object, or a tuple or object of instances."""
    return {resource: _plan_resource(declaration, evaluator) for resource, declaration in module.resources.items()}


def _plan_resource(declaration: ResourceBlock, evaluator: ModuleEvaluator) -> Value:
    if declaration.count is not None:
        count, _ = evaluator.evaluate(declaration.count)
        indices = [integer(index) for index in range(to_int(count.payload))]
        instances = [_plan_instance(declaration, evaluator, "count", {"index": index}) for index in indices]
        return tuple_of(instances)
    if declaration.for_each is not None:
        each, _ = evaluator.evaluate(declaration.for_each)
        members = {key.payload: {"key": key, "value": value} for key, value in each.elements()}
        return object_of({key: _plan_instance(declaration, evaluator, "each", m) for key, m in members.items()})
    return _plan_instance(declaration, evaluator, "", {})


def _plan_instance(
    declaration: ResourceBlock, evaluator: ModuleEvaluator, root: str, repetition: Mapping[str, Value]
) -> Value:
    attributes = declaration.body.attributes

    def read(name: str) -> Value:
        if name not in attributes:
            return null(DYNAMIC)
        value, _ = evaluator.evaluate(attributes[name].expression, {root: repetition} if root else None)
        return value

    return planned_terraform_data(read("input"), read("triggers_replace"))
