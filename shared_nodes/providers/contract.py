"""The provider contract: what an engine may ask of a provider, and in what form it is answered.

It mirrors the plugin protocol. Values cross it without marks and with unknowns where the protocol allows them; private
data are bytes that the engine keeps and hands back unread. Problems are diagnostics in the answer; a provider that
raises has crashed, which the engine reports as that.

All calls are asynchronous, and any number may run at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.function import Function
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.values.json import Tree
from shared_nodes.values.paths import Path
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = [
    "Applied",
    "ApplyRequest",
    "Imported",
    "ImportedObject",
    "MoveRequest",
    "OpenedEphemeral",
    "PlanRequest",
    "Planned",
    "Provider",
    "ReadObject",
    "RenewedEphemeral",
]

Problems = Sequence[Diagnostic]


@dataclass(frozen=True, slots=True)
class ReadObject:
    """Result of reading, upgrading or moving: the value (null: it is gone), or None where problems left none."""

    value: Value | None
    private: bytes = b""
    problems: Problems = ()


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """All values are of the schema's type. `prior` is null for a new object, `proposed` and `config` to delete one.
    Only a provider whose schema says so is asked to plan deletions."""

    type_name: str
    prior: Value
    proposed: Value
    config: Value
    prior_private: bytes = b""
    provider_meta: Value = NULL_DYNAMIC
    """What the module of the resource tells the provider about itself; null where it says nothing."""


@dataclass(frozen=True, slots=True)
class Planned:
    value: Value | None
    requires_replace: Sequence[Path] = ()
    private: bytes = b""
    problems: Problems = ()
    legacy_types: bool = False
    """The provider asks to be forgiven where its plan does not follow the rules (`UnsafeToUseLegacyTypeSystem`)."""


@dataclass(frozen=True, slots=True)
class ApplyRequest:
    type_name: str
    prior: Value
    planned: Value
    config: Value
    planned_private: bytes = b""
    owner: str = ""
    """The address of the object. Not part of the plugin protocol: it is for providers whose ids must not depend on the
    order of calls."""

    provider_meta: Value = NULL_DYNAMIC


@dataclass(frozen=True, slots=True)
class Applied:
    """`value` may be partial when there are problems, None when there is no telling."""

    value: Value | None
    private: bytes = b""
    problems: Problems = ()
    legacy_types: bool = False


@dataclass(frozen=True, slots=True)
class ImportedObject:
    type_name: str
    value: Value
    private: bytes = b""


@dataclass(frozen=True, slots=True)
class Imported:
    objects: Sequence[ImportedObject]
    problems: Problems = ()


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """An object of another type, or another provider, to be taken over."""

    source_provider: str
    source_type_name: str
    source_schema_version: int
    source_attributes: Tree
    source_private: bytes
    target_type_name: str


@dataclass(frozen=True, slots=True)
class OpenedEphemeral:
    """Where there is a time to renew at, the object is good until then and has to be renewed if it is still needed."""

    value: Value | None
    private: bytes = b""
    problems: Problems = ()
    renew_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RenewedEphemeral:
    """The value stays what it was; what the provider keeps about it, and when to come again, may change."""

    private: bytes = b""
    renew_at: datetime | None = None
    problems: Problems = ()


class Provider(Protocol):
    """One configured instance of a provider. `configure` is called once, before anything but schema, validation,
    functions and upgrades."""

    @property
    def schema(self) -> ProviderSchema: ...

    @property
    def functions(self) -> Sequence[Function]: ...

    async def validate_provider_config(self, config: Value) -> Problems: ...

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems: ...

    async def validate_data_config(self, type_name: str, config: Value) -> Problems: ...

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems: ...

    async def configure(self, config: Value) -> Problems: ...

    async def upgrade(self, type_name: str, version: int, attributes: Tree) -> ReadObject: ...

    async def read(
        self, type_name: str, current: Value, private: bytes, provider_meta: Value = NULL_DYNAMIC
    ) -> ReadObject: ...

    async def plan(self, request: PlanRequest) -> Planned: ...

    async def apply(self, request: ApplyRequest) -> Applied: ...

    async def import_object(self, type_name: str, identifier: str) -> Imported: ...

    async def move(self, request: MoveRequest) -> ReadObject: ...

    async def read_data(self, type_name: str, config: Value, provider_meta: Value = NULL_DYNAMIC) -> ReadObject: ...

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral: ...

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral: ...

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems: ...

    async def stop(self) -> None: ...

    async def close(self) -> None: ...
