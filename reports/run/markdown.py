"""A run as Markdown, for a comment on a pull request or the summary of a workflow step.

GitHub rejects comments of more than 65,536 characters, so the text is made to fit: the most important parts come first,
and what does not fit is counted. Words of a case occur only in code spans and fenced blocks, where nothing is read as a
link, a mention or markup.
"""

from __future__ import annotations

import difflib
import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from harness.findings.burn_down import burn_down
from harness.findings.case_causes import causes_by_case
from harness.findings.causes import Cause
from harness.findings.feature_outcomes import FeatureOutcomes, Outcome, count_features
from harness.findings.finding import Finding
from harness.findings.headline import headline
from harness.findings.result import CaseResult
from harness.findings.run import Run, Stale
from harness.findings.run_comparison import Comparison
from reports.run.cause_status import Task, causes_sentence, describe_status, task_of
from reports.run.comparison import CASE_CHANGES, list_some
from reports.run.engine_labels import engine_labels
from reports.run.impacts import IMPACTS, count_impacts
from reports.run.printed import text_at
from reports.run.screen import case_screen
from reports.run.source_lines import read_evidence
from reports.visible import shortened, visible, visible_line

__all__ = ["COMMENT", "block", "code", "markdown", "printed_sides", "title"]

COMMENT: Final = 65_536
"""Limit of a comment, in bytes. GitHub counts characters, so this is on the safe side."""

_LONGEST: Final = 300
_MOST_LINES: Final = 60
_SIDES: Final = {"-": "A ", "+": "B ", "@": ".."}
_BACKTICKS: Final = re.compile(r"`+")


