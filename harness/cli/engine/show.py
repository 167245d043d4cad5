"""`diffharness engine ENGINE show|graph`: what a plan or a state says, and the graph an operation would walk."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import click

from harness.cli.engine.group import is_binary
from harness.cli.engine.reporter import Reporter
from harness.cli.engine.session import session_in
from harness.cli.support.options import Asked, InputCommand, flavour_option, permissive_option
from harness.engines.dynamic_providers import with_coremock, with_permissive
from harness.engines.providers import BUILTIN_PROVIDERS, ProviderContext, Providers
from harness.engines.scheduling import run_deterministically
from harness.engines.simulated_providers import KNOWN_SCHEMAS
from harness.observe.plan_document import drawable_plan, published_plan
from reports.graph.svg import graph_svg
from reports.terminal.plan_view import PlanView
from reports.terminal.state_view import StateView
from shared_nodes.config.loading import load_configuration
from shared_nodes.flavour import FLAVOURS, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.file import read_plan
from shared_nodes.plan.options import Mode, Options
from shared_nodes.state.document import MissingSchemaError, state_document
from shared_nodes.state.file import Schemas, read_state
from shared_nodes.state.model import State
from shared_nodes.values.json import JsonError, dumps
from shared_nodes.world import World

__all__ = ["graph_command", "show_command"]

_STATE_FILE: Final = "terraform.tfstate"


@click.command("show")
@click.argument("file", metavar="PLAN|STATE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@flavour_option
@click.option("--json", "as_json", is_flag=True, help="Print the published JSON form.")
@permissive_option
@click.pass_context
def show_command(context: click.Context, /, file: Path, **values: Any) -> None:
    """Show a saved PLAN or a STATE file."""
    asked = Asked.of(values)
    if is_binary(context.obj):
        from harness.cli.engine.external import external_show

        context.exit(external_show(context.obj, file, asked))
    shown = _show_plan if zipfile.is_zipfile(file) else _show_state
    found = shown(file, FLAVOURS[asked.flavour], asked)
    if isinstance(found, str):
        click.echo(found)
        return
    reporter = Reporter(asked.as_json)
    reporter.problems(found)
    context.exit(reporter.finish())


def _show_plan(file: Path, flavour: Flavour, asked: Asked) -> str | list[Diagnostic]:
    saved = read_plan(file)
    if isinstance(saved, Diagnostic):
        return [saved]
    around = World.real(Path())
    world = replace(around, files=saved.files(around.files))
    providers = _providers(asked)
    config, problems = load_configuration(world.files, flavour, lambda one: one in KNOWN_SCHEMAS or providers.has(one))
    if config is None:
        return problems
    met, _ = providers.met(ProviderContext(config, saved.plan.prior_state, world, flavour))
    schemas = {**met.schemas, **KNOWN_SCHEMAS}
    document = (published_plan if asked.as_json else drawable_plan)(saved.plan, config, flavour, schemas)
    if isinstance(document, Diagnostic):
        return [document]
    return dumps(document) if asked.as_json else PlanView(flavour, saved.plan.mode, schemas).text(document).rstrip("\n")


def _show_state(file: Path, flavour: Flavour, asked: Asked) -> str | list[Diagnostic]:
    state, meta, problems = read_state(file.read_text(encoding="utf-8", errors="surrogateescape"), flavour)
    if problems:
        return problems
    try:
        schemas = _schemas_of_state(state, file, flavour, asked)
        document = state_document(state, schemas, flavour, meta.terraform_version)
    except (JsonError, MissingSchemaError) as failure:
        return [error("Failed to marshal state to json", str(failure))]
    return dumps(document) if asked.as_json else StateView(schemas).text(document).rstrip("\n")


def _providers(asked: Asked) -> Providers:
    return with_permissive(with_coremock(BUILTIN_PROVIDERS), asked.permissive)


def _schemas_of_state(state: State, file: Path, flavour: Flavour, asked: Asked) -> Schemas:
    """A state belongs to the configuration beside it, which is read only if a provider wants to look at it."""
    providers, world = _providers(asked), World.real(file.parent)
    if any(providers.is_announced(resource.provider.source) for resource in state.resources.values()):
        config, _ = load_configuration(world.files, flavour, lambda _source: True)
        providers, _ = providers.met(ProviderContext(config, state, world, flavour))
    return {**providers.schemas, **KNOWN_SCHEMAS}


@click.command("graph", cls=InputCommand)
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--operation", type=click.Choice(["plan", "apply"]), default="plan", show_default=True)
@click.option("--format", "form", type=click.Choice(["dot", "text", "svg"]), default="dot", show_default=True)
@click.option(
    "--open",
    "opened",
    multiple=True,
    metavar="MODULE",
    help="See into a module, where a drawing is so large that each is drawn as one: module.a.",
)
@click.option("--state", type=click.Path(dir_okay=False, path_type=Path), help="The state file.")
@click.option("--destroy", is_flag=True, help="The graph of destroying everything.")
@click.option("--var", multiple=True, metavar="NAME=VALUE", help="The value of a root variable.")
@click.option("--var-file", multiple=True, metavar="FILE", help="Values of root variables.")
@flavour_option
@click.pass_context
def graph_command(
    context: click.Context, /, directory: Path, operation: str, form: str, opened: tuple[str, ...], **values: Any
) -> None:
    """Draw what an operation would walk: arrows go from what waits to what it waits for."""
    asked = Asked.of(values)
    if is_binary(context.obj):
        from harness.cli.engine.external import external_graph

        context.exit(external_graph(context.obj, directory, operation, form, asked, opened=opened))
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
        made = partial(make, request, applying=operation == "apply")
        graph, problems = run_deterministically(options.seed, made)
        if graph is not None:
            click.echo(_drawn(graph.reduced(), form, opened), nl=False)
        reporter.problems(problems)
    context.exit(0 if reporter.ok else 1)


def _drawn(graph: Any, form: str, opened: tuple[str, ...]) -> str:
    if form == "svg":
        names = {vertex.name: [other.name for other in graph.dependencies(vertex)] for vertex in graph}
        return graph_svg(names, opened)
    return cast("str", graph.text() if form == "text" else graph.dot())
