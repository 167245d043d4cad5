"""Putting off what cannot be planned yet (C04), instead of refusing the plan.

Put off is a block whose number of instances is unknown, with all its objects as they are; a module call of which that
holds, with everything in it; and whatever is made from either, which marks on values tell. Nothing is planned for what
is put off, expressions see it as unknown, and outputs of the root made from it stay as they were. The plan says what it
left out, and applying it leaves out the same, even if by then more is known: nobody has agreed to more.
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
from shared_nodes.context.repetition import Repeatable, check_repetition, refers_to_itself
from shared_nodes.context.scope import ModuleScope
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.plan.change import DeferralReason, DeferredChange
from shared_nodes.values.marks import Marks
from shared_nodes.values.types import SetType

__all__ = ["Deferral"]


class Deferral:
    """What one operation puts off. `planned` are the addresses a plan has put off, which applying it goes by."""

    __slots__ = ("_context", "_planned", "addresses")

    def __init__(self, context: NodeContext, planned: frozenset[str] | None = None) -> None:
        self._context = context
        self._planned = planned
        self.addresses: set[str] = set()
        """Everything that expressions see as unknown, and outputs that are left alone: printed, each once."""

    def puts_off_resource(self, address: AbsResource, node: ConfigTree, block: ResourceBlock) -> bool:
        if self._planned is not None:
            return str(address) in self._planned and self._unsettle(address)
        if refers_to_itself(block) or not _is_unknown(self._context.scope(address.module), block):
            return False
        self._record(f"{address}[*]", node, block, DeferralReason.INSTANCES_UNKNOWN)
        return self._unsettle(address)

    def puts_off_call(self, parent: ModuleInstance, node: ConfigTree, call: ModuleCallBlock) -> bool:
        """`node` is what is called. It counts as called by nobody, so that nothing in it is looked at."""
        address = parent.child(call.name)
        if self._planned is not None:
            is_put_off = str(address) in self._planned
        else:
            is_put_off = _is_unknown(self._context.scope(parent), call)
        if not is_put_off:
            return False
        if self._planned is None:
            for text, inner, block in _beneath(f"{address}[*]", node):
                self._record(text, inner, block, DeferralReason.INSTANCES_UNKNOWN)
        none = Repetition.count(0) if call.count is not None else Repetition.for_each({})
        self._context.expander.register_call(parent, call.name, none)
        return self._unsettle(address)

    def puts_off_instance(
        self, instance: AbsResourceInstance, node: ConfigTree, block: ResourceBlock, marks: Marks
    ) -> bool:
        """One that is made from something put off. An object that exists stays, and can be seen as it is."""
        if not is_deferred(marks):
            return False
        self._record(str(instance), node, block, DeferralReason.PREREQUISITE)
        if self._context.working.current(instance) is None:
            self._unsettle(instance.containing)
        return True

    def puts_off_output(self, block: OutputBlock, marks: Marks) -> bool:
        """Of the root."""
        address = f"output.{block.name}"
        is_put_off = is_deferred(marks) if self._planned is None else address in self._planned
        if is_put_off:
            self.addresses.add(address)
        return is_put_off

    def holds_back(self, module: ModuleInstance) -> bool:
        """Whether it cannot be told if this module instance still exists."""
        return any(
            ModuleInstance(module.steps[:depth]).child(step.name) in self._context.unsettled
            for depth, step in enumerate(module.steps)
        )

    def _record(self, address: str, node: ConfigTree, block: ResourceBlock, reason: DeferralReason) -> None:
        provider = node.module.source_of(block.resource)
        self._context.deferred.append(DeferredChange(address, block.resource, provider, reason))

    def _unsettle(self, address: AbsResource | ModuleInstance) -> bool:
        self._context.unsettled.add(address)
        self.addresses.add(str(address))
        return True


def _beneath(prefix: str, node: ConfigTree) -> Iterator[tuple[str, ConfigTree, ResourceBlock]]:
    """Every block in a module, with a printed address for all of its instances there may be."""
    for resource, block in node.module.resources.items():
        yield f"{prefix}.{resource}{'[*]' if block.repetition else ''}", node, block
    for name, child in node.children.items():
        key = "[*]" if child.call is not None and child.call.repetition else ""
        yield from _beneath(f"{prefix}.module.{name}{key}", child)


def _is_unknown(scope: ModuleScope, block: Repeatable) -> bool:
    """Whether nothing is wrong with the number of instances but that it is not known yet."""
    expression = block.count if block.count is not None else block.for_each
    if expression is None:
        return False
    value, problems = scope.evaluate(expression)
    if has_errors(problems):
        return False
    is_known = value.is_wholly_known if isinstance(value.type, SetType) else value.is_known
    return not is_known and not has_errors(check_repetition(scope, block))
