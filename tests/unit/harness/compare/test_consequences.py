"""A difference is a consequence exactly if it is gone where the engine begins in the state of the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from harness.compare.consequences import consequences, hidden_differences, is_apart, key_of, places_apart
from harness.observe.normalise import Names
from harness.play.checkpoint import Checkpoint, EngineMemory
from harness.play.mock_objects import MockObjects
from harness.simulation.simcloud.cloud import Cloud
from harness.simulation.simcloud.simulation import Snapshot
from shared_nodes.world import SeededIdentifiers

NOW: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ID: Final = "3c0b1a2e-0d4f-4c57-9a41-5a7f2f6d8e10"


@dataclass(frozen=True, slots=True)
class Found:
    shape: str
    kind: str
    role: str = ""
    got: str = ""


Differences = Sequence[tuple[str, Found]]
PLACES: Final = ("step 1", "step 2", "step 3")
differences = st.lists(
    st.tuples(st.sampled_from(PLACES), st.builds(Found, *map(st.sampled_from, ("ab", "xy", "rs")), st.text(max_size=1)))
)


@given(differences, differences, st.sets(st.sampled_from(PLACES)))
def test_differences_are_causes_consequences_or_unknown(own: Differences, again: Differences, places: set[str]) -> None:
    again = [found for found in again if found[0] in places]
    following = consequences(own, again, places)
    for found in own:
        is_gone = found[0] in places and key_of(*found) not in {key_of(*other) for other in again}
        assert (key_of(*found) in following) == is_gone


@given(differences, differences)
def test_hidden_differences_are_those_that_the_history_does_not_show(own: Differences, again: Differences) -> None:
    shown, hidden = {key_of(*found) for found in own}, hidden_differences(own, again)
    assert set(hidden) == {found for found in again if key_of(*found) not in shown}


@given(differences)
def test_the_same_differences_have_no_consequences(own: Differences) -> None:
    assert consequences(own, own, PLACES) == frozenset()
    assert hidden_differences(own, own) == ()


def state(identifier: str, *, serial: int = 1, value: str = "x") -> str:
    attributes = f'"attributes": {{"id": "{identifier}", "input": "{value}"}}'
    instance = f'{{"schema_version": 0, {attributes}}}'
    resource = f'{{"mode": "managed", "type": "terraform_data", "name": "a", "instances": [{instance}]}}'
    return f'{{"version": 4, "serial": {serial}, "lineage": "{identifier}", "resources": [{resource}]}}'


def checkpoint(text: str | None, identifier: str = ID, cloud: Cloud | None = None) -> Checkpoint:
    """Return a checkpoint of a run that has created one object with this id."""
    names = Names("", NOW, NOW)
    names.normalised({"events": [["apply_complete", "terraform_data.a", "create", identifier]]}, "/somewhere")
    return Checkpoint(text, Snapshot(cloud or Cloud()), names)


def test_ids_and_serials_set_nothing_apart() -> None:
    other = ID.replace("3", "4")
    assert not is_apart(checkpoint(state(ID)), checkpoint(state(other, serial=2), other))


def test_values_and_the_lack_of_a_state_set_apart() -> None:
    assert is_apart(checkpoint(state(ID)), checkpoint(state(ID, value="y")))
    assert is_apart(checkpoint(state(ID)), checkpoint(None))
    assert not is_apart(checkpoint(None), checkpoint(None))


def test_the_history_of_the_cloud_sets_apart() -> None:
    cloud = Cloud()
    cloud.created["a"] += 1
    assert is_apart(checkpoint(None), checkpoint(None, cloud=cloud))
    assert not is_apart(checkpoint(None, cloud=cloud), checkpoint(None, cloud=cloud.copy()))


def test_calls_that_a_fault_has_seen_set_apart() -> None:
    seen = replace(checkpoint(None), cloud=Snapshot(Cloud(), (1,)))
    assert is_apart(checkpoint(None), seen)


def test_files_of_mocked_providers_set_apart_if_both_runs_have_some() -> None:
    one, other = (
        replace(checkpoint(None), memory=EngineMemory(MockObjects({"a.json": content}), SeededIdentifiers(0), ()))
        for content in (b"1", b"2")
    )
    assert is_apart(one, other)
    assert not is_apart(one, checkpoint(None))


def test_encrypted_states_are_equal_only_as_texts() -> None:
    one, other = (f'{{"encrypted_data": "{text}", "encryption_version": "v0", "meta": {{}}}}' for text in ("a", "b"))
    assert is_apart(checkpoint(one), checkpoint(other))
    assert not is_apart(checkpoint(one), checkpoint(one))


def test_only_steps_after_a_difference_are_run_again() -> None:
    own = {place: checkpoint(state(ID, value="y")) for place in PLACES}
    baseline = {place: checkpoint(state(ID)) for place in PLACES}
    found = [("step 2", Found("a", "x"))]
    assert places_apart(own, baseline, found) == {"step 3": baseline["step 3"]}
    assert places_apart(own, baseline, []) == {}
    assert places_apart(own, own, found) == {}
    assert places_apart({}, baseline, found) == {}
