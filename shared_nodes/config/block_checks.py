"""Static checks of blocks by their type: arguments and blocks they may hold, and rules between these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.config.content import BodyContent, ContentSchema, read_content
from shared_nodes.config.static_reference import reference_list, static_reference
from shared_nodes.config.version_constraint import parse_constraints, parse_version
from shared_nodes.diagnostics import Diagnostic, error
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.scope import EMPTY_SCOPE
from shared_nodes.lang.tree import Attribute, Block, Body
from shared_nodes.providers.builtin import block_of, is_builtin_type
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.types import BOOL, STRING

__all__ = ["check_block"]

_CORE_VERSION: Final = "1.11.4"

_RULE: Final = ContentSchema(required=("condition", "error_message"))
_LIFECYCLE: Final = ContentSchema(
    arguments=frozenset(("create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by")),
    blocks={"precondition": (), "postcondition": ()},
)
_RESOURCE_ARGUMENTS: Final = frozenset(("count", "for_each", "provider", "depends_on"))
_RESOURCE_BLOCKS: Final[Mapping[str, tuple[str, ...]]] = {
    "lifecycle": (),
    "connection": (),
    "provisioner": ("type",),
    "dynamic": ("type",),
}


def check_block(block: Block) -> list[Diagnostic]:
    """Everything wrong with the block's content; nothing for block types without rules here."""
    checker = _CHECKERS.get(block.type)
    return checker(block) if checker is not None else []


def _check_terraform(block: Block) -> list[Diagnostic]:
    schema = ContentSchema(
        arguments=frozenset(("required_version", "experiments", "language")),
        blocks={"required_providers": (), "provider_meta": ("provider",), "backend": ("type",), "cloud": ()},
    )
    content, problems = read_content(block.body, schema)
    attribute = content.attributes.get("required_version")
    return [*problems, *(_check_required_version(attribute) if attribute is not None else [])]


def _check_required_version(attribute: Attribute) -> list[Diagnostic]:
    value, problems = evaluate(attribute.expression, EMPTY_SCOPE)
    if problems:
        return problems
    subject = attribute.expression.range
    if value.type is not STRING or value.is_null:
        detail = "A string value is required for required_version."
        return [error("Invalid version constraint", detail, subject)]
    constraints = parse_constraints(value.payload)
    if constraints is None:
        detail = "This string does not use correct version constraint syntax."
        return [error("Invalid version constraint", detail, subject)]
    core = parse_version(_CORE_VERSION)
    assert core is not None
    if all(constraint.allows(core) for constraint in constraints):
        return []
    detail = (
        f"This configuration does not support Terraform version {_CORE_VERSION}. To proceed, either choose another "
        "supported Terraform version or update this version constraint. Version constraints are normally set for good "
        "reason, so updating the constraint may lead to other errors or unexpected behavior."
    )
    return [error("Unsupported Terraform Core version", detail, attribute.range)]


def _check_resource(block: Block) -> list[Diagnostic]:
    problems = _check_meta_arguments(block.body)
    for inner in block.body.blocks:
        if inner.type == "lifecycle":
            problems.extend(_check_lifecycle(inner))
    return [*problems, *_check_provider_arguments(block)]


def _check_meta_arguments(body: Body) -> list[Diagnostic]:
    problems: list[Diagnostic] = []
    if "count" in body.attributes and "for_each" in body.attributes:
        detail = (
            'The "count" and "for_each" meta-arguments are mutually-exclusive, only one should be used to be explicit '
            "about the number of resources to be created."
        )
        subject = body.attributes["for_each"].name_range
        problems.append(error('Invalid combination of "count" and "for_each"', detail, subject))
    if "depends_on" in body.attributes:
        problems.extend(reference_list(body.attributes["depends_on"].expression)[1])
    return problems


def _check_lifecycle(block: Block) -> list[Diagnostic]:
    content, problems = read_content(block.body, _LIFECYCLE)
    for name in ("create_before_destroy", "prevent_destroy"):
        if name in content.attributes:
            problems.extend(_check_flag(content.attributes[name]))
    changes = content.attributes.get("ignore_changes")
    if changes is not None and changes.expression.range.text != "all":
        problems.extend(reference_list(changes.expression)[1])
    for inner in content.blocks:
        problems.extend(read_content(inner.body, _RULE)[1])
    return problems


def _check_flag(attribute: Attribute) -> list[Diagnostic]:
    value, problems = evaluate(attribute.expression, EMPTY_SCOPE)
    if problems:
        return problems
    try:
        convert(value, BOOL)
    except ConversionError as failure:
        detail = f"Unsuitable value: {failure.message}"
        return [error("Unsuitable value type", detail, attribute.expression.start_range)]
    return []


def _check_provider_arguments(block: Block) -> list[Diagnostic]:
    """Arguments that are the provider's: known here for the builtin provider only."""
    if not is_builtin_type(block.labels[0]):
        return []
    mode = ResourceMode.MANAGED if block.type == "resource" else ResourceMode(block.type)
    provided = block_of(Resource(mode, block.labels[0], block.labels[1]))
    if provided is None:
        kind = {"resource": "resource type", "data": "data source"}.get(block.type, "ephemeral resource type")
        detail = f'The provider terraform.io/builtin/terraform does not support {kind} "{block.labels[0]}".'
        return [error(f"Invalid {kind}", detail, block.label_ranges[0])]
    settable = {name for name, attribute in provided.attributes.items() if attribute.optional or attribute.required}
    schema = ContentSchema(arguments=_RESOURCE_ARGUMENTS | settable, blocks=_RESOURCE_BLOCKS)
    _, problems = read_content(block.body, schema)
    for inner in block.body.blocks:
        if inner.type == "dynamic" and len(inner.labels) == 1:
            detail = f'Blocks of type "{inner.labels[0]}" are not expected here.'
            problems.append(error("Unsupported block type", detail, inner.label_ranges[0]))
    return problems


def _check_moved(block: Block) -> list[Diagnostic]:
    content, problems = read_content(block.body, ContentSchema(required=("from", "to")))
    return [*problems, *_check_static(content, "from", "to")]


def _check_import(block: Block) -> list[Diagnostic]:
    schema = ContentSchema(arguments=frozenset(("for_each", "provider")), required=("id", "to"))
    return read_content(block.body, schema)[1]


def _check_removed(block: Block) -> list[Diagnostic]:
    schema = ContentSchema(required=("from",), blocks={"lifecycle": (), "provisioner": ("type",), "connection": ()})
    content, problems = read_content(block.body, schema)
    return [*problems, *_check_static(content, "from")]


def _check_static(content: BodyContent, *names: str) -> list[Diagnostic]:
    outcomes = [static_reference(content.attributes[name].expression) for name in names if name in content.attributes]
    return [outcome for outcome in outcomes if isinstance(outcome, Diagnostic)]


def _check_check(block: Block) -> list[Diagnostic]:
    schema = ContentSchema(blocks={"data": ("type", "name"), "assert": ()})
    content, problems = read_content(block.body, schema)
    asserts = content.blocks_of("assert")
    if not asserts:
        detail = "Check blocks must have at least one assert block."
        problems.append(error("Zero assert blocks", detail, block.header_range))
    for inner in asserts:
        problems.extend(read_content(inner.body, _RULE)[1])
    return problems


_CHECKERS: Final[Mapping[str, Callable[[Block], list[Diagnostic]]]] = {
    "terraform": _check_terraform,
    "resource": _check_resource,
    "data": _check_resource,
    "ephemeral": _check_resource,
    "moved": _check_moved,
    "import": _check_import,
    "removed": _check_removed,
    "check": _check_check,
}
