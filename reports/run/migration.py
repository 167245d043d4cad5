"""The state of a migration from one runtime to another, as a page of Markdown that is kept in a repository.

Unlike the Markdown of a comment it has no limit, and it depends on nothing but the results of the run and
`upstream.yaml`: no time, no duration, no machine. The same run gives the same page, so that a test can tell whether the
page that is kept is up to date.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final
from urllib.parse import quote

from harness.findings.burn_down import burn_down
from harness.findings.case_causes import causes_by_case, example_of
from harness.findings.causes import Cause
from harness.findings.feature_outcomes import Outcome, count_features, outcome_of
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.upstream import Flag, UnknownTest, Upstream
from reports.run.markdown import code
from reports.visible import visible_line

__all__ = ["migration_page"]

_MEANINGS: Final = {
    Outcome.SAME: "does the same, but for events and wording",
    Outcome.ERROR: "fails where the old one does not",
    Outcome.IGNORED: "does nothing where the old one acts or complains",
    Outcome.WRONG: "does or reports something else",
    Outcome.CRASH: "crashes, or comes to no end",
}
_DISCOVERIES: Final = "discoveries"
"""The area of the smallest stories of what no flag is about."""

_NUMBER: Final = re.compile(r"([BDNU])([0-9]+)([a-z]?)")
"""A tag that numbers a discovery: D27b."""

_NO_FLAG: Final = "none yet"
_NOT_RECORDED: Final = "not recorded"
_WIDTH: Final = 110
_MARKUP: Final = re.compile(r"([\\*<>\[\]|])")


def migration_page(run: Run, upstream: Upstream, corpus: Path, page: Path) -> str:
    """Return the text of the file `page`, whose links to stories are relative to its directory. `corpus` is the
    directory that was run."""
    state = _State(run, upstream, corpus, page)
    sections = (_introduction, _summary, _causes, _burn_down, _flags, _discoveries, _unknown_tests, _features)
    return "\n".join("".join(f"{line}\n" for line in section(state)) for section in sections)


@dataclass(frozen=True)
class _State:
    """Not slotted, so that what is looked up often is cached."""

    run: Run
    upstream: Upstream
    corpus: Path
    page: Path

    @cached_property
    def results(self) -> Mapping[str, CaseResult]:
        return {result.identifier: result for result in self.run.results}

    @cached_property
    def outcomes(self) -> Mapping[str, Outcome]:
        """The outcome of each story in which the runtimes could be compared."""
        found = {result.identifier: outcome_of(result, self.run.candidates) for result in self.run.results}
        return {identifier: outcome for identifier, outcome in found.items() if outcome is not None}

    @cached_property
    def known(self) -> Mapping[str, tuple[Cause, ...]]:
        """The documented causes that show in this run, heaviest first, by the flag or discovery they belong to."""
        found: dict[str, list[Cause]] = defaultdict(list)
        for cause in self.run.causes:
            if cause.known:
                found[_family(cause.known)].append(cause)
                if cause.known != _family(cause.known):
                    found[cause.known].append(cause)
        return {name: tuple(causes) for name, causes in found.items()}

    @cached_property
    def discoveries(self) -> Mapping[str, CaseResult]:
        """The stories of discoveries by their numbers, in the order of these."""
        found = [
            (match[1], int(match[2]), match[3], result)
            for result in self.run.results
            if result.area == _DISCOVERIES and (match := next(filter(None, map(_NUMBER.fullmatch, result.tags)), None))
        ]
        return {
            f"{letter}{number}{suffix}": result
            for letter, number, suffix, result in sorted(found, key=lambda each: each[:3])
        }

    @cached_property
    def flags(self) -> frozenset[str]:
        return frozenset(flag.identifier for flag in self.upstream.flags)

    def stories(self, name: str) -> frozenset[str]:
        """Return the stories in which a flag, a discovery or an entry of known.yaml shows."""
        return frozenset(case for cause in self.known.get(name, ()) for case in cause.cases)

    def story(self, identifier: str) -> str:
        """Return a link to the directory of a story."""
        result = self.results.get(identifier)
        if result is None:
            return code(identifier)
        return f"[{_plain(identifier)}]({quote(Path(os.path.relpath(result.path, self.page.parent)).as_posix())})"


def _family(entry: str) -> str:
    """Return the flag or discovery that an entry of known.yaml is about: several may be about one, as D5-a and D5-b."""
    return entry.partition("-")[0]


# Parts of Markdown


def _plain(text: str) -> str:
    """Return text on one line in which nothing but code spans is markup. A vertical bar ends a cell even in these."""
    parts = visible_line(text).split("`")
    if len(parts) % 2 == 0:
        return _MARKUP.sub(r"\\\1", "'".join(parts))
    return "`".join(
        part.replace("|", r"\|") if number % 2 else _MARKUP.sub(r"\\\1", part) for number, part in enumerate(parts)
    )


def _paragraph(text: str) -> Iterator[str]:
    """Yield an empty line and the text in lines."""
    yield ""
    yield from textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _table(headings: Sequence[str], rows: Iterable[Sequence[str | int]]) -> Iterator[str]:
    """Yield a table with an empty line before it. A heading that begins with # is that of a column of numbers."""
    yield ""
    yield f"| {' | '.join(heading.lstrip('#') for heading in headings)} |"
    yield f"|{'|'.join('---:' if heading.startswith('#') else '---' for heading in headings)}|"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(value: str | int) -> str:
    return f"{value:,}" if isinstance(value, int) else value


