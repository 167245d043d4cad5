"""Functions of providers as references of OpenTofu's, in both engines: which calls are refused before anything is
evaluated, and which only when planning."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
import trio

from harness.engines.registry import engine_named
from harness.engines.session import EngineSession
from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.options import Options
from shared_nodes.state.model import State
from shared_nodes.world import World

REQUIRED = """
terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
"""


def session(directory: Path, engine: str) -> EngineSession:
    world = World.confined(directory, 1, datetime(2026, 1, 2, tzinfo=UTC))
    return EngineSession(engine_named(engine), world, OPENTOFU_1_12)


def lines(problems: list[Diagnostic]) -> list[str]:
    return sorted(f"{problem.subject}: {problem.summary}" for problem in problems)


@pytest.mark.parametrize("engine", ["legacy", "new"])
def test_providers_that_are_not_required_hide_all_other_problems(tmp_path: Path, engine: str) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "main.tf").write_text("locals {\n  a = provider::z::f(1)\n}\n")
    (tmp_path / "main.tf").write_text(
        'module "m" {\n  source = "./m"\n}\n'
        'resource "terraform_data" "a" {\n  input = [provider::x::f(1), nope.b]\n}\n'
        'output "o" {\n  value = try(provider::x::f(2), var.nope)\n}\n'
    )
    assert lines(trio.run(session(tmp_path, engine).validate, Options())) == [
        "m/main.tf:2,7-21: Unknown function provider",
        "main.tf:5,12-26: Unknown function provider",
        "main.tf:8,15-29: Unknown function provider",
    ]


@pytest.mark.parametrize("engine", ["legacy", "new"])
def test_unknown_functions_of_a_provider_are_found_when_planning(tmp_path: Path, engine: str) -> None:
    text = f'{REQUIRED}output "o" {{\n  value = try(provider::terraform::nope(1), 2)\n}}\n'
    (tmp_path / "main.tf").write_text(text)
    assert trio.run(session(tmp_path, engine).validate, Options()) == []
    planned = trio.run(session(tmp_path, engine).plan, State(), Options(), EventSink())
    assert lines(planned.diagnostics) == ["main.tf:10,15-40: Function not found in provider"]
