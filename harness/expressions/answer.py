"""Computes our answer to one line of the expression corpus, in the form of the corpus.

Each kind of line stands for a small configuration. It is built exactly as it was when the answer was recorded, so that
even the ranges of diagnostics can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Final

from harness.expressions.planned import planned_resources
from harness.expressions.resource_arguments import check_resource_arguments
from shared_nodes.config.blocks.variable import Variable, ignored_in_argument
from shared_nodes.config.files import ParsedFile
from shared_nodes.config.installed_modules import not_installed_problem
from shared_nodes.config.module import Module
from shared_nodes.config.reader import collect_declarations, incompatibilities, read_module
from shared_nodes.config.requirements import check_core_version
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, Severity, error, has_errors
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import NOWHERE, Position, Source
from shared_nodes.lang.tree import Body, Expression
from shared_nodes.nodes.values.output import unexpected_ephemeral_problem
from shared_nodes.operations.module_evaluator import EvaluationPhase, ModuleEvaluator
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError
from shared_nodes.values.json import (
    JsonError,
    JsonNumber,
    sensitive_shape,
    type_to_json,
    unknown_shape,
    value_to_json,
    without_unknowns,
)
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.number import NumberTooLargeError
from shared_nodes.values.stored import stored, unknown_as_null
from shared_nodes.values.value import Value
from shared_nodes.world import World

__all__ = ["Answerer", "QuestionError"]

CorpusLine = Mapping[str, Any]
AnswerTree = dict[str, Any]

OUTCOME_KEYS: Final = frozenset(
    (
        "crash",
        "diagnostics",
        "ephemeral",
        "error",
        "errors",
        "not_serializable",
        "output_error",
        "panic",
        "phase",
        "planned",
        "save_error",
        "sensitive",
        "sensitive_paths",
        "stage",
        "syntax",
        "type",
        "valid",
        "value",
        "value_omitted",
        "warnings",
    )
)
"""Keys of the answer; all others belong to the question."""

_PHASE_NAMES: Final = {
    EvaluationPhase.VALIDATE: "validate",
    EvaluationPhase.PLAN: "plan",
    EvaluationPhase.APPLY: "plan",
}
"""The corpus distinguishes only whether a problem was found without values."""


class QuestionError(Exception):
    """A line does not ask a question. The message says what is wrong with it."""


def _text(line: CorpusLine, key: str) -> str:
    text = line.get(key)
    if not isinstance(text, str):
        raise QuestionError(f"{key} must be a text")
    return text


def _optional_text(line: CorpusLine, key: str) -> str | None:
    return None if line.get(key) is None else _text(line, key)


def _source(filename: str, text: str) -> Source:
    """Encode text from a JSON line as a file would have it. Characters that a file cannot hold are replaced."""
    return Source(filename, text.encode("utf-8", "replace"))


def _integer(value: int) -> JsonNumber:
    return JsonNumber(str(value))


@record
class _Origin:
    """Where the text of a line begins in the file made for it. Positions are reported relative to this, and with the
    name of that text, or of the file, where the corpus has one."""

    line: int
    column: int
    where: str | None = None
    names_file: bool = False
    others: Mapping[str, _Origin] = field(default_factory=dict)
    """Where other texts of the line begin, by the names of their files."""

    def relative(self, position: Position) -> AnswerTree:
        column = position.column - self.column + 1 if position.line == self.line else position.column
        return {"line": _integer(position.line - self.line + 1), "column": _integer(column)}


_EXPRESSION_ORIGIN: Final = _Origin(2, len("  value = ") + 1)
_TYPE_ORIGIN: Final = _Origin(2, len("  type = ") + 1, where="type")
_GIVEN_ORIGIN: Final = _Origin(3, len("  v = ") + 1, where="given", others={"m/main.tf": _TYPE_ORIGIN})
_FILE_ORIGIN: Final = _Origin(1, 1, names_file=True)


@record(frozen=False)
class Answerer:
    """Answers lines, using the context files of one directory. Parsed context files are cached."""

    directory: Path
    world: World
    flavour: Flavour = TERRAFORM_1_11
    _context_bodies: dict[str, Body] = field(default_factory=dict, init=False)

    def answer(self, line: CorpusLine) -> AnswerTree:
        question = {key: value for key, value in line.items() if key not in OUTCOME_KEYS}
        if "body" in line:
            outcome = self._answer_body(_text(line, "body"))
        elif "kind" in line:
            outcome = self._answer_type(line)
        elif "config" in line:
            outcome = self._answer_config(line)
        else:
            outcome = self._answer_expression(_text(line, "expr"), _optional_text(line, "context"))
        return question | outcome

    # A whole file.

    def _answer_body(self, text: str) -> AnswerTree:
        body, syntax_problems = parse_body(_source("main.tf", text))
        module, problems = collect_declarations([ParsedFile(body)], flavour=self.flavour)
        problems = [*syntax_problems, *problems]
        problems = incompatibilities(problems) or problems
        if not has_errors(problems):
            problems.extend(not_installed_problem(call.range, self.flavour) for call in module.module_calls.values())
        if not has_errors(problems):
            problems.extend(check_core_version(ConfigTree(module), self.flavour) or check_resource_arguments(module))
        if not has_errors(problems):
            evaluator = self._evaluator(module, EvaluationPhase.VALIDATE)
            for declaration in module.locals.values():
                problems.extend(evaluator.evaluate(declaration.expression)[1])
        failed = has_errors(problems)
        outcome: AnswerTree = {"valid": not failed}
        if failed:
            outcome["stage"] = "syntax" if syntax_problems else "config"
        return outcome | {"diagnostics": [_whole_file_problem(problem) for problem in problems]}

    # An expression.

    def _answer_expression(self, text: str, context: str | None) -> AnswerTree:
        body, syntax_problems = parse_body(_source("main.tf", f"locals {{\n  value = {text}\n}}\n"))
        bodies = [body] if context is None else [self._context_body(context), body]
        module, problems = collect_declarations(map(ParsedFile, bodies), flavour=self.flavour)
        if syntax_problems or problems:
            failure = _failure_answer([*syntax_problems, *problems], EvaluationPhase.VALIDATE, _EXPRESSION_ORIGIN)
            return failure | {"syntax": bool(syntax_problems)}
        return self._evaluate_in_phases(module, module.locals["value"].expression)

    def _evaluate_in_phases(self, module: Module, expression: Expression) -> AnswerTree:
        """Evaluate in all phases. Problems are reported with the first phase that finds them; the value is that of the
        last."""
        value: Value | None = None
        for phase in EvaluationPhase:
            value, problems = self._evaluator(module, phase).evaluate(expression)
            if problems:
                return _failure_answer(problems, phase, _EXPRESSION_ORIGIN) | {"syntax": False}
        assert value is not None
        return self._success_answer(value)

    def _success_answer(self, value: Value) -> AnswerTree:
        if EPHEMERAL in value.deep_marks():
            problem = unexpected_ephemeral_problem(None, self.flavour)
            return {"ephemeral": True, "output_error": {"summary": problem.summary, "detail": problem.detail}}
        is_sensitive = SENSITIVE in value.deep_marks()
        try:
            plain, _ = unknown_as_null(stored(value)).unmark_deep()
            outcome: AnswerTree = {
                "value": value_to_json(plain),
                "type": type_to_json(plain.type),
                "sensitive": is_sensitive,
            }
        except JsonError:
            return {"not_serializable": "infinity", "save_error": _save_error(self.flavour)}
        except NumberTooLargeError:
            return {"not_serializable": "number with more digits than diffharness writes"}
        return outcome | {"sensitive_paths": sensitive_shape(value)} if is_sensitive else outcome

    def _evaluator(self, module: Module, phase: EvaluationPhase) -> ModuleEvaluator:
        return ModuleEvaluator(module, self.world, phase, self.flavour)

    def _context_body(self, name: str) -> Body:
        if name not in self._context_bodies:
            try:
                content = self.world.files.read_bytes(name)
            except OSError as problem:
                raise QuestionError(f"context cannot be read: {problem}") from problem
            self._context_bodies[name], _ = parse_body(Source(name, content))
        return self._context_bodies[name]

    # A value for a variable with a type constraint.

    def _answer_type(self, line: CorpusLine) -> AnswerTree:
        kind, given, constraint = _text(line, "kind"), _text(line, "given"), _optional_text(line, "type_constraint")
        if kind not in _KINDS:
            raise QuestionError(f"kind must be one of {', '.join(_KINDS)}")
        type_line = "" if constraint is None else f"  type = {constraint}\n"
        if kind == "module_input":
            return self._answer_module_input(type_line, given)
        if kind == "variable_default":
            return self._answer_default(type_line, given)
        return self._answer_outside_value(kind, type_line, given)

    def _answer_module_input(self, type_line: str, given: str) -> AnswerTree:
        inner, problems = read_module([_source("m/main.tf", f'variable "v" {{\n{type_line}}}\n')], flavour=self.flavour)
        if has_errors(problems):
            return _failure_answer(problems, None, _GIVEN_ORIGIN)
        text = f'module "m" {{\n  source = "./m"\n  v = {given}\n}}\n'
        outer, problems = read_module([_source("main.tf", text)], flavour=self.flavour)
        if problems:
            return _failure_answer(problems, None, _GIVEN_ORIGIN)
        variable, expression = inner.variables["v"], outer.module_calls["m"].body.attributes["v"].expression
        result: Value | None = None
        for phase in EvaluationPhase:
            value, problems = self._evaluator(outer, phase).evaluate(expression)
            if not problems:
                result, problems = _accept(variable, value, expression, "module.m.var.v", self.flavour)
            if problems:
                return _failure_answer(problems, phase, _GIVEN_ORIGIN)
        assert result is not None
        outcome = self._success_answer(result)
        outcome.pop("sensitive_paths", None)
        return outcome | _warnings_answer(ignored_in_argument(variable, expression, self.flavour), _GIVEN_ORIGIN)

    def _answer_default(self, type_line: str, given: str) -> AnswerTree:
        """Read the default of a variable. The corpus leaves out the warnings of accepted ones."""
        lines_before = 1 + (type_line.count("\n"))
        origin = _Origin(lines_before + 1, len("  default = ") + 1)
        text = f'variable "v" {{\n{type_line}  default = {given}\n}}\n'
        module, problems = read_module([_source("main.tf", text)], flavour=self.flavour)
        if has_errors(problems):
            return _failure_answer(problems, None, origin)
        variable = module.variables["v"]
        assert variable.default is not None
        return self._success_answer(variable.mark(variable.default))

    def _answer_outside_value(self, kind: str, type_line: str, given: str) -> AnswerTree:
        """Read a value given on the command line, in the environment or in terraform.tfvars."""
        module, problems = read_module([_source("main.tf", f'variable "v" {{\n{type_line}}}\n')], flavour=self.flavour)
        if problems:
            return _failure_answer(problems, None, _FILE_ORIGIN)
        variable = module.variables["v"]
        if kind == "tfvars":
            result, problems = _value_from_file(variable, given, self.flavour)
        else:
            result, problems = _value_from_text(variable, given, kind, self.flavour)
        if result is None:
            return _failure_answer(problems, EvaluationPhase.PLAN, _FILE_ORIGIN)
        return self._success_answer(result)

    # A configuration with a planned output.

    def _answer_config(self, line: CorpusLine) -> AnswerTree:
        source = _source("main.tf", _text(line, "config"))
        module, problems = read_module([source], flavour=self.flavour)
        origin = _config_origin(source, _text(line, "expr"))
        if problems:
            return _failure_answer(problems, EvaluationPhase.VALIDATE, origin) | {"syntax": bool(parse_body(source)[1])}
        if "result" not in module.outputs:
            raise QuestionError("config has no output called result")
        expression = module.outputs["result"].expression
        validated, problems = self._evaluator(module, EvaluationPhase.VALIDATE).evaluate(expression)
        if not problems and EPHEMERAL in validated.deep_marks():
            problems = [unexpected_ephemeral_problem(expression.range, self.flavour)]
        if problems:
            return _failure_answer(problems, EvaluationPhase.VALIDATE, origin) | {"syntax": False}
        evaluator = self._evaluator(module, EvaluationPhase.PLAN)
        evaluator.resources = planned_resources(module, evaluator)
        value, problems = evaluator.evaluate(expression)
        if problems:
            return _failure_answer(problems, EvaluationPhase.PLAN, origin) | {"syntax": False}
        return _planned_answer(value)


def _config_origin(source: Source, expression: str) -> _Origin:
    """Return where the expression begins in the configuration that was built around it."""
    start = source.text.rfind(f"  value = {expression}")
    if start < 0:
        raise QuestionError("expr is not the value of an output in config")
    position = source.position(start + len("  value = "))
    return _Origin(position.line, position.column)


def _planned_answer(value: Value) -> AnswerTree:
    """Return the output as a plan shows it, and the type that is known so far."""
    plain, marks = value.unmark_deep()
    planned: AnswerTree = {"actions": ["no-op" if plain.is_null else "create"]}
    shown = without_unknowns(stored(plain))
    if shown is not None:
        planned["after"] = value_to_json(shown)
    unknown_parts = False if plain.is_wholly_known else unknown_shape(plain)
    planned |= {"after_unknown": unknown_parts, "after_sensitive": SENSITIVE in marks}
    return {"planned": planned, "type": type_to_json(plain.type)}


def _accept(
    variable: Variable, value: Value, expression: Expression, address: str, flavour: Flavour
) -> tuple[Value | None, list[Diagnostic]]:
    try:
        return variable.accept(value), []
    except ConversionError as failure:
        reason = failure.explain(flavour)
        detail = f"The given value is not suitable for {address} declared at {variable.range}: {reason}."
        subject = variable.range if flavour.input_problems_are_at_declaration else expression.range
        return None, [error("Invalid value for input variable", detail, subject)]


def _not_set_error(variable: Variable) -> Diagnostic:
    detail = (
        f'The root module input variable "{variable.name}" is not set, and has no default value. Use a -var or '
        "-var-file command line argument to provide a value for this variable."
    )
    return error("No value for required variable", detail, variable.range)


def _value_from_file(variable: Variable, given: str, flavour: Flavour) -> tuple[Value | None, list[Diagnostic]]:
    body, problems = parse_body(_source("terraform.tfvars", f"v = {given}\n"))
    if problems:
        return None, problems
    expression = body.attributes["v"].expression
    value, problems = evaluate(expression, Scope(flavour=flavour))
    if problems:
        return None, [*problems, _not_set_error(variable)]
    return _accept(variable, value, expression, f"var.{variable.name}", flavour)


_TEXT_ORIGINS: Final = {"cli": '-var="v=..."', "env": "the TF_VAR_v environment variable"}
_KINDS: Final = ("module_input", "variable_default", "tfvars", *_TEXT_ORIGINS)


def _value_from_text(
    variable: Variable, given: str, kind: str, flavour: Flavour
) -> tuple[Value | None, list[Diagnostic]]:
    value, problems = variable.parse_text(given, flavour)
    if value is None:
        return None, [*problems, _not_set_error(variable)]
    try:
        return variable.accept(value), []
    except ConversionError as failure:
        reason = failure.explain(flavour)
        detail = f"Unsuitable value for var.{variable.name} set using {_TEXT_ORIGINS[kind]}: {reason}."
        return None, [error("Invalid value for input variable", detail, variable.range)]


def _save_error(flavour: Flavour) -> AnswerTree:
    occurred = "occurred" if flavour.misspellings_are_corrected else "occured"
    return {
        "summary": "Failed to save state",
        "detail": (
            f"Error saving state: Failed to serialize output value in state: An error {occurred} while serializing "
            'output value "value": cannot serialize infinity as JSON.'
        ),
    }


def _failure_answer(problems: Sequence[Diagnostic], phase: EvaluationPhase | None, origin: _Origin) -> AnswerTree:
    """Answer with the problems that have a place in a source; the corpus leaves out others."""
    somewhere = [problem for problem in problems if problem.subject != NOWHERE]
    entries = [_problem(problem, origin) for problem in somewhere if problem.severity is Severity.ERROR]
    outcome: AnswerTree = {"error": entries[0]}
    if len(entries) > 1:
        outcome["errors"] = entries
    outcome["phase"] = "load" if phase is None else _PHASE_NAMES[phase]
    if "panic in function implementation" in problems[0].detail:
        outcome["panic"] = True
    return outcome | _warnings_answer(somewhere, origin)


def _warnings_answer(problems: Iterable[Diagnostic], origin: _Origin) -> AnswerTree:
    entries = [
        _problem(problem, origin) | {"severity": problem.severity.value}
        for problem in problems
        if problem.severity is Severity.WARNING
    ]
    return {"warnings": entries} if entries else {}


def _problem(problem: Diagnostic, origin: _Origin) -> AnswerTree:
    entry: AnswerTree = {"summary": problem.summary, "detail": problem.detail}
    if problem.subject is not None:
        origin = origin.others.get(problem.subject.source.filename, origin)
    if origin.where is not None:
        entry["where"] = origin.where
    if problem.subject is None:
        return entry
    if origin.names_file:
        entry["filename"] = problem.subject.source.filename
    first, last = problem.subject.display_positions
    entry["start"] = origin.relative(first)
    entry["end"] = origin.relative(last)
    return entry


def _whole_file_problem(problem: Diagnostic) -> AnswerTree:
    entry: AnswerTree = {"summary": problem.summary, "detail": problem.detail, "severity": problem.severity.value}
    if problem.subject is not None:
        for key, position in zip(("start", "end"), problem.subject.display_positions, strict=True):
            entry[key] = {name: _integer(number) for name, number in position._asdict().items()}
    return entry
