"""The text of a bug report, with the fields that the products' own forms ask for.

It states what was run, what one engine did and what the other did, and nothing about a cause or a remedy: that is for
those who know the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from harness.cli.reproduce.engine_facts import EngineFacts
from harness.cli.reproduce.kept_case import KeptCase
from harness.cli.reproduce.layout import OUTPUTS, SCRIPT_FILE, VARIABLES, Layout
from harness.compare.ruling import Ruling
from harness.compare.verdict import RECORDED
from harness.findings.finding import Finding
from harness.findings.reproduction import reproduction
from harness.findings.result import CaseResult
from harness.findings.worst import is_own
from reports.visible import shortened, visible, visible_line
from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES
from shared_nodes.record import record

__all__ = ["BugReport", "crash_output", "versions_text"]

_LONGEST: Final = 2_000
_EXCERPT: Final = 300
_MOST: Final = 20
"""The number of differences that are written out. The rest is counted."""

_FAILURE: Final = re.compile(r"^.*BinaryFailedError: ", re.DOTALL)
_PLACES: Final = ("step ", "task ", "validate ")
_FENCE: Final = re.compile(r"`{3,}")


@record
class BugReport:
    result: CaseResult
    findings: Sequence[Finding]
    """What the report is about, worst first."""

    engines: Sequence[EngineFacts]
    """The first is the baseline."""

    kept: KeptCase
    layout: Layout
    steps: Sequence[tuple[str, Sequence[str]]]
    """Each place with its commands, of the engine that the report is about."""

    printed: Mapping[str, Sequence[str]]
    """By label of the engine: what it printed in the step of the worst finding."""

    def text(self) -> str:
        product = self.subject.flavour.product
        sections = {
            f"{product} Version": self._versions(),
            f"{product} Configuration Files": self._configuration(),
            "Debug Output": self._debug_output(),
            "Expected Behavior": self._behaviour(expected=True),
            "Actual Behavior": self._behaviour(expected=False),
            "Steps to Reproduce": self._steps(),
            "Additional Context": self._context(),
            "References": self._references(),
        }
        parts = [f"# {self._title()}"]
        for title, lines in sections.items():
            parts += ["", f"### {title}", "", *lines]
        return "\n".join([*parts, ""])

    @property
    def subject(self) -> EngineFacts:
        """The engine that the report is about."""
        named = self.findings[0].signature.subject if self.findings else ""
        return next((each for each in self.engines if each.name == named), self.engines[-1])

    def _title(self) -> str:
        if not self.findings:
            return f"{visible_line(self.result.identifier)}: no difference"
        worst = self.findings[0]
        operation, subject, side = worst.signature.operation, self.subject.label, self._side(worst)
        if worst.signature.ruling.is_breakdown:
            return f"{subject}: {worst.signature.ruling}: {visible_line(_headline(worst))}"
        if worst.signature.ruling is Ruling.ONLY_CANDIDATE_FAILS:
            return f"{operation} fails with {subject} and succeeds with {side}"
        if worst.signature.ruling is Ruling.ONLY_BASELINE_FAILS:
            return f"{operation} succeeds with {subject} and fails with {side}"
        return f"{operation}: {subject} and {side} differ in {visible_line(worst.field or worst.signature.shape)}"

    def _versions(self) -> Iterator[str]:
        yield from _fenced(versions_text(self.engines))

    def _configuration(self) -> Iterator[str]:
        shown = {name: text for name, text in self.layout.files.items() if name.endswith(CONFIGURATION_SUFFIXES)}
        for name, text in sorted(shown.items()):
            yield f"`{visible_line(name)}`"
            yield from _fenced(text, "hcl")
        others = sorted(name for name in self.layout.files if name not in shown)
        if others:
            yield f"Other files: {', '.join(f'`{visible_line(name)}`' for name in others)}."

    def _debug_output(self) -> Iterator[str]:
        crashes = [each for each in self.findings if each.signature.ruling.is_breakdown]
        for finding in crashes[:1]:
            yield f"{self._label(finding.signature.subject)} ended without a result:"
            yield from _fenced(shortened(crash_output(finding.got), _LONGEST))
        yield f"What each engine printed in each step is in `{OUTPUTS}/`."
        if not self.subject.is_ours:
            yield f"`TF_LOG=trace sh {SCRIPT_FILE} {self.subject.label}` prints the full debug output."

    def _behaviour(self, *, expected: bool) -> Iterator[str]:
        """Say what one side did in the worst finding, then what it printed."""
        if not self.findings:
            yield "No difference was found between the engines."
            return
        worst = self.findings[0]
        label = self._side(worst) if expected else self.subject.label
        yield f"- {label}, {self._describe(worst, expected=expected)}"
        for text in self.printed.get(label, ()):
            yield ""
            yield f"{label} in {visible_line(worst.place)}:"
            yield from _fenced(shortened(text, _LONGEST))

    def _describe(self, finding: Finding, *, expected: bool) -> str:
        ruling, place = finding.signature.ruling, visible_line(finding.place)
        if ruling.is_breakdown:
            where = place if place.startswith(_PLACES) else "the whole story"
            return f"{where}: {'comes to an end' if expected else f'{ruling}: {visible_line(_headline(finding))}'}"
        if ruling in (Ruling.ONLY_CANDIDATE_FAILS, Ruling.ONLY_BASELINE_FAILS):
            return f"{place}: {'succeeds' if expected is (ruling is Ruling.ONLY_CANDIDATE_FAILS) else 'fails'}"
        value = visible_line(shortened(finding.expected if expected else finding.got, _LONGEST))
        return f"{place}: `{visible_line(finding.field)}`: {value}"

    def _steps(self) -> Iterator[str]:
        switches = " ".join(f"{name}={value}" for name, value in self.subject.switches.items())
        if switches:
            yield f"With the environment `{switches}`:"
            yield ""
        number = 0
        for place, lines in self.steps:
            for line in lines:
                number += 1
                yield f"{number}. `{visible_line(line)}` ({visible_line(place)})"
        yield ""
        yield (
            f"`sh {SCRIPT_FILE} {self.subject.label}` runs all of them in a fresh directory; "
            + ", ".join(f"`sh {SCRIPT_FILE} {each.label}`" for each in self.engines if each != self.subject)
            + " does the same with the engine it is compared with."
        )

    def _context(self) -> Iterator[str]:
        if self.result.description:
            yield f"The story: {visible_line(self.result.description)}"
        for finding in self.findings[:1]:
            sentences = () if finding.signature.ruling.is_breakdown else finding.explanation
            yield from (visible_line(shortened(sentence, _LONGEST)) for sentence in sentences)
        yield from self._other_differences()
        if self.kept.case.prior_state is not None:
            yield "The story begins with the state in `prior.tfstate`."
        if any(step.variables is not None for step in self.kept.case.all_steps):
            yield f"Values of variables are in `{VARIABLES}/`."
        if self.kept.is_masked:
            yield "Sensitive values have been replaced by `(sensitive value)` in all files."
        for name in self.kept.incomplete_files:
            yield f"`{visible_line(name)}` is too long, or no text, and its content is not included."
        if self.result.mutant:
            yield f"The engine was run with the mutant {self.result.mutant}, which the commands above do not have."
        yield "Identifiers and times in the outputs have been renamed, so that both engines use the same ones."

    def _other_differences(self) -> Iterator[str]:
        others = [finding for finding in self.findings[1:] if is_own(finding)]
        if not others:
            return
        yield ""
        yield "Other differences in the same story:"
        yield ""
        for finding in others[:_MOST]:
            where = f"{visible_line(finding.place)}: `{visible_line(finding.field or finding.signature.shape)}`"
            expected, got = (visible_line(shortened(each, _EXCERPT)) for each in (finding.expected, finding.got))
            subject = self._label(finding.signature.subject)
            yield f"- {where}: {self._side(finding)} has {expected}, {subject} has {got}"
        if len(others) > _MOST:
            yield f"- {len(others) - _MOST} more are not listed."
        yield ""

    def _references(self) -> Iterator[str]:
        known = dict.fromkeys(finding.known for finding in self.findings if finding.known)
        yield f"Known as {', '.join(known)}." if known else "None."
        yield ""
        yield f"Found by diffharness: `{visible_line(reproduction(self.result))}`"

    def _side(self, finding: Finding) -> str:
        """Return the label of what a finding is compared with."""
        against = [name for name in finding.against if name != RECORDED] or list(finding.against)
        if against == [RECORDED]:
            return "the recording"
        return self._label(against[0]) if against else self.engines[0].label

    def _label(self, engine: str) -> str:
        return next((each.label for each in self.engines if each.name == engine), engine)


def crash_output(text: str) -> str:
    """Return what an engine printed before it broke, without the frames of the harness around it."""
    return visible(_FAILURE.sub("", text).strip())


def _headline(finding: Finding) -> str:
    """Return the line of a breakdown that says what happened: a panic, or else the last line."""
    lines = [line for line in crash_output(finding.got).splitlines() if line.strip()] or [str(finding.signature.shape)]
    return next((line for line in lines if line.startswith("panic:")), lines[-1])


def versions_text(engines: Iterable[EngineFacts]) -> str:
    """Return one line per engine: its version, and the environment that selects it."""
    return "".join(f"{each.label}: {each.version}{_selected(each)}\n" for each in engines)


def _selected(engine: EngineFacts) -> str:
    return "".join(f", selected by {name}={value}" for name, value in engine.switches.items())


def _fenced(text: str, language: str = "") -> Iterator[str]:
    """Yield a block of code. Its fence is longer than any in the text, which could end it otherwise."""
    longest = max((len(match) for match in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    yield fence + language
    yield visible(text).rstrip("\n")
    yield fence
