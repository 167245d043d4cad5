"""What an operation tells while and after it runs: to a person, to a program, to a file of events.

A person gets progress and the plan on standard output and problems on standard error. A program gets one JSON object on
standard output, and nothing else.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import click

from reports.terminal.problems import problems_for_people
from reports.terminal.progress import progress_line
from reports.terminal.values import console_text
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.lang.diagnostics_view import DEFAULT_WIDTH, diagnostic_to_json, render_text
from shared_nodes.plan.event_stream import ChangeCounts, EventStream, planned_counts, summary_text
from shared_nodes.plan.events import Event
from shared_nodes.plan.plan import Plan
from shared_nodes.state.model import OutputState
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["Reporter", "diagnostics_document"]

_WIDEST: Final = 160
"""Prose in longer lines is hard to read, however wide the terminal."""

_ESCAPE: Final = "\033"


@dataclass(slots=True)
class Reporter:
    as_json: bool
    flavour: Flavour = TERRAFORM_1_11
    stream: EventStream | None = None
    """Where the published event stream goes, if somebody wants it."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    counts: ChangeCounts = field(default_factory=ChangeCounts)

    def event(self, event: Event) -> None:
        self.counts.count(event)
        line = None if self.as_json else progress_line(event)
        if line is not None:
            _tell(line)
        if self.stream is not None:
            self.stream.event(event)

    def say(self, text: str) -> None:
        if not self.as_json:
            click.echo(text)

    def planned(self, plan: Plan, drawn: str) -> None:
        self.say(f"\n{drawn}")
        if self.stream is not None:
            self.stream.planned(plan)

    def planned_again(self, plan: Plan) -> None:
        """What applying a saved plan begins with. People have seen the plan when it was made."""
        if self.stream is not None:
            self.stream.planned_again(plan)

    def applying(self, plan: Plan) -> None:
        """Imports are counted as planned: they have happened by the time anything else begins."""
        self.counts.imported = planned_counts(plan).imported
        if self.stream is not None:
            self.stream.applied_counts.imported = self.counts.imported

    def applied(self, outputs: Mapping[str, OutputState], command: str) -> None:
        self.say(f"\n{summary_text(command, self.counts, self.flavour)}")
        if outputs and command != "destroy":
            self.say("\nOutputs:\n")
            for name in sorted(outputs):
                self.say(f"{name} = {_output_text(outputs[name])}")
        if self.stream is not None:
            self.stream.applied(outputs, destroying=command == "destroy")

    def problems(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Programs get all of them, as they were found."""
        found = list(diagnostics)
        self.diagnostics.extend(found)
        if self.stream is not None:
            self.stream.diagnostics(found)
        if self.as_json:
            return
        is_terminal = sys.stderr.isatty()
        width = min(shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns, _WIDEST) if is_terminal else DEFAULT_WIDTH
        for diagnostic in problems_for_people(found):
            click.echo(render_text(diagnostic, width, is_terminal), err=True, nl=False)

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)

    def finish(self) -> int:
        """Prints the object for programs. Returns the exit code."""
        if self.as_json:
            click.echo(dumps(diagnostics_document(self.diagnostics), escape_html=False))
        return 0 if self.ok else 1


def _tell(line: str) -> None:
    """Seen at once by whoever follows. click, which knows about colours and encodings, asks for every line anew what
    kind of stream it is for; for the plain lines of a large apply that takes longer than writing them."""
    if line.isascii() and _ESCAPE not in line:
        print(line, flush=True)
    else:
        click.echo(line)


def _output_text(output: OutputState) -> str:
    return "<sensitive>" if output.sensitive else console_text(output.value.unmark_deep()[0])


def diagnostics_document(diagnostics: Iterable[Diagnostic]) -> dict[str, Tree]:
    found = list(diagnostics)
    return {"ok": not has_errors(found), "diagnostics": [_tree(diagnostic_to_json(item)) for item in found]}


def _tree(document: Any) -> Tree:
    """The same with numbers as trees have them."""
    if isinstance(document, dict):
        return {key: _tree(part) for key, part in document.items()}
    if isinstance(document, list):
        return [_tree(part) for part in document]
    if isinstance(document, int) and not isinstance(document, bool):
        return JsonNumber(str(document))
    tree: Tree = document
    return tree
