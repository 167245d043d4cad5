"""Instance keys, which distinguish the instances of a block."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import regex

__all__ = ["InstanceKey", "key_sort", "key_text"]

InstanceKey = int | str | None
"""An index under `count`, a string under `for_each`, None if there is only one instance."""

_SHORT_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "$": "$$", "%": "%%"}


def key_text(key: InstanceKey) -> str:
    """`[0]`, `["a"]`, or an empty string. Strings are escaped as in the language: template openers are doubled."""
    if key is None:
        return ""
    if isinstance(key, int):
        return f"[{key}]"
    if key.isascii() and key.isprintable() and '"' not in key and "\\" not in key and "{" not in key:
        return f'["{key}"]'
    return f'["{_needs_escape().sub(lambda found: _escape(found[0]), key)}"]'


@cache
def _needs_escape() -> regex.Pattern[str]:
    """Return the pattern of what is escaped. Most keys contain none of it, and `regex` takes a while to import."""
    import regex

    return regex.compile(r"""["\\]|[$%](?=\{)|[^ \p{L}\p{M}\p{N}\p{P}\p{S}]""", regex.V1)


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
