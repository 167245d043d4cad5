"""`lifecycle` blocks of resources and modules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from shared_nodes.addresses.expression_references import references
from shared_nodes.addresses.references import (
    CountAttribute,
    EachAttribute,
    Reference,
    ResourceInstance,
)
from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.config.blocks.model import Condition, Lifecycle
from shared_nodes.config.blocks.rules import read_rule
from shared_nodes.config.syntax.content import BodyContent, ContentSchema, read_content
from shared_nodes.config.syntax.literals import constant_flag
from shared_nodes.config.syntax.static_reference import static_list, static_reference, unquoted_reference
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.json_static import as_expression, as_syntax, literal_text
from shared_nodes.lang.tree import Attribute, Block, Expression, Traversal
from shared_nodes.lang.type_constraint import keyword_of

__all__ = ["read_foreign_lifecycle", "read_managed_lifecycle", "read_module_lifecycle"]

_ARGUMENTS: Final = frozenset(("create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by"))
_CONDITIONS: Final[Mapping[str, tuple[str, ...]]] = {"precondition": (), "postcondition": ()}
_MODULE: Final = ContentSchema(frozenset(("enabled",)))


def _schema(flavour: Flavour) -> ContentSchema:
    """Return the schema for all kinds of resources. What some of them may not have is reported later."""
    further = {"enabled": flavour.lifecycle_enables_objects, "destroy": flavour.lifecycle_can_keep_objects}
    return ContentSchema(_ARGUMENTS.union(name for name, exists in further.items() if exists), blocks=_CONDITIONS)


def read_managed_lifecycle(
    block: Block, resource: Resource, flavour: Flavour, *, is_override: bool = False
) -> tuple[Lifecycle, list[Diagnostic]]:
    content, problems = read_content(block.body, _schema(flavour))
    attributes = content.attributes
    preconditions, postconditions = _read_rules(content, resource, flavour, is_override, problems)
    ignored, ignore_all = _read_ignore_changes(attributes.get("ignore_changes"), flavour, problems)
    lifecycle = Lifecycle(
        create_before_destroy=constant_flag(attributes.get("create_before_destroy"), flavour, problems),
        enabled=attributes.get("enabled"),
        prevent_destroy=_read_prevent_destroy(attributes.get("prevent_destroy"), flavour, problems),
        destroy=attributes["destroy"].expression if "destroy" in attributes else None,
        ignore_all_changes=ignore_all,
        ignore_changes=ignored,
        replace_triggered_by=_read_triggers(attributes.get("replace_triggered_by"), flavour, problems),
        preconditions=preconditions,
        postconditions=postconditions,
        range=block.header_range,
    )
    return lifecycle, problems


def read_foreign_lifecycle(
    block: Block, resource: Resource, flavour: Flavour, *, is_override: bool = False
) -> tuple[Lifecycle, list[Diagnostic]]:
    """Read the lifecycle of a data source or ephemeral resource. The engine does not manage these objects, so only
    conditions are allowed, and to disable the resource."""
    content, problems = read_content(block.body, _schema(flavour))
    enabled = content.attributes.get("enabled")
    refused = [attribute for attribute in content.attributes.values() if attribute is not enabled]
    is_ephemeral = resource.mode is ResourceMode.EPHEMERAL and flavour.ephemeral_blocks_read_as_resources
    for attribute in refused:
        problems.append(_refused_for_ephemeral(attribute, block) if is_ephemeral else _refused(attribute, resource))
    preconditions, postconditions = _read_rules(content, resource, flavour, is_override, problems)
    return Lifecycle(
        enabled=enabled, preconditions=preconditions, postconditions=postconditions, range=block.header_range
    ), problems


def _refused(attribute: Attribute, resource: Resource) -> Diagnostic:
    detail = (
        f'The lifecycle argument "{attribute.name}" is defined only for managed resources ("resource" blocks), and is '
        f"not valid for {resource.mode} resources."
    )
    return error(f"Invalid {resource.mode} resource lifecycle argument", detail, attribute.name_range)


def _refused_for_ephemeral(attribute: Attribute, block: Block) -> Diagnostic:
    detail = (
        f'The lifecycle argument "{attribute.name}" cannot be used in ephemeral resources. This is meant to be used '
        'strictly in "resource" blocks.'
    )
    return error("Invalid lifecycle configuration for ephemeral resource", detail, block.header_range)


def read_module_lifecycle(block: Block) -> tuple[Attribute | None, list[Diagnostic]]:
    """Return the argument that enables the module, the only one that there is."""
    content, problems = read_content(block.body, _MODULE)
    return content.attributes.get("enabled"), problems


def _read_prevent_destroy(
    attribute: Attribute | None, flavour: Flavour, problems: list[Diagnostic]
) -> Expression | None:
    if attribute is None:
        return None
    if not flavour.prevent_destroy_is_evaluated and constant_flag(attribute, flavour, problems) is None:
        return None
    return attribute.expression


def _read_rules(
    content: BodyContent, resource: Resource, flavour: Flavour, is_override: bool, problems: list[Diagnostic]
) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
    rules: dict[str, list[Condition]] = {"precondition": [], "postcondition": []}
    for inner in content.blocks:
        rule, found = read_rule(inner, flavour, resource, is_override=is_override)
        problems.extend(found)
        if rule is not None:
            rules[inner.type].append(rule)
    return tuple(rules["precondition"]), tuple(rules["postcondition"])


def _read_ignore_changes(
    attribute: Attribute | None, flavour: Flavour, problems: list[Diagnostic]
) -> tuple[tuple[Traversal, ...], bool]:
    """Return the paths to ignore, and whether everything is ignored. The word `all` is the only form of the latter;
    `["*"]` was one once."""
    if attribute is None:
        return (), False
    if keyword_of(as_syntax(attribute.expression)) == "all":
        return (), True
    items, found = static_list(attribute.expression)
    problems.extend(found)
    ignored: list[Traversal] = []
    wildcard: Expression | None = None
    for given in items:
        if literal_text(given) == "*":
            wildcard = given
            detail = (
                'The ["*"] form of ignore_changes wildcard is was deprecated and is now invalid. Use "ignore_changes = '
                'all" to ignore changes to all attributes.'
            )
            problems.append(error("Invalid ignore_changes wildcard", detail, attribute.expression.range))
            continue
        item, quoting = unquoted_reference(given, flavour)
        problems.extend(quoting)
        outcome = static_reference(item)
        if isinstance(outcome, Diagnostic):
            problems.append(outcome)
        else:
            ignored.append(outcome)
    if wildcard is not None and ignored:
        detail = 'Cannot mix wildcard string "*" with non-wildcard references.'
        problems.append(error("Invalid ignore_changes ruleset", detail, wildcard.range))
    return tuple(ignored), False


def _read_triggers(attribute: Attribute | None, flavour: Flavour, problems: list[Diagnostic]) -> tuple[Expression, ...]:
    """Return the triggers; in a flavour that leaves them to planning, those up to the first faulty one."""
    if attribute is None:
        return ()
    items, found = static_list(attribute.expression)
    problems.extend(found)
    if flavour.validation_checks_triggers:
        return _read_every_trigger(items, flavour, problems)
    triggers: list[Expression] = []
    for given in items:
        item, found = as_expression(given, flavour)
        problems.extend(found)
        triggers.extend([] if found else [item])
    for index, item in enumerate(triggers):
        found = _check_trigger(item, flavour)
        if found:
            problems.extend(found)
            return tuple(triggers[:index])
    return tuple(triggers)


def _read_every_trigger(
    items: Iterable[Expression], flavour: Flavour, problems: list[Diagnostic]
) -> tuple[Expression, ...]:
    """Return all triggers. In JSON, what follows an item that cannot be read is not checked: this is a quirk of the
    original."""
    triggers: list[Expression] = []
    found: list[Diagnostic] = []
    for given in items:
        item, unreadable = as_expression(given, flavour)
        found += unreadable
        if not (given.range.source.is_json and has_errors(found)):
            found += _check_trigger(item, flavour)
            triggers.append(item)
    problems.extend(found)
    return tuple(triggers)


def _check_trigger(item: Expression, flavour: Flavour) -> list[Diagnostic]:
    """Require exactly one resource, with nothing computed but its instance key. All problems point at the whole
    item."""
    found, malformed = references(item, flavour)
    if malformed:
        return [replace(problem, subject=item.range) for problem in malformed]
    problems = [error(*words, item.range) for one in found if (words := _describe_invalid_reference(one)) is not None]
    resources = sum(isinstance(reference.subject, Resource | ResourceInstance) for reference in found)
    if resources != 1:
        amount = "Multiple resource references" if resources else "Missing resource reference"
        detail = f"{amount} in replace_triggered_by expression."
        problems.append(error("Invalid replace_triggered_by expression", detail, item.range))
    return problems


def _describe_invalid_reference(reference: Reference) -> tuple[str, str] | None:
    match reference.subject:
        case Resource() | ResourceInstance() | CountAttribute("index") | EachAttribute("key"):
            return None
        case CountAttribute():
            kind, allowed = "count reference", "count.index"
        case EachAttribute():
            kind, allowed = "each reference", "each.key"
        case _:
            kind, allowed = "reference", "resources, count.index, and each.key"
    summary = f"Invalid {kind} in replace_triggered_by expression"
    return summary, f"Only {allowed} may be used in replace_triggered_by."
