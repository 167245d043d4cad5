"""Applies diffs to the source of a module, and compiles the functions that they change.

Lines are found by their text, so a mutant survives if the code around them is moved or renamed. They must occur exactly
once, and inside a function; otherwise `PatchError` says what to do.
"""

from __future__ import annotations

import ast
import builtins
import dis
import importlib
import importlib.util
import inspect
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import NamedTuple

from harness.mutants.catalogue.mutant import Mutant
from shared_nodes.record import record

__all__ = ["Edit", "FunctionCode", "PatchError", "mutate", "parse_diff", "place_of", "targets_of"]


class PatchError(Exception):
    """A change that no longer fits the source, or that cannot be made while the program runs."""


class Edit(NamedTuple):
    """Consecutive lines, and those that replace them. Indentation counts only relative to the first line."""

    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def is_insertion(self) -> bool:
        return all(line in self.after for line in self.before)


class FunctionCode(NamedTuple):
    """The code of one function, without and with the change."""

    original: CodeType
    mutated: CodeType


@record
class _Function:
    """A function of a module or of a class. Functions inside a function belong to it."""

    name: str
    """The qualified name."""

    first: int
    last: int
    """Line numbers, without decorators."""

    signature: str


def targets_of(mutant: Mutant) -> tuple[str, ...]:
    """Return the functions that a mutant changes, as `module:qualified name`, in the order of its hunks."""
    return tuple(f"{mutant.module}:{name}" for name in _edited_functions(mutant.module, parse_diff(mutant.change)))


@lru_cache(maxsize=512)
def mutate(module: str, edits: tuple[Edit, ...]) -> Mapping[str, FunctionCode]:
    """Apply the edits one after the other and compile the result. Return the functions that differ, by qualified name.

    Insertions are applied first, those with the most context first: they keep the lines that the other edits have to
    find. So edits of several mutants can be combined in any order, unless two of them replace the same line.
    """
    names = _edited_functions(module, edits)
    text = _read(module)
    for edit in sorted(edits, key=lambda edit: (not edit.is_insertion, -len(edit.before))):
        try:
            text = _replace(text, edit)
        except _NotOnceError as problem:
            shown = "\n".join(edit.before)
            raise PatchError(f"{_file(module)}: other edits have changed these lines already:\n{shown}") from problem
    _check_signatures(module, text, names)
    original, mutated = (_function_codes(module, source) for source in (_read(module), text))
    codes = {name: FunctionCode(original[name], mutated[name]) for name in names}
    _check_variables(module, codes)
    return MappingProxyType(codes)


@lru_cache(maxsize=512)
def parse_diff(text: str) -> tuple[Edit, ...]:
    """Parse a diff into edits. Its own indentation, and blank lines around it, are ignored."""
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.lstrip()[:1] in ("-", "+", "@")), default=0)
    hunks: list[list[str]] = [[]]
    for line in (line[margin:] for line in lines):
        if line.startswith("@@"):
            hunks.append([])
        elif line:
            hunks[-1].append(line)
    return tuple(_parse_hunk(hunk) for hunk in hunks)


def _parse_hunk(lines: Sequence[str]) -> Edit:
    before = tuple(line[1:] for line in lines if line[0] in " -")
    after = tuple(line[1:] for line in lines if line[0] in " +")
    if not before or before == after or any(line[0] not in " +-" for line in lines):
        shown = "\n".join(lines)
        raise PatchError(f"a hunk needs a line to find (' ' or '-') and a line to change ('-' or '+'):\n{shown}")
    return Edit(before, after)


# Text


def _spec(module: str) -> ModuleSpec:
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None:
        raise PatchError(f"{module}: there is no such module; name the one that has the lines now")
    return spec


@lru_cache(maxsize=128)
def _read(module: str) -> str:
    file = Path(_file(module))
    if file.suffix != ".py" or not file.is_file():
        raise PatchError(f"{module}: its source is not installed, and mutants are changes of the source")
    return file.read_text(encoding="utf-8")


class _NotOnceError(Exception):
    """Lines were found several times, or not at all."""

    def __init__(self, starts: Sequence[int]) -> None:
        self.starts = starts


def _find(text: str, edit: Edit) -> int:
    """Return the index of the first line. Lines match if they differ only by a common indentation."""
    wanted = _relative_lines(edit.before)
    lines = text.splitlines()
    starts = [
        start
        for start, line in enumerate(lines)
        if line.strip() == wanted[0][1] and _relative_lines(lines[start : start + len(wanted)]) == wanted
    ]
    if len(starts) != 1:
        raise _NotOnceError(starts)
    return starts[0]


