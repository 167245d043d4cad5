"""States with providers of another product's registry."""

from __future__ import annotations

import json

import pytest

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.state.adoption import adopt_providers
from shared_nodes.state.file import read_state
from shared_nodes.state.model import State

OTHER = ProviderSource("registry.terraform.io", "hashicorp", "null")


def state_with(provider: str, flavour: Flavour = OPENTOFU_1_12) -> State:
    resource = {"mode": "managed", "type": "null_resource", "name": "a", "provider": provider, "instances": [{}]}
    state, _, problems = read_state(json.dumps({"version": 4, "serial": 1, "resources": [resource]}), flavour)
    assert problems == []
    return state


def provider_of(state: State) -> str:
    return str(next(iter(state.resources.values())).provider)


@pytest.mark.parametrize(
    ("provider", "required", "flavour", "adopted"),
    [
        (f'provider["{OTHER}"].b', set(), OPENTOFU_1_12, 'provider["registry.opentofu.org/hashicorp/null"].b'),
        (f'provider["{OTHER}"]', {OTHER}, OPENTOFU_1_12, f'provider["{OTHER}"]'),
        (f'provider["{OTHER}"]', set(), TERRAFORM_1_11, f'provider["{OTHER}"]'),
        ('provider["example.com/a/null"]', set(), OPENTOFU_1_12, 'provider["example.com/a/null"]'),
    ],
)
def test_providers_are_taken_over_unless_the_configuration_requires_them(
    provider: str, required: set[ProviderSource], flavour: Flavour, adopted: str
) -> None:
    state = state_with(provider, flavour)
    assert provider_of(adopt_providers(state, required, flavour)) == adopted
    assert provider_of(state) == provider


@pytest.mark.parametrize("flavour", [TERRAFORM_1_11, OPENTOFU_1_12], ids=lambda flavour: flavour.name)
def test_providers_of_old_states_belong_to_the_registry_of_the_product(flavour: Flavour) -> None:
    assert provider_of(state_with("provider.null", flavour)) == f'provider["{flavour.registry}/-/null"]'
    assert provider_of(state_with("provider.terraform", flavour)) == 'provider["terraform.io/builtin/terraform"]'
