"""The provisioner contract: what the engines may ask of a provisioner.

Values cross it without marks. Problems are diagnostics in the answer, located by attribute path: an empty one means
the whole block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from shared_nodes.lang.diagnostics import Diagnostic, Severity
from shared_nodes.providers.schema import Block
from shared_nodes.values.value import Value
from shared_nodes.world import World

__all__ = ["ProvisionRequest", "Provisioner", "whole_block_error"]


@dataclass(frozen=True, slots=True)
class ProvisionRequest:
    """`config` is of the schema's type and wholly known; `connection` is null where there is none. Each call of
    `output` is one piece of progress to be shown, of one line or more."""

    config: Value
    connection: Value
    world: World
    output: Callable[[str], None]


class Provisioner(Protocol):
    @property
    def schema(self) -> Block: ...

    def validate(self, config: Value) -> Sequence[Diagnostic]: ...

    async def provision(self, request: ProvisionRequest) -> Sequence[Diagnostic]: ...


def whole_block_error(summary: str, detail: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, summary, detail, attribute=())
