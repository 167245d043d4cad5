"""Warnings about the use of values from deprecated sources.

The warning is due where an expression or a body is evaluated. What is stored afterwards has no such mark any more, so
that what is computed from it does not warn again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shared_nodes.addresses.resource import Resource
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, warning
from shared_nodes.lang.tree import Expression
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.state.deprecated_parts import mark_deprecated
from shared_nodes.values.marks import Deprecation
from shared_nodes.values.paths import (
    Path,
    Step,
    mark_at_paths,
    marks_by_path,
    parts_by_path,
    path_text,
    strip_marks,
)
from shared_nodes.values.value import Value

__all__ = [
    "deprecation_warning",
    "mark_deprecated_parts",
    "remembered_deprecations",
    "report_deprecations",
    "without_deprecations",
]


def mark_deprecated_parts(value: Value, schema: SchemaBlock, resource: Resource, flavour: Flavour) -> Value:
    """Mark what the schema of an object declares as deprecated, for an expression that reads the object."""
    return mark_deprecated(value, schema, str(resource)) if flavour.deprecated_attributes_mark_values else value


def report_deprecations(value: Value, expression: Expression) -> tuple[Value, list[Diagnostic]]:
    """Return the result of an expression without the marks of deprecated sources, and a warning for each of them."""
    found = list(_deprecations(value))
    if not found:
        return value, []
    warnings = []
    for path, cause in found:
        part = path_text(path).removeprefix(".")
        warnings.append(deprecation_warning(f"'s attribute {part}" if part else "", cause, expression))
    return without_deprecations(value), warnings


def deprecation_warning(part: str, cause: Deprecation, expression: Expression | None = None) -> Diagnostic:
    """Return the warning about a value or a part of it."""
    detail = (
        f"This value{part} is derived from {cause.source}, which is deprecated with the following message:\n\n"
        f"{cause.message}"
    )
    if not cause.message:
        detail = f"This value{part} is derived from {cause.source}, which is deprecated."
    return warning("Value derived from a deprecated source", detail, None if expression is None else expression.range)


def without_deprecations(value: Value) -> Value:
    plain, marked = strip_marks(value)
    kept = ((path, frozenset(mark for mark in marks if not isinstance(mark, Deprecation))) for path, marks in marked)
    return mark_at_paths(plain, kept)


def _deprecations(value: Value) -> Iterator[tuple[Path, Deprecation]]:
    return ((path, mark) for path, marks in marks_by_path(value) for mark in marks if isinstance(mark, Deprecation))


_SHARED_STEPS: Final = 4


def remembered_deprecations(value: Value) -> list[tuple[Path, Deprecation]]:
    """Return the deprecated parts of a decoded body, with the paths that lead the original to a source range.

    Quirk `deprecations-forget-their-place`: the original writes the first four steps of all paths into one array, and
    looks at them when it is done. By then they are the last steps that were taken at each depth.
    """
    found = list(_deprecations(value))
    if not found:
        return []
    latest: dict[int, Step] = {len(path): path[-1] for path, _ in parts_by_path(value) if path}
    return [
        (tuple(latest[depth + 1] for depth in range(len(path))) if len(path) <= _SHARED_STEPS else path, cause)
        for path, cause in found
    ]
