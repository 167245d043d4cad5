"""Which providers exist, and what is reported about the others."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from shared_nodes.addresses.provider import BUILTIN, ProviderSource
from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.providers.builtin import BUILTIN_SCHEMA, BuiltinProvider
from shared_nodes.providers.registry import missing_providers
from shared_nodes.world import World

ACME = ProviderSource("example.com", "acme", "acme")
NULL = ProviderSource("registry.terraform.io", "hashicorp", "null")


def test_the_builtin_provider_has_its_schema_and_functions() -> None:
    one = BuiltinProvider(World.confined(Path(), 1, datetime(2026, 1, 2, tzinfo=UTC)))
    assert one.schema is BUILTIN_SCHEMA
    assert {function.name for function in one.functions} == {"encode_tfvars", "decode_tfvars", "encode_expr"}


def test_missing_providers_are_blamed_on_who_needs_them() -> None:
    problems = missing_providers([ACME, BUILTIN], [NULL, ACME], lambda source: source == BUILTIN)
    assert [(problem.summary, problem.detail) for problem in problems] == [
        (
            "Missing required provider",
            "This configuration requires provider example.com/acme/acme, but that provider isn't available. You may be "
            "able to install it automatically by running:\n  terraform init",
        ),
        (
            "Missing required provider",
            "This state requires provider registry.terraform.io/hashicorp/null, but that provider isn't available. You "
            "may be able to install it automatically by running:\n  terraform init",
        ),
    ]


def test_each_product_names_its_own_command() -> None:
    (problem,) = missing_providers([ACME], [], lambda _: False, OPENTOFU_1_12)
    assert problem.detail.endswith("\n  tofu init")
