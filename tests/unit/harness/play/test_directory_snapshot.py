"""Configurations are restored from memory: each step gets the files of the case, whatever an earlier step did to its
copy."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.play.directory_snapshot import DirectorySnapshot


def test_what_is_laid_out_is_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "from" / "module" / "empty").mkdir(parents=True)
    (tmp_path / "from" / "main.tf").write_bytes(b"\xff\n")
    script = tmp_path / "from" / "module" / "run.sh"
    script.write_text("true\n")
    script.chmod(0o755)
    (tmp_path / "from" / "link").symlink_to("main.tf")
    contents = DirectorySnapshot.of(tmp_path / "from", tmp_path / "from")
    for place in (tmp_path / "first", tmp_path / "below" / "second"):
        assert contents.write_to(place) == place
        assert sorted(path.relative_to(place).as_posix() for path in place.rglob("*")) == [
            *("link", "main.tf", "module", "module/empty", "module/run.sh")
        ]
        assert (place / "link").read_bytes() == b"\xff\n"
        assert not (place / "link").is_symlink()
        assert os.access(place / "module" / "run.sh", os.X_OK)
        assert not os.access(place / "main.tf", os.X_OK)


def test_a_directory_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        DirectorySnapshot.of(tmp_path / "nothing", tmp_path)
