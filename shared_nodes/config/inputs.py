"""Values for the root module's variables, from all their sources.

Later sources win: the environment, `terraform.tfvars`, `terraform.tfvars.json`, `*.auto.tfvars` and
`*.auto.tfvars.json` by name, then `-var` and `-var-file` in the order given. How a value for an undeclared variable is
treated depends on its source: in the environment it is ignored, in a file (which may serve other configurations too) it
is a warning, on the command line it is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from shared_nodes.config.blocks.variable import Variable
from shared_nodes.config.static_evaluation import VariableValues, default_value
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors, warning
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.json_syntax import JsonArray, JsonObject, JsonScalar, JsonString, JsonValue, parse_json
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Range, Source
from shared_nodes.lang.tree import Expression
from shared_nodes.record import record
from shared_nodes.values.text import quoted
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, object_of, string, tuple_of
from shared_nodes.world import Files

__all__ = [
    "Given",
    "GivenInputs",
    "GivenValue",
    "VarFile",
    "VarText",
    "collect_inputs",
    "deprecated_inputs",
    "gather_inputs",
]

_ENVIRONMENT_PREFIX: Final = "TF_VAR_"
_AUTOMATIC: Final = ("terraform.tfvars", "terraform.tfvars.json")
_AUTOMATIC_ENDINGS: Final = (".auto.tfvars", ".auto.tfvars.json")
_INDIVIDUAL_WARNINGS: Final = 2


@record
class VarText:
    """A `-var name=value` option."""

    name: str
    text: str


@record
class VarFile:
    """A `-var-file path` option. If `content` is set, no file is read."""

    path: str
    content: str | bytes | None = None


Given = VarText | VarFile


@record
class GivenValue:
    """A value not yet converted to the variable's type. `origin` describes where it came from; `range` is its location,
    if that is a file."""

    value: Value
    origin: str
    range: Range | None = None


@record
class _Text:
    """A value from the command line or the environment. Its meaning depends on the variable's type."""

    text: str
    origin: str
    is_option: bool


@record
class _Native:
    expression: Expression
    filename: str


@record
class _Json:
    value: JsonValue
    filename: str


_Unparsed = _Text | _Native | _Json


@record
class GivenInputs:
    """Everything that was given for variables, whether or not they are declared. What a text means depends on the type
    of the variable, so nothing is evaluated yet."""

    _found: Mapping[str, _Unparsed]

    def value_of(self, variable: Variable, flavour: Flavour) -> tuple[GivenValue | None, list[Diagnostic]]:
        """Return the value given for a variable; None if there is none, or if it is faulty."""
        unparsed = self._found.get(variable.name)
        return (None, []) if unparsed is None else _value(variable, unparsed, flavour)

    def static_values(self, flavour: Flavour) -> VariableValues:
        """Return the values of root variables for static evaluation."""

        def value(variable: Variable) -> tuple[Value | None, list[Diagnostic]]:
            given, problems = self.value_of(variable, flavour)
            if given is None and not problems:
                return default_value(variable)
            return None if given is None else given.value, problems

        return value

    def of_declared(
        self, variables: Mapping[str, Variable], flavour: Flavour
    ) -> tuple[dict[str, GivenValue], list[Diagnostic]]:
        """Return the values of declared variables, and report those that are missing and those that are not
        declared."""
        values: dict[str, GivenValue] = {}
        problems: list[Diagnostic] = []
        for name, unparsed in self._found.items():
            if name in variables:
                value, bad = _value(variables[name], unparsed, flavour)
                problems.extend(bad)
                if value is not None:
                    values[name] = value
        undeclared = {name: unparsed for name, unparsed in self._found.items() if name not in variables}
        problems.extend(_undeclared_problems(undeclared))
        for name, variable in variables.items():
            if variable.default is None and name not in values:
                detail = (
                    f'The root module input variable "{name}" is not set, and has no default value. Use a -var or '
                    "-var-file command line argument to provide a value for this variable."
                )
                problems.append(error("No value for required variable", detail, variable.range))
        return values, problems


def gather_inputs(
    given: Sequence[Given], files: Files, environment: Mapping[str, str] | None = None
) -> tuple[GivenInputs, list[Diagnostic]]:
    """Read everything that was given for variables."""
    found: dict[str, _Unparsed] = {}
    problems: list[Diagnostic] = []
    for name, text in sorted((environment or {}).items()):
        if name.startswith(_ENVIRONMENT_PREFIX):
            variable = name.removeprefix(_ENVIRONMENT_PREFIX)
            found[variable] = _Text(text, f"the {name} environment variable", is_option=False)
    for path in _automatic_files(files):
        problems.extend(_read_file(VarFile(path), files, found))
    for one in given:
        if isinstance(one, VarFile):
            problems.extend(_read_file(one, files, found))
        else:
            found[one.name] = _Text(one.text, f'-var="{one.name}=..."', is_option=True)
    return GivenInputs(found), problems


def collect_inputs(
    tree: ConfigTree,
    given: Sequence[Given],
    files: Files,
    environment: Mapping[str, str] | None = None,
) -> tuple[dict[str, GivenValue], list[Diagnostic]]:
    """Collect the values of declared variables. A variable without a value is absent from the result: it has a default,
    or there is an error."""
    inputs, problems = gather_inputs(given, files, environment)
    if has_errors(problems):
        return {}, problems
    return inputs.of_declared(tree.module.variables, tree.module.flavour)


def _automatic_files(files: Files) -> Iterator[str]:
    names = [entry.name for entry in files.list_directory(".")]
    yield from (name for name in _AUTOMATIC if name in names)
    yield from (name for name in names if name.endswith(_AUTOMATIC_ENDINGS))


