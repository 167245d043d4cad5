"""The interestingness test: whether a specimen still shows the signature it is reduced for.

If the signature was the worst finding of its engine, it must stay the worst, and if it followed from no other finding,
it must not do so later: the difference that was asked for is kept, and never another one in its place. Another
signature that becomes the worst during the reduction may be another bug, so the smallest specimen of each is kept. It
is not, if a module has lost the declaration of its providers: then the configuration itself is at fault.

If two objects end up with the same name, the baseline may differ from itself and from everything else. Such a specimen
is rejected, unless the reduction is about that or the original case was like that.

No command of a configuration is ever run here: a change may leave half a command, which could do anything.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Final

from harness.case.case import CaseError, read_case
from harness.case.prelude import Prelude
from harness.compare.ruling import Ruling
from harness.engines.external import is_external
from harness.execute.case_judge import judge_runner
from harness.findings.case_findings import findings_of
from harness.findings.finding import Finding, leading
from harness.findings.signature import Signature
from harness.findings.worst import is_own, worst_first
from harness.generate.story_execution import SIMULATED_PROCESSES, story_scratch_directory
from harness.play.case_runner import CaseRunner
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule
from harness.reduce.specimens.specimen import Specimen
from shared_nodes.processes import REAL
from shared_nodes.record import record

__all__ = ["NothingToReduceError", "SignaturePredicate", "make_predicate"]

_TIMEOUT_S: Final = 10.0
_HANG_S: Final = 3.0
_BINARY_FACTOR: Final = 6
_DECLARATION: Final = "required_providers"
_COMMANDS: Final = ("local-exec", "remote-exec", '"external"')
_AGAIN: Final = (Schedule(), Schedule(1, 2), Schedule(2, 1))


class NothingToReduceError(Exception):
    """The case does not show the difference that it is to be reduced for."""


@record(frozen=False)
class SignaturePredicate:
    """Checks specimens for one signature."""

    signature: Signature
    engines: tuple[str, ...]
    schedules: tuple[Schedule, ...]
    is_leading: bool
    """Whether the signature must be the first finding of its engine."""

    original_firsts: frozenset[Signature]
    """Leading signatures of the original case."""

    changes: frozenset[str] = frozenset()
    """Intended changes that the engines apply."""

    was_noisy: bool = False
    """Whether the baseline differed from itself in the original case."""

    prelude: Prelude | None = None
    """Added to every specimen, unless it declines it. It is no part of a specimen, and so is never reduced."""

    others: dict[Signature, Specimen] = field(default_factory=dict)
    """The smallest specimen of each other signature that came first in some trial."""

    may_follow: bool = False
    """Whether the finding was a consequence of another one in the original case."""

    declaring: frozenset[str] = frozenset()
    """The directories that declare providers in the original case."""

    def is_interesting(self, specimen: Specimen) -> bool:
        timeout_s = _limit_s(self.engines, _HANG_S if self.signature.ruling.is_timeout_or_memory else _TIMEOUT_S)
        found = _find_findings(specimen, self._spec(self.engines, self.schedules, timeout_s))
        worst = leading(found)
        firsts = {finding.signature for finding in worst}
        new = firsts - self.original_firsts - {self.signature} if self._declares_providers(specimen) else ()
        for other in new:
            known = self.others.get(other)
            if known is None or specimen.rank < known.rank:
                self.others[other] = specimen
        pool = worst if self.is_leading else found
        is_shown = any(each.signature == self.signature and (self.may_follow or is_own(each)) for each in pool)
        return is_shown and (self.was_noisy or not self.is_noisy(specimen))

    def _declares_providers(self, specimen: Specimen) -> bool:
        """Whether each directory that is left and once declared its providers still does."""
        left = {path.rpartition("/")[0] for path in specimen.files}
        return self.declaring & left <= _declaring(specimen)

    def is_noisy(self, specimen: Specimen) -> bool:
        """Whether the baseline differs from itself. Only checked for specimens that are otherwise accepted."""
        return _is_noisy(specimen, self._spec(self.engines[:1], self.schedules[:1], _TIMEOUT_S))

    def _spec(self, engines: tuple[str, ...], schedules: tuple[Schedule, ...], timeout_s: float) -> RunSpec:
        return RunSpec(engines, schedules, changes=self.changes, timeout_s=timeout_s, prelude=self.prelude)


def make_predicate(
    specimen: Specimen,
    engines: tuple[str, ...],
    wanted: str = "",
    schedules: tuple[Schedule, ...] = (Schedule(),),
    changes: frozenset[str] = frozenset(),
    *,
    prelude: Prelude | None = None,
) -> SignaturePredicate:
    """Choose the signature to keep. `wanted` is its digest; without one, the worst finding is chosen. A single schedule
    is used if it shows the signature, since each further one costs as much."""
    _require_harmless(specimen, engines)
    tried = [schedules[:1], schedules if len(schedules) > 1 else tuple(dict.fromkeys((*schedules, *_AGAIN)))]
    spec = RunSpec(engines, schedules[:1], changes=changes, timeout_s=_limit_s(engines, _TIMEOUT_S), prelude=prelude)
    seen: list[Finding] = []
    for some in tried:
        found = _find_findings(specimen, replace(spec, schedules=some))
        firsts = leading(found)
        pool = [each for each in worst_first(found) if not wanted or each.signature.digest == wanted]
        chosen = pool[0] if pool else None
        if chosen is not None:
            original_firsts = frozenset(each.signature for each in firsts)
            is_varying = chosen.signature.ruling.is_variation
            needed = tried[1] if is_varying else some
            was_noisy = is_varying or _is_noisy(specimen, spec)
            return SignaturePredicate(
                chosen.signature,
                engines,
                needed,
                chosen in firsts,
                original_firsts,
                changes,
                was_noisy,
                prelude,
                may_follow=not is_own(chosen),
                declaring=_declaring(specimen),
            )
        seen += found
    raise NothingToReduceError(_describe_nothing(engines, wanted, seen))


def _declaring(specimen: Specimen) -> frozenset[str]:
    """Return the directories in which a file declares providers."""
    return frozenset(path.rpartition("/")[0] for path, text in specimen.files.items() if _DECLARATION in text)


def _limit_s(engines: tuple[str, ...], usual_s: float) -> float:
    """Return the time limit of one trial. A binary starts a process for each command, which takes longer."""
    return usual_s * _BINARY_FACTOR if any(map(is_external, engines)) else usual_s


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


def _is_noisy(specimen: Specimen, spec: RunSpec) -> bool:
    """Whether the baseline differs from itself in its first schedule. Binaries are not checked: they choose their own
    order, and are slow."""
    if is_external(spec.engines[0]):
        return False
    schedule = spec.schedules[0]
    twice = (schedule, replace(schedule, seed=schedule.seed + 1))
    found = _find_findings(specimen, replace(spec, engines=spec.engines[:1], schedules=twice))
    return any(finding.signature.ruling is Ruling.NOISE for finding in found)


def _find_findings(specimen: Specimen, spec: RunSpec) -> list[Finding]:
    processes = REAL if any(map(is_external, spec.engines)) else SIMULATED_PROCESSES
    with story_scratch_directory() as root:
        directory, scratch = root / "specimen", root / "stage"
        scratch.mkdir()
        directory.mkdir()
        specimen.write(directory)
        try:
            case = read_case(directory)
            runner = CaseRunner.of(case, scratch, case.configurations, processes)
        except CaseError:
            return []
        wanted = spec.prelude if case.prelude else None
        return findings_of(judge_runner(replace(runner, prelude=wanted), spec))
