"""Deferring what cannot be planned yet (C04), instead of refusing the plan.

Three kinds of things are deferred: a block whose number of instances is unknown, whose objects stay as they are; a
module call with an unknown number of instances, with everything in it; and whatever is computed from either, as marks
on values show. Nothing is planned for what is deferred, expressions see it as unknown, and outputs of the root computed
from it stay as they were. The plan lists what it left out, and applying it leaves out the same, even if more is known
by then: only the listed plan was approved.
"""

from __future__ import annotations

from collections.abc import Iterator

from new_engine.compat.exact_dependencies.marks import is_deferred
from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance
from shared_nodes.config.blocks import ModuleCallBlock, OutputBlock, ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import Repeatable, check_repetition, deciding_argument, refers_to_itself
from shared_nodes.context.scope import ModuleScope
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.plan.change import DeferralReason, DeferredChange
from shared_nodes.values.marks import Marks
from shared_nodes.values.types import SetType

__all__ = ["Deferral"]


class Deferral:
    """What one operation defers. `planned` are the addresses that a plan has deferred; applying it uses exactly
    these."""

    __slots__ = ("_context", "_planned", "addresses")

    def __init__(self, context: NodeContext, planned: frozenset[str] | None = None) -> None:
        self._context = context
        self._planned = planned
        self.addresses: set[str] = set()
        """Printed addresses of everything that expressions see as unknown, and of outputs that keep their value."""

    def defers_resource(self, address: AbsResource, tree: ConfigTree, block: ResourceBlock) -> bool:
        if self._planned is not None:
            return str(address) in self._planned and self._mark_unsettled(address)
        if refers_to_itself(block) or not _is_unknown(self._context.scope(address.module), block):
            return False
        self._record(f"{address}[*]", tree, block, DeferralReason.INSTANCES_UNKNOWN)
        return self._mark_unsettled(address)

    def defers_call(self, parent: ModuleInstance, tree: ConfigTree, call: ModuleCallBlock) -> bool:
        """Whether a module call is deferred; `tree` is the called module. Such a call counts as having no instances, so
        that nothing in the module is evaluated."""
        address = parent.child(call.name)
        if self._planned is not None:
            deferred = str(address) in self._planned
        else:
            deferred = _is_unknown(self._context.scope(parent), call)
        if not deferred:
            return False
        if self._planned is None:
            for text, inner, block in _blocks_below(f"{address}[*]", tree):
                self._record(text, inner, block, DeferralReason.INSTANCES_UNKNOWN)
        self._context.expander.register_call(parent, call.name, _no_instances(call))
        return self._mark_unsettled(address)

    def defers_instance(
        self, instance: AbsResourceInstance, tree: ConfigTree, block: ResourceBlock, marks: Marks
    ) -> bool:
        """Whether an instance is computed from something that is deferred. An existing object stays, and expressions
        see it."""
        if not is_deferred(marks):
            return False
        self._record(str(instance), tree, block, DeferralReason.PREREQUISITE)
        if self._context.working.current(instance) is None:
            self._mark_unsettled(instance.containing)
        return True

    def defers_output(self, block: OutputBlock, marks: Marks) -> bool:
        """Whether an output of the root is deferred."""
        address = f"output.{block.name}"
        deferred = is_deferred(marks) if self._planned is None else address in self._planned
        if deferred:
            self.addresses.add(address)
        return deferred

    def defers_module(self, module: ModuleInstance) -> bool:
        """Whether it is unknown if this module instance still exists."""
        return any(
            ModuleInstance(module.steps[:depth]).child(step.name) in self._context.unsettled
            for depth, step in enumerate(module.steps)
        )

    def _record(self, address: str, tree: ConfigTree, block: ResourceBlock, reason: DeferralReason) -> None:
        provider = tree.module.source_of(block.resource)
        self._context.deferred.append(DeferredChange(address, block.resource, provider, reason))

    def _mark_unsettled(self, address: AbsResource | ModuleInstance) -> bool:
        self._context.unsettled.add(address)
        self.addresses.add(str(address))
        return True


def _blocks_below(prefix: str, tree: ConfigTree) -> Iterator[tuple[str, ConfigTree, ResourceBlock]]:
    """Return every block in a module, each with a printed address for all instances it may have."""
    for resource, block in tree.module.resources.items():
        yield f"{prefix}.{resource}{'[*]' if block.repetition else ''}", tree, block
    for name, child in tree.children.items():
        key = "[*]" if child.call is not None and child.call.repetition else ""
        yield from _blocks_below(f"{prefix}.module.{name}{key}", child)


def _no_instances(block: Repeatable) -> Repetition:
    if block.count is not None:
        return Repetition.count(0)
    return Repetition.for_each({}) if block.for_each is not None else Repetition.enabled(False)


def _is_unknown(scope: ModuleScope, block: Repeatable) -> bool:
    """Whether the number of instances is valid but not known yet."""
    expression = deciding_argument(block)
    if expression is None:
        return False
    value, problems = scope.evaluate(expression)
    if has_errors(problems):
        return False
    if expression is block.enabled and value.marks:
        return False
    is_known = value.is_wholly_known if isinstance(value.type, SetType) else value.is_known
    return not is_known and not has_errors(check_repetition(scope, block))
