"""The provisioner contract: what the engines may request of a provisioner.

Values cross it without marks. Problems are diagnostics in the result, located by attribute path; an empty path means
the whole block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, Severity
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.record import record
from shared_nodes.values.value import Value
from shared_nodes.world import World

__all__ = ["ProvisionRequest", "Provisioner", "whole_block_error"]


@record
class ProvisionRequest:
    """A request to run a provisioner. `config` has the schema's type and is wholly known; `connection` is null if there
    is none. Each call of `output` reports progress of one or more lines."""

    config: Value
    connection: Value
    world: World
    output: Callable[[str], None]


class Provisioner(Protocol):
    @property
    def schema(self) -> SchemaBlock: ...

    def validate(self, config: Value, flavour: Flavour) -> Sequence[Diagnostic]: ...

    async def provision(self, request: ProvisionRequest) -> Sequence[Diagnostic]: ...


def whole_block_error(summary: str, detail: str) -> Diagnostic:
    return Diagnostic(Severity.ERROR, summary, detail, attribute=())
