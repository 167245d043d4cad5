"""Instance keys, which distinguish the instances of a block."""

from __future__ import annotations

from typing import Final

import regex

__all__ = ["InstanceKey", "key_sort", "key_text"]

InstanceKey = int | str | None
"""An index under `count`, a string under `for_each`, None if there is only one instance."""

_NEEDS_ESCAPE: Final = regex.compile(r"""["\\]|[$%](?=\{)|[^ \p{L}\p{M}\p{N}\p{P}\p{S}]""", regex.V1)
_SHORT_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "$": "$$", "%": "%%"}


def key_text(key: InstanceKey) -> str:
    """`[0]`, `["a"]`, or an empty string. Strings are escaped as in the language: template openers are doubled."""
    if key is None:
        return ""
    if isinstance(key, int):
        return f"[{key}]"
    return f'["{_NEEDS_ESCAPE.sub(lambda found: _escape(found[0]), key)}"]'


def _escape(character: str) -> str:
    if short := _SHORT_ESCAPES.get(character):
        return short
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def key_sort(key: InstanceKey) -> tuple[int, int, str]:
    """A sort key: no key comes before whole numbers, and these before strings."""
    if key is None:
        return (0, 0, "")
    return (1, key, "") if isinstance(key, int) else (2, 0, key)
