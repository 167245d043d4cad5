"""What is taken from a state file: everything that engines are compared by, and no private data of a provider."""

from __future__ import annotations

import json

import pytest

from harness.observe.observation import Observation, observed_state_file, would_change
from shared_nodes.values.json import Tree, dumps

INSTANCE = {"schema_version": 2, "attributes": {"id": "x"}, "private": "c2VjcmV0", "index_key": 1}
RESOURCE = {"module": "module.m", "mode": "managed", "type": "t", "name": "n", "instances": [INSTANCE]}
STATE = json.dumps({"outputs": {}, "resources": [RESOURCE], "check_results": None})


def test_no_file_is_no_state() -> None:
    assert observed_state_file(None) == (None, None)


def test_what_providers_keep_for_themselves_is_apart_and_by_its_digest() -> None:
    state, provider_data = observed_state_file(STATE)
    found = json.loads(dumps({"state": state, "provider_data": provider_data}, escape_html=False))
    assert found["state"]["resources"][0]["instances"] == [{"attributes": {"id": "x"}, "index_key": 1}]
    (instance,) = found["provider_data"]["instances"]
    assert len(instance.pop("private")) == 64
    assert instance == {"address": "module.m.managed.t.n", "index_key": 1, "schema_version": 2}
    assert "c2VjcmV0" not in json.dumps(found)


def test_the_recorded_form_has_the_keys_of_its_kind_of_step_and_is_read_back() -> None:
    validated = Observation("validate", True, config="v1", calls={"items": []}, inventory=[])
    planned = Observation("plan", False, config="v1", plan_events=[], inventory=[])
    applied = Observation("apply", True, config="v1", plan={}, plan_events=[], events=[], calls={}, has_order=True)
    assert list(validated) == ["op", "config", "ok", "diagnostics", "calls", "inventory"]
    assert dict(planned)["plan"] is None
    assert "state" not in planned
    assert (applied["state"], applied["order"], "provider_data" in applied) == (None, None, False)
    assert [Observation.from_json(dict(each)) for each in (validated, planned, applied)] == [
        validated,
        planned,
        applied,
    ]


def test_what_is_no_operation_has_no_configuration() -> None:
    assert dict(Observation("drift", True)) == {"op": "drift", "ok": True, "diagnostics": []}


def test_other_private_data_has_another_digest() -> None:
    assert observed_state_file(STATE) != observed_state_file(STATE.replace("c2VjcmV0", "c2VjcmV1"))


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ({"applyable": True}, True),
        ({"applyable": False, "output_changes": {"o": {"actions": ["create"]}}}, False),
        ({}, False),
        ({"resource_changes": [{"change": {"actions": ["no-op"]}}]}, False),
        ({"resource_changes": [{"change": {"actions": ["forget"]}}]}, True),
        ({"resource_changes": [{"change": {"actions": ["no-op"], "importing": {"id": "x"}}}]}, True),
        ({"resource_changes": [{"previous_address": "t.a", "change": {"actions": ["no-op"]}}]}, True),
        ({"output_changes": {"o": {"actions": ["update"]}}}, True),
        ({"resource_drift": [{"change": {"actions": ["update"]}}]}, True),
        ({"resource_changes": [{"change": {"actions": ["no-op"]}}], "resource_drift": [{}]}, False),
    ],
)
def test_a_plan_shows_whether_it_would_change_something(plan: dict[str, Tree], expected: bool) -> None:
    assert would_change(plan) == expected
