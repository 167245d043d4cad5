"""Provisioners of an instance: what they see, what is shown of their output, and which failures count."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trio

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.provider import BUILTIN, ProviderInstance
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, Resource, ResourceMode
from shared_nodes.config.blocks import ProvisionerWhen, ResourceBlock
from shared_nodes.config.loading import load_configuration
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.provisioner import run_provisioners, validate_provisioners
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.processes import RecordedProcesses, RecordedResult
from shared_nodes.providers.builtin import BUILTIN_SCHEMA, BuiltinProvider
from shared_nodes.state.model import State
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.value import NULL_DYNAMIC, Value, object_of, string
from shared_nodes.world import World

RESOURCE = Resource(ResourceMode.MANAGED, "terraform_data", "a")
ADDRESS = AbsResource(ROOT_INSTANCE, RESOURCE)
SELF = object_of({"id": string("i"), "input": string("in"), "output": string("out"), "triggers_replace": NULL_DYNAMIC})


@dataclass
class ProvisionedBlock:
    """One configuration with a resource `terraform_data.a`, and a scripted shell."""

    context: NodeContext
    block: ResourceBlock
    processes: RecordedProcesses
    events: list[Event]

    def run(
        self,
        when: ProvisionerWhen = ProvisionerWhen.CREATE,
        key: InstanceKey = None,
        repetition: Repetition | None = None,
    ) -> list[Diagnostic]:
        address: AbsResourceInstance = ADDRESS.instance(key)

        async def provision() -> list[Diagnostic]:
            return await run_provisioners(self.context, address, self.block, when, SELF, repetition=repetition)

        return trio.run(provision)

    @property
    def commands(self) -> list[str]:
        return [command.arguments[-1] for command in self.processes.commands]

    @property
    def shown(self) -> list[tuple[str, str | None]]:
        return [(event.type.removeprefix("provision_"), event.output) for event in self.events]


def provisioned_block(
    directory: Path, source: str, answers: dict[str, RecordedResult] | None = None, **variables: Value
) -> ProvisionedBlock:
    (directory / "main.tf").write_text(source)
    processes = RecordedProcesses(answers or {})
    world = World.confined(directory, seed=1, now=datetime(2026, 1, 2, tzinfo=UTC), processes=processes)
    config, problems = load_configuration(world.files, TERRAFORM_1_11)
    assert config is not None, problems
    assert not problems
    events: list[Event] = []

    def provider_of(_: ProviderInstance) -> BuiltinProvider:
        return BuiltinProvider(world)

    context = NodeContext(
        Operation.APPLY,
        config,
        world,
        TERRAFORM_1_11,
        {BUILTIN: BUILTIN_SCHEMA},
        provider_of,
        EventSink(events.append),
        State(),
        variables={(ROOT_INSTANCE, name): value for name, value in variables.items()},
    )
    return ProvisionedBlock(context, config.module.resources[RESOURCE], processes, events)


def texts(problems: Sequence[Diagnostic]) -> list[tuple[str, str, str | None, int | None]]:
    """Return summary, detail, address and line of each problem."""
    return [
        (found.summary, found.detail, found.address, None if found.subject is None else found.subject.first.line)
        for found in problems
    ]


def test_creation_and_destruction_have_their_own_in_the_order_of_declaration(tmp_path: Path) -> None:
    here = provisioned_block(
        tmp_path,
        """
        resource "terraform_data" "a" {
          provisioner "local-exec" { command = "first" }
          provisioner "local-exec" {
            when    = destroy
            command = "bye"
          }
          provisioner "local-exec" { command = "second" }
        }
        """,
        {"first": RecordedResult([b"a\r\n", b"b\rc  \n", b"\n", b"   \n", b"x" * 65536 + b"\n", b"\td\n"])},
    )
    assert here.run() == []
    assert here.commands == ["first", "second"]
    assert here.shown == [
        ("start", None),
        ("progress", 'Executing: ["/bin/sh" "-c" "first"]'),
        ("progress", "a"),
        ("progress", "b"),
        ("progress", "c"),
        ("progress", "\td"),
        ("complete", None),
        ("start", None),
        ("progress", 'Executing: ["/bin/sh" "-c" "second"]'),
        ("complete", None),
    ]
    assert here.run(ProvisionerWhen.DESTROY) == []
    assert here.commands[2:] == ["bye"]


def test_what_a_provisioner_sees(tmp_path: Path) -> None:
    here = provisioned_block(
        tmp_path,
        """
        variable "v" {}
        resource "terraform_data" "a" {
          for_each = { k = "w" }
          provisioner "local-exec" {
            command = "${self.output} ${each.key} ${each.value} ${var.v} ${path.module} ${terraform.workspace}"
          }
          provisioner "local-exec" {
            when    = destroy
            command = "${self.id} ${each.key} ${path.root} ${upper("x")}"
          }
        }
        """,
        v=string("vee"),
    )
    assert here.run(key="k", repetition=Repetition.for_each({"k": string("w")})) == []
    assert here.run(ProvisionerWhen.DESTROY, key="k") == []
    assert here.commands == ["out k w vee . default", "i k . X"]


def test_a_failure_ends_it_and_is_blamed_on_the_block(tmp_path: Path) -> None:
    here = provisioned_block(
        tmp_path,
        """resource "terraform_data" "a" {
          provisioner "local-exec" {
            command = "bad"
          }
          provisioner "local-exec" { command = "never" }
        }
        """,
        {"bad": RecordedResult([b"oops\n"], status=4)},
    )
    assert texts(here.run()) == [
        (
            "local-exec provisioner error",
            "Error running command 'bad': exit status 4. Output: oops\n",
            "terraform_data.a",
            2,
        )
    ]
    assert here.commands == ["bad"]
    assert here.shown[-1] == ("errored", None)


def test_a_failure_can_be_passed_over_but_is_shown(tmp_path: Path) -> None:
    here = provisioned_block(
        tmp_path,
        """
        resource "terraform_data" "a" {
          provisioner "local-exec" {
            command    = "bad"
            on_failure = continue
          }
          provisioner "local-exec" { command = "next" }
        }
        """,
        {"bad": RecordedResult(status=4)},
    )
    assert here.run() == []
    assert here.commands == ["bad", "next"]
    assert [kind for kind, _ in here.shown if kind != "progress"] == ["start", "errored", "start", "complete"]


def test_a_configuration_that_cannot_be_evaluated_fails_before_it_starts(tmp_path: Path) -> None:
    """This holds even if failures are ignored: it is not the command that failed."""
    here = provisioned_block(
        tmp_path,
        """variable "v" {}
        resource "terraform_data" "a" {
          provisioner "local-exec" {
            command    = jsondecode(var.v).x
            on_failure = continue
          }
        }
        """,
        v=string("{}"),
    )
    assert texts(here.run()) == [
        ("Unsupported attribute", 'This object does not have an attribute named "x".', None, 4)
    ]
    assert here.events == []


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (string("s").mark(SENSITIVE), "sensitive"),
        (string("s").mark(EPHEMERAL), "ephemeral"),
        (string("s").mark(EPHEMERAL).mark(SENSITIVE), "sensitive, ephemeral"),
    ],
)
def test_output_is_withheld_where_it_might_tell_a_secret(tmp_path: Path, value: Value, words: str) -> None:
    """Each chunk is replaced, empty lines included, so that the amount of output stays visible."""
    here = provisioned_block(
        tmp_path,
        """
        variable "v" {}
        resource "terraform_data" "a" {
          provisioner "local-exec" {
            command     = "leak"
            environment = { V = var.v }
          }
        }
        """,
        {"leak": RecordedResult([b"s\n", b"\n"], status=1)},
        v=value,
    )
    (problem,) = here.run()
    assert problem.detail.endswith("Output: s\n\n"), "the failure itself withholds nothing, as in the original"
    assert here.shown[1:-1] == [("progress", f"(output suppressed due to {words} value in config)")] * 3


def test_after_an_interrupt_nothing_new_is_started(tmp_path: Path) -> None:
    here = provisioned_block(
        tmp_path, 'resource "terraform_data" "a" {\n provisioner "local-exec" { command = "x" }\n}\n'
    )
    here.context.events.stopping = True
    assert [problem.summary for problem in here.run()] == ["execution halted"]
    assert here.commands == []


def validated(directory: Path, body: str) -> list[tuple[str, str, str | None, int | None]]:
    here = provisioned_block(directory, f'resource "terraform_data" "a" {{\n{body}\n}}\n')
    here.context.operation = Operation.VALIDATE
    return texts(validate_provisioners(here.context, ROOT_INSTANCE, here.block))


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        (
            'provisioner "local-exec" {}\nprovisioner "local-exec" { colour = "red" }',
            [
                (
                    "Missing required argument",
                    'The argument "command" is required, but no definition was found.',
                    None,
                    2,
                )
            ],
        ),
        (
            'provisioner "local-exec" { command = self.nope }',
            [
                (
                    "Unsupported attribute",
                    'This object has no argument, nested block, or exported attribute named "nope".',
                    None,
                    2,
                )
            ],
        ),
        (
            'provisioner "local-exec" {\ncommand = "x"\nconnection {\nhost = "h"\nbogus = 1\n}\n}',
            [("Unsupported argument", 'An argument named "bogus" is not expected here.', None, 6)],
        ),
        (
            'connection {\nuser = "u"\n}\nprovisioner "local-exec" { command = "x" }',
            [("Missing required argument", 'The argument "host" is required, but no definition was found.', None, 2)],
        ),
        (
            'connection {\nuser = "u"\n}\nprovisioner "local-exec" {\ncommand = "x"\nconnection {\nhost = "h"\n}\n}',
            [],
        ),
        ('provisioner "remote-exec" { inline = ["x"] }', []),
        (
            'provisioner "remote-exec" {\ninline = []\nscript = "s"\n}',
            [
                (
                    "Invalid remote-exec provisioner configuration",
                    'Only one of "inline", "script", or "scripts" must be set',
                    None,
                    None,
                )
            ],
        ),
        (
            'provisioner "file" {\ndestination = "d"\nsource = "s"\ncontent = "c"\n}',
            [("Cannot set both 'source' and 'content'", "", None, None)],
        ),
        (
            'provisioner "file" {\ndestination = "d"\n}',
            [("Must provide one of 'source' or 'content'", "", None, None)],
        ),
        ('provisioner "local-exec" { command = null }', []),
    ],
)
def test_validation(tmp_path: Path, body: str, problems: list[tuple[str, str, str | None, int | None]]) -> None:
    assert validated(tmp_path, body) == problems


@pytest.mark.parametrize(
    ("block", "detail"),
    [
        ("", "Missing connection configuration for provisioner."),
        ('connection {\nhost = "h"\ntype = "bogus"\n}', "connection type 'bogus' not supported"),
        ('connection {\nhost = ""\n}', "host for provisioner cannot be empty"),
    ],
)
def test_remote_provisioners_end_where_a_connection_would_be_made(tmp_path: Path, block: str, detail: str) -> None:
    body = f'provisioner "remote-exec" {{\ninline = ["true"]\n{block}\n}}'
    here = provisioned_block(tmp_path, f'resource "terraform_data" "a" {{\n{body}\n}}\n')
    assert texts(here.run()) == [("remote-exec provisioner error", detail, "terraform_data.a", 2)]


def test_json_syntax(tmp_path: Path) -> None:
    provisioner = {"local-exec": {"command": "${self.id}"}}
    source = {"resource": {"terraform_data": {"a": {"provisioner": [provisioner]}}}}
    (tmp_path / "more.tf.json").write_text(json.dumps(source))
    here = provisioned_block(tmp_path, "")
    assert here.run() == []
    assert here.commands == ["i"]
