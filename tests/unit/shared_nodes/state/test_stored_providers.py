"""Addresses of providers in states, as OpenTofu 1.12.6 reads them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.provider import BUILTIN, AbsProviderConfig, ProviderInstance, ProviderSource
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.state.file import read_state, write_state
from shared_nodes.state.stored_providers import parse_provider_instance, parse_stored_instance

OWN = f'provider["{BUILTIN}"]'
NO_PROVIDER = 'Provider address must begin with "provider.", followed by a provider type name.'
NO_TYPE = 'The prefix "provider." must be followed by a provider type name.'
KEYED_MODULE = "A provider configuration must not appear in a module instance that uses count or for_each."


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("nonsense", NO_PROVIDER),
        (f'{OWN}["x"]', "Provider type name must be followed by a configuration alias name."),
        (f"{OWN}.a.b", "A provider configuration alias can be followed only by an instance key in brackets."),
        (f'{OWN}.a["x"].c', "Extraneous operators after provider configuration reference."),
        (f"module.m[0].{OWN}", KEYED_MODULE),
        ("provider.terraform.x.y", NO_TYPE),
        ('provider["a/b/c/d"]', 'The "source" attribute must be in the format "[hostname/][namespace/]name"'),
    ],
)
def test_what_cannot_be_read_is_reported_in_the_words_of_the_original(text: str, detail: str) -> None:
    found = parse_stored_instance(text, OPENTOFU_1_12)
    assert isinstance(found, Diagnostic)
    assert found.detail == detail


def test_a_short_source_is_of_the_registry_of_the_product() -> None:
    found = parse_stored_instance('provider["null"]', OPENTOFU_1_12)
    source = ProviderSource("registry.opentofu.org", "hashicorp", "null")
    assert found == ProviderInstance(AbsProviderConfig(source))


NAMES = st.from_regex(r"[a-z][a-z0-9]{0,5}", fullmatch=True)
CONFIGS = st.builds(
    AbsProviderConfig,
    st.builds(ProviderSource, st.just("example.com"), NAMES, NAMES),
    st.lists(NAMES, max_size=2).map(lambda names: ModulePath(tuple(names))),
    NAMES,
)


@given(CONFIGS, st.text() | st.integers(0, 99) | st.none())
def test_what_is_printed_is_read_again(config: AbsProviderConfig, key: str | int | None) -> None:
    instance = ProviderInstance(config, key)
    assert parse_provider_instance(str(instance)) == instance


def state_text(resource: str | None, *instances: str | None) -> str:
    records = [
        {"index_key": number, **({} if provider is None else {"provider": provider})}
        for number, provider in enumerate(instances)
    ]
    record = {"mode": "managed", "type": "terraform_data", "name": "a", "instances": records}
    record |= {} if resource is None else {"provider": resource}
    return json.dumps({"version": 4, "serial": 1, "resources": [record]})


@pytest.mark.parametrize(
    ("resource", "instances", "summary"),
    [
        (None, [None], "Provider field missing state"),
        (None, [f'{OWN}.a["x"]', None], "Provider field missing state"),
        (None, [f'{OWN}.a["x"]', f'{OWN}.b["x"]'], "Provider instance field conflict in state"),
        (f'{OWN}.a["x"]', [None], "Invalid provider configuration address"),
        ("nonsense", [], "Invalid provider configuration address"),
    ],
)
def test_instances_must_agree_on_their_provider(
    resource: str | None, instances: list[str | None], summary: str
) -> None:
    _, _, problems = read_state(state_text(resource, *instances), OPENTOFU_1_12)
    assert [problem.summary.partition(":")[0] for problem in problems] == [summary]


def test_terraform_leaves_out_what_it_cannot_read() -> None:
    state, _, problems = read_state(state_text(None, f'{OWN}.a["x"]'), TERRAFORM_1_11)
    assert (state.resources, problems) == ({}, [])


def test_a_resource_names_its_provider_once_unless_its_instances_have_chosen() -> None:
    for text in (state_text(f"{OWN}.a", None, None), state_text(None, f'{OWN}.a["x"]', f'{OWN}.a["y"]')):
        state, meta, problems = read_state(text, OPENTOFU_1_12)
        assert problems == []
        written = json.loads(write_state(state, meta, {}))["resources"][0]
        read = json.loads(text)["resources"][0]
        assert written.get("provider") == read.get("provider")
        assert [one.get("provider") for one in written["instances"]] == [
            one.get("provider") for one in read["instances"]
        ]
