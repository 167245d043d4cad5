"""A node: one thing of the configuration or the state, to be looked at once.

A node says what it may be called, what it refers to, and what else it needs; and it can be evaluated. It knows no other
node: who is behind a name is the business of `new_engine.compiled`, and when to wait that of `new_engine.evaluation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.source import Range

if TYPE_CHECKING:
    from new_engine.compiled import Compiled
    from new_engine.evaluation import Evaluation

__all__ = ["Name", "Node"]

Name = tuple[ModulePath, str]
"""What something is called, and the module in which it is called that."""


class Node:
    """Told apart by identity. `name` is what messages call it; `module` is where it stands."""

    module: ModulePath
    origin: Range | None = None
    in_module: bool = True
    """Whether it waits until the instances of its module are known, and the end of the module waits for it."""

    belongs_to_check: bool = False

    @property
    def name(self) -> str:
        """Each class gives its own (`tests/unit/new_engine/test_nodes.py` looks). An abstract base class would make
        every question for the kind of a node seven times as slow, and compiling asks little else."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def names(self) -> Iterable[Name]:
        return ()

    def references(self) -> Sequence[ScopedSubject]:
        return ()

    def needs(self, _compiled: Compiled) -> Iterable[Node]:
        """What it waits for without referring to it."""
        return ()

    async def evaluate(self, _evaluation: Evaluation) -> Sequence[Diagnostic]:
        """Called once, after everything it waits for has succeeded."""
        return ()
