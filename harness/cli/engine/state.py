"""`diffharness engine ENGINE state list|show`: the objects in a state, in the words of the product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from harness.cli.engine.group import is_binary
from harness.cli.engine.options import OperationOptions
from harness.cli.engine.state_file import (
    FoundState,
    problem_text,
    read_state_file,
    schemas_of_state,
    state_file_here,
    state_reading_options,
)
from harness.cli.support.options import allow_plugins_option, permissive_option
from reports.terminal.state_view import StateView
from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.parse import Target, parse_target
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.parser import parse_traversal
from shared_nodes.lang.source import Source
from shared_nodes.state.document import (
    MissingSchemaError,
    SchemaVersionError,
    require_current_versions,
    state_document,
)
from shared_nodes.state.file import Schemas
from shared_nodes.state.model import InstanceState, ResourceState, State
from shared_nodes.values.json import JsonError
from shared_nodes.values.text import quoted

__all__ = ["state_group"]


@click.group("state")
def state_group() -> None:
    """List the objects in the state of the current directory, or show one."""


@state_group.command("list")
@click.argument("addresses", metavar="[ADDRESS]...", nargs=-1)
@click.option("--id", "-id", "identifier", default="", help="Only objects whose attribute id has this value.")
@state_reading_options
@click.pass_context
def list_command(
    context: click.Context, /, addresses: tuple[str, ...], identifier: str, is_plain: bool, **values: Any
) -> None:
    """List the instances in the state, or those of resources and modules."""
    options = OperationOptions.from_click(values)
    if is_binary(context.obj):
        from harness.cli.engine.external import external_reading

        words = ["state", "list", *([f"-id={identifier}"] if identifier else [])]
        context.exit(external_reading(context.obj, words, options, addresses))
    file = state_file_here(options)
    flavour = options.flavour_in(file.parent)
    found = read_state_file(file, flavour)
    if found.problems or not found.exists:
        problem = _unlisted(found.problems, flavour) if found.problems else _no_state(flavour)
        _report(problem, flavour, is_plain=is_plain, is_list=True)
        context.exit(1)
    listed = _find(found.state, addresses, flavour)
    if isinstance(listed, Diagnostic):
        _report(listed, flavour, is_plain=is_plain, is_list=True)
        context.exit(1)
    for address in listed:
        if not identifier or _id_of(found.state, address) == identifier:
            click.echo(str(address))


@state_group.command("show")
@click.argument("address")
@state_reading_options
@permissive_option
@allow_plugins_option
@click.pass_context
def show_command(context: click.Context, /, address: str, is_plain: bool, **values: Any) -> None:
    """Show the object at an ADDRESS with all its attributes."""
    options = OperationOptions.from_click(values)
    if is_binary(context.obj):
        from harness.cli.engine.external import external_reading

        context.exit(external_reading(context.obj, ["state", "show"], options, [address]))
    file = state_file_here(options)
    flavour = options.flavour_in(file.parent)
    target = _parse(address, flavour)
    if isinstance(target, Diagnostic | ModuleInstance):
        _report(_unparsed(address, flavour), flavour, is_plain=is_plain)
        context.exit(1)
    found = read_state_file(file, flavour)
    schemas = {} if found.problems else schemas_of_state(found.state, file.parent, flavour, options)
    problems = [*_unread(found.problems, flavour), *_missing_schemas(found.state, schemas, flavour)]
    for problem in problems:
        _report(problem, flavour, is_plain=is_plain)
    if problems:
        context.exit(1)
    instance = target.instance(None) if isinstance(target, AbsResource) else target
    shown = _show(found, instance, schemas, flavour)
    if isinstance(shown, str):
        click.echo(shown, nl=False)
        return
    _report(shown[0], flavour, is_plain=is_plain)
    context.exit(1)


_Problem = Diagnostic | str
"""What is wrong, in the form in which the product reports it: a diagnostic, or plain text."""


def _report(problem: _Problem, flavour: Flavour, *, is_plain: bool, is_list: bool = False) -> None:
    """Print a problem. Whether an empty line follows a diagnostic depends on the command and the product."""
    if isinstance(problem, str):
        click.echo(problem, err=True)
        return
    click.echo(problem_text(problem, is_plain=is_plain), err=True, nl=is_list is not flavour.state_commands_diagnose)


def _show(found: FoundState, address: AbsResourceInstance, schemas: Schemas, flavour: Flavour) -> str | tuple[_Problem]:
    """Return the text of an object, or the problem. In some products one that does not fit its schema is shown as
    nothing, which is no failure: a quirk of the original that is kept on purpose."""
    if not found.exists:
        return (_no_state(flavour),)
    current = found.state.current(address)
    if current is None:
        return (_no_instance(flavour),)
    resource = ResourceState(found.state.resources[address.containing].provider, {address.key: InstanceState(current)})
    alone, view = State({address.containing: resource}), StateView(flavour, schemas)
    summary = "Failed to marshal state to json"
    try:
        require_current_versions(alone, schemas)
        return view.text(state_document(alone, schemas, flavour))
    except (JsonError, MissingSchemaError, SchemaVersionError) as failure:
        if flavour.state_commands_diagnose:
            return (error(summary, f"Error while marshalling state to json: {failure}"),)
        click.echo(f"{summary}: {failure}", err=True, nl=False)
        return view.text({})


# Addresses


def _parse(text: str, flavour: Flavour) -> Target | Diagnostic:
    traversal, problems = parse_traversal(Source("", text))
    return problems[0] if problems or traversal is None else parse_target(traversal, flavour)


def _find(state: State, addresses: Sequence[str], flavour: Flavour) -> list[AbsResourceInstance] | Diagnostic:
    """Return the instances at each address, one address after the other, or the first problem."""
    if not addresses:
        return _sorted(state, ModuleInstance(()))
    found: list[AbsResourceInstance] = []
    for text in addresses:
        target = _parse(text, flavour)
        if isinstance(target, Diagnostic):
            return target
        listed = _instances_at(state, target)
        if listed is None:
            return _unknown(target, flavour)
        found += listed
    return found


def _instances_at(state: State, target: Target) -> list[AbsResourceInstance] | None:
    """Return the instances that an address covers; None if the state does not know it."""
    if isinstance(target, ModuleInstance):
        return _sorted(state, target) or None
    if isinstance(target, AbsResource):
        resource = state.resources.get(target)
        return None if resource is None else [target.instance(key) for key in resource.keys_in_order()]
    return None if state.instance(target) is None else [target]


def _sorted(state: State, module: ModuleInstance) -> list[AbsResourceInstance]:
    found = [
        address.instance(key)
        for address, resource in state.resources.items()
        if _is_within(address.module, module)
        for key in resource.instances
    ]
    return sorted(found, key=lambda address: address.sort_key)


def _is_within(module: ModuleInstance, target: ModuleInstance) -> bool:
    """Return whether a module is at or below an address. Only a last step without a key means all instances."""
    depth = len(target.steps)
    if not depth or len(module.steps) < depth:
        return not depth
    last, wanted = module.steps[depth - 1], target.steps[-1]
    is_meant = last.name == wanted.name and wanted.key in (None, last.key)
    return is_meant and module.steps[: depth - 1] == target.steps[:-1]


def _id_of(state: State, address: AbsResourceInstance) -> str | None:
    """Return the attribute `id` of the current object, if that is a text."""
    current = state.current(address)
    stored = None if current is None else current.stored
    found = stored.get("id") if isinstance(stored, dict) else None
    return found if isinstance(found, str) else None


# Words


def _unknown(target: Target, flavour: Flavour) -> Diagnostic:
    again = f'you must run "{flavour.command} apply" first to'
    if isinstance(target, ModuleInstance):
        return error(
            "Unknown module",
            f"The current state contains no module at {target}. If you've just added this module to the configuration, "
            f"{again} create the module's entry in the state.",
        )
    if isinstance(target, AbsResource):
        return error(
            "Unknown resource",
            f"The current state contains no resource {target}. If you've just added this resource to the "
            f"configuration, {again} create the resource's entry in the state.",
        )
    return error(
        "Unknown resource instance",
        f"The current state contains no resource instance {target}. If you've just added its resource to the "
        f"configuration or have changed the count or for_each arguments, {again} update the resource's entry in the "
        "state.",
    )


def _missing_schemas(state: State, schemas: Schemas, flavour: Flavour) -> list[Diagnostic]:
    """Return a problem if objects of the state have a provider that is not available."""
    needed = sorted({resource.provider.source for resource in state.resources.values()} - schemas.keys(), key=str)
    texts = [
        f"failed to instantiate provider {quoted(str(source))} to obtain schema: unavailable provider "
        f"{quoted(str(source))}"
        for source in needed
    ]
    if not flavour.state_commands_diagnose:
        obtained = "Failed to obtain provider schema: Could not load the schema for provider"
        texts = [f"{obtained} {source}: {text}." for source, text in zip(needed, texts, strict=True)]
    if not texts:
        return []
    several = f"{len(texts)} problems:\n\n" + "\n".join(f"- {text}" for text in texts)
    listed = texts[0] if len(texts) == 1 else several
    return [error("Failed to load plugin schemas", f"Error while loading schemas for plugin components: {listed}.")]


def _joined(problems: Sequence[Diagnostic]) -> str:
    texts = [f"{problem.summary}: {problem.detail}" for problem in problems]
    several = f"{len(texts)} problems:\n\n" + "\n".join(f"- {text}" for text in texts)
    return texts[0] if len(texts) == 1 else several


def _unlisted(problems: Sequence[Diagnostic], flavour: Flavour) -> _Problem:
    text = f"Failed to load state: {_joined(problems)}"
    return error("Error refreshing the state", text) if flavour.state_commands_diagnose else text


def _unread(problems: Sequence[Diagnostic], flavour: Flavour) -> Sequence[Diagnostic]:
    is_joined = flavour.state_commands_diagnose and problems
    return [error(f"error loading state: {_joined(problems)}")] if is_joined else problems


def _no_state(flavour: Flavour) -> _Problem:
    if flavour.state_commands_diagnose:
        return error(
            "No state file was found",
            f"State management commands require a state file. Run this command in a directory where {flavour.product} "
            "has been run or use the -state flag to point the command to a specific state location.",
        )
    return (
        "No state file was found!\n\nState management commands require a state file. Run this command\n"
        f"in a directory where {flavour.product} has been run or use the -state flag\n"
        "to point the command to a specific state location."
    )


def _no_instance(flavour: Flavour) -> _Problem:
    if flavour.state_commands_diagnose:
        return error("No instance found for the given address", _advice(flavour))
    return f"No instance found for the given address!\n\n{_advice(flavour)}"


def _unparsed(address: str, flavour: Flavour) -> _Problem:
    if flavour.state_commands_diagnose:
        return error(f"Error parsing instance address {quoted(address)}", _advice(flavour))
    return f"Error parsing instance address: {address}\n\n{_advice(flavour)}"


def _advice(flavour: Flavour) -> str:
    """Return the advice of the original. As plain text it has lines, with a space at the end of the second one."""
    lines = (
        "This command requires that the address references one specific instance.",
        f'To view the available instances, use "{flavour.command} state list". Please modify',
        "the address to reference a specific instance.",
    )
    return " ".join(lines) if flavour.state_commands_diagnose else f"{lines[0]}\n{lines[1]} \n{lines[2]}"
