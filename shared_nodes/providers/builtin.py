"""The builtin `terraform` provider: its schemas, and how it plans a new `terraform_data`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import DYNAMIC, STRING, Type
from shared_nodes.values.value import Value, null, object_of, unknown

__all__ = ["arguments_of", "attributes_of", "is_builtin_type", "planned_terraform_data"]

_ATTRIBUTES: Final[Mapping[tuple[ResourceMode, str], Mapping[str, Type]]] = {
    (ResourceMode.MANAGED, "terraform_data"): {
        "id": STRING,
        "input": DYNAMIC,
        "output": DYNAMIC,
        "triggers_replace": DYNAMIC,
    },
    (ResourceMode.DATA, "terraform_remote_state"): {
        "backend": STRING,
        "config": DYNAMIC,
        "defaults": DYNAMIC,
        "outputs": DYNAMIC,
        "workspace": STRING,
    },
}


def attributes_of(resource: Resource) -> Mapping[str, Type] | None:
    """Attribute types of a resource type this provider has; None where it has no such type."""
    return _ATTRIBUTES.get((resource.mode, resource.type))


_COMPUTED: Final = frozenset(("id", "output", "outputs"))


def arguments_of(mode: str, type_name: str) -> frozenset[str] | None:
    """The attributes a configuration may set; None where the provider has no such type."""
    attributes = _ATTRIBUTES.get((ResourceMode(mode), type_name))
    return None if attributes is None else frozenset(attributes) - _COMPUTED


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
