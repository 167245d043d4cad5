"""The simulated cloud and its provider: answers, refusals, and injected faults.

What an engine makes of them is compared with recordings in tests/conformance; this file covers what those do not show
by themselves: messages, the state of the cloud after each kind of fault, and what outlives a process.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import trio

from harness.simulation.simcloud.cloud import Cloud, CloudRefusal, cloud_from_json
from harness.simulation.simcloud.faults import OF_ANSWERS, Fault, FaultKind, FaultWatch, Phase, Subject, Verb
from harness.simulation.simcloud.record import Record
from harness.simulation.simcloud.recorded import RecordedProvider
from harness.simulation.simcloud.sim import SimProvider
from harness.simulation.simcloud.simulation import Simulation, simulation_from_json
from harness.simulation.simcloud.thing import LOOKUP, NO_THING, THING, thing_from_json, with_attributes
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.providers.contract import ApplyRequest, ApplyResponse, PlanRequest, PlanResponse, ReadDataRequest
from shared_nodes.providers.schema import implied_type
from shared_nodes.values.json import JsonError, Tree, dumps, loads, value_to_json
from shared_nodes.values.types import NUMBER, STRING
from shared_nodes.values.value import Value, integer, null, object_of, string, unknown


def thing(**attributes: Tree) -> Value:
    return thing_from_json(attributes)


def named_thing(name: str, **attributes: Tree) -> Value:
    return thing(name=name, **attributes)


def planned_new(name: str, **attributes: Tree) -> Value:
    unknowns = {"id": unknown(STRING), "auto": unknown(STRING), "version": integer(1)}
    return with_attributes(named_thing(name, **attributes), unknowns)


def attributes_of(value: Value | None) -> Mapping[str, Tree]:
    """Return the attributes that are set."""
    assert value is not None
    tree = value_to_json(value, implied_type(THING))
    assert isinstance(tree, dict)
    return {name: part for name, part in tree.items() if part is not None and part != []}


def texts(value: Value | None) -> dict[str, str]:
    return {name: str(part) if isinstance(part, str) else dumps(part) for name, part in attributes_of(value).items()}


class Scene:
    """A provider in a cloud, with faults."""

    def __init__(self, *faults: Fault) -> None:
        self.simulation = Simulation()
        self.simulation.begin_step(faults)
        self.provider = RecordedProvider(SimProvider(self.simulation), "sim", self.simulation)

    def plan(self, prior: Value, proposed: Value, config: Value | None = None) -> PlanResponse:
        request = PlanRequest("sim_thing", prior, proposed, proposed if config is None else config)
        return trio.run(self.provider.plan, request)

    def apply(self, prior: Value, planned: Value) -> ApplyResponse:
        return trio.run(self.provider.apply, ApplyRequest("sim_thing", prior, planned, planned))

    def create(self, name: str, **attributes: Tree) -> Value:
        made = self.apply(NO_THING, planned_new(name, **attributes)).value
        assert made is not None
        return made

    @property
    def live(self) -> list[str]:
        return sorted(self.simulation.cloud.things)


def fault(name: str, verb: Verb, kind: FaultKind) -> Fault:
    return Fault(0, name, kind, verb)


def describe_problems(problems: object) -> list[tuple[str, str]]:
    assert isinstance(problems, list | tuple)
    assert all(isinstance(problem, Diagnostic) and problem.attribute == () for problem in problems)
    return [(problem.summary, problem.detail) for problem in problems]


# The cloud


def test_ids_count_the_creates_of_a_name_and_are_never_used_twice() -> None:
    cloud = Cloud()
    first, second = (cloud.create(named_thing("a")) for _ in range(2))
    cloud.delete("a-2")
    third = cloud.create(named_thing("a"))
    given = cloud.create(named_thing("a"), "mine")
    assert [texts(made)["id"] for made in (first, second, third, given)] == ["a-1", "a-2", "a-3", "mine"]
    assert texts(cloud.create(named_thing("a")))["id"] == "a-5"


def test_the_server_fills_in_what_is_unset_and_counts_versions() -> None:
    cloud = Cloud()
    made = cloud.create(named_thing("a", value="x"))
    assert texts(made) == {"id": "a-1", "name": "a", "value": "x", "auto": "auto-a", "version": "1"}
    assert texts(cloud.create(named_thing("b", auto="mine")))["auto"] == "mine"
    updated = cloud.update(with_attributes(made, {"value": null(STRING), "version": unknown(NUMBER)}))
    assert texts(updated) == {"id": "a-1", "name": "a", "auto": "auto-a", "version": "2"}


def test_a_taken_value_is_refused_by_the_lowest_id() -> None:
    cloud = Cloud()
    cloud.create(named_thing("b", unique="u"))
    cloud.drift("b", {"name": "c"})
    cloud.create(named_thing("x"))
    cloud.drift("x", {"unique": "u"})
    with pytest.raises(CloudRefusal, match='The unique value "u" is taken by thing "b-1"'):
        cloud.create(named_thing("a", unique="u"))
    assert cloud.created["a"] == 0


def test_a_parent_stays_while_it_has_children_unless_it_takes_them_along() -> None:
    cloud = Cloud()
    cloud.create(named_thing("p"))
    for name in ("z", "y"):
        cloud.create(named_thing(name, parent="p-1"))
    with pytest.raises(CloudRefusal, match='Thing "p-1" is the parent of "y-1"'):
        cloud.delete("p-1")
    cloud.drift("p", {"name": "cascade-p"})
    cloud.create(named_thing("below", parent="z-1"))
    cloud.create(named_thing("other"))
    cloud.delete("p-1")
    assert sorted(cloud.things) == ["other-1"]
    cloud.delete("p-1")


def test_things_that_are_their_own_ancestors_can_vanish_together() -> None:
    cloud = Cloud()
    cloud.create(named_thing("cascade-a", parent="b-1"))
    cloud.create(named_thing("b", parent="cascade-a-1"))
    cloud.delete("cascade-a-1")
    assert not cloud.things


def test_drift_and_vanishing_meet_every_thing_of_that_name() -> None:
    cloud = Cloud()
    for name in ("a", "a", "b"):
        cloud.create(named_thing(name))
    cloud.drift("a", {"value": "x", "item": [{"key": "k"}], "version": loads("7")})
    assert [texts(cloud.things[identifier]).get("version") for identifier in ("a-1", "a-2", "b-1")] == ["7", "7", "1"]
    assert texts(cloud.things["a-1"])["item"] == '[{"amount":null,"key":"k"}]'
    cloud.vanish("a")
    assert sorted(cloud.things) == ["b-1"]


def json_object(text: str) -> dict[str, Tree]:
    tree = loads(text)
    assert isinstance(tree, dict)
    return tree


def test_a_cloud_survives_being_written() -> None:
    cloud = Cloud()
    cloud.create(named_thing("a", secret="s", item=[{"key": "k", "amount": loads("1.5")}]))
    cloud.create(named_thing("gone"))
    cloud.delete("gone-1")
    again = cloud_from_json(json_object(dumps(cloud.to_json())))
    assert again == cloud
    assert texts(again.create(named_thing("gone")))["id"] == "gone-2"


def test_an_inventory_alone_is_enough() -> None:
    tree = {"inventory": Cloud().inventory()}
    assert cloud_from_json(tree) == Cloud()
    cloud = Cloud()
    cloud.create(named_thing("a-b"))
    assert texts(cloud_from_json({"inventory": cloud.inventory()}).create(named_thing("a-b")))["id"] == "a-b-2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "a cloud needs an inventory"),
        ('{"inventory": [1]}', "a cloud needs an inventory"),
        ('{"inventory": [{"name": "a"}]}', "has no id"),
        ('{"inventory": [{"id": "a", "size": 1}]}', "a thing has no attribute size"),
        ('{"inventory": [], "created": {"a": "x"}}', "created: a: must be a whole number"),
        ('{"inventory": [], "created": 1}', "created: must tell a number"),
        ('{"inventory": [], "faults_seen": [null]}', "faults_seen: must be a list of whole numbers"),
    ],
)
def test_what_is_no_cloud_is_refused_with_a_reason(text: str, message: str) -> None:
    with pytest.raises(JsonError, match=message):
        simulation_from_json(json_object(text))


# Faults


def test_the_occurrence_counts_calls_that_fit_and_nothing_else() -> None:
    watch = FaultWatch([Fault(0, "a", FaultKind.ERROR, Verb.CREATE, occurrence=2)])
    asked = [(Verb.CREATE, "b"), (Verb.UPDATE, "a"), (Verb.CREATE, "a"), (Verb.CREATE, "a"), (Verb.CREATE, "a")]
    subjects = [Subject(verb, name, "sim_thing") for verb, name in asked]
    assert [len(watch.match_faults(subject, Phase.APPLY, OF_ANSWERS)) for subject in subjects] == [0, 0, 0, 1, 0]
    every = FaultWatch([Fault(0, "a", FaultKind.ERROR, Verb.READ, occurrence=None)])
    read = [Subject(Verb.READ, name, "sim_thing") for name in ("a", "a", None)]
    assert [len(every.match_faults(subject, Phase.PLAN, OF_ANSWERS)) for subject in read] == [1, 1, 0]


def test_a_failing_plan_is_the_first_one_and_an_inconsistent_one_the_second() -> None:
    first = Fault(0, "a", FaultKind.ERROR, Verb.PLAN)
    second = Fault(0, "a", FaultKind.INCONSISTENT_PLAN, Verb.PLAN)
    both = Fault(0, "a", FaultKind.ERROR, Verb.VALIDATE)
    assert [item.counted_phase for item in (first, second, both)] == [Phase.PLAN, Phase.APPLY, None]
    assert Fault(0, "a", FaultKind.ERROR, Verb.PLAN, phase=Phase.APPLY).counted_phase is Phase.APPLY


def test_a_step_that_another_process_has_planned_goes_on_counting_where_it_was() -> None:
    faults = [Fault(0, "a", FaultKind.ERROR, Verb.VALIDATE, occurrence=2), Fault(0, "x", FaultKind.VANISH)]
    simulation = Simulation()
    simulation.begin_step(faults)
    validation = Subject(Verb.VALIDATE, "a", "sim_thing")
    assert simulation.fault_kind(validation) is None
    simulation.cloud.create(named_thing("x"))
    again = simulation_from_json(json_object(dumps(simulation.to_json())), faults)
    assert again.fault_kind(validation) is FaultKind.ERROR
    assert sorted(again.cloud.things) == ["x-1"]


CREATE_FAULTS = [
    (FaultKind.ERROR, {}, [], ("Create failed", 'The cloud failed to create thing "a".')),
    (
        FaultKind.ERROR_AFTER,
        {"id": "a-1", "name": "a", "value": "v", "auto": "auto-a", "version": "1"},
        ["a-1"],
        ("Create failed late", 'The cloud created thing "a-1" and then failed.'),
    ),
    (
        FaultKind.PARTIAL,
        {"id": "a-1", "name": "a"},
        ["a-1"],
        ("Create incomplete", 'The cloud created thing "a-1" in part.'),
    ),
    (FaultKind.LOST, {}, ["a-1"], ("Create lost", 'The cloud lost track of thing "a".')),
]


@pytest.mark.parametrize(("kind", "answer", "live", "problem"), CREATE_FAULTS)
def test_creates_that_fail(kind: FaultKind, answer: dict[str, str], live: list[str], problem: tuple[str, str]) -> None:
    scene = Scene(fault("a", Verb.CREATE, kind))
    applied = scene.apply(NO_THING, planned_new("a", value="v"))
    assert applied.value is not None
    assert ({} if applied.value.is_null else texts(applied.value)) == answer
    assert (scene.live, describe_problems(applied.problems)) == (live, [problem])


def test_updates_and_deletes_that_fail_answer_what_is_left() -> None:
    scene = Scene()
    prior = scene.create("a", value="old")
    wanted = with_attributes(prior, {"value": string("new"), "version": unknown(NUMBER)})

    def after(kind: FaultKind, verb: Verb, planned: Value) -> tuple[ApplyResponse, str]:
        scene.simulation.begin_step([fault("a", verb, kind)])
        applied = scene.apply(prior, planned)
        return applied, texts(scene.simulation.cloud.things.get("a-1", thing())).get("value", "gone")

    failed, live = after(FaultKind.ERROR, Verb.UPDATE, wanted)
    assert (texts(failed.value)["value"], live) == ("old", "old")
    assert describe_problems(failed.problems) == [("Update failed", 'The cloud failed to update thing "a-1".')]
    failed, live = after(FaultKind.ERROR_AFTER, Verb.UPDATE, wanted)
    assert (texts(failed.value)["version"], live) == ("2", "new")
    assert describe_problems(failed.problems) == [
        ("Update failed late", 'The cloud updated thing "a-1" and then failed.')
    ]
    failed, live = after(FaultKind.INCONSISTENT_RESULT, Verb.UPDATE, wanted)
    assert (texts(failed.value)["value"], live, failed.problems) == ("inconsistent", "new", ())
    failed, live = after(FaultKind.ERROR, Verb.DELETE, NO_THING)
    assert (failed.value, live) == (prior, "new")
    assert describe_problems(failed.problems) == [("Delete failed", 'The cloud failed to delete thing "a-1".')]
    failed, live = after(FaultKind.ERROR_AFTER, Verb.DELETE, NO_THING)
    assert (failed.value, live) == (NO_THING, "gone")
    assert describe_problems(failed.problems) == [
        ("Delete failed late", 'The cloud deleted thing "a-1" and then failed.')
    ]


def test_a_refusal_comes_after_an_error_and_before_every_other_fault() -> None:
    scene = Scene()
    scene.create("first", unique="u")
    for kind, summary in ((FaultKind.ERROR, "Create failed"), (FaultKind.LOST, "Create refused")):
        scene.simulation.begin_step([fault("a", Verb.CREATE, kind)])
        refused = scene.apply(NO_THING, planned_new("a", unique="u"))
        assert (describe_problems(refused.problems)[0][0], refused.value, scene.live) == (
            summary,
            NO_THING,
            ["first-1"],
        )
    gone = thing(id="a-1", name="a", version=loads("1"))
    refused = scene.apply(gone, gone)
    assert describe_problems(refused.problems) == [("Update refused", 'There is no thing "a-1".')]
    assert refused.value == gone or texts(refused.value) == texts(gone)


# Plans


def test_a_new_thing_is_planned_with_what_only_the_cloud_can_know() -> None:
    value = Scene().plan(NO_THING, named_thing("a")).value
    assert value is not None
    assert [name for name, part in value.payload.items() if not part.is_known] == ["auto", "id"]
    given = Scene().plan(NO_THING, named_thing("a", auto="mine")).value
    assert given is not None
    assert given.payload["auto"] == string("mine")


def test_only_a_change_makes_the_version_unknown_and_only_one_forces_a_replacement() -> None:
    scene = Scene()
    prior = scene.create("a", force_new="x")
    assert scene.plan(prior, prior).value == prior
    changed = scene.plan(prior, with_attributes(prior, {"value": unknown(STRING)}))
    assert changed.value is not None
    assert (changed.value.payload["version"].is_known, changed.requires_replace) == (False, ())
    forced = scene.plan(prior, with_attributes(prior, {"force_new": unknown(STRING)}))
    assert [[step.name for step in path] for path in forced.requires_replace] == [["force_new"]]  # type: ignore[union-attr]  # attribute steps


@pytest.mark.parametrize(
    ("kind", "phase", "attribute", "expected"),
    [
        (FaultKind.INVALID_PLAN, Phase.PLAN, "value", string("invalid")),
        (FaultKind.INCONSISTENT_PLAN, Phase.APPLY, "version", integer(99)),
    ],
)
def test_plans_that_break_the_contract(kind: FaultKind, phase: Phase, attribute: str, expected: Value) -> None:
    scene = Scene(fault("a", Verb.PLAN, kind))
    scene.simulation.phase = phase
    value = scene.plan(NO_THING, named_thing("a")).value
    assert value is not None
    assert value.payload[attribute] == expected


def test_numbers_come_back_with_the_precision_of_the_wire() -> None:
    """An engine can observe this: a refreshed state is not exactly the state that was read from a file."""
    made = Scene().create("a", item=[{"key": "k", "amount": loads("3")}])
    assert made.payload["item"].payload[0].payload["amount"].payload.precision == 64


# Other requests


def test_other_calls_and_what_goes_wrong_in_them() -> None:
    faults = [fault(name, verb, FaultKind.ERROR) for name, verb in (("k", Verb.LOOKUP), ("r", Verb.CONFIGURE))]
    faults += [fault("", Verb.CONFIGURE, FaultKind.ERROR)]
    faults += [fault("a", Verb.VALIDATE, FaultKind.ERROR), fault("a", Verb.READ, FaultKind.ERROR)]
    scene = Scene(*faults)
    made = scene.create("a")
    provider = scene.provider
    region = object_of({"region": string("r")})
    assert describe_problems(trio.run(provider.configure, region)) == [
        ("Configure failed", 'The cloud refused the provider configuration for region "r".')
    ]
    assert trio.run(provider.configure, object_of({"region": unknown(STRING)})) == ()
    assert describe_problems(trio.run(provider.configure, object_of({"region": null(STRING)}))) == [
        ("Configure failed", 'The cloud refused the provider configuration for region "".')
    ]
    assert describe_problems(trio.run(provider.validate_resource_config, "sim_thing", named_thing("a"))) == [
        ("Invalid thing", 'The thing "a" is not acceptable.')
    ]
    failed = trio.run(provider.read, "sim_thing", made, b"p")
    assert (failed.value, failed.private) == (made, b"p")
    assert describe_problems(failed.problems) == [("Read failed", 'The cloud failed to read thing "a-1".')]
    lookup = object_of({"name": string("k"), "result": null(STRING)})
    assert lookup.type == implied_type(LOOKUP)
    assert describe_problems(trio.run(provider.read_data, ReadDataRequest("sim_lookup", lookup)).problems) == [
        ("Lookup failed", 'The cloud has no answer for "k".')
    ]
    found = trio.run(provider.read_data, ReadDataRequest("sim_lookup", lookup)).value
    assert found is not None
    assert found.payload["result"] == string("found-k")


def test_a_read_after_an_import_fails_by_the_name_of_the_live_object() -> None:
    scene = Scene(fault("a", Verb.READ, FaultKind.GONE))
    scene.create("a")
    (imported,) = trio.run(scene.provider.import_object, "sim_thing", "a-1").objects
    assert texts(imported.value) == {"id": "a-1"}
    assert trio.run(scene.provider.read, "sim_thing", imported.value, b"").value == NO_THING
    found = trio.run(scene.provider.read, "sim_thing", imported.value, b"").value
    assert texts(found)["name"] == "a"


# The record


def test_every_call_is_recorded_with_what_was_asked_and_answered() -> None:
    scene = Scene()
    made = scene.create("a")
    scene.simulation.phase = Phase.APPLY
    trio.run(scene.provider.configure, object_of({"region": unknown(STRING)}))
    scene.apply(made, NO_THING)
    first, second, third = scene.simulation.record.calls
    assert (first.summary(), second.summary()) == (
        ["apply-create", "sim_thing", "a"],
        ["configure", "sim", "(unknown)"],
    )
    assert isinstance(first.result, ApplyResponse)
    assert first.result.value == made
    assert isinstance(third.arguments["request"], ApplyRequest)
    assert [(call.begin, call.end) for call in (first, second, third)] == [(1, 2), (3, 4), (5, 6)]
    applying = {"items": [["apply-delete", "sim_thing", "a-1"], ["configure", "sim", "(unknown)"]]}
    assert scene.simulation.record.summary(Phase.APPLY) == applying


def test_calls_that_were_under_way_together_overlap_in_virtual_time() -> None:
    record = Record()
    with record.call(Phase.PLAN, "read", "t", "a", {}) as one:
        with record.call(Phase.PLAN, "read", "t", "b", {}) as other:
            assert other.end is None
        assert one.begin < other.begin
    assert other.end is not None
    assert one.end is not None
    assert other.end < one.end


def test_it_is_known_how_many_calls_were_under_way_together() -> None:
    """Only calls of one half count, without those that engines need not limit."""
    record = Record()
    with record.call(Phase.PLAN, "read", "t", "a", {}), record.call(Phase.PLAN, "read", "t", "b", {}):
        pass
    with (
        record.call(Phase.PLAN, "read", "t", "a", {}),
        record.call(Phase.PLAN, "validate", "t", "b", {}),
        record.call(Phase.PLAN, "renew", "t", None, {}),
        record.call(Phase.APPLY, "read", "t", "c", {}),
    ):
        assert (record.most_at_a_time(Phase.PLAN), record.most_at_a_time(Phase.APPLY)) == (2, 1)
    assert Record().most_at_a_time(Phase.PLAN) == 0
