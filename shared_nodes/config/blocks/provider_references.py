"""References to provider configurations: `provider = aws.west`, and the `providers` of a module call."""

from __future__ import annotations

from shared_nodes.config.blocks.model import PassedProvider, ProviderReference
from shared_nodes.config.syntax.provider_names import check_local_name
from shared_nodes.config.syntax.static_reference import static_reference, unquoted_reference
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.json_static import blamed_range

__all__ = ["read_passed_providers", "read_provider_reference"]

_SUMMARY = "Invalid provider configuration reference"


def read_provider_reference(given: tree.Expression, argument: str) -> tuple[ProviderReference | None, list[Diagnostic]]:
    """Read a reference; None if it is not one. `argument` is the argument's name as it appears in messages."""
    expression, problems = unquoted_reference(given)
    traversal = static_reference(expression)
    if isinstance(traversal, Diagnostic) or len(traversal.steps) > 1:
        detail = (
            f"The {argument} argument requires a provider type name, optionally followed by a period and then a "
            "configuration alias."
        )
        return None, [*problems, error(_SUMMARY, detail, given.range)]
    bad_name = check_local_name(traversal.root, traversal.root_range)
    if bad_name:
        return None, [*problems, *bad_name]
    if not traversal.steps:
        return ProviderReference(traversal.root, None, traversal.root_range, traversal.root_range), problems
    step = traversal.steps[0]
    if isinstance(step, tree.TraverseIndex):
        detail = "Provider name must either stand alone or be followed by a period and then a configuration alias."
        return None, [*problems, error(_SUMMARY, detail, step.range)]
    return ProviderReference(traversal.root, step.name, traversal.range, traversal.root_range), problems


def read_passed_providers(expression: tree.Expression) -> tuple[tuple[PassedProvider, ...], list[Diagnostic]]:
    """Read the `providers` argument. Faulty entries are left out."""
    if not isinstance(expression, tree.ObjectConstructor):
        return (), [error("Invalid expression", "A static map expression is required.", blamed_range(expression))]
    problems: list[Diagnostic] = []
    passed: dict[tuple[str, str | None], PassedProvider] = {}
    for item in expression.items:
        in_child, found = read_provider_reference(item.key, "providers")
        problems.extend(found)
        in_parent, found = read_provider_reference(item.value, "providers")
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
