"""A tape: what a provider was asked and what it answered, as data and as a file.

The tapes of a case are in the directory `tapes` beside its `case.yaml`, one file for each provider:
`tapes/registry.terraform.io+hashicorp+time.json`. A file has everything that is needed to stand in for the provider:
its schema, trimmed to the types that were used, the signatures of its functions, and the exchanges. It depends on
nothing but these, so that recording a deterministic provider again leaves the file as it is.

An exchange is found by its request, in the form of `calls.py`. A request may have been made several times, and then it
has several answers; when it is made more often, the last is repeated.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, NoReturn

from harness.json_layout import laid_out
from harness.plugins.tapes.calls import KINDS, Method
from harness.plugins.tapes.tape_error import TapeError
from harness.plugins.tapes.tape_schemas import functions_from_tree, schema_from_tree, schema_tree, trimmed
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, JsonNumber, Tree, dumps, loads
from shared_nodes.world import Files

__all__ = [
    "TAPES",
    "Exchange",
    "Tape",
    "has_tapes",
    "merged",
    "read_tape",
    "read_tapes",
    "request_key",
    "tape_name",
    "tape_text",
    "write_tapes",
]

TAPES: Final = "tapes"
"""The directory of a case that has its tapes."""

_FILES: Final = "*+*+*.json"
_LONGEST: Final = 16_000_000
"""Limit of a tape in bytes."""

_FORMAT: Final = JsonNumber("1")
_METHODS: Final = {method: position for position, method in enumerate(Method)}


@record
class Exchange:
    method: Method
    type_name: str
    request: Mapping[str, Tree]
    answers: tuple[Mapping[str, Tree], ...]

    @property
    def key(self) -> str:
        """The text by which the exchange is found."""
        return request_key(self.method, self.type_name, self.request)

    @property
    def order(self) -> tuple[int, str, str]:
        return _METHODS[self.method], self.type_name, self.key


def request_key(method: Method, type_name: str, request: Mapping[str, Tree]) -> str:
    return dumps([method.value, type_name, _sorted(dict(request))], escape_html=False)


def _sorted(tree: Tree) -> Tree:
    if isinstance(tree, dict):
        return {name: _sorted(tree[name]) for name in sorted(tree)}
    return [_sorted(part) for part in tree] if isinstance(tree, list) else tree


@record
class Tape:
    source: ProviderSource
    schema: ProviderSchema
    exchanges: tuple[Exchange, ...] = ()
    functions: Mapping[str, Tree] = field(default_factory=dict)
    """Signatures, by name."""

    version: str = ""
    """The version of the provider; empty if it is not known."""

    protocol: int = 6
    """The version of the plugin protocol that the provider speaks."""

    def trimmed(self) -> Tape:
        """Return the tape without the types and functions that were not used."""
        used: dict[str, set[str]] = {}
        for exchange in self.exchanges:
            used.setdefault(KINDS.get(exchange.method, exchange.method), set()).add(exchange.type_name)
            used.setdefault("managed", set()).update(_imported_types(exchange))
        called = used.get(Method.FUNCTION, set())
        functions = {name: tree for name, tree in self.functions.items() if name in called}
        return replace(self, schema=trimmed(self.schema, used), functions=functions)


def _imported_types(exchange: Exchange) -> Iterable[str]:
    for answer in exchange.answers:
        objects = answer.get("objects")
        for each in objects if isinstance(objects, list) else ():
            if isinstance(each, dict):
                yield str(each.get("type", ""))


def merged(exchanges: Iterable[Exchange]) -> tuple[Exchange, ...]:
    """Return the exchanges in the order of a tape. Those with the same request become one, and an answer at the end
    that repeats the one before it is left out."""
    found: dict[str, Exchange] = {}
    for exchange in exchanges:
        known = found.get(exchange.key)
        answers = exchange.answers if known is None else (*known.answers, *exchange.answers)
        found[exchange.key] = replace(exchange, answers=answers)
    shortened = [replace(each, answers=_without_repetition(each.answers)) for each in found.values()]
    return tuple(sorted(shortened, key=lambda each: each.order))


def _without_repetition(answers: tuple[Mapping[str, Tree], ...]) -> tuple[Mapping[str, Tree], ...]:
    count = len(answers)
    while count > 1 and answers[count - 1] == answers[count - 2]:
        count -= 1
    return answers[:count]


# Files


def tape_name(source: ProviderSource) -> str:
    return f"{source.host}+{source.namespace}+{source.type}.json"


def write_tapes(tapes: Iterable[Tape], directory: Path) -> list[Path]:
    """Write the tapes of the case in a directory, in place of those it has, and return the files."""
    place = directory / TAPES
    place.mkdir(exist_ok=True)
    for outdated in place.glob(_FILES):
        outdated.unlink()
    files: list[Path] = []
    for tape in tapes:
        file = place / tape_name(tape.source)
        file.write_text(tape_text(tape), encoding="utf-8")
        files.append(file)
    return files


def tape_text(tape: Tape) -> str:
    tree: dict[str, Tree] = {
        "format": _FORMAT,
        "provider": str(tape.source),
        **({"version": tape.version} if tape.version else {}),
        "protocol": JsonNumber(str(tape.protocol)),
        "schema": schema_tree(tape.schema),
        **({"functions": {name: tape.functions[name] for name in sorted(tape.functions)}} if tape.functions else {}),
        "exchanges": [_exchange_tree(exchange) for exchange in merged(tape.exchanges)],
    }
    return laid_out(tree) + "\n"


def _exchange_tree(exchange: Exchange) -> Tree:
    return {
        "method": exchange.method.value,
        **({"type": exchange.type_name} if exchange.type_name else {}),
        "request": dict(exchange.request),
        "answers": [dict(answer) for answer in exchange.answers],
    }


def has_tapes(directory: Path) -> bool:
    return any((directory / TAPES).glob(_FILES))


def read_tapes(directory: Path) -> tuple[Tape, ...]:
    """Return the tapes of the case in a directory, sorted by source. TapeError says what is wrong with one."""
    files = sorted((directory / TAPES).glob(_FILES))
    tapes = [_read(file) for file in files]
    sources = [tape.source for tape in tapes]
    twice = next((source for source in sources if sources.count(source) > 1), None)
    if twice is not None:
        raise TapeError(f"{directory / TAPES}: there are several tapes of {twice}")
    return tuple(sorted(tapes, key=lambda tape: str(tape.source)))


def _read(file: Path) -> Tape:
    try:
        status = file.stat()
        return _read_once(file, status.st_mtime_ns, status.st_size)
    except (OSError, UnicodeDecodeError) as failure:
        raise TapeError(f"{os.fspath(file)}: cannot be read: {failure}") from failure
    except TapeError as failure:
        raise TapeError(f"{os.fspath(file)}: {failure.message}") from failure


@lru_cache(maxsize=64)
def _read_once(file: Path, _modified: int, _size: int) -> Tape:
    """Read a file that every step needs, and that must be inside of the directory of the case."""
    case = file.parent.parent
    content = Files(case, root=case).read_bytes(f"{TAPES}/{file.name}", _LONGEST)
    return read_tape(content.decode("utf-8"))


def read_tape(text: str) -> Tape:
    try:
        tree = loads(text)
    except JsonError as failure:
        raise TapeError(f"not a tape: {failure.message}") from failure
    if not isinstance(tree, dict) or tree.get("format") != _FORMAT:
        raise TapeError(f"not a tape of format {_FORMAT.text}")
    functions = tree.get("functions", {})
    if not isinstance(functions, dict):
        raise TapeError("functions: must be an object")
    functions_from_tree(functions, lambda _name: lambda _arguments, _type: _never())
    exchanges = tree.get("exchanges")
    if not isinstance(exchanges, list):
        raise TapeError("exchanges: must be a list")
    return Tape(
        _source(tree.get("provider")),
        schema_from_tree(tree.get("schema")),
        tuple(_exchange(each, position) for position, each in enumerate(exchanges, 1)),
        functions,
        str(tree.get("version", "")),
        _protocol(tree.get("protocol")),
    )


def _never() -> NoReturn:
    raise AssertionError("a function that was only checked is called")


def _source(tree: Tree) -> ProviderSource:
    parts = tree.split("/") if isinstance(tree, str) else []
    if len(parts) != 3 or not all(parts):
        raise TapeError("provider: must be a source such as registry.terraform.io/hashicorp/time")
    return ProviderSource(*parts)


def _protocol(tree: Tree) -> int:
    if tree not in (JsonNumber("5"), JsonNumber("6")):
        raise TapeError("protocol: must be 5 or 6")
    assert isinstance(tree, JsonNumber)
    return int(tree.text)


def _exchange(tree: Tree, position: int) -> Exchange:
    fields = tree if isinstance(tree, dict) else {}
    method, request, answers = fields.get("method"), fields.get("request"), fields.get("answers")
    if not isinstance(method, str) or method not in _METHODS:
        raise TapeError(f"exchange {position}: method: must be one of {', '.join(_METHODS)}")
    if not isinstance(request, dict):
        raise TapeError(f"exchange {position}: request: must be an object")
    if not isinstance(answers, list) or not answers:
        raise TapeError(f"exchange {position}: answers: must be a list with at least one answer")
    members = [answer for answer in answers if isinstance(answer, dict)]
    if len(members) != len(answers):
        raise TapeError(f"exchange {position}: answers: must be objects")
    return Exchange(Method(method), str(fields.get("type", "")), request, tuple(members))
