"""`engine ENGINE output` and `state list|show` answer like the product, byte for byte.

The answers of both products are recorded beside the states they are about, each with its arguments, its exit code and
both streams.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from harness.cli.engine.group import engine

_HERE: Final = Path(__file__).parent / "state_commands"


def recorded(product: str) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = json.loads((_HERE / f"{product}.json").read_text(encoding="utf-8"))["answers"]
    return answers


TERRAFORM: Final = shutil.which("terraform")


def place_state(answer: dict[str, Any], directory: Path) -> None:
    if answer["state"] != "absent":
        shutil.copy(_HERE / "states" / f"{answer['state']}.tfstate", directory / "terraform.tfstate")


def describe(answer: dict[str, Any] | str) -> str:
    return answer if isinstance(answer, str) else f"{answer['state']}: {' '.join(answer['arguments'])}"


CASES: Final = [(product, answer) for product in ("terraform", "opentofu") for answer in recorded(product)]


@pytest.mark.parametrize(("product", "answer"), CASES, ids=describe)
def test_commands_answer_as_the_product_was_recorded(
    product: str, answer: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place_state(answer, tmp_path)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(engine, ["new", *answer["arguments"], "--flavour", product])
    assert (result.stdout, result.stderr, result.exit_code) == (answer["output"], answer["errors"], answer["status"])


@pytest.mark.terraform
@pytest.mark.skipif(TERRAFORM is None, reason="no terraform on PATH")
@pytest.mark.parametrize("answer", recorded("terraform")[::9], ids=describe)
def test_the_recordings_are_those_of_the_real_binary(answer: dict[str, Any], tmp_path: Path) -> None:
    place_state(answer, tmp_path)
    environment = {name: value for name, value in os.environ.items() if name != "TF_CLI_CONFIG_FILE"}
    command = [str(TERRAFORM), *answer["arguments"]]
    real = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (real.stdout, real.stderr, real.returncode) == (answer["output"], answer["errors"], answer["status"])


def test_opentofu_says_it_in_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (["output"], ["output", "-json", "x"], ["state", "list"], ["state", "show", "bad.."]):
        result = CliRunner().invoke(engine, ["legacy", *arguments, "--flavour", "opentofu"])
        assert "tofu " in (result.stdout + result.stderr).lower()
        assert "erraform" not in result.stdout + result.stderr


def test_a_state_elsewhere_is_read_with_its_own_flavour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "elsewhere"
    place.mkdir()
    shutil.copy(_HERE / "states" / "modules_only.tfstate", place / "s.tfstate")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(engine, ["legacy", "output", "only", "--state", "elsewhere/s.tfstate"])
    assert (result.output, result.exit_code) == ('"one"\n', 0)


@pytest.mark.parametrize("arguments", [["output", "--raw"], ["output", "--json", "--raw", "x"], ["state", "show"]])
def test_wrong_usage_is_exit_code_two(arguments: list[str]) -> None:
    assert CliRunner().invoke(engine, ["new", *arguments]).exit_code == 2


@pytest.mark.terraform
@pytest.mark.skipif(TERRAFORM is None, reason="no terraform on PATH")
def test_a_real_binary_answers_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(_HERE / "states" / "modules_only.tfstate", tmp_path / "terraform.tfstate")
    monkeypatch.chdir(tmp_path)
    for arguments in (["output", "-json", "only"], ["state", "list"], ["state", "show", "nope.x"]):
        ours, real = (CliRunner().invoke(engine, [name, *arguments]) for name in ("new", "terraform"))
        assert (ours.stdout, ours.stderr, ours.exit_code) == (real.stdout, real.stderr, real.exit_code)
