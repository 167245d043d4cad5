"""The providers there are, as far as plans and states have to know them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from shared_nodes.addresses.provider import BUILTIN, ProviderSource
from shared_nodes.diagnostics import Diagnostic, error
from shared_nodes.flavour import Flavour
from shared_nodes.providers.builtin import BUILTIN_SCHEMA
from shared_nodes.state.file import Schemas

__all__ = ["SCHEMAS", "unselected_providers"]

SCHEMAS: Final[Schemas] = {BUILTIN: BUILTIN_SCHEMA}


def unselected_providers(sources: Iterable[ProviderSource], flavour: Flavour) -> list[Diagnostic]:
    """Planning refuses providers that were never installed before it looks at anything else, and blames the lock file
    for it. What belongs to the program itself is never in a lock file."""
    missing = sorted(str(source) for source in sources if source not in SCHEMAS and not _is_built_in(source))
    if not missing:
        return []
    lines = "".join(
        f"\n  - provider {name}: required by this configuration but no version is selected" for name in missing
    )
    detail = (
        "The following dependency selections recorded in the lock file are inconsistent with the current configuration:"
        f"{lines}\n\nTo make the initial dependency selections that will initialize the dependency lock file, run:\n"
        f"  {flavour.command} init"
    )
    return [error("Inconsistent dependency lock file", detail)]


def _is_built_in(source: ProviderSource) -> bool:
    return (source.host, source.namespace) == (BUILTIN.host, BUILTIN.namespace)
