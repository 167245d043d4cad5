"""Laws of tapes: what was recorded is replayed, and nothing of it is lost in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import trio
from hypothesis import given
from hypothesis import strategies as st

from harness.plugins.tapes.recording_provider import TapeRecorder
from harness.plugins.tapes.replayed_provider import ReplayedProvider
from harness.plugins.tapes.tape import read_tape, tape_text
from harness.plugins.tapes.tape_schemas import schema_from_tree, schema_tree
from harness.plugins.tapes.tape_values import bytes_from_tree, bytes_tree, value_from_tree, value_tree
from harness.simulation.simcloud.simcloud import SIMCLOUD, SIMCLOUD_SCHEMA, SimcloudProvider
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.lang.function import FunctionError
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    PlanRequest,
    PlanResponse,
    Provider,
    ReadDataRequest,
)
from shared_nodes.providers.schema import SchemaBlock, has_sensitive, has_write_only, implied_type
from shared_nodes.values.json import dumps, loads, value_to_json
from shared_nodes.values.stored import stored
from shared_nodes.values.types import DYNAMIC, STRING, Type
from shared_nodes.values.value import Value, null, string
from shared_nodes.world import World
from tests.strategies import KNOWN, Ingredients, types, types_with_dynamic, values, values_of

_UNMARKED = Ingredients(marks=False)
_typed_values = types_with_dynamic.flatmap(lambda ty: st.tuples(st.just(ty), values_of(ty, _UNMARKED)))

# Values


@given(_typed_values)
def test_values_survive_a_file(typed: tuple[Type, Value]) -> None:
    ty, value = typed
    assert value_from_tree(loads(dumps(value_tree(value, ty))), ty) == stored(value)


@given(values(_UNMARKED))
def test_values_of_dynamic_type_bring_their_type(value: Value) -> None:
    assert value_from_tree(loads(dumps(value_tree(value, DYNAMIC))), DYNAMIC) == stored(value)


@given(values(_UNMARKED), types)
def test_values_that_do_not_conform_survive(value: Value, ty: Type) -> None:
    """What a provider answers against its own schema must be reported in a replay as well."""
    assert value_from_tree(loads(dumps(value_tree(value, ty))), ty) == stored(value)


@given(st.text())
def test_text_that_is_not_unicode_survives(text: str) -> None:
    value = string(text)
    assert value_from_tree(loads(dumps(value_tree(value, STRING))), STRING) == value


@given(st.binary())
def test_private_data_survives(data: bytes) -> None:
    assert bytes_from_tree(loads(dumps(bytes_tree(data)))) == data


def test_the_schema_survives() -> None:
    assert schema_from_tree(loads(dumps(schema_tree(SIMCLOUD_SCHEMA)))) == SIMCLOUD_SCHEMA


# Sessions


def _is_open(block: SchemaBlock) -> bool:
    return not has_sensitive(block) and not has_write_only(block)


_MANAGED = {name: one.block for name, one in SIMCLOUD_SCHEMA.managed.items() if _is_open(one.block)}
_DATA = {name: one.block for name, one in SIMCLOUD_SCHEMA.data.items() if _is_open(one.block)}


def _objects(block: SchemaBlock) -> st.SearchStrategy[Value]:
    return values_of(implied_type(block), _UNMARKED)


def _managed_calls(name: str) -> st.SearchStrategy[tuple[str, tuple[object, ...]]]:
    block = _MANAGED[name]
    objects = _objects(block)
    absent = null(implied_type(block))
    states = st.one_of(st.just(absent), values_of(implied_type(block), KNOWN))
    private = st.sampled_from([b"", b"{}", b"\xff"])
    return st.one_of(
        st.tuples(st.just("validate_resource_config"), st.tuples(st.just(name), objects)),
        st.tuples(st.just("read"), st.tuples(st.just(name), states, private)),
        st.tuples(st.just("plan"), st.builds(PlanRequest, st.just(name), states, objects, objects, private).map(_one)),
        st.tuples(st.just("apply"), st.builds(ApplyRequest, st.just(name), states, states, states, private).map(_one)),
        st.tuples(
            st.just("upgrade"),
            st.tuples(st.just(name), st.integers(0, 2), values_of(implied_type(block), KNOWN).map(value_to_json)),
        ),
        st.tuples(st.just("import_object"), st.tuples(st.just(name), st.sampled_from(["a", "b"]))),
    )


def _one(request: object) -> tuple[object, ...]:
    return (request,)


_calls = st.one_of(
    st.sampled_from(sorted(_MANAGED)).flatmap(_managed_calls),
    st.sampled_from(sorted(_DATA)).flatmap(
        lambda name: st.tuples(
            st.just("read_data"), _objects(_DATA[name]).map(lambda config: (ReadDataRequest(name, config),))
        )
    ),
    st.tuples(st.sampled_from(["configure", "validate_provider_config"]), _objects(SIMCLOUD_SCHEMA.provider).map(_one)),
    st.tuples(st.just("renew_ephemeral"), st.just(("simcloud_token", b"a"))),
    st.tuples(
        st.just("function"),
        st.one_of(
            st.tuples(st.just("fail"), values_of(STRING, KNOWN)),
            st.tuples(st.just("joined"), values_of(STRING, KNOWN), values_of(STRING, KNOWN)),
        ),
    ),
)


async def _ask(provider: Provider, call: str, arguments: tuple[Any, ...]) -> object:
    """Return the answer, or how the provider crashed: then there is none to record."""
    if call == "function":
        name, *given_values = arguments
        function = next(one for one in provider.functions if one.name == name)
        try:
            return function.call(given_values)
        except FunctionError as failure:
            return type(failure), failure.message
    answer = await getattr(provider, call)(*arguments)
    return _comparable(answer)


def _comparable(answer: object) -> object:
    """Return the answer with its lists as they are on a tape. The order of paths says nothing."""
    if isinstance(answer, Sequence):
        return tuple(answer)
    assert hasattr(answer, "problems")
    changes: dict[str, object] = {"problems": tuple(answer.problems)}
    if isinstance(answer, PlanResponse):
        changes["requires_replace"] = frozenset(answer.requires_replace)
    if isinstance(answer, PlanResponse | ApplyResponse) and answer.value is not None:
        changes["value"] = stored(answer.value)
    if hasattr(answer, "objects"):
        changes["objects"] = tuple(answer.objects)
    return replace(answer, **changes)  # type: ignore[type-var]


def _provider() -> Provider:
    world = World.confined(Path("/"), seed=1, now=datetime(2026, 1, 2, tzinfo=UTC))
    return SimcloudProvider(Simulation(), world)


@given(st.lists(_calls, max_size=6), st.data())
def test_a_replay_answers_as_the_provider_did(calls: list[tuple[str, tuple[Any, ...]]], data: st.DataObject) -> None:
    """Also where a request is repeated: it may have another answer by then."""
    calls = [*calls, *data.draw(st.lists(st.sampled_from(calls), max_size=4))] if calls else []
    recorder = TapeRecorder()

    async def record() -> list[object]:
        provider = recorder.record(SIMCLOUD, _provider())
        return [await _ask(provider, *call) for call in calls]

    async def replay(text: str) -> list[object]:
        tape, asked = read_tape(text), Counter[str]()
        return [await _ask(ReplayedProvider(tape, asked), *call) for call in calls]

    recorded = trio.run(record)
    tapes = recorder.tapes()
    if not calls:
        assert tapes == []
        return
    (tape,) = tapes
    text = tape_text(tape)
    assert tape_text(read_tape(text)) == text
    assert trio.run(replay, text) == recorded
