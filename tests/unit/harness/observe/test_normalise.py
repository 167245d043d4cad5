"""Stable names for ids, keys and texts that differ in every run."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from harness.observe.normalise import Names
from shared_nodes.values.json import JsonNumber, Tree

NOW: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
FIRST: Final = "11111111-1111-1111-1111-111111111111"
SECOND: Final = "22222222-2222-2222-2222-222222222222"


def names(given: str = "") -> Names:
    return Names(given, NOW, NOW)


def observation(**fields: Tree) -> dict[str, Tree]:
    return {"diagnostics": [], **fields}


def state(*instances: Tree, name: str = "a") -> Tree:
    resource: Tree = {"mode": "managed", "type": "t", "name": name, "instances": list(instances)}
    return {"resources": [resource]}


def test_an_id_is_named_after_where_its_object_was_created_and_keeps_the_name() -> None:
    these = names()
    created: Tree = [["apply_start", "t.a", "create"], ["apply_complete", "t.a", "create", FIRST]]
    first = these.normalised(observation(events=created, state=state({"attributes": {"id": FIRST}})), "/w")
    assert first["events"] == [["apply_start", "t.a", "create"], ["apply_complete", "t.a", "create", "<id t.a #1>"]]
    moved = these.normalised(observation(state=state({"attributes": {"id": FIRST}}, name="b")), "/w")
    assert moved["state"] == state({"attributes": {"id": "<id t.a #1>"}}, name="b")


def test_ids_count_up_per_address_and_are_found_inside_texts_and_keys() -> None:
    these = names()
    these.normalised(observation(events=[["apply_complete", "t.a", "create", FIRST]]), "/w")
    got = these.normalised(
        observation(events=[["apply_complete", "t.a", "create", SECOND]], plan={f"k-{FIRST}": f"{SECOND}/{FIRST}"}),
        "/w",
    )
    assert got["plan"] == {"k-<id t.a #1>": "<id t.a #2>/<id t.a #1>"}


def test_an_object_whose_creation_failed_half_way_is_named_from_the_state() -> None:
    got = names().normalised(
        observation(
            events=[["apply_start", 't.a["x"]', "create"]],
            state=state({"index_key": "x", "status": "tainted", "attributes": {"id": FIRST}}),
        ),
        "/w",
    )
    assert got["state"] == state(
        {"index_key": "x", "status": "tainted", "attributes": {"id": '<id t.a["x"] #1>'}},
    )


def test_a_create_that_failed_and_left_the_old_object_names_nothing() -> None:
    plan: Tree = {"resource_changes": [{"change": {"before": {"id": "given"}}}]}
    current = state({"attributes": {"id": "given"}})
    got = names().normalised(observation(plan=plan, events=[["apply_start", "t.a", "create"]], state=current), "/w")
    assert got["state"] == current


def test_given_ids_and_keys_are_kept() -> None:
    current = state({"deposed": "abcd1234", "attributes": {"id": FIRST}})
    got = names(f'"abcd1234" {FIRST}').normalised(observation(state=current), "/w")
    assert got["state"] == current


def test_deposed_objects_of_an_instance_stand_in_the_order_of_their_names() -> None:
    """Sorted by key, their order would differ between runs."""
    these = names("99999999")
    given: Tree = {"deposed": "99999999", "attributes": {}}
    first: Tree = {"deposed": "bbbbbbbb", "attributes": {}}
    second: Tree = {"deposed": "aaaaaaaa", "attributes": {}}
    these.normalised(observation(state=state({"attributes": {}}, given, first)), "/w")
    got = these.normalised(observation(state=state({"attributes": {}}, given, second, first)), "/w")
    renamed: list[Tree] = [{"deposed": f"<deposed t.a #{number}>", "attributes": {}} for number in (1, 2)]
    assert got["state"] == state({"attributes": {}}, given, *renamed)


def test_deposed_keys_are_numbered_and_those_of_a_graph_are_not() -> None:
    these = names()
    got = these.normalised(
        observation(state=state({"index_key": JsonNumber("0"), "deposed": "0a0a0a0a", "attributes": {}})), "/w"
    )
    assert got["state"] == state({"index_key": JsonNumber("0"), "deposed": "<deposed t.a[0] #1>", "attributes": {}})
    message: Tree = {"summary": "Cycle: t.b (destroy deposed 0b0b0b0b), t.a[0] (destroy deposed 0a0a0a0a)"}
    got = these.normalised(observation(diagnostics=[message]), "/w")
    wanted = "Cycle: t.a[0] (destroy deposed <deposed t.a[0] #1>), t.b (destroy deposed <deposed key>)"
    assert got["diagnostics"] == [{"summary": wanted}]


def test_times_directories_and_other_uuids() -> None:
    got = names().normalised(
        observation(plan=["2026-01-02T03:04:05Z", "2020-01-02T03:04:05Z", "/w/x/y", "/w/xy", SECOND]), "/w/x"
    )
    assert got["plan"] == ["<timestamp>", "2020-01-02T03:04:05Z", "<cwd>/y", "/w/xy", "<uuid>"]


def test_bulleted_lists_are_sorted_each_for_itself() -> None:
    got = names().normalised(observation(diagnostics=[{"detail": "x:\n  - b\n  - a\nand:\n - d\n - c\n"}]), "/w")
    assert got["diagnostics"] == [{"detail": "x:\n  - a\n  - b\nand:\n - c\n - d\n"}]


def test_a_date_that_does_not_exist_stays_as_it_is() -> None:
    assert names().normalised(observation(plan=["2020-02-30T00:00:00Z"]), "/w")["plan"] == ["2020-02-30T00:00:00Z"]
