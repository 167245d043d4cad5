"""`removed` statements: objects that are no longer configured, and whether they are destroyed or only forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.parse import parse_removed
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.config.blocks import RemovedBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.lang.source import Range
from shared_nodes.plan.targets import contains
from shared_nodes.record import record

__all__ = [
    "RemovedStatement",
    "all_forgotten_warning",
    "removed_destroys",
    "removed_statement_for",
    "removed_statements",
    "validate_removed",
]


@record
class RemovedStatement:
    """A `removed` block. `subject` is relative to the root, whichever module contains the block; `written` is relative
    to that module. If not the last of several statements counts, only the first about a subject is in force."""

    subject: ModulePath | ConfigResource
    written: ModulePath | ConfigResource
    destroy: bool
    block: RemovedBlock
    in_force: bool = True


def removed_statements(config: ConfigTree, flavour: Flavour) -> list[RemovedStatement]:
    """Return all statements; a module precedes those it calls."""
    found: list[RemovedStatement] = []
    subjects: set[ModulePath | ConfigResource] = set()
    for node in config.walk():
        for block in node.module.removed:
            relative = parse_removed(block.source, flavour)
            if isinstance(relative, Diagnostic):
                continue
            subject = _absolute(node.path, relative)
            destroy = flavour.removed_destroys_by_default if block.destroy is None else block.destroy
            in_force = flavour.last_removed_statement_counts or subject not in subjects
            found.append(RemovedStatement(subject, relative, destroy, block, in_force))
            subjects.add(subject)
    return found


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
        noun = "module" if isinstance(subject, ModulePath) else "resource"
        declared = _declaration(subject, config)
        if declared is None or not statement.in_force:
            continue
        if flavour.removed_problems_say_block:
            detail = (
                f"This statement declares a removal of the {noun} {subject}, but this {noun} block still exists in the "
                f"configuration. Please remove the {noun} block."
            )
            problems.append(error(f"Removed {noun} block still exists", detail, statement.block.range))
        else:
            detail = f"This statement declares that {subject} was removed, but it is still declared in configuration."
            problems.append(error(f"Removed {noun} still exists", detail, declared))
    return problems


def _declaration(subject: ModulePath | ConfigResource, config: ConfigTree) -> Range | None:
    if isinstance(subject, ModulePath):
        node = config.at(subject)
        return None if node is None or node.call is None else node.call.range
    block = config.resource(subject)
    return None if block is None else block.range


def removed_destroys(
    statements: Iterable[RemovedStatement], address: AbsResourceInstance, flavour: Flavour = TERRAFORM_1_11
) -> bool | None:
    """Return whether the statements about an object want it destroyed, or only forgotten; None if there are none.
    Unless the last of several counts, one that wants it forgotten is enough."""
    said = [
        statement.destroy for statement in statements if statement.in_force and contains(statement.subject, address)
    ]
    if not said:
        return None
    return said[-1] if flavour.last_removed_statement_counts else all(said)


def removed_statement_for(
    statements: Iterable[RemovedStatement], resource: ConfigResource, flavour: Flavour = TERRAFORM_1_11
) -> RemovedStatement | None:
    """Return the statement that may have provisioners to run when objects of a resource are destroyed: the last one
    about exactly this resource. Quirk `provisioners-by-the-written-address`: its address is taken from the root, even
    if a child module contains it. Quirk `provisioners-of-the-first-statement`: where the last of several statements
    counts, it is the first one, even if that is about the whole module and cannot have any."""
    if flavour.last_removed_statement_counts:
        return next((statement for statement in statements if contains(statement.subject, resource)), None)
    return next((statement for statement in reversed(tuple(statements)) if statement.written == resource), None)


def all_forgotten_warning(addresses: Sequence[AbsResourceInstance], flavour: Flavour) -> list[Diagnostic]:
    """Warn about all objects that will only be forgotten, unless there is a warning about each of them."""
    if not addresses or flavour.forgotten_objects_warn_one_by_one:
        return []
    items = "".join(f"\n - {address}" for address in addresses)
    return [
        warning(
            "Some objects will no longer be managed by Terraform",
            "If you apply this plan, Terraform will discard its tracking information for the following objects, but it "
            f"will not delete them:{items}\n\nAfter applying this plan, Terraform will no longer manage these objects. "
            "You will need to import them into Terraform to manage them again.",
        )
    ]
