"""What the products do differently with a plugin that breaks the rules, as measured on terraform 1.11.4 and tofu
1.12.6."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

pytest.importorskip("h2")
pytest.importorskip("msgpack")
pytest.importorskip("google.protobuf")

from harness.cli import commands
from harness.plugins.wire import protocol_pb2 as pb
from tests.scripted_plugin import Answer, ScriptedPlugin, reattach_variable, served

CONFIG: Final = """
terraform {
  required_providers {
    fake = { source = "dh.test/x/fake" }
  }
}
resource "fake_thing" "a" {
  name = "a"
}
"""
IMPORT: Final = 'import {\n  to = fake_thing.a\n  id = "theirs"\n}\n'
PRODUCTS: Final = ("terraform-1.11", "opentofu-1.12")

_DEFERRED: Final = pb.Deferred(reason=pb.Deferred.RESOURCE_CONFIG_UNKNOWN)


Run = Callable[[str, str, Mapping[str, Answer]], list[dict[str, Any]]]


@pytest.fixture(params=["legacy", "new"])
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Returns a function that runs a command of an engine, as a product, and returns the diagnostics."""
    monkeypatch.delenv("TF_CLI_CONFIG_FILE", raising=False)
    events = tmp_path / "events"

    def run(command: str, product: str, answers: Mapping[str, Answer]) -> list[dict[str, Any]]:
        with served(ScriptedPlugin(answers), tmp_path) as address:
            monkeypatch.setenv("TF_REATTACH_PROVIDERS", reattach_variable(address))
            options = ["--allow-exec", "--flavour", product, "--events", str(events)]
            CliRunner().invoke(commands, ["engine", request.param, command, str(tmp_path), *options], input="yes\n")
        lines = [json.loads(line) for line in events.read_text().splitlines()]
        return [line["diagnostic"] for line in lines if "diagnostic" in line]

    return run


def test_a_problem_of_a_provider_without_a_block_has_a_place(tmp_path: Path, run: Run) -> None:
    (tmp_path / "main.tf").write_text(CONFIG)
    problem = pb.Diagnostic(severity=pb.Diagnostic.ERROR, summary="no")
    answers: Mapping[str, Answer] = {"ConfigureProvider": lambda _: pb.ConfigureProviderResponse(diagnostics=[problem])}
    ranges = [run("plan", product, answers)[0]["range"] for product in PRODUCTS]
    assert ranges == [
        {
            "filename": "<empty>",
            "start": {"line": 0, "column": 0, "byte": 0},
            "end": {"line": 0, "column": 1, "byte": 1},
        },
        {
            "filename": 'provider["dh.test/x/fake"] with no configuration',
            "start": {"line": 1, "column": 1, "byte": 0},
            "end": {"line": 1, "column": 2, "byte": 1},
        },
    ]


def test_only_terraform_refuses_a_deferred_action(tmp_path: Path, run: Run) -> None:
    (tmp_path / "main.tf").write_text(CONFIG)
    well_behaved = ScriptedPlugin()._answers["PlanResourceChange"]

    def defer(request: Any) -> Any:
        answer: Any = well_behaved(request)
        answer.deferred.CopyFrom(_DEFERRED)
        return answer

    refused, accepted = (run("plan", product, {"PlanResourceChange": defer}) for product in PRODUCTS)
    assert [problem["summary"] for problem in refused] == [
        "Provider deferred changes when Terraform did not allow deferrals"
    ]
    assert accepted == []


def test_only_terraform_refuses_unknown_values_that_were_read(tmp_path: Path, run: Run) -> None:
    (tmp_path / "main.tf").write_text(CONFIG)
    unknown = pb.ReadResourceResponse(
        new_state=pb.DynamicValue(
            msgpack=b"\x87\xa2id\xa1i\xa4name\xa1a\xa4part\x90\xa5rules\xc0\xa6secret\xc0\xa4size\xc0\xa5value\xd4\x00\x00"
        )
    )
    assert run("apply", PRODUCTS[0], {}) == []
    refused, accepted = (run("plan", product, {"ReadResource": lambda _: unknown}) for product in PRODUCTS)
    assert [problem["summary"] for problem in refused] == ["Provider produced invalid object"]
    assert accepted == []


def test_an_import_of_null_is_worded_differently(tmp_path: Path, run: Run) -> None:
    (tmp_path / "main.tf").write_text(CONFIG + IMPORT)
    imported = pb.ImportResourceStateResponse.ImportedResource(type_name="fake_thing")
    answer = pb.ImportResourceStateResponse(imported_resources=[imported])
    details = [run("plan", product, {"ImportResourceState": lambda _: answer})[0]["detail"] for product in PRODUCTS]
    assert details == [
        "While attempting to import with ID theirs, the providerreturned an instance with no state.",
        "While attempting to import with theirs, the provider returned an instance with no state.",
    ]
