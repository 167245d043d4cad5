"""The command that reproduces a finding."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Final

from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.play.schedule import Schedule, parse_schedule
from shared_nodes.flavour import TERRAFORM_1_11

__all__ = ["reproduction"]

_USUAL: Final = Schedule()


def reproduction(result: CaseResult) -> str:
    """Return a command for a shell, in the directory in which the run was started. Several schedules are part of it
    only if a finding depends on them, and one only if it is not the usual one."""
    if result.generated_by:
        return result.generated_by
    words = ["diffharness", "run", result.path]
    if result.engines and not result.counts:
        words += ["--engines", ",".join(result.engines)]
    if result.flavour not in ("", TERRAFORM_1_11.name):
        words += ["--flavour", result.flavour]
    for option, values in (("--change", result.changes), ("--permissive", result.permissive)):
        words += [word for value in values for word in (option, value)]
    if result.prelude:
        words += ["--prelude", result.prelude]
    if result.mutant:
        words += ["--mutant", result.mutant]
    first = parse_schedule(result.first_schedule)
    schedules = _find_schedules(result.findings) or ([] if first is None else [first])
    return shlex.join([*words, *_schedule_options(schedules), *result.repeated])


def _find_schedules(findings: Iterable[Finding]) -> list[Schedule]:
    """Return the schedules of the first finding that has some. The place of a breakdown is its schedule."""
    for finding in findings:
        schedules = [each for each in map(parse_schedule, finding.schedules or (finding.place,)) if each is not None]
        if schedules:
            return schedules
    return []


def _schedule_options(schedules: Sequence[Schedule]) -> list[str]:
    """Return options for the smallest set of schedules that contains these. The first is first there, too, and none
    before the last shows anything: the run that found it went through all of them."""
    if not schedules:
        return []
    seeds = [each.seed for each in schedules]
    limits = dict.fromkeys(each.parallelism for each in schedules)
    handovers = dict.fromkeys(each.handover for each in schedules)
    is_several = len({*seeds}) > 1 or len(limits) > 1
    words = ["--seed", str(min(seeds))] if min(seeds) != _USUAL.seed else []
    if is_several:
        words += ["--schedules", str(max(seeds) - min(seeds) + 1)]
    if len(limits) == 1 and (is_several or _USUAL.parallelism not in limits):
        words += ["--parallelism", *map(str, limits)]
    if [*handovers] != [_USUAL.handover]:
        words += [word for handover in handovers for word in ("--handover", handover.value)]
    return words
