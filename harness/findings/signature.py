"""What makes two findings the same bug.

A signature says who did what wrong in which operation, and nothing about the case it showed in: no name, no index, no
value. One bug that breaks two hundred cases has one signature, or few; two hundred cases with one signature are one
thing to look at.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from harness.compare.ruling import Ruling

__all__ = ["Signature"]


@dataclass(frozen=True, slots=True, order=True)
class Signature:
    subject: str
    """The engine it is about."""

    operation: str
    """validate, plan, apply or destroy: that of the step."""

    ruling: Ruling
    shape: str
    """Where, with names and indices left out: `plan.resource_changes.*.change.actions`; of a crash what was raised and
    in which function of the engine."""

    kind: str
    """In what: a value, something missing, an order, ..."""

    def __str__(self) -> str:
        return f"{self.subject}: {self.operation} {self.ruling}: {self.shape} ({self.kind})"

    @property
    def digest(self) -> str:
        """Short enough to be said aloud, and the same on every machine: names a group in links and files."""
        return hashlib.sha256(str(self).encode(errors="surrogatepass")).hexdigest()[:10]
