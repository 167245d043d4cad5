"""`diffharness engine ENGINE graph`: draw the graph that an operation would walk or follow."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, cast

import click

from harness.cli.engine.group import is_binary
from harness.cli.engine.options import InputCommand, OperationOptions
from harness.cli.engine.reporter import Reporter
from harness.cli.engine.session import open_session
from harness.cli.support.options import flavour_option
from reports.graph.svg import graph_svg
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.options import Mode, Options

__all__ = ["graph_command"]


@click.command("graph", cls=InputCommand)
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--operation", type=click.Choice(["plan", "apply"]), default="plan", show_default=True)
@click.option("--format", "form", type=click.Choice(["dot", "text", "svg"]), default="dot", show_default=True)
@click.option(
    "--open",
    "opened",
    multiple=True,
    metavar="MODULE",
    help="Expand this module in a drawing so large that modules are collapsed: module.a.",
)
@click.option(
    "--state", type=click.Path(dir_okay=False, path_type=Path), help="State file.  [default: terraform.tfstate in DIR]"
)
@click.option("--destroy", is_flag=True, help="Draw the graph of destroying everything.")
@click.option("--var", multiple=True, metavar="NAME=VALUE", help="Value of a root variable.")
@click.option("--var-file", multiple=True, metavar="FILE", help="Values of root variables.")
@flavour_option
@click.pass_context
def graph_command(
    context: click.Context, /, directory: Path, operation: str, form: str, opened: tuple[str, ...], **values: Any
) -> None:
    """Draw the graph of an operation: arrows point from a node to what it depends on."""
    options = OperationOptions.from_click(values)
    if is_binary(context.obj):
        from harness.cli.engine.external import external_graph

        context.exit(external_graph(context.obj, directory, operation, form, options, opened=opened))
    session = open_session(directory, context.obj, options)
    reporter = Reporter(as_json=False)
    file = options.state or directory / session.state_place()
    text = file.read_text(encoding="utf-8", errors="surrogateescape") if file.exists() else ""
    state, _, problems = session.open_state(text)
    reporter.report_problems(problems)
    engine_options = Options(mode=Mode.DESTROY if options.destroy else Mode.NORMAL)
    request, problems = session.prepare(state, engine_options, EventSink())
    reporter.report_problems(problems)
    if request is not None and reporter.ok:
        make_graph = getattr(session.engine, "graph", None)
        if make_graph is None:
            raise click.ClickException(f"the {context.obj} engine walks no graph")
        make = partial(make_graph, request, applying=operation == "apply")
        graph, problems = session.run(engine_options.seed, make)
        if graph is not None:
            click.echo(_draw(graph.reduced(), form, opened), nl=False)
        reporter.report_problems(problems)
    context.exit(0 if reporter.ok else 1)


def _draw(graph: Any, form: str, opened: tuple[str, ...]) -> str:
    if form == "svg":
        names = {vertex.name: [other.name for other in graph.dependencies(vertex)] for vertex in graph}
        return graph_svg(names, opened)
    return cast("str", graph.text() if form == "text" else graph.dot())
