"""The arguments that decide how many instances a block has: `count`, `for_each`, and `enabled` in a `lifecycle` block.
A block may have only one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.tree import Attribute

__all__ = ["repetition_conflict"]

_RULES: Final[Mapping[str, str]] = {
    "resource": "Only one may be used to be explicit about the number of resources to be created.",
    "data": "Only one may be used to be explicit about the number of data sources to be created.",
    "ephemeral": "Only one may be used to be explicit about the number of ephemeral resources to be created.",
    "module": "Only one should be used to be explicit about the number of module instances to be created.",
}


def repetition_conflict(
    block_type: str, attributes: Mapping[str, Attribute], enabled: Attribute | None, flavour: Flavour
) -> list[Diagnostic]:
    """Report a block that has several of the arguments. `attributes` are those of the block itself."""
    every = {"count": attributes.get("count"), "enabled": enabled, "for_each": attributes.get("for_each")}
    given = {name: attribute for name, attribute in every.items() if attribute is not None}
    if len(given) < 2:
        return []
    if not flavour.repetition_problems_name_arguments:
        detail = (
            'The "count" and "for_each" meta-arguments are mutually-exclusive, only one should be used to be explicit '
            "about the number of resources to be created."
        )
        return [error('Invalid combination of "count" and "for_each"', detail, given["for_each"].name_range)]
    *most, last = [f'"{name}"' for name in given]
    names = f"{', '.join(most)}, and {last}" if len(most) > 1 else f"{most[0]} and {last}"
    first, *_, end = sorted((attribute.name_range for attribute in given.values()), key=lambda where: where.start)
    detail = f"The {names} meta-arguments are mutually-exclusive. {_RULES[block_type]}"
    return [error(f"Invalid combination of {names}", detail, first.through(end))]
