"""The check of prose finds unwanted words in prose, and none in messages."""

from __future__ import annotations

import pytest

from tests.check_prose import find_problems


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('"""Of a module."""\n', [1]),
        ('def f():\n    """Of its unit."""\n', [2]),
        ('A = 1\n"""First line.\n\nWhat is told later."""\n', [4]),
        ("a = 1  # nobody knows\n", [1]),
        ('option(help="Tell somebody.")\n', [1]),
        ('option(help="Tell " "whoever.")\n', [1]),
        ('def f():\n    """A sentence of its own."""\n    return "nobody told us"\n', []),
    ],
)
def test_problems_are_found_on_their_lines(text: str, lines: list[int]) -> None:
    assert [line for line, _ in find_problems(text)] == lines
