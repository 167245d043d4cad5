"""Calls of functions that do not exist, as messages describe them.

An expression by itself only knows which names there are. What the product says instead, about providers and namespaces,
replaces that where a whole expression of a configuration was evaluated; inside templates and `try` the plain message
stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shared_nodes.flavour import Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.suggestions import did_you_mean

__all__ = ["UNKNOWN_FUNCTION", "describe_missing_function", "explain_unknown_functions"]

UNKNOWN_FUNCTION = "Call to unknown function"


def describe_missing_function(name: str, functions: Iterable[str]) -> str:
    """Say that there is no such function, as far as the names of functions show why."""
    namespace, separator, own_name = name.rpartition("::")
    if not separator:
        return f'There is no function named "{name}".{did_you_mean(name, functions)}'
    if any(known.startswith(f"{namespace}::") for known in functions):
        return f'There is no function named "{own_name}" in namespace {namespace}::.'
    return f'There are no functions in namespace "{namespace}::".'


def explain_unknown_functions(problems: list[Diagnostic], flavour: Flavour) -> list[Diagnostic]:
    """Return the problems of one evaluation, those about unknown functions in the words of the product."""
    return [_explain(problem, flavour) for problem in problems]


def _explain(problem: Diagnostic, flavour: Flavour) -> Diagnostic:
    if problem.summary != UNKNOWN_FUNCTION or problem.evaluated is None:
        return problem
    call = problem.evaluated.expression
    assert isinstance(call, tree.Call)
    functions = problem.evaluated.scope.functions or {}
    if flavour.provider_functions_are_references:
        summary, detail = _explain_namespace(call.name) or (problem.summary, problem.detail)
        return replace(problem, summary=summary, detail=detail)
    if "::" in call.name:
        detail = _explain_provider(call.name, functions)
        return replace(problem, summary="Unknown provider function", detail=detail)
    namesake = next((known for known in functions if known.endswith(f"::{call.name}")), None)
    return problem if namesake is None else replace(problem, detail=f'{problem.detail} Did you mean "{namesake}"?')


def _explain_namespace(name: str) -> tuple[str, str] | None:
    namespace, separator, _ = name.partition("::")
    if not separator or namespace == "provider":
        return None
    if namespace == "core":
        own_name = name.rpartition("::")[2]
        return UNKNOWN_FUNCTION, f'There is no builtin (core::) function named "{own_name}".'
    return "Unknown function namespace", f'Function "{name}" does not exist within a valid namespace (provider,core)'


def _explain_provider(name: str, functions: Iterable[str]) -> str:
    namespace, _, own_name = name.rpartition("::")
    parts = namespace.split("::")
    if parts[0] != "provider":
        return (
            f'The function namespace "{parts[0]}" is not valid. Provider function calls must use the "provider::" '
            "namespace prefix."
        )
    if len(parts) < 2:
        return 'The function call must include the provider name after the "provider::" prefix.'
    if any(known.startswith(f"{namespace}::") for known in functions):
        return f'The function "{own_name}" is not available from the provider "{parts[1]}".'
    return (
        f'There is no function named "{name}". Ensure that provider name "{parts[1]}" is declared in this module\'s '
        f'required_providers block, and that this provider offers a function named "{own_name}".'
    )
