"""Identifiers: the shortcut for ASCII never disagrees with the general pattern."""

from __future__ import annotations

import pytest

from shared_nodes.lang.identifiers import identifier_pattern, is_identifier

ASCII = [chr(code) for code in range(128)]


@pytest.mark.parametrize("form", ["{}", "a{}", "{}a", "-{}", "_{}"])
def test_ascii_names_are_those_the_pattern_matches(form: str) -> None:
    texts = [form.format(character) for character in ["", *ASCII]]
    matched = [text for text in texts if identifier_pattern().fullmatch(text) is not None]
    assert [text for text in texts if is_identifier(text)] == matched


def test_other_names_follow_the_pattern_alone() -> None:
    assert is_identifier("größe-1")
    assert not is_identifier("a\u200db")
