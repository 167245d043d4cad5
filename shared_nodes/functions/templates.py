"""`templatefile` and `templatestring`: templates that are not part of the configuration itself.

Such a template sees only the given variables, and every function except these two. Its syntax and evaluation errors
become the error of the call, in a compact one-line form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.files import read_text
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.frame import Frame
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, Parameter
from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.lang.lazy_function import LazyArgument, LazyFunction
from shared_nodes.lang.parser import parse_template
from shared_nodes.lang.references import free_traversals
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Source
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, STRING, MapType, ObjectType, Type
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, unknown

__all__ = ["FunctionMap", "functions"]

FunctionMap = Mapping[str, Function | LazyFunction]

_NAMES = ("templatefile", "templatestring")


def functions(context: FunctionContext, others: FunctionMap) -> tuple[Function | LazyFunction, ...]:
    """The template functions, given a table of all functions, since templates may call the others."""
    refused = {name: _refuse_recursion(name) for name in _NAMES}
    refused |= {f"core::{name}": function for name, function in refused.items()}
    callable_inside = {name: refused.get(name) or others[name] for name in others}
    scope = _TemplateScope(callable_inside, context.flavour)
    if context.flavour.templatestring_takes_any_expression:
        return _templatefile(context, scope), _templatestring_of_value(scope)
    return _templatefile(context, scope), _templatestring_of_reference(scope)


class _TemplateScope:
    """Renders templates with a fixed set of functions."""

    def __init__(self, callable_inside: FunctionMap, flavour: Flavour) -> None:
        self._functions = callable_inside
        self._flavour = flavour

    def render(self, template: tree.Expression, variables: Value) -> Value:
        if not isinstance(variables.type, MapType | ObjectType):
            raise ArgumentError(1, "invalid vars value: must be a map")
        if not variables.is_known:
            return DYNAMIC_UNKNOWN
        names: Mapping[str, Value] = variables.payload
        for name in names:
            if not is_identifier(name):
                raise ArgumentError(
                    1,
                    f"invalid template variable name {quoted(name)}: must start with a letter, followed by zero or "
                    "more letters, digits, and underscores",
                )
        for traversal in free_traversals(template):
            if traversal.root not in names:
                raise ArgumentError(
                    1,
                    f"vars map does not contain key {quoted(traversal.root)}, referenced at {traversal.root_range}",
                )
        value, problems = evaluate(template, Scope(names, self._functions, self._flavour))
        if not problems and value.is_null:
            detail = "The result of the template is null, which is not a valid result for a templatestring call."
            problems = [error("Template result is null", detail, template.range)]
        if problems:
            raise FunctionError(_summarise(problems))
        return value


def _summarise(problems: Sequence[Diagnostic]) -> str:
    """Several diagnostics as one error message: the first, and how many more there are."""
    others = len(problems) - 1
    return f"{problems[0]}, and {others} other diagnostic(s)" if others else str(problems[0])


def _refuse_recursion(name: str) -> Function:
    def refuse(_arguments: Arguments) -> Type:
        raise FunctionError(f"cannot recursively call {name} from inside another template function")

    parameters = (Parameter("path"), Parameter("vars"))
    return Function(name, parameters, refuse, lambda _arguments, _type: DYNAMIC_UNKNOWN)


def _templatefile(context: FunctionContext, scope: _TemplateScope) -> Function:
    def render(arguments: Arguments) -> Value:
        path, variables = arguments
        if not (path.is_known and variables.is_known):
            return DYNAMIC_UNKNOWN
        text = read_text(context.world.files, path)
        template, problems = parse_template(Source(path.payload, text))
        if problems:
            raise FunctionError(_summarise(problems))
        return scope.render(template, variables).with_marks(path.marks)

    return Function(
        "templatefile",
        (Parameter("path", STRING, allow_marked=True), Parameter("vars", DYNAMIC)),
        lambda arguments: render(arguments).type,
        lambda arguments, _type: render(arguments),
        refinement=None,
    )


def _render_string(scope: _TemplateScope, template_value: Value, variables: Value) -> Value:
    plain, template_marks = template_value.unmark_deep()
    variables, variable_marks = variables.unmark_deep()
    marks = template_marks | variable_marks
    if plain.type is not STRING and plain.type is not DYNAMIC:
        raise ArgumentError(0, "invalid template value: a string is required")
    if plain.is_null:
        raise ArgumentError(0, "invalid template value: a string is required")
    if not plain.is_known or not variables.is_known:
        return unknown(STRING, NOT_NULL).with_marks(marks)
    template, problems = parse_template(Source("<templatestring argument>", plain.payload))
    if problems:
        raise ArgumentError(0, f"invalid template: {_summarise(problems)}")
    try:
        result = convert(scope.render(template, variables), STRING)
    except ConversionError as failure:
        raise FunctionError(f"invalid template result: {failure.message}") from failure
    return result.with_marks(marks)


def _templatestring_of_value(scope: _TemplateScope) -> Function:
    return Function(
        "templatestring",
        (Parameter("data", STRING, allow_marked=True), Parameter("vars", DYNAMIC)),
        STRING,
        lambda arguments, _type: _render_string(scope, arguments[0], arguments[1]),
        refinement=None,
    )


def _templatestring_of_reference(scope: _TemplateScope) -> LazyFunction:
    def render(frame: Frame, arguments: Sequence[LazyArgument], values: Sequence[Value | None]) -> Value:
        variables = values[1]
        assert variables is not None
        if variables.is_null:
            raise ArgumentError(1, "argument must not be null")
        expression = arguments[0].expression
        if not _is_direct_reference(expression):
            raise ArgumentError(0, f"invalid template expression: {_explain_not_direct(expression)}")
        before = len(frame.diagnostics)
        template_value = arguments[0].code(frame)
        if len(frame.diagnostics) > before:
            return DYNAMIC_UNKNOWN
        return _render_string(scope, template_value, variables)

    return LazyFunction(
        "templatestring",
        (Parameter("template"), Parameter("vars", DYNAMIC)),
        None,
        lambda index: index == 0,
        render,
    )


def _is_direct_reference(expression: tree.Expression) -> bool:
    while isinstance(expression, tree.Index | tree.RelativeTraversal | tree.Splat):
        expression = expression.collection if isinstance(expression, tree.Index) else expression.source
    return isinstance(expression, tree.Traversal)


def _explain_not_direct(expression: tree.Expression) -> str:
    from_elsewhere = "templatestring is only for rendering templates retrieved dynamically from elsewhere"
    if isinstance(expression, tree.TemplateWrap):
        return (
            f"{from_elsewhere}; to treat the inner expression as template syntax, write the reference expression "
            "directly without any template interpolation syntax"
        )
    if not isinstance(expression, tree.Template):
        return (
            "must be a direct reference to a single string from elsewhere, containing valid Terraform template syntax"
        )
    if all(isinstance(part, tree.Literal) for part in expression.parts):
        return (
            f"{from_elsewhere}, and so does not support providing a literal template; consider using a template string "
            "expression instead"
        )
    return f"{from_elsewhere}; to render an inline template, consider using a plain template string expression"
