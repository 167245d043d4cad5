"""Diagnostics of a step: each one that only one side has, and each that names another place or has other words."""

from __future__ import annotations

import pytest

from harness.compare.diagnostics import compare_diagnostics, crash_identity
from shared_nodes.values.json import Tree


def diagnostic(summary: str, **other: Tree) -> dict[str, Tree]:
    return {"phase": "plan", "severity": "error", "summary": summary, "detail": "x", **other}


def found(expected: list[Tree], got: list[Tree]) -> list[tuple[str, str, bool]]:
    return [(each.shape, str(each.kind), each.is_detail) for each in compare_diagnostics(expected, got)]


def test_equal_ones_cancel_out_in_any_order() -> None:
    assert found([diagnostic("A"), diagnostic("B")], [diagnostic("B"), diagnostic("A")]) == []


def test_each_that_only_one_side_has_is_a_difference() -> None:
    assert found([diagnostic("A"), diagnostic("B")], [diagnostic("C")]) == [
        ("diagnostics[error: A]", "missing", False),
        ("diagnostics[error: B]", "missing", False),
        ("diagnostics[error: C]", "surplus", False),
    ]


def test_other_words_are_a_detail() -> None:
    ((shape, _, is_detail),) = found([diagnostic("A")], [diagnostic("A", detail="y")])
    assert (shape, is_detail) == ("diagnostics[error: A].detail", True)


def test_another_place_is_no_detail() -> None:
    ((shape, _, is_detail),) = found([diagnostic("A", address="t.a")], [diagnostic("A", address="t.b")])
    assert (shape, is_detail) == ("diagnostics[error: A].address", False)


def test_names_in_summaries_do_not_matter_to_the_shape() -> None:
    ((one, _, _),) = found([diagnostic('missing "a"')], [])
    ((other, _, _),) = found([diagnostic('missing "b"')], [])
    assert one == other == "diagnostics[error: missing *]"


@pytest.mark.parametrize(
    ("panic", "identity"),
    [
        ("panic: operation 6 depends on its own result", "panic: operation ? depends on its own result in example.f"),
        ("fatal error: stack overflow", "fatal error: stack overflow"),
        ("fatal error: out of memory", "fatal error: out of memory"),
    ],
)
def test_a_crash_is_identified_by_its_masked_message_and_a_function_that_is_no_accident(
    panic: str, identity: str
) -> None:
    assert crash_identity({"phase": "plan", "panic": panic, "frame": "example.f"}) == identity
