"""Default answers for calls that a provider does not support.

Most providers have nothing to configure, no functions and no ephemeral resources, cannot take over other types and
never wait; and if nothing exists outside the state, reading returns the object unchanged. Such providers inherit from
`DefaultProvider` and implement only the rest. Inheriting is optional, since the contract is a protocol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.function import Function
from shared_nodes.providers.contract import (
    FlatAttributes,
    Imported,
    MoveRequest,
    OpenedEphemeral,
    Problems,
    ReadObject,
    RenewedEphemeral,
    StoredAttributes,
    UpgradedIdentity,
)
from shared_nodes.values.json import JsonError, Tree, value_from_json
from shared_nodes.values.types import ObjectType
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = ["DefaultProvider", "decode_stored", "refuse_flat", "stored_text"]


class DefaultProvider:
    __slots__ = ()

    @property
    def functions(self) -> Sequence[Function]:
        return ()

    async def validate_provider_config(self, config: Value) -> Problems:
        return ()

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        return ()

    async def validate_data_config(self, type_name: str, config: Value) -> Problems:
        return ()

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems:
        return [_unsupported_problem(type_name)]

    async def configure(self, config: Value) -> Problems:
        return ()

    async def upgrade_identity(self, type_name: str, version: int, stored: Tree) -> UpgradedIdentity:
        return UpgradedIdentity(None, [_no_identities_problem(type_name)])

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject:
        return ReadObject(current, private)

    async def import_by_identity(self, type_name: str, identity: Value) -> Imported:
        return Imported((), [_no_identities_problem(type_name)])

    async def move(self, request: MoveRequest) -> ReadObject:
        detail = f"This provider takes over no objects of other types as {request.target_type_name}."
        problem = replace(error("Move Resource State Not Supported", detail), attribute=())
        return ReadObject(None, problems=[problem])

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        return OpenedEphemeral(None, problems=[_unsupported_problem(type_name)])

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        return RenewedEphemeral(problems=[_unsupported_problem(type_name)])

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems:
        return [_unsupported_problem(type_name)]

    async def stop(self) -> None:
        """Do nothing, because no call ever waits."""

    async def close(self) -> None:
        """Do nothing, because there are no resources to release."""


def decode_stored(attributes: StoredAttributes, ty: ObjectType, summary: str) -> ReadObject:
    """Decode a stored object that needs no upgrade."""
    if isinstance(attributes, FlatAttributes):
        return refuse_flat()
    try:
        return ReadObject(value_from_json(attributes, ty))
    except JsonError as problem:
        return ReadObject(None, problems=[error(summary, problem.message)])


def stored_text(attributes: StoredAttributes, name: str) -> str | None:
    """Return a stored attribute of the object, if it has this one and it is a text."""
    stored = attributes.texts if isinstance(attributes, FlatAttributes) else attributes
    found = stored.get(name) if isinstance(stored, Mapping) else None
    return found if isinstance(found, str) else None


def refuse_flat() -> ReadObject:
    """Refuse an object in the format of states before version 4, in the words of providers that were made later."""
    detail = (
        "There was an error reading the saved resource state using the current resource schema.\n\nIf this resource "
        "state was last refreshed with Terraform CLI 0.11 and earlier, it must be refreshed or applied with an older "
        "provider version first. If you manually modified the resource state, you will need to manually modify it to "
        "match the current resource schema. Otherwise, please report this to the provider developer:\n\nflatmap states "
        "cannot be unmarshaled, only states written by Terraform 0.12 and higher can be unmarshaled"
    )
    problem = replace(error("Unable to Read Previously Saved State for UpgradeResourceState", detail), attribute=())
    return ReadObject(None, problems=[problem])


def _no_identities_problem(type_name: str) -> Diagnostic:
    return error("Unsupported resource type", f"Objects of the type {type_name} have no identities in this provider.")


def _unsupported_problem(type_name: str) -> Diagnostic:
    return error("Unsupported resource type", f"This provider has no ephemeral resource type {type_name}.")
