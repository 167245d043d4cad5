"""Version constraints: `>= 1.2, < 2.0`, `~> 1.1`."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.json_static import static_value
from shared_nodes.lang.tree import Attribute
from shared_nodes.pattern import pattern
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value

__all__ = [
    "Version",
    "VersionConstraint",
    "constraint_text",
    "parse_constraints",
    "parse_version",
    "read_constraint",
]

_VERSION: Final = r"v?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z\-~]+(?:\.[0-9A-Za-z\-~]+)*))?(?:\+[0-9A-Za-z\-~.]+)?"
_VERSION_ONLY: Final = pattern(_VERSION + r"\Z")
_CONSTRAINT: Final = pattern(r"\s*(!=|>=|<=|~>|=|>|<|)\s*" + _VERSION + r"\s*\Z")


@record
class Version:
    segments: tuple[int, ...]
    prerelease: str = ""

    def compare(self, other: Version) -> int:
        """Return a negative number, zero or a positive one. A prerelease is lower than its release."""
        for left, right in zip_longest(self.segments, other.segments, fillvalue=0):
            if left != right:
                return left - right
        if self.prerelease == other.prerelease:
            return 0
        if not self.prerelease or not other.prerelease:
            return 1 if not self.prerelease else -1
        return _compare_prereleases(self.prerelease, other.prerelease)


def _compare_prereleases(first: str, second: str) -> int:
    for left, right in zip_longest(first.split("."), second.split("."), fillvalue=""):
        if left == right:
            continue
        if left.isdigit() and right.isdigit():
            return int(left) - int(right)
        if left.isdigit() != right.isdigit() and left and right:
            return -1 if left.isdigit() else 1
        return -1 if left < right else 1
    return 0


@record
class VersionConstraint:
    operator: str
    version: Version
    given_segments: int

    def allows(self, version: Version) -> bool:
        order = version.compare(self.version)
        match self.operator:
            case "" | "=":
                return order == 0
            case "!=":
                return order != 0
            case ">":
                return order > 0
            case "<":
                return order < 0
            case ">=":
                return order >= 0
            case "<=":
                return order <= 0
        fixed = max(self.given_segments - 1, 1)
        padded = (*version.segments, *(0,) * fixed)
        return order >= 0 and padded[:fixed] == self.version.segments[:fixed]


def parse_version(text: str) -> Version | None:
    match = _VERSION_ONLY.match(text)
    return _version(match[1], match[2]) if match else None


def _version(segments: str, prerelease: str | None) -> Version:
    numbers = tuple(map(int, segments.split(".")))
    return Version(numbers + (0,) * (3 - len(numbers)), prerelease or "")


def parse_constraints(text: str) -> tuple[VersionConstraint, ...] | None:
    """Parse a comma-separated list of constraints; None if any of them is malformed."""
    constraints = []
    for part in text.split(","):
        match = _CONSTRAINT.match(part)
        if match is None:
            return None
        count = len(match[2].split("."))
        constraints.append(VersionConstraint(match[1], _version(match[2], match[3]), count))
    return tuple(constraints)


def read_constraint(attribute: Attribute | None, problems: list[Diagnostic]) -> str:
    """Return the text of a version constraint, which must be a constant; empty if it is absent or unusable."""
    if attribute is None:
        return ""
    value, found = static_value(attribute.expression)
    problems.extend(found)
    return "" if found else constraint_text(attribute, value, problems)


def constraint_text(attribute: Attribute, value: Value, problems: list[Diagnostic]) -> str:
    """Return the text of a version constraint with this value; empty if it is unusable."""
    subject = attribute.expression.range
    for mark, word in ((SENSITIVE, "Sensitive"), (EPHEMERAL, "Ephemeral")):
        if mark in value.marks:
            detail = (
                f"{word} values, or values derived from {word.lower()} values, cannot be used as {attribute.name} "
                "arguments."
            )
            problems.append(error("Invalid version constraint", detail, subject))
            return ""
    try:
        converted = convert(value, STRING)
    except ConversionError:
        detail = f"A string value is required for {attribute.name}."
        problems.append(error("Invalid version constraint", detail, subject))
        return ""
    if converted.is_null or not converted.is_known:
        return ""
    if parse_constraints(converted.payload) is None:
        detail = "This string does not use correct version constraint syntax."
        problems.append(error("Invalid version constraint", detail, subject))
        return ""
    return str(converted.payload)
