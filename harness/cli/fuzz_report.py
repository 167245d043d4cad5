"""The result of a campaign, on the terminal and as JSON, with the same figures in both.

Other programs read `seed`, `commit`, `valid_share` and `canary` from the JSON, so these names are stable. Two runs of
the same campaign write the same bytes: what was measured with a clock is in a file of its own, `times_to_json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from rich.console import Console
from rich.table import Table

from harness.cli.support.console import make_console
from harness.engines.external import is_external
from harness.findings.causes import Cause
from harness.findings.run import Group, Run
from harness.generate.campaign import Campaign
from harness.generate.feedback import PAIRED, Coverage
from harness.trials.canary import CanaryOutcome, reason_not_to_try
from shared_nodes.record import record
from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["FuzzReport", "print_report", "report_to_json", "times_to_json"]

VALID_WANTED: Final = 0.6
"""Wanted share of valid configurations. With fewer, a campaign mostly compares error messages."""

_EXCERPT_LENGTH: Final = 600
_KINDS: Final = ("plan", "pair", "edge", "diagnostic")


@record
class FuzzReport:
    campaign: Campaign
    run: Run
    canary: CanaryOutcome
    elapsed_s: float
    commit: str
    is_interrupted: bool = False

    @property
    def stories_per_second(self) -> float:
        return len(self.campaign.results) / max(self.elapsed_s, 0.001)

    @property
    def valid_share(self) -> float | None:
        """Share among the validated configurations; not every configuration is validated."""
        asked = self.campaign.configurations
        return self.campaign.valid / asked if asked else None

    @property
    def kinds(self) -> Mapping[str, int]:
        """Number of distinct observations per kind."""
        return {kind: sum(key.startswith(f"{kind}: ") for key in self.campaign.coverage.seen) for kind in _KINDS}

    @property
    def known(self) -> Mapping[str, int]:
        """Number of stories with a documented divergence, per class."""
        found: Counter[str] = Counter()
        for entry, stories in self.run.documented.items():
            found[self.run.classes[entry]] += stories
        return dict(sorted(found.items()))


# For people


def print_report(report: FuzzReport) -> None:
    console = make_console()
    console.print(_features(report.campaign.coverage))
    console.print(_pairs(report.campaign.coverage))
    for cause in report.run.causes:
        _print_cause(console, cause)
    for line in _figures(report):
        console.print(line, highlight=False, markup=False)


def _features(coverage: Coverage) -> Table:
    table = Table(title="Features, and in how many stories they were", title_justify="left", show_header=False)
    cells = [f"{name} {count}" for name, count in sorted(coverage.used.items())]
    for start in range(0, len(cells), 4):
        table.add_row(*cells[start : start + 4])
    return table


def _pairs(coverage: Coverage) -> Table:
    table = Table(title="What happens to an object (down) and to one that depends on it (across)", title_justify="left")
    table.add_column("")
    for heading in PAIRED:
        table.add_column(heading, justify="right")
    pairs = coverage.pairs()
    for first in PAIRED:
        table.add_row(first, *(str(pairs.get((first, second), "·")) for second in PAIRED))
    return table


def _print_cause(console: Console, cause: Cause) -> None:
    finding = cause.example
    known = f" (known: {cause.known})" if cause.known else ""
    more = f" and {len(cause.signatures) - 1} more" if len(cause.signatures) > 1 else ""
    lines = [
        f"\n{len(cause.cases)}x {cause.title}{known}",
        f"   signature: {finding.signature.digest} {finding.signature}{more}",
        f"   smallest: {cause.smallest}, {finding.place}: {finding.field}",
        f"   expected: {finding.expected[:_EXCERPT_LENGTH]}",
        f"   got: {finding.got[-_EXCERPT_LENGTH:]}",
    ]
    for line in lines:
        console.print(line, highlight=False, markup=False)


def _figures(report: FuzzReport) -> Iterable[str]:
    campaign = report.campaign
    yield ""
    yield (
        f"{len(campaign.results):,} stories of {campaign.steps:,} steps, {report.stories_per_second:.1f} a second; "
        f"{len(campaign.coverage.used)} features, "
        + ", ".join(f"{count} {kind}s" for kind, count in report.kinds.items())
    )
    baseline = campaign.options.engines[0]
    if is_external(baseline) and not report.kinds["edge"]:
        yield f"no edges: {baseline} is a real program, and the order that it guarantees was not observed"
    share = report.valid_share
    if share is not None:
        few = "" if share >= VALID_WANTED else f", fewer than the {VALID_WANTED:.0%} wanted"
        yield (
            f"{campaign.configurations:,} configurations, {share:.0%} of them valid{few}; "
            f"{campaign.wrong_on_purpose} stories were wrong on purpose"
        )
    reason = reason_not_to_try(campaign.options) or "interrupted"
    yield f"canary: {report.canary}{f': {reason}' if report.canary is CanaryOutcome.NOT_TRIED else ''}"
    if report.known:
        yield "known: " + ", ".join(f"{category} in {count} stories" for category, count in report.known.items())
    new = [cause for cause in report.run.causes if not cause.known]
    stories = {case for cause in new for case in cause.cases}
    yield f"{len(new)} causes in {len(stories)} stories"


# For programs


def report_to_json(report: FuzzReport) -> Tree:
    campaign, share = report.campaign, report.valid_share
    return {
        "engines": [*campaign.options.engines],
        "seed": _number(campaign.options.seed),
        "profile": campaign.options.profile,
        "commit": report.commit,
        "stories": _number(len(campaign.results)),
        "configurations": _number(campaign.configurations),
        "valid": _number(campaign.valid),
        "valid_share": None if share is None else _number(round(share, 4)),
        "wrong_on_purpose": _number(campaign.wrong_on_purpose),
        "canary": str(report.canary),
        "interrupted": report.is_interrupted,
        "known": _counts(report.known),
        "features": _counts(dict(sorted(campaign.coverage.used.items()))),
        "pairs": _counts({f"{one} <- {two}": count for (one, two), count in sorted(campaign.coverage.pairs().items())}),
        "seen": _counts(dict(sorted(campaign.coverage.seen.items()))),
        "causes": [_cause_to_json(cause) for cause in report.run.causes],
        "signatures": [_group_to_json(group) for group in report.run.groups],
    }


def times_to_json(report: FuzzReport) -> Tree:
    """Return what differs from run to run."""
    return {
        "stories_per_second": _number(round(report.stories_per_second, 2)),
        "seconds": _number(round(report.elapsed_s)),
    }


def _cause_to_json(cause: Cause) -> Tree:
    return {
        "id": cause.identifier,
        "title": cause.title,
        "known": cause.known,
        "digest": cause.example.signature.digest,
        "stories": [*cause.cases],
        "signatures": [signature.digest for signature in cause.signatures],
    }


def _group_to_json(group: Group) -> Tree:
    finding = group.example
    return {
        "digest": group.signature.digest,
        "signature": str(group.signature),
        "stories": [case.path for case in group.cases],
        "known": group.known,
        "place": finding.place,
        "field": finding.field,
        "expected": finding.expected,
        "got": finding.got,
    }


def _counts(counts: Mapping[str, int]) -> dict[str, Tree]:
    return {name: _number(count) for name, count in counts.items()}


def _number(number: float) -> JsonNumber:
    return JsonNumber(str(number))
