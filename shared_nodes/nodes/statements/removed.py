"""`removed` statements: objects that are no longer configured, and whether they are destroyed or only forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.parse import parse_removed
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.config.blocks import RemovedBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.plan.targets import contains

__all__ = [
    "RemovedStatement",
    "forgotten_warning",
    "is_forgotten",
    "removed_statement_for",
    "removed_statements",
    "validate_removed",
]


@dataclass(frozen=True, slots=True)
class RemovedStatement:
    """A `removed` block. `subject` is relative to the root, whichever module contains the block."""

    subject: ModulePath | ConfigResource
    destroy: bool
    block: RemovedBlock


def removed_statements(config: ConfigTree, flavour: Flavour) -> list[RemovedStatement]:
    """Return all statements. The first of several about the same subject counts; a module precedes those it calls."""
    found: dict[ModulePath | ConfigResource, RemovedStatement] = {}
    for node in config.walk():
        for block in node.module.removed:
            relative = parse_removed(block.source)
            if isinstance(relative, Diagnostic):
                continue
            subject = _absolute(node.path, relative)
            destroy = flavour.removed_destroys_by_default if block.destroy is None else block.destroy
            found.setdefault(subject, RemovedStatement(subject, destroy, block))
    return list(found.values())


def _absolute(module: ModulePath, relative: ModulePath | ConfigResource) -> ModulePath | ConfigResource:
    if isinstance(relative, ModulePath):
        return ModulePath((*module.names, *relative.names))
    return ConfigResource(ModulePath((*module.names, *relative.module.names)), relative.resource)


def validate_removed(
    statements: Sequence[RemovedStatement], config: ConfigTree, flavour: Flavour = TERRAFORM_1_11
) -> list[Diagnostic]:
    """Check, before anything is planned, that removed objects are no longer declared."""
    problems: list[Diagnostic] = []
    for statement in statements:
        subject = statement.subject
        if isinstance(subject, ModulePath):
            node = config.at(subject)
            declared = None if node is None or node.call is None else node.call.range
        else:
            block = config.resource(subject)
            declared = None if block is None else block.range
        if declared is not None:
            noun = "module" if isinstance(subject, ModulePath) else "resource"
            noun += " block" if flavour.removed_problems_say_block else ""
            detail = f"This statement declares that {subject} was removed, but it is still declared in configuration."
            problems.append(error(f"Removed {noun} still exists", detail, declared))
    return problems


def is_forgotten(statements: Iterable[RemovedStatement], address: AbsResourceInstance) -> bool:
    """Whether the object is removed from the state without being destroyed. One statement that says so is enough."""
    return any(not statement.destroy and contains(statement.subject, address) for statement in statements)


def removed_statement_for(statements: Iterable[RemovedStatement], resource: ConfigResource) -> RemovedStatement | None:
    """Return the statement about exactly this resource, which may have provisioners to run when its objects are
    destroyed."""
    return next((statement for statement in statements if statement.subject == resource), None)


def forgotten_warning(addresses: Sequence[AbsResourceInstance], flavour: Flavour = TERRAFORM_1_11) -> list[Diagnostic]:
    if not addresses:
        return []
    if flavour.forgotten_objects_warn_one_by_one:
        return [
            warning(
                "Resource will be removed from the state",
                f"After this plan is applied, the resource {address} will not be managed anymore by {flavour.product}."
                "\n\nIn case you want to manage the resource again, you will have to import it.",
            )
            for address in addresses
        ]
    items = "".join(f"\n - {address}" for address in addresses)
    return [
        warning(
            "Some objects will no longer be managed by Terraform",
            "If you apply this plan, Terraform will discard its tracking information for the following objects, but it "
            f"will not delete them:{items}\n\nAfter applying this plan, Terraform will no longer manage these objects. "
            "You will need to import them into Terraform to manage them again.",
        )
    ]
