"""Module calls: the instances of the called module."""

from __future__ import annotations

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.config.blocks import ModuleCallBlock
from shared_nodes.context.depends_on import check_depends_on
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.context.repetition import check_repetition, evaluate_repetition
from shared_nodes.lang.diagnostics import Diagnostic, has_errors

__all__ = ["expand_module_call"]


def expand_module_call(context: NodeContext, parent: ModuleInstance, call: ModuleCallBlock) -> list[Diagnostic]:
    """Register which instances of the called module exist, for one instance of the calling module. Validation sees
    every module at its address without keys, so it registers that single instance. Messages about unknown instances
    name the calling module: this is a quirk of the original."""
    scope = context.scope(parent)
    if context.operation is Operation.VALIDATE:
        problems = [*check_repetition(scope, call), *check_depends_on(scope, call.depends_on)]
        if not has_errors(problems):
            context.expander.register_call(parent, call.name, Repetition.single())
        return problems
    repetition, problems = evaluate_repetition(scope, call, str(parent))
    if repetition is not None:
        context.expander.register_call(parent, call.name, repetition)
    return problems