def _stories(count: int) -> str:
    return "1 story" if count == 1 else f"{count:,} stories"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(code, names)) or "none"


# Sections


def _introduction(state: _State) -> Iterator[str]:
    run, upstream = state.run, state.upstream
    yield f"# The state of {_plain(upstream.project)}'s migration to its new runtime"
    yield from _paragraph(
        "This page is generated from a run of diffharness. Every number is counted in the outputs of the two runtimes: "
        "plans, states, diagnostics, events, the order of effects, crashes. It is not edited by hand."
    )
    yield ""
    yield f"- recorded: {_plain(upstream.project)} {_plain(upstream.build)}, in {_plain(upstream.recorded)}"
    yield f"- the old runtime: {code(run.baseline)}; the new runtime: {_listed(run.candidates)}"
    yield f"- {_stories(len(run.results))}, of which {len(state.outcomes):,} are recorded under both"
    yield from _paragraph("To repeat it, offline:")
    yield ""
    yield f"    diffharness run {state.corpus.as_posix()} --engines {','.join(run.engines)} \\"
    yield f"        --migration {state.page.as_posix()}"


def _summary(state: _State) -> Iterator[str]:
    run, counts = state.run, Counter(state.outcomes.values())
    differing = len(state.outcomes) - counts[Outcome.SAME] - counts[Outcome.CRASH]
    equal = sum(set(run.candidates) <= set(result.equal) for result in run.results)
    new = sum(not cause.known for cause in run.causes)
    yield "## Summary"
    yield from _paragraph(
        f"The two runtimes do the same in {counts[Outcome.SAME]:,} of {_stories(len(state.outcomes))}, they differ in "
        f"{differing:,}, and the new one crashes or hangs in {counts[Outcome.CRASH]:,}. In {equal:,} every recorded "
        f"detail is equal. What differs has {len(run.causes):,} causes, of which {len(run.causes) - new:,} are "
        f"documented and {new:,} are new."
    )
    rows: list[Sequence[str | int]] = [(outcome, counts[outcome], meaning) for outcome, meaning in _MEANINGS.items()]
    if left_out := len(run.results) - len(state.outcomes):
        rows.append(("not compared", left_out, "is not recorded"))
    yield from _table(("outcome", "#stories", "the new runtime"), rows)


def _causes(state: _State) -> Iterator[str]:
    yield "## Causes"
    yield from _paragraph(
        "The heaviest come first: crash, hang, failure of one runtime, other actions, other values, order of effects, "
        "diagnostics, events, wording. A story in which several causes show counts under each."
    )
    headings = ("cause", "class", "weight", "what differs", "#stories", "example", "flag")
    yield from _table(headings, (_cause_row(state, cause) for cause in state.run.causes))


def _cause_row(state: _State, cause: Cause) -> Sequence[str | int]:
    return (
        code(cause.identifier),
        cause.category or "new",
        cause.weight.description,
        _plain(cause.title),
        len(cause.cases),
        state.story(cause.smallest),
        code(family) if (family := _family(cause.known)) in state.flags else _NO_FLAG,
    )


def _burn_down(state: _State) -> Iterator[str]:
    counted = burn_down(state.run)
    gone = sorted({stale.entry for stale in state.run.stale} - state.known.keys())
    present = sum(each.present for each in counted.classes)
    yield "## Burn-down"
    yield from _paragraph(
        "The causes that known.yaml documents, by class: those that this run shows, and those that are gone, which "
        "fail the run until their entries are taken out."
    )
    rows = [
        (each.category, each.present, each.gone, each.cases) for each in counted.classes if each.present or each.gone
    ]
    yield from _table(("class", "#known and present", "#known and gone", "#stories"), rows)
    yield ""
    yield f"- known and present: {present:,}"
    yield f"- known and gone: {len(gone):,}{f' ({_listed(gone)})' if gone else ''}"
    yield f"- new: {counted.new:,}{f', in {_stories(counted.new_cases)}' if counted.new else ''}"


