"""The `depends_on` argument of resources, data sources, module calls and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared_nodes.addresses.references import parse_reference
from shared_nodes.context.scope import ModuleScope
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.tree import Traversal

__all__ = ["check_depends_on"]


def check_depends_on(scope: ModuleScope, depends_on: Sequence[Traversal]) -> list[Diagnostic]:
    """Check that each entry is a whole object. Whether it exists is only checked until a first error is found."""
    problems: list[Diagnostic] = []
    unrepeated = replace(scope, repetition={}) if depends_on else scope
    for traversal in depends_on:
        reference = parse_reference(traversal, scope.flavour)
        if isinstance(reference, Diagnostic):
            problems.append(reference)
            continue
        if reference.remaining:
            detail = (
                "References in depends_on must be to a whole object (resource, etc), not to an attribute of an object."
            )
            where = reference.remaining[0].range.through(reference.remaining[-1].range)
            problems.append(error("Invalid depends_on reference", detail, where))
        if not has_errors(problems):
            problems += unrepeated.check([reference])
    return problems
