"""Configuration text from plain Python data.

Strings are text, not expressions: whatever is in them, the configuration has them as they are. The layout is
python-hcl2's; this module only puts the data into the form that package wants, in which every string is source text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import hcl2

from shared_nodes.lang.printer import print_string

__all__ = ["BlockData", "Data", "hcl_from_data"]

Data = None | bool | int | float | str | Sequence["Data"] | Mapping[str, "Data"]


@dataclass(frozen=True, slots=True)
class BlockData:
    """A block to write: its labels, and arguments and blocks by name."""

    labels: Sequence[str]
    content: Mapping[str, Data | Sequence[BlockData]]


def hcl_from_data(data: Mapping[str, Data | Sequence[BlockData]]) -> str:
    """A body: names with plain data are arguments, names with a list of `BlockData` are blocks of that type."""
    document: dict[str, Any] = _build(data).build()  # type: ignore[no-untyped-call]  # the package leaves it untyped
    return hcl2.dumps(document)


def _build(data: Mapping[str, Data | Sequence[BlockData]]) -> hcl2.Builder:
    builder = hcl2.Builder({name: _source(value) for name, value in data.items() if not _blocks(value)})
    for name, value in data.items():
        for block in _blocks(value):
            inner = _build(block.content)
            added = builder.block(name, [print_string(label) for label in block.labels])
            added.attributes, added.blocks = inner.attributes, inner.blocks
    return builder


def _blocks(value: Data | Sequence[BlockData]) -> list[BlockData]:
    items = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return [item for item in items if isinstance(item, BlockData)]


def _source(value: Any) -> Any:
    if isinstance(value, str):
        return print_string(value)
    if isinstance(value, Mapping):
        return {print_string(key): _source(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_source(item) for item in value]
    return value
