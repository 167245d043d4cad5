"""Every rule that makes observations comparable is in the table, in the documentation, and counted."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from harness.compare.observations import compare_observations, compare_step
from harness.observe.normalise import Names, managed_instances
from harness.observe.rules import RULES, RuleName, rules_table
from shared_nodes.values.json import JsonNumber, Tree

DOCUMENT: Final = Path(__file__).parents[4] / "docs" / "normalisation.md"
NOW: Final = datetime(2026, 1, 2, tzinfo=UTC)
UUID: Final = "01234567-89ab-cdef-0123-456789abcdef"


def test_table_has_every_rule_once_and_is_documented() -> None:
    assert [rule.name for rule in RULES] == list(RuleName)
    assert rules_table() in DOCUMENT.read_text(encoding="utf-8")


def count_rules(observation: dict[str, Tree]) -> Counter[str]:
    names = Names("", NOW, NOW)
    names.normalised(observation, "/work")
    return names.counts


def test_renaming_is_counted() -> None:
    """Each text of a step is counted once, however often it occurs there."""
    events: list[Tree] = [["apply_complete", "t.a", "create", "some-id"]]
    instance: Tree = {"deposed": "0badcafe", "attributes": {"id": "some-id"}}
    state: Tree = {"resources": [{"mode": "managed", "type": "t", "name": "a", "instances": [instance]}]}
    text = f"/work/main.tf {UUID} {NOW.isoformat()} (destroy deposed 1234abcd)"
    assert count_rules({"events": events, "state": state, "plan": {"text": text}}) == {
        RuleName.IDENTIFIERS: 1,
        RuleName.DEPOSED_KEYS: 1,
        RuleName.WORKING_DIRECTORY: 1,
        RuleName.UUIDS: 1,
        RuleName.TIMESTAMPS: 1,
        RuleName.PASSING_DEPOSED_KEYS: 1,
    }


def test_sorting_of_messages_is_counted_where_it_changes_something() -> None:
    messages: list[Tree] = [
        {"summary": "Cycle: b, a", "detail": "Such as:\n  - y\n  - x"},
        {"summary": "Cycle: a, b", "detail": "Such as:\n  - x\n  - y"},
    ]
    assert count_rules({"diagnostics": messages}) == {RuleName.CYCLE_MEMBERS: 1, RuleName.BULLETS: 1}


def test_comparing_in_any_order_is_counted() -> None:
    one: dict[str, Tree] = {"summary": "a"}
    other: dict[str, Tree] = {"summary": "b"}
    events: list[Tree] = [["apply_start", "t.a", "create"], ["apply_start", "t.b", "create"]]
    left: dict[str, Tree] = {"diagnostics": [one, other], "events": events}
    right: dict[str, Tree] = {"diagnostics": [other, one], "events": events[::-1]}
    applied = Counter[str]()
    assert compare_observations(left, right, applied) == []
    assert applied == {RuleName.DIAGNOSTIC_ORDER: 1, RuleName.EVENT_ORDER: 1}
    assert compare_observations(left, left, applied) == []
    assert applied.total() == 4, "whether two runs happened to keep one order depends on the run"
    single: dict[str, Tree] = {"diagnostics": [one], "events": events[:1]}
    assert compare_observations(single, single, applied) == []
    assert applied.total() == 4, "one thing alone has no order"


def test_rules_for_recordings_are_counted() -> None:
    changes: list[Tree] = [{"address": "t.a"}, {"address": "t.b"}]
    recorded: dict[str, Tree] = {"plan": {"resource_changes": changes}, "state": "one", "unstable": ["state"]}
    got: dict[str, Tree] = {"plan": {"resource_changes": changes[::-1]}, "state": "another"}
    applied = Counter[str]()
    assert compare_step(recorded, got, applied) == []
    assert applied == {RuleName.UNORDERED_LISTS: 1, RuleName.UNSTABLE_FIELDS: 1}


def test_which_schema_was_missed_first_is_left_out_against_recordings_only() -> None:
    tail = 'p/q/r: failed to instantiate provider "p/q/r" to obtain schema: unavailable provider "p/q/r"'
    recorded: dict[str, Tree] = {
        "diagnostics": [{"summary": f"failed to read provider configuration schema for {tail}"}]
    }
    got: dict[str, Tree] = {"diagnostics": [{"summary": f"failed to read schema for t.a in {tail}"}]}
    applied = Counter[str]()
    assert compare_step(recorded, got, applied) == []
    assert applied == {RuleName.SCHEMA_READERS: 2}
    assert compare_observations(recorded, got, Counter[str]()) != []


def test_a_refused_state_may_have_any_key() -> None:
    keys: list[Tree] = [JsonNumber("1.5"), JsonNumber("1e999"), True, "k", None]
    instances: list[Tree] = [{"index_key": key} for key in keys]
    state: Tree = {"resources": [{"mode": "managed", "type": "t", "name": "a", "instances": instances}]}
    found = [address for address, _ in managed_instances(state)]
    assert found == ["t.a[1]", 't.a["1e999"]', 't.a["true"]', 't.a["k"]', "t.a"]
