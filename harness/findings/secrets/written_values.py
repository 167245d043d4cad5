"""Finds the sensitive values that are written in files of a case, whether or not anything ever uses them.

    given         values and defaults of sensitive and ephemeral variables, in every module, from every file that has
                  some, even if another file takes precedence, and in test files
    written       constants that are assigned to such variables, to such attributes and outputs, or to `sensitive()`,
                  wherever it is called, and the passwords and keys of connections, backends and encryption

References are followed: a constant in a local value that is part of a password is a secret as well, and so is the
content of a file that is read for it. Files are read one by one (`written_arguments.py`). What a variable or an output
is called in one module counts in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path, PurePosixPath
from typing import Final

from harness.case.case import Case
from harness.engines.simulated_providers import KNOWN_SCHEMAS
from harness.findings.secrets.written_arguments import Argument, has_arguments, read_arguments
from shared_nodes.addresses.expression_references import references
from shared_nodes.addresses.references import InputVariable, LocalValue, ModuleOutput, Subject
from shared_nodes.flavour import FLAVOURS, Flavour
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.source import Source
from shared_nodes.lang.tree import Call, Expression, Literal, Template, Traversal, walk
from shared_nodes.providers.schema import SchemaAttribute, SchemaBlock
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, JsonNumber, Tree, loads, value_to_json
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value

__all__ = ["leaves", "sensitive_attributes", "written_values"]

_OF_CONNECTION: Final = frozenset(("password", "private_key", "bastion_password", "bastion_private_key"))
_OF_STORAGE: Final = frozenset(
    (
        "access_key",
        "client_certificate_password",
        "client_secret",
        "conn_str",
        "credentials",
        "encryption_key",
        "passphrase",
        "password",
        "sas_token",
        "secret_key",
        "sse_customer_key",
        "token",
    )
)
"""Arguments of backends and of encryption."""

_VALUE_FILES: Final = (".tfvars", ".tfvars.json")
_ANY: Final = ""
"""Stands for every variable."""

_READING: Final = frozenset(("file", "filebase64", "templatefile"))
_LARGEST: Final = 1_000_000
"""Limit in bytes of a file whose content is a secret."""

_MENTIONED: Final = re.compile("sensitive|ephemeral")
_ASSIGNED: Final = re.compile(r'[=:\[,(]\s*"((?:[^"\\\n]|\\.)*)"')
_QUOTED: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_WORD: Final = re.compile(r"""[^\s"'=:,\[\]{}()]+(?!["']?\s*[=:])\b""")
"""A word of a file with mistakes that is not the name of what is assigned."""


def leaves(tree: Tree) -> Iterator[Tree]:
    """Return the texts and numbers of a tree."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from leaves(part)
    elif isinstance(tree, str | JsonNumber):
        yield tree


def written_values(case: Case) -> Iterator[Tree]:
    """Return texts and numbers, with repetitions."""
    files = list(case.files)
    arguments: list[Argument] = []
    for file in filter(has_arguments, files):
        found, is_whole = read_arguments(file)
        arguments += found
        if not is_whole:
            yield from _in_broken_file(file)
    given = _given_values(case, files)
    search = _Written(FLAVOURS[case.flavour], files, arguments, given)
    for argument in arguments:
        if search.is_secret(argument):
            yield from search.of_expression(argument.directory, argument.expression)
        yield from _in_calls(argument, search)
    for name in (*search.variables, _ANY) if search.variables else ():
        yield from given.get(name, ())


def _in_broken_file(file: Path) -> Iterator[Tree]:
    """Return all texts that are assigned in a file with syntax errors, if anything there is sensitive: it cannot be
    known what."""
    text = file.read_bytes().decode("utf-8", "replace")
    if _MENTIONED.search(text):
        yield from _ASSIGNED.findall(text)


def _in_calls(argument: Argument, search: _Written) -> Iterator[Tree]:
    """Return the arguments of `sensitive()`."""
    for part in walk(argument.expression):
        if isinstance(part, Call) and _function(part) == "sensitive":
            for each in part.arguments:
                yield from search.of_expression(argument.directory, each)


def _function(call: Call) -> str:
    return call.name.removeprefix("core::")


# Values of variables


def _given_values(case: Case, files: Iterable[Path]) -> Mapping[str, list[Tree]]:
    """Return what is given for each variable, in steps and in every file of values."""
    found: dict[str, list[Tree]] = {}
    for text in (step.variables for step in case.all_steps if step.variables is not None):
        _add(found, loads(text))
    for file in files:
        if file.name.endswith(_VALUE_FILES):
            _add(found, _values_in(file))
    return found


def _add(found: dict[str, list[Tree]], tree: Tree) -> None:
    for name, value in tree.items() if isinstance(tree, dict) else ():
        found.setdefault(name, []).extend(leaves(value))


def _values_in(file: Path) -> Tree:
    """Return what a file gives for each variable. All texts and words of one with mistakes are given for any."""
    content = file.read_bytes()
    text = content.decode("utf-8", "replace")
    all_of_it: dict[str, Tree] = {_ANY: [*_QUOTED.findall(text), *_WORD.findall(text)]}
    if file.name.endswith(".json"):
        try:
            return loads(text)
        except JsonError:
            return all_of_it
    body, problems = parse_body(Source(file.name, content))
    values: dict[str, Tree] = {name: [*_given(one.expression)] for name, one in body.attributes.items()}
    return {**values, **all_of_it} if problems else values


def _given(expression: Expression) -> Iterator[Tree]:
    """Return constants, and what would be one if it had quotes: there is nothing to refer to in a file of values."""
    yield from _constants(expression)
    yield from (part.range.text for part in walk(expression) if isinstance(part, Traversal))


# Attributes


def sensitive_attributes(type_name: str) -> frozenset[str]:
    """Return the names of the attributes of a type of objects, at any depth, whose schema says that they are secret."""
    return _ATTRIBUTES.get(type_name, frozenset())


def _names(block: SchemaBlock) -> Iterator[str]:
    yield from _names_among(block.attributes)
    for nested in block.block_types.values():
        yield from _names(nested.block)


def _names_among(attributes: Mapping[str, SchemaAttribute]) -> Iterator[str]:
    for name, attribute in attributes.items():
        if attribute.sensitive or attribute.write_only:
            yield name
        elif attribute.nested is not None:
            yield from _names_among(attribute.nested.attributes)


_ATTRIBUTES: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(_names(resource.block))
    for schema in KNOWN_SCHEMAS.values()
    for kind in (schema.managed, schema.data, schema.ephemeral)
    for name, resource in kind.items()
}
_OF_MOCKS: Final = frozenset(name for names in _ATTRIBUTES.values() for name in names)


# Search


@record(frozen=False)
class _Written:
    """Finds the constants that a value is made of."""

    flavour: Flavour
    files: Iterable[Path]
    arguments: Iterable[Argument]
    given: Mapping[str, Iterable[Tree]]
    seen: set[tuple[Path, str]] = field(default_factory=set)

    variables: frozenset[str] = field(init=False)
    outputs: frozenset[str] = field(init=False)
    _assigned: dict[tuple[str, str], list[Argument]] = field(default_factory=dict, init=False)
    """What is assigned to each local value, variable and output, by the type of its block and its name."""

    def __post_init__(self) -> None:
        self.variables = self._called_sensitive("variable")
        self.outputs = self._called_sensitive("output")
        for argument in self.arguments:
            match argument.path:
                case (
                    ("locals" as kind, name) | ("variable" as kind, name, "default") | ("output" as kind, name, "value")
                ):
                    self._assigned.setdefault((kind, name), []).append(argument)
                case ("module", _, name):
                    self._assigned.setdefault(("variable", name), []).append(argument)

    def _called_sensitive(self, kind: str) -> frozenset[str]:
        return frozenset(
            argument.path[1]
            for argument in self.arguments
            if len(argument.path) == 3
            and argument.path[0] == kind
            and argument.path[2] in ("sensitive", "ephemeral")
            and not _is_false(argument.expression)
        )

    def is_secret(self, argument: Argument) -> bool:
        """Return whether everything that is assigned there is a secret."""
        match argument.path:
            case ("variable", name, "default" | "type", *_):
                return name in self.variables
            case ("output", name, "value", *_):
                return name in self.outputs
            case ("module", _, name, *_) if name in self.variables:
                return True
            case ("resource" | "data" | "ephemeral", type_name, _, *rest) if not sensitive_attributes(
                type_name
            ).isdisjoint(rest):
                return True
            case ("terraform", "backend" | "encryption" | "cloud", *rest):
                return not _OF_STORAGE.isdisjoint(rest)
            case ("override_resource" | "override_data" | "mock_provider" | "mock_resource" | "mock_data" | "run", *_):
                return self._is_secret_of_test(argument.path)
            case ("variables", name, *_):
                return name in self.variables
        return _is_below(argument.path, "connection", _OF_CONNECTION)

    def _is_secret_of_test(self, path: tuple[str, ...]) -> bool:
        return (
            _is_below(path, "variables", self.variables)
            or _is_below(path, "defaults", _OF_MOCKS)
            or _is_below(path, "values", _OF_MOCKS)
        )

    def of_expression(self, directory: Path, expression: Expression) -> Iterator[Tree]:
        yield from _constants(expression)
        for name in _files_named(expression):
            yield from self._content(name)
        for reference in references(expression, self.flavour)[0]:
            yield from self._of_subject(directory, reference.subject)

    def _of_subject(self, directory: Path, subject: Subject) -> Iterator[Tree]:
        key = directory, str(subject)
        if key in self.seen:
            return
        self.seen.add(key)
        match subject:
            case LocalValue(name):
                found = [each for each in self._assigned.get(("locals", name), ()) if each.directory == directory]
            case InputVariable(name):
                found = self._assigned.get(("variable", name), [])
                yield from self.given.get(name, ())
            case ModuleOutput(_, name):
                found = self._assigned.get(("output", name), [])
            case _:
                return
        for argument in found:
            yield from self.of_expression(argument.directory, argument.expression)

    def _content(self, name: PurePosixPath) -> Iterator[str]:
        """Return the content of the files of the case that have this name, or end with it."""
        for file in self.files:
            if file.parts[-len(name.parts) :] == name.parts and file.stat().st_size <= _LARGEST:
                yield file.read_bytes().decode("utf-8", "replace")


def _is_below(path: tuple[str, ...], above: str, names: frozenset[str]) -> bool:
    """Return whether one of the names is somewhere below another one in a path."""
    return above in path and not names.isdisjoint(path[path.index(above) + 1 :])


def _is_false(expression: Expression) -> bool:
    return any(isinstance(part, Literal) and part.value.payload is False for part in walk(expression))


def _files_named(expression: Expression) -> Iterator[PurePosixPath]:
    """Return the ends of the names of files that an expression reads: `x/key.pem` for `"${path.module}/x/key.pem"`."""
    for part in walk(expression):
        if isinstance(part, Call) and _function(part) in _READING:
            named = [text for text in _constants(part.arguments[0]) if isinstance(text, str)] if part.arguments else []
            for text in named[-1:]:
                name = PurePosixPath(text.lstrip("/").removeprefix("./"))
                if name.parts and ".." not in name.parts:
                    yield name


def _constants(expression: Expression) -> Iterator[Tree]:
    for part in walk(expression):
        if isinstance(part, Template):
            yield from _texts(part)
        elif isinstance(part, Literal) and part.value.is_known and not part.value.is_null:
            yield from _value_leaves(part.value)


def _value_leaves(value: Value) -> Iterator[Tree]:
    value = value.unmark_deep()[0]
    if value.is_wholly_known:
        yield from leaves(value_to_json(value))


def _texts(template: Template) -> Iterator[str]:
    """Return the literal parts of a template. A heredoc has a part for each line."""
    text = ""
    for part in template.parts:
        if isinstance(part, Literal) and part.value.type is STRING and isinstance(part.value.payload, str):
            text += part.value.payload
        else:
            yield text
            text = ""
    yield text
