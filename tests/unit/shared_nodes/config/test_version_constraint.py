"""Version constraints admit the versions they should."""

from __future__ import annotations

import pytest

from shared_nodes.config.syntax.version_constraint import parse_constraints, parse_version


@pytest.mark.parametrize(
    ("text", "version", "allowed"),
    [
        ("1.11.4", "1.11.4", True),
        ("= 1.11", "1.11.0", True),
        ("!= 1.11.4", "1.11.4", False),
        (">= 1.2, < 2.0.0", "1.11.4", True),
        (">= 1.2, < 1.11", "1.11.4", False),
        ("~> 1.11.0", "1.11.4", True),
        ("~> 1.11.0", "1.12.0", False),
        ("~> 1.2", "1.11.4", True),
        ("~> 1.2", "2.0.0", False),
        ("~> 1", "1.11.4", True),
        ("> 1.11.4-beta1", "1.11.4", True),
        ("< 1.11.4", "1.11.4-rc1", True),
        ("1.11.4-rc2", "1.11.4-rc1", False),
        ("<= 1.0.0-alpha.2", "1.0.0-alpha.10", False),
    ],
)
def test_constraints_admit(text: str, version: str, allowed: bool) -> None:
    constraints, parsed = parse_constraints(text), parse_version(version)
    assert constraints is not None
    assert parsed is not None
    assert all(constraint.allows(parsed) for constraint in constraints) is allowed


@pytest.mark.parametrize("text", ["", "nope", ">= ", ">> 1", "1.2, ", "~1.2", "1..2", "> 1 < 2"])
def test_malformed_constraints_are_refused(text: str) -> None:
    assert parse_constraints(text) is None
