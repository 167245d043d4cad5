"""`templatefile` and `templatestring`: templates that are not part of the configuration itself.

Such a template sees only the given variables. Whether it may call every function, these two included, depends on the
flavour. Its syntax and evaluation errors become the error of the call, in a compact one-line form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.files import read_text
from shared_nodes.functions.overlay import FunctionMap, Overlay
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.frame import Frame
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, PanicError, Parameter
from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.lang.lazy_function import LazyArgument, LazyFunction
from shared_nodes.lang.parser import parse_template
from shared_nodes.lang.references import free_traversals
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Source
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, STRING, MapType, ObjectType, Type
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, unknown

__all__ = ["functions"]

_TEMPLATE_PARAMETERS: Final = {
    "templatefile": (Parameter("path"), Parameter("vars")),
    "templatestring": (Parameter("template"), Parameter("vars")),
}

_FILE_NAMES: Final = (
    "file",
    "fileexists",
    "fileset",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "filemd5",
    "filesha1",
    "filesha256",
    "filesha512",
)

_DEEPEST: Final = 1024
"""How deep templates may be nested where they may be nested at all."""

_LONGEST_TRACE: Final = 16

_depth: Final = ContextVar("depth of nested templates", default=0)


def functions(context: FunctionContext, others: FunctionMap) -> tuple[Function | LazyFunction, ...]:
    """The template functions, given a table of all functions, since templates may call the others."""
    if context.flavour.templates_are_unrestricted:
        renderer = _Renderer(others, context.flavour)
        return _templatefile(context, renderer), _templatestring_of_value(renderer)
    file_parameters = {name: others[name].parameters for name in _FILE_NAMES}
    in_files = Overlay(_refusals(_TEMPLATE_PARAMETERS, _refuse_recursion), others)
    in_strings = Overlay(_refusals(file_parameters, _refuse_files), in_files)
    flavour = context.flavour
    return _templatefile(context, _Renderer(in_files, flavour)), _templatestring(_Renderer(in_strings, flavour))


@record
class _Renderer:
    """Renders templates with a fixed set of functions."""

    functions: FunctionMap
    flavour: Flavour

    def render(self, template: tree.Expression, variables: Value, *, locates_variables: bool = True) -> Value:
        if not isinstance(variables.type, MapType | ObjectType):
            raise ArgumentError(1, "invalid vars value: must be a map")
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
                place = f", referenced at {traversal.root_range}" if locates_variables else ""
                raise ArgumentError(1, f"vars map does not contain key {quoted(traversal.root)}{place}")
        value, problems = evaluate(template, Scope(names, self.functions, self.flavour))
        if not problems and value.is_null and not self.flavour.templates_are_unrestricted:
            detail = "The result of the template is null, which is not a valid result for a templatestring call."
            problems = [error("Template result is null", detail, template.range)]
        if problems:
            raise _failure_of(problems)
        return value


def _failure_of(problems: Sequence[Diagnostic]) -> FunctionError:
    """Several diagnostics as one error: the first, and how many more there are. But where templates are nested too
    deeply, that is all that is said."""
    for problem in problems:
        if problem.evaluated is not None and isinstance(problem.evaluated.failure, _NestingError):
            return _NestingError((*problem.evaluated.failure.places, str(problem.subject)))
    others = len(problems) - 1
    return FunctionError(f"{problems[0]}, and {others} other diagnostic(s)" if others else str(problems[0]))


def _parse(name: str, text: str) -> tree.Expression:
    template, problems = parse_template(Source(name, text))
    if problems:
        raise _failure_of(problems)
    return template


def _templatefile(context: FunctionContext, renderer: _Renderer) -> Function:
    def render(arguments: Arguments, _type: Type) -> Value:
        path, variables = arguments
        with _one_level_deeper():
            template = _parse(path.payload, read_text(context, path))
            return renderer.render(template, variables).with_marks(path.marks)

    parameters = (Parameter("path", STRING, allow_marked=True), Parameter("vars", DYNAMIC))
    return Function("templatefile", parameters, DYNAMIC, render, refinement=None)


# Templates that may not call other templates.


def _refusals(
    parameters: Mapping[str, tuple[Parameter, ...]], refuse: Callable[[str], FunctionError]
) -> Mapping[str, Function]:
    """Functions that fail, in place of those with these names and parameters."""
    refused = {name: _refusal(name, own, refuse) for name, own in parameters.items()}
    return refused | {f"core::{name}": function for name, function in refused.items()}


def _refusal(name: str, parameters: tuple[Parameter, ...], refuse: Callable[[str], FunctionError]) -> Function:
    def fail(_arguments: Arguments) -> Type:
        raise refuse(name)

    return Function(name, parameters, fail, lambda _arguments, _type: DYNAMIC_UNKNOWN)


def _refuse_recursion(name: str) -> FunctionError:
    return FunctionError(f"cannot recursively call {name} from inside another template function")


def _refuse_files(name: str) -> FunctionError:
    return FunctionError(
        f"cannot use filesystem access functions like {name} in templatestring templates; consider passing the "
        "function result as a template variable instead"
    )


def _templatestring(renderer: _Renderer) -> LazyFunction:
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
        return _render_string(renderer, template_value, variables)

    return LazyFunction(
        "templatestring",
        (Parameter("template"), Parameter("vars", DYNAMIC)),
        None,
        lambda index: index == 0,
        render,
    )


def _render_string(renderer: _Renderer, template_value: Value, variables: Value) -> Value:
    plain, template_marks = template_value.unmark_deep()
    variables, variable_marks = variables.unmark_deep()
    marks = template_marks | variable_marks
    if plain.type is not STRING and plain.type is not DYNAMIC:
        raise ArgumentError(0, "invalid template value: a string is required")
    if plain.is_null:
        raise ArgumentError(0, "invalid template value: a string is required")
    if not plain.is_known or not variables.is_known:
        return unknown(STRING, NOT_NULL).with_marks(marks)
    try:
        template = _parse("<templatestring argument>", plain.payload)
    except FunctionError as failure:
        raise ArgumentError(0, f"invalid template: {failure.message}") from None
    try:
        result = convert(renderer.render(template, variables), STRING)
    except ConversionError as failure:
        raise FunctionError(f"invalid template result: {failure.explain(renderer.flavour)}") from failure
    return result.with_marks(marks)


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


# Templates that may call other templates.


def _templatestring_of_value(renderer: _Renderer) -> Function:
    def render(arguments: Arguments, _type: Type) -> Value:
        """Render the template. Quirk `templatestring-panics-on-marks`: the variables as a whole must not be marked."""
        text, variables = arguments
        with _one_level_deeper():
            template = _parse("NoFileNeeded", text.payload)
            if variables.marks and isinstance(variables.type, MapType | ObjectType):
                raise PanicError("value is marked, so must be unmarked first")
            return renderer.render(template, variables, locates_variables=False).with_marks(text.marks)

    parameters = (Parameter("data", STRING, allow_marked=True), Parameter("vars", DYNAMIC, allow_marked=True))
    return Function("templatestring", parameters, DYNAMIC, render, refinement=None)


class _NestingError(FunctionError):
    """Templates are nested too deeply. `places` are the calls that led there, the innermost first."""

    def __init__(self, places: tuple[str, ...] = ()) -> None:
        trace: list[str] = []
        for place in places[:_LONGEST_TRACE]:
            trace.append(place)
            if place in trace[:-1]:
                break
        super().__init__(f"maximum recursion depth {len(places) - 1} reached in {', '.join(trace)} ... ")
        self.places: Final = places


@contextmanager
def _one_level_deeper() -> Iterator[None]:
    depth = _depth.get()
    if depth > _DEEPEST:
        raise _NestingError
    outer = _depth.set(depth + 1)
    try:
        yield
    finally:
        _depth.reset(outer)
