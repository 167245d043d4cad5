"""`diffharness engine ENGINE output`: print the outputs in a state, or one of them."""

from __future__ import annotations

from typing import Any

import click

from harness.cli.engine.group import is_binary
from harness.cli.engine.options import OperationOptions
from harness.cli.engine.state_file import problem_text, read_state_file, state_file_here, state_reading_options
from reports.terminal.values import console_text
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors, warning
from shared_nodes.state.model import OutputState
from shared_nodes.values.json import JsonWriter, Tree, dumps, type_to_json, value_to_json
from shared_nodes.values.number import number_text
from shared_nodes.values.text import quoted
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, friendly_name
from shared_nodes.values.value import Value

__all__ = ["output_command"]


@click.command("output")
@click.argument("name", required=False)
@click.option("--json", "-json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--raw", "-raw", "as_raw", is_flag=True, help="Print the text of one output, and no line end.")
@state_reading_options
@click.pass_context
def output_command(
    context: click.Context, /, name: str | None, as_json: bool, as_raw: bool, is_plain: bool, **values: Any
) -> None:
    """Print all outputs in the state of the current directory, or the one called NAME."""
    options = OperationOptions.from_click(values)
    if as_json and as_raw:
        raise click.UsageError("--json and --raw exclude each other")
    if as_raw and not name:
        raise click.UsageError("--raw prints a single output: name it")
    if is_binary(context.obj):
        from harness.cli.engine.external import external_reading

        words = ["output", *(["-json"] if as_json else []), *(["-raw"] if as_raw else [])]
        context.exit(external_reading(context.obj, [*words, "-no-color"], options, [name] if name else []))
    file = state_file_here(options)
    flavour = options.flavour_in(file.parent)
    found = read_state_file(file, flavour)
    answer = list(found.problems) or _answer(found.state.outputs, name, flavour, as_json=as_json, as_raw=as_raw)
    if isinstance(answer, str):
        click.echo(answer, nl=not as_raw)
        return
    for problem in answer:
        click.echo(problem_text(problem, is_plain=is_plain), nl=False, err=has_errors(answer))
    context.exit(1 if has_errors(answer) else 0)


def _answer(
    outputs: dict[str, OutputState], name: str | None, flavour: Flavour, *, as_json: bool, as_raw: bool
) -> str | list[Diagnostic]:
    """Return what is printed, or what is wrong. Where there are no outputs, a program gets none, and people are warned
    whatever they asked for."""
    if not outputs and not (as_json and name):
        return "{}" if as_json else [_none_found(flavour)]
    if not name:
        return _all_as_json(outputs) if as_json else _all_for_people(outputs)
    if name not in outputs:
        return [_not_found(name, flavour)]
    value = outputs[name].value.unmark_deep()[0]
    if as_raw:
        return _raw(name, value)
    return dumps(value_to_json(value)) if as_json else console_text(value)


def _all_for_people(outputs: dict[str, OutputState]) -> str:
    return "\n".join(
        f"{name} = {'<sensitive>' if output.sensitive else console_text(output.value.unmark_deep()[0])}"
        for name, output in sorted(outputs.items())
    )


def _all_as_json(outputs: dict[str, OutputState]) -> str:
    document: dict[str, Tree] = {}
    for name, output in sorted(outputs.items()):
        value = output.value.unmark_deep()[0]
        document[name] = {
            "sensitive": output.sensitive,
            **({"deprecated": output.deprecated} if output.deprecated else {}),
            "type": type_to_json(value.type),
            "value": value_to_json(value),
        }
    return JsonWriter(indent=2).text(document)


def _raw(name: str, value: Value) -> str | list[Diagnostic]:
    summary = "Unsupported value for raw output"
    if value.type not in (STRING, NUMBER, BOOL) and not (value.type is DYNAMIC and value.is_null):
        detail = (
            f"The -raw option only supports strings, numbers, and boolean values, but output value {quoted(name)} is "
            f"{friendly_name(value.type)}.\n\nUse the -json option for machine-readable representations of output "
            "values that have complex types."
        )
        return [error(summary, detail)]
    if value.is_null:
        return [error(summary, f"The value for output value {quoted(name)} is null, so -raw mode cannot print it.")]
    if isinstance(value.payload, bool):
        return "true" if value.payload else "false"
    return value.payload if isinstance(value.payload, str) else number_text(value.payload)


def _none_found(flavour: Flavour) -> Diagnostic:
    return warning(
        "No outputs found",
        "The state file either has no outputs defined, or all the defined outputs are empty. Please define an output "
        f"in your configuration with the `output` keyword and run `{flavour.command} refresh` for it to become "
        "available. If you are using interpolation, please verify the interpolated value is not empty. You can use the "
        f"`{flavour.command} console` command to assist.",
    )


def _not_found(name: str, flavour: Flavour) -> Diagnostic:
    return error(
        f"Output {quoted(name)} not found",
        "The output variable requested could not be found in the state file. If you recently added this to your "
        f"configuration, be sure to run `{flavour.command} apply`, since the state won't be updated with new output "
        "variables until that command is run.",
    )
