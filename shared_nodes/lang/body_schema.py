"""What a body may contain, as far as the JSON syntax needs to know: there, arguments and blocks look the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from shared_nodes.record import record

__all__ = ["BlockSchema", "BodySchema"]


@record
class BodySchema:
    """Argument names and block types. If `attributes` is None, every name is an argument, as in `locals`."""

    attributes: frozenset[str] | None = None
    blocks: Mapping[str, BlockSchema] = field(default_factory=dict)


@record
class BlockSchema:
    """The names of a block's labels (`type`, `name`), used in messages, and the schema of its body."""

    labels: tuple[str, ...] = ()
    body: BodySchema = field(default_factory=BodySchema)
