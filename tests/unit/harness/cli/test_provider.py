"""`diffharness provider serve`: what it prints is all that a binary needs."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner

pytest.importorskip("h2")

from harness.cli import commands
from harness.cli import provider as provider_command
from harness.plugins.serving.reattach import REATTACH
from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.address import Address
from harness.plugins.wire.methods import Major, method_path
from harness.plugins.wire.rpc_client import open_channel

_COMMAND = [sys.executable, "-c", "from harness.cli import main; main()", "provider", "serve"]
_CONFIGURATION = """
resource "random_pet" "a" {}
resource "somecloud_thing" "b" {}
"""


async def _resource_types(entry: dict[str, str]) -> set[str]:
    with trio.fail_after(30):
        async with open_channel(Address(entry["Network"], entry["String"])) as channel:
            answer = await channel.call(method_path("GetProviderSchema", Major.SIX), b"")
    return set(pb.GetProviderSchemaResponse.FromString(answer).resource_schemas)


def _serve(*arguments: str) -> dict[str, set[str]]:
    """Serve until every provider has been asked for its schema, and return the resource types by source."""
    with subprocess.Popen([*_COMMAND, *arguments], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            word, assignment = shlex.split(process.stdout.readline())
            name, _, value = assignment.partition("=")
            assert (word, name) == ("export", REATTACH)
            entries = {source: entry["Addr"] for source, entry in json.loads(value).items()}
            return {source: trio.run(_resource_types, place) for source, place in entries.items()}
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0


def test_named_providers_are_served_until_interrupted() -> None:
    assert _serve("sim")["dh.test/diffharness/sim"] == {"sim_thing"}


def test_a_configuration_says_what_is_served(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(_CONFIGURATION)
    found = _serve("--for", str(tmp_path), "--permissive", "hashicorp/somecloud")
    assert "random_pet" in found["registry.terraform.io/hashicorp/random"]
    assert found["registry.terraform.io/hashicorp/somecloud"] == {"somecloud_thing"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a provider"),
        (["other"], "'other' is not one of"),
        (["sim", "--permissive", "?"], "must be a provider as in required_providers"),
    ],
)
def test_wrong_usage_is_one_message(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(commands, ["provider", "serve", *arguments])
    assert (result.exit_code, message in result.output) == (2, True)


def test_what_cannot_be_served_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = CliRunner().invoke(commands, ["provider", "serve", "--for", str(tmp_path)])
    assert (result.exit_code, "needs no provider that could be served" in result.output) == (1, True)
    monkeypatch.setattr(provider_command, "has_extra", lambda: False)
    result = CliRunner().invoke(commands, ["provider", "serve", "sim"])
    assert (result.exit_code, "install diffharness[plugins]" in result.output) == (1, True)
