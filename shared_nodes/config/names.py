"""Names that users give to things."""

from __future__ import annotations

from shared_nodes.diagnostics import Diagnostic, error
from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.lang.source import Range

__all__ = ["check_name"]


def check_name(what: str, name: str, subject: Range) -> list[Diagnostic]:
    """A problem if the name is not an identifier; `what` is the kind of thing it names."""
    if is_identifier(name):
        return []
    detail = (
        "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes."
    )
    return [error(f"Invalid {what} name", detail, subject)]
