"""The references of an expression, found without evaluating it."""

from __future__ import annotations

from shared_nodes.addresses.references import Reference, nameless_reference, parse_reference, provider_function
from shared_nodes.flavour import Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.references import free_traversals

__all__ = ["references"]


def references(
    expression: tree.Expression, flavour: Flavour, bound: frozenset[str] = frozenset()
) -> tuple[list[Reference], list[Diagnostic]]:
    """Return what an expression refers to. Names bound outside it, such as iterators of dynamic blocks, are not
    references."""
    found: list[Reference] = []
    problems: list[Diagnostic] = []
    for traversal in free_traversals(expression):
        if traversal.root in bound:
            continue
        outcome = parse_reference(traversal, flavour)
        if not isinstance(outcome, Diagnostic):
            found.append(outcome)
            continue
        problems.append(outcome)
        nameless = nameless_reference(traversal, flavour)
        found.extend([] if nameless is None else [nameless])
    if flavour.provider_functions_are_references:
        for part in tree.walk(expression):
            function = provider_function(part) if isinstance(part, tree.Call) else None
            if isinstance(function, Reference):
                found.append(function)
            elif function is not None:
                problems.append(function)
    return found, problems
