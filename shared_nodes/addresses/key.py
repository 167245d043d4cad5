"""Instance keys: which of several instances of a block."""

from __future__ import annotations

from shared_nodes.values.text import quoted

__all__ = ["InstanceKey", "key_sort", "key_text"]

InstanceKey = int | str | None
"""An index under `count`, a string under `for_each`, None where there is just one."""


def key_text(key: InstanceKey) -> str:
    """`[0]`, `["a"]`, or nothing."""
    if key is None:
        return ""
    return f"[{key}]" if isinstance(key, int) else f"[{quoted(key)}]"


def key_sort(key: InstanceKey) -> tuple[int, int, str]:
    """No key before whole numbers before strings."""
    if key is None:
        return (0, 0, "")
    return (1, key, "") if isinstance(key, int) else (2, 0, key)
