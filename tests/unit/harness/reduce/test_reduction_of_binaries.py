"""Reducing with real programs: the difference that was asked for is kept, and what the reduction itself breaks is not
reported as another one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.cli import commands
from harness.findings.signature import Ruling, Signature
from tests.fake_binary import write_program
from tests.unit.harness.findings.patched import write_case

PROGRAM = """
problem() {
  last="{\\"severity\\": \\"$1\\", \\"summary\\": \\"$2\\", \\"detail\\": \\"\\"}"
  found="$found$separator$last"; separator=,
  lines="$lines{\\"type\\": \\"diagnostic\\", \\"diagnostic\\": $last}\n"
}
fails=0
if [ "$runtime" = new ]; then
  if ! grep -q required_providers *.tf; then problem error "Invalid provider instance reference"; fails=1
  elif grep -q odd *.tf; then problem warning Odd
  fi
  if grep -q broken *.tf; then problem error Broken; fails=1; fi
fi
case "$1" in
  version) echo "Terraform v1.11.4"; exit 0 ;;
  init) exit 0 ;;
  validate) echo "{\\"valid\\": true, \\"diagnostics\\": [$found]}" ;;
  plan) printf "$lines" ;;
esac
exit $fails
"""
"""The new one needs a declaration of providers, warns about odd things, and fails with broken ones."""

MAIN = """terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
locals {
  odd   = 1
  other = [1, 2, 3]
}
output "o" {
  value = local.other
}
"""


@pytest.fixture
def engines(tmp_path: Path) -> str:
    """Make two programs, and return them as a pair of engines."""
    programs = {name: tmp_path / name / "terraform" for name in ("old", "new")}
    return ",".join(write_program(each, f"runtime={name}\n{PROGRAM}", "/bin/sh") for name, each in programs.items())


def shrink(case: Path, engines: str, *options: str) -> dict[str, Any]:
    arguments = ["shrink", str(case), "--engines", engines, "--allow-exec", "--json", "--out", str(case.parent / "out")]
    result = CliRunner().invoke(commands, [*arguments, *options])
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def test_a_lost_declaration_is_no_other_finding(tmp_path: Path, engines: str) -> None:
    case = write_case(tmp_path, "steps: [{op: validate, config: v1}]", {"v1/main.tf": MAIN})
    found = shrink(case, engines)
    assert "warning: Odd" in found["signature"]
    assert found["also"] == []
    text = Path(found["directory"], "v1", "main.tf").read_text()
    assert "required_providers" in text
    assert "odd" in text
    assert "other" not in text


def test_the_worst_finding_is_kept_or_the_one_that_was_asked_for(tmp_path: Path, engines: str) -> None:
    steps = "steps: [{op: validate, config: v1}, {op: plan, config: v2}]"
    case = write_case(tmp_path, steps, {"v1/main.tf": MAIN, "v2/main.tf": MAIN + "# broken\n"})
    found = shrink(case, engines, "--budget", "3")
    assert "only-candidate-fails: diagnostics[error: Broken]" in found["signature"]
    options = ["explain", str(case), "--engines", engines, "--allow-exec", "--json"]
    findings = json.loads(CliRunner().invoke(commands, options).stdout)["result"]["findings"]
    odd = next(each["signature"] for each in findings if "Odd" in each["signature"]["shape"])
    signature = Signature(**{**odd, "ruling": Ruling(odd["ruling"])})
    found = shrink(case, engines, "--signature", signature.digest, "--budget", "20")
    assert found["digest"] == signature.digest
    assert "odd" in Path(found["directory"], "v1", "main.tf").read_text()
