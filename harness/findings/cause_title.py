"""The title of a cause: its heaviest finding in words, and the feature that predicts it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from harness.findings.finding import Finding
from harness.findings.spoken_signature import describe_signature

__all__ = ["title_of"]

_LONGEST: Final = 160
_STARTS: Final = ("the ", "in the ", "while ", "during ", "invalid ")
"""Words that begin a sentence with a capital letter. The name of an engine keeps its own."""


def title_of(finding: Finding, predictors: Sequence[str] = ()) -> str:
    """Return one sentence without a full stop: "With a moved block: the baseline plans to move an object, new to create
    it"."""
    where = f"With {_article(predictors[0])}: " if predictors else ""
    words = describe_signature(finding.signature)
    text = f"{where}{words}" if where or not words.startswith(_STARTS) else f"{words[0].upper()}{words[1:]}"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _article(feature: str) -> str:
    return f"a {feature}" if feature.endswith(" block") else f"`{feature}`"
