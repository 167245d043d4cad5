"""The file of a state as lines of text: what is said about an object is no JSON."""

from __future__ import annotations

from reports.terminal.state_file import state_file_text
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.values.json import loads

STATE = """{"resources": [{
  "mode": "managed", "type": "sim_thing", "name": "a", "provider": "provider[\\"x/sim\\"]",
  "instances": [{
    "attributes": {"id": "a-1"},
    "sensitive_attributes": [
      [{"type": "get_attr", "value": "secret"}],
      [{"type": "get_attr", "value": "rule"}, {"type": "index", "value": {"value": 0, "type": "number"}}],
      [{"type": "get_attr", "value": "tags"}, {"type": "index", "value": {"value": "k", "type": "string"}}]
    ],
    "dependencies": ["sim_thing.b", "sim_thing.c"],
    "create_before_destroy": true,
    "odd": [1, []]
  }]
}]}"""


def test_members_of_an_object_are_comments() -> None:
    state = loads(STATE)
    assert isinstance(state, dict)
    assert state_file_text(state, TERRAFORM_1_11).splitlines() == [
        "# sim_thing.a:",
        '# provider: provider["x/sim"]',
        '# sensitive_attributes: secret, rule[0], tags["k"]',
        "# dependencies: sim_thing.b, sim_thing.c",
        "# create_before_destroy: true",
        "# odd: [1,[]]",
        'resource "sim_thing" "a" {',
        '    id = "a-1"',
        "}",
    ]
