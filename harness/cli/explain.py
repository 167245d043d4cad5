"""`diffharness explain`: one case in full: what it does, what each engine did, and why they differ."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import indent
from typing import Any

import click

from harness.case.case import CaseError
from harness.cli.support.case_options import CaseOptions, SelectedCase, case_options, mark_known, select_case
from harness.cli.support.given_options import InputCommand
from harness.cli.support.unreadable_case import UnreadableCaseError
from harness.compare.verdict import RECORDED
from harness.execute.replay import Replayed, replay
from harness.findings.result import result_to_json
from harness.findings.run import Run
from harness.findings.spoken_place import spoken_place
from harness.play.artifacts import GRAPH_FILE, ArtifactWriter, directory_of
from harness.play.story_runner import END
from reports.run.configurations import chosen_value_lines
from reports.run.screen import case_screen
from reports.visible import visible, visible_line

__all__ = ["explain"]


@click.command(cls=InputCommand)
@click.argument("case", metavar="CASE|RUN:CASE")
@case_options
@click.option("--graphs", is_flag=True, help="Also print the graph of each apply.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def explain(context: click.Context, /, case: str, *, graphs: bool, as_json: bool, **values: Any) -> None:
    """Run one CASE and explain it: its description, the outcome of each step, and where and why the engines differ."""
    selected = select_case(case, CaseOptions.from_click(values))
    with tempfile.TemporaryDirectory(prefix="diffharness-explain-") as place:
        try:
            replayed = replay(selected.directory, selected.settings, ArtifactWriter(Path(place)))
        except CaseError as problem:
            raise UnreadableCaseError(str(problem)) from problem
        drawn = dict(_graphs(Path(place))) if graphs else {}
    result = mark_known(replayed.result, selected.settings)
    if as_json:
        tree = {"steps": _steps(replayed), "result": result_to_json(result), **({"graphs": drawn} if graphs else {})}
        click.echo(json.dumps(tree, indent=2))
    else:
        click.echo("\n".join(_paragraphs(selected, replayed, drawn)))
        for name in _without_graphs(selected.settings.engines, drawn) if graphs else ():
            click.echo(
                f"\n{visible_line(name)}: no graph: none was observed. Real programs and recordings may have none."
            )
    context.exit(Run({}, selected.settings.engines, (result,), planned=1).exit_status)


def _graphs(place: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(place.glob(f"*/*/{GRAPH_FILE}")):
        yield file.parent.relative_to(place).as_posix(), file.read_text(encoding="utf-8", errors="replace")


def _without_graphs(engines: Iterable[str], drawn: Mapping[str, str]) -> list[str]:
    """Return the engines whose graphs are missing: a reader must not take silence for an empty graph."""
    with_graphs = {name.partition("/")[0] for name in drawn}
    return [name for name in engines if directory_of(name) not in with_graphs]


def _steps(replayed: Replayed) -> dict[str, dict[str, str]]:
    """Return the outcome of each step, per engine."""
    places = dict.fromkeys(place for observations in replayed.verdict.observations.values() for place in observations)
    return {
        place: {name: _outcome(observations.get(place)) for name, observations in _engine_observations(replayed)}
        for place in places
    }


def _engine_observations(replayed: Replayed) -> list[tuple[str, Any]]:
    return [(name, observations) for name, observations in replayed.verdict.observations.items() if name != RECORDED]


def _outcome(observation: Any) -> str:
    if observation is None:
        return "never came here"
    if "ok" not in observation:
        return "done"
    events = observation.get("events")
    done = "" if events is None else f", {len(events)} events"
    return f"{'succeeded' if observation['ok'] else 'failed'}{done}"


def _paragraphs(selected: SelectedCase, replayed: Replayed, drawn: dict[str, str]) -> Iterator[str]:
    result = mark_known(replayed.result, selected.settings)
    if result.findings:
        yield case_screen(result)
    else:
        yield f"{visible_line(result.identifier)}: {result.ruling}"
        yield visible(result.description)
        yield _agreement(selected, replayed)
        if result.failure:
            yield f"\n{visible(result.failure)}"
    yield ""
    if values := [*chosen_value_lines(Run({}, selected.settings.engines, (result,), planned=1))]:
        yield from (*values, "")
    yield from _described_steps(replayed)
    if result.normalised:
        rules = ", ".join(f"{name} {count:,}" for name, count in result.normalised.items())
        yield f"\nnormalised before comparing: {rules}"
    for name, text in drawn.items():
        yield f"\n{visible_line(name)}\n{visible(text)}"


def _described_steps(replayed: Replayed) -> Iterator[str]:
    """Describe what each engine made of each step. What two places with one name have in common is said once, and so
    are the errors of several steps."""
    errors = {} if replayed.result.failure else replayed.errors
    first: dict[str, str] = {}
    described: dict[str, None] = {}
    for place, outcomes in _steps(replayed).items():
        if place == END and replayed.case.plain is not None:
            continue
        name, text = visible_line(spoken_place(place)), _indented(errors.get(place, ()))
        at = first.setdefault(text, name)
        again = f", with the errors of {at}" if text and at != name else ""
        described[f"{name}: {visible_line(_both(outcomes))}{again or text}"] = None
    yield from described


def _indented(errors: Iterable[str]) -> str:
    shown = "".join(f"\n\n{indent(text, '    ')}" for text in errors)
    return visible(f"{shown}\n") if shown else ""


def _both(outcomes: Mapping[str, str]) -> str:
    if len(set(outcomes.values())) == 1:
        return next(iter(outcomes.values()))
    return "; ".join(f"{name} {text}" for name, text in outcomes.items())


def _agreement(selected: SelectedCase, replayed: Replayed) -> str:
    names = [name for name in selected.settings.engines if name not in replayed.result.not_run]
    sides = [*names, *(["the recording"] if replayed.verdict.is_recorded else [])]
    reasons = [f"{name} was not run: {reason}." for name, reason in replayed.result.not_run.items()]
    agreed = f"{', '.join(sides[:-1])} and {sides[-1]} agree in everything." if len(sides) > 1 else ""
    return " ".join([part for part in (agreed, *reasons) if part]) or "There was nothing to hold it against."