def _flags(state: _State) -> Iterator[str]:
    flags = [flag for flag in state.upstream.flags if flag.is_explained]
    shown = sorted(
        (flag for flag in flags if flag.identifier in state.known),
        key=lambda flag: (-len(state.stories(flag.identifier)), flag.identifier),
    )
    hidden = [flag for flag in flags if flag.identifier not in state.known]
    project = _plain(state.upstream.project)
    yield f"## {project}'s flags, recounted by output"
    yield from _paragraph(
        f"The flags with which tests of {project} say why they are not run with the new runtime, and the stories in "
        "whose outputs the cause of each shows. Tests with a flag that is done are run. The discoveries that a flag is "
        "nearest to do not count among its stories."
    )
    headings = ("flag", "class", "upstream", "what it is about", "discoveries")
    yield from _table(
        (*headings, "#stories", "example"),
        ((*_flag_cells(state, flag), *_flag_stories(state, flag)) for flag in shown),
    )
    yield from _paragraph(f"Flags that no story shows: {len(hidden):,}.")
    yield from _table(headings, (_flag_cells(state, flag) for flag in hidden))


def _flag_cells(state: _State, flag: Flag) -> Sequence[str]:
    near = [number for number, result in state.discoveries.items() if flag.identifier in result.tags]
    status = "done" if flag.is_done else "open"
    return code(flag.identifier), flag.category, status, _plain(flag.what), ", ".join(map(code, near))


def _flag_stories(state: _State, flag: Flag) -> tuple[int, str]:
    """Return the number of its stories, and the example of its most frequent cause."""
    cause = max(state.known[flag.identifier], key=lambda cause: len(cause.cases))
    return len(state.stories(flag.identifier)), state.story(cause.smallest)


def _discoveries(state: _State) -> Iterator[str]:
    recorded = sum(result.identifier in state.outcomes for result in state.discoveries.values())
    yield "## Discoveries"
    yield from _paragraph(
        f"What no flag describes. Each has a smallest story, written for it; {recorded:,} of "
        f"{len(state.discoveries):,} are recorded. A discovery without an entry of its own in known.yaml has the "
        "entries under which the heaviest differences of its story are documented, marked by *as*."
    )
    headings = ("id", "what happens", "smallest story", "outcome", "nearest flag", "entries", "class", "#stories")
    yield from _table(headings, (_discovery_row(state, *each) for each in state.discoveries.items()))


def _discovery_row(state: _State, number: str, result: CaseResult) -> Sequence[str | int]:
    causes = state.known.get(number, ())
    return (
        code(number),
        _plain(result.description),
        state.story(result.identifier),
        state.outcomes.get(result.identifier, _NOT_RECORDED),
        ", ".join(code(tag) for tag in result.tags if tag in state.flags) or _NO_FLAG,
        _listed(cause.identifier for cause in causes) if causes else _documented_as(state, result),
        ", ".join(sorted({cause.category for cause in causes})),
        len(state.stories(number)) if causes else "",
    )


def _documented_as(state: _State, story: CaseResult) -> str:
    """Return the causes of the heaviest differences of a story, if it has more than events and wording."""
    if state.outcomes.get(story.identifier, Outcome.SAME) is Outcome.SAME:
        return "none"
    causes = causes_by_case(state.run.causes)[story.identifier]
    weights = {cause.identifier: example_of(story, cause, causes).weight for cause in causes}
    heaviest = max(weights.values())
    return f"as {_listed(name for name, weight in weights.items() if weight is heaviest)}"


def _unknown_tests(state: _State) -> Iterator[str]:
    tests = state.upstream.unknown_tests
    counts = Counter(test.outcome for test in tests)
    yield "## Tests flagged Unknown"
    yield from _paragraph(
        f"{len(tests):,} tests of {_plain(state.upstream.project)} have a flag that says that the reason for which "
        f"they fail is not known. With the flag lifted {counts['passes']:,} pass, {counts['fails']:,} fail, and "
        f"{counts['artefact']:,} fail for a reason of the test itself. The last column has the entries "
        "of these causes in known.yaml that this run finds in the story, or what is marked by *as* above."
    )
    headings = ("test", "outcome", "causes", "story", "found in the story")
    yield from _table(headings, ((code(test.name), test.outcome, *_test_cells(state, test)) for test in tests))


def _test_cells(state: _State, test: UnknownTest) -> tuple[str, str, str]:
    causes = _listed(test.causes)
    if not test.story:
        return causes, f"none: {_plain(test.reason)}", ""
    if test.story not in state.outcomes:
        return causes, state.story(test.story), _NOT_RECORDED
    found = [
        cause.identifier for name in test.causes for cause in state.known.get(name, ()) if test.story in cause.cases
    ]
    if found:
        return causes, state.story(test.story), _listed(found)
    is_discovery = any(
        state.discoveries[name].identifier == test.story for name in test.causes if name in state.discoveries
    )
    shown = _documented_as(state, state.results[test.story]) if is_discovery else "none"
    return causes, state.story(test.story), shown


def _features(state: _State) -> Iterator[str]:
    yield "## Features"
    yield from _paragraph(
        "What becomes of the stories that use each feature or have each tag: the outcomes of the summary above. "
        "Features with the most stories that are not the same come first."
    )
    yield from _table(
        ("feature", "#stories", *(f"#{outcome}" for outcome in Outcome)),
        (
            (code(row.name), row.cases, *row.counts.values())
            for row in count_features(state.run.results, state.run.candidates)
        ),
    )