def _read_file(file: VarFile, files: Files, found: dict[str, _Unparsed]) -> list[Diagnostic]:
    content = file.content
    if content is None:
        try:
            content = files.read_bytes(file.path)
        except FileNotFoundError:
            detail = f"Given variables file {file.path} does not exist."
            return [error("Failed to read variables file", detail)]
        except OSError as failure:
            detail = f"Error while reading {file.path}: {failure.strerror or failure}."
            return [error("Failed to read variables file", detail)]
    source = Source(file.path, content)
    return _read_json(source, found) if source.is_json else _read_native(source, found)


def _read_native(source: Source, found: dict[str, _Unparsed]) -> list[Diagnostic]:
    body, problems = parse_body(source)
    if has_errors(problems):
        return problems
    for block in body.blocks:
        if block.type == "variable" and len(block.labels) == 1:
            name = block.labels[0]
            detail = (
                "A .tfvars file is used to assign values to variables that have already been declared in .tf files, "
                f"not to declare new variables. To declare variable {quoted(name)}, place this block in one of your "
                f".tf files, such as variables.tf.\n\nTo set a value for this variable in {source.filename}, use the "
                f"definition syntax instead:\n    {name} = <value>"
            )
            problems.append(error("Variable declaration in .tfvars file", detail, block.type_range))
    if not problems and body.blocks:
        first = body.blocks[0]
        problems.append(error(f'Unexpected "{first.type}" block', "Blocks are not allowed here.", first.type_range))
    if not problems:
        found.update({name: _Native(one.expression, source.filename) for name, one in body.attributes.items()})
    return problems


def _read_json(source: Source, found: dict[str, _Unparsed]) -> list[Diagnostic]:
    root, problems = parse_json(source)
    if has_errors(problems):
        return problems
    if isinstance(root, JsonArray):
        detail = "A JSON object is required here, setting the arguments for this block."
        return [error("Incorrect JSON value type", detail, root.start_range)]
    seen: dict[str, Range] = {}
    for entry in root.properties:
        if entry.name == "//":
            continue
        if entry.name in seen:
            detail = f"The argument {quoted(entry.name)} was already set at {seen[entry.name]}."
            problems.append(error("Duplicate attribute definition", detail, entry.name_range, entry.range))
            continue
        seen[entry.name] = entry.range
        found[entry.name] = _Json(entry.value, source.filename)
    return problems


def _value(variable: Variable, unparsed: _Unparsed, flavour: Flavour) -> tuple[GivenValue | None, list[Diagnostic]]:
    """Evaluate one given value. Expressions may neither refer to anything nor call functions, and strings in JSON are
    not templates here."""
    match unparsed:
        case _Text(text, origin):
            value, problems = variable.parse_text(text, flavour)
            return (None if value is None else GivenValue(value, origin)), problems
        case _Native(expression, filename):
            value, problems = evaluate(expression, Scope(flavour=flavour))
            return (None if problems else GivenValue(value, filename, expression.range)), problems
        case _Json(json, filename):
            return GivenValue(_json_value(json), filename, json.range), []


def _json_value(json: JsonValue) -> Value:
    match json:
        case JsonString(text):
            return string(text)
        case JsonScalar(value):
            return value
        case JsonArray(items):
            return tuple_of([_json_value(item) for item in items])
        case JsonObject(properties):
            return object_of({entry.name: _json_value(entry.value) for entry in properties})
    return DYNAMIC_UNKNOWN


def _undeclared_problems(undeclared: Mapping[str, _Unparsed]) -> list[Diagnostic]:
    """Report values for undeclared variables. For values from files, the first two are reported individually and the
    others only counted."""
    problems: list[Diagnostic] = []
    warned = 0
    for name, unparsed in sorted(undeclared.items()):
        if isinstance(unparsed, _Text):
            if unparsed.is_option:
                problems.append(_undeclared_option(name))
            continue
        warned += 1
        if warned > _INDIVIDUAL_WARNINGS:
            continue
        detail = (
            f"The root module does not declare a variable named {quoted(name)} but a value was found in file "
            f'{quoted(unparsed.filename)}. If you meant to use this value, add a "variable" block to the '
            "configuration.\n\nTo silence these warnings, use TF_VAR_... environment variables to provide certain "
            '"global" settings to all configurations in your organization. To reduce the verbosity of these warnings, '
            "use the -compact-warnings option."
        )
        problems.append(warning("Value for undeclared variable", detail))
    if warned > _INDIVIDUAL_WARNINGS:
        detail = (
            f"In addition to the other similar warnings shown, {warned - _INDIVIDUAL_WARNINGS} other variable(s) "
            "defined without being declared."
        )
        problems.append(warning("Values for undeclared variables", detail))
    return problems


def deprecated_inputs(config: ConfigTree, given: Iterable[str]) -> list[Diagnostic]:
    """Warn about deprecated variables of the root module that are given a value."""
    found = (config.module.variables[name] for name in given)
    return [
        warning(
            "Deprecated variable used from the root module",
            f"The root variable {quoted(variable.name)} is deprecated with the following message: "
            f"{variable.deprecated}",
            variable.range,
        )
        for variable in found
        if variable.deprecated
    ]


def _undeclared_option(name: str) -> Diagnostic:
    detail = (
        f"A variable named {quoted(name)} was assigned on the command line, but the root module does not declare a "
        'variable of that name. To use this value, add a "variable" block to the configuration.'
    )
    return error("Value for undeclared variable", detail)
