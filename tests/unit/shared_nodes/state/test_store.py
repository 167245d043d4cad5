"""A state file on disk is never half written, never shared by two writers, and survives a killed run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.provider import BUILTIN, AbsProviderConfig, ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, Resource, ResourceMode
from shared_nodes.plan.events import EventSink
from shared_nodes.providers.builtin import BUILTIN_SCHEMA
from shared_nodes.state.journal import journal_path
from shared_nodes.state.model import InstanceObject, ObjectStatus, OutputState, ResourceState, State
from shared_nodes.state.store import StateStore, open_store
from shared_nodes.values.value import NULL_DYNAMIC, object_of, string
from shared_nodes.world import World

PROVIDER = ProviderInstance(AbsProviderConfig(BUILTIN))


def address(name: str) -> AbsResourceInstance:
    return AbsResourceInstance(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "terraform_data", name))


def thing(identifier: str) -> InstanceObject:
    return InstanceObject(ObjectStatus.READY, stored={"id": identifier})


def world(directory: Path) -> World:
    return World.confined(directory, seed=1, now=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))


def open_directory(directory: Path) -> StateStore:
    store, problems = open_store(directory / "terraform.tfstate", world(directory))
    assert store is not None, problems
    return store


def identifiers(state: State) -> dict[str, object]:
    found: dict[str, object] = {}
    for where, instance in state.instances():
        if instance.current is not None:
            assert isinstance(instance.current.stored, dict)
            found[str(where)] = instance.current.stored["id"]
    return found


def read_saved(directory: Path) -> dict[str, object]:
    tree = json.loads((directory / "terraform.tfstate").read_text())
    assert isinstance(tree, dict)
    return tree


def test_the_serial_grows_only_with_differences(tmp_path: Path) -> None:
    store = open_directory(tmp_path)
    state = State()
    assert store.persist(state, {}) == []
    lineage = read_saved(tmp_path)["lineage"]
    assert (read_saved(tmp_path)["serial"], bool(lineage)) == (1, True)
    assert store.persist(state.copy(), {}) == []
    assert read_saved(tmp_path)["serial"] == 1
    state.outputs["o"] = OutputState(string("x"))
    assert store.persist(state, {}) == []
    assert (read_saved(tmp_path)["serial"], read_saved(tmp_path)["lineage"]) == (2, lineage)


def test_a_file_in_another_layout_is_left_alone(tmp_path: Path) -> None:
    text = '{"version":4,"serial":7,"lineage":"l","outputs":{"o":{"value":"x","type":"string"}},"resources":[]}'
    (tmp_path / "terraform.tfstate").write_text(text)
    store = open_directory(tmp_path)
    assert store.persist(store.state.copy(), {}) == []
    assert (tmp_path / "terraform.tfstate").read_text() == text


def test_the_backup_is_what_the_run_found(tmp_path: Path) -> None:
    store = open_directory(tmp_path)
    store.persist(State(outputs={"o": OutputState(string("first"))}), {})
    store.close()
    first = (tmp_path / "terraform.tfstate").read_text()
    store = open_directory(tmp_path)
    for text in ("second", "third"):
        store.persist(State(outputs={"o": OutputState(string(text))}), {})
    assert (tmp_path / "terraform.tfstate.backup").read_text() == first


def test_a_run_that_found_nothing_leaves_no_backup(tmp_path: Path) -> None:
    store = open_directory(tmp_path)
    for text in ("first", "second"):
        store.persist(State(outputs={"o": OutputState(string(text))}), {})
    assert not (tmp_path / "terraform.tfstate.backup").exists()


def test_two_writers_exclude_each_other(tmp_path: Path) -> None:
    store = open_directory(tmp_path)
    other, [problem] = open_store(tmp_path / "terraform.tfstate", world(tmp_path))
    assert other is None
    assert problem.summary == "Error acquiring the state lock"
    assert "Lock Info:\n  ID:        " in problem.detail
    assert "\n  Operation: OperationTypeApply\n" in problem.detail
    assert (
        "\n  Created:   2026-01-02 03:04:05.000000 +0000 UTC\n  Info:      \n\n\nTerraform acquires" in problem.detail
    )
    store.close()
    open_directory(tmp_path).close()
    assert not (tmp_path / ".terraform.tfstate.lock.info").exists()


def test_a_lock_file_that_a_crash_left_behind_locks_nothing(tmp_path: Path) -> None:
    (tmp_path / ".terraform.tfstate.lock.info").write_text('{"ID":"dead"}')
    open_directory(tmp_path).close()


def test_a_state_that_cannot_be_read_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "terraform.tfstate").write_text('{"version":9}')
    store, [problem] = open_store(tmp_path / "terraform.tfstate", world(tmp_path))
    assert store is None
    assert problem.detail.startswith(
        "Error message: Unsupported state file format: The state file uses format version 9"
    )
    assert not (tmp_path / ".terraform.tfstate.lock.info").exists()


def test_a_state_that_cannot_be_written_is_rescued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "state"
    place.mkdir()
    store, _ = open_store(place / "terraform.tfstate", world(tmp_path))
    assert store is not None
    real = os.replace

    def fail(source: Path, target: Path) -> None:
        if target.name == "terraform.tfstate":
            raise OSError(28, "No space left on device", str(target))
        real(source, target)

    monkeypatch.setattr(os, "replace", fail)
    problems = store.persist(State(outputs={"o": OutputState(string("x"))}), {})
    assert [problem.summary for problem in problems] == ["Failed to write state", "Failed to persist state"]
    assert problems[0].detail.endswith("/state/terraform.tfstate: no space left on device.")
    rescued = json.loads((tmp_path / "errored.tfstate").read_text())
    assert (rescued["outputs"]["o"]["value"], rescued["serial"]) == ("x", 1)
    assert f"To recover, copy that to {place}/terraform.tfstate" in problems[1].detail
    assert "state push" not in problems[1].detail
    assert sorted(path.name for path in place.iterdir()) == [".terraform.tfstate.lock.info"]


def test_a_run_that_is_killed_leaves_no_records_without_objects(tmp_path: Path) -> None:
    """Which blocks have been visited by the first change depends on the schedule."""
    store = open_directory(tmp_path)
    events = EventSink(working=State())
    store.listen_to(events, {})
    assert events.working is not None
    events.working.resources[address("looked_at").containing] = ResourceState(PROVIDER.config)
    events.working.put(address("a"), PROVIDER, thing("a"))
    events.state_changed()
    store.close()
    assert [*open_directory(tmp_path).state.resources] == [address("a").containing]
    assert address("looked_at").containing in events.working.resources


def test_changes_are_journalled_and_folded_in(tmp_path: Path) -> None:
    store = open_directory(tmp_path)
    events = EventSink(working=State())
    store.listen_to(events, {})
    assert events.working is not None
    for name in "abc":
        events.working.put(address(name), PROVIDER, thing(name))
        events.state_changed()
    assert journal_path(store.path).read_text().count("\n") == 3  # the header, and all but the first change
    assert store.persist(events.working, {}) == []
    assert not journal_path(store.path).exists()
    store.close()
    assert identifiers(open_directory(tmp_path).state) == {f"terraform_data.{name}": name for name in "abc"}


def test_a_disk_that_fails_behind_the_journal_lets_nothing_new_begin_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def fail_for_the_journal(descriptor: int) -> None:
        if os.path.samestat(os.fstat(descriptor), journal_path(tmp_path / "terraform.tfstate").stat()):
            raise OSError(5, "Input/output error")
        real(descriptor)

    store = open_directory(tmp_path)
    events = EventSink(working=State())
    store.listen_to(events, {})
    assert events.working is not None
    names: list[str] = []
    deadline = time.monotonic() + 60
    while not events.stopping and time.monotonic() < deadline:
        names.append("abc"[min(len(names), 2)])  # the disk may fail before there is a third object
        events.working.put(address(names[-1]), PROVIDER, thing(names[-1]))
        events.state_changed()
        monkeypatch.setattr(os, "fsync", fail_for_the_journal)
    assert events.stopping
    [problem] = store.persist(events.working, {})
    assert problem.summary == "The apply has ended early"
    store.close()
    assert identifiers(open_directory(tmp_path).state) == {f"terraform_data.{name}": name for name in names}


def test_a_layout_of_somebody_else_is_no_difference(tmp_path: Path) -> None:
    """Only a change of content gets a new serial, even if another program wrote the file."""
    store = open_directory(tmp_path)
    store.persist(State(outputs={"o": OutputState(string("x"))}), {})
    store.close()
    foreign = json.dumps(read_saved(tmp_path))
    (tmp_path / "terraform.tfstate").write_text(foreign)
    store = open_directory(tmp_path)
    assert store.persist(store.state.copy(), {}) == []
    assert (tmp_path / "terraform.tfstate").read_text() == foreign
    store.persist(State(), {})
    store.close()
    assert read_saved(tmp_path)["serial"] == 2


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path[:0] = [{tests!r}]
from test_store import PROVIDER, EventSink, State, address, open_directory, thing
store = open_directory(Path({directory!r}))
events = EventSink(working=store.state.copy())
store.listen_to(events, {{}})
def change(name, value):
    events.working.put(address(name), PROVIDER, value)
    events.state_changed()
change("a", thing("1"))
change("b", thing("2"))
events.working.put_deposed(address("b"), "deadbeef", PROVIDER, thing("old"))
events.state_changed()
change("a", None)
change("c", thing("3"))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_run_loses_nothing(tmp_path: Path) -> None:
    code = KILLED.format(tests=str(Path(__file__).parent), directory=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -9
    store = open_directory(tmp_path)
    assert identifiers(store.state) == {"terraform_data.b": "2", "terraform_data.c": "3"}
    instance = store.state.instance(address("b"))
    assert instance is not None
    assert list(instance.deposed) == ["deadbeef"]
    assert not journal_path(store.path).exists()
    store.close()
    assert identifiers(open_directory(tmp_path).state) == {"terraform_data.b": "2", "terraform_data.c": "3"}


def unsigned(journal: str) -> str:
    """Return a journal without its checksums."""
    return re.sub(r',"crc":"[0-9a-f]{8}"}\n', "}\n", journal)


def signed(journal: str) -> str:
    """Return a journal with new checksums, as if a run had written what is in its lines."""
    checksum, lines = 0, []
    for body in unsigned(journal).splitlines():
        checksum = zlib.crc32(body.encode(), checksum)
        lines.append(f'{body[:-1]},"crc":"{checksum:08x}"}}\n')
    return "".join(lines)


def interrupt_run(directory: Path) -> Path:
    """Return what a run killed after two changes left: the state with the first one, and a journal."""
    store = open_directory(directory)
    events = EventSink(working=State())
    store.listen_to(events, {})
    assert events.working is not None
    for name in "ab":
        events.working.put(address(name), PROVIDER, thing(name))
        events.state_changed()
    store.close()
    return journal_path(store.path)


def test_data_still_to_be_read_does_not_spoil_the_journal(tmp_path: Path) -> None:
    """Nothing of it is saved, so its line in the journal has no object."""
    store = open_directory(tmp_path)
    events = EventSink(working=State())
    store.listen_to(events, {})
    assert events.working is not None
    for name, current in (("a", thing("a")), ("b", InstanceObject(ObjectStatus.PLANNED)), ("c", thing("c"))):
        events.working.put(address(name), PROVIDER, current)
        events.state_changed()
    store.close()
    assert identifiers(open_directory(tmp_path).state) == {"terraform_data.a": "a", "terraform_data.c": "c"}


def test_nothing_ephemeral_is_ever_written_down(tmp_path: Path) -> None:
    """A token was once written to the journal during an apply, and a killed run left it there."""
    store = open_directory(tmp_path)
    events = EventSink(working=State())
    store.listen_to(events, {})
    assert events.working is not None
    token = AbsResourceInstance(ROOT_INSTANCE, Resource(ResourceMode.EPHEMERAL, "simcloud_token", "t"))
    for where, current in ((address("a"), thing("a")), (token, thing("hidden")), (address("c"), thing("c"))):
        events.working.put(where, PROVIDER, current)
        events.state_changed()
    store.close()
    assert not any("hidden" in file.read_text() for file in tmp_path.iterdir())
    assert identifiers(open_directory(tmp_path).state) == {"terraform_data.a": "a", "terraform_data.c": "c"}


def test_a_line_that_was_cut_off_is_ignored(tmp_path: Path) -> None:
    journal = interrupt_run(tmp_path)
    with journal.open("a") as file:
        file.write('{"instance":"terraform_data.c","resour')
    assert identifiers(open_directory(tmp_path).state) == {"terraform_data.a": "a", "terraform_data.b": "b"}


def test_a_journal_older_than_the_state_was_folded_in_already(tmp_path: Path) -> None:
    journal = interrupt_run(tmp_path)
    content = journal.read_text()
    open_directory(tmp_path).close()
    journal.write_text(content)
    before = (tmp_path / "terraform.tfstate").read_text()
    open_directory(tmp_path).close()
    assert (tmp_path / "terraform.tfstate").read_text() == before
    assert not journal.exists()


def interrupt_in_a_chain(directory: Path, length: int) -> State:
    """Return what a run was about to save when it was killed while working on a chain, in which each object depends on
    all before it."""
    store = open_directory(directory)
    events = EventSink(working=State())
    store.listen_to(events, {BUILTIN: BUILTIN_SCHEMA})
    assert events.working is not None
    before: tuple[ConfigResource, ...] = ()
    for number in range(length):
        where = address(f"r{number}")
        nothing = dict.fromkeys(("input", "output", "triggers_replace"), NULL_DYNAMIC)
        value = object_of({"id": string(str(number)), **nothing})
        events.working.put(where, PROVIDER, InstanceObject(ObjectStatus.READY, value, dependencies=before))
        events.state_changed()
        before = tuple(sorted((*before, where.config), key=str))
    store.close()
    return events.working


def test_the_journal_of_a_long_chain_names_each_dependency_few_times_and_loses_none(tmp_path: Path) -> None:
    working = interrupt_in_a_chain(tmp_path, 50)
    lines = [json.loads(line) for line in journal_path(tmp_path / "terraform.tfstate").read_text().splitlines()]
    assert lines[-1]["also"] == ["terraform_data.r48"]
    assert "dependencies" not in lines[-1]["resource"]["instances"][0]
    recovered = open_directory(tmp_path).state
    for where, instance in working.instances():
        found = recovered.current(where)
        assert found is not None
        assert instance.current is not None
        assert found.dependencies == instance.current.dependencies


@pytest.mark.parametrize("also", ['"also":"r1"', '"also":[1]'])
def test_what_a_line_adds_to_the_line_before_must_be_names(tmp_path: Path, also: str) -> None:
    interrupt_in_a_chain(tmp_path, 40)
    journal = journal_path(tmp_path / "terraform.tfstate")
    journal.write_text(signed(journal.read_text().replace('"also":["terraform_data.r38"]', also)))
    store, problems = open_store(tmp_path / "terraform.tfstate", world(tmp_path))
    assert store is None
    assert "line 40 has an invalid object" in problems[0].detail


@pytest.mark.parametrize("version", [1, 2])
def test_a_journal_of_an_earlier_version_is_still_read(tmp_path: Path, version: int) -> None:
    journal = interrupt_run(tmp_path)
    journal.write_text(unsigned(journal.read_text()).replace('{"journal":3,', f'{{"journal":{version},', 1))
    assert identifiers(open_directory(tmp_path).state) == {"terraform_data.a": "a", "terraform_data.b": "b"}


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda text: text[:0], None),
        (lambda text: "nonsense\n" + text, "its first line does not say which state it continues"),
        (lambda text: signed(text.replace('"lineage":"', '"lineage":"x')), "it continues a state of another lineage"),
        (lambda text: signed(text.replace('"serial":1', '"serial":9')), "it continues a state with serial 9"),
        (lambda text: signed(text + '{"a":1}\n' + text), "line 3 cannot be read"),
        (lambda text: signed(text.replace('"instance":"', '"instance":"0')), "line 2 has an invalid address"),
        (lambda text: signed(text.replace('"mode":"managed"', '"mode":"odd"')), "line 2 has an invalid object"),
        (lambda text: text.replace('"id":"b"', '"id":"c"'), "line 2 does not match its checksum"),
        (lambda text: text.replace('"journal":3', '"journal":2'), "line 1 does not match its checksum"),
        (lambda text: text + text.splitlines(keepends=True)[1], "line 3 does not match its checksum"),
        (unsigned, "line 1 does not match its checksum"),
    ],
)
def test_a_journal_that_no_run_left_is_not_guessed_at(tmp_path: Path, damage: object, reason: str | None) -> None:
    journal = interrupt_run(tmp_path)
    assert callable(damage)
    damaged = damage(journal.read_text())
    journal.write_text(damaged)
    store, problems = open_store(tmp_path / "terraform.tfstate", world(tmp_path))
    if reason is None:
        assert store is not None
        return
    assert store is None
    assert problems[0].summary == "Unusable state journal"
    assert reason in problems[0].detail
    assert journal.read_text() == damaged