def markdown(run: Run, limit: int = COMMENT, since: Comparison | None = None) -> str:
    text = _headline(run) + _impacts(run)
    if since is not None:
        text += "### Since the earlier run\n\n"
        text = _fill(text, _changes_since(since), limit // 4, "- *{} more*\n") + "\n"
    if run.stale:
        text += "### Entries of known.yaml that are out of date\n\n"
        text = _fill(text, map(_stale_line, run.stale), 3 * limit // 8, "\n*{} more*\n") + "\n"
    if run.causes:
        text += "### Causes\n\n| weight | cases | cause | status | example |\n|---|---:|---|---|---|\n"
        text = _fill(text, map(_table_row, run.causes), limit // 2, "\n*{} more causes*\n") + "\n"
    features = count_features(run.results, run.candidates)
    if features:
        affected = [row for row in features if row.counts[Outcome.SAME] < row.cases]
        alike = len(features) - len(affected)
        text += _feature_heading() if affected else ""
        text = _fill(text, map(_feature_row, affected), 5 * limit // 8, "\n*{} more features*\n")
        text += "\n" if affected else ""
        text += f"{alike:,} of {len(features):,} features came out the same in all of their cases.\n\n" if alike else ""
    return _fill(text, [*_documented(run), *_sections(run)], limit, "\n*{} more parts do not fit here*\n")


def _fill(text: str, parts: Iterable[str], limit: int, left_out: str) -> str:
    """Append as many parts as fit, in order, and the number of those that do not."""
    parts = list(parts)
    size = len(text.encode())
    for number, part in enumerate(parts):
        size += len(part.encode())
        if size + len(left_out.encode()) + len(str(len(parts))) > limit:
            return text + left_out.format(len(parts) - number)
        text += part
    return text


def code(text: str) -> str:
    """Return a code span with the text on one line. A vertical bar would end the cell of a table even if escaped."""
    shown = visible_line(shortened(text, _LONGEST)) or " "
    fence = "`" * (_longest_run(shown) + 1)
    space = " " if shown.startswith("`") or shown.endswith("`") or shown.strip() != shown else ""
    return f"{fence}{space}{shown}{space}{fence}".replace("|", "\N{BOX DRAWINGS LIGHT VERTICAL}")


def title(cause: Cause) -> str:
    """Return the title of a cause as one code span: what is code in it cannot be marked within another one."""
    return code(_without_marks(cause.title))


def _without_marks(words: str) -> str:
    return words if words.count("`") % 2 else words.replace("`", "")


def block(text: str) -> str:
    shown = visible(text)
    fence = "`" * max(_longest_run(shown) + 1, 3)
    return f"{fence}text\n{shown}\n{fence}\n"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)


# Parts


def _headline(run: Run) -> str:
    word = {0: "equal", 1: "different", 2: "incomplete", 3: "broken"}[run.exit_status]
    mark = "✅" if run.exit_status == 0 else "❌"
    labels = engine_labels(run.engines)
    against = f" against {code(labels[run.baseline])}" if len(run.engines) > 1 else ""
    held = ", ".join(code(labels[name]) for name in run.engines[1:] or run.engines)
    said = code(headline(run))
    stopped = "" if run.is_complete else f"**The run was stopped: {run.planned - len(run.results):,} never run.**\n\n"
    count = f"{len(run.results):,} {'case' if len(run.results) == 1 else 'cases'}"
    causes = f"**{causes_sentence(run)}.**\n\n" if run.causes else ""
    return f"## {mark} diffharness: {word}\n\n{said}\n\n{stopped}{held}{against}, {count}.\n\n{causes}"


def _impacts(run: Run) -> str:
    rows = [f"| {IMPACTS[name]} | {count:,} |\n" for name, count in count_impacts(run).items()]
    if not run.is_complete:
        rows.append(f"| never run | {run.planned - len(run.results):,} |\n")
    total = f"| **all** | **{max(run.planned, len(run.results)):,}** |\n"
    return "| what came of it | cases |\n|---|---:|\n" + "".join(rows) + total + "\n"


def _changes_since(comparison: Comparison) -> Iterator[str]:
    if comparison.is_empty:
        yield "- nothing has changed\n"
    for kind, causes in (("new cause", comparison.new_causes), ("gone cause", comparison.gone_causes)):
        for cause in causes:
            yield f"- **{kind}**: {title(cause)}, as in {code(cause.smallest)}\n"
    for kind, groups in (("new", comparison.new), ("gone", comparison.gone)):
        for group in groups:
            yield f"- **{kind}**: {code(str(group.signature))}, as in {code(group.smallest.identifier)}\n"
    for group, before, now in comparison.changed:
        yield f"- **another class**: {code(str(group.signature))} was {code(before)}, is {code(now)}\n"
    for name in CASE_CHANGES:
        if cases := getattr(comparison, name):
            yield f"- **{name}**: {len(cases):,} {'case' if len(cases) == 1 else 'cases'}: {code(list_some(cases))}\n"


def _stale_line(stale: Stale) -> str:
    return f"- {code(stale.place)}: {code(stale.entry)}: {code(stale.problem)}\n"


def _table_row(cause: Cause) -> str:
    documented = f"{describe_status(cause)}{f' {code(cause.known)}' if cause.known else ''}"
    numbers = f"| {cause.weight.description} | {len(cause.cases):,} |"
    return f"{numbers} {title(cause)} | {documented} | {code(cause.smallest)} |\n"


def _feature_heading() -> str:
    names = " | ".join(map(str, Outcome))
    return f"### Features\n\n| feature | cases | {names} |\n|---|---:|{'---:|' * len(Outcome)}\n"


def _feature_row(row: FeatureOutcomes) -> str:
    counts = " | ".join(f"{count:,}" for count in row.counts.values())
    return f"| {code(row.name)} | {row.cases:,} | {counts} |\n"


def _sections(run: Run) -> Iterator[str]:
    """Yield a section for each cause: those that are to be decided first, then those that are to be mended."""
    results = {result.identifier: result for result in run.results}
    causes = causes_by_case(run.causes)
    ordered = [cause for task in (Task.DECIDE, Task.MEND) for cause in run.causes if task_of(cause) is task]
    return (_section(cause, results, causes[cause.smallest]) for cause in ordered)


def _section(cause: Cause, results: Mapping[str, CaseResult], others: Sequence[Cause]) -> str:
    """Return a collapsed section: the table above is read first. The title is in HTML, because a summary does not
    support code spans, and mentions and links are recognised everywhere outside code."""
    words = html.escape(visible_line(shortened(_without_marks(cause.title), _LONGEST)))
    screen = block(case_screen(results[cause.smallest], others, [cause.example]))
    sides = printed_sides(results[cause.smallest], cause.example)
    return f"<details><summary><code>{words}</code></summary>\n\n{screen}{sides}\n</details>\n\n"


def printed_sides(result: CaseResult, finding: Finding) -> str:
    """Return what both engines printed in the step of a finding, as lines that only A or only B has, with a few around
    them; empty if they printed the same."""
    evidence = read_evidence(result)
    names = [*[name for name in finding.against if name in evidence.observations][:1], finding.signature.subject]
    texts = [text_at(result, evidence, name, finding.place) for name in names]
    if len(names) != 2 or None in texts or texts[0] == texts[1]:
        return ""
    labels = engine_labels(names)
    before, after = ((text or "").splitlines() for text in texts)
    lines = list(difflib.unified_diff(before, after, lineterm="", n=2))[2:]
    shown = [_SIDES.get(line[:1], "  ") + line[1:] for line in lines[:_MOST_LINES]]
    more = [f"... {len(lines) - _MOST_LINES:,} more lines"] if len(lines) > _MOST_LINES else []
    heads = [f"A: {labels[names[0]]}", f"B: {labels[names[1]]}", ""]
    return "\n" + block("\n".join([*heads, *shown, *more]))


def _documented(run: Run) -> Iterator[str]:
    counted = burn_down(run)
    if counted.is_empty:
        return
    rows = "".join(
        f"| {each.category} | {each.entries:,} | {each.present:,} | {each.gone:,} | {each.cases:,} |\n"
        for each in counted.classes
    )
    rows += f"| undocumented | | {counted.new:,} | | {counted.new_cases:,} |\n"
    yield f"### Documented causes\n\n| class | entries | present | gone | cases |\n|---|---:|---:|---:|---:|\n{rows}\n"
