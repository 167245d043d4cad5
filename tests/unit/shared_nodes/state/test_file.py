"""State files keep every byte that Terraform wrote, and what Terraform refuses is refused in the same words."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.addresses.resource import AbsResource
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.providers.builtin import BUILTIN_SCHEMA
from shared_nodes.state.document import state_document
from shared_nodes.state.file import StateMeta, read_state, schema_of, write_state
from shared_nodes.state.model import InstanceObject, OutputState, ResourceState, State
from shared_nodes.state.object_values import object_value
from shared_nodes.state.reading import FORMAT_VERSION
from shared_nodes.values.json import dumps
from shared_nodes.values.types import STRING
from shared_nodes.values.value import object_of, string, unknown

RECORDED = Path(__file__).parent / "recorded"
SCHEMAS = {BUILTIN: BUILTIN_SCHEMA}
STATES = sorted(RECORDED.glob("*.tfstate"))
REFUSED = [json.loads(line) for line in (RECORDED / "refused.jsonl").read_text().splitlines()]


def decoded(state: State) -> State:
    """Return the same state with every object as a value, as an engine leaves it."""

    def decode(address: AbsResource, resource: ResourceState, stored: InstanceObject) -> InstanceObject:
        schema = schema_of(SCHEMAS, resource.provider, address.resource)
        assert schema is not None
        return replace(stored, value=object_value(stored, schema.block), stored=None)

    copy = state.copy()
    for address, resource in copy.resources.items():
        for instance in resource.instances.values():
            if instance.current is not None:
                instance.current = decode(address, resource, instance.current)
            instance.deposed = {key: decode(address, resource, each) for key, each in instance.deposed.items()}
    return copy


@pytest.mark.parametrize("path", STATES, ids=lambda path: path.stem)
def test_a_file_is_written_as_it_was_read(path: Path) -> None:
    state, meta, problems = read_state(path.read_text())
    assert not problems
    assert write_state(state, meta, {}) == path.read_text()


@pytest.mark.parametrize("path", STATES, ids=lambda path: path.stem)
def test_decoded_objects_are_written_like_stored_ones(path: Path) -> None:
    state, meta, _ = read_state(path.read_text())
    assert write_state(decoded(state), meta, SCHEMAS) == path.read_text()


@pytest.mark.parametrize("path", STATES, ids=lambda path: path.stem)
def test_the_published_form_is_that_of_show(path: Path) -> None:
    state, meta, _ = read_state(path.read_text())
    document = state_document(state, SCHEMAS, written_by=meta.terraform_version)
    assert dumps(document) == path.with_suffix(".json").read_text().strip()


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["name"])
def test_bad_files_are_refused_in_the_same_words(case: dict[str, str]) -> None:
    state, _, problems = read_state(case["text"])
    texts = [f"{problem.summary}: {problem.detail}" for problem in problems]
    joined = f"{len(texts)} problems:\n\n" + "\n".join(f"- {text}" for text in texts)
    assert (texts[0] if len(texts) == 1 else joined) == case["message"]
    assert state.is_empty


def with_resource(**changes: object) -> str:
    resource = {
        "mode": "managed",
        "type": "terraform_data",
        "name": "a",
        "provider": 'provider["terraform.io/builtin/terraform"]',
        "instances": [{"schema_version": 0, "attributes": {"id": "x"}}],
    }
    return json.dumps({"version": FORMAT_VERSION, "serial": 1, "lineage": "l", "resources": [resource | changes]})


@pytest.mark.parametrize("provider", ["", "provider.", 'provider["a/b/c/d"]', "nonsense"])
def test_a_resource_of_no_provider_is_dropped_in_silence(provider: str) -> None:
    state, _, problems = read_state(with_resource(provider=provider))
    assert (state.is_empty, problems) == (True, [])


def test_addresses_from_before_provider_sources_are_understood() -> None:
    state, _, _ = read_state(with_resource(provider="module.m.provider.terraform.west"))
    [resource] = state.resources.values()
    assert str(resource.provider) == 'module.m.provider["terraform.io/builtin/terraform"].west'


def test_a_fractional_key_is_cut() -> None:
    state, _, _ = read_state(with_resource(instances=[{"index_key": 1.5, "attributes": {}}]))
    assert [str(address) for address, _ in state.instances()] == ["terraform_data.a[1]"]


@pytest.mark.parametrize("digits", [str(2**64), "9" * 5_000, "1e999999999", "-1"])
@pytest.mark.parametrize(
    "form",
    [
        '{"version": N}',
        '{"version": 4, "serial": N}',
        with_resource(instances=[{"schema_version": "N"}]).replace('"N"', "N"),
    ],
)
def test_a_number_that_is_no_integer_of_64_bits_is_a_diagnostic(form: str, digits: str) -> None:
    """Python refuses to convert very many digits, and that was an exception."""
    _, _, problems = read_state(form.replace("N", digits))
    assert [problem.summary for problem in problems] in (
        ["Unsupported state file format"],
        ["Invalid state file format"],
    )


def test_a_number_of_an_old_format_is_bounded_as_well() -> None:
    _, _, problems = read_state(f'{{"version": 3, "serial": {"9" * 5_000}}}')
    assert len(problems) == 1


def test_an_empty_file_is_a_state_that_never_was() -> None:
    assert read_state("") == (State(), StateMeta(), [])


def test_check_results_of_an_unknown_kind_are_passed_over() -> None:
    known = {"object_kind": "check", "config_addr": "check.c", "status": "odd", "objects": []}
    text = json.dumps({"version": 4, "check_results": [known | {"object_kind": "future"}, known]})
    state, _, problems = read_state(text)
    assert not problems
    assert state.check_results is not None
    assert [(result.address, result.status, result.objects) for result in state.check_results] == [
        ("check.c", "unknown", None)
    ]


def test_what_is_still_unknown_is_saved_as_null() -> None:
    state = State(outputs={"o": OutputState(object_of({"a": unknown(STRING), "b": string("x")}))})
    tree = json.loads(write_state(state, StateMeta(), {}))
    assert tree["outputs"]["o"]["value"] == {"a": None, "b": "x"}


@pytest.mark.parametrize(("flavour", "is_kept"), [(TERRAFORM_1_11, False), (OPENTOFU_1_12, True)])
def test_only_some_products_keep_what_is_not_to_be_destroyed(flavour: Flavour, is_kept: bool) -> None:
    text = with_resource(instances=[{"schema_version": 0, "attributes": {}, "skip_destroy": True}])
    state, meta, problems = read_state(text, flavour)
    assert not problems
    [(_, instance)] = state.instances()
    assert instance.current is not None
    assert instance.current.skip_destroy is is_kept
    assert ('"skip_destroy": true' in write_state(state, meta, {})) is is_kept


@pytest.mark.parametrize("version", ["x", -1, 1.5, 2**64])
def test_a_version_of_an_identity_is_an_integer_where_there_are_any(version: object) -> None:
    identity = {"identity": {"id": "a"}, "identity_schema_version": version}
    text = with_resource(instances=[{"schema_version": 0, "attributes": {}, **identity}])
    assert read_state(text)[2] == []
    [problem] = read_state(text, OPENTOFU_1_12)[2]
    assert "identity_schema_version" in problem.summary
