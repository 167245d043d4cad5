"""References to provider configurations: `provider = aws.west["a"]`, and the `providers` of a module call."""

from __future__ import annotations

from typing import Final

from shared_nodes.config.blocks.model import PassedProvider, ProviderReference
from shared_nodes.config.syntax.provider_names import check_local_name
from shared_nodes.config.syntax.static_reference import static_reference, unquoted_reference
from shared_nodes.flavour import Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.json_static import as_expression, blamed_range, literal_text, static_value
from shared_nodes.values.types import STRING, friendly_name

__all__ = ["read_passed_providers", "read_provider_reference"]

_SUMMARY: Final = "Invalid provider configuration reference"


def read_provider_reference(
    given: tree.Expression, argument: str, flavour: Flavour
) -> tuple[ProviderReference | None, list[Diagnostic]]:
    """Read a reference; None if it is not one. `argument` is the argument's name as it appears in messages."""
    written, key, problems = _split_key(given) if flavour.providers_repeat else (given, None, [])
    if has_errors(problems):
        return None, problems
    expression, found = unquoted_reference(written, flavour)
    problems += found
    traversal = static_reference(expression)
    longest = 2 if flavour.providers_repeat and key is None else 1
    if isinstance(traversal, Diagnostic) or len(traversal.steps) > longest:
        return None, [*problems, _unreadable(written, argument, flavour)]
    bad_name = check_local_name(traversal.root, traversal.root_range)
    if bad_name or has_errors(problems):
        return None, [*problems, *bad_name]
    for step, kind in zip(traversal.steps, (tree.TraverseAttribute, tree.TraverseIndex), strict=False):
        if not isinstance(step, kind):
            detail = "Provider name must either stand alone or be followed by a period and then a configuration alias."
            return None, [*problems, error(_SUMMARY, detail, step.range)]
    match traversal.steps:
        case (tree.TraverseAttribute(alias), tree.TraverseIndex(constant)):
            key = tree.Literal(traversal.range, constant)
        case (tree.TraverseAttribute(alias),):
            pass
        case _ if key is not None:
            detail = (
                "Provider assignment requires an alias when specifying an instance key, in the form of "
                "provider.name[instance_key]"
            )
            return None, [*problems, error(_SUMMARY, detail, traversal.range)]
        case _:
            return ProviderReference(traversal.root, None, traversal.root_range, traversal.root_range), problems
    return ProviderReference(traversal.root, alias, traversal.range, traversal.root_range, key), problems


def _split_key(given: tree.Expression) -> tuple[tree.Expression, tree.Expression | None, list[Diagnostic]]:
    """Split a computed key from the reference before it. A constant key is a part of the reference."""
    value, problems = static_value(given) if given.range.source.is_json else (None, [])
    if value is not None and (value.type is not STRING or value.is_null):
        detail = f"This value must be a string, but got {friendly_name(value.type)}."
        return given, None, [error("Expected string expression", detail, given.range)]
    expression, problems = as_expression(given)
    if isinstance(expression, tree.Index):
        return expression.collection, expression.key, problems
    return expression, None, problems


def _unreadable(written: tree.Expression, argument: str, flavour: Flavour) -> Diagnostic:
    if isinstance(written, tree.Template) and literal_text(written) is None:
        return error(_SUMMARY, "A provider configuration reference must not be given in quotes.", written.range)
    key = " and optional instance key" if flavour.providers_repeat else ""
    detail = (
        f"The {argument} argument requires a provider type name, optionally followed by a period and then a "
        f"configuration alias{key}."
    )
    return error(_SUMMARY, detail, written.range)


def read_passed_providers(
    expression: tree.Expression, flavour: Flavour
) -> tuple[tuple[PassedProvider, ...], list[Diagnostic]]:
    """Read the `providers` argument. Faulty entries are left out."""
    if not isinstance(expression, tree.ObjectConstructor):
        return (), [error("Invalid expression", "A static map expression is required.", blamed_range(expression))]
    problems: list[Diagnostic] = []
    passed: dict[tuple[str, str | None], PassedProvider] = {}
    for item in expression.items:
        in_child, found = read_provider_reference(item.key, "providers", flavour)
        problems.extend(found)
        in_parent, found = read_provider_reference(item.value, "providers", flavour)
        problems.extend(found)
        if in_child is None or in_parent is None:
            continue
        existing = passed.get(in_child.key)
        if existing is not None:
            where = existing.in_child.range.through(existing.in_parent.range)
            detail = (
                f"A provider configuration was already passed to {in_child} at {where}. Each child provider "
                "configuration can be assigned only once."
            )
            problems.append(error("Duplicate provider address", detail, item.value.range))
            continue
        passed[in_child.key] = PassedProvider(in_child, in_parent)
    return tuple(passed.values()), problems
