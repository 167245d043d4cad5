"""The place of a finding as its readers call it.

A configuration without a `case.yaml` is run by the default story. Its owner has written no tasks, so places are called
after the operations: `plan` instead of `task plan #1 (plan .)`.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["spoken_place"]

_DEFAULT: Final = re.compile(r"validate \.|task (?P<task>\w+) #1 \((?P<operation>\w+)(?: \.)?\)")
_TASKS: Final = {"again": "plan again", "unchanged": "no changes in the second plan"}
_OPERATIONS: Final = ("validate", "plan", "apply", "destroy")


def spoken_place(place: str) -> str:
    """Return the place, in the words of the owner of a configuration if it is one of the default story: only
    there a configuration is called `.`."""
    match = _DEFAULT.match(place)
    if match is None:
        return place
    task = match["task"] or "validate"
    if task not in (*_TASKS, *_OPERATIONS) or (task in _OPERATIONS and " ." not in match[0]):
        return place
    return _TASKS.get(task, task) + place[match.end() :]
