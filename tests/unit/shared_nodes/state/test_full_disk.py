"""If a change cannot be written, nothing new begins, nothing is lost, and what this run has changed is named."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from harness.chaos.small_disk import SmallDisk
from shared_nodes.plan.events import EventSink
from shared_nodes.state.journal import journal_path
from shared_nodes.state.model import InstanceObject, ObjectStatus, State
from shared_nodes.state.store import StateStore, open_store
from tests.unit.shared_nodes.state.test_store import PROVIDER, address, identifiers, open_directory, world

ROOM = 100_000


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallDisk:
    found = SmallDisk(tmp_path, ROOM)
    monkeypatch.setattr(os, "write", found.write)
    monkeypatch.setattr(os, "posix_fallocate", found.allocate)
    return found


def begin(directory: Path) -> tuple[StateStore, EventSink, State]:
    store = open_directory(directory)
    working = State()
    events = EventSink(working=working)
    assert store.listen_to(events, {}) == []
    return store, events, working


def create(events: EventSink, name: str) -> None:
    """Create an object that takes about a kilobyte."""
    assert events.working is not None
    stored = InstanceObject(ObjectStatus.READY, stored={"id": name, "text": name * (1000 // len(name))})
    events.working.put(address(name), PROVIDER, stored)
    events.state_changed()


def fill(events: EventSink) -> list[str]:
    """Create objects until nothing new may begin, and then a few that had begun before."""
    names: list[str] = []
    while not events.stopping:
        assert len(names) < ROOM // 1000, "the disk never became full"
        names.append(f"r{len(names)}")
        create(events, names[-1])
    for late in ("late0", "late1", "late2"):
        names.append(late)
        create(events, late)
    return names


@pytest.mark.usefixtures("disk")
def test_what_still_runs_when_the_disk_is_full_is_saved_as_well(tmp_path: Path) -> None:
    store, events, working = begin(tmp_path)
    names = fill(events)
    assert store.has_ended_early
    [problem] = store.persist(working, {})
    assert problem.summary == "The apply has ended early"
    assert "no space left on device" in problem.detail
    store.close()
    assert identifiers(open_directory(tmp_path).state) == {f"terraform_data.{name}": name for name in names}


@pytest.mark.usefixtures("disk")
def test_what_still_runs_when_the_disk_is_full_survives_a_kill(tmp_path: Path) -> None:
    """`close` without `persist` leaves what a killed run leaves."""
    store, events, _working = begin(tmp_path)
    names = fill(events)
    store.close()
    assert identifiers(open_directory(tmp_path).state) == {f"terraform_data.{name}": name for name in names}


def test_an_apply_without_room_for_its_outcome_does_not_begin(tmp_path: Path, disk: SmallDisk) -> None:
    disk.capacity = 4096
    store = open_directory(tmp_path)
    [problem] = store.listen_to(EventSink(working=State()), {})
    assert problem.summary == "Not enough room for the state"
    assert problem.detail.endswith("no space left on device. Nothing was changed.")
    store.close()
    assert [*tmp_path.iterdir()] == []


def test_a_state_that_fits_nowhere_is_given_to_the_caller_and_every_object_is_named(
    tmp_path: Path, disk: SmallDisk
) -> None:
    store, events, working = begin(tmp_path)
    create(events, "a")
    disk.capacity = 0
    create(events, "b")
    create(events, "c")
    assert events.stopping
    _, problem = store.persist(working, {})
    assert problem.summary == "Failed to persist state"
    assert problem.detail.endswith("removed:\n  - terraform_data.a\n  - terraform_data.b\n  - terraform_data.c\n")
    assert len(json.loads(store.unsaved)["resources"]) == 3
    assert "errored.tfstate" not in [file.name for file in tmp_path.iterdir()]
    store.close()


def test_a_line_of_the_journal_is_written_whole_or_not_at_all(tmp_path: Path, disk: SmallDisk) -> None:
    """A part of a line in the middle would make the journal unusable."""
    store, events, _working = begin(tmp_path)
    create(events, "a")
    create(events, "b")
    length = journal_path(store.path).stat().st_size
    disk.capacity = 0
    create(events, "c")
    assert journal_path(store.path).stat().st_size == length
    disk.capacity = ROOM
    create(events, "d")
    store.close()
    assert [*identifiers(open_directory(tmp_path).state).values()] == ["a", "b", "c", "d"]


def test_a_lock_that_cannot_be_written_is_one_message(tmp_path: Path, disk: SmallDisk) -> None:
    disk.capacity = 0
    found, [problem] = open_store(tmp_path / "terraform.tfstate", world(tmp_path))
    assert found is None
    assert problem.detail.startswith("Error message: no space left on device\n")
    assert [*tmp_path.iterdir()] == []


def test_a_journal_that_cannot_be_folded_in_is_kept(tmp_path: Path, disk: SmallDisk) -> None:
    store, events, _working = begin(tmp_path)
    create(events, "a")
    create(events, "b")
    store.close()
    disk.capacity = 4000
    found, [problem] = open_store(store.path, store.world)
    assert found is None
    assert problem.summary == "Failed to recover the state"
    disk.capacity = ROOM
    assert [*identifiers(open_directory(tmp_path).state).values()] == ["a", "b"]


def test_a_file_system_that_cannot_set_room_aside_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int, _offset: int, _length: int) -> None:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    store, events, working = begin(tmp_path)
    create(events, "a")
    assert store.persist(working, {}) == []
    store.close()
