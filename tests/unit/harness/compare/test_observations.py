"""What counts as a difference between a step and its recording, or between two runs of it, and what does not."""

from __future__ import annotations

import pytest

from harness.compare.observations import compare_observations, compare_places, compare_step, compare_with_binary
from shared_nodes.values.json import JsonNumber, Tree, loads


def tree(text: str) -> dict[str, Tree]:
    found = loads(text)
    assert isinstance(found, dict)
    return found


def differences(expected: str, got: str) -> list[str]:
    return [str(difference) for difference in compare_step(tree(expected), tree(got))]


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ('{"ok": true, "plan": null}', '{"ok": true, "plan": null}'),
        (
            '{"plan": {"resource_changes": [{"address": "a", "x": 1}, {"address": "a", "deposed": "k"}]}}',
            '{"plan": {"resource_changes": [{"address": "a", "deposed": "k"}, {"address": "a", "x": 1}]}}',
        ),
        (
            '{"plan": {"relevant_attributes": [{"resource": "a", "attribute": ["x"]}, {"resource": "b"}]}}',
            '{"plan": {"relevant_attributes": [{"resource": "b"}, {"resource": "a", "attribute": ["x"]}]}}',
        ),
        (
            '{"state": {"resources": [{"instances": [{"dependencies": ["a", "b"], "index_key": 1}]}]}}',
            '{"state": {"resources": [{"instances": [{"dependencies": ["b", "a"], "index_key": 1}]}]}}',
        ),
        (
            '{"diagnostics": [{"summary": "a"}, {"summary": "b"}]}',
            '{"diagnostics": [{"summary": "b"}, {"summary": "a"}]}',
        ),
        ('{"unstable": ["events"], "events": {"items": [["a"]], "before": []}}', '{"events": []}'),
    ],
)
def test_order_without_meaning_and_unstable_fields_make_no_difference(expected: str, got: str) -> None:
    assert differences(expected, got) == []


@pytest.mark.parametrize(
    ("expected", "got", "found"),
    [
        ('{"ok": true}', '{"ok": false}', "ok: expected true, got false"),
        ('{"plan": null}', '{"plan": {}}', "plan: expected null, got {}"),
        ('{"plan": null}', "{}", "plan: expected null, got (absent)"),
        (
            '{"plan": {"resource_changes": [{"address": "a", "change": {"after": {"x": [{"resource": 1}]}}}]}}',
            '{"plan": {"resource_changes": [{"address": "a", "change": {"after": {"x": [{"resource": 2}]}}}]}}',
            "plan.resource_changes.a.change.after.x[0].resource: expected 1, got 2",
        ),
        (
            '{"plan": {"resource_changes": [{"address": "a"}]}}',
            '{"plan": {"resource_changes": []}}',
            'plan.resource_changes.a: expected {"address":"a"}, got (absent)',
        ),
        (
            '{"state": {"outputs": {"o": {"value": [1, 2]}}}}',
            '{"state": {"outputs": {"o": {"value": [2, 1]}}}}',
            "state.outputs.o.value[0]: expected 1, got 2 (and 1 more like it)",
        ),
        (
            '{"state": {"outputs": {"o": {"value": "1"}}}}',
            '{"state": {"outputs": {"o": {"value": 1}}}}',
            'state.outputs.o.value: expected "1", got 1',
        ),
        (
            '{"diagnostics": [{"summary": "a", "detail": "x"}]}',
            '{"diagnostics": [{"summary": "a", "detail": "x"}, {"summary": "a", "detail": "x"}]}',
            'diagnostics: expected nothing more, got {"summary":"a"}',
        ),
    ],
)
def test_a_difference_is_told_with_its_exact_place(expected: str, got: str, found: str) -> None:
    assert differences(expected, got) == [found]


def test_words_of_a_detail_are_a_difference_of_their_own_kind() -> None:
    found = compare_step(
        tree('{"ok": false, "diagnostics": [{"summary": "a", "detail": "x"}]}'),
        tree('{"ok": false, "diagnostics": [{"summary": "a", "detail": "y"}]}'),
    )
    assert [(difference.field, difference.is_detail) for difference in found] == [("diagnostics.detail", True)]


def test_numbers_are_compared_by_their_digits() -> None:
    assert compare_step({"ok": JsonNumber("1")}, {"ok": JsonNumber("1.0")}) != []


RECORDED = '{"events": {"items": [["s", "a"], ["c", "a"], ["s", "b"], ["s", "b"]], "before": [[0, 1], [1, 2]]}}'


@pytest.mark.parametrize(
    ("order", "found"),
    [
        ('[["s", "a"], ["c", "a"], ["s", "b"], ["s", "b"]]', []),
        ('[["s", "b"], ["s", "a"], ["c", "a"], ["s", "b"]]', []),
        (
            '[["s", "b"], ["s", "b"], ["s", "a"], ["c", "a"]]',
            ['events.order: expected ["c","a"] before ["s","b"], got the other way round'],
        ),
        (
            '[["c", "a"], ["s", "a"], ["s", "b"], ["s", "b"]]',
            ['events.order: expected ["s","a"] before ["c","a"], got the other way round'],
        ),
        ('[["s", "a"], ["c", "a"], ["s", "b"]]', ['events: expected ["s","b"], got nothing more']),
    ],
)
def test_events_may_come_in_any_order_that_respects_the_recorded_pairs(order: str, found: list[str]) -> None:
    assert differences(RECORDED, f'{{"events": {order}}}') == found


