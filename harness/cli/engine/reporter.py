"""What an operation prints, for a person or for a program, and writes to the event stream.

A person gets progress and the plan on standard output, and diagnostics on standard error. A program gets one JSON
object on standard output, and nothing else. Output that cannot be written, because a disk is full or a terminal is
gone, never stops an operation: the rest of it is dropped, and the exit code says so.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, Final, TextIO

import click

from reports.terminal.problems import problems_for_people
from reports.terminal.progress import import_lines, progress_line
from reports.terminal.values import console_text
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.lang.diagnostics_view import DEFAULT_WIDTH, diagnostic_to_json, render_text
from shared_nodes.plan.event_stream import ChangeCounts, EventStream, summary_text, unannounced_counts
from shared_nodes.plan.events import Event
from shared_nodes.plan.plan import Plan
from shared_nodes.record import record
from shared_nodes.state.model import OutputState
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["Reporter", "diagnostics_document"]

_WIDEST: Final = 160
"""Longer lines of prose are hard to read, however wide the terminal."""

_ESCAPE: Final = "\033"


@record(frozen=False)
class Reporter:
    as_json: bool
    flavour: Flavour = TERRAFORM_1_11
    stream: EventStream | None = None
    """The published event stream, if one is written."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    counts: ChangeCounts = field(default_factory=ChangeCounts)
    unsaved_state: str = ""
    """A state that could be written to no file. It is printed at the end, as the last resort."""

    _has_lost_output: bool = False

    def report_event(self, event: Event) -> None:
        self.counts.count(event)
        line = None if self.as_json else progress_line(event, self.flavour)
        if line is not None:
            self._print_line(line)
        if self.stream is not None:
            self.stream.event(event)

    def say(self, text: str) -> None:
        if not self.as_json:
            self._print_line(text)

    def report_plan(self, plan: Plan, drawn: str) -> None:
        self.say(f"\n{drawn}")
        if self.stream is not None:
            self.stream.planned(plan)

    def report_plan_again(self, plan: Plan) -> None:
        """Report the plan that is about to be applied. People have seen it when it was made, so only the stream gets
        it."""
        if self.stream is not None:
            self.stream.planned_again(plan)

    def begin_apply(self, plan: Plan) -> None:
        self.counts = unannounced_counts(plan)
        for change in plan.changes.in_order():
            if change.importing is not None:
                for line in import_lines(change.address, change.importing):
                    self.say(line)

    def report_applied(self, outputs: Mapping[str, OutputState], command: str) -> None:
        self.say(f"\n{summary_text(command, self.counts, self.flavour)}")
        if outputs and command != "destroy":
            self.say("\nOutputs:\n")
            for name in sorted(outputs):
                self.say(f"{name} = {_output_text(outputs[name])}")
        if self.stream is not None:
            self.stream.applied(outputs, destroying=command == "destroy")

    def report_problems(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Report diagnostics: programs get all of them, people a summary of repeated ones."""
        found = list(diagnostics)
        self.diagnostics.extend(found)
        if self.stream is not None:
            self.stream.diagnostics(found)
        if self.as_json:
            return
        is_terminal = sys.stderr.isatty()
        width = min(_terminal_width(), _WIDEST) if is_terminal else DEFAULT_WIDTH
        for diagnostic in problems_for_people(found):
            self._write(render_text(diagnostic, width, is_terminal), err=True)

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)

    def finish(self) -> int:
        """Print what is left: the JSON object for programs, a state that is nowhere else for people. Return the exit
        code."""
        if self.as_json:
            rescued: dict[str, Tree] = {"unsaved_state": self.unsaved_state} if self.unsaved_state else {}
            document = diagnostics_document(self.diagnostics) | rescued
            self._print_line(dumps(document, escape_html=False))
        elif self.unsaved_state:
            self._write(self.unsaved_state, err=self._has_lost_output)
        return 0 if self.ok and not self._has_lost_output else 1

    def _print_line(self, line: str) -> None:
        """Print and flush. `click.echo` examines the stream for colours and encodings at every call, which takes longer
        than writing the plain lines of a large apply."""
        if not line.isascii() or _ESCAPE in line:
            self._write(f"{line}\n")
            return
        try:
            print(line, flush=True)
        except OSError as failure:
            self._drop_output(sys.stdout, failure)

    def _write(self, text: str, *, err: bool = False) -> None:
        try:
            click.echo(text, err=err, nl=False)
        except OSError as failure:
            self._drop_output(sys.stderr if err else sys.stdout, failure)

    def _drop_output(self, stream: TextIO, failure: OSError) -> None:
        """Send the rest of a stream nowhere. A reader that has seen enough and closed its pipe is no failure."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if failure.errno != errno.EPIPE:
            self._has_lost_output = True
            name = "standard error" if stream is sys.stderr else "standard output"
            self._write(f"Cannot write to {name}: {failure.strerror}. The rest is dropped.\n", err=True)


def _output_text(output: OutputState) -> str:
    return "<sensitive>" if output.sensitive else console_text(output.value.unmark_deep()[0])


def diagnostics_document(diagnostics: Iterable[Diagnostic]) -> dict[str, Tree]:
    found = list(diagnostics)
    return {"ok": not has_errors(found), "diagnostics": [_to_tree(diagnostic_to_json(item)) for item in found]}


def _to_tree(document: Any) -> Tree:
    """Convert integers to `JsonNumber`."""
    if isinstance(document, dict):
        return {key: _to_tree(part) for key, part in document.items()}
    if isinstance(document, list):
        return [_to_tree(part) for part in document]
    if isinstance(document, int) and not isinstance(document, bool):
        return JsonNumber(str(document))
    tree: Tree = document
    return tree


def _terminal_width() -> int:
    import shutil

    return shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns
