"""Static evaluation: expressions whose values are needed before anything runs.

Which modules and which instances of providers there are, where the state is stored and how it is encrypted: all this is
computed from variables, local values, functions, paths and the workspace alone. A reference to anything else is an
error, and so is everything that depends on it: each step on the way is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from shared_nodes.addresses.module import ROOT_PATH, ModulePath
from shared_nodes.addresses.references import (
    InputVariable,
    LocalValue,
    ModuleOutput,
    PathAttribute,
    ProviderFunction,
    Reference,
    TerraformAttribute,
    TofuAttribute,
)
from shared_nodes.config.blocks import ModuleCallBlock
from shared_nodes.config.blocks.variable import Variable
from shared_nodes.config.given_modules import NO_GIVEN_MODULES, GivenModules
from shared_nodes.config.module import Module
from shared_nodes.config.syntax.content import missing_item_range
from shared_nodes.config.syntax.literals import decoded
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.registry import function_table
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.function import Function
from shared_nodes.lang.lazy_function import LazyFunction
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Range
from shared_nodes.lang.suggestions import did_you_mean
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import Type
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, object_of, string
from shared_nodes.world import World

__all__ = ["StaticEvaluator", "StaticInputs", "StaticUse", "VariableValues", "default_value"]

_PATHS = ("cwd", "module", "root")

_Outcome = tuple[Value, list[Diagnostic]]

VariableValues = Callable[[Variable], tuple[Value | None, list[Diagnostic]]]
"""Returns what a variable is set to, before it is converted to its type; or None, and the reason."""


def default_value(variable: Variable) -> tuple[Value | None, list[Diagnostic]]:
    """Return the value of a root variable that is not set. A required one would have to be asked for, which is not
    possible here."""
    if variable.default is None:
        summary = f"Failed to request input from user for variable var.{variable.name}"
        return None, [error(summary, subject=variable.range)]
    return variable.default, []


@record
class StaticInputs:
    """What static evaluation uses from outside the configuration."""

    world: World
    values: VariableValues = default_value
    """The values of the root module's variables."""

    workspace: str = "default"
    modules: GivenModules = NO_GIVEN_MODULES
    """Directories that stand in for sources of modules."""


@record
class StaticUse:
    """What a value is needed for: the module, the name of the thing in it, and where that is declared."""

    module: ModulePath
    name: str
    range: Range | None

    def __str__(self) -> str:
        return f"{self.module}:{self.name}" if self.module.names else self.name


