"""Diagnostics of a provider, with a source range and the address of the object they are about.

A provider sees values, not files: it refers to an attribute by its path, or to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shared_nodes.flavour import Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.nodes.body.attribute_ranges import attribute_range

__all__ = ["attributed", "deferral_problems"]


def attributed(problems: Iterable[Diagnostic], body: tree.Body | None, address: object) -> list[Diagnostic]:
    """Add address and range to diagnostics that have a path, even the empty path of the whole block. Others are not
    about any part of the configuration. Without a body (the block was removed) all are returned unchanged."""
    if body is None:
        return list(problems)
    return [
        problem
        if problem.attribute is None
        else replace(problem, address=str(address), subject=problem.subject or attribute_range(body, problem.attribute))
        for problem in problems
    ]


def deferral_problems(deferred: bool, address: object, flavour: Flavour) -> list[Diagnostic]:
    """Report that a provider puts an action off. No engine allows that, and not every product notices it."""
    if not deferred or not flavour.deferred_actions_are_refused:
        return []
    detail = (
        f'The provider signaled a deferred action for "{address}", but in this context deferrals are disabled. This is '
        "a bug in the provider, please file an issue with the provider developers."
    )
    return [error(f"Provider deferred changes when {flavour.product} did not allow deferrals", detail)]
