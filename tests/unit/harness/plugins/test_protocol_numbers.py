"""The numbers of all fields, compared with those that the real binary contains.

A program with generated messages carries their description. Ours has other names for messages, so a message is found by
the call it belongs to, or by the field that contains it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, cast

import pytest

pytest.importorskip("google.protobuf")

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message

from harness.plugins.wire import methods
from harness.plugins.wire.methods import CALLS, Major

TERRAFORM: Final = shutil.which("terraform")

pytestmark = [
    pytest.mark.terraform,
    pytest.mark.skipif(TERRAFORM is None, reason="needs a terraform binary on PATH"),
]

_ADDED_LATER: Final = {"GetResourceIdentitySchemas", "UpgradeResourceIdentity"}
_FIELDS_ADDED_LATER: Final = re.compile(r"identity")
_TIMESTAMP: Final = "google.protobuf.Timestamp"


@cache
def published(major: Major) -> DescriptorPool:
    """The descriptions of one version of the protocol, as the binary contains them."""
    from google.protobuf.timestamp_pb2 import DESCRIPTOR

    assert TERRAFORM is not None
    content = Path(TERRAFORM).read_bytes()
    name = f"tfplugin{int(major)}.proto".encode()
    for found in re.finditer(re.escape(b"\x0a" + bytes([len(name)]) + name), content):
        file = FileDescriptorProto()
        try:
            file.ParseFromString(content[found.start() : _end_of_message(content, found.start())])
        except ValueError:
            continue
        if file.service:
            pool = DescriptorPool()
            pool.AddSerializedFile(DESCRIPTOR.serialized_pb)
            pool.Add(file)
            return pool
    # A version manager puts a script in the place of the binary. The binary itself always has the description.
    pytest.skip(f"{TERRAFORM} is not the binary itself, so it has no description of the protocol")


def _end_of_message(content: bytes, position: int) -> int:
    """Where a file's description ends: at the first byte that cannot begin another of its fields."""
    while position < len(content) and content[position] & 7 == 2 and 1 <= content[position] >> 3 <= 14:
        length, shift, cursor = 0, 0, position + 1
        while True:
            length |= (content[cursor] & 0x7F) << shift
            shift, cursor = shift + 7, cursor + 1
            if not content[cursor - 1] & 0x80:
                break
        position = cursor + length
    return position


def shape(message: Descriptor, seen: tuple[str, ...] = ()) -> Iterator[str]:
    """A line for each field, at any depth: number, name and type. Names of messages are left out."""
    if message.full_name in seen:
        return
    for field in message.fields:
        if _is_added_later(field):
            continue
        name = {"return": "returns"}.get(field.name.lower(), field.name.lower())
        yield f"{field.number} {name} {field.type} {field.is_repeated} {_presence(field)}"
        if field.message_type is not None and field.message_type.full_name != _TIMESTAMP:
            for line in shape(field.message_type, (*seen, message.full_name)):
                yield f"{field.number}/{line}"
        if field.enum_type is not None:
            yield f"{field.number} values {sorted(value.number for value in field.enum_type.values)}"


def _is_added_later(field: FieldDescriptor) -> bool:
    """Return whether Terraform 1.11.4 does not have the field: schemas say only since then what to use instead of
    something deprecated, functions said it before."""
    if field.name == "deprecation_message":
        return field.containing_type is not None and "deprecated" in field.containing_type.fields_by_name
    return _FIELDS_ADDED_LATER.search(field.name) is not None


def _presence(field: FieldDescriptor) -> str:
    return field.containing_oneof.name if field.containing_oneof is not None else ""


def differences(own: Descriptor, theirs: Descriptor) -> list[str]:
    """Lines of one shape that the other has not. Ours has the enumerations of nested blocks for attributes, too, and a
    prepared configuration in both versions."""
    allowed = re.compile(r"values \[|^1 prepared_config|^1/[12] (msgpack|json)")
    lines = set(shape(own)) ^ set(shape(theirs))
    return sorted(line for line in lines if not allowed.search(line))


def ours(message: type[Message]) -> Descriptor:
    """The description of a message. The C implementation has another class for it, with the same attributes."""
    return cast("Descriptor", message.DESCRIPTOR)


@pytest.mark.parametrize("major", Major)
@pytest.mark.parametrize("call", [call for call in CALLS if call not in _ADDED_LATER])
def test_fields_have_the_published_numbers(call: str, major: Major) -> None:
    service = published(major).FindServiceByName(f"tfplugin{int(major)}.Provider")
    method = service.FindMethodByName(methods.method_name(call, major))
    assert differences(ours(methods.request_type(call)), method.input_type) == []
    assert differences(ours(methods.response_type(call, major)), method.output_type) == []


@pytest.mark.parametrize("major", Major)
def test_every_published_call_is_known(major: Major) -> None:
    service = published(major).FindServiceByName(f"tfplugin{int(major)}.Provider")
    names = {methods.method_name(call, major) for call in CALLS}
    assert {method.name for method in service.methods} <= names
