"""The headline of a crash: what was raised, and the function of the engine in which it was.

Both are parts of the signature, from which numbers, addresses and names are masked already. The rest of what a binary
prints, and the frames of the harness that called an engine, say nothing to a maintainer.
"""

from __future__ import annotations

import re
from typing import Final

from harness.findings.finding import Finding
from harness.findings.signature import Ruling
from shared_nodes.record import record

__all__ = ["Crash", "crash_of"]

_BINARY: Final = re.compile(r"(?:init\.)?crash\[(.*)\]", re.DOTALL)
_SEPARATOR: Final = " in "


@record
class Crash:
    text: str
    function: str
    """Empty if no function of the engine is known."""

    trace: str
    """Further output that may help: the traceback of an engine in Python, and nothing of a binary."""


def crash_of(finding: Finding) -> Crash | None:
    """Return the crash that a finding is about, or None if it is about something else. A hang is none: nothing was
    raised."""
    if finding.signature.ruling is not Ruling.CRASH:
        return None
    binary = _BINARY.fullmatch(finding.signature.shape)
    identity = binary[1] if binary else finding.signature.shape
    text, separator, function = identity.rpartition(_SEPARATOR)
    if not separator or any(character.isspace() for character in function):
        text, function = identity, ""
    return Crash(text, function, "" if binary else finding.got)
