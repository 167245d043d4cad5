"""`diffharness engine ENGINE show|graph`: what a plan or a state says, and the graph an operation would walk."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any, Final, cast

import click
import trio

from harness.cli.operation import session_in
from harness.cli.options import Asked, flavour_option
from harness.cli.reporter import Reporter
from harness.engines.documents import published_plan
from harness.engines.providers import SCHEMAS
from reports.graph_svg import graph_svg
from reports.terminal.plan_view import PlanView
from reports.terminal.values import console_text
from shared_nodes.config.loading import load_configuration
from shared_nodes.diagnostics import Diagnostic
from shared_nodes.engine import Mode, Options
from shared_nodes.flavour import FLAVOURS, Flavour
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.file import read_plan
from shared_nodes.state.document import state_document
from shared_nodes.state.file import read_state
from shared_nodes.values.json import dumps
from shared_nodes.world import World

__all__ = ["INSPECTIONS"]

_STATE_FILE: Final = "terraform.tfstate"


@click.command("show")
@click.argument("file", metavar="PLAN|STATE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@flavour_option
@click.option("--json", "as_json", is_flag=True, help="Print the published JSON form.")
@click.pass_context
def show_command(context: click.Context, file: Path, flavour: str, as_json: bool) -> None:
    """Show a saved PLAN or a STATE file."""
    shown = _show_plan if zipfile.is_zipfile(file) else _show_state
    found = shown(file, FLAVOURS[flavour], as_json)
    if isinstance(found, str):
        click.echo(found)
        return
    reporter = Reporter(as_json)
    reporter.problems(found)
    context.exit(reporter.finish())


def _show_plan(file: Path, flavour: Flavour, as_json: bool) -> str | list[Diagnostic]:
    saved = read_plan(file)
    if isinstance(saved, Diagnostic):
        return [saved]
    config, problems = load_configuration(saved.files(World.real(Path()).files), flavour)
    if config is None:
        return problems
    document = published_plan(saved.plan, config, flavour)
    if isinstance(document, Diagnostic):
        return [document]
    return dumps(document) if as_json else PlanView(flavour, saved.plan.mode, SCHEMAS).text(document).rstrip("\n")


def _show_state(file: Path, flavour: Flavour, as_json: bool) -> str | list[Diagnostic]:
    state, meta, problems = read_state(file.read_text(encoding="utf-8", errors="surrogateescape"), flavour)
    if problems:
        return problems
    if as_json:
        return dumps(state_document(state, SCHEMAS, flavour, meta.terraform_version))
    lines = [f"{address}{' (tainted)' if _is_tainted(instance) else ''}" for address, instance in state.instances()]
    lines += [
        f"{name} = {'(sensitive value)' if output.sensitive else console_text(output.value)}"
        for name, output in sorted(state.outputs.items())
    ]
    return "\n".join(lines) or "The state file is empty. No resources are represented."


def _is_tainted(instance: Any) -> bool:
    return instance.current is not None and instance.current.status == "tainted"


@click.command("graph")
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--operation", type=click.Choice(["plan", "apply"]), default="plan", show_default=True)
@click.option("--format", "form", type=click.Choice(["dot", "text", "svg"]), default="dot", show_default=True)
@click.option("--state", type=click.Path(dir_okay=False, path_type=Path), help="The state file.")
@click.option("--destroy", is_flag=True, help="The graph of destroying everything.")
@click.option("--var", multiple=True, metavar="NAME=VALUE", help="The value of a root variable.")
@click.option("--var-file", multiple=True, metavar="FILE", help="Values of root variables.")
@flavour_option
@click.pass_context
def graph_command(context: click.Context, /, directory: Path, operation: str, form: str, **values: Any) -> None:
    """Draw what an operation would walk: arrows go from what waits to what it waits for."""
    asked = Asked.of(values)
    session = session_in(directory, context.obj, asked)
    reporter = Reporter(as_json=False)
    file = asked.state or directory / _STATE_FILE
    text = file.read_text(encoding="utf-8", errors="surrogateescape") if file.exists() else ""
    state, _, problems = read_state(text, session.flavour)
    reporter.problems(problems)
    options = Options(mode=Mode.DESTROY if asked.destroy else Mode.NORMAL)
    request, problems = session.prepare(state, options, EventSink())
    reporter.problems(problems)
    if request is not None and reporter.ok:
        make = getattr(session.engine, "graph", None)
        if make is None:
            raise click.ClickException(f"the {context.obj} engine walks no graph")

        async def made() -> Any:
            return await make(request, applying=operation == "apply")

        graph, problems = trio.run(made)
        if graph is not None:
            click.echo(_drawn(graph.reduced(), form), nl=False)
        reporter.problems(problems)
    context.exit(0 if reporter.ok else 1)


def _drawn(graph: Any, form: str) -> str:
    if form == "svg":
        names = {vertex.name: sorted(other.name for other in graph.dependencies(vertex)) for vertex in graph}
        return graph_svg(names)
    return cast("str", graph.text() if form == "text" else graph.dot())


INSPECTIONS: Final = (show_command, graph_command)
