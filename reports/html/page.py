"""Assembles the HTML file. The same run gives the same bytes."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from harness.findings.case_causes import causes_by_case
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.run_comparison import compare_runs
from reports.html.detail import case_detail
from reports.html.embedding import DataBlock, embedded
from reports.html.index import case_index
from reports.html.overview import overview
from reports.run.harness_quality import UNKNOWN, HarnessQuality

__all__ = ["html_report"]

_MAX_DETAILS: Final = 10_000_000
"""Limit of all details in one file, in characters as they are embedded. The smallest case of each cause comes first, so
that each cause has one. For a case that does not fit, the page says so and shows the command that reproduces it."""

_LARGEST_DETAIL: Final = 8_000_000
"""Limit for one case, in characters before they are packed: it must not take the room of all others."""

_BLOCK_SIZE: Final = 400_000
"""Size of a block of details, in characters. A block is unpacked as a whole when one of its cases is opened."""


def html_report(run: Run, before: Run | None = None, quality: HarnessQuality = UNKNOWN) -> str:
    """Return the page. `before` is an earlier run; what is new since then comes first."""
    comparison = None if before is None else compare_runs(before, run)
    blocks, places = _detail_blocks(run)
    index = embedded("index", case_index(run, comparison, places))
    return _template().render(
        overview(run, comparison, before, quality),
        blocks=[index, *blocks],
        script=_script(),
        style=_style(),
        policy=_policy(),
    )


# Details


def _detail_blocks(run: Run) -> tuple[list[DataBlock], dict[str, int]]:
    """Return the blocks of details, and the number of the block that contains each case."""
    blocks: list[DataBlock] = []
    places: dict[str, int] = {}
    pending: dict[str, Any] = {}
    numbers = {result.identifier: number for number, result in enumerate(run.results)}
    causes = causes_by_case(run.causes)
    positions = {cause.identifier: number for number, cause in enumerate(run.causes)}
    room, size = _MAX_DETAILS, 0
    for result in _cases_to_show(run):
        detail = case_detail(result, run.classes, causes.get(result.identifier, ()), positions)
        length = len(json.dumps(detail))
        if length > _LARGEST_DETAIL:
            continue
        size += length
        pending[str(numbers[result.identifier])] = detail
        places[result.identifier] = len(blocks)
        if size > _BLOCK_SIZE:
            blocks.append(embedded(f"detail-{len(blocks)}", pending))
            room -= len(blocks[-1].text)
            pending, size = {}, 0
        if room <= 0:
            break
    return ([*blocks, embedded(f"detail-{len(blocks)}", pending)] if pending else blocks), places


def _cases_to_show(run: Run) -> Iterator[CaseResult]:
    """Yield cases with findings: the smallest of each cause, then the second smallest of each, and so on. Cases whose
    findings all follow from something that was not kept come last."""
    results = {result.identifier: result for result in run.results if result.findings}
    queues = [
        sorted((results[name] for name in cause.cases), key=lambda case: (len(case.evidence), case.identifier))
        for cause in run.causes
    ]
    seen: set[str] = set()
    for turn in range(max(map(len, queues), default=0)):
        for queue in queues:
            if turn < len(queue) and queue[turn].identifier not in seen:
                seen.add(queue[turn].identifier)
                yield queue[turn]
    yield from (result for name, result in results.items() if name not in seen)


# The template


@cache
def _template() -> Template:
    environment = Environment(
        loader=FunctionLoader(lambda name: _text("templates", name)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html")


def _text(directory: str, name: str) -> str:
    return files(__package__).joinpath(directory, name).read_text(encoding="utf-8")


@cache
def _script() -> Markup:
    """Return our script as markup. It contains no data of a run."""
    text = _text("static", "report.js")
    assert "</" not in text, "a script that could end its own element"
    return Markup(text)


@cache
def _style() -> Markup:
    text = _text("static", "report.css")
    assert "<" not in text, "a style sheet that could end its own element"
    return Markup(text)


@cache
def _policy() -> str:
    """Return a policy that allows one script and one style sheet, by hash, and no images, frames, requests or markup
    made from text."""
    hashes = {name: _hash(text) for name, text in (("script", _script()), ("style", _style()))}
    return (
        f"default-src 'none'; script-src '{hashes['script']}'; style-src '{hashes['style']}'; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
