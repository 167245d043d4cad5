"""Runs the commands of a test with one engine, in a copy of its directory, and compares what they leave."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from harness.equivalence.comparison import first_difference_of_documents, first_difference_of_texts
from harness.equivalence.specification import SPECIFICATION, EquivalenceTest, Form
from harness.equivalence.stripping import DEFAULT_FIELDS, IgnoredField, strip, strip_golden
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, Tree, loads

__all__ = ["CommandFailedError", "Comparison", "RunCommand", "judge_test"]


class CommandFailedError(Exception):
    """A command of a test failed, which none is expected to."""


RunCommand: TypeAlias = Callable[[Path, Sequence[str]], str]
"""Runs a command of the product in a directory and returns its output. Raises CommandFailedError."""


@record
class Comparison:
    """One artefact of a test: equal to its golden file, or where it differs first."""

    test: str
    artefact: str
    difference: str | None = None


def judge_test(test: EquivalenceTest, run: RunCommand) -> Iterator[Comparison]:
    """Yield one comparison per artefact. If a command fails, it is the last one, under the name of the command."""
    with TemporaryDirectory(prefix="equivalence-") as scratch:
        place = Path(scratch) / test.name
        shutil.copytree(test.directory, place, ignore=shutil.ignore_patterns(SPECIFICATION))
        for command in test.commands:
            try:
                output = run(place, command.arguments)
            except CommandFailedError as problem:
                yield Comparison(test.name, command.name, str(problem))
                return
            if command.artefact is not None:
                yield _compare(test, command.artefact, output, command.form)
        for name in test.included_files:
            yield _compare_file(test, name, place / name)


def _compare_file(test: EquivalenceTest, name: str, file: Path) -> Comparison:
    if not file.is_file():
        return Comparison(test.name, name, "missing")
    form = Form.JSON if file.suffix == ".json" else Form.TEXT
    return _compare(test, name, file.read_text(encoding="utf-8"), form)


def _compare(test: EquivalenceTest, artefact: str, output: str, form: Form) -> Comparison:
    golden = test.goldens / artefact
    if not golden.is_file():
        return Comparison(test.name, artefact, "there is no golden file")
    expected = golden.read_text(encoding="utf-8")
    if form is Form.TEXT:
        return Comparison(test.name, artefact, first_difference_of_texts(expected, output))
    own = (IgnoredField(path) for path in test.ignored_fields.get(artefact, ()))
    fields = (*DEFAULT_FIELDS.get(artefact, ()), *own)
    try:
        wanted, got = strip_golden(loads(expected), fields), strip(_document(output, form), fields)
    except JsonError as problem:
        return Comparison(test.name, artefact, f"not JSON: {problem.message}")
    return Comparison(test.name, artefact, first_difference_of_documents(wanted, got))


def _document(output: str, form: Form) -> Tree:
    if form is Form.STREAM:
        return [loads(line) for line in output.splitlines() if line]
    return loads(output)
