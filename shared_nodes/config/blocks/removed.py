"""`removed` blocks: objects that are no longer configured, and what happens to them."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.parse import parse_removed
from shared_nodes.config.blocks.model import ProvisionerBlock, ProvisionerWhen, RemovedBlock
from shared_nodes.config.blocks.provisioner import read_provisioner
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.literals import constant_flag
from shared_nodes.config.syntax.static_reference import static_reference
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors, warning
from shared_nodes.lang.tree import Attribute, Block, Traversal
from shared_nodes.record import record

__all__ = ["read_removed"]

_SCHEMA: Final = ContentSchema(required=("from",), blocks={"connection": (), "lifecycle": (), "provisioner": ("type",)})
_STRICT_SCHEMA: Final = ContentSchema(required=("from",), blocks={"lifecycle": (), "provisioner": ("type",)})
_LIFECYCLE: Final = ContentSchema(arguments=frozenset(("destroy",)))


@record(frozen=False)
class _Reading:
    """What has been read from a `removed` block so far. `is_about_module` is None if its address is faulty."""

    block: Block
    flavour: Flavour
    problems: list[Diagnostic]
    is_about_module: bool | None
    destroy: bool | None = None
    lifecycle: Block | None = None
    connection: Block | None = None
    provisioners: list[ProvisionerBlock] = field(default_factory=list)


def read_removed(block: Block, flavour: Flavour) -> tuple[RemovedBlock | None, list[Diagnostic]]:
    content, problems = read_content(block.body, _STRICT_SCHEMA if flavour.removed_blocks_are_strict else _SCHEMA)
    source, is_about_module = _read_source(content.attributes.get("from"), flavour, problems)
    reading = _Reading(block, flavour, problems, is_about_module)
    for inner in content.blocks:
        match inner.type:
            case "lifecycle":
                _read_lifecycle(reading, inner)
            case "provisioner":
                _read_provisioner(reading, inner)
            case _:
                _read_connection(reading, inner)
    if not flavour.removed_destroys_by_default and not has_errors(problems):
        problems.extend(_forgetting_warnings(reading))
    if source is None:
        return None, problems
    connection = None if reading.connection is None else reading.connection.body
    statement = RemovedBlock(source, reading.destroy, tuple(reading.provisioners), connection, block.header_range)
    return statement, problems


def _read_source(
    attribute: Attribute | None, flavour: Flavour, problems: list[Diagnostic]
) -> tuple[Traversal | None, bool | None]:
    """Return the address, and whether it is a module."""
    if attribute is None:
        return None, None
    traversal = static_reference(attribute.expression)
    if isinstance(traversal, Diagnostic):
        problems.append(traversal)
        return None, None
    target = parse_removed(traversal, flavour)
    if isinstance(target, Diagnostic):
        problems.append(target)
        return None, None
    return traversal, isinstance(target, ModulePath)


def _read_lifecycle(reading: _Reading, inner: Block) -> None:
    if reading.lifecycle is not None and reading.flavour.removed_blocks_are_strict:
        detail = f"The removed block already has a lifecycle block at {reading.lifecycle.header_range}."
        reading.problems.append(error("Duplicate lifecycle block", detail, inner.header_range))
        return
    reading.lifecycle = inner
    lifecycle, found = read_content(inner.body, _LIFECYCLE)
    reading.problems.extend(found)
    flag = constant_flag(lifecycle.attributes.get("destroy"), reading.flavour, reading.problems)
    reading.destroy = reading.destroy if flag is None else flag


def _read_connection(reading: _Reading, inner: Block) -> None:
    if reading.is_about_module is not False:
        detail = "Provisioner connection configuration is valid only when a removed block targets a managed resource."
        reading.problems.append(error("Invalid connection block", detail, inner.header_range))
    elif reading.connection is not None:
        detail = f'This "removed" block already has a connection block at {reading.connection.header_range}.'
        reading.problems.append(error("Duplicate connection block", detail, inner.header_range))
    else:
        reading.connection = inner


def _read_provisioner(reading: _Reading, inner: Block) -> None:
    has_own_words = reading.flavour.removed_problems_say_block
    if reading.is_about_module is not False and not has_own_words:
        detail = "Provisioners are valid only when a removed block targets a managed resource."
        reading.problems.append(error("Invalid provisioner block", detail, inner.header_range))
        return
    provisioner, found = read_provisioner(inner, reading.flavour)
    reading.problems.extend(found)
    if provisioner is None:
        return
    refuse = _refuse_provisioner if has_own_words else _refuse_create_time
    problem = refuse(reading, inner, provisioner)
    reading.problems.extend([] if problem is None else [problem])
    reading.provisioners.append(provisioner)


def _refuse_create_time(_reading: _Reading, inner: Block, provisioner: ProvisionerBlock) -> Diagnostic | None:
    if provisioner.when is ProvisionerWhen.DESTROY:
        return None
    detail = (
        'Only destroy-time provisioners are valid in "removed" blocks. To declare a destroy-time provisioner, use:\n'
        "    when = destroy"
    )
    return error("Invalid provisioner block", detail, inner.header_range)


def _refuse_provisioner(reading: _Reading, inner: Block, provisioner: ProvisionerBlock) -> Diagnostic | None:
    if provisioner.when is not ProvisionerWhen.DESTROY:
        detail = '"removed" blocks can only contain destroy provisioners. "removed.provisioner.when = destroy" expected'
        return error('Invalid "removed.provisioner" block', detail, inner.header_range)
    if reading.is_about_module:
        detail = (
            '"removed" blocks containing "provisioner"s can only target resources. Found one block that is targeting '
            "a module"
        )
        return error('Invalid "removed" block', detail, reading.block.header_range)
    return None


def _forgetting_warnings(reading: _Reading) -> list[Diagnostic]:
    """Where forgetting is the default, warn about a block that does not say what to do, since other products would
    destroy; and about one whose provisioners have no chance to run."""
    if reading.destroy is None:
        detail = (
            "It is recommended for each 'removed' block configured to have also the 'lifecycle' block defined. By not "
            "specifying if the resource should be destroyed or not, could lead to unwanted behavior."
        )
        return [warning("Missing lifecycle from the removed block", detail, reading.block.header_range)]
    if reading.destroy or not reading.provisioners:
        return []
    detail = (
        "The 'removed' block has marked the resource to be forgotten and not destroyed. Therefore, the provisioners "
        "configured for it will not be executed."
    )
    return [warning("Removed block provisioners will not be executed", detail, reading.block.header_range)]
