"""A file is replaced as a whole, is never readable by more than before, and is never written through a link."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from shared_nodes.state import atomic_file
from shared_nodes.state.journal import journal_path
from shared_nodes.state.model import OutputState, State
from shared_nodes.state.store import open_store
from shared_nodes.values.value import string
from tests.unit.shared_nodes.state.test_full_disk import begin, create
from tests.unit.shared_nodes.state.test_store import open_directory, world


def state_of(text: str) -> State:
    return State(outputs={"o": OutputState(string(text))})


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("permissions", [0o600, 0o640, 0o644])
def test_the_backup_is_readable_by_those_who_can_read_the_state(tmp_path: Path, permissions: int) -> None:
    state, backup = tmp_path / "terraform.tfstate", tmp_path / "terraform.tfstate.backup"
    store = open_directory(tmp_path)
    store.persist(state_of("first"), {})
    store.close()
    state.chmod(permissions)
    backup.write_text("an older one")
    backup.chmod(0o666)
    store = open_directory(tmp_path)
    store.persist(state_of("second"), {})
    store.close()
    assert (mode(state), mode(backup)) == (permissions, permissions)


def test_the_new_content_is_readable_by_no_more_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file once had the permissions of a new file until it was complete."""
    path = tmp_path / "terraform.tfstate"
    path.touch(0o600)
    seen: list[int] = []
    write = os.write

    def watch(descriptor: int, content: bytes) -> int:
        seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        return write(descriptor, content)

    monkeypatch.setattr(os, "write", watch)
    atomic_file.write_atomically(path, ("secret",), atomic_file.file_mode(path))
    assert (seen, mode(path)) == ([0o600], 0o600)


@pytest.mark.parametrize(
    "name", [".terraform.tfstate.new", ".terraform.tfstate.backup.new", ".terraform.tfstate.journal"]
)
def test_a_link_in_the_way_is_never_written_through(tmp_path: Path, name: str) -> None:
    """Nor is anything removed that it leads to."""
    target = tmp_path / "precious"
    directory = tmp_path / "run"
    directory.mkdir()
    store, events, working = begin(directory)
    target.write_text("precious")
    (directory / name).symlink_to(target)
    create(events, "a")
    create(events, "b")
    assert not journal_path(store.path).is_symlink()
    assert store.persist(working, {}) == []
    store.persist(state_of("other"), {})
    store.close()
    assert target.read_text() == "precious"


def test_a_lock_file_that_is_a_link_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("precious")
    (tmp_path / ".terraform.tfstate.lock.info").symlink_to(target)
    store, [problem] = open_store(tmp_path / "terraform.tfstate", world(tmp_path))
    assert (store, problem.summary) == (None, "Error acquiring the state lock")
    assert target.read_text() == "precious"


OPENED = """
import sys
from pathlib import Path
from shared_nodes.state.store import open_store
from shared_nodes.world import World
directory = Path(sys.argv[1])
store, problems = open_store(directory / "terraform.tfstate", World.real(directory))
print(problems[0].summary, problems[0].detail, sep=": ")
"""


@pytest.mark.parametrize("name", ["terraform.tfstate", ".terraform.tfstate.lock.info", ".terraform.tfstate.journal"])
def test_a_pipe_in_place_of_a_file_is_refused_and_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    result = subprocess.run(
        [sys.executable, "-c", OPENED, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert "not a regular file" in result.stdout
    assert "lock=false" not in result.stdout
