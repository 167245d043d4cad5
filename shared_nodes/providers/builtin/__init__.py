"""The builtin `terraform` provider: the resource `terraform_data`, the data source `terraform_remote_state`, and a few
functions.

It has no configuration and stores nothing outside the state, so every action of an engine can be triggered and observed
with it alone: replacement through `triggers_replace`, updates through `input`, unknown values through `output` and
`id`. `terraform_data.py` and `remote_state.py` implement the types, `provider.py` the provider contract.
"""

from __future__ import annotations

from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.providers.builtin.provider import BUILTIN_SCHEMA, BuiltinProvider
from shared_nodes.providers.builtin.terraform_data import planned_terraform_data
from shared_nodes.providers.schema import SchemaBlock

__all__ = ["BUILTIN_SCHEMA", "BuiltinProvider", "block_of", "is_builtin_type", "planned_terraform_data"]


def block_of(resource: Resource) -> SchemaBlock | None:
    """Return the schema of one of this provider's resource types; None for any other type."""
    kinds = {
        ResourceMode.MANAGED: BUILTIN_SCHEMA.managed,
        ResourceMode.DATA: BUILTIN_SCHEMA.data,
        ResourceMode.EPHEMERAL: BUILTIN_SCHEMA.ephemeral,
    }
    schema = kinds[resource.mode].get(resource.type)
    return None if schema is None else schema.block


def is_builtin_type(type_name: str) -> bool:
    """Return whether a type belongs to this provider by its prefix, that is, unless a configuration specifies another
    one."""
    return type_name.split("_", maxsplit=1)[0] == "terraform"
