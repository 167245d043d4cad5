"""Lines of the event stream are those of the original, down to the byte, except for the time."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.lang.diagnostics import error, warning
from shared_nodes.plan.change import Action, ActionReason, OutputChange, ResourceChange
from shared_nodes.plan.event_stream import ChangeCounts, EventStream, planned_counts, summary_text
from shared_nodes.plan.events import Event, EventType
from shared_nodes.plan.options import Mode
from shared_nodes.state.model import OutputState
from shared_nodes.state.stored_addresses import parse_instance
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.value import NULL_DYNAMIC, integer, string
from shared_nodes.world import World
from tests.unit.shared_nodes.plan.making import change, plan_of

RECORDED = (Path(__file__).parent / "recorded" / "events.jsonl").read_text().splitlines()
REASONS = {
    "tainted": ActionReason.REPLACE_TAINTED,
    "requested": ActionReason.REPLACE_BY_REQUEST,
    "cannot_update": ActionReason.REPLACE_CANNOT_UPDATE,
}
ACTIONS = {"replace": Action.DELETE_THEN_CREATE, "move": Action.NO_OP, "import": Action.NO_OP, "remove": Action.FORGET}


def lines_at(time: str, tell: Callable[[EventStream], object]) -> list[str]:
    """Return what a stream writes for some calls at that time."""
    now = datetime.fromisoformat(time)
    written: list[str] = []
    tell(EventStream(written.append, World.confined(Path(), seed=1, now=now)))
    return [line.rstrip("\n") for line in written]


def event_of(line: dict[str, Any]) -> Event:
    hook = line["hook"]
    return Event(
        EventType(line["type"]),
        parse_instance(hook["resource"]["addr"]),
        Action(hook["action"]) if "action" in hook else None,
        hook.get("id_value"),
        None,
        hook.get("provisioner"),
        hook.get("output"),
        hook.get("elapsed_seconds", 0),
    )


def change_of(line: dict[str, Any]) -> ResourceChange:
    shown = line["change"]
    reason = shown.get("reason", "")
    return change(
        shown["resource"]["addr"],
        ACTIONS.get(shown["action"]) or Action(shown["action"]),
        previous=shown.get("previous_resource", {}).get("addr"),
        reason=REASONS.get(reason) or ActionReason(reason),
        importing=shown.get("importing", {}).get("id"),
    )


def of_type(*names: str) -> list[str]:
    return [line for line in RECORDED if json.loads(line)["type"] in names]


def message(line: str) -> str:
    return str(json.loads(line)["@message"])


@pytest.mark.parametrize("line", [line for line in RECORDED if '"hook":' in line], ids=message)
def test_what_happens(line: str) -> None:
    tree = json.loads(line)
    assert lines_at(tree["@timestamp"], lambda stream: stream.event(event_of(tree))) == [line]


@pytest.mark.parametrize("line", of_type("planned_change"), ids=message)
def test_what_is_planned(line: str) -> None:
    tree = json.loads(line)
    written = lines_at(tree["@timestamp"], lambda stream: stream.planned(plan_of([change_of(tree)])))
    assert written[0] == line


@pytest.mark.parametrize("line", of_type("resource_drift"), ids=message)
def test_what_has_drifted(line: str) -> None:
    tree = json.loads(line)
    plan = plan_of(mode=Mode.REFRESH_ONLY, drift=[change_of(tree)])
    assert lines_at(tree["@timestamp"], lambda stream: stream.planned(plan))[0] == line


@pytest.mark.parametrize("line", of_type("change_summary"), ids=message)
def test_summaries(line: str) -> None:
    tree = json.loads(line)
    shown = tree["changes"]
    counts = ChangeCounts(shown["add"], shown["change"], shown["import"], shown["remove"])
    assert summary_text(shown["operation"], counts) == tree["@message"]


def test_a_saved_plan_shows_only_what_will_be_acted_on() -> None:
    """Moves and imports without another change are among the planned changes, but are not repeated."""
    plan = plan_of(
        [
            change("terraform_data.moved", Action.NO_OP, previous="terraform_data.old"),
            change("terraform_data.imported", Action.NO_OP, importing="x"),
            change("terraform_data.same", Action.NO_OP),
            change("data.terraform_remote_state.gone", Action.DELETE),
            change("terraform_data.new"),
        ]
    )
    time = "2026-01-02T03:04:05Z"
    first = [message(line) for line in lines_at(time, lambda stream: stream.planned(plan))]
    again = [message(line) for line in lines_at(time, lambda stream: stream.planned_again(plan))]
    assert first == [
        "terraform_data.imported: Plan to import",
        "terraform_data.moved: Plan to move",
        "terraform_data.new: Plan to create",
        "Plan: 1 to import, 1 to add, 0 to change, 0 to destroy.",
    ]
    assert again == ["terraform_data.new: Plan to create"]


def test_replacements_count_twice_and_data_not_at_all() -> None:
    plan = plan_of(
        [
            change("terraform_data.a", Action.DELETE_THEN_CREATE),
            change("terraform_data.b", Action.CREATE_THEN_DELETE),
            change("terraform_data.c", Action.UPDATE, importing="x"),
            change("terraform_data.d", Action.DELETE, deposed="deadbeef"),
            change("terraform_data.e", Action.FORGET),
            change("data.terraform_remote_state.f", Action.READ),
            change("data.terraform_remote_state.g", Action.DELETE),
        ]
    )
    assert planned_counts(plan) == ChangeCounts(add=2, change=1, imported=1, remove=3, forget=1)


def test_outputs_show_values_only_when_they_exist_and_are_not_sensitive() -> None:
    planned = [
        OutputChange(ROOT_INSTANCE, "b", Action.CREATE, NULL_DYNAMIC, integer(1)),
        OutputChange(ROOT_INSTANCE, "a", Action.NO_OP, NULL_DYNAMIC, NULL_DYNAMIC, sensitive=True),
        OutputChange(ROOT_INSTANCE.child("m"), "inner", Action.CREATE, NULL_DYNAMIC, integer(1)),
    ]
    outputs = {"b": OutputState(integer(1)), "a": OutputState(string("x").mark(SENSITIVE), sensitive=True)}
    time = "2026-01-02T03:04:05Z"
    before = lines_at(time, lambda stream: stream.planned(plan_of(outputs=planned)))[-1]
    after = lines_at(time, lambda stream: stream.applied(outputs))[-1]
    assert (
        '"outputs":{"a":{"sensitive":true,"action":"noop"},"b":{"sensitive":false,"action":"create"}},"type":"outputs"'
        in before
    )
    assert (
        '"outputs":{"a":{"sensitive":true,"type":"string"},"b":{"sensitive":false,"type":"number","value":1}}' in after
    )
    assert [message(line) for line in lines_at(time, lambda stream: stream.applied(outputs, destroying=True))] == [
        "Destroy complete! Resources: 0 destroyed."
    ]


def test_finished_changes_are_counted_for_the_last_line() -> None:
    def tell(stream: EventStream) -> None:
        stream.planned(plan_of([change("terraform_data.a", Action.UPDATE, importing="x")]))
        for action in (Action.CREATE, Action.UPDATE, Action.DELETE, Action.READ):
            stream.event(Event(EventType.APPLY_COMPLETE, parse_instance("terraform_data.a"), action))
        stream.event(Event(EventType.APPLY_ERRORED, parse_instance("terraform_data.a"), Action.CREATE))
        stream.applied({})

    written = [message(line) for line in lines_at("2026-01-02T03:04:05Z", tell)]
    assert written[-2:] == [
        "Apply complete! Resources: 1 imported, 1 added, 1 changed, 1 destroyed.",
        "Outputs: 0",
    ]


def test_diagnostics_have_their_own_level() -> None:
    problems = [error("Bad", "Because <&>."), warning("Odd")]
    written = lines_at("2026-01-02T03:04:05Z", lambda stream: stream.diagnostics(problems))
    same = '"@module":"terraform.ui","@timestamp":"2026-01-02T03:04:05.000000Z","diagnostic"'
    assert written == [
        f'{{"@level":"error","@message":"Error: Bad",{same}:{{"severity":"error","summary":"Bad",'
        '"detail":"Because \\u003c\\u0026\\u003e."},"type":"diagnostic"}',
        f'{{"@level":"warn","@message":"Warning: Odd",{same}:{{"severity":"warning","summary":"Odd",'
        '"detail":""},"type":"diagnostic"}',
    ]


def test_another_flavour_names_itself() -> None:
    written: list[str] = []
    world = World.confined(Path(), seed=1, now=datetime.fromisoformat("2026-01-02T03:04:05Z"))
    stream = EventStream(written.append, world, OPENTOFU_1_12)
    stream.version()
    stream.planned(plan_of([change("terraform_data.a", Action.FORGET)]))
    expected = f'"@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000000Z","tofu":"{OPENTOFU_1_12.version}"'
    assert expected in written[0]
    assert '"changes":{"add":0,"change":0,"import":0,"remove":0,"forget":1,"operation":"plan"}' in written[-1]


@pytest.mark.parametrize(("seconds", "text"), [(0, "0s"), (59, "59s"), (60, "1m0s"), (3725, "1h2m5s")])
def test_durations(seconds: int, text: str) -> None:
    event = Event(EventType.APPLY_COMPLETE, parse_instance("terraform_data.a"), Action.CREATE, "x", elapsed_s=seconds)
    [line] = lines_at("2026-01-02T03:04:05Z", lambda stream: stream.event(event))
    assert message(line) == f"terraform_data.a: Creation complete after {text} [id=x]"


def test_an_object_without_an_id_is_told_by_what_it_is_known_by() -> None:
    address = parse_instance("a.b")
    event = Event(EventType.APPLY_START, address, Action.UPDATE, "n", identifier_key="tags.Name")
    (text,) = lines_at("2026-01-02T00:00:00+00:00", lambda stream: stream.event(event))
    line = json.loads(text)
    assert line["@message"] == "a.b: Modifying... [tags.Name=n]"
    assert (line["hook"]["id_key"], line["hook"]["id_value"]) == ("tags.Name", "n")


def opentofu_lines(tell: Callable[[EventStream], object]) -> list[str]:
    written: list[str] = []
    world = World.confined(Path(), seed=1, now=datetime.fromisoformat("2026-01-02T03:04:05Z"))
    tell(EventStream(written.append, world, OPENTOFU_1_12))
    return written


def test_texts_are_escaped_in_one_product() -> None:
    def tell(stream: EventStream) -> None:
        stream.log("<a> & b")

    (terraform,), (opentofu,) = lines_at("2026-01-02T03:04:05Z", tell), opentofu_lines(tell)
    assert r'"@message":"\u003ca\u003e \u0026 b"' in terraform
    assert '"@message":"<a> & b"' in opentofu


@pytest.mark.parametrize(
    ("kind", "action", "name", "message"),
    [
        (EventType.EPHEMERAL_START, Action.OPEN, "ephemeral_action_started", "Opening..."),
        (EventType.EPHEMERAL_COMPLETE, Action.OPEN, "ephemeral_action_complete", "Open complete"),
        (EventType.EPHEMERAL_ERRORED, Action.RENEW, "ephemeral_action_complete", "Renew complete"),
        (EventType.EPHEMERAL_ERRORED, Action.CLOSE, "ephemeral_action_complete", "Close complete"),
    ],
)
def test_ephemeral_events_of_opentofu_do_not_tell_a_failure(
    kind: EventType, action: Action, name: str, message: str
) -> None:
    address = parse_instance("terraform_data.a")
    (line,) = map(json.loads, opentofu_lines(lambda stream: stream.event(Event(kind, address, action))))
    assert (line["type"], line["hook"]["Msg"]) == (name, message)
    assert line["@message"] == f"terraform_data.a: {message}"
    assert line["hook"].keys() == {"resource", "Msg"}


def test_the_beginning_of_an_import_is_for_people_only() -> None:
    event = Event(EventType.IMPORT_START, parse_instance("terraform_data.a"), identifier="x")
    assert lines_at("2026-01-02T03:04:05Z", lambda stream: stream.event(event)) == []
