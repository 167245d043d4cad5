"""The simulated cloud in cases and on the command line, and what both engines must do for any provider."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner, Result

from harness.case.case import CaseError, read_case
from harness.cli.engine.group import engine as engine_command
from harness.engines.providers import BUILTIN_PROVIDERS, Providers
from harness.engines.registry import ENGINES, engine_named
from harness.engines.scheduling import run_deterministically
from harness.engines.session import EngineSession, Planned
from harness.engines.simulated_providers import simulated_providers
from harness.observe.observation import Observation
from harness.play.case_runner import CaseRunner
from harness.play.schedule import PlanTransfer, Schedule
from harness.simulation.simcloud.faults import Fault, FaultKind, Phase, Verb
from harness.simulation.simcloud.sim import SIM, SimProvider
from harness.simulation.simcloud.simulation import Simulation
from harness.simulation.simcloud.thing import SIM_SCHEMA
from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang.function import Function, Parameter
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.options import Options
from shared_nodes.providers.contract import PlanRequest
from shared_nodes.providers.contract import PlanResponse as PlannedObject
from shared_nodes.providers.schema import ProviderSchema, SchemaAttribute, SchemaBlock
from shared_nodes.state.model import State
from shared_nodes.values.json import Tree, dumps
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, string
from shared_nodes.world import World

REQUIRED = 'terraform {\n  required_providers {\n    sim = { source = "dh.test/diffharness/sim" }\n  }\n}\n'
THING = 'resource "sim_thing" "a" {\n  name = "a"\n}\n'

FORGOTTEN = "removed {\n  from = sim_thing.a\n  lifecycle {\n    destroy = false\n  }\n}\n"

every_engine = pytest.mark.parametrize("engine", ENGINES)


def write_case(directory: Path, text: str, **configurations: str) -> Path:
    for name, configuration in configurations.items():
        (directory / name).mkdir(parents=True, exist_ok=True)
        (directory / name / "main.tf").write_text(REQUIRED + configuration)
    (directory / "case.yaml").write_text(f"description: x\n{text}")
    return directory


def play(directory: Path, engine: str, schedule: Schedule | None = None) -> list[Observation]:
    case = read_case(directory)
    with tempfile.TemporaryDirectory() as place:
        return list(CaseRunner.of(case, Path(place), ()).run(engine, schedule or Schedule(), 60).values())


def items(calls: Tree) -> list[list[str | None]]:
    return cast("dict[str, list[list[str | None]]]", calls)["items"]


def objects(step: Observation, field: str) -> list[dict[str, Tree]]:
    return cast("list[dict[str, Tree]]", step[field])


# Reading


def test_faults_and_cloud_of_a_case(tmp_path: Path) -> None:
    text = """
cloud: [{name: old, item: [{key: k}]}, {name: p, id: mine}]
faults:
  - {step: 0, name: a, verb: create, kind: error, occurrence: all, phase: apply}
  - {step: 1, name: a, kind: drift, set: {value: null, version: 7}}
  - {step: 1, name: a, kind: vanish}
