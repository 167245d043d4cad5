"""What says which object to import: its id, or its identity."""

from __future__ import annotations

from shared_nodes.values.json import Tree, value_to_json
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value

__all__ = ["ImportKey", "importing_document", "shown_key"]

ImportKey = str | Value


def importing_document(key: ImportKey) -> Tree:
    """Return the published form."""
    return {"id": key} if isinstance(key, str) else {"identity": value_to_json(key.unmark_deep()[0])}


def shown_key(key: ImportKey) -> tuple[str, str] | None:
    """Return what is shown to people, with its name. Of an identity that is its `id`, or else its `name`, or else the
    first of its texts."""
    if isinstance(key, str):
        return "id", key
    parts = key.payload
    names = [name for name in ("id", "name", *sorted(parts)) if name in parts and _is_shown(parts[name])]
    return (names[0], parts[names[0]].payload) if names else None


def _is_shown(part: Value) -> bool:
    return part.type is STRING and part.is_known and not part.is_null and SENSITIVE not in part.marks
