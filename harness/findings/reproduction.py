"""The command that shows a finding again."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Final

from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.play.schedule import Schedule, parse_schedule

__all__ = ["reproduction"]

_USUAL: Final = Schedule()


def reproduction(result: CaseResult) -> str:
    """For a shell, in the directory the run was started in. What depends on the way a case is run says so: only then
    ways are part of the command."""
    words = ["diffharness", "run", result.path]
    if result.engines and not result.counts:
        words += ["--engines", ",".join(result.engines)]
    for option, values in (("--change", result.changes), ("--permissive", result.permissive)):
        words += [word for value in values for word in (option, value)]
    if result.mutant:
        words += ["--mutant", result.mutant]
    return shlex.join([*words, *_way_options(_ways(result.findings))])


def _ways(findings: Iterable[Finding]) -> list[Schedule]:
    """Of the first finding that has some: an engine that came to no end has the way as its place."""
    for finding in findings:
        ways = [way for way in map(parse_schedule, finding.ways or (finding.place,)) if way is not None]
        if ways:
            return ways
    return []


def _way_options(ways: Sequence[Schedule]) -> list[str]:
    """The smallest set of ways that options can name and that has these in it. The first comes first there, too, and no
    way before the last shows anything: the run that found it went through all of them."""
    if not ways:
        return []
    seeds = [way.seed for way in ways]
    limits = dict.fromkeys(way.parallelism for way in ways)
    handovers = dict.fromkeys(way.handover for way in ways)
    is_several = len({*seeds}) > 1 or len(limits) > 1
    words = ["--seed", str(min(seeds))] if min(seeds) != _USUAL.seed else []
    if is_several:
        words += ["--schedules", str(max(seeds) - min(seeds) + 1)]
    if len(limits) == 1 and (is_several or _USUAL.parallelism not in limits):
        words += ["--parallelism", *map(str, limits)]
    if [*handovers] != [_USUAL.handover]:
        words += [word for handover in handovers for word in ("--handover", handover.value)]
    return words
