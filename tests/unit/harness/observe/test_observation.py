"""What is taken from a state file: everything that engines are compared by, and no private data of a provider."""

from __future__ import annotations

import json

from harness.observe.observation import observed_state_file
from shared_nodes.values.json import dumps

INSTANCE = {"schema_version": 2, "attributes": {"id": "x"}, "private": "c2VjcmV0", "index_key": 1}
RESOURCE = {"module": "module.m", "mode": "managed", "type": "t", "name": "n", "instances": [INSTANCE]}
STATE = json.dumps({"outputs": {}, "resources": [RESOURCE], "check_results": None})


def test_no_file_is_no_state() -> None:
    assert observed_state_file(None) == {"state": None}


def test_what_providers_keep_for_themselves_is_apart_and_by_its_digest() -> None:
    found = json.loads(dumps(dict(observed_state_file(STATE)), escape_html=False))
    assert found["state"]["resources"][0]["instances"] == [{"attributes": {"id": "x"}, "index_key": 1}]
    (instance,) = found["provider_data"]["instances"]
    assert len(instance.pop("private")) == 64
    assert instance == {"address": "module.m.managed.t.n", "index_key": 1, "schema_version": 2}
    assert "c2VjcmV0" not in json.dumps(found)


def test_other_private_data_has_another_digest() -> None:
    assert observed_state_file(STATE) != observed_state_file(STATE.replace("c2VjcmV0", "c2VjcmV1"))
