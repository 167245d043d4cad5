"""The provider contract: what an engine may request of a provider, and the form of the answers.

It mirrors the plugin protocol. Values cross it without marks, and with unknown parts where the protocol allows them;
private data are bytes that the engine stores and passes back unread. Problems are diagnostics in the answer; a provider
that raises an exception has crashed, and the engine reports that.

All calls are asynchronous, and any number may run at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.function import Function
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.record import record
from shared_nodes.values.json import Tree
from shared_nodes.values.paths import Path
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = [
    "ApplyRequest",
    "ApplyResponse",
    "FlatAttributes",
    "Imported",
    "ImportedObject",
    "MoveRequest",
    "OpenedEphemeral",
    "PlanRequest",
    "PlanResponse",
    "Provider",
    "ReadObject",
    "RenewedEphemeral",
    "StoredAttributes",
    "UpgradedIdentity",
]

Problems = Sequence[Diagnostic]


@record
class FlatAttributes:
    """An object as states before version 4 store it: texts by dotted name, such as `tags.%` and `tags.owner`."""

    texts: Mapping[str, str]


StoredAttributes = Tree | FlatAttributes
"""An object as a state stores it, for the provider to upgrade or take over."""


@record
class ReadObject:
    """The result of reading, upgrading or moving: the value (null if the object is gone), or None if problems left no
    value."""

    value: Value | None
    private: bytes = b""
    problems: Problems = ()
    deferred: bool = False
    """The provider puts the action off until it knows more. This and the other answers with this field say so although
    no engine allows it."""

    identity: Value | None = None
    """What identifies the object from now on. In all requests and answers it has the type of the schema's identity, and
    is None where there is none."""


@record
class UpgradedIdentity:
    """The result of upgrading an identity, which is None if problems left none."""

    identity: Value | None
    problems: Problems = ()


@record
class PlanRequest:
    """A request to plan a change. All values have the schema's type. `prior` is null for a new object; `proposed` and
    `config` are null for a deletion. Only providers whose schema sets `plans_destroy` are asked to plan deletions."""

    type_name: str
    prior: Value
    proposed: Value
    config: Value
    prior_private: bytes = b""
    provider_meta: Value = NULL_DYNAMIC
    """The `provider_meta` of the resource's module; null if it has none."""

    prior_identity: Value | None = None


@record
class PlanResponse:
    value: Value | None
    requires_replace: Sequence[Path] = ()
    private: bytes = b""
    problems: Problems = ()
    legacy_types: bool = False
    """The provider asks the engine to tolerate deviations from the rules in its plan
    (`UnsafeToUseLegacyTypeSystem`)."""

    deferred: bool = False
    identity: Value | None = None


@record
class ApplyRequest:
    type_name: str
    prior: Value
    planned: Value
    config: Value
    planned_private: bytes = b""
    owner: str = ""
    """The address of the object. Not part of the plugin protocol: it serves providers whose ids must not depend on the
    order of calls."""

    provider_meta: Value = NULL_DYNAMIC
    planned_identity: Value | None = None


@record
class ReadDataRequest:
    type_name: str
    config: Value
    provider_meta: Value = NULL_DYNAMIC
    address: str = ""
    """The address of the data source. Not part of the plugin protocol: the builtin provider names it in messages."""

    owner: str = ""
    """The address without the module that contains the data source."""


@record
class ApplyResponse:
    """The result of an apply. `value` may be partial if there are problems, and None if the outcome is unknown."""

    value: Value | None
    private: bytes = b""
    problems: Problems = ()
    legacy_types: bool = False
    identity: Value | None = None


@record
class ImportedObject:
    type_name: str
    value: Value
    private: bytes = b""
    identity: Value | None = None


@record
class Imported:
    objects: Sequence[ImportedObject]
    problems: Problems = ()
    deferred: bool = False


@record
class MoveRequest:
    """A request to take over an object of another type or another provider."""

    source_provider: str
    source_type_name: str
    source_schema_version: int
    source_attributes: StoredAttributes
    source_private: bytes
    target_type_name: str


@record
class OpenedEphemeral:
    """The result of opening. If `renew_at` is set, the object is valid until then and has to be renewed if still
    needed."""

    value: Value | None
    private: bytes = b""
    problems: Problems = ()
    renew_at: datetime | None = None
    deferred: bool = False


@record
class RenewedEphemeral:
    """The result of a renewal. The value stays the same; the private data and the time of the next renewal may
    change."""

    private: bytes = b""
    renew_at: datetime | None = None
    problems: Problems = ()


class Provider(Protocol):
    """One instance of a provider. `configure` is called once, before anything except schema, validation, functions and
    upgrades."""

    @property
    def schema(self) -> ProviderSchema: ...

    @property
    def functions(self) -> Sequence[Function]: ...

    async def validate_provider_config(self, config: Value) -> Problems: ...

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems: ...

    async def validate_data_config(self, type_name: str, config: Value) -> Problems: ...

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems: ...

    async def configure(self, config: Value) -> Problems: ...

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject: ...

    async def upgrade_identity(self, type_name: str, version: int, stored: Tree) -> UpgradedIdentity: ...

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject: ...

    async def plan(self, request: PlanRequest) -> PlanResponse: ...

    async def apply(self, request: ApplyRequest) -> ApplyResponse: ...

    async def import_object(self, type_name: str, identifier: str) -> Imported: ...

    async def import_by_identity(self, type_name: str, identity: Value) -> Imported: ...

    async def move(self, request: MoveRequest) -> ReadObject: ...

    async def read_data(self, request: ReadDataRequest) -> ReadObject: ...

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral: ...

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral: ...

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems: ...

    async def stop(self) -> None: ...

    async def close(self) -> None: ...
