"""Assembles the HTML file. The same run gives the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Final

from harness.findings.case_causes import causes_by_case
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.run_comparison import compare_runs
from reports.html.detail import Reproduce, case_detail, equal_detail
from reports.html.embedding import DataBlock, embedded
from reports.html.index import case_index
from reports.html.overview import overview
from reports.html.shell import render_page
from reports.run.harness_quality import UNKNOWN, HarnessQuality
from shared_nodes.record import record

__all__ = ["SCRIPTS", "html_report"]

SCRIPTS: Final = (
    "page.js",
    "differences.js",
    "causes.js",
    "cause.js",
    "cases.js",
    "case.js",
    "steps.js",
    "values.js",
    "order.js",
    "reduction.js",
    "run.js",
    "keys.js",
    "start.js",
)
"""The parts of the script, in one scope. Only the last one does anything by itself."""

_MAX_DETAILS: Final = 10_000_000
"""Limit of all details in one file, in characters as they are embedded. The example of each cause comes first, so
that each cause has one. For a case that does not fit, the page says so and shows the command that reproduces it."""

_MAX_EQUAL: Final = 3_000_000
"""Limit of the facts about cases without findings, which is little of each."""

_MOST_REPRODUCED: Final = 1_000
"""For how many cases there is a text that reproduces them: each takes some milliseconds."""

_LARGEST_DETAIL: Final = 8_000_000
"""Limit for one case, in characters before they are packed: it must not take the room of all others."""

_BLOCK_SIZE: Final = 400_000
"""Size of a block of details, in characters. A block is unpacked as a whole when one of its cases is opened."""


def html_report(
    run: Run, before: Run | None = None, quality: HarnessQuality = UNKNOWN, reproduce: Reproduce | None = None
) -> str:
    """Return the page. `before` is an earlier run, with which this one is compared."""
    comparison = None if before is None else compare_runs(before, run)
    blocks, places = _detail_blocks(run, reproduce)
    index = embedded("index", case_index(run, comparison, places))
    values = overview(run, comparison, before, quality)
    return render_page("report.html", SCRIPTS, blocks=[index, *blocks], **values)


# Details


def _detail_blocks(run: Run, reproduce: Reproduce | None) -> tuple[list[DataBlock], dict[str, int]]:
    """Return the blocks of details, and the number of the block that contains each case."""
    packer = _Packer({result.identifier: number for number, result in enumerate(run.results)})
    causes = causes_by_case(run.causes)
    positions = {cause.identifier: number for number, cause in enumerate(run.causes)}
    for number, result in enumerate(_cases_to_show(run)):
        if packer.size >= _MAX_DETAILS:
            break
        own = causes.get(result.identifier, ())
        copied = reproduce if number < _MOST_REPRODUCED else None
        packer.add(result.identifier, case_detail(result, run.classes, own, positions, copied))
    packer.finish()
    limit = packer.size + _MAX_EQUAL
    for result in run.results:
        if not result.findings and packer.size < limit:
            packer.add(result.identifier, equal_detail(result))
    packer.finish()
    return packer.blocks, packer.places


@record(frozen=False)
class _Packer:
    """Puts details into blocks, one after the other."""

    numbers: Mapping[str, int]
    """The number of each case on the page."""

    blocks: list[DataBlock] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    size: int = 0
    """Number of characters of all blocks."""

    _pending: dict[str, Any] = field(default_factory=dict)
    _length: int = 0

    def add(self, identifier: str, detail: dict[str, Any]) -> None:
        length = len(json.dumps(detail))
        if length > _LARGEST_DETAIL:
            return
        self._pending[str(self.numbers[identifier])] = detail
        self._length += length
        self.places[identifier] = len(self.blocks)
        if self._length > _BLOCK_SIZE:
            self.finish()

    def finish(self) -> None:
        """End the block that is being filled."""
        if self._pending:
            self.blocks.append(embedded(f"detail-{len(self.blocks)}", self._pending))
            self.size += len(self.blocks[-1].text)
        self._pending, self._length = {}, 0


def _cases_to_show(run: Run) -> Iterator[CaseResult]:
    """Yield cases with findings: the example of each cause, then its other cases, the smallest first, one of each cause
    after the other. Cases whose findings all follow from something that was not kept come last."""
    results = {result.identifier: result for result in run.results if result.findings}
    by_size = sorted(results.values(), key=lambda case: (len(case.evidence), case.identifier))
    order = {case.identifier: number for number, case in enumerate(by_size)}
    queues = [
        [results[name] for name in (cause.smallest, *sorted({*cause.cases} - {cause.smallest}, key=order.__getitem__))]
        for cause in run.causes
    ]
    seen: set[str] = set()
    for turn in range(max(map(len, queues), default=0)):
        for queue in queues:
            if turn < len(queue) and queue[turn].identifier not in seen:
                seen.add(queue[turn].identifier)
                yield queue[turn]
    yield from (result for name, result in results.items() if name not in seen)