def _find_in_module(module: str, edit: Edit) -> int:
    try:
        return _find(_read(module), edit)
    except _NotOnceError as problem:
        shown = "\n".join(edit.before)
        numbers = ", ".join(str(start + 1) for start in problem.starts)
        what = (
            f"found in lines {numbers}; add lines to distinguish them"
            if numbers
            else "not found; write it as it is now"
        )
        raise PatchError(f"{_file(module)}: {what}:\n{shown}") from problem


def _relative_lines(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return each line without its indentation, and how much deeper it is indented than the first one."""
    depths = [len(line) - len(line.lstrip()) for line in lines]
    return [(depth - depths[0] if line.strip() else 0, line.strip()) for depth, line in zip(depths, lines, strict=True)]


def _replace(text: str, edit: Edit) -> str:
    start = _find(text, edit)
    lines = text.splitlines()
    found, written = (len(line) - len(line.lstrip()) for line in (lines[start], edit.before[0]))
    after = [" " * (found + len(line) - len(line.lstrip()) - written) + line.lstrip() for line in edit.after]
    return "\n".join([*lines[:start], *after, *lines[start + len(edit.before) :], ""])


# Functions


@lru_cache(maxsize=512)
def _edited_functions(module: str, edits: tuple[Edit, ...]) -> tuple[str, ...]:
    functions = _functions(module)
    names: dict[str, None] = {}
    for edit in edits:
        start = _find_in_module(module, edit)
        first, last = start + 1, start + len(edit.before)
        found = [function.name for function in functions if function.first <= first and last <= function.last]
        if not found:
            raise PatchError(
                f"{_file(module)}:{first}: not inside one function; only the code of functions can be exchanged, so "
                "make the mistake in a function that uses what stands here"
            )
        names[found[0]] = None
    return tuple(names)


@lru_cache(maxsize=128)
def _functions(module: str) -> tuple[_Function, ...]:
    return tuple(_walk(ast.parse(_read(module)).body, ""))


def _walk(body: Sequence[ast.stmt], prefix: str) -> Iterator[_Function]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _walk(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            signature = f"{type(node).__name__} {ast.dump(node.args)}"
            yield _Function(f"{prefix}{node.name}", node.lineno, node.end_lineno, signature)


def _check_signatures(module: str, text: str, names: Sequence[str]) -> None:
    try:
        changed = {function.name: function.signature for function in _walk(ast.parse(text).body, "")}
    except SyntaxError as problem:
        raise PatchError(f"{_file(module)}:{problem.lineno}: the change does not compile: {problem.msg}") from problem
    for function in _functions(module):
        if function.name in names and changed.get(function.name) != function.signature:
            raise PatchError(
                f"{place_of(module, function.name)}: the change renames the function or gives it other parameters; "
                "change its body only"
            )


def _check_variables(module: str, codes: Mapping[str, FunctionCode]) -> None:
    known = vars(importlib.import_module(module)).keys() | vars(builtins).keys()
    for name, code in codes.items():
        if code.original.co_freevars != code.mutated.co_freevars:
            raise PatchError(f"{place_of(module, name)}: the change makes it use other variables of an outer scope")
        unknown = ", ".join(sorted(_global_names(code.mutated) - known))
        if unknown:
            raise PatchError(f"{place_of(module, name)}: the change uses {unknown}, which the module does not have")


def _function_codes(module: str, text: str) -> dict[str, CodeType]:
    return {code.co_qualname: code for code in _nested_codes(compile(text, _file(module), "exec", dont_inherit=True))}


def _nested_codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the functions and classes in the code, but not those inside functions."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            if not each.co_flags & inspect.CO_NEWLOCALS:
                yield from _nested_codes(each)


def _global_names(code: CodeType) -> set[str]:
    """Return the names that a function, or one inside it, looks up in its module."""
    own = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return own.union(*(_global_names(each) for each in code.co_consts if isinstance(each, CodeType)))


def _file(module: str) -> str:
    return _spec(module).origin or module


def place_of(module: str, name: str) -> str:
    """Return the file, line and name of a function, for messages."""
    first = next(function.first for function in _functions(module) if function.name == name)
    return f"{_file(module)}:{first}: {name}"
