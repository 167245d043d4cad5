"""Whatever is killed, no process and no directory stays: workers end with the run, and commands with their worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

COMMAND: Final = [sys.executable, "-c", "from diffharness_command import main; main()"]
WAIT_S: Final = 60.0

MakeCase = Callable[[str, str], Path]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The place of the temporary files of every process that the test starts. The path of a socket must be short."""
    with tempfile.TemporaryDirectory(prefix="dh-", dir="/tmp") as place:
        monkeypatch.setenv("TMPDIR", place)
        yield Path(place)


@pytest.fixture
def marker(scratch: Path) -> str:
    """A text in the environment of every process that the test starts."""
    return f"TMPDIR={scratch}"


def processes_of(marker: str) -> list[int]:
    """Return the living processes that have the text in their environment."""
    found: list[int] = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            is_ours = marker.encode() in (place / "environ").read_bytes()
            is_dead = (place / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            continue
        if is_ours and not is_dead and int(place.name) != os.getpid():
            found.append(int(place.name))
    return found


def wait_until(is_so: Callable[[], object], what: str) -> None:
    deadline_s = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < deadline_s, what
        time.sleep(0.02)


@pytest.fixture
def start(marker: str, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []

    def start_command(*arguments: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [*COMMAND, *arguments], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        started.append(process)
        return process

    yield start_command
    for left in processes_of(marker):
        os.kill(left, signal.SIGKILL)
    for process in started:
        process.communicate()


StartCommand = Callable[..., subprocess.Popen[bytes]]


def write_command(directory: Path, command: str) -> None:
    (directory / "v1").mkdir(parents=True)
    (directory / "case.yaml").write_text("description: a command\nsteps: [{op: apply, config: v1}]\n")
    provisioner = f'  provisioner "local-exec" {{\n    command = "{command}"\n  }}\n'
    (directory / "v1" / "main.tf").write_text(f'resource "terraform_data" "a" {{\n{provisioner}}}\n')


@pytest.mark.parametrize("mood", ["loops", "deaf"])
def test_workers_end_with_a_run_that_was_killed(
    make_case: MakeCase, start: StartCommand, marker: str, scratch: Path, mood: str
) -> None:
    """They do so at once, and clear up, even if they compute without looking at any signal."""
    make_case("endless", mood)
    run = start("run", "cases", "--engines", "moody,legacy", "--jobs", "2", "--timeout", "500")
    wait_until(lambda: len(processes_of(marker)) >= 3, "a worker is started")
    wait_until(lambda: any(scratch.glob("*/diffharness-*/v1")), "the case is run")
    run.kill()
    wait_until(lambda: not processes_of(marker), "all processes end")
    assert list(scratch.iterdir()) == []


def test_commands_end_with_the_run_even_in_a_session_of_their_own(
    start: StartCommand, scratch: Path, tmp_path: Path
) -> None:
    command = (
        "setsid sleep 600 > /dev/null 2>&1 & setsid setsid sleep 600 > /dev/null 2>&1 & touch $TMPDIR/begun; sleep 600"
    )
    write_command(tmp_path / "cases" / "area" / "case", command.replace("$TMPDIR", str(tmp_path)))
    run = start("run", "cases", "--jobs", "2", "--timeout", "500", "--allow-exec")
    wait_until((tmp_path / "begun").exists, "the command runs")
    run.kill()
    wait_until(lambda: not _sleeping(scratch), "the commands end")


def test_commands_end_with_a_case_that_takes_too_long(start: StartCommand, scratch: Path, tmp_path: Path) -> None:
    command = f"setsid sleep 600 > /dev/null 2>&1 & touch {tmp_path}/begun; sleep 600"
    write_command(tmp_path / "cases" / "area" / "case", command)
    run = start("run", "cases", "--jobs", "2", "--timeout", "1", "--allow-exec", "--engines", "legacy")
    assert run.wait(WAIT_S) == 3
    assert (tmp_path / "begun").exists()
    wait_until(lambda: not _sleeping(scratch), "the commands end")


def _sleeping(place: Path) -> list[Path]:
    """Return the processes whose directory is below the place: commands have no environment of ours."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(process.joinpath("cwd").readlink()).startswith(str(place)):
                found.append(process)
        except OSError:
            continue
    return found


@pytest.mark.parametrize(
    ("number", "jobs"), [(signal.SIGINT, "2"), (signal.SIGTERM, "1"), (signal.SIGTERM, "2"), (signal.SIGHUP, "2")]
)
def test_a_run_that_is_asked_to_stop_reports_what_it_has(  # noqa: PLR0917  # fixtures and parameters
    make_case: MakeCase, start: StartCommand, scratch: Path, tmp_path: Path, number: signal.Signals, jobs: str
) -> None:
    make_case("done", "")
    make_case("endless", "loops")
    run = start("run", "cases", "--engines", "legacy,moody", "--jobs", jobs, "--timeout", "500", "--out", "kept")
    journal = tmp_path / "kept" / "journal.jsonl"
    wait_until(lambda: journal.exists() and journal.stat().st_size > 0, "one case is done")
    run.send_signal(number)
    _, errors = run.communicate(timeout=WAIT_S)
    assert run.returncode == 130
    assert b"continue with --resume kept" in errors
    assert (tmp_path / "kept" / "report.html").is_file()
    wait_until(lambda: not processes_of(f"TMPDIR={scratch}"), "all processes end")
    assert list(scratch.iterdir()) == []


def test_a_signal_that_is_ignored_stays_so(make_case: MakeCase, tmp_path: Path) -> None:
    """As `nohup` asks for."""
    make_case("first", "")
    script = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); from diffharness_command import main; main()"
    arguments = ["run", "cases", "--jobs", "1", "--out", "kept"]
    run = subprocess.Popen([sys.executable, "-c", script, *arguments], cwd=tmp_path, stdout=subprocess.DEVNULL)
    wait_until((tmp_path / "kept").exists, "the run has begun")
    run.send_signal(signal.SIGHUP)
    assert run.wait(WAIT_S) == 0


def test_a_campaign_that_was_killed_leaves_no_process(start: StartCommand, marker: str, scratch: Path) -> None:
    campaign = start("fuzz", "--minutes", "5", "--jobs", "2", "--profile", "small")
    wait_until(lambda: any(scratch.glob("*/story-*")), "a story is run")
    campaign.kill()
    wait_until(lambda: not processes_of(marker), "all processes end")
