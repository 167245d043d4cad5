"""`diffharness engine ENGINE show`: print a saved plan or a state."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from harness.cli.engine.group import is_binary
from harness.cli.engine.options import OperationOptions
from harness.cli.engine.reporter import Reporter
from harness.cli.engine.state_file import encryption_of, providers_in, schemas_of_state, state_file_here
from harness.cli.support.options import allow_plugins_option, flavour_option, permissive_option
from harness.engines.providers import ProviderContext
from harness.engines.saved_inputs import saved_static_values
from harness.engines.simulated_providers import KNOWN_SCHEMAS
from harness.observe.plan_document import drawable_plan, published_plan
from reports.terminal.plan_view import PlanView
from reports.terminal.state_view import StateView
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.encryption.encryption import DecryptionError, is_encrypted
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.plan.file import read_plan
from shared_nodes.state.document import (
    MissingSchemaError,
    SchemaVersionError,
    require_current_versions,
    state_document,
)
from shared_nodes.state.file import read_state
from shared_nodes.values.json import JsonError, dumps
from shared_nodes.world import World

__all__ = ["show_command"]


_NONE_AS_JSON: Final = '{"format_version":"1.0"}'


@click.command("show")
@click.argument(
    "file", metavar="[PLAN|STATE]", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@flavour_option
@click.option("--json", "as_json", is_flag=True, help="Print the published JSON form.")
@permissive_option
@allow_plugins_option
@click.pass_context
def show_command(context: click.Context, /, file: Path | None, **values: Any) -> None:
    """Show a saved PLAN or a STATE file, by default the state of the current directory."""
    options = OperationOptions.from_click(values)
    if is_binary(context.obj):
        from harness.cli.engine.external import external_show

        context.exit(external_show(context.obj, file, options))
    if file is None:
        file = state_file_here(options)
        if not file.is_file() or not file.stat().st_size:
            click.echo(_NONE_AS_JSON if options.as_json else "No state.")
            return
    render = _render_plan if _is_plan(file) else _render_state
    found = render(file, options.flavour_in(file.parent), options)
    if isinstance(found, str):
        click.echo(found)
        return
    reporter = Reporter(options.as_json)
    reporter.report_problems(found)
    context.exit(reporter.finish())


def _is_plan(file: Path) -> bool:
    """Return whether a file is a plan. An encrypted state still has a lineage."""
    if zipfile.is_zipfile(file):
        return True
    text = file.read_text(encoding="utf-8", errors="surrogateescape")
    return is_encrypted(text) and '"lineage"' not in text


def _render_plan(file: Path, flavour: Flavour, options: OperationOptions) -> str | list[Diagnostic]:
    encryption, problems = encryption_of(file.parent, flavour)
    if has_errors(problems):
        return problems
    saved = read_plan(file, flavour, encryption.plan_from_bytes)
    if isinstance(saved, Diagnostic):
        return [saved]
    around = World.real(Path())
    world = replace(around, files=saved.files(around.files))
    providers = providers_in(around, flavour, options)
    config, problems = load_configuration(
        world.files,
        flavour,
        lambda one: one in KNOWN_SCHEMAS or providers.has(one),
        StaticInputs(world, saved_static_values(saved.plan)),
    )
    if config is None:
        return problems
    met, _ = providers.resolve(ProviderContext(config, saved.plan.prior_state, world, flavour))
    schemas = {**met.schemas, **KNOWN_SCHEMAS}
    document = (published_plan if options.as_json else drawable_plan)(saved.plan, config, flavour, schemas)
    if isinstance(document, Diagnostic):
        return [document]
    if options.as_json:
        return dumps(document)
    return "\n" + PlanView(flavour, saved.plan.mode, schemas).text(document).rstrip("\n")


def _render_state(file: Path, flavour: Flavour, options: OperationOptions) -> str | list[Diagnostic]:
    encryption, problems = encryption_of(file.parent, flavour)
    if has_errors(problems):
        return problems
    try:
        text = encryption.state_from_text(file.read_text(encoding="utf-8", errors="surrogateescape"))
    except DecryptionError as failure:
        return [error("Failed to read the given file as a state or plan file", f"State read error: {failure}")]
    state, meta, problems = read_state(text, flavour)
    if problems:
        return problems
    try:
        schemas = schemas_of_state(state, file.parent, flavour, options)
        require_current_versions(state, schemas)
        document = state_document(state, schemas, flavour, meta.terraform_version)
    except (JsonError, MissingSchemaError, SchemaVersionError) as failure:
        return [error("Failed to marshal state to json", str(failure))]
    return dumps(document) if options.as_json else StateView(flavour, schemas).text(document).rstrip("\n")
