"""A pattern does what the compiled expression does, and is compiled at its first use."""

from __future__ import annotations

import copy
import re

import pytest

from shared_nodes.pattern import pattern


def test_it_does_what_the_compiled_expression_does() -> None:
    lazy, compiled = pattern("(?P<word>B+)", re.IGNORECASE), re.compile("(?P<word>B+)", re.IGNORECASE)
    for _ in range(2):
        assert lazy.sub("-", "abba") == compiled.sub("-", "abba") == "a-a"
        assert [match["word"] for match in lazy.finditer("abab")] == ["b", "b"]
        assert lazy.fullmatch("abba") is None
    assert lazy.groupindex == compiled.groupindex
    assert copy.copy(lazy).search("b")


def test_it_is_compiled_when_it_is_used() -> None:
    wrong = pattern("(")
    with pytest.raises(re.error):
        wrong.match("")
