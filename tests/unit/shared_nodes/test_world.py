"""The World's files: confinement holds however a path tries to leave, and nothing can make reading hang."""

from __future__ import annotations

import errno
import os
import uuid
from datetime import UTC, datetime
from pathlib import Path

import pytest

from shared_nodes.processes import FORBIDDEN, REAL
from shared_nodes.world import ConfinementError, DirectoryEntry, Files, RefusedFileError, SeededIdentifiers, World


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return the directory of a run, with links out of it, next to a file that is outside."""
    directory = tmp_path / "run"
    (directory / "sub" / "deep").mkdir(parents=True)
    (directory / "a.txt").write_text("a")
    (directory / "sub" / "b.txt").write_text("b")
    (tmp_path / "secret.txt").write_text("secret")
    (directory / "out.txt").symlink_to("../secret.txt")
    (directory / "up").symlink_to("..")
    (directory / "in.txt").symlink_to("sub/b.txt")
    (directory / "down").symlink_to("sub/deep")
    (directory / "ring").symlink_to("ring")
    return directory


def confined(directory: Path) -> Files:
    return World.confined(directory, seed=1, now=datetime(2024, 1, 1, tzinfo=UTC)).files


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "sub/../../secret.txt",
        "out.txt",
        "up/secret.txt",
        "up",
        "..",
        "/etc/hostname",
        "/",
        "../nothing/at/all",
        "ring/../../secret.txt",
        "down/../../../secret.txt",
    ],
)
def test_paths_that_leave_are_refused(run: Path, path: str) -> None:
    files = confined(run)
    for ask in (files.locate, files.status, files.read_bytes, files.list_directory, files.is_file, files.exists):
        with pytest.raises(ConfinementError):
            ask(path)


def test_paths_that_only_look_as_if_they_left(run: Path) -> None:
    files = confined(run)
    assert files.read_bytes("up/run/a.txt") == b"a"
    assert files.read_bytes("in.txt") == b"b"
    assert files.read_bytes(str(run / "a.txt")) == b"a"
    assert files.read_bytes("sub/../a.txt") == b"a"


def test_parent_of_a_link_is_the_parent_of_its_target(run: Path) -> None:
    assert confined(run).read_bytes("down/../b.txt") == b"b"


def test_a_sibling_with_the_same_beginning_is_outside(run: Path) -> None:
    sibling = run.with_name("run-2")
    sibling.mkdir()
    (sibling / "x").touch()
    with pytest.raises(ConfinementError):
        confined(run).read_bytes("../run-2/x")


def test_the_root_itself_may_be_reached_by_a_link(run: Path) -> None:
    link = run.with_name("link-to-run")
    link.symlink_to(run)
    assert confined(link).read_bytes("a.txt") == b"a"


def test_without_a_root_everything_is_readable(run: Path) -> None:
    assert Files(run).read_bytes("../secret.txt") == b"secret"
    assert Files(run).read_bytes("out.txt") == b"secret"


@pytest.mark.parametrize("path", ["a\0b", "\ud800"])
def test_names_no_system_can_have(run: Path, path: str) -> None:
    with pytest.raises(OSError, match="Invalid argument") as caught:
        confined(run).read_bytes(path)
    assert caught.value.errno == errno.EINVAL


def test_circular_links_are_an_ordinary_error(run: Path) -> None:
    with pytest.raises(OSError, match="symbolic links") as caught:
        confined(run).read_bytes("ring")
    assert caught.value.errno == errno.ELOOP


def test_a_pipe_is_refused_at_once(run: Path) -> None:
    os.mkfifo(run / "pipe")
    with pytest.raises(RefusedFileError):
        confined(run).read_bytes("pipe")


def test_a_device_is_refused() -> None:
    with pytest.raises(RefusedFileError):
        Files(Path("/")).read_bytes("dev/zero")


def test_a_file_beyond_the_limit_is_refused(run: Path) -> None:
    (run / "large").write_bytes(b"x" * 11)
    assert confined(run).read_bytes("large", limit=11) == b"x" * 11
    with pytest.raises(RefusedFileError):
        confined(run).read_bytes("large", limit=10)


def test_listing_is_by_name_and_does_not_follow_links(run: Path) -> None:
    assert confined(run).list_directory(".") == [
        DirectoryEntry("a.txt", is_link=False, is_directory=False),
        DirectoryEntry("down", is_link=True, is_directory=False),
        DirectoryEntry("in.txt", is_link=True, is_directory=False),
        DirectoryEntry("out.txt", is_link=True, is_directory=False),
        DirectoryEntry("ring", is_link=True, is_directory=False),
        DirectoryEntry("sub", is_link=False, is_directory=True),
        DirectoryEntry("up", is_link=True, is_directory=False),
    ]


def test_walking_counts_links_to_files_but_does_not_follow_links_to_directories(run: Path) -> None:
    (run / "out.txt").unlink()
    (run / "up").unlink()
    assert sorted(confined(run).walk(".")) == ["a.txt", "in.txt", "sub/b.txt"]


def test_walking_over_a_link_that_leaves_is_refused(run: Path) -> None:
    with pytest.raises(ConfinementError):
        list(confined(run).walk("."))


def test_confined_worlds_with_the_same_seed_agree(run: Path) -> None:
    now = datetime(2024, 1, 1, tzinfo=UTC)
    first, second = World.confined(run, 7, now), World.confined(run, 7, now)
    assert first.random_bytes(8) == second.random_bytes(8)
    assert first.now() == now


def test_home_comes_from_the_user_database_where_the_environment_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    assert World.real(Path()).files.home == Path("/home/someone")
    monkeypatch.setenv("HOME", "")
    assert World.real(Path()).files.home not in (None, Path(""))


def test_ids_are_those_of_their_owner_whoever_asks_first() -> None:
    one, other = SeededIdentifiers(7), SeededIdentifiers(7)
    first = [one.new("a"), one.new("b"), one.new("a")]
    second = [other.new("b"), other.new("a"), other.new("a")]
    assert first == [second[1], second[0], second[2]]
    assert len(set(first)) == 3
    assert SeededIdentifiers(8).new("a") not in first
    assert {uuid.UUID(made).version for made in first} == {4}


def test_real_ids_are_never_the_same() -> None:
    identifiers = World.real(Path()).identifiers
    assert identifiers.new("a") != identifiers.new("a")


def test_processes_are_for_people_and_for_cases_that_ask(run: Path) -> None:
    """A case that may start processes has a fixed path to find them, and still nothing of the machine's environment."""
    now = datetime(2024, 1, 1, tzinfo=UTC)
    assert World.real(run).processes is REAL
    assert World.confined(run, 7, now).processes is FORBIDDEN
    assert World.confined(run, 7, now).environment == {}
    assert World.confined(run, 7, now, processes=REAL).environment == {"PATH": os.defpath}


def test_a_relative_root_is_where_it_leads_to_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The root is resolved against the current directory, not against that of an earlier moment."""
    for place in ("one", "other"):
        (tmp_path / place / "case").mkdir(parents=True)
        (tmp_path / place / "case" / "file").write_text(place)
        monkeypatch.chdir(tmp_path / place)
        assert Files(Path("case"), root=Path("case")).read_bytes("file") == place.encode()
