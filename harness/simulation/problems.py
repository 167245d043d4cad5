"""Problems of simulated providers. They reach an engine as those of a plugin do."""

from __future__ import annotations

from dataclasses import replace

from shared_nodes.lang.diagnostics import Diagnostic, error

__all__ = ["block_error"]


def block_error(summary: str, detail: str) -> Diagnostic:
    """Return an error about a block as a whole. A plugin has no other ones without the path of an attribute."""
    return replace(error(summary, detail), attribute=())
