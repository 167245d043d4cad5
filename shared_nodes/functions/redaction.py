"""How messages of functions show an argument that may be secret."""

from __future__ import annotations

from shared_nodes.flavour import Flavour
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE, Marks
from shared_nodes.values.text import quoted

__all__ = ["quote_unless_secret"]


def quote_unless_secret(text: str, marks: Marks, flavour: Flavour) -> str:
    """The text in quotes, or what is said instead of a text with these marks."""
    secrecy = ["ephemeral"] if flavour.errors_hide_ephemeral_values and EPHEMERAL in marks else []
    if SENSITIVE in marks:
        secrecy.append("sensitive")
    return f"({' '.join(secrecy)} value)" if secrecy else quoted(text)
