"""The execution graph of OpenTofu's new runtime, read from the text that it logs.

    v[0] = cty.StringVal("x");                              a constant, possibly over several lines
    r[2] = ManagedFinalPlan(r[0], r[1], nil, v[0]);         an operation, and what it is given
    r[3] = ManagedApply(r[2], nil, await(r[7], r[11]));     it begins when all its arguments are there
    terraform_data.user = r[3];                             where the value of an instance comes from

Nothing is computed here but what the text says. The text of a graph is in the engine's own notation again, so that a
maintainer of that engine recognises it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from shared_nodes.record import record

__all__ = [
    "Operation",
    "RealExecutionGraph",
    "UnreadableGraph",
    "find_execution_graph",
    "parse_execution_graph",
]

_MARKER: Final = "Planned execution graph:"
_RESULT: Final = re.compile(r"r\[(\d+)\]")
_OPERATION: Final = re.compile(r"r\[(\d+)\] = (\w+)\((.*)\);")
_CONSTANT: Final = re.compile(r"v\[(\d+)\] = ")
_INSTANCE: Final = re.compile(r"(\S.*) = r\[(\d+)\];")
_AWAIT: Final = "await("
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_CRASH: Final = "panic: "
_MOST_SHOWN: Final = 120


@record
class UnreadableGraph:
    """The text is not an execution graph, or one of a form that is not known here."""

    reason: str

    def __str__(self) -> str:
        return f"the execution graph cannot be read: {self.reason}"


@record
class Operation:
    """One operation, with its arguments as they are written."""

    number: int
    name: str
    arguments: tuple[str, ...] = ()

    @property
    def needs(self) -> tuple[int, ...]:
        """The operations that it waits for, each once: those whose results it takes, and those it awaits."""
        return tuple(dict.fromkeys(number for argument in self.arguments for number in _numbers(argument)))

    def taken(self, position: int) -> int | None:
        """Return the operation whose result is the argument at a position, or None if that is something else."""
        found = _RESULT.fullmatch(self.arguments[position]) if position < len(self.arguments) else None
        return None if found is None else int(found[1])

    def is_nil(self, position: int) -> bool:
        return position < len(self.arguments) and self.arguments[position] == "nil"

    def __str__(self) -> str:
        return f"r[{self.number}] = {self.name}({', '.join(self.arguments)});"


def _numbers(argument: str) -> Iterator[int]:
    """Return the operations that an argument names. An address may end like the name of a result, so that only whole
    arguments count."""
    inner = _split(argument[len(_AWAIT) : -1]) if argument.startswith(_AWAIT) else [argument]
    for part in inner:
        found = _RESULT.fullmatch(part)
        if found is not None:
            yield int(found[1])


@dataclass(frozen=True)
class RealExecutionGraph:
    """The operations by number, and for each resource instance the operation whose result is its value."""

    operations: Mapping[int, Operation]
    results: Mapping[str, int]
    constants: tuple[str, ...] = ()
    """As they are written, each with its name. They may contain secrets."""

    def text(self, *, with_constants: bool = True) -> str:
        """Return the graph in the engine's own notation."""
        parts = [
            self.constants if with_constants else (),
            [str(operation) for operation in self.operations.values()],
            [self.result_text(address) for address in self.results],
        ]
        return "\n".join("".join(f"{line}\n" for line in part) for part in parts if part)

    def result_text(self, address: str) -> str:
        return f"{address} = r[{self.results[address]}];"

    @cached_property
    def addresses(self) -> Mapping[int, str]:
        """The resource instance that each operation is about. An operation without an address of its own is about the
        one that its arguments are about."""
        found: dict[int, str] = {}
        for number in self.operations:
            self._find_address(number, found)
        return found

    def _find_address(self, number: int, found: dict[int, str]) -> None:
        """Follow first arguments until one is an address, or known."""
        path: list[int] = []
        position: int | None = number
        address: str | None = None
        while position is not None and position in self.operations and position not in path:
            address = found.get(position)
            if address is not None:
                break
            path.append(position)
            operation = self.operations[position]
            position = operation.taken(0)
            if position is None and operation.arguments:
                address = operation.arguments[0]
        if address is not None:
            found.update(dict.fromkeys(path, address))


def find_execution_graph(log: str) -> str | None:
    """Return the text of the last graph that was planned, from a log of level debug; None if there is none. The lines
    of the graph are indented, and no other line of the log is."""
    _, found, rest = log.rpartition(_MARKER)
    if not found:
        return None
    lines: list[str] = []
    for line in rest.splitlines()[1:]:
        if line.strip() and not line.startswith("  "):
            break
        lines.append(line)
    return "\n".join(lines).rstrip() + "\n"


def parse_execution_graph(text: str) -> RealExecutionGraph | UnreadableGraph:
    operations: dict[int, Operation] = {}
    results: dict[str, int] = {}
    constants: list[str] = []
    for statement in _statements(text):
        if _CONSTANT.match(statement):
            constants.append(statement)
        elif found := _OPERATION.fullmatch(statement):
            number = int(found[1])
            if number in operations:
                return UnreadableGraph(f"it has two operations r[{number}]")
            operations[number] = Operation(number, found[2], tuple(_split(found[3])))
        elif found := _INSTANCE.fullmatch(statement):
            results[found[1]] = int(found[2])
        else:
            shown = " ".join(statement.split())[:_MOST_SHOWN]
            return UnreadableGraph(f"{shown!r} is no operation, constant or result")
    missing = _first_missing(operations, results.values())
    if missing is not None:
        return UnreadableGraph(f"r[{missing}] is used, and no operation has this name")
    return RealExecutionGraph(operations, results, tuple(constants))


def _first_missing(operations: Mapping[int, Operation], results: Iterable[int]) -> int | None:
    used = [number for operation in operations.values() for number in operation.needs]
    return next((number for number in (*used, *results) if number not in operations), None)


def _statements(text: str) -> Iterator[str]:
    """Return each statement. A constant ends with the first line that ends with a semicolon, since the lines inside it
    end with a comma or an opening bracket. What a crash prints after the graph is not part of it."""
    constant: list[str] = []
    for line in text.splitlines():
        if line.startswith(_CRASH):
            break
        if constant or _CONSTANT.match(line.strip()):
            constant.append(line.rstrip() if constant else line.strip())
            if line.rstrip().endswith(";"):
                yield "\n".join(constant)
                constant = []
        elif line.strip():
            yield line.strip()
    if constant:
        yield "\n".join(constant)


def _split(text: str) -> list[str]:
    """Split a list of arguments at its commas, except those in a text or in brackets."""
    parts: list[str] = []
    depth = begin = position = 0
    while position < len(text):
        character = text[position]
        if character == '"' and (quoted := _QUOTED.match(text, position)):
            position = quoted.end()
            continue
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append(text[begin:position].strip())
            begin = position + 1
        position += 1
    parts.append(text[begin:].strip())
    return [part for part in parts if part]
