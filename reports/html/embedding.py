"""Data inside of HTML: it cannot end the element it stands in, whatever it holds.

Small data is JSON that can be read in the file. Large data is compressed: a run says the same thing a thousand times.
"""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

__all__ = ["DataBlock", "embedded"]

_LARGE: Final = 20_000
"""Characters from which on data is compressed."""

_ESCAPED: Final = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
"""In JSON these stand in texts only, where an escape means the same. Without them there is neither an end of a script
element nor the beginning of a comment, which would change how an HTML parser reads the rest."""


@dataclass(frozen=True, slots=True)
class DataBlock:
    """`text` is markup: it has no character that HTML gives a meaning inside of a script element."""

    identifier: str
    encoding: str
    text: Markup


def embedded(identifier: str, tree: Any) -> DataBlock:
    """The same tree gives the same text: no time is kept in what is compressed."""
    text = json.dumps(tree, ensure_ascii=True, separators=(",", ":"))
    if len(text) < _LARGE:
        return DataBlock(identifier, "json", Markup(text.translate(_ESCAPED)))
    packed = gzip.compress(text.encode("ascii"), compresslevel=6, mtime=0)
    return DataBlock(identifier, "gzip", Markup(base64.b64encode(packed).decode("ascii")))
