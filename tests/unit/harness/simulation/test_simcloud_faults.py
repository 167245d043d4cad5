"""Faults around providers: what each kind does to a call, to the cloud, and to the caller.

The kinds that `sim` implements itself are tested in test_simcloud.py, and every kind at every call of a case, with both
engines, in tests/unit/harness/faults/test_sweep.py.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
import trio

from harness.simulation.simcloud.behaviour import with_parts
from harness.simulation.simcloud.faults import KINDS_OF, OF_ANSWERS, OF_CALLS, Fault, FaultKind, Phase, Subject, Verb
from harness.simulation.simcloud.faulty import FaultyProvider
from harness.simulation.simcloud.leaks import Leak, LeakKind, find_leaks
from harness.simulation.simcloud.objects import CallContext, object_from_json
from harness.simulation.simcloud.recorded import RecordedProvider
from harness.simulation.simcloud.resource_types import RESOURCE_TYPES
from harness.simulation.simcloud.sim import SimProvider
from harness.simulation.simcloud.simcloud import SimcloudProvider
from harness.simulation.simcloud.simulation import Simulation, simulation_from_json
from harness.simulation.simcloud.thing import NO_THING, thing_from_json
from harness.simulation.simcloud.time import VirtualTime
from shared_nodes.plan.events import EventSink
from shared_nodes.providers.contract import ApplyRequest, ApplyResponse, PlanRequest, PlanResponse, ReadObject
from shared_nodes.providers.schema import empty_value, implied_type
from shared_nodes.state.file import read_state
from shared_nodes.values.json import Tree, dumps, loads
from shared_nodes.values.value import Value, null, string
from shared_nodes.world import World

TYPE = "simcloud_updated"
BLOCK = RESOURCE_TYPES[TYPE].block
NOTHING = null(implied_type(BLOCK))
NO_RESPONSE = "Plugin did not respond"


def make_object(name: str, **attributes: Tree) -> Value:
    return object_from_json(TYPE, {"name": name, **attributes})


class Scene:
    """A provider in a cloud, with faults."""

    def __init__(self, *faults: Fault) -> None:
        self.simulation = Simulation()
        self.simulation.begin_step(faults)
        world = World.confined(Path("/nowhere"), 0, datetime(2026, 1, 1, tzinfo=UTC))
        inner = SimcloudProvider(self.simulation, world)
        faulty = FaultyProvider(inner, "simcloud", self.simulation, implements_answers=False)
        self.provider = RecordedProvider(faulty, "simcloud", self.simulation)

    def plan(self, prior: Value, proposed: Value) -> PlanResponse:
        return trio.run(self.provider.plan, PlanRequest(TYPE, prior, proposed, proposed))

    def apply(self, prior: Value, planned: Value) -> ApplyResponse:
        return trio.run(self.provider.apply, ApplyRequest(TYPE, prior, planned, planned))

    def create(self, name: str = "a", **attributes: Tree) -> ApplyResponse:
        return self.apply(NOTHING, self.plan_without_faults(NOTHING, make_object(name, **attributes)))

    def plan_without_faults(self, prior: Value, proposed: Value) -> Value:
        """Plan with a provider without faults."""
        answer = Scene().plan(prior, proposed).value
        assert answer is not None
        return answer

    def create_directly(self, name: str = "a") -> Value:
        """Create an object directly in the cloud."""
        return self.simulation.cloud.objects.create(
            CallContext(TYPE, ""), self.plan_without_faults(NOTHING, make_object(name))
        ).value

    def read(self, current: Value) -> ReadObject:
        return trio.run(self.provider.read, TYPE, current, b"")

    @property
    def live(self) -> list[str]:
        return sorted(identifier for _, identifier in self.simulation.cloud.objects.objects)


def fault(verb: Verb, kind: FaultKind, **more: int) -> Fault:
    return Fault(0, "a", kind, verb, seconds=more.get("seconds", 0), times=more.get("times", 1))


def summaries(answer: ApplyResponse | PlanResponse | ReadObject) -> list[str]:
    return [problem.summary for problem in answer.problems]


# Which call a fault selects


def test_every_kind_has_its_place() -> None:
    of_cloud = {FaultKind.DRIFT, FaultKind.VANISH}
    assert {*OF_ANSWERS, *OF_CALLS} | of_cloud == set(FaultKind)
    assert {kind for kinds in KINDS_OF.values() for kind in kinds} == set(FaultKind) - of_cloud
    assert KINDS_OF.keys() == set(Verb)


@pytest.mark.parametrize(
    ("fault", "strikes"),
    [
        (Fault(0, None, FaultKind.ERROR, Verb.CREATE, type_name=TYPE), True),
        (Fault(0, None, FaultKind.ERROR, Verb.CREATE, type_name="simcloud_replaced"), False),
        (Fault(0, "a", FaultKind.ERROR, Verb.CREATE, type_name=TYPE), True),
        (Fault(0, "b", FaultKind.ERROR, Verb.CREATE, type_name=TYPE), False),
        (Fault(0, None, FaultKind.ERROR, Verb.CREATE, arguments={"value": "x"}), True),
        (Fault(0, None, FaultKind.ERROR, Verb.CREATE, arguments={"value": "y"}), False),
        (Fault(0, None, FaultKind.ERROR, Verb.CREATE, arguments={"size": "x"}), False),
        (Fault(0, None, FaultKind.ERROR, Verb.UPDATE, type_name=TYPE), False),
    ],
)
def test_a_fault_goes_by_type_name_and_arguments(fault: Fault, *, strikes: bool) -> None:
    assert bool(summaries(Scene(fault).create(value="x"))) is strikes


def test_an_argument_that_is_not_known_yet_is_none_to_go_by() -> None:
    unknown_revision = Fault(0, None, FaultKind.ERROR, Verb.CREATE, arguments={"revision": loads("1")})
    assert summaries(Scene(unknown_revision).create()) == []


def test_a_fault_of_every_step_goes_on_counting() -> None:
    flaky = Fault(None, "a", FaultKind.FLAKY, Verb.READ, times=3)
    simulation = Simulation()
    read = Subject(Verb.READ, "a", TYPE)
    found = []
    for _ in range(2):
        simulation.begin_step([flaky, Fault(0, "a", FaultKind.ERROR, Verb.READ)])
        found += [len(simulation.match_faults(read, OF_CALLS)) for _ in range(2)]
        simulation = simulation_from_json(loads(dumps(simulation.to_json())))  # type: ignore[arg-type]  # an object
    assert found == [1, 1, 1, 0]


# What a kind does


@pytest.mark.parametrize(
    ("kind", "answer", "is_made", "problem"),
    [
        (FaultKind.ERROR, None, False, "Create failed"),
        (FaultKind.FLAKY, None, False, "Create failed"),
        (FaultKind.ERROR_AFTER, {"id": "a-1", "value": "x"}, True, "Create failed late"),
        (FaultKind.PARTIAL, {"id": "a-1", "value": None}, True, "Create incomplete"),
        (FaultKind.LOST, None, True, "Create lost"),
        (FaultKind.INCONSISTENT_RESULT, {"id": "a-1", "value": "inconsistent"}, True, None),
        (FaultKind.NULL_RESULT, None, True, None),
        (FaultKind.LATENCY, {"id": "a-1", "value": "x"}, True, None),
    ],
)
def test_what_becomes_of_a_create(
    kind: FaultKind, answer: dict[str, str | None] | None, is_made: bool, problem: str | None
) -> None:
    scene = Scene(fault(Verb.CREATE, kind, seconds=5))
    applied = scene.create(value="x")
    assert applied.value is not None
    if answer is None:
        assert applied.value.is_null
    else:
        found = {name: applied.value.payload[name] for name in answer}
        assert {name: None if part.is_null else part.payload for name, part in found.items()} == answer
    assert scene.live == (["a-1"] if is_made else [])
    assert summaries(applied) == ([] if problem is None else [problem])
    is_lost = kind in (FaultKind.LOST, FaultKind.NULL_RESULT)
    assert scene.simulation.lost == ([f"{TYPE} a-1"] if is_lost else [])


def test_a_result_can_be_unknown_where_it_must_not_be() -> None:
    applied = Scene(fault(Verb.CREATE, FaultKind.UNKNOWN_RESULT)).create()
    assert applied.value is not None
    assert not applied.value.payload["revision"].is_known
    assert applied.value.payload["id"].payload == "a-1"


@pytest.mark.parametrize(
    ("kind", "value", "problem"),
    [
        (FaultKind.ERROR, None, "Update failed"),
        (FaultKind.ERROR_AFTER, "y", "Update failed late"),
        (FaultKind.INCONSISTENT_RESULT, "inconsistent", None),
    ],
)
def test_what_becomes_of_an_update(kind: FaultKind, value: str | None, problem: str | None) -> None:
    scene = Scene(fault(Verb.UPDATE, kind))
    prior = scene.create_directly()
    applied = scene.apply(prior, with_parts(prior, {"value": string("y")}))
    assert applied.value is not None
    found = applied.value.payload["value"]
    assert (None if found.is_null else found.payload) == value
    assert summaries(applied) == ([] if problem is None else [problem])


@pytest.mark.parametrize(
    ("kind", "left", "problem"),
    [
        (FaultKind.ERROR, ["a-1"], "Delete failed"),
        (FaultKind.ERROR_AFTER, [], "Delete failed late"),
        (FaultKind.CRASH_AFTER, [], NO_RESPONSE),
    ],
)
def test_what_becomes_of_a_delete(kind: FaultKind, left: list[str], problem: str) -> None:
    scene = Scene(fault(Verb.DELETE, kind))
    applied = scene.apply(scene.create_directly(), NOTHING)
    assert scene.live == left
    assert summaries(applied) == [problem]


@pytest.mark.parametrize(
    ("kind", "problem"), [(FaultKind.ERROR, "Read failed"), (FaultKind.GONE, None), (FaultKind.UNKNOWN_RESULT, None)]
)
def test_what_becomes_of_a_read(kind: FaultKind, problem: str | None) -> None:
    scene = Scene(fault(Verb.READ, kind))
    found = scene.read(scene.create_directly())
    assert found.value is not None
    assert found.value.is_null is (kind is FaultKind.GONE)
    assert summaries(found) == ([] if problem is None else [problem])
    assert scene.live == ["a-1"]


@pytest.mark.parametrize("kind", [FaultKind.INVALID_PLAN, FaultKind.NULL_RESULT, FaultKind.ERROR])
def test_what_becomes_of_a_plan(kind: FaultKind) -> None:
    planned = Scene(fault(Verb.PLAN, kind)).plan(NOTHING, make_object("a"))
    assert planned.value is not None
    assert planned.value.is_null is (kind is FaultKind.NULL_RESULT)
    assert summaries(planned) == (["Plan failed"] if kind is FaultKind.ERROR else [])
    if kind is FaultKind.INVALID_PLAN:
        assert planned.value.payload["value"].payload == "invalid"


def test_an_inconsistent_plan_is_another_one_while_applying() -> None:
    scene = Scene(fault(Verb.PLAN, FaultKind.INCONSISTENT_PLAN))
    prior = scene.create_directly()
    proposed = with_parts(prior, {"value": string("y")})
    assert scene.plan(prior, proposed) == Scene().plan(prior, proposed)
    scene.simulation.phase = Phase.APPLY
    planned = scene.plan(prior, proposed).value
    assert planned is not None
    assert planned.payload["id"].payload == "inconsistent"


def test_flaky_is_fine_in_the_end() -> None:
    scene = Scene(fault(Verb.CREATE, FaultKind.FLAKY, times=2))
    assert [summaries(scene.create()) for _ in range(3)] == [["Create failed"], ["Create failed"], []]


def test_a_refusal_comes_before_what_needs_the_effect() -> None:
    """Nothing is lost that was never created."""
    lost = Fault(0, "c", FaultKind.LOST, Verb.CREATE)
    scene = Scene(lost)
    child = RESOURCE_TYPES["simcloud_child"].block
    planned = with_parts(empty_value(child), {"name": string("c"), "parent": string("p-1")})
    request = ApplyRequest("simcloud_child", null(implied_type(child)), planned, planned)
    assert summaries(trio.run(scene.provider.apply, request)) == ["Create refused"]
    assert scene.simulation.lost == []


# Processes


def test_after_a_crash_no_call_of_the_instance_is_answered() -> None:
    scene = Scene(fault(Verb.CREATE, FaultKind.CRASH))
    applied = scene.create()
    assert applied.value is None
    assert [(problem.summary, problem.attribute) for problem in applied.problems] == [(NO_RESPONSE, None)]
    assert "plugin6.(*GRPCProvider).ApplyResourceChange call" in applied.problems[0].detail
    assert summaries(scene.plan(NOTHING, make_object("b"))) == [NO_RESPONSE]
    found = scene.read(make_object("b"))
    assert (found.value, summaries(found)) == (None, [NO_RESPONSE])
    assert scene.live == []


def test_a_crash_can_come_after_the_effect() -> None:
    scene = Scene(fault(Verb.CREATE, FaultKind.CRASH_AFTER))
    assert summaries(scene.create()) == [NO_RESPONSE]
    assert scene.live == ["a-1"]
    assert scene.simulation.lost == [f"{TYPE} a-1"]


def test_other_kinds_reach_the_thing_as_well() -> None:
    simulation = Simulation()
    simulation.begin_step([Fault(0, "t", FaultKind.CRASH, Verb.CREATE), Fault(0, "u", FaultKind.ERROR, Verb.CREATE)])
    provider = FaultyProvider(SimProvider(simulation), "sim", simulation, implements_answers=True)
    planned = [thing_from_json({"name": name}) for name in ("u", "t", "u")]
    answers = [trio.run(provider.apply, ApplyRequest("sim_thing", NO_THING, each, each)) for each in planned]
    assert [summaries(answer) for answer in answers] == [["Create failed"], [NO_RESPONSE], [NO_RESPONSE]]


def test_a_stuck_call_waits_until_it_is_stopped() -> None:
    """The interrupt comes only when nothing else can proceed."""
    scene = Scene(fault(Verb.CREATE, FaultKind.STUCK))
    sink = EventSink()
    order: list[str] = []
    scene.simulation.interrupt = sink.stop

    async def run() -> ApplyResponse:
        planned = make_object("a")
        answers: list[ApplyResponse] = []

        async def create() -> None:
            answers.append(await scene.provider.apply(ApplyRequest(TYPE, NOTHING, planned, planned)))

        async def work() -> None:
            for _ in range(5):
                await trio.lowlevel.checkpoint()
            order.append("worked")

        loop = trio.lowlevel.current_trio_token()
        sink.when_stopped(lambda: order.append("stopped"))
        sink.when_stopped(lambda: loop.run_sync_soon(trio.lowlevel.spawn_system_task, scene.provider.stop))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(create)
            nursery.start_soon(work)
        return answers[0]

    assert summaries(trio.run(run)) == ["Create stopped"]
    assert order == ["worked", "stopped"]
    assert scene.live == []


# Virtual time


def test_sleepers_wake_in_the_order_of_their_seconds_and_no_time_passes() -> None:
    time, woken = VirtualTime(), []

    async def sleep(seconds: float) -> None:
        await time.sleep(seconds)
        woken.append((seconds, time.now))

    async def run() -> None:
        with trio.fail_after(5):
            async with trio.open_nursery() as nursery:
                for seconds in (3600, 60, 86400, 60):
                    nursery.start_soon(sleep, seconds)

    trio.run(run)
    assert woken == [(60, 60), (60, 60), (3600, 3600), (86400, 86400)]


def test_a_sleeper_that_is_given_up_leaves_the_others_asleep() -> None:
    time = VirtualTime()

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(time.sleep, 10)
            with trio.CancelScope() as scope:
                scope.cancel()
                await time.sleep(5)

    trio.run(run)
    assert time.now == 10


def test_the_record_tells_when_a_late_call_began_and_ended() -> None:
    scene = Scene(fault(Verb.CREATE, FaultKind.LATENCY, seconds=90))
    scene.create()
    (call,) = scene.simulation.record.calls
    assert (call.begin_s, call.end_s) == (0, 90)


# Leaks


STATE = """{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [
  {"mode": "managed", "type": "simcloud_updated", "name": "a",
   "provider": "provider[\\"dh.test/diffharness/simcloud\\"]",
   "instances": [{"schema_version": 0, "attributes": {"id": "a-1", "name": "a"}},
                 {"schema_version": 0, "deposed": "00000001", "attributes": {"id": "gone-1", "name": "gone"}}]}]}"""


def test_what_the_cloud_and_a_state_disagree_about() -> None:
    scene = Scene()
    for name in ("a", "a", "b", "lost"):
        scene.create_directly(name)
    state, _, problems = read_state(STATE)
    assert not problems
    assert find_leaks(scene.simulation.cloud.inventory(), state, [f"{TYPE} lost-1"]) == [
        Leak(TYPE, "a-2", LeakKind.CREATED_TWICE),
        Leak(TYPE, "b-1", LeakKind.LEAKED),
        Leak(TYPE, "gone-1", LeakKind.MISSING),
    ]


def test_people_clean_up_what_was_lost() -> None:
    scene = Scene(fault(Verb.CREATE, FaultKind.LOST))
    scene.create()
    scene.create_directly("b")
    scene.simulation.clean_up()
    assert (scene.live, scene.simulation.lost) == (["b-1"], [])


# Between commands


def test_objects_outlive_a_process() -> None:
    scene = Scene()
    for name in ("a", "a", "b"):
        scene.create_directly(name)
    scene.simulation.lost.append(f"{TYPE} b-1")
    again = simulation_from_json(loads(dumps(scene.simulation.to_json())))  # type: ignore[arg-type]  # an object
    assert again.cloud.to_json() == scene.simulation.cloud.to_json()
    assert again.lost == scene.simulation.lost
    made = again.cloud.objects.create(CallContext(TYPE, ""), make_object("a"))
    assert made.identifier == "a-3"


def test_identifiers_that_were_given_are_not_given_again() -> None:
    store = Scene().simulation.cloud.objects
    store.create(CallContext(TYPE, ""), make_object("a"), "a-2")
    assert store.create(CallContext(TYPE, ""), make_object("a")).identifier == "a-3"


@pytest.mark.parametrize(
    ("kind", "expected"), [(FaultKind.DRIFT, {"a-1": "z", "b-1": None}), (FaultKind.VANISH, {"b-1": None})]
)
def test_what_happens_behind_the_engines_back(kind: FaultKind, expected: dict[str, str | None]) -> None:
    scene = Scene()
    for name in ("a", "b"):
        scene.create_directly(name)
    scene.simulation.begin_step([Fault(1, "a", kind, type_name=TYPE, attributes={"value": "z"})])
    objects = scene.simulation.cloud.objects.objects.values()
    values = {live.identifier: live.value.payload["value"] for live in objects}
    assert {name: None if part.is_null else part.payload for name, part in sorted(values.items())} == expected
