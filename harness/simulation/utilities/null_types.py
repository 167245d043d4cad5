"""hashicorp/null: `null_resource`, which does nothing but exist, and `null_data_source`, which repeats its inputs."""

from __future__ import annotations

from typing import Final

from harness.simulation.utilities.definition import (
    Attribute,
    Creation,
    DataSource,
    Object,
    ResourceType,
    computed,
    optional,
)
from harness.simulation.utilities.keepers import KEEPERS, TEXTS, random_for
from harness.simulation.utilities.provider import Offer
from shared_nodes.providers.schema import SchemaAttribute
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, string, value_text
from shared_nodes.world import World

__all__ = ["NULL_OFFER"]

_BITS: Final = 63
_DEPRECATED_SOURCE: Final = (
    "The null_data_source was historically used to construct intermediate values to re-use elsewhere in configuration, "
    "the same can now be achieved using locals or the terraform_data resource type in Terraform 1.4 and later."
)
_DEPRECATED_ID: Final = (
    "This attribute is only present for some legacy compatibility issues and should not be used. It will be removed in "
    "a future version."
)


def _create(creation: Creation) -> Object:
    return {"id": _random_number(creation.world, creation.owner)}


def _read(world: World, config: Object) -> Object:
    """Repeat the inputs. A call does not say which data source it is for, so that the inputs have to stand for it."""
    default = config["has_computed_default"]
    return {
        "inputs": config["inputs"],
        "outputs": config["inputs"],
        "random": _random_number(world, f"null_data_source {value_text(config['inputs'])}"),
        "has_computed_default": string("default") if default.is_null else default,
        "id": string("static"),
    }


def _random_number(world: World, owner: str) -> Value:
    return string(str(random_for(world, owner).getrandbits(_BITS)))


NULL_OFFER: Final = Offer(
    managed={"null_resource": ResourceType({"triggers": KEEPERS, "id": computed(STRING)}, _create)},
    data={
        "null_data_source": DataSource(
            {
                "inputs": optional(TEXTS),
                "outputs": computed(TEXTS),
                "random": computed(STRING),
                "has_computed_default": Attribute(SchemaAttribute(STRING, optional=True, computed=True)),
                "id": computed(STRING, deprecation=_DEPRECATED_ID),
            },
            _read,
            _DEPRECATED_SOURCE,
        )
    },
)
