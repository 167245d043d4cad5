"""Types on the wire: their JSON form, as bytes."""

from __future__ import annotations

from harness.plugins.wire.wire_error import WireError
from shared_nodes.values.json import JsonError, dumps, loads, type_from_json, type_to_json
from shared_nodes.values.types import Type

__all__ = ["type_from_wire", "type_to_wire"]


def type_to_wire(ty: Type) -> bytes:
    return dumps(type_to_json(ty)).encode("utf-8", "surrogateescape")


def type_from_wire(data: bytes) -> Type:
    try:
        return type_from_json(loads(data.decode("utf-8", "surrogateescape")))
    except JsonError as failure:
        raise WireError(failure.message) from failure
    except RecursionError as failure:
        raise WireError("exceeded max depth") from failure
