"""Directories do not outlive their process, at whatever moment it is killed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import owned_directory
from harness.owned_directory import OwnedDirectory


@pytest.fixture(autouse=True)
def _not_looked_at() -> Iterator[None]:
    """Let each test look for abandoned directories again."""
    owned_directory._remove_abandoned.cache_clear()
    yield
    owned_directory._remove_abandoned.cache_clear()


def abandon(place: Path) -> Path:
    """Make a directory in a process that does not clear up."""
    program = "from harness.owned_directory import OwnedDirectory; from pathlib import Path; import os, sys"
    made = f"{program}; d = OwnedDirectory(Path(sys.argv[1])); os.mkdir(d.name + '/story'); os._exit(9)"
    subprocess.run([sys.executable, "-c", made, str(place)], check=False)
    (directory,) = place.iterdir()
    return directory


def test_the_directory_of_a_process_that_is_gone_is_removed(tmp_path: Path) -> None:
    """Whether it was in use, only just made, or half removed."""
    used = abandon(tmp_path)
    (used.with_name("dhown-made")).mkdir()
    (used.with_name("dhown-half") / "story-1").mkdir(parents=True)
    with OwnedDirectory(tmp_path) as mine:
        assert list(tmp_path.iterdir()) == [Path(mine)]
    assert list(tmp_path.iterdir()) == []


def test_that_of_a_living_one_is_not_and_neither_is_what_is_not_ours(tmp_path: Path) -> None:
    others = [tmp_path / "diffharness-mine", tmp_path / "dhown", tmp_path / "elsewhere"]
    for directory in others:
        directory.mkdir()
    (tmp_path / "dhown-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "dhown-file").touch()
    with OwnedDirectory(tmp_path) as living:
        owned_directory._remove_abandoned.cache_clear()
        with OwnedDirectory(tmp_path) as mine:
            names = {path.name for path in tmp_path.iterdir()}
    assert names == {
        "diffharness-mine",
        "dhown",
        "elsewhere",
        "dhown-link",
        "dhown-file",
        Path(living).name,
        Path(mine).name,
    }


def test_one_that_is_removed_before_it_is_locked_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = owned_directory._lock
    lost: list[Path] = []

    def lose_the_first(directory: Path) -> int | None:
        if not lost:
            lost.append(directory)
            shutil.rmtree(directory)
        return lock(directory)

    monkeypatch.setattr(owned_directory, "_lock", lose_the_first)
    with OwnedDirectory(tmp_path) as mine:
        assert [*tmp_path.iterdir()] == [Path(mine)] != lost


def test_sockets_of_multiprocessing_are_in_one(tmp_path: Path) -> None:
    program = "from harness.owned_directory import keep_sockets; keep_sockets()"
    printed = f"{program}; import multiprocessing.util as u, tempfile; print(u.get_temp_dir(), tempfile.gettempdir())"
    done = subprocess.run(
        [sys.executable, "-c", printed], env={"TMPDIR": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    sockets, place = done.stdout.split()
    assert Path(sockets).parent.name.startswith("dhown-")
    assert Path(sockets).parent.parent == Path(place) == tmp_path
    assert list(tmp_path.iterdir()) == []
    assert not done.stderr
    assert tempfile.gettempdir() != str(tmp_path)
