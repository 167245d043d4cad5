"""The single file: what is in it, where it copies that, and what it says where it cannot.

A small package takes the place of ours; `make dist` tries the real file at its end, which takes longer than a test may.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from distribution import bootstrap
from distribution.build import build_archive, build_packages

HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
_COMMAND = "import sys, other\n\ndef main():\n    print(sys.argv, other.TEXT, other.__file__)\n"


@pytest.fixture
def sites(tmp_path: Path) -> dict[str, Path]:
    """What is installed for two versions of Python: `other` differs."""
    made = {}
    for version in (HERE, "3.99"):
        site = made[version] = tmp_path / "sites" / version
        site.mkdir(parents=True)
        (site / "diffharness_command.py").write_text(_COMMAND)
        (site / "other.py").write_text(f"TEXT = 'for {version}'\n")
        (site / "setuptools").mkdir()
        (site / "setuptools" / "x.py").write_text("")
        (site / "a-1.dist-info").mkdir()
        (site / "a-1.dist-info" / "RECORD").write_text(version)
    return made


@pytest.fixture
def archive(sites: dict[str, Path], tmp_path: Path) -> Path:
    return build_archive(sites, tmp_path / "x.pyz", "1.2", bootstrap.describe_platform())


def start(archive: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(archive), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_what_all_versions_have_alike_is_there_once(archive: Path) -> None:
    with zipfile.ZipFile(archive) as content:
        names = sorted(content.namelist())
    assert names == [
        *(f"{version}/other.py" for version in (HERE, "3.99")),
        "__main__.py",
        "common/diffharness_command.py",
        "manifest.json",
    ]
    assert archive.read_bytes().startswith(b"#!/usr/bin/env python3\n")
    assert os.access(archive, os.X_OK)


def test_building_leaves_nothing_beside_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest rewrites the assertions of all modules that `diffharness.egg-info` lists, and mutants then fit none."""
    out = tmp_path / "dist"
    out.mkdir()

    def build(*_command: object, **_options: object) -> None:
        for name in ("build/lib", "diffharness.egg-info"):
            (tmp_path / name).mkdir(parents=True)
        (out / "x-1.whl").touch()

    monkeypatch.setattr("distribution.build.ROOT", tmp_path)
    monkeypatch.setattr("distribution.build.subprocess.run", build)
    assert build_packages(out) == out / "x-1.whl"
    assert list(tmp_path.iterdir()) == [out]


def test_the_same_content_is_the_same_file(archive: Path, sites: dict[str, Path], tmp_path: Path) -> None:
    again = build_archive(sites, tmp_path / "y.pyz", "1.2", bootstrap.describe_platform())
    assert again.read_bytes() == archive.read_bytes()
    (sites[HERE] / "other.py").write_text("TEXT = 'changed'\n")
    assert build_archive(sites, again, "1.2", bootstrap.describe_platform()).read_bytes() != archive.read_bytes()


def test_the_content_is_copied_once_and_runs_from_there(archive: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = start(archive, "a b", DIFFHARNESS_CACHE_DIR=str(cache))
    (place,) = cache.iterdir()
    assert first.stdout == f"['diffharness', 'a b'] for {HERE} {place}/other.py\n"
    (place / "other.py").write_text("TEXT = 'kept'\n")
    assert "kept" in start(archive, DIFFHARNESS_CACHE_DIR=str(cache)).stdout
    assert list(cache.iterdir()) == [place]


def test_without_a_choice_it_is_the_cache_directory_of_the_user(archive: Path, tmp_path: Path) -> None:
    assert start(archive, XDG_CACHE_HOME=str(tmp_path / "xdg")).returncode == 0
    assert start(archive, HOME=str(tmp_path / "home")).returncode == 0
    for place in (tmp_path / "xdg", tmp_path / "home" / ".cache"):
        assert len(list((place / "diffharness").iterdir())) == 1


def test_without_a_home_it_is_a_private_directory(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {"HOME": str(tmp_path / "file"), "TMPDIR": str(temporary)}
    assert start(archive, **environment).returncode == 0
    (made,) = temporary.iterdir()
    assert made.stat().st_mode & 0o777 == 0o700
    made.chmod(0o777)
    refused = start(archive, **environment)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "name one in the variable DIFFHARNESS_CACHE_DIR" in refused.stderr


def test_a_directory_that_was_chosen_and_cannot_be_written_is_no_traceback(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = start(archive, DIFFHARNESS_CACHE_DIR=str(tmp_path / "file" / "x"), HOME=str(tmp_path))
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert not (tmp_path / ".cache").exists()


def test_a_copy_is_complete_or_not_there(archive: Path, tmp_path: Path) -> None:
    root, place = str(tmp_path / "cache"), str(tmp_path / "cache" / "name")

    class Torn(zipfile.ZipFile):
        def open(self, *_arguments: object, **_options: object) -> None:  # type: ignore[override]
            raise OSError("no space left on device")

    with Torn(archive) as content, pytest.raises(OSError, match="no space left"):
        bootstrap.extract(content, root, place)
    assert os.listdir(root) == []


def test_the_slower_of_two_starts_uses_the_copy_of_the_faster(archive: Path, tmp_path: Path) -> None:
    place = tmp_path / "cache" / "name"
    place.mkdir(parents=True)
    (place / "theirs").write_text("")
    with zipfile.ZipFile(archive) as content:
        bootstrap.extract(content, str(tmp_path / "cache"), str(place))
    assert os.listdir(tmp_path / "cache") == ["name"]
    assert os.listdir(place) == ["theirs"]


def test_another_python_or_platform_is_refused_in_words(sites: dict[str, Path], tmp_path: Path) -> None:
    others = {"3.98": sites["3.99"], "3.99": sites["3.99"]}
    python = start(build_archive(others, tmp_path / "p.pyz", "1", bootstrap.describe_platform()))
    assert python.returncode == 2
    assert f"this file is for Python 3.98, 3.99, and {sys.executable} is Python {HERE}" in python.stderr
    machine = start(build_archive(sites, tmp_path / "m.pyz", "1", "plan9 mips"))
    assert machine.returncode == 2
    assert "this file is for plan9 mips, and this machine is " in machine.stderr


def test_old_versions_of_python_can_read_the_first_module() -> None:
    compile(Path(bootstrap.__file__).read_text(encoding="utf-8"), "bootstrap.py", "exec", dont_inherit=True)
    import ast

    ast.parse(Path(bootstrap.__file__).read_text(encoding="utf-8"), feature_version=(3, 7))
