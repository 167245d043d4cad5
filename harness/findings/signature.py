"""What makes two findings the same bug.

A signature names the engine, the operation and the kind of difference, and nothing of the case: no name, no index, no
value. One bug that breaks two hundred cases has one signature, or few; two hundred cases with one signature need to be
looked at once.
"""

from __future__ import annotations

import hashlib
from typing import Final

from harness.compare.ruling import Ruling
from shared_nodes.record import record

__all__ = ["Ruling", "Signature", "limited_shape"]


_LONGEST_SHAPE: Final = 2_000


def limited_shape(shape: str) -> str:
    """Return the beginning of a shape that is too long to be a name, such as one with a message of many megabytes."""
    return shape[:_LONGEST_SHAPE]


@record(order=True)
class Signature:
    subject: str
    """The engine it is about."""

    operation: str
    """The operation of the step: validate, plan, apply or destroy."""

    ruling: Ruling
    shape: str
    """The place without names and indices: `plan.resource_changes.*.change.actions`; for a crash, the exception and the
    function of the engine."""

    kind: str
    """The kind of difference: a value, something missing, an order, ..."""

    role: str = ""
    """What the plans intend for the object, such as `update` or `replace > no-op`; empty if there is none."""

    def __str__(self) -> str:
        role = f", {self.role}" if self.role else ""
        return f"{self.subject}: {self.operation} {self.ruling}: {self.shape} ({self.kind}{role})"

    @property
    def identity(self) -> tuple[str, str, str, str, str]:
        """Subject, ruling, shape, kind and role. The operation is left out: a bug that shows while planning shows while
        applying as well."""
        return self.subject, str(self.ruling), self.shape, self.kind, self.role

    @property
    def digest(self) -> str:
        """A short name of the signature for links and files, the same on every machine."""
        return hashlib.sha256(str(self).encode(errors="surrogatepass")).hexdigest()[:10]
