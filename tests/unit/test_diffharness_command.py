"""The command imports our packages, whatever packages the current directory and PYTHONPATH contain."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import diffharness_command

HOME = Path(diffharness_command.__file__).parent


@pytest.fixture
def misleading(tmp_path: Path) -> Path:
    """A directory with packages and modules of the names that we import."""
    for name in ("harness", "reports", "shared_nodes", "legacy_engine", "new_engine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong package')\n")
    for name in ("click", "trio", "rich"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    return tmp_path


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_user_packages_do_not_hide_ours(misleading: Path, jobs: str) -> None:
    """With two jobs, the worker processes must be safe as well."""
    case = misleading / "cases" / "area" / "case"
    case.mkdir(parents=True)
    (case / "main.tf").write_text('output "a" {\n  value = 1\n}\n')
    program = f"import sys; sys.path.insert(1, {str(HOME)!r}); from diffharness_command import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", program, "run", "cases", "--jobs", jobs],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=misleading,
        env={**os.environ, "PYTHONPATH": str(misleading)},
    )
    assert result.returncode == 0, result.stderr
    assert "1 equal" in result.stdout


def test_a_python_that_does_not_know_where_it_is_can_run_cases(tmp_path: Path) -> None:
    """That is so if `#!/usr/bin/env python3` starts it without PATH, as in an empty environment. Workers are started
    from it."""
    (tmp_path / "main.tf").write_text('output "a" {\n  value = 1\n}\n')
    program = f"import sys; sys.path[:0] = {[str(HOME), *sys.path]!r}; from diffharness_command import main; main()"
    result = subprocess.run(
        ["python3", "-c", program, "run", ".", "--jobs", "2"],
        executable=os.path.realpath(sys.executable),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=tmp_path,
        env={},
    )
    assert result.returncode == 0, result.stderr
    assert "1 equal" in result.stdout
