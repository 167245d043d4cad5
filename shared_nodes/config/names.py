"""Names that users choose."""

from __future__ import annotations

from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.lang.source import Range

__all__ = ["NAME_RULE", "check_name"]

NAME_RULE: Final = (
    "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes."
)


def check_name(summary: str, name: str, subject: Range) -> list[Diagnostic]:
    """Report a name that is not an identifier."""
    return [] if is_identifier(name) else [error(summary, NAME_RULE, subject)]
