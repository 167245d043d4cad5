"""Checks attributes that accept only whole numbers, which the language's single number type does not enforce."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.values import number as numbers
from shared_nodes.values.paths import Path
from shared_nodes.values.value import Value

__all__ = ["whole_number_problems"]

_INT64: Final = range(-(2**63), 2**63)


def whole_number_problems(value: Value, path: Path) -> Iterator[Diagnostic]:
    """Yield a problem if a number is not whole, or does not fit into 64 bits."""
    if value.is_null or not value.is_known:
        return
    if not numbers.is_whole(value.payload):
        complaint = "is not an integer."
    elif numbers.to_int(value.payload) not in _INT64:
        complaint = "cannot be represented as a 64-bit integer."
    else:
        return
    detail = (
        "An unexpected error was encountered trying to validate an attribute value. This is always an error in the "
        "provider. Please report the following to the provider developer:\n\n"
        f"Value {numbers.short_text(value.payload)} {complaint}"
    )
    yield replace(error("Int64 Type Validation Error", detail), attribute=path)
