"""Embeds data in HTML so that it cannot end the element that contains it.

Small data is JSON that is readable in the file. Large data is compressed, since a run is highly repetitive.
"""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any, Final

from markupsafe import Markup

from shared_nodes.record import record

__all__ = ["DataBlock", "embedded"]

_LARGE: Final = 20_000
"""Number of characters above which data is compressed."""

_ESCAPED: Final = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
"""In JSON these characters occur only in strings, where an escape is equivalent. If they are escaped, the data contains
neither the end of a script element nor the start of a comment, which would change how the rest of the file is
parsed."""


@record
class DataBlock:
    """A script element with data. `text` contains no character that has a meaning inside a script element."""

    identifier: str
    encoding: str
    text: Markup


def embedded(identifier: str, tree: Any) -> DataBlock:
    """Encode the tree deterministically: the compressed form contains no time."""
    text = json.dumps(tree, ensure_ascii=True, separators=(",", ":"))
    if len(text) < _LARGE:
        return DataBlock(identifier, "json", Markup(text.translate(_ESCAPED)))
    packed = gzip.compress(text.encode("ascii"), compresslevel=6, mtime=0)
    return DataBlock(identifier, "gzip", Markup(base64.b64encode(packed).decode("ascii")))
