"""The builtin provider, as an implementation of the provider contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.functions import provider_terraform
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.function import Function
from shared_nodes.providers.builtin import remote_state, terraform_data
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    Imported,
    MoveRequest,
    PlanRequest,
    PlanResponse,
    Problems,
    ReadDataRequest,
    ReadObject,
    StoredAttributes,
)
from shared_nodes.providers.defaults import DefaultProvider
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.values.value import Value
from shared_nodes.world import World

__all__ = ["BUILTIN_SCHEMA", "BuiltinProvider"]

BUILTIN_SCHEMA: Final = ProviderSchema(
    managed={"terraform_data": terraform_data.SCHEMA},
    data={"terraform_remote_state": remote_state.SCHEMA},
    plans_destroy=True,
    moves_state=True,
)


class BuiltinProvider(DefaultProvider):
    """The `terraform` provider. Requests about types outside the schema are answered with a problem instead of an
    exception, since a state may name types that never existed."""

    __slots__ = ("_flavour", "_functions", "_world")

    def __init__(self, world: World, flavour: Flavour = TERRAFORM_1_11) -> None:
        self._world = world
        self._flavour = flavour
        self._functions = provider_terraform.functions(FunctionContext(world, flavour))

    @property
    def schema(self) -> ProviderSchema:
        return BUILTIN_SCHEMA

    @property
    def functions(self) -> Sequence[Function]:
        return self._functions

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        return terraform_data.validate(config) if type_name == "terraform_data" else [_unsupported_problem(type_name)]

    async def validate_data_config(self, type_name: str, config: Value) -> Problems:
        return (
            remote_state.validate(config, self._flavour)
            if type_name == "terraform_remote_state"
            else [_unsupported_problem(type_name)]
        )

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject:
        """Decode the object; there has only ever been version 0."""
        if type_name != "terraform_data":
            return ReadObject(None, problems=[_unsupported_problem(type_name)])
        return terraform_data.upgrade(attributes)

    async def plan(self, request: PlanRequest) -> PlanResponse:
        if request.type_name != "terraform_data":
            return PlanResponse(None, problems=[_unsupported_problem(request.type_name)])
        return terraform_data.plan(request)

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        if request.type_name != "terraform_data":
            return ApplyResponse(None, problems=[_unsupported_problem(request.type_name)])
        return terraform_data.apply(request, self._world.identifiers)

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        if type_name != "terraform_data":
            return Imported((), [_unsupported_problem(type_name)])
        return terraform_data.import_object(identifier)

    async def move(self, request: MoveRequest) -> ReadObject:
        if request.target_type_name != "terraform_data":
            return ReadObject(None, problems=[error(f"Error: unsupported resource {request.target_type_name}")])
        return terraform_data.move(request, self._flavour)

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        if request.type_name != "terraform_remote_state":
            return ReadObject(None, problems=[_unsupported_problem(request.type_name)])
        return remote_state.read(request, self._world.files, self._flavour)


def _unsupported_problem(type_name: str) -> Diagnostic:
    return error(f"unsupported resource type {type_name}")
