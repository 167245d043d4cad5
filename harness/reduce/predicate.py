"""Whether a specimen still shows what it is kept for.

It has to show the signature where that counts: as the first finding of its engine, if that is what it was, since what
comes after another difference may be its consequence. What else shows first on the way is another bug, maybe: the
smallest specimen of each is kept.

Two objects that come to have one name may make the baseline differ from itself, and that from anything: such a specimen
is refused, unless that is what it is kept for or it was so from the beginning.

No command of a configuration is ever run here. A change may leave half of one, and half a command can do anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from multiprocessing.util import get_temp_dir
from typing import Final

from harness.case.case import CaseError, read_case
from harness.compare.ruling import Ruling
from harness.compare.verdict import Terms, judge_theatre
from harness.engines.external import is_external
from harness.findings.finding import Finding, findings_of, leading
from harness.findings.signature import Signature
from harness.generate.story_execution import SIMULATED_PROCESSES, story_scratch_directory
from harness.play.case_runner import CaseRunner
from harness.play.schedule import Schedule
from harness.reduce.specimen import Specimen
from shared_nodes.processes import REAL

__all__ = ["NothingToReduceError", "SignaturePredicate", "make_predicate"]

_TIMEOUT_S: Final = 10.0
_HANG_S: Final = 3.0
_COMMANDS: Final = ("local-exec", "remote-exec", '"external"')
_AGAIN: Final = (Schedule(), Schedule(1, 2), Schedule(2, 1))
_VARYING: Final = (Ruling.FLAKY, Ruling.NOISE)
_LATE: Final = (Ruling.HANG, Ruling.OVER_BUDGET)


class NothingToReduceError(Exception):
    """The case does not show what it is to be made smaller for."""


@dataclass(slots=True)
class SignaturePredicate:
    """In one signature."""

    signature: Signature
    engines: tuple[str, ...]
    ways: tuple[Schedule, ...]
    is_leading: bool
    familiar: frozenset[Signature]
    """What the case showed first at the beginning."""

    changes: frozenset[str] = frozenset()
    """Intended changes that engines make."""

    was_noisy: bool = False
    others: dict[Signature, Specimen] = field(default_factory=dict)

    def is_interesting(self, specimen: Specimen) -> bool:
        timeout_s = _HANG_S if self.signature.ruling in _LATE else _TIMEOUT_S
        found = _find_findings(specimen, self.engines, self.ways, timeout_s, self.changes)
        firsts = {finding.signature for finding in leading(found)}
        for other in firsts - self.familiar - {self.signature}:
            known = self.others.get(other)
            if known is None or specimen.rank < known.rank:
                self.others[other] = specimen
        shown = firsts if self.is_leading else {finding.signature for finding in found}
        return self.signature in shown and (self.was_noisy or not self.is_noisy(specimen))

    def is_noisy(self, specimen: Specimen) -> bool:
        """Whether the baseline differs from itself. Asked only of what is going to be kept."""
        return _is_noisy(specimen, self.engines[0], self.ways[0], self.changes)


def make_predicate(
    specimen: Specimen,
    engines: tuple[str, ...],
    wanted: str = "",
    ways: tuple[Schedule, ...] = (Schedule(),),
    changes: frozenset[str] = frozenset(),
) -> SignaturePredicate:
    """`wanted` is the digest of a signature; without it, the first finding that is more than prose is meant. Run in one
    way where that shows it, since every further one costs as much."""
    _require_harmless(specimen, engines)
    tried = [ways[:1], ways if len(ways) > 1 else tuple(dict.fromkeys((*ways, *_AGAIN)))]
    seen: list[Finding] = []
    for some in tried:
        found = _find_findings(specimen, engines, some, _TIMEOUT_S, changes)
        firsts = leading(found)
        pool = [each for each in (*firsts, *found) if not wanted or each.signature.digest == wanted]
        chosen = next((each for each in pool if not each.is_detail), pool[0] if pool else None)
        if chosen is not None:
            familiar = frozenset(each.signature for each in firsts)
            is_varying = chosen.signature.ruling in _VARYING
            needed = tried[1] if is_varying else some
            was_noisy = is_varying or _is_noisy(specimen, engines[0], ways[0], changes)
            return SignaturePredicate(chosen.signature, engines, needed, chosen in firsts, familiar, changes, was_noisy)
        seen += found
    raise NothingToReduceError(_describe_nothing(engines, wanted, seen))


def _describe_nothing(engines: tuple[str, ...], wanted: str, seen: list[Finding]) -> str:
    if not seen:
        return (
            f"{' and '.join(engines)} do not differ here, without its recording and without running commands: "
            "there is nothing to keep while it is made smaller"
        )
    found = ", ".join(sorted({f"{each.signature.digest} ({each.signature})" for each in seen}))
    return f"no finding has the signature {wanted}; there is {found}"


def _require_harmless(specimen: Specimen, engines: tuple[str, ...]) -> None:
    if any(map(is_external, engines)):
        for path, text in specimen.files.items():
            if any(command in text for command in _COMMANDS):
                raise NothingToReduceError(
                    f"{path} runs commands, and a real program would run whatever is left of them while the case is "
                    "made smaller; take them out first, or choose engines of diffharness"
                )


def _is_noisy(specimen: Specimen, baseline: str, way: Schedule, changes: frozenset[str]) -> bool:
    """A binary decides itself in which order it does things, and takes long."""
    if is_external(baseline):
        return False
    found = _find_findings(specimen, (baseline,), (way, replace(way, seed=way.seed + 1)), _TIMEOUT_S, changes)
    return any(finding.signature.ruling is Ruling.NOISE for finding in found)


def _find_findings(
    specimen: Specimen, engines: tuple[str, ...], ways: tuple[Schedule, ...], timeout_s: float, changes: frozenset[str]
) -> list[Finding]:
    processes = REAL if any(map(is_external, engines)) else SIMULATED_PROCESSES
    get_temp_dir()  # made once a process, for other processes it starts: it must not be in a place that goes away
    with story_scratch_directory() as place:
        directory, stage = place / "specimen", place / "stage"
        stage.mkdir()
        directory.mkdir()
        specimen.write(directory)
        try:
            case = read_case(directory)
            theatre = CaseRunner.of(case, stage, case.configurations, processes)
        except CaseError:
            return []
        return findings_of(judge_theatre(Terms(theatre, changes=changes, timeout_s=timeout_s), engines, ways))
