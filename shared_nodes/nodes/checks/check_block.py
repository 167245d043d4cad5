"""Check blocks: assertions that warn, and a data resource of their own.

A failure in a check block is a warning and never stops anything. The nested data resource is read by the node for data
resources, which reports to the same check.
"""

from __future__ import annotations

from dataclasses import replace

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.config.blocks import CheckBlock
from shared_nodes.context.check_results import CheckKind, CheckStatus
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.checks.conditions import Checkable, check_rules, validate_rule_references
from shared_nodes.record import record

__all__ = ["CheckRequest", "check_checkable", "evaluate_check"]


@record
class CheckRequest:
    module: ModuleInstance
    block: CheckBlock


def check_checkable(module: ModuleInstance, name: str) -> Checkable:
    return CheckKind.CHECK, module.path.prefix(f"check.{name}"), module.prefix(f"check.{name}")


def evaluate_check(context: NodeContext, request: CheckRequest) -> list[Diagnostic]:
    """Evaluate the assertions, unless the data they are about could not be read. Validation checks references and
    messages only."""
    block = request.block
    scope = replace(context.scope(request.module), in_check=block.name)
    if context.operation is Operation.VALIDATE:
        return validate_rule_references(block.asserts, scope)
    checkable = check_checkable(request.module, block.name)
    _, config_address, address = checkable
    if context.checks.status_of(config_address, address) in (CheckStatus.FAIL, CheckStatus.ERROR):
        return []
    return check_rules(context, checkable, "assertion", block.asserts, scope, as_warning=True)
