"""Laws of the messages between engines and provider plugins."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

pytest.importorskip("msgpack")
pytest.importorskip("google.protobuf")

from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.diagnostics import diagnostic_messages, diagnostics_from_messages
from harness.plugins.wire.functions import function_from_message, function_message
from harness.plugins.wire.methods import CALLS, Major, request_type, response_type
from harness.plugins.wire.paths import path_from_message, path_message
from harness.plugins.wire.schemas import (
    provider_schema_from_message,
    provider_schema_message,
    schema_from_message,
    schema_message,
)
from harness.plugins.wire.values import decode_value, encode_value, value_from_message
from harness.plugins.wire.wire_error import WireError
from shared_nodes.lang.diagnostics import Diagnostic, Severity
from shared_nodes.lang.function import Function, Parameter
from shared_nodes.providers.schema import (
    BlockType,
    NestedAttributes,
    Nesting,
    ProviderSchema,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
)
from shared_nodes.values.json import dumps, value_from_json, value_to_json
from shared_nodes.values.paths import AttributeStep, IndexStep
from shared_nodes.values.stored import stored
from shared_nodes.values.types import DYNAMIC, STRING, ListType, Type
from shared_nodes.values.value import TRUE, Value, integer, string
from tests.strategies import KNOWN, Ingredients, names, texts, types, types_with_dynamic, values, values_of

_UNMARKED = Ingredients(marks=False)

_typed_values = types_with_dynamic.flatmap(lambda ty: st.tuples(st.just(ty), values_of(ty, _UNMARKED)))


@given(_typed_values)
def test_values_survive_the_wire(typed: tuple[Type, Value]) -> None:
    ty, value = typed
    assert decode_value(encode_value(value, ty), ty) == stored(value)


@given(values(_UNMARKED))
def test_values_of_dynamic_type_bring_their_type(value: Value) -> None:
    assert decode_value(encode_value(value, DYNAMIC), DYNAMIC) == stored(value)


@given(types.flatmap(lambda ty: values_of(ty, KNOWN)))
def test_the_json_form_has_the_same_meaning(value: Value) -> None:
    tree = value_to_json(value)
    message = pb.DynamicValue(json=dumps(tree).encode())
    assert value_from_message(message, value.type) == value_from_json(tree, value.type)


@given(st.binary(max_size=40), types_with_dynamic)
@example(b"\xc7\x0b\x0c\x82\x05\xce\x7f\xff\xff\xff\x06\xce\x7f\xff\xff\xff", ListType(STRING))
def test_any_bytes_are_a_value_or_an_error(data: bytes, ty: Type) -> None:
    with suppress(WireError):
        decode_value(data, ty)


@given(_typed_values, st.data())
def test_a_damaged_value_is_a_value_or_an_error(typed: tuple[Type, Value], data: st.DataObject) -> None:
    ty, value = typed
    encoded = bytearray(encode_value(value, ty))
    position = data.draw(st.integers(0, len(encoded) - 1))
    encoded[position] = data.draw(st.integers(0, 255))
    with suppress(WireError):
        decode_value(bytes(encoded[: data.draw(st.integers(1, len(encoded)))]), ty)


@given(values(_UNMARKED), values(_UNMARKED))
def test_a_value_of_another_type_is_a_value_or_an_error(value: Value, other: Value) -> None:
    with suppress(WireError):
        decode_value(encode_value(value, value.type), other.type)


# Schemas

_messages = st.sampled_from(["", "Use another one."])
_flags = st.fixed_dictionaries(
    {name: st.booleans() for name in ("required", "optional", "computed", "sensitive", "write_only", "deprecated")}
    | {"deprecation_message": _messages}
)
_nestings = st.sampled_from([Nesting.SINGLE, Nesting.LIST, Nesting.SET, Nesting.MAP])
_plain_attributes = st.builds(lambda ty, flags: SchemaAttribute(ty, **flags), types_with_dynamic, _flags)
_nested_attributes = st.builds(
    lambda nesting, parts, flags: SchemaAttribute(nested=NestedAttributes(nesting, parts), **flags),
    _nestings,
    st.dictionaries(names, _plain_attributes, max_size=2),
    _flags,
)


def _blocks(attributes: st.SearchStrategy[SchemaAttribute]) -> st.SearchStrategy[SchemaBlock]:
    leaves = st.builds(SchemaBlock, st.dictionaries(names, attributes, max_size=2))
    return st.recursive(
        leaves,
        lambda inner: st.builds(
            SchemaBlock,
            st.dictionaries(names, attributes, max_size=2),
            st.dictionaries(
                names,
                st.builds(BlockType, st.sampled_from(Nesting), inner, st.integers(0, 3), st.integers(0, 3)),
                max_size=2,
            ),
            st.booleans(),
            _messages,
        ),
        max_leaves=3,
    )


_blocks_of_5 = _blocks(_plain_attributes)
_blocks_of_6 = _blocks(st.one_of(_plain_attributes, _nested_attributes))


@given(st.builds(ResourceSchema, _blocks_of_6, st.integers(0, 9)))
def test_schemas_survive_protocol_6(schema: ResourceSchema) -> None:
    assert schema_from_message(schema_message(schema, Major.SIX)) == schema


@given(st.builds(ResourceSchema, _blocks_of_5, st.integers(0, 9)))
def test_schemas_survive_protocol_5(schema: ResourceSchema) -> None:
    assert schema_from_message(schema_message(schema, Major.FIVE)) == schema


_resources = st.dictionaries(names, st.builds(ResourceSchema, _blocks_of_5, st.integers(0, 9)), max_size=1)


@given(
    st.builds(
        ProviderSchema,
        _blocks_of_5,
        _resources,
        _resources,
        _resources,
        st.none() | _blocks_of_5,
        st.booleans(),
        st.booleans(),
    ),
    st.sampled_from(Major),
)
def test_provider_schemas_survive(schema: ProviderSchema, major: Major) -> None:
    assert provider_schema_from_message(provider_schema_message(schema, [], major)) == schema


@given(st.sampled_from(CALLS), st.sampled_from(Major), st.binary(max_size=60))
def test_any_bytes_are_an_answer_or_no_message(call: str, major: Major, data: bytes) -> None:
    """Whatever the library reads out of random bytes, a schema in it is a schema or an error."""
    from google.protobuf.message import DecodeError

    try:
        answer = response_type(call, major).FromString(data)
        request_type(call).FromString(data)
    except DecodeError:
        return
    if isinstance(answer, pb.GetProviderSchemaResponse | pb.GetProviderSchemaResponse5):
        with suppress(WireError):
            provider_schema_from_message(answer)


# Parts

_steps = st.one_of(
    st.builds(AttributeStep, names),
    st.builds(lambda key: IndexStep(string(key)), names),
    st.builds(lambda position: IndexStep(integer(position)), st.integers(-(2**63), 2**63 - 1)),
)
_paths = st.lists(_steps, max_size=4).map(tuple)


@given(_paths)
def test_paths_survive(path: tuple[AttributeStep | IndexStep, ...]) -> None:
    assert path_from_message(path_message(path)) == path


@given(st.lists(st.builds(Diagnostic, st.sampled_from(Severity), texts, texts, attribute=_paths), max_size=3))
def test_diagnostics_survive(diagnostics: list[Diagnostic]) -> None:
    assert diagnostics_from_messages(diagnostic_messages(diagnostics)) == diagnostics


_parameters = st.builds(
    lambda name, ty, null, unknown: Parameter(name, ty, allow_null=null, allow_unknown=unknown, allow_dynamic=True),
    names,
    types_with_dynamic,
    st.booleans(),
    st.booleans(),
)


@given(names, st.lists(_parameters, max_size=3).map(tuple), st.none() | _parameters, types_with_dynamic)
def test_signatures_survive(
    name: str, parameters: tuple[Parameter, ...], variadic: Parameter | None, returned: Type
) -> None:
    function = Function(name, parameters, returned, lambda _arguments, _type: TRUE, variadic)
    read = function_from_message(name, function_message(function), function.implementation)
    assert (read.name, read.parameters, read.variadic, read.return_type) == (name, parameters, variadic, returned)


def test_an_attribute_without_a_type_is_an_error() -> None:
    message = pb.Schema(block=pb.Block(attributes=[pb.Attribute(name="a")]))
    with pytest.raises(WireError, match=r"^\.a: "):
        schema_from_message(message)
