"""Input variables: those of the root, set from outside, and those of other modules, set by the call.

A value is converted to the type of the variable, with defaults for omitted attributes, and then checked by the
validations of the variable. A validation sees its own variable as it was given: not yet marked as sensitive by its
declaration.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance, ModulePath
from shared_nodes.addresses.resource import Resource
from shared_nodes.config.blocks import Condition
from shared_nodes.config.blocks.variable import Variable, ignored_in_argument
from shared_nodes.config.inputs import GivenValue
from shared_nodes.context.check_results import CheckKind, CheckRule, CheckStatus
from shared_nodes.context.deprecation import report_deprecations
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.context.repetition import ANY_INSTANCE
from shared_nodes.context.scope import ModuleScope, ValueSource
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, found_in, has_errors, warning
from shared_nodes.lang.json_static import literal_text
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import NOWHERE, Range
from shared_nodes.lang.tree import Expression
from shared_nodes.nodes.checks.conditions import EPHEMERAL_REMEDY, Checkable, MessageProblems, condition_outcome
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.defaults import apply_defaults
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.text import quoted
from shared_nodes.values.types import STRING, without_optional_attributes
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, string, unknown

__all__ = [
    "are_rules_temporary",
    "evaluate_module_variable",
    "evaluate_root_variable",
    "input_vertex_name",
    "report_variable",
    "rules_vertex_name",
    "validate_variable",
    "variable_checkable",
]


def variable_checkable(module: ModuleInstance, name: str) -> Checkable:
    return CheckKind.VARIABLE, module.path.prefix(f"var.{name}"), module.prefix(f"var.{name}")


def input_vertex_name(module: ModulePath, name: str, flavour: Flavour) -> str:
    """Return what messages about cycles call the value of a variable of a called module."""
    return (
        f"{module.prefix(f'var.{name}')} ({'expand, input' if flavour.variables_have_reference_vertices else 'expand'})"
    )


def rules_vertex_name(module: ModulePath, name: str, flavour: Flavour) -> str:
    """Return what messages about cycles call the rules of a variable."""
    part = "expand, reference" if flavour.variables_have_reference_vertices else "validation"
    return f"{module.prefix(f'var.{name}')} ({part})"


def are_rules_temporary(variable: Variable, flavour: Flavour, *, is_destroying: bool) -> bool:
    """Return whether the rules of a variable are dropped where nothing refers to the variable."""
    return is_destroying or not (flavour.variables_have_reference_vertices and variable.validations)


@record
class _Given:
    """A value before conversion. `value` is None if the variable is not set at all. `origin` describes the source of a
    value without a range; `range` is what diagnostics point to."""

    value: Value | None
    range: Range
    origin: str | None = None


def evaluate_root_variable(context: NodeContext, declaration: Variable, given: GivenValue | None) -> list[Diagnostic]:
    """Set a root variable. While validating, it is unknown, of its type, whatever value was given."""
    if context.operation is Operation.VALIDATE:
        value = unknown(without_optional_attributes(declaration.constraint.type))
        _set(context, ROOT_INSTANCE, declaration, value, declaration.range)
        return []
    if given is None:
        entry = _Given(None, declaration.range)
    elif given.range is None:
        entry = _Given(given.value, declaration.range, given.origin)
    else:
        entry = _Given(given.value, given.range)
    value, problems = _accept(context, f"var.{declaration.name}", declaration, entry)
    if not has_errors(problems):
        subject = declaration.range if context.flavour.input_problems_are_at_declaration else entry.range
        _set(context, ROOT_INSTANCE, declaration, value, subject)
    return problems


def evaluate_module_variable(context: NodeContext, module: ModuleInstance, name: str) -> list[Diagnostic]:
    """Evaluate the argument of the call in the calling module, with the keys of this instance. While validating,
    arguments may refer to both `count` and `each`, however the call is repeated; planning is stricter. In Terraform a
    default value has no place that a failed rule could point to."""
    node = context.config.at(module.path)
    assert node is not None
    assert node.call is not None
    declaration = node.module.variables[name]
    argument = node.call.body.attributes.get(name)
    problems: list[Diagnostic] = []
    entry = _Given(None, declaration.range if context.flavour.input_problems_are_at_declaration else NOWHERE)
    if argument is not None:
        repetition = context.expander.module_data(module)
        if context.operation is Operation.VALIDATE:
            repetition = ANY_INSTANCE
        scope = replace(context.scope(module.parent), repetition=repetition)
        value, problems = scope.evaluate(argument.expression)
        if has_errors(problems):
            return problems
        entry = _Given(value, argument.expression.range)
        if context.flavour.ephemeral_arguments_are_refused_unconverted:
            problems += _refused_ephemeral(context, declaration, value, entry.range)
            if has_errors(problems):
                return problems
    value, found = _accept(context, module.prefix(f"var.{name}"), declaration, entry)
    problems = [*problems, *found]
    if not has_errors(problems):
        problems += _refused_ephemeral(context, declaration, value, entry.range)
    if not has_errors(problems):
        _set(context, module, declaration, value, entry.range)
        if argument is not None and context.operation is Operation.VALIDATE:
            problems += ignored_in_argument(declaration, argument.expression, context.flavour)
    return problems


def _refused_ephemeral(context: NodeContext, declaration: Variable, value: Value, subject: Range) -> list[Diagnostic]:
    if declaration.ephemeral or EPHEMERAL not in value.deep_marks():
        return []
    if context.flavour.ephemeral_problems_name_context:
        name = quoted(declaration.name)
        detail = f"The value used for the variable {name} is ephemeral, but it is not configured to allow one."
        return [error("Variable does not allow ephemeral value", detail, subject)]
    detail = (
        "This input variable is not declared as accepting a ephemeral values, so it cannot be set to a result derived "
        "from an ephemeral value."
    )
    return [error("Ephemeral value not allowed", detail, subject)]


def _accept(context: NodeContext, address: str, declaration: Variable, given: _Given) -> tuple[Value, list[Diagnostic]]:
    """Return the value in the type of the variable, without the marks that the declaration adds."""
    value = given.value
    if value is None:
        if declaration.default is None:
            detail = f'The variable "{declaration.name}" is required, but is not set.'
            return DYNAMIC_UNKNOWN, [error("Required variable not set", detail, declaration.range)]
        value = declaration.default
    try:
        value = _converted(declaration, value)
    except ConversionError as failure:
        return DYNAMIC_UNKNOWN, [_unsuitable_problem(address, declaration, given, failure, context.flavour)]
    if value.is_null and not declaration.nullable:
        if declaration.default is None:
            return DYNAMIC_UNKNOWN, [_null_problem(address, declaration, given)]
        value = declaration.default
    return value, []


def _converted(declaration: Variable, value: Value) -> Value:
    constraint = declaration.constraint
    if constraint.defaults is not None and not value.is_null:
        value = apply_defaults(value, constraint.defaults)
    return convert(value, constraint.type)


def _unsuitable_problem(
    address: str, declaration: Variable, given: _Given, failure: ConversionError, flavour: Flavour
) -> Diagnostic:
    """Report a value of the wrong type. The text of a secret value is not shown: then the range of the value becomes
    part of the detail."""
    summary, reason = "Invalid value for input variable", failure.explain(flavour)
    if given.origin is not None:
        return error(summary, f"Unsuitable value for {address} {given.origin}: {reason}.", declaration.range)
    secrecy = "sensitive" if declaration.sensitive else ""
    if declaration.ephemeral and flavour.input_problems_are_at_declaration:
        secrecy = "ephemeral"
    if secrecy:
        detail = (
            f"The given value is not suitable for {address}, which is {secrecy}: {reason}. Invalid value defined at "
            f"{given.range}."
        )
        return error(summary, detail, declaration.range)
    detail = f"The given value is not suitable for {address} declared at {declaration.range}: {reason}."
    return error(summary, detail, declaration.range if flavour.input_problems_are_at_declaration else given.range)


def _null_problem(address: str, declaration: Variable, given: _Given) -> Diagnostic:
    reason = "required variable may not be set to null"
    if given.origin is not None:
        detail = f"Unsuitable value for {address} {given.origin}: {reason}."
        return error("Required variable not set", detail, declaration.range)
    detail = f"The given value is not suitable for {address} defined at {declaration.range}: {reason}."
    return error("Required variable not set", detail, given.range)


def _set(context: NodeContext, module: ModuleInstance, declaration: Variable, value: Value, subject: Range) -> None:
    context.variables[module, declaration.name] = declaration.mark(value)
    if declaration.validations:
        own = value.mark(EPHEMERAL) if declaration.ephemeral else value
        own = declaration.mark(value) if context.flavour.validations_see_sensitivity else own
        context.unvalidated[module, declaration.name] = (own, subject)


def validate_variable(context: NodeContext, module: ModuleInstance, declaration: Variable) -> list[Diagnostic]:
    """Check the rules of a variable that was set before, and warn if it is deprecated. This is a separate step because
    rules may refer to anything in the module. Rules are not checked while destroying."""
    return [*_check_rules(context, module, declaration), *_used_deprecated(context, module, declaration)]


def _used_deprecated(context: NodeContext, module: ModuleInstance, declaration: Variable) -> list[Diagnostic]:
    """Warn about a deprecated variable of a module that the call sets."""
    if not declaration.deprecated or not module.steps:
        return []
    node = context.config.at(module.path)
    assert node is not None
    assert node.call is not None
    argument = node.call.body.attributes.get(declaration.name)
    if argument is None:
        return []
    detail = (
        f"Variable {quoted(declaration.name)} is marked as deprecated with the following message:\n"
        f"{declaration.deprecated}"
    )
    return [warning("Variable marked as deprecated by the module author", detail, argument.expression.range)]


def _check_rules(context: NodeContext, module: ModuleInstance, declaration: Variable) -> list[Diagnostic]:
    if context.operation.is_destroying or not declaration.validations:
        return []
    own, subject = context.unvalidated[module, declaration.name]
    scope = context.scope(module)
    scope = replace(scope, names=_WithOwnValue(scope.names, declaration.name, own))
    validation = _Validation(scope, subject, validating=context.operation is Operation.VALIDATE)
    _, config_address, address = variable_checkable(module, declaration.name)
    problems: list[Diagnostic] = []
    for index, rule in enumerate(declaration.validations):
        if has_errors(problems) and context.flavour.failed_rules_hide_later_ones:
            break
        status, failure, found = validation.check(rule)
        context.checks.report(config_address, address, CheckRule("validation", index), status, failure)
        problems.extend(found)
    return problems


@record
class _WithOwnValue:
    """The names of a module, except that one variable has the value that was given."""

    names: ValueSource
    own: str
    value: Value

    def variable(self, name: str) -> Value:
        return self.value if name == self.own else self.names.variable(name)

    def local(self, name: str) -> Value:
        return self.names.local(name)

    def resource(self, resource: Resource) -> Value:
        return self.names.resource(resource)

    def module(self, name: str) -> Value:
        return self.names.module(name)

    def path(self, name: str) -> Value:
        return self.names.path(name)

    def terraform(self, name: str) -> Value:
        return self.names.terraform(name)


_RESULT_PROBLEMS: Final = MessageProblems(
    "Invalid variable validation result",
    "Validation condition expression must return either true or false, not null.",
    "Invalid validation condition result value",
)

_Result = tuple[CheckStatus, str | None, list[Diagnostic]]


@record
class _Validation:
    """The evaluation of one variable's rules. `subject` is the range of the value, which a failed rule points to."""

    scope: ModuleScope
    subject: Range
    validating: bool

    def check(self, rule: Condition) -> _Result:
        """Evaluate one rule. A condition that cannot be evaluated counts as unknown: its error is reported once, by its
        own diagnostic."""
        prepared = [self.scope.module.expressions.prepare(part) for part in (rule.condition, rule.error_message)]
        references = [reference for part in prepared for reference in part.references]
        problems = [*(problem for part in prepared for problem in part.problems), *self.scope.check(references)]
        if has_errors(problems):
            return CheckStatus.ERROR, None, problems
        values = self.scope.values_for(references)
        result, problems = prepared[0].compiled.evaluate(values)
        result, deprecated = report_deprecations(result, rule.condition)
        message, unusable = prepared[1].compiled.evaluate(values)
        if has_errors(unusable) and rule.error_message.range.source.is_json:
            message, unusable = self._taken_literally(rule.error_message, values, message, unusable)
        message, also_deprecated = report_deprecations(message, rule.error_message)
        problems = [*problems, *deprecated, *also_deprecated]
        unknown_result = has_errors(problems) or not result.is_known
        problems = [*problems, *unusable]
        if unknown_result:
            return CheckStatus.UNKNOWN, None, problems
        status, problem = condition_outcome(result, rule, _RESULT_PROBLEMS, self.scope)
        if problem is not None:
            return status, None, [*problems, found_in(problem, rule.condition, values)]
        if status is CheckStatus.PASS:
            return status, None, problems
        if has_errors(unusable):
            if self.scope.flavour.unusable_messages_do_not_hide_failures:
                return self._failed(rule, _NO_MESSAGE, values, problems)
            message = DYNAMIC_UNKNOWN
        return self._describe_failure(rule, message, values, problems)

    def _taken_literally(
        self, expression: Expression, values: Scope, message: Value, problems: list[Diagnostic]
    ) -> tuple[Value, list[Diagnostic]]:
        """Return the text of a JSON string instead of a message that cannot be evaluated. Such strings had no templates
        once, and configurations rely on that."""
        text = literal_text(expression)
        if text is None:
            return message, problems
        product, others = self.scope.flavour.product, len(problems) - 1
        reason = f"{problems[0]}, and {others} other diagnostic(s)" if others else str(problems[0])
        detail = (
            f"The error message provided could not be evaluated as an expression, so {product} is interpreting it as a "
            f"string literal.\n\nIn future versions of {product}, this will be considered an error. Please file a "
            f"GitHub issue if this would break your workflow.\n\n{reason}"
        )
        problem = warning("Validation error message expression is invalid", detail, expression.range)
        return string(text), [found_in(problem, expression, values)]

    def _describe_failure(self, rule: Condition, message: Value, values: Scope, problems: list[Diagnostic]) -> _Result:
        if not message.is_known:
            return self._describe_unknown_message(rule, values, problems)
        text, unusable = self._message_text(rule.error_message, message)
        found = [found_in(problem, rule.error_message, values) for problem in unusable]
        return self._failed(rule, text, values, [*problems, *found])

    def _describe_unknown_message(self, rule: Condition, values: Scope, problems: list[Diagnostic]) -> _Result:
        if self.validating:
            return CheckStatus.UNKNOWN, None, problems
        if self.scope.flavour.unusable_messages_do_not_hide_failures:
            detail = "Value used in error message is not known and can not be used in error_message until after apply."
            problem = error("Invalid error message", detail, rule.error_message.range)
            problem = found_in(problem, rule.error_message, values, unknown_is_cause=True)
            return CheckStatus.FAIL, None, [*problems, problem]
        reason = "expression refers to values that won't be known until the apply phase"
        return CheckStatus.ERROR, None, [*problems, _bad_message(reason, rule.error_message)]

    def _failed(self, rule: Condition, text: str, values: Scope, problems: list[Diagnostic]) -> _Result:
        detail = f"{text}\n\nThis was checked by the validation rule at {rule.range}."
        failed = error("Invalid value for variable", detail, self.subject)
        return CheckStatus.FAIL, text, [*problems, found_in(failed, rule.condition, values)]

    def _message_text(self, expression: Expression, value: Value) -> tuple[str, list[Diagnostic]]:
        try:
            text = convert(value, STRING)
        except ConversionError as failure:
            reason = failure.explain(self.scope.flavour)
            return _NO_MESSAGE, [_bad_message(reason, expression)]
        for mark, word, function in _SECRETS:
            if text.has_mark(mark):
                return self._withheld(word), [self._secret_problem(word, function, expression)]
        return ("" if text.is_null else str(text.payload).strip()) or _NO_MESSAGE, []

    def _withheld(self, word: str) -> str:
        names_context = self.scope.flavour.ephemeral_problems_name_context
        secret = "an ephemeral" if word == "ephemeral" and names_context else "a sensitive"
        return f"The error message included {secret} value, so it will not be displayed."

    def _secret_problem(self, word: str, function: str, expression: Expression) -> Diagnostic:
        flavour = self.scope.flavour
        remedy = f", or by carefully using the {function}() function if the expression will not reveal the {word} data"
        if word == "ephemeral" and flavour.ephemeral_problems_name_context:
            remedy = EPHEMERAL_REMEDY
        return error(
            f"Error message refers to {word} values",
            f"The error expression used to explain this condition refers to {word} values. {flavour.product} will not "
            f"display the resulting message.\n\nYou can correct this by removing references to {word} values{remedy}.",
            expression.range,
        )


_NO_MESSAGE: Final = "Failed to evaluate condition error message."
_SECRETS: Final = ((SENSITIVE, "sensitive", "nonsensitive"), (EPHEMERAL, "ephemeral", "ephemeralasnull"))


def _bad_message(reason: str, expression: Expression) -> Diagnostic:
    return error("Invalid error message", f"Unsuitable value for error message: {reason}.", expression.range)


def report_variable(
    context: NodeContext, path: ModulePath, variable: Variable, modules: Iterable[ModuleInstance]
) -> None:
    """Report which instances there are, even if there are none: without instances, all rules pass."""
    if variable.validations and context.operation is Operation.PLAN:
        addresses = [module.prefix(f"var.{variable.name}") for module in modules]
        context.checks.report_objects(path.prefix(f"var.{variable.name}"), addresses)
