"""Laws of tapes: what was recorded is replayed, and nothing of it is lost in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC
from typing import Any, cast

import trio
from hypothesis import given
from hypothesis import strategies as st

from harness.plugins.tapes.recording_provider import TapeRecorder
from harness.plugins.tapes.replayed_provider import ReplayedProvider
from harness.plugins.tapes.tape import read_tape, tape_text
from harness.plugins.tapes.tape_schemas import schema_from_tree, schema_tree
from harness.plugins.tapes.tape_values import bytes_from_tree, bytes_tree, value_from_tree, value_tree
from harness.simulation.simcloud.simcloud import SIMCLOUD_SCHEMA
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.lang.diagnostics import Diagnostic, Severity
from shared_nodes.lang.function import ArgumentError, Function, FunctionError, Parameter
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    Imported,
    ImportedObject,
    MoveRequest,
    PlanRequest,
    PlanResponse,
    Provider,
    ReadDataRequest,
    ReadObject,
    RenewedEphemeral,
)
from shared_nodes.providers.schema import (
    BlockType,
    NestedAttributes,
    Nesting,
    ProviderSchema,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
    implied_type,
)
from shared_nodes.values.json import dumps, loads, value_to_json
from shared_nodes.values.paths import AttributeStep, IndexStep
from shared_nodes.values.stored import stored
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, SetType, Type
from shared_nodes.values.value import NULL_DYNAMIC, Value, integer, object_of, string
from tests.strategies import KNOWN, Ingredients, names, texts, types, types_with_dynamic, values, values_of

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

_SOURCE = ProviderSource("example.com", "test", "scripted")
_BLOCK = SchemaBlock(
    {
        "text": SchemaAttribute(STRING, optional=True),
        "any": SchemaAttribute(DYNAMIC, optional=True),
        "numbers": SchemaAttribute(SetType(NUMBER), optional=True),
        "nested": SchemaAttribute(None, NestedAttributes(Nesting.MAP, {"flag": SchemaAttribute(BOOL)}), optional=True),
    },
    {"part": BlockType(Nesting.LIST, SchemaBlock({"$name": SchemaAttribute(STRING)}))},
)
_SCHEMA = ProviderSchema(
    SchemaBlock({"region": SchemaAttribute(STRING)}),
    {"a": ResourceSchema(_BLOCK), "unused": ResourceSchema(_BLOCK)},
    {"b": ResourceSchema(_BLOCK)},
    {"c": ResourceSchema(_BLOCK)},
    SchemaBlock({"module": SchemaAttribute(STRING)}),
)
_TYPE = implied_type(_BLOCK)

_objects = values_of(_TYPE, _UNMARKED)
_results = st.one_of(st.none(), _objects)
_private = st.sampled_from([b"", b"{}", b"\xff"])
_config = values_of(implied_type(_SCHEMA.provider), _UNMARKED)
_meta = st.one_of(st.just(NULL_DYNAMIC), st.just(object_of({"module": string("m")})))
_steps = st.one_of(
    st.sampled_from([AttributeStep("text"), IndexStep(integer(3))]), names.map(lambda key: IndexStep(string(key)))
)
_paths = st.lists(_steps, max_size=3).map(tuple)
_problems = st.lists(
    st.builds(Diagnostic, st.sampled_from(Severity), texts, texts, attribute=st.one_of(st.none(), _paths)),
    max_size=2,
)
_read = st.builds(ReadObject, _results, _private, _problems)
_moments = st.one_of(st.none(), st.datetimes(timezones=st.just(UTC)))
_legacy = st.booleans()
_failures = st.one_of(texts.map(FunctionError), st.builds(ArgumentError, st.integers(0, 1), texts))
_stored_attributes = values_of(_TYPE, KNOWN).map(value_to_json)

_Call = tuple[str, tuple[Any, ...], Any]
"""A method, its arguments, and what the provider answers this time."""


def _calls_of(method: str, arguments: st.SearchStrategy[Any], answers: st.SearchStrategy[Any]) -> Any:
    return st.tuples(st.just(method), arguments, answers)


_calls: st.SearchStrategy[_Call] = st.one_of(
    _calls_of("validate_provider_config", st.tuples(_config), _problems),
    _calls_of("validate_resource_config", st.tuples(st.just("a"), _objects), _problems),
    _calls_of("validate_data_config", st.tuples(st.just("b"), _objects), _problems),
    _calls_of("validate_ephemeral_config", st.tuples(st.just("c"), _objects), _problems),
    _calls_of("configure", st.tuples(_config), _problems),
    _calls_of("upgrade", st.tuples(st.just("a"), st.integers(0, 2), _stored_attributes), _read),
    _calls_of("read", st.tuples(st.just("a"), _objects, _private, _meta), _read),
    _calls_of(
        "plan",
        st.tuples(st.builds(PlanRequest, st.just("a"), _objects, _objects, _objects, _private, _meta)),
        st.builds(PlanResponse, _results, st.lists(_paths, max_size=2), _private, _problems, _legacy),
    ),
    _calls_of(
        "apply",
        st.tuples(st.builds(ApplyRequest, st.just("a"), _objects, _objects, _objects, _private, texts, _meta)),
        st.builds(ApplyResponse, _results, _private, _problems, _legacy),
    ),
    _calls_of(
        "import_object",
        st.tuples(st.just("a"), texts),
        st.builds(
            Imported, st.lists(st.builds(ImportedObject, st.just("a"), _objects, _private), max_size=2), _problems
        ),
    ),
    _calls_of(
        "move",
        st.tuples(st.builds(MoveRequest, texts, texts, st.integers(0, 2), _stored_attributes, _private, st.just("a"))),
        _read,
    ),
    _calls_of("read_data", st.tuples(st.builds(ReadDataRequest, st.just("b"), _objects, _meta, texts)), _read),
    _calls_of("renew_ephemeral", st.tuples(st.just("c"), _private), st.builds(RenewedEphemeral, _private, _moments)),
    _calls_of("close_ephemeral", st.tuples(st.just("c"), _private), _problems),
    _calls_of("function", st.tuples(texts.map(string), values(KNOWN)), st.one_of(values(_UNMARKED), _failures)),
)


class _ScriptedProvider:
    """Answers whatever is asked by the next line of a script."""

    schema = _SCHEMA

    def __init__(self, script: Iterable[Any]) -> None:
        self._script = iter(script)

    @property
    def functions(self) -> Sequence[Function]:
        parameters = (Parameter("text", STRING), Parameter("any", allow_null=True))
        return [Function("f", parameters, DYNAMIC, lambda _arguments, _type: self._answer())]

    def _answer(self) -> Value:
        answer: Value | FunctionError = next(self._script)
        if isinstance(answer, FunctionError):
            raise answer
        return answer

    def __getattr__(self, _name: str) -> Callable[..., Awaitable[Any]]:
        async def answer(*_arguments: object) -> Any:
            return next(self._script)

        return answer


async def _ask(provider: Provider, method: str, arguments: tuple[Any, ...]) -> object:
    if method != "function":
        return await getattr(provider, method)(*arguments)
    try:
        return provider.functions[0].call(arguments)
    except FunctionError as failure:
        return type(failure), failure.message, getattr(failure, "index", None)


@given(st.lists(_calls, min_size=1, max_size=5), st.data())
def test_a_replay_answers_as_the_provider_did(calls: list[_Call], data: st.DataObject) -> None:
    """Also where a request is repeated and has another answer by then, and from a file."""
    repeated = data.draw(st.lists(st.tuples(st.sampled_from(calls), st.sampled_from(calls)), max_size=4))
    calls = [*calls, *((*one[:2], other[2]) for one, other in repeated if one[0] == other[0])]
    recorder = TapeRecorder()

    async def record() -> list[object]:
        provider = recorder.record(_SOURCE, cast("Provider", _ScriptedProvider(answer for _, _, answer in calls)))
        return [await _ask(provider, method, arguments) for method, arguments, _ in calls]

    recorded = trio.run(record)
    (tape,) = recorder.tapes()
    text = tape_text(tape)
    assert tape_text(read_tape(text)) == text
    assert "unused" not in text

    async def replay() -> list[object]:
        read, asked = read_tape(text), Counter[str]()
        return [await _ask(ReplayedProvider(read, asked), method, arguments) for method, arguments, _ in calls]

    assert trio.run(replay) == recorded
