"""Diagnostics on the wire.

A provider knows no source ranges: its diagnostics have the path of an attribute, or concern a block as a whole, which
is the empty path.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.paths import path_from_message, path_message
from shared_nodes.lang.diagnostics import Diagnostic, Severity

__all__ = ["diagnostic_messages", "diagnostics_from_messages"]

_SEVERITIES: Final = {Severity.ERROR: pb.Diagnostic.ERROR, Severity.WARNING: pb.Diagnostic.WARNING}


def diagnostic_messages(diagnostics: Iterable[Diagnostic]) -> list[pb.Diagnostic]:
    return [
        pb.Diagnostic(
            severity=_SEVERITIES[one.severity],
            summary=one.summary,
            detail=one.detail,
            attribute=path_message(one.attribute) if one.attribute else None,
        )
        for one in diagnostics
    ]


def diagnostics_from_messages(messages: Iterable[pb.Diagnostic]) -> list[Diagnostic]:
    """Read diagnostics. One whose severity is not stated stops nothing in the original, so it is a warning."""
    return [
        Diagnostic(
            Severity.ERROR if one.severity == pb.Diagnostic.ERROR else Severity.WARNING,
            one.summary,
            one.detail,
            attribute=path_from_message(one.attribute),
        )
        for one in messages
    ]