def test_events_that_should_not_be_there_at_all() -> None:
    assert differences("{}", '{"events": [["s", "a"]]}') == ["events: expected (absent), got events"]
    assert differences("{}", '{"events": []}') == []


def observed_differences(expected: str, got: str) -> list[str]:
    return [str(difference) for difference in compare_observations(tree(expected), tree(got))]


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ("{}", "{}"),
        ('{"ok": true, "plan": {"a": [1]}, "state": null}', '{"state": null, "plan": {"a": [1]}, "ok": true}'),
        ('{"events": [["s", "a"], ["s", "b"]]}', '{"events": [["s", "b"], ["s", "a"]]}'),
        (
            '{"diagnostics": [{"summary": "a"}, {"summary": "b"}]}',
            '{"diagnostics": [{"summary": "b"}, {"summary": "a"}]}',
        ),
    ],
)
def test_two_runs_may_differ_in_the_order_of_what_happened(expected: str, got: str) -> None:
    assert observed_differences(expected, got) == []


@pytest.mark.parametrize(
    ("expected", "got", "found"),
    [
        ('{"state": null}', "{}", "state: expected null, got (absent)"),
        (
            '{"events": [["s", "a"]]}',
            '{"events": [["s", "a"], ["s", "a"]]}',
            'events: expected nothing more, got ["s","a"]',
        ),
        ('{"plan_events": []}', '{"plan_events": null}', "plan_events: expected events, got (absent)"),
        ('{"unstable": ["ok"], "ok": true}', '{"ok": false}', "ok: expected true, got false"),
        (
            '{"state": {"resources": [{"name": "a"}, {"name": "b", "x": 1}]}}',
            '{"state": {"resources": [{"name": "b", "x": 2}, {"name": "a"}]}}',
            "state.resources.b.x: expected 1, got 2",
        ),
        (
            '{"state": {"resources": [{"name": "a"}, {"name": "b"}]}}',
            '{"state": {"resources": [{"name": "b"}, {"name": "a"}]}}',
            'state.resources[0].name: expected "a", got "b" (and 1 more like it)',
        ),
        (
            '{"diagnostics": [{"summary": "a", "detail": "x"}]}',
            '{"diagnostics": [{"summary": "a", "detail": "y"}]}',
            'diagnostics.detail: expected "x", got "y"',
        ),
    ],
)
def test_two_runs_may_differ_in_nothing_else(expected: str, got: str, found: str) -> None:
    assert observed_differences(expected, got) == [found]


def test_differences_of_a_course_are_told_with_their_place() -> None:
    one = {"step 1": tree('{"ok": true}'), "step 2": tree('{"ok": true, "state": 1}')}
    other = {"step 2": tree('{"ok": false, "state": 2}'), "step 1": tree('{"ok": true}')}
    found = compare_places(one, other, compare_observations)
    assert [(place, difference.field) for place, difference in found] == [("step 2", "ok"), ("step 2", "state")]


def test_objects_of_the_cloud_may_differ() -> None:
    """The first index of a path is part of the field."""
    expected, got = (tree(f'{{"inventory": [{{"id": "{identifier}"}}]}}') for identifier in ("a-1", "a-2"))
    assert [str(found) for found in compare_observations(expected, got)] == [
        'inventory[0].id: expected "a-1", got "a-2"'
    ]


def test_what_no_recording_tells_counts_between_engines_only() -> None:
    """Here: that an engine made more calls at the same time than allowed."""
    expected: dict[str, Tree] = {"ok": True}
    got: dict[str, Tree] = {"ok": True, "over_limit": True}
    assert [found.field for found in compare_observations(expected, got)] == ["over_limit"]
    assert compare_step(expected, got) == []


def data(*instances: dict[str, Tree]) -> dict[str, Tree]:
    return {"provider_data": {"instances": [{"address": "managed.a.b", **instance} for instance in instances]}}


def test_what_providers_keep_for_themselves_is_equal_between_engines_in_process() -> None:
    """A real binary has its own provider, so only schema versions are compared with it. Recordings have neither."""
    one, other = data({"private": "1"}), data({"private": "2"})
    (found,) = compare_observations(one, other)
    assert (found.field, found.shape) == (
        "provider_data.instances.managed.a.b.private",
        "provider_data.instances.*.private",
    )
    assert compare_with_binary(one, other) == compare_step(one, other) == []
    old, new = data({"schema_version": JsonNumber("0")}), data({"schema_version": JsonNumber("1")})
    for compare in (compare_observations, compare_with_binary):
        (found,) = compare(old, new)
        assert found.shape == "provider_data.instances.*.schema_version"
    assert compare_step(old, new) == []
