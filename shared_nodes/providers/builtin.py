"""The builtin `terraform` provider: its schemas, and how it plans a new `terraform_data`."""

from __future__ import annotations

from typing import Final

from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.providers.schema import Attribute, Block, ProviderSchema, ResourceSchema
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import DYNAMIC, STRING
from shared_nodes.values.value import Value, null, object_of, unknown

__all__ = ["BUILTIN_SCHEMA", "block_of", "is_builtin_type", "planned_terraform_data"]

BUILTIN_SCHEMA: Final = ProviderSchema(
    managed={
        "terraform_data": ResourceSchema(
            Block(
                {
                    "id": Attribute(STRING, computed=True),
                    "input": Attribute(DYNAMIC, optional=True),
                    "output": Attribute(DYNAMIC, computed=True),
                    "triggers_replace": Attribute(DYNAMIC, optional=True),
                }
            )
        )
    },
    data={
        "terraform_remote_state": ResourceSchema(
            Block(
                {
                    "backend": Attribute(STRING, required=True),
                    "config": Attribute(DYNAMIC, optional=True),
                    "defaults": Attribute(DYNAMIC, optional=True),
                    "outputs": Attribute(DYNAMIC, computed=True),
                    "workspace": Attribute(STRING, optional=True),
                }
            )
        )
    },
)


def block_of(resource: Resource) -> Block | None:
    """The schema of a resource type this provider has; None where it has no such type."""
    kinds = {
        ResourceMode.MANAGED: BUILTIN_SCHEMA.managed,
        ResourceMode.DATA: BUILTIN_SCHEMA.data,
        ResourceMode.EPHEMERAL: BUILTIN_SCHEMA.ephemeral,
    }
    schema = kinds[resource.mode].get(resource.type)
    return None if schema is None else schema.block


def is_builtin_type(type_name: str) -> bool:
    """Whether a type belongs to this provider, as long as a configuration does not say otherwise: by its prefix."""
    return type_name.split("_", maxsplit=1)[0] == "terraform"


def planned_terraform_data(given_input: Value, triggers: Value) -> Value:
    """A new object before it exists: the id will be some string, the output whatever the input is."""
    output = null(DYNAMIC) if given_input.is_null else unknown(given_input.type)
    return object_of(
        {
            "id": unknown(STRING, NOT_NULL),
            "input": given_input,
            "output": output.with_marks(given_input.marks),
            "triggers_replace": triggers,
        }
    )