steps: [{op: apply, config: v1}, {op: plan, config: v1}]
"""
    case = read_case(write_case(tmp_path, text, v1=""))
    assert case.faults_of(0) == (Fault(0, "a", FaultKind.ERROR, Verb.CREATE, None, Phase.APPLY),)
    assert [(fault.kind, sorted(fault.attributes)) for fault in case.faults_of(1)] == [
        (FaultKind.DRIFT, ["value", "version"]),
        (FaultKind.VANISH, []),
    ]
    assert [thing["name"] for thing in case.cloud] == ["old", "p"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("faults: 1", ":2: faults: must be a list"),
        ("faults:\n- {step: 0, name: a, verb: create}", ":3: kind: missing in fault 1"),
        ("faults:\n- {step: 0, name: a, kind: explode}", ":3: kind: must be one of drift, vanish, error"),
        ("faults:\n- {step: 0, name: a, kind: error}", ":3: verb: missing in fault 1"),
        ("faults:\n- {step: 0, name: a, verb: read, kind: lost}", ":3: verb: must be one of create"),
        ("faults:\n- {step: 0, kind: vanish}", ":3: name: missing in fault 1"),
        ("faults:\n- {step: 0, name: 1, kind: vanish}", ":3: name: must be a text"),
        ("faults:\n- {step: 0, name: a, kind: vanish, verb: read}", ":3: verb: unknown key in fault 1"),
        ("faults:\n- {step: 5, name: a, kind: vanish}", ":3: step: there is no step 5; they are 0 to 0"),
        ("faults:\n- {step: 0, name: a, kind: drift}", ":3: set: missing in fault 1"),
        ("faults:\n- {step: 0, name: a, kind: drift, set: {size: 1}}", ":3: set: a thing has no attribute size"),
        ("faults:\n- {step: 0, name: a, kind: drift, set: {version: x}}", ":3: set: version: a number is required"),
        ("faults:\n- {step: 0, name: a, verb: read, kind: gone, occurrence: 0}", ":3: occurrence: must be a whole"),
        ("cloud:\n- {value: x}", ":3: cloud: name: every thing needs one"),
        ("cloud:\n- {name: a, version: 2}", ":3: cloud: version: a new thing always has version 1"),
        ("cloud:\n- {name: a, unique: u}\n- {name: b, unique: u}", ':4: cloud: Create refused: The unique value "u"'),
        ("cloud:\n- 1", ":3: cloud: must be a mapping of attributes to values"),
    ],
)
def test_a_mistake_in_cloud_or_faults_is_told_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CaseError) as failure:
        read_case(write_case(tmp_path, f"{text}\nsteps: [{{op: plan, config: v1}}]", v1=""))
    assert message in str(failure.value)


# Running


@every_engine
@pytest.mark.parametrize("handover", list(PlanTransfer))
def test_a_fault_counts_calls_over_both_halves_of_a_step(tmp_path: Path, engine: str, handover: PlanTransfer) -> None:
    """The third validation of a thing happens during apply, even if another process applies the plan."""
    text = "faults: [{step: 0, name: a, verb: validate, kind: error, occurrence: 3}]\nsteps: [{op: apply, config: v1}]"
    (step,) = play(write_case(tmp_path, text, v1=THING), engine, Schedule(handover=handover))
    assert [(problem["phase"], problem["summary"]) for problem in objects(step, "diagnostics")] == [
        ("apply", "Invalid thing")
    ]
    assert step["inventory"] == []


@every_engine
@pytest.mark.parametrize("handover", list(PlanTransfer))
def test_the_cloud_outlives_a_step(tmp_path: Path, engine: str, handover: PlanTransfer) -> None:
    text = "cloud: [{name: a}]\nsteps: [{op: apply, config: v1}, {op: destroy, config: v1}]"
    first, second = play(write_case(tmp_path, text, v1=THING), engine, Schedule(handover=handover))
    assert [thing["id"] for thing in objects(first, "inventory")] == ["a-1", "a-2"]
    assert [thing["id"] for thing in objects(second, "inventory")] == ["a-1"]
    assert ["apply-delete", "sim_thing", "a-2"] in items(second["calls"])


@every_engine
@pytest.mark.parametrize(
    "removed", ["", "removed {\n  from = sim_thing.a\n  lifecycle {\n    destroy = false\n  }\n}\n"]
)
def test_the_last_to_need_a_provider_may_be_what_is_removed(tmp_path: Path, engine: str, removed: str) -> None:
    """The new engine once configured only the providers of blocks, and destroyed objects with an unconfigured
    provider."""
    text = "steps: [{op: apply, config: v1}, {op: apply, config: v2}]"
    _, second = play(write_case(tmp_path, text, v1=THING, v2=removed), engine)
    assert second["ok"] is True
    assert ["configure", "sim", None] in items(second["calls"])


@every_engine
@pytest.mark.parametrize("flavour", ["terraform-1.11", "opentofu-1.12"])
def test_nothing_opens_what_no_object_needs_while_destroying(tmp_path: Path, engine: str, flavour: str) -> None:
    """The calls of both real binaries show it: only what is destroyed and its dependencies take part."""
    text = f"flavour: {flavour}\nsteps: [{{op: apply, config: v1}}, {{op: destroy, config: v1}}]"
    write_case(tmp_path, text, v1="")
    (tmp_path / "v1" / "main.tf").write_text(
        REQUIRED.replace("sim = ", "simcloud = ").replace("/sim", "/simcloud")
        + 'ephemeral "simcloud_token" "t" {\n  name = "unused"\n}\n'
        + 'resource "simcloud_updated" "r" {\n  name = "r"\n  value = "1"\n}\n'
    )
    _, second = play(tmp_path, engine)
    assert [call[2] for call in items(second["calls"]) if call[0] == "open"] == []


@every_engine
def test_destroying_is_not_planned_by_a_provider_that_does_not_announce_it(tmp_path: Path, engine: str) -> None:
    text = "steps: [{op: apply, config: v1}, {op: plan, config: v2}]"
    _, second = play(write_case(tmp_path, text, v1=THING, v2=""), engine)
    assert sorted(str(call[0]) for call in items(second["plan_calls"])) == [
        "configure",
        "read",
        "upgrade",
        "validate-provider",
    ]


@every_engine
def test_a_provider_that_takes_nothing_over_is_not_asked_to(tmp_path: Path, engine: str) -> None:
    moved = "moved {\n  from = terraform_data.b\n  to   = sim_thing.a\n}\n"
    text = "steps: [{op: apply, config: v1}, {op: plan, config: v2}]"
    configurations = {"v1": 'resource "terraform_data" "b" {}\n', "v2": THING + moved}
    _, second = play(write_case(tmp_path, text, **configurations), engine)
    (problem,) = objects(second, "diagnostics")
    assert problem["summary"] == "Unsupported `moved` across resource types"
    assert problem["detail"] == (
        'The provider "dh.test/diffharness/sim" does not support moved operations across resource types and providers.'
    )
    assert dumps(problem["range"]) == '{"filename":"main.tf","start":{"line":9,"column":1}}'
    assert [call[0] for call in items(second["plan_calls"])] == ["validate"]


# Beyond what the recorded provider uses


class TalkativeProvider(SimProvider):
    """A provider with provider_meta and a function, which records the metadata it receives."""

    received: list[Value]

    @property
    def schema(self) -> ProviderSchema:
        meta = SchemaBlock({"origin": SchemaAttribute(STRING, optional=True)})
        return replace(SIM_SCHEMA, provider_meta=meta, plans_destroy=True)

    @property
    def functions(self) -> Sequence[Function]:
        text = Parameter("text", STRING)
        return [Function("shout", (text,), STRING, lambda given, _type: string(f"{given[0].payload}!"))]

    async def plan(self, request: PlanRequest) -> PlannedObject:
        self.received.append(request.provider_meta)
        return await super().plan(request)


def make_plan(directory: Path, engine: str, providers: Providers) -> Planned:
    session = EngineSession(engine_named(engine), World.real(directory), TERRAFORM_1_11, providers=providers)
    return run_deterministically(0, session.plan, State(), Options(), EventSink())


@every_engine
def test_a_module_tells_the_provider_about_itself_and_uses_its_functions(tmp_path: Path, engine: str) -> None:
    received: list[Value] = []

    def make(_world: World, _flavour: object) -> TalkativeProvider:
        provider = TalkativeProvider(Simulation())
        provider.received = received
        return provider

    (tmp_path / "main.tf").write_text(
        REQUIRED
        + 'terraform {\n  provider_meta "sim" {\n    origin = "here"\n  }\n}\n'
        + 'resource "sim_thing" "a" {\n  name = provider::sim::shout("a")\n}\n'
    )
    schema = TalkativeProvider(Simulation()).schema
    outcome = make_plan(tmp_path, engine, BUILTIN_PROVIDERS.including(SIM, make, schema))
    assert outcome.diagnostics == []
    assert outcome.plan is not None
    (change,) = outcome.plan.changes.resources.values()
    assert change.after.payload["name"] == string("a!")
    assert [meta.payload["origin"] for meta in received] == [string("here")]


@every_engine
def test_a_provider_may_have_no_use_for_provider_meta(tmp_path: Path, engine: str) -> None:
    """As observed with the real binary: validation succeeds, and planning reports an error for each resource, without
    its module."""
    text = 'terraform {\n  provider_meta "%s" {}\n}\nresource "%s" "k" {\n  for_each = toset(["x"])\n%s}\n'
    (tmp_path / "main.tf").write_text(REQUIRED + text % ("sim", "sim_thing", '  name = "k"\n'))
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "main.tf").write_text(text % ("terraform", "terraform_data", ""))
    (tmp_path / "more.tf").write_text('module "m" {\n  source = "./m"\n}\n')
    outcome = make_plan(tmp_path, engine, simulated_providers(Simulation()))
    found = sorted((problem.summary, problem.detail, str(problem.subject)) for problem in outcome.diagnostics)
    ending = "belongs to a provider that doesn't support provider_meta blocks"
    assert found == [
        (
            f"Provider {SIM} doesn't support provider_meta",
            f'The resource sim_thing.k["x"] {ending}',
            "main.tf:7,17-22",
        ),
        (
            f"Provider {BUILTIN} doesn't support provider_meta",
            f'The resource terraform_data.k["x"] {ending}',
            "m/main.tf:2,17-28",
        ),
    ]


# On the command line


def command(*arguments: object) -> Result:
    return CliRunner().invoke(engine_command, list(map(str, arguments)))


@pytest.fixture
def story(tmp_path: Path) -> Path:
    text = """
