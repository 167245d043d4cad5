"""How long the engines took, if a real binary took part. Recorded engines take no time, and so have no speed.

Only cases that every engine ran to their end count: means over different cases cannot be compared. An engine may have
run a case more often than another: the time is that of one run.
"""

from __future__ import annotations

from harness.engines.external import is_external
from harness.engines.recorded import is_recorded
from harness.findings.run import Run
from shared_nodes.record import record

__all__ = ["BinaryShare", "Speed", "binary_share", "speeds"]


@record
class Speed:
    engine: str
    cases: int
    mean_s: float
    """Mean time of a case."""

    factor: float | None
    """How many times as fast as the fastest binary; None for a binary."""

    binary: str
    """The fastest binary."""


def speeds(run: Run) -> tuple[Speed, ...]:
    """Return the speeds in the order of the engines; nothing if no binary took part."""
    engines = [name for name in run.engines if not is_recorded(name)]
    binaries = [name for name in engines if is_external(name)]
    ran = [
        result
        for result in run.results
        if all(result.runs.get(name) and result.elapsed_s.get(name) for name in engines)
    ]
    if not binaries or not ran:
        return ()
    spent = {name: sum(result.elapsed_s[name] / result.runs[name] for result in ran) for name in engines}
    real = min(binaries, key=spent.__getitem__)
    return tuple(
        Speed(name, len(ran), spent[name] / len(ran), None if name in binaries else spent[real] / spent[name], real)
        for name in engines
    )


@record
class BinaryShare:
    """What part of the time of a case is that of its binaries. The rest is the harness: copying, reading, comparing."""

    cases: int
    """Cases in which a binary ran."""

    mean_s: float
    """Mean time of such a case, with all its engines and runs."""

    share: float
    """The part of it in which commands of binaries ran; providers that the harness offers them work meanwhile."""

    def __str__(self) -> str:
        cases = "1 case" if self.cases == 1 else f"{self.cases:,} cases"
        return f"{cases} with binaries, {self.mean_s:.2f} s per case, {100 * self.share:.0f} % of it in the binaries"


def binary_share(run: Run) -> BinaryShare | None:
    """Return the share of the binaries; None if none ran."""
    ran = [result for result in run.results if result.binaries_s and result.case_s]
    if not ran:
        return None
    whole_s = sum(result.case_s for result in ran)
    return BinaryShare(len(ran), whole_s / len(ran), sum(result.binaries_s for result in ran) / whole_s)
