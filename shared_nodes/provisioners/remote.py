"""`remote-exec` and `file`: commands run on, and files copied to, another machine.

Their configuration is checked as in the original. Running them fails at the point where a connection would be made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.providers.schema import SchemaAttribute, SchemaBlock
from shared_nodes.provisioners.contract import ProvisionRequest, whole_block_error
from shared_nodes.values.types import STRING, ListType
from shared_nodes.values.value import Value

__all__ = ["FILE", "REMOTE_EXEC"]

_REMOTE_EXEC_BLOCK: Final = SchemaBlock(
    {
        "inline": SchemaAttribute(ListType(STRING), optional=True),
        "script": SchemaAttribute(STRING, optional=True),
        "scripts": SchemaAttribute(ListType(STRING), optional=True),
    }
)
_FILE_BLOCK: Final = SchemaBlock(
    {
        "content": SchemaAttribute(STRING, optional=True),
        "destination": SchemaAttribute(STRING, required=True),
        "source": SchemaAttribute(STRING, optional=True),
    }
)

_COMMUNICATORS: Final = ("", "ssh", "winrm")


class _RemoteExec:
    @property
    def schema(self) -> SchemaBlock:
        return _REMOTE_EXEC_BLOCK

    def validate(self, config: Value, flavour: Flavour) -> Sequence[Diagnostic]:  # noqa: ARG002  # the same in all
        given = [name for name in ("inline", "script", "scripts") if not config.payload[name].is_null]
        if len(given) == 1:
            return ()
        detail = 'Only one of "inline", "script", or "scripts" must be set'
        return [error("Invalid remote-exec provisioner configuration", detail)]

    async def provision(self, request: ProvisionRequest) -> Sequence[Diagnostic]:
        return [whole_block_error("remote-exec provisioner error", _no_connection(request.connection))]


class _File:
    @property
    def schema(self) -> SchemaBlock:
        return _FILE_BLOCK

    def validate(self, config: Value, flavour: Flavour) -> Sequence[Diagnostic]:
        problems: list[Diagnostic] = []
        destination = config.payload["destination"]
        if flavour.provisioners_refuse_empty_arguments and (destination.is_null or destination.payload == ""):
            detail = "The destination must be a non-empty string."
            problems.append(error("Invalid file provisioner configuration", detail))
        given = [name for name in ("content", "source") if not config.payload[name].is_null]
        if len(given) != 1:
            choice = "Cannot set both 'source' and 'content'" if given else "Must provide one of 'source' or 'content'"
            problems.append(error(choice))
        return problems

    async def provision(self, request: ProvisionRequest) -> Sequence[Diagnostic]:
        return [whole_block_error("file provisioner error", _no_connection(request.connection))]


REMOTE_EXEC: Final = _RemoteExec()
FILE: Final = _File()


def _no_connection(connection: Value) -> str:
    if connection.is_null:
        return "Missing connection configuration for provisioner."
    kind = connection.payload["type"]
    if not kind.is_null and kind.payload not in _COMMUNICATORS:
        return f"connection type '{kind.payload}' not supported"
    host = connection.payload["host"]
    if host.is_null or not host.payload:
        return "host for provisioner cannot be empty"
    return f"connections to other machines are not made here, so {host.payload} was left alone"
