"""Finds the sensitive values of a case: all that a configuration, a schema or a document calls sensitive.

    observed      what plans and states mark: `after_sensitive`, `sensitive_attributes`, sensitive outputs
    in the cloud  attributes whose schema says so
    given         values and defaults of sensitive and ephemeral variables, in every module
    written       constants that are assigned to such variables, to such attributes and outputs, or to `sensitive()`;
                  these must be known even where a run ends before anything is observed

References are followed: a constant in a local value that is part of a password is a secret as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from harness.case.case import Case
from harness.case.configuration_files import files_of
from harness.engines.simulated_providers import KNOWN_SCHEMAS
from harness.observe.json_trees import as_items, as_objects
from harness.play.case_runner import Observations
from harness.simulation.simcloud.thing import THING_TYPE
from shared_nodes.addresses.expression_references import references
from shared_nodes.addresses.references import InputVariable, LocalValue, ModuleCall, ModuleOutput, Subject
from shared_nodes.config.blocks import RemovedBlock, ResourceBlock
from shared_nodes.config.inputs import collect_inputs
from shared_nodes.config.loading import read_tree
from shared_nodes.config.module import Module
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import FLAVOURS
from shared_nodes.lang.tree import Body, Call, Expression, Literal, Template, walk
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.values.json import JsonNumber, Tree, loads, value_to_json
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value
from shared_nodes.world import Files

__all__ = ["Hide", "hidden_document", "sensitive_values"]


Hide = Callable[[Tree], Tree]
"""Returns the replacement of a sensitive value."""


def sensitive_values(case: Case | None, observations: Mapping[str, Observations]) -> Iterator[Tree]:
    """Return texts and numbers, with repetitions. Structures are taken apart. `case` is None if it cannot be read."""
    found: list[Tree] = []
    for places in observations.values():
        for observation in places.values():
            hidden_document(dict(observation), found.append)
    yield from _leaves(found)
    for name in case.configurations if case is not None else ():
        assert case is not None
        yield from _of_configuration(case, files_of(case, name))


def _leaves(tree: Tree) -> Iterator[Tree]:
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from _leaves(part)
    elif isinstance(tree, str | JsonNumber):
        yield tree


# Observed


def hidden_document(tree: Tree, hide: Hide) -> Tree:
    """Return the document with everything replaced that it calls sensitive. Null is never hidden: that a value is
    absent is not a secret."""
    if isinstance(tree, list):
        return [hidden_document(part, hide) for part in tree]
    if not isinstance(tree, dict):
        return tree
    result = {name: hidden_document(part, hide) for name, part in tree.items()}
    for name in ("before", "after"):
        if f"{name}_sensitive" in tree:
            result[name] = _marked(tree.get(name), tree[f"{name}_sensitive"], hide)
    if tree.get("sensitive") is True and "value" in tree:
        result["value"] = hide(tree["value"])
    if isinstance(tree.get("attributes"), dict):
        result["attributes"] = _at_paths(tree["attributes"], tree.get("sensitive_attributes"), hide)
    if isinstance(tree.get("inventory"), list):
        result["inventory"] = [_stored(item, hide) for item in as_items(tree["inventory"])]
    return result


def _marked(value: Tree, marks: Tree, hide: Hide) -> Tree:
    if marks is True:
        return None if value is None else hide(value)
    if isinstance(value, dict) and isinstance(marks, dict):
        return {name: _marked(part, marks.get(name), hide) for name, part in value.items()}
    if isinstance(value, list) and isinstance(marks, list):
        several = [*marks, *[None] * len(value)]
        return [_marked(part, mark, hide) for part, mark in zip(value, several, strict=False)]
    return value


def _at_paths(attributes: Tree, paths: Tree, hide: Hide) -> Tree:
    for path in as_items(paths):
        attributes = _at_path(attributes, [step.get("value") for step in as_objects(path)], hide)
    return attributes


def _at_path(tree: Tree, steps: Sequence[Tree], hide: Hide) -> Tree:
    if not steps:
        return None if tree is None else hide(tree)
    key = steps[0].get("value") if isinstance(steps[0], dict) else steps[0]
    if isinstance(tree, dict) and isinstance(key, str) and key in tree:
        return {**tree, key: _at_path(tree[key], steps[1:], hide)}
    if isinstance(tree, list) and isinstance(key, JsonNumber) and int(key.text) < len(tree):
        index = int(key.text)
        return [*tree[:index], _at_path(tree[index], steps[1:], hide), *tree[index + 1 :]]
    return tree


def _stored(item: Tree, hide: Hide) -> Tree:
    """Hide values of an object in the simulated cloud. One without a type is a thing, of which there is only one
    type."""
    if not isinstance(item, dict):
        return item
    for schema in KNOWN_SCHEMAS.values():
        for name, resource in schema.managed.items():
            if item.get("type", THING_TYPE) == name:
                return _by_schema(item, resource.block, hide)
    return item


def _by_schema(item: Tree, block: SchemaBlock, hide: Hide) -> Tree:
    if isinstance(item, list):
        return [_by_schema(part, block, hide) for part in item]
    if not isinstance(item, dict):
        return item
    result = dict(item)
    for name, attribute in block.attributes.items():
        if (attribute.sensitive or attribute.write_only) and item.get(name) is not None:
            result[name] = hide(item[name])
        elif attribute.nested is not None and name in item:
            result[name] = _by_schema(item[name], SchemaBlock(attribute.nested.attributes), hide)
    for name, nested in block.block_types.items():
        if name in item:
            result[name] = _by_schema(item[name], nested.block, hide)
    return result


# Given and written


def _of_configuration(case: Case, files: Files) -> Iterator[Tree]:
    try:
        root, _ = read_tree(files, FLAVOURS[case.flavour])
    except OSError:
        return
    given = dict(_given(case, root, files))
    search = _Written(root, given)
    for node in root.walk():
        for variable in node.module.variables.values():
            if variable.sensitive or variable.ephemeral:
                yield from search.of_name(node, InputVariable(variable.name))
        for output in node.module.outputs.values():
            if output.sensitive or output.ephemeral:
                yield from search.of_expression(node, output.expression)
        yield from _in_resources(node, search)
        yield from _in_calls(node, search)


def _given(case: Case, root: ConfigTree, files: Files) -> Iterator[tuple[str, list[Tree]]]:
    """Return values of root variables, from steps and from files. Several steps may give several values."""
    found: dict[str, list[Tree]] = {}
    for text in (step.variables for step in case.all_steps if step.variables is not None):
        tree = loads(text)
        for name, value in tree.items() if isinstance(tree, dict) else ():
            found.setdefault(name, []).append(value)
    inputs, _ = collect_inputs(root, [], files)
    for name, one in inputs.items():
        found.setdefault(name, []).extend(_value_leaves(one.value))
    return iter(found.items())


def _value_leaves(value: Value) -> Iterator[Tree]:
    value = value.unmark_deep()[0]
    if value.is_wholly_known:
        yield from _leaves(value_to_json(value))


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


@dataclass(frozen=True, slots=True)
class _Written:
    """Finds the constants that a value is made of."""

    root: ConfigTree
    given: Mapping[str, Iterable[Tree]]
    seen: set[tuple[str, str]] = field(default_factory=set)

    def of_expression(self, node: ConfigTree, expression: Expression) -> Iterator[Tree]:
        for part in walk(expression):
            if isinstance(part, Template):
                yield from _texts(part)
            elif isinstance(part, Literal) and part.value.is_known and not part.value.is_null:
                yield from _value_leaves(part.value)
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
            yield from (leaf for value in self.given.get(name, ()) for leaf in _leaves(value))
            return
        parent = self.root.at(node.path.parent)
        attribute = node.call.body.attributes.get(name)
        if parent is not None and attribute is not None:
            yield from self.of_expression(parent, attribute.expression)


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
