"""Which instance of its provider configuration manages an object, and why none may, as in OpenTofu 1.12.6."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.provider import BUILTIN, AbsProviderConfig, ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance, Resource, ResourceMode
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.provider_configurations import ProviderConfigurations, recorded_provider, requested_provider
from shared_nodes.context.expander import Repetition
from shared_nodes.context.operation import Operation
from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.nodes.provider.choice import ProviderUser, choose_instance
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, integer, null, string, tuple_of, unknown
from shared_nodes.world import Files
from tests.unit.shared_nodes.config.recordings import write
from tests.unit.shared_nodes.nodes.block_runner import BlockRunner

RESOURCE = Resource(ResourceMode.MANAGED, "terraform_data", "a")
ADDRESS = AbsResourceInstance(ROOT_INSTANCE, RESOURCE)
BY = AbsProviderConfig(BUILTIN, alias="by")
BAD_KEY = "Invalid provider instance key: "
KEYED = 'provider "terraform" {\n  alias    = "by"\n  for_each = toset(["x", "1"])\n}\n'
SINGLE = 'provider "terraform" {\n  alias = "by"\n}\n'
BLOCK = 'variable "k" {\n  default = "x"\n}\nresource "terraform_data" "a" {\n  provider = terraform.by[var.k]\n}\n'


def choose(
    directory: Path,
    text: str,
    key: Value | None = None,
    recorded: ProviderInstance | None = None,
    *,
    deposed: str | None = None,
) -> ProviderInstance | str:
    """Choose for a declared instance, whose key is evaluated if it is given; otherwise for one that is removed."""
    write(directory, {"main.tf": text})
    tree, problems = load_configuration(Files(directory), OPENTOFU_1_12)
    assert tree is not None, problems
    context = BlockRunner(directory, flavour=OPENTOFU_1_12).context(text, Operation.PLAN)
    block = tree.module.resources.get(RESOURCE)
    request = recorded_provider(BY) if block is None else requested_provider(tree, RESOURCE, block)
    choice = ProviderConfigurations(tree).resolve(request)
    assert choice is not None
    if key is not None:
        context.variables[ROOT_INSTANCE, "k"] = key
    repetition = None if key is None else Repetition.single()
    user = ProviderUser(ADDRESS, choice, recorded, repetition, deposed, is_removed=key is None)
    found, problems = choose_instance(context, user)
    if found is not None:
        return found
    return f"{problems[0].summary}: {problems[0].detail}"


@pytest.mark.parametrize(("key", "chosen"), [(string("x"), "x"), (integer(1), "1")])
def test_a_declared_instance_has_the_key_it_computes(key: Value, chosen: str, tmp_path: Path) -> None:
    assert choose(tmp_path, KEYED + BLOCK, key) == ProviderInstance(BY, chosen)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (null(STRING), f"{BAD_KEY}A provider instance key must not be null."),
        (unknown(STRING), f"{BAD_KEY}The provider instance key for terraform_data.a depends on"),
        (string("x").mark(SENSITIVE), f"{BAD_KEY}A provider instance key must not be derived from a sensitive value."),
        (string("x").mark(EPHEMERAL), f"{BAD_KEY}A provider instance key must not be derived from an ephemeral value."),
        (tuple_of([]), f"{BAD_KEY}The given instance key is unsuitable: string required"),
        (string("gone"), "Provider instance not present: To work with terraform_data.a its original provider instance"),
    ],
)
def test_a_key_must_be_a_known_and_public_key_of_an_instance(key: Value, reason: str, tmp_path: Path) -> None:
    found = choose(tmp_path, KEYED + BLOCK, key)
    assert isinstance(found, str)
    assert found.startswith(reason)


def test_a_removed_object_keeps_what_is_recorded(tmp_path: Path) -> None:
    for text in (KEYED, KEYED + BLOCK):
        assert choose(tmp_path, text, recorded=ProviderInstance(BY, "x")) == ProviderInstance(BY, "x")


@pytest.mark.parametrize(
    ("text", "key", "deposed", "reason"),
    [
        (KEYED, "y", None, "Re-add the for_each element to destroy terraform_data.a, after which"),
        (KEYED, "y", "00000001", "Re-add the for_each element to destroy this deposed object for terraform_data.a"),
        (KEYED, None, None, "still declare an instance with the key %!s(<nil>)."),
        (KEYED, None, "00000001", "ensure that all deposed instances of terraform_data.a have been destroyed"),
        (SINGLE, "x", None, "Re-add the for_each element"),
    ],
)
def test_an_instance_that_is_gone_is_missed(
    text: str, key: str | None, deposed: str | None, reason: str, tmp_path: Path
) -> None:
    found = choose(tmp_path, text, recorded=ProviderInstance(BY, key), deposed=deposed)
    assert isinstance(found, str)
    assert reason in found


def test_what_is_recorded_must_belong_to_the_same_configuration(tmp_path: Path) -> None:
    found = choose(tmp_path, KEYED + BLOCK, recorded=ProviderInstance(AbsProviderConfig(BUILTIN)))
    assert isinstance(found, str)
    assert found.startswith("Unable to use fallback provider from state: Provider from configuration")
