"""The directory of a stranger, in which a command is started: its settings, and the runs that it seems to keep."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Final

import pytest
from click.testing import CliRunner, Result

from harness.cli import commands
from tests.odd_cases import write_good_case

Make = Callable[[Path], object]


def link_to_zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def write_nested(path: Path) -> None:
    path.write_text("[" * 100_000 + "\n", encoding="utf-8")


KINDS: Final[dict[str, Make]] = {"pipe": os.mkfifo, "zero": link_to_zeros, "nested": write_nested}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory with one case. Nothing is waited for in it."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError("a file was waited for")

    place = tmp_path / "stranger"
    write_good_case(place / "corpus" / "area" / "case")
    monkeypatch.chdir(place)
    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(60)
    yield place
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def invoke(*words: str) -> Result:
    result = CliRunner().invoke(commands, words)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def run(*words: str) -> Result:
    return invoke("run", ".", "--jobs", "1", *words)


def settings(text: str) -> None:
    Path("pyproject.toml").write_text(f"[tool.diffharness]\n{text}\n")


def test_a_program_that_settings_name_is_not_even_asked_for_its_version(here: Path) -> None:
    """It once was, before anything decided whether it may run."""
    settings('engines = ["legacy", "./program"]')
    (here / "program").write_text(f"#!/bin/sh\ntouch {here}/proof\n")
    (here / "program").chmod(0o755)
    result = run()
    assert (result.exit_code, "./program is a real program" in result.output) == (2, True)
    assert not (here / "proof").exists()


def test_settings_keep_no_runs_elsewhere(here: Path) -> None:
    settings('out = "../elsewhere"')
    assert "out has no effect" in run().output
    assert not (here.parent / "elsewhere").exists()
    settings('out = "kept"')
    assert run().exit_code == 0
    assert list((here / "kept").glob("*/run.json"))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.write_text("[tool.diffharness]\nx = " + "[" * 100_000), "nested too deeply"),
        (lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 10**10), "larger than 1000000 bytes"),
    ],
)
def test_odd_settings_are_refused(here: Path, make: Make, said: str) -> None:
    make(here / "pyproject.toml")
    result = run()
    assert (result.exit_code, said in result.output) == (1, True), result.output


@pytest.mark.parametrize("name", ["run.json", "journal.jsonl", "end.json", "lines.json"])
@pytest.mark.parametrize("kind", KINDS)
def test_an_odd_run_is_refused_in_one_message(here: Path, name: str, kind: str) -> None:
    """A new run, which compares itself with it, does without."""
    assert run().exit_code == 0
    kept = (here / ".diffharness" / "runs" / "latest").resolve()
    (kept / name).unlink(missing_ok=True)
    KINDS[kind](kept / name)
    result = invoke("report", str(kept))
    assert result.exit_code in (1, 2)
    assert name in result.output or "there is no run" in result.output
    assert run().exit_code == 0


@pytest.mark.parametrize("link", [".diffharness", ".diffharness/runs"])
def test_runs_are_not_kept_through_a_link(here: Path, link: str) -> None:
    elsewhere = here.parent / "elsewhere"
    elsewhere.mkdir()
    (here / link).parent.mkdir(exist_ok=True)
    (here / link).symlink_to(elsewhere)
    result = run()
    assert (result.exit_code, "not below the current directory; choose --out" in result.output) == (1, True)
    assert list(elsewhere.iterdir()) == []


def test_nothing_is_written_through_links_where_runs_are_kept(here: Path) -> None:
    precious = here.parent / "precious"
    precious.write_text("precious")
    (here / ".diffharness").mkdir()
    (here / ".diffharness" / ".gitignore").symlink_to(precious)
    (here / "corpus" / "agreeing.txt").symlink_to(precious)
    assert run("--update-agreeing").exit_code == 0
    assert precious.read_text() == "precious"


@pytest.mark.parametrize("kind", KINDS)
def test_odd_lists_beside_cases_are_not_waited_for(here: Path, kind: str) -> None:
    for name in ("agreeing.txt", "upstream.yaml"):
        KINDS[kind](here / "corpus" / name)
    assert run("--update-agreeing").exit_code == 0
    assert run("--migration", "state.md").exit_code == 1
