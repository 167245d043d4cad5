"""Drift: what a plan shows of it, and in which words."""

from __future__ import annotations

from typing import Any

import pytest

from reports.terminal.drift import relevant_drift
from reports.terminal.plan_view import PlanView
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.values.json import loads


def drift(action: str, before: str, after: str, **more: Any) -> dict[str, Any]:
    change = {
        "actions": [action],
        "before": loads(before),
        "after": loads(after),
        "after_unknown": {},
        "before_sensitive": {},
        "after_sensitive": {},
    }
    return {
        "address": "x_y.z",
        "mode": "managed",
        "type": "x_y",
        "name": "z",
        "provider_name": "h/n/x",
        "change": change,
        **more,
    }


CHANGED = drift("update", '{"id":"1","a":"old","b":"old","c":"same"}', '{"id":"1","a":"new","b":"new","c":"same"}')
DELETED = drift("delete", '{"id":"1","a":"old","b":"old"}', "null")
MOVED = drift("no-op", '{"id":"1"}', '{"id":"1"}', previous_address="x_y.old")
OUTPUT = {"o": {"actions": ["create"], "before": None, "after": "x", "after_unknown": False}}


def document(entry: dict[str, Any], *paths: str, resource: str = "x_y.z") -> dict[str, Any]:
    relevant = [{"resource": resource, "attribute": loads(path)} for path in paths]
    return {"resource_drift": [entry], "relevant_attributes": relevant, "output_changes": OUTPUT}


def test_a_plan_mentions_only_the_drift_its_changes_were_computed_from() -> None:
    text = PlanView(TERRAFORM_1_11).text(document(CHANGED, '["a"]'))
    assert text.startswith(
        "Note: Objects have changed outside of Terraform\n\n"
        "Terraform detected the following changes made outside of Terraform since the\n"
        'last "terraform apply" which may have affected this plan:\n\n'
        "  # x_y.z has changed\n"
        '  ~ resource "x_y" "z" {\n'
        '      ~ a  = "old" -> "new"\n'
        '        id = "1"\n'
        "        # (2 unchanged attributes hidden)\n"
        "    }\n\n\n"
        "Unless you have made equivalent changes to your configuration, or ignored the\n"
        "relevant attributes using ignore_changes, the following plan may include\n"
        "actions to undo or respond to these changes.\n\n"
        "──────"
    )
    assert text.count("─") == 77
    assert 'Changes to Outputs:\n  + o = "x"' in text


def test_an_object_that_is_gone_is_mentioned_whatever_was_used_of_it() -> None:
    text = PlanView(TERRAFORM_1_11).text(document(DELETED, '["a"]'))
    assert (
        "  # x_y.z has been deleted\n"
        '  - resource "x_y" "z" {\n'
        '      - a  = "old" -> null\n'
        '        id = "1"\n'
        "        # (1 unchanged attribute hidden)\n"
        "    }\n"
    ) in text


@pytest.mark.parametrize(
    ("entry", "paths"), [(CHANGED, ['["c"]']), (CHANGED, []), (MOVED, ["[]"]), (DELETED, [])], ids=str
)
def test_drift_that_nothing_planned_depends_on_is_left_out(entry: dict[str, Any], paths: list[str]) -> None:
    assert relevant_drift(document(entry, *paths)) == []


def test_an_attribute_of_a_whole_resource_names_none_of_its_objects() -> None:
    keyed = {**CHANGED, "address": "x_y.z[0]"}
    assert relevant_drift(document(keyed, '["a"]')) == []
    assert relevant_drift(document(keyed, '["a"]', resource="x_y.z[0]")) != []


@pytest.mark.parametrize(
    ("path", "after"),
    [
        ("[]", '{"l":[{"p":2,"q":2},{"p":2}],"m":{"k":2}}'),
        ('["l"]', '{"l":[{"p":2,"q":2},{"p":2}],"m":{"k":1}}'),
        ('["l",0]', '{"l":[{"p":2,"q":2},{"p":1}],"m":{"k":1}}'),
        ('["l",0,"q"]', '{"l":[{"p":1,"q":2},{"p":1}],"m":{"k":1}}'),
        ('["m","k"]', '{"l":[{"p":1,"q":1},{"p":1}],"m":{"k":2}}'),
    ],
)
def test_a_path_selects_parts_of_attributes(path: str, after: str) -> None:
    before, found = '{"l":[{"p":1,"q":1},{"p":1}],"m":{"k":1}}', '{"l":[{"p":2,"q":2},{"p":2}],"m":{"k":2}}'
    [entry] = relevant_drift(document(drift("update", before, found), path))
    assert entry["change"]["after"] == loads(after)


def test_a_change_of_sensitivity_is_drift_where_it_is_looked_at() -> None:
    entry = drift("update", '{"a":"x","b":"x"}', '{"a":"x","b":"x"}')
    entry["change"]["after_sensitive"] = {"a": True}
    assert [found["change"]["after_sensitive"]["a"] for found in relevant_drift(document(entry, '["a"]'))] == [True]
    assert relevant_drift(document(entry, '["b"]')) == []


def test_a_plan_without_changes_does_not_mention_drift() -> None:
    text = PlanView(TERRAFORM_1_11).text({**document(CHANGED, '["a"]'), "output_changes": {}})
    assert text.startswith("No changes. Your infrastructure matches the configuration.")


def test_taking_note_of_drift_shows_all_of_it_and_what_moved() -> None:
    both = {"resource_drift": [CHANGED, MOVED]}
    text = PlanView(OPENTOFU_1_12, "refresh-only").text(both)
    assert '      ~ b  = "old" -> "new"\n' in text
    assert "  # x_y.old has moved to x_y.z\n" in text
    assert text.endswith(
        "This is a refresh-only plan, so OpenTofu will not take any actions to undo\n"
        "these. If you were expecting these changes then you can apply this plan to\n"
        "record the updated values in the OpenTofu state without changing any remote\n"
        "objects.\n"
    )
    assert '"tofu apply"' in text
    assert "─" not in text


def test_taking_note_of_drift_can_change_outputs_too() -> None:
    text = PlanView(TERRAFORM_1_11, "refresh-only").text({"resource_drift": [CHANGED], "output_changes": OUTPUT})
    assert text.index("This is a refresh-only plan") < text.index("─") < text.index("Changes to Outputs:")


def test_an_object_that_moved_and_changed_says_where_it_was() -> None:
    entry = {**CHANGED, "previous_address": "x_y.old"}
    assert "  # x_y.z has changed\n  # (moved from x_y.old)\n" in PlanView(TERRAFORM_1_11, "refresh-only").text(
        {"resource_drift": [entry]}
    )
