"""Finds the sensitive values that are written in files of a case, whether or not anything ever uses them.

    given         values and defaults of sensitive and ephemeral variables, in every module, from every file that has
                  some, even if another file takes precedence
    written       constants that are assigned to such variables, to such attributes and outputs, or to `sensitive()`,
                  and the passwords and keys of connections

References are followed: a constant in a local value that is part of a password is a secret as well. A value that an
override file replaces is still in the text of the case, so each directory is read several times: with all its override
files, without them, and with each alone. Each directory is read by itself as well: a faulty configuration does not lead
to the modules that it calls. What a variable is called in one module counts in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Final

from harness.case.case import Case
from harness.case.plain_directory import holds_configuration
from harness.engines.simulated_providers import KNOWN_SCHEMAS
from shared_nodes.addresses.expression_references import references
from shared_nodes.addresses.references import InputVariable, LocalValue, ModuleCall, ModuleOutput, Subject
from shared_nodes.config.blocks import OutputBlock, RemovedBlock, ResourceBlock
from shared_nodes.config.blocks.variable import Variable
from shared_nodes.config.loading import read_tree
from shared_nodes.config.module import Module
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import FLAVOURS, Flavour
from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES, is_override
from shared_nodes.lang.json_syntax import parse_json
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.source import Source
from shared_nodes.lang.tree import Body, Call, Expression, Literal, Template, walk
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, JsonNumber, Tree, loads, value_to_json
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value
from shared_nodes.world import DirectoryEntry, Files

__all__ = ["leaves", "written_values"]

_OF_CONNECTION: Final = ("password", "private_key", "bastion_password", "bastion_private_key")
_VALUE_FILES: Final = (".tfvars", ".tfvars.json")
_ANY: Final = ""
"""Stands for every variable."""

_MENTIONED: Final = re.compile("sensitive|ephemeral")
_ASSIGNED: Final = re.compile(r'[=:]\s*"((?:[^"\\\n]|\\.)*)"')
_QUOTED: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


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
    trees = [tree for files in _views(case) for tree in _read(files, FLAVOURS[case.flavour])]
    modules = [node.module for tree in trees for node in tree.walk()]
    variables = {each.name for module in modules for each in module.variables.values() if _is_secret(each)}
    outputs = {each.name for module in modules for each in module.outputs.values() if _is_secret(each)}
    given = _given_values(case)
    for tree in trees:
        yield from _of_tree(tree, _Written(tree, given), variables, outputs)
    for name in (*variables, _ANY) if variables else ():
        yield from given.get(name, ())
    yield from _in_broken_files(case)


def _in_broken_files(case: Case) -> Iterator[Tree]:
    """Return all texts that are assigned in configuration files with syntax errors, if anything there is sensitive: it
    cannot be known what."""
    for file in case.files:
        if file.name.endswith(CONFIGURATION_SUFFIXES):
            content = file.read_bytes()
            text = content.decode("utf-8", "replace")
            if _MENTIONED.search(text) and _is_broken(file.name, content):
                yield from _ASSIGNED.findall(text)


def _is_broken(name: str, content: bytes) -> bool:
    source = Source(name, content)
    return bool((parse_json if source.is_json else parse_body)(source)[1])


def _is_secret(declared: Variable | OutputBlock) -> bool:
    return declared.sensitive or declared.ephemeral


def _roots(case: Case) -> list[Path]:
    return [case.directory.absolute()] if case.plain is None else list(case.plain.roots)


def _directories(case: Case) -> Iterator[tuple[Path, Path]]:
    """Return the directories of the case that hold a configuration, each with the directory that it may not leave."""
    roots = _roots(case)
    for place in sorted({file.absolute().parent for file in case.files}):
        if holds_configuration(place):
            yield place, next(root for root in roots if place.is_relative_to(root))


@record
class _FilesWithout(Files):
    """Files without some of the override files."""

    hidden: frozenset[str] = frozenset()

    def list_directory(self, path: str) -> list[DirectoryEntry]:
        return [entry for entry in Files.list_directory(self, path) if entry.name not in self.hidden]


def _views(case: Case) -> Iterator[Files]:
    """Return each directory as it is, without override files, and with each of them alone."""
    overrides = frozenset(file.name for file in case.files if is_override(file.name))
    views = {frozenset[str](), overrides, *(overrides - {name} for name in overrides)}
    for directory, root in _directories(case):
        yield from (_FilesWithout(directory, root, hidden=hidden) for hidden in sorted(views, key=sorted))


def _read(files: Files, flavour: Flavour) -> Iterator[ConfigTree]:
    try:
        yield read_tree(files, flavour)[0]
    except OSError:
        return


def _of_tree(root: ConfigTree, search: _Written, variables: Iterable[str], outputs: Iterable[str]) -> Iterator[Tree]:
    for node in root.walk():
        for name in variables:
            yield from search.of_name(node, InputVariable(name))
            for call in node.module.module_calls.values():
                if name in call.body.attributes:
                    yield from search.of_expression(node, call.body.attributes[name].expression)
        for name in outputs:
            if name in node.module.outputs:
                yield from search.of_expression(node, node.module.outputs[name].expression)
        yield from _in_resources(node, search)
        yield from _in_connections(node, search)
        yield from _in_calls(node, search)


def _given_values(case: Case) -> Mapping[str, list[Tree]]:
    """Return what is given for each variable, in steps and in every file of values."""
    found: dict[str, list[Tree]] = {}
    for text in (step.variables for step in case.all_steps if step.variables is not None):
        _add(found, loads(text))
    for file in case.files:
        if file.name.endswith(_VALUE_FILES):
            _add(found, _values_in(file))
    return found


def _add(found: dict[str, list[Tree]], tree: Tree) -> None:
    for name, value in tree.items() if isinstance(tree, dict) else ():
        found.setdefault(name, []).extend(leaves(value))


def _values_in(file: Path) -> Tree:
    """Return what a file gives for each variable. All quoted texts of one with mistakes are given for any variable."""
    content = file.read_bytes()
    text = content.decode("utf-8", "replace")
    if file.name.endswith(".json"):
        try:
            return loads(text)
        except JsonError:
            return {_ANY: _QUOTED.findall(text)}
    body, problems = parse_body(Source(file.name, content))
    values: dict[str, Tree] = {name: [*_constants(one.expression)] for name, one in body.attributes.items()}
    return {**values, _ANY: _QUOTED.findall(text)} if problems else values


def _value_leaves(value: Value) -> Iterator[Tree]:
    value = value.unmark_deep()[0]
    if value.is_wholly_known:
        yield from leaves(value_to_json(value))


def _in_resources(node: ConfigTree, search: _Written) -> Iterator[Tree]:
    for block in node.module.resources.values():
        schema = KNOWN_SCHEMAS.get(node.module.source_of(block.resource))
        found = None if schema is None else schema.resource(block.resource)
        if found is not None:
            yield from _assigned(node, block.body, found.block, search)


def _assigned(node: ConfigTree, body: Body, block: SchemaBlock, search: _Written) -> Iterator[Tree]:
    for name, attribute in body.attributes.items():
        known = block.attributes.get(name)
        if known is not None and (known.sensitive or known.write_only):
            yield from search.of_expression(node, attribute.expression)
    for inner in body.blocks:
        if inner.type in block.block_types:
            yield from _assigned(node, inner.body, block.block_types[inner.type].block, search)


def _in_connections(node: ConfigTree, search: _Written) -> Iterator[Tree]:
    for block in node.module.resources.values():
        for body in (block.connection, *(each.connection for each in block.provisioners)):
            for name in _OF_CONNECTION if body is not None else ():
                assert body is not None
                if name in body.attributes:
                    yield from search.of_expression(node, body.attributes[name].expression)


def _in_calls(node: ConfigTree, search: _Written) -> Iterator[Tree]:
    """Return the arguments of `sensitive()`, wherever it is called."""
    for expression in _expressions(node):
        for part in walk(expression):
            if isinstance(part, Call) and part.name in ("sensitive", "core::sensitive"):
                for argument in part.arguments:
                    yield from search.of_expression(node, argument)


def _expressions(node: ConfigTree) -> Iterator[Expression]:
    module = node.module
    yield from (local.expression for local in module.locals.values())
    yield from (output.expression for output in module.outputs.values())
    repetitions = (each for block in module.resources.values() for each in (block.count, block.for_each))
    yield from (expression for expression in repetitions if expression is not None)
    bodies = [block.body for block in module.resources.values()]
    bodies += _of_provisioners(module)
    bodies += [call.body for call in module.module_calls.values()]
    bodies += [provider.body for provider in module.providers.values()]
    while bodies:
        body = bodies.pop()
        yield from (attribute.expression for attribute in body.attributes.values())
        bodies.extend(block.body for block in body.blocks)


def _of_provisioners(module: Module) -> Iterator[Body]:
    """Provisioners and connections are not part of the body of their block."""
    blocks: list[ResourceBlock | RemovedBlock] = [*module.resources.values(), *module.removed]
    for block in blocks:
        bodies = [block.connection]
        for provisioner in block.provisioners:
            bodies += [provisioner.body, provisioner.connection]
        yield from (body for body in bodies if body is not None)


@record
class _Written:
    """Finds the constants that a value is made of."""

    root: ConfigTree
    given: Mapping[str, Iterable[Tree]]
    seen: set[tuple[str, str]] = field(default_factory=set)

    def of_expression(self, node: ConfigTree, expression: Expression) -> Iterator[Tree]:
        yield from _constants(expression)
        for reference in references(expression, node.module.flavour)[0]:
            yield from self.of_name(node, reference.subject)

    def of_name(self, node: ConfigTree, subject: Subject) -> Iterator[Tree]:
        key = str(node.path), str(subject)
        if key in self.seen:
            return
        self.seen.add(key)
        match subject:
            case LocalValue(name) if name in node.module.locals:
                yield from self.of_expression(node, node.module.locals[name].expression)
            case InputVariable(name):
                yield from self._of_variable(node, name)
            case ModuleOutput(ModuleCall(call), name) if call in node.children:
                output = node.children[call].module.outputs.get(name)
                if output is not None:
                    yield from self.of_expression(node.children[call], output.expression)

    def _of_variable(self, node: ConfigTree, name: str) -> Iterator[Tree]:
        variable = node.module.variables.get(name)
        if variable is not None and variable.default is not None:
            yield from _value_leaves(variable.default)
        if node.call is None:
            yield from self.given.get(name, ())
            return
        parent = self.root.at(node.path.parent)
        attribute = node.call.body.attributes.get(name)
        if parent is not None and attribute is not None:
            yield from self.of_expression(parent, attribute.expression)


def _constants(expression: Expression) -> Iterator[Tree]:
    for part in walk(expression):
        if isinstance(part, Template):
            yield from _texts(part)
        elif isinstance(part, Literal) and part.value.is_known and not part.value.is_null:
            yield from _value_leaves(part.value)


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
