"""The command that shows a finding again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Final

from harness.judging.result import CaseResult

__all__ = ["reproduction"]

_WAY: Final = re.compile(r"seed (-?\d+), parallelism (\d+), plan by (\w+)")
_USUAL: Final = ("0", "10", "file")
_OPTIONS: Final = ("--seed", "--parallelism", "--handover")


def reproduction(result: CaseResult) -> str:
    """For a shell, in the directory the run was started in. What depends on the way a case is run says so in its place:
    only then the way is part of the command."""
    words = ["diffharness", "run", result.path]
    if result.engines and not result.counts:
        words += ["--engines", ",".join(result.engines)]
    for change in result.changes:
        words += ["--change", change]
    if result.mutant:
        words += ["--mutant", result.mutant]
    return shlex.join([*words, *_way_options(finding.place for finding in result.findings)])


def _way_options(places: Iterable[str]) -> list[str]:
    match = next((found for found in map(_WAY.match, places) if found is not None), None)
    if match is None:
        return []
    given = zip(_OPTIONS, match.groups(), _USUAL, strict=True)
    return [word for option, value, usual in given if value != usual for word in (option, value)]
