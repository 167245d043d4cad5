"""What a body may hold, as far as reading JSON needs to know: there, arguments and blocks look the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["BlockSchema", "BodySchema"]


@dataclass(frozen=True, slots=True)
class BodySchema:
    """Names of arguments, and block types. `attributes` None means that any name is an argument, as in `locals`."""

    attributes: frozenset[str] | None = None
    blocks: Mapping[str, BlockSchema] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BlockSchema:
    """The names of a block's labels (`type`, `name`), for messages, and what its body may hold."""

    labels: tuple[str, ...] = ()
    body: BodySchema = field(default_factory=BodySchema)