@record(frozen=False)
class StaticEvaluator:
    """Evaluates expressions of one module, as one call of it sees them."""

    module: Module
    inputs: StaticInputs
    values: VariableValues
    path: ModulePath
    functions: Mapping[str, Function | LazyFunction]
    _locals: dict[str, Value] = field(default_factory=dict, init=False)
    """The local values that could be computed."""

    @staticmethod
    def of_root(module: Module, inputs: StaticInputs) -> StaticEvaluator:
        functions = function_table(FunctionContext(inputs.world, module.flavour, plan_time_known=False))
        return StaticEvaluator(module, inputs, inputs.values, ROOT_PATH, functions)

    def of_call(self, call: ModuleCallBlock, module: Module) -> StaticEvaluator:
        """Return the evaluator of a module that this one calls. Its variables are the arguments of the call."""
        path = self.path.child(call.name)

        def argument(variable: Variable) -> tuple[Value | None, list[Diagnostic]]:
            given = call.body.attributes.get(variable.name)
            if given is not None:
                return self.evaluate(given.expression, StaticUse(path, f"var.{variable.name}", given.range))
            if variable.default is None:
                return None, [error("Missing required variable in module call", subject=missing_item_range(call.body))]
            return variable.default, []

        return StaticEvaluator(module, self.inputs, argument, path, self.functions)

    def use(self, name: str, where: Range | None) -> StaticUse:
        """Return what something in this module needs a value for."""
        return StaticUse(self.path, name, where)

    def evaluate(self, expression: tree.Expression, use: StaticUse) -> _Outcome:
        """Evaluate an expression. With errors, the value is unknown."""
        return self._evaluate(expression, (use,))

    def decode(self, expression: tree.Expression, use: StaticUse, want: Type, problems: list[Diagnostic]) -> object:
        """Return the plain value of an expression; None if it cannot be computed, or not be used as `want`."""
        value, found = self.evaluate(expression, use)
        problems.extend(found)
        if has_errors(found):
            return None
        for mark, word in ((SENSITIVE, "Sensitive"), (EPHEMERAL, "Ephemeral")):
            if mark in value.deep_marks():
                detail = f"{word} values, or values derived from {word.lower()} values, cannot be used as {use}."
                problems.append(error(f"{word} value not allowed", detail, expression.range))
                return None
        return decoded(value, expression, want, self.module.flavour, problems)

    def scope(self, references: Sequence[Reference], use: StaticUse) -> tuple[Scope, list[Diagnostic]]:
        """Return the values of references, for callers that evaluate by themselves."""
        return self._scope(references, (use,))

    def _evaluate(self, expression: tree.Expression, uses: tuple[StaticUse, ...]) -> _Outcome:
        """Evaluate an expression for the last of `uses`, which those before it depend on."""
        prepared = self.module.expressions.prepare(expression)
        scope, problems = self._scope(prepared.references, uses)
        problems = [*prepared.problems, *problems]
        if has_errors(problems):
            return DYNAMIC_UNKNOWN, problems
        value, found = prepared.compiled.evaluate(scope)
        return value, [*problems, *found]

    def _scope(self, references: Sequence[Reference], uses: tuple[StaticUse, ...]) -> tuple[Scope, list[Diagnostic]]:
        dynamic = (_refuse_dynamic(reference, uses[-1]) for reference in references)
        problems = [problem for problem in dynamic if problem is not None]
        by_root: dict[str, dict[str, Value]] = {"path": {}, "terraform": {}, "tofu": {}}
        if not has_errors(problems):
            for reference in references:
                subject = reference.subject
                assert isinstance(subject, _Static), "other references are refused"
                value, found = self._value_of(subject, reference.range, uses)
                problems += found
                by_root.setdefault(subject.root, {})[subject.name] = value
        variables = {root: object_of(values) for root, values in by_root.items()}
        return Scope(variables, self.functions, self.module.flavour), problems

    def _value_of(self, subject: _Static, where: Range, uses: tuple[StaticUse, ...]) -> _Outcome:
        match subject:
            case InputVariable(name):
                return self._variable(name, where, uses)
            case LocalValue(name):
                return self._local(name, where, uses)
            case PathAttribute(name):
                return self._path(name, where)
        return self._program_attribute(subject.name, where)

    def _local(self, name: str, where: Range, uses: tuple[StaticUse, ...]) -> _Outcome:
        if name in self._locals:
            return self._locals[name], []
        local = self.module.locals.get(name)
        if local is None:
            return _failure("Undefined local", f"Undefined local local.{name}", where)
        use = self.use(f"local.{name}", local.range)
        if use in uses:
            return _failure("Circular reference", f"{use} is self referential", use.range)
        value, problems = self._evaluate(local.expression, (*uses, use))
        if not problems:
            self._locals[name] = value
        return value, _explained(problems, use, uses[-1])

    def _variable(self, name: str, where: Range, uses: tuple[StaticUse, ...]) -> _Outcome:
        variable = self.module.variables.get(name)
        if variable is None:
            return _failure("Undefined variable", f"Undefined variable var.{name}", where)
        if variable.const is False:
            detail = (
                f'The variable "{name}" cannot be used in a static context, because it is declared as "const = false".'
            )
            return _failure("Unable to use variable in static context", detail, where)
        use = self.use(f"var.{name}", variable.range)
        given, problems = self.values(variable)
        if given is None or has_errors(problems):
            return DYNAMIC_UNKNOWN, _explained(problems, use, uses[-1])
        try:
            value = variable.accept(given)
        except ConversionError as failure:
            reason = failure.explain(self.module.flavour)
            detail = f"The given value is not suitable for var.{name} declared at {variable.range}: {reason}."
            return DYNAMIC_UNKNOWN, [*problems, error("Invalid value for input variable", detail)]
        if value.is_null and not variable.nullable:
            detail = (
                f"The given value is not suitable for var.{name} defined at {variable.range}: required variable may "
                "not be set to null."
            )
            problems = [*problems, error("Required variable not set", detail, variable.range)]
        return value, _explained(problems, use, uses[-1])

    def _path(self, name: str, where: Range) -> _Outcome:
        match name:
            case "cwd":
                return string(str(self.inputs.world.files.working_directory)), []
            case "module":
                return string(self.module.directory), []
            case "root":
                return string("."), []
        detail = f'The "path" object does not have an attribute named "{name}".{did_you_mean(name, _PATHS)}'
        return _failure('Invalid "path" attribute', detail, where)

    def _program_attribute(self, name: str, where: Range) -> _Outcome:
        """Return an attribute of `terraform`. Messages call it by this name, whichever was used."""
        if name == "workspace":
            return string(self.inputs.workspace), []
        if name == "applying":
            detail = (
                "The applying attribute can not be used during static evaluation and is only valid in the plan and "
                "apply phases of execution"
            )
            return _failure("Invalid attribute in static context", detail, where)
        if name == "env":
            detail = (
                'The terraform.env attribute was deprecated in v0.10 and removed in v0.12. The "state environment" '
                'concept was renamed to "workspace" in v0.12, and so the workspace name can now be accessed using the '
                "terraform.workspace attribute."
            )
        else:
            detail = (
                f'The "terraform" object does not have an attribute named "{name}". The only supported attribute is '
                "terraform.workspace, the name of the currently-selected workspace."
            )
        return _failure('Invalid "terraform" attribute', detail, where)


_Static = InputVariable | LocalValue | PathAttribute | TerraformAttribute | TofuAttribute


def _failure(summary: str, detail: str, where: Range | None) -> _Outcome:
    return DYNAMIC_UNKNOWN, [error(summary, detail, where)]


def _explained(problems: list[Diagnostic], use: StaticUse, needed_by: StaticUse) -> list[Diagnostic]:
    """Add what cannot be computed either if this value cannot."""
    if not has_errors(problems):
        return problems
    detail = f"{needed_by} depends on {use} which is not available"
    return [*problems, error("Unable to compute static value", detail, needed_by.range)]


def _refuse_dynamic(reference: Reference, use: StaticUse) -> Diagnostic | None:
    subject = reference.subject
    if isinstance(subject, _Static):
        return None
    summary = "Dynamic value in static context"
    if isinstance(subject, ModuleOutput):
        summary = "Module output not supported in static context"
    elif isinstance(subject, ProviderFunction):
        summary = "Provider function in static context"
    return error(summary, _unusable(str(subject), use), reference.range)


def _unusable(what: str, use: StaticUse) -> str:
    return f"Unable to use {what} in static context, which is required by {use}"
