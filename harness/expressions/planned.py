"""Values of resources about to be created, for expressions that refer to them.

Only `terraform_data`, and only with nothing existing yet: that is what the corpus asks about values that are unknown
until apply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shared_nodes.addresses.resource import Resource
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.module import Module
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.tree import Expression
from shared_nodes.operations.module_evaluator import ModuleEvaluator
from shared_nodes.providers.builtin import planned_terraform_data
from shared_nodes.values.number import to_int
from shared_nodes.values.types import DYNAMIC
from shared_nodes.values.value import Value, integer, null, object_of, tuple_of

__all__ = ["planned_resources"]

Evaluate = Callable[[Expression], tuple[Value, list[Diagnostic]]]


def planned_resources(module: Module, evaluator: ModuleEvaluator) -> Mapping[Resource, Value]:
    """Every declared resource as a fresh plan shows it: an object, or a tuple or object of instances."""
    return {resource: _resource(declaration, evaluator) for resource, declaration in module.resources.items()}


def _resource(declaration: ResourceBlock, evaluator: ModuleEvaluator) -> Value:
    if declaration.count is not None:
        count, _ = evaluator.evaluate(declaration.count)
        indices = [integer(index) for index in range(to_int(count.payload))]
        instances = [_instance(declaration, evaluator, "count", {"index": index}) for index in indices]
        return tuple_of(instances)
    if declaration.for_each is not None:
        each, _ = evaluator.evaluate(declaration.for_each)
        members = {key.payload: {"key": key, "value": value} for key, value in each.elements()}
        return object_of({key: _instance(declaration, evaluator, "each", m) for key, m in members.items()})
    return _instance(declaration, evaluator, "", {})


def _instance(
    declaration: ResourceBlock, evaluator: ModuleEvaluator, root: str, repetition: Mapping[str, Value]
) -> Value:
    attributes = declaration.body.attributes

    def read(name: str) -> Value:
        if name not in attributes:
            return null(DYNAMIC)
        value, _ = evaluator.evaluate(attributes[name].expression, {root: repetition} if root else None)
        return value

    return planned_terraform_data(read("input"), read("triggers_replace"))
