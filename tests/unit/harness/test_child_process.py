"""Child processes import our packages even where the user's directories have modules of the same names."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

import harness
from harness.child_process import child_environment, import_path, protect_imports, python_command

SHADOWED: Final = ("harness", "reports", "shared_nodes", "legacy_engine", "new_engine", "click", "trio")
HOME: Final = Path(harness.__file__).parent.parent


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A user's directory, every module of which fails to import. One more module reports what it is asked for."""
    directory = tmp_path / "hostile"
    for name in SHADOWED[:-2]:
        (directory / name).mkdir(parents=True)
        (directory / name / "__init__.py").write_text(f"raise RuntimeError('{name} of the user was imported')\n")
    for name in SHADOWED[-2:]:
        (directory / f"{name}.py").write_text(f"raise RuntimeError('{name} of the user was imported')\n")
    return directory


@pytest.fixture
def engines(tmp_path: Path) -> Path:
    """A directory that offers an engine as an entry point."""
    directory = tmp_path / "engines"
    information = directory / "own_engine-1.dist-info"
    information.mkdir(parents=True)
    (directory / "own_engine.py").write_text("async def validate(request): ...\nplan = apply = validate\n")
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: own-engine\nVersion: 1\n")
    (information / "entry_points.txt").write_text("[diffharness.engines]\nown = own_engine\n")
    return directory


@pytest.fixture
def probe(tmp_path: Path) -> Path:
    """A module whose `main` imports all that may be shadowed, and prints where `harness` was found."""
    directory = tmp_path / "probe"
    directory.mkdir()
    (directory / "probe.py").write_text(
        f"import {', '.join(SHADOWED)}\n"
        "from harness.engines.registry import installed_engines\n"
        "def main():\n"
        "    print(harness.__file__)\n"
        "    print(*installed_engines())\n"
    )
    return directory


def run(command: list[str], directory: Path) -> list[str]:
    answer = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=60, check=False)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.splitlines()


def test_a_child_in_a_directory_with_modules_of_the_same_names_imports_ours(
    hostile: Path, probe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(probe))
    assert run(python_command("probe"), hostile)[0] == harness.__file__


def test_modules_on_pythonpath_do_not_shadow_ours_and_engines_there_are_found(
    hostile: Path, engines: Path, probe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(probe))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (hostile, engines))))
    file, found = run(python_command("probe"), hostile)
    assert file == harness.__file__
    assert found.split() == ["legacy", "new", "own"]


def test_children_of_libraries_get_the_same_path_by_the_environment(
    hostile: Path, engines: Path, probe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(probe))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (hostile, engines))))
    before = dict(os.environ)
    with child_environment():
        file, found = run([sys.executable, "-c", "import probe; probe.main()"], hostile)
    assert file == harness.__file__
    assert found.split() == ["legacy", "new", "own"]
    assert dict(os.environ) == before


def test_entries_of_the_user_come_last(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(hostile))
    monkeypatch.setattr(sys, "path", ["", str(hostile), *sys.path])
    monkeypatch.chdir(hostile.parent)
    path = import_path()
    assert set(path[-2:]) == {str(hostile), str(hostile.parent)}
    assert all(map(os.path.isabs, path))


def test_our_own_directory_keeps_its_place_where_it_is_an_entry_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(HOME))
    monkeypatch.setattr(sys, "path", [str(HOME), "/usr/lib/python"])
    monkeypatch.chdir(HOME)
    assert import_path() == [str(HOME), "/usr/lib/python"]


def test_our_own_directory_precedes_those_of_the_user_where_it_is_on_no_path(
    hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(hostile))
    monkeypatch.setattr(sys, "path", [str(hostile), "/usr/lib/python"])
    assert import_path() == ["/usr/lib/python", str(HOME), str(hostile)]


def test_a_process_can_protect_itself(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(hostile))
    monkeypatch.setattr(sys, "path", [str(hostile), *sys.path])
    protect_imports()
    assert sys.path[-1] == str(hostile)


FORKING: Final = """
import sys
import time
sys.path[:] = {path!r}
from harness.child_process import forkserver_context

def locate():
    import reports
    return reports.__file__

if __name__ == "__main__":
    from harness.child_process import protect_imports
    protect_imports()
    context = forkserver_context(["harness.engines.registry", "reports"])
    with context.Pool(1) as pool:
        print(pool.apply(locate))
"""


def test_processes_of_a_fork_server_import_ours(hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "forking.py"
    program.write_text(FORKING.format(path=import_path()))
    monkeypatch.setenv("PYTHONPATH", str(hostile))
    (found,) = run([sys.executable, str(program)], hostile)
    assert Path(found).parent.parent == HOME


POOL = """
import os, sys, time
from harness.worker_pool import start_pool
with start_pool(2) as pool:
    print(*{*pool.map(%s, [0.2] * 8)}, flush=True)
    time.sleep(60)
"""


def is_running(pid: str) -> bool:
    """Return whether a process runs. One that has ended stays in the list until its parent has asked for it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_workers_of_a_pool_end_with_the_process_that_has_it(tmp_path: Path) -> None:
    """They once waited for ever for their next task if that process was killed."""
    (tmp_path / "work.py").write_text(
        "import os, time\ndef work(seconds):\n    time.sleep(seconds)\n    return os.getpid()\n"
    )
    code = f"import sys; sys.path.append({str(tmp_path)!r})\nfrom work import work\n{POOL % 'work'}"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    workers = process.stdout.readline().split()
    assert workers
    assert all(map(is_running, workers))
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 5
    while any(map(is_running, workers)):
        assert time.monotonic() < deadline, "a worker is still there"
        time.sleep(0.02)
