"""What identifies an object in events."""

from __future__ import annotations

import pytest

from shared_nodes.nodes.resource.instance import identified
from shared_nodes.plan.events import Event, EventType
from shared_nodes.state.stored_addresses import parse_instance
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.types import STRING, MapType
from shared_nodes.values.value import Value, integer, map_of, null, object_of, string, unknown

X = string("x")
TAGS = map_of(STRING, {"Name": X})


def identify(kind: EventType, **attributes: Value) -> tuple[str, str | None]:
    event = identified(Event(kind, parse_instance("a.b")), object_of(attributes))
    return event.identifier_key, event.identifier


@pytest.mark.parametrize("kind", [EventType.APPLY_START, EventType.APPLY_COMPLETE, EventType.REFRESH_START])
def test_an_id_comes_before_a_name(kind: EventType) -> None:
    assert identify(kind, id=X, name=string("n")) == ("id", "x")
    assert identify(kind, id=integer(1), name=string("n")) == ("name", "n")
    assert identify(kind, name=string("n")) == ("name", "n")


@pytest.mark.parametrize("hidden", [null(STRING), unknown(STRING), X.mark(SENSITIVE)])
def test_where_something_begins_a_name_stands_in_for_an_id_that_cannot_be_told(hidden: Value) -> None:
    assert identify(EventType.APPLY_START, id=hidden, name=string("n")) == ("name", "n")
    assert identify(EventType.APPLY_COMPLETE, id=hidden, name=string("n"))[1] is None


def test_where_something_begins_tags_are_looked_at_last() -> None:
    assert identify(EventType.APPLY_START, tags=TAGS) == ("tags.Name", "x")
    assert identify(EventType.APPLY_START, tags=map_of(STRING, {"name": string("n"), "Name": X})) == ("tags.name", "n")
    assert identify(EventType.APPLY_START, name=null(STRING), tags=TAGS)[1] is None
    assert identify(EventType.APPLY_START, tags=map_of(STRING, {"Name": unknown(STRING)}))[1] is None
    assert identify(EventType.APPLY_START, tags=null(MapType(STRING)))[1] is None
    assert identify(EventType.REFRESH_START, tags=TAGS)[1] is None


@pytest.mark.parametrize("nothing", [None, null(STRING), unknown(STRING), X])
def test_what_is_no_object_has_no_name(nothing: Value | None) -> None:
    event = Event(EventType.APPLY_START, parse_instance("a.b"))
    assert identified(event, nothing) is event