cloud: [{name: old}]
faults:
  - {step: 0, name: a, verb: create, kind: lost}
  - {step: 1, name: old, kind: vanish}
  - {step: 1, name: a, verb: validate, kind: error, occurrence: 3}
steps: [{op: apply, config: v1}, {op: apply, config: v1}]
"""
    return write_case(tmp_path, text, v1=THING)


@every_engine
def test_steps_of_a_case_at_the_command_line(story: Path, engine: str) -> None:
    """The cloud is taken from the case before the first step and from the file afterwards, even if a step fails."""
    options = ["--state", story / "s", "--case", story / "case.yaml", "--cloud", story / "cloud.json", "--json"]
    result = command(engine, "apply", story / "v1", *options, "--step", 0)
    assert (result.exit_code, "Create lost" in result.output) == (1, True)
    cloud = json.loads((story / "cloud.json").read_text())
    assert [thing["id"] for thing in cloud["inventory"]] == ["a-1", "old-1"]
    assert ["apply-create", "sim_thing", "a"] in cloud["calls"]["items"]

    plan = story / "saved.plan"
    assert command(engine, "plan", story / "v1", *options, "--step", 1, "--out", plan).exit_code == 0
    cloud = json.loads((story / "cloud.json").read_text())
    assert ([thing["id"] for thing in cloud["inventory"]], cloud["faults_seen"]) == (["a-1"], [0, 2])
    result = command(engine, "apply", plan, *options, "--step", 1)
    assert (result.exit_code, "Invalid thing" in result.output) == (1, True)


def test_a_simulation_at_the_command_line_has_to_be_asked_for(story: Path) -> None:
    result = command("legacy", "validate", story / "v1")
    assert (result.exit_code, "Missing required provider" in result.output) == (1, True)
    assert command("legacy", "validate", story / "v1", "--cloud", story / "c").exit_code == 0
    assert command("legacy", "validate", story / "v1", "--case", story / "case.yaml", "--step", 0).exit_code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--step", "0"], "--step needs --case"),
        (["--case", "case.yaml"], "--case needs --step"),
        (["--case", "case.yaml", "--step", "2"], "--step 2: the case has steps 0 to 1"),
        (["--case", "v1/main.tf", "--step", "0"], "a case is a file named case.yaml"),
        (["--case", "no/case.yaml", "--step", "0"], "cannot be read"),
        (["--cloud", "v1/main.tf"], "cannot read the cloud in v1/main.tf"),
    ],
)
def test_what_makes_no_sense_is_refused(
    story: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    monkeypatch.chdir(story)
    result = command("legacy", "plan", "v1", *options)
    assert result.exit_code in (1, 2)
    assert message in result.output


def test_a_case_says_for_which_providers_another_stands_in(tmp_path: Path) -> None:
    """The case has the same effect as `--permissive`; otherwise the step would not run as it does in the case."""
    case = write_case(tmp_path, "permissive: ports/harbour\nsteps: [{op: apply, config: v1}]")
    (case / "v1").mkdir()
    (case / "v1" / "main.tf").write_text(
        'terraform {\n  required_providers {\n    harbour = { source = "example.com/ports/harbour" }\n  }\n}\n'
        'resource "harbour_ship" "a" {\n  size = 1\n}\n'
    )
    assert command("legacy", "validate", case / "v1").exit_code == 1
    named = ("--case", case / "case.yaml", "--step", 0)
    for operation in ("validate", "plan", "apply"):
        found = command("legacy", operation, case / "v1", *named)
        assert found.exit_code == 0, found.output
