"""What identifies a crash of an engine in Python: the exception, and the function of the engine that raised it.

Two crashes of one cause have the same identity in every case and in every run, so numbers, addresses in memory and
names in the message are masked. A frame of the harness is never part of it: the harness only called the engine.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["identify_exception"]

_FRAME: Final = re.compile(r'File "([^"]*)", line \d+, in (\S+)')
_OURS: Final = re.compile(r"(?:.*/)?((?:shared_nodes|legacy_engine|new_engine)/.*)")
_NOT_AN_ENGINE: Final = re.compile(
    r"(?:.*/)?harness/(?!.*/test_).*|.*/lib/python3.*|(?:.*/)?shared_nodes/(?:record|tasks|task_loop)\.py|<.*"
)
"""Records make their methods in the first call only, and what a task waits in says nothing about why it crashed:
neither may decide about the identity."""

_CAUSED: Final = "\nThe above exception was the direct cause of the following exception:"
"""The line that Python prints between an exception and the one that was raised from it."""

_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_NUMBER: Final = re.compile(r"\b(?:0x[0-9a-f]+|\d+)\b")
_LONGEST: Final = 120


def identify_exception(traceback: str) -> str:
    """Return `KeyError: * in new_engine/planning/legs.py:leg_of`. Only the original cause counts: two crashes with
    different causes are two findings."""
    cause = traceback.partition(_CAUSED)[0]
    raised = _NUMBER.sub("*", _QUOTED.sub("*", cause.strip().rpartition("\n")[2]))
    frames = [(path, function) for path, function in _FRAME.findall(cause) if not _NOT_AN_ENGINE.fullmatch(path)]
    if not frames:
        return raised[:_LONGEST]
    path, function = frames[-1]
    ours = _OURS.fullmatch(path)
    return f"{raised[:_LONGEST]} in {ours[1] if ours else path.rpartition('/')[2]}:{function}"
