"""A command starts fast because it imports what it needs and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "bcrypt",
    "cryptography",
    "deepdiff",
    "hcl2",
    "hypothesis",
    "importlib.metadata",
    "jinja2",
    "multiprocessing",
    "networkx",
    "pytest",
    "re2",
    "regex",
    "rich",
    "tomllib",
    "trio",
    "yaml",
)
"""Libraries that take longer to load than a small configuration takes to validate."""

OWN = (
    "harness.cli.run",
    "harness.case.case",
    "legacy_engine.apply",
    "new_engine.apply",
    "shared_nodes.functions.hashes",
    "harness.simulation.simcloud.simcloud",
    "harness.simulation.tfcoremock.provider",
)
"""One module of each large part of the program that validating does not need."""

PROGRAM = """
import sys
from harness.cli import main
try:
    main()
finally:
    print(*(name for name in {names!r} if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("engine", ["legacy", "new"])
def test_validating_imports_no_library_it_does_not_use(tmp_path: Path, engine: str) -> None:
    (tmp_path / "main.tf").write_text(
        'variable "name" {\n  default = "x"\n}\n'
        'resource "terraform_data" "one" {\n  input = upper(var.name)\n}\n'
        'output "one" {\n  value = terraform_data.one.output\n}\n'
    )
    program = PROGRAM.format(names=(*HEAVY, *OWN))
    command = [sys.executable, "-c", program, "engine", engine, "validate", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "Success! The configuration is valid.\n")
    assert result.stderr.split() == []
