"""Calls of functions that do not exist: what an expression says, and what each product makes of it."""

from __future__ import annotations

import pytest

from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.function import Function
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Source
from shared_nodes.lang.try_can import TRY
from shared_nodes.lang.unknown_functions import explain_unknown_functions
from shared_nodes.values.types import STRING
from shared_nodes.values.value import string

UPPER = Function("upper", (), STRING, lambda _arguments, _type: string("A"))
NAMES = ("upper", "core::upper", "provider::terraform::encode_expr")


def answer(text: str, flavour: Flavour) -> str:
    expression, _ = parse_expression(Source("test", text))
    assert expression is not None
    scope = Scope({}, dict.fromkeys(NAMES, UPPER) | {"try": TRY}, flavour)
    problem = explain_unknown_functions(evaluate(expression, scope)[1], flavour)[0]
    return f"{problem.summary}: {problem.detail}"


NAMESPACE = 'Unknown function namespace: Function "{}" does not exist within a valid namespace (provider,core)'

ROWS = [
    (
        "uper()",
        'Call to unknown function: There is no function named "uper". Did you mean "upper"?',
        'Call to unknown function: There is no function named "uper". Did you mean "upper"?',
    ),
    (
        "encode_expr()",
        'Call to unknown function: There is no function named "encode_expr". '
        'Did you mean "provider::terraform::encode_expr"?',
        'Call to unknown function: There is no function named "encode_expr".',
    ),
    (
        "x::y()",
        'Unknown provider function: The function namespace "x" is not valid. '
        'Provider function calls must use the "provider::" namespace prefix.',
        NAMESPACE.format("x::y"),
    ),
    (
        "core::x::upper()",
        'Unknown provider function: The function namespace "core" is not valid. '
        'Provider function calls must use the "provider::" namespace prefix.',
        'Call to unknown function: There is no builtin (core::) function named "upper".',
    ),
    (
        "try(core::nope())",
        'Error in function call: Call to function "try" failed: no expression succeeded:\n'
        "- Call to unknown function (at test:1,5-15)\n"
        '  There is no function named "nope" in namespace core::.\n'
        "\nAt least one expression must produce a successful result.",
        'Error in function call: Call to function "try" failed: no expression succeeded:\n'
        "- Call to unknown function (at test:1,5-15)\n"
        '  There is no function named "nope" in namespace core::.\n'
        "\nAt least one expression must produce a successful result.",
    ),
    (
        "try(x::nope())",
        'Error in function call: Call to function "try" failed: no expression succeeded:\n'
        "- Call to unknown function (at test:1,5-12)\n"
        '  There are no functions in namespace "x::".\n'
        "\nAt least one expression must produce a successful result.",
        'Error in function call: Call to function "try" failed: no expression succeeded:\n'
        "- Call to unknown function (at test:1,5-12)\n"
        '  There are no functions in namespace "x::".\n'
        "\nAt least one expression must produce a successful result.",
    ),
]


@pytest.mark.parametrize(("text", "terraform", "opentofu"), ROWS)
def test_unknown_functions_are_described_as_by_the_product(text: str, terraform: str, opentofu: str) -> None:
    assert answer(text, TERRAFORM_1_11) == terraform
    assert answer(text, OPENTOFU_1_12) == opentofu


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("provider::f()", 'The function call must include the provider name after the "provider::" prefix.'),
        ("provider::terraform::nope()", 'The function "nope" is not available from the provider "terraform".'),
        (
            "provider::terraform::x::encode_expr()",
            'There is no function named "provider::terraform::x::encode_expr". Ensure that provider name "terraform" '
            "is declared in this module's required_providers block, and that this provider offers a function named "
            '"encode_expr".',
        ),
    ],
)
def test_terraform_explains_missing_functions_of_providers(text: str, detail: str) -> None:
    assert answer(text, TERRAFORM_1_11) == f"Unknown provider function: {detail}"
