"""Checks the arguments of module calls against the variables of the called modules."""

from __future__ import annotations

from shared_nodes.config.content import ContentSchema, read_content, split_content
from shared_nodes.config.overrides import OverriddenBody
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["check_module_arguments"]


def check_module_arguments(root: ConfigTree) -> list[Diagnostic]:
    """Report the problems of the first faulty call only, since the original stops there. Calls inside a module are
    checked before the call of that module."""
    for name in sorted(root.children):
        problems = check_module_arguments(root.children[name]) or _check_call(root.children[name])
        if problems:
            return problems
    return []


def _check_call(node: ConfigTree) -> list[Diagnostic]:
    assert node.call is not None
    variables = node.module.variables
    required = tuple(sorted(name for name, variable in variables.items() if variable.default is None))
    schema = ContentSchema(frozenset(variables), required)
    body = node.call.body
    if isinstance(body, OverriddenBody):
        return split_content(body.base, schema)[2]
    return read_content(body, schema)[1]
