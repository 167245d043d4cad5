"""An HTML file as the parser of a browser sees it: elements, texts, and the data that its script reads."""

from __future__ import annotations

import base64
import gzip
import json
from html.parser import HTMLParser
from typing import Any, Final

__all__ = ["Elements"]


class Elements(HTMLParser):
    """All elements with their attributes, the texts of scripts, and all other text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: Final[list[tuple[str, dict[str, str | None]]]] = []
        self.scripts: Final[list[tuple[dict[str, str | None], str]]] = []
        self.style = ""
        self.words: Final[list[str]] = []
        self._open = ""
        self._is_broken = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._is_broken = tag == "wbr"
        if tag in ("script", "style"):
            self._open = tag
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self._open = "" if tag == self._open else self._open

    def handle_data(self, data: str) -> None:
        if self._open == "script":
            attributes, before = self.scripts.pop()
            self.scripts.append((attributes, before + data))
        elif self._open == "style":
            self.style += data
        elif self._is_broken:
            self.words[-1] += data
        else:
            self.words.append(data)
        self._is_broken = False

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    @property
    def data(self) -> dict[str, Any]:
        """The data that the script reads, by the identifier of its element."""
        return {str(attributes["id"]): self._decoded(attributes, text) for attributes, text in self.scripts[:-1]}

    @staticmethod
    def _decoded(attributes: dict[str, str | None], text: str) -> Any:
        packed = attributes["data-encoding"] == "gzip"
        return json.loads(gzip.decompress(base64.b64decode(text, validate=True)) if packed else text)
