"""`diffharness engine ENGINE eval`: evaluate expressions in a module without planning."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TextIO

import click

from harness.case.directory_flavour import flavour_of_directory
from harness.cli.engine.group import is_binary
from harness.cli.engine.reporter import diagnostics_document
from harness.cli.support.options import flavour_option
from harness.expressions.answer import Answerer
from shared_nodes.config.files import sources_in
from shared_nodes.config.reader import read_module
from shared_nodes.flavour import FLAVOURS
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.lang.diagnostics_view import render_text
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.source import Source
from shared_nodes.operations.module_evaluator import EvaluationPhase, ModuleEvaluator
from shared_nodes.values.json import JsonError, Tree, dumps, loads, type_to_json, value_to_json
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.value import Value, value_text
from shared_nodes.world import World

__all__ = ["evaluate_command"]


@click.command("eval")
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--expr", "expression", help="The expression. Without it, JSON lines are read from standard input.")
@flavour_option
@click.option("--json", "as_json", is_flag=True, help="Print value, type and diagnostics as JSON.")
@click.pass_context
def evaluate_command(
    context: click.Context, directory: Path, expression: str | None, flavour: str | None, as_json: bool
) -> None:
    """Evaluate one expression in the module in DIR, or answer lines of the expression corpus.

    A line is a JSON object as in corpus/conformance/expressions, without its outcome keys; its context and files are
    read from DIR. Each line is answered by one line, in order.
    """
    if is_binary(context.obj):
        raise click.ClickException(f"{context.obj} is a binary; only engines in process evaluate expressions here")
    product = FLAVOURS[flavour or flavour_of_directory(directory)]
    world = World.real(directory)
    if expression is None:
        _answer_lines(Answerer(directory, world, product), sys.stdin)
        return
    sources, problems = sources_in(world.files, ".", product)
    module, found = read_module(sources, flavour=product)
    problems.extend(found)
    value: Value | None = None
    tree, syntax_problems = parse_expression(Source("expression", expression.encode("utf-8", "surrogateescape")))
    problems.extend(syntax_problems)
    if tree is not None and not has_errors(problems):
        value, found = ModuleEvaluator(module, world, EvaluationPhase.APPLY, product).evaluate(tree)
        problems.extend(found)
    failed = has_errors(problems)
    if as_json:
        click.echo(dumps(_outcome_to_json(None if failed else value, problems), escape_html=False))
    else:
        for problem in problems:
            click.echo(render_text(problem), err=True)
        if value is not None and not failed:
            click.echo(value_text(value))
    context.exit(1 if failed else 0)


def _outcome_to_json(value: Value | None, problems: list[Diagnostic]) -> Tree:
    document = diagnostics_document(problems)
    outcome: dict[str, Tree] = {"ok": document["ok"]}
    if value is not None:
        plain, marks = value.unmark_deep()
        try:
            outcome |= {"value": value_to_json(plain)}
        except JsonError:
            outcome |= {"value": None, "text": value_text(value)}
        outcome |= {"type": type_to_json(plain.type), "sensitive": SENSITIVE in marks}
    return outcome | {"diagnostics": document["diagnostics"]}


def _answer_lines(answerer: Answerer, lines: TextIO) -> None:
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line = loads(text)
        except JsonError as problem:
            raise click.ClickException(f"line {number} of standard input is not JSON: {problem.message}") from problem
        if not isinstance(line, dict) or not ({"expr", "body", "kind"} & line.keys()):
            raise click.ClickException(
                f"line {number} of standard input is not a question: it needs a key expr, body or kind"
            )
        click.echo(dumps(answerer.answer(line), escape_html=False))
