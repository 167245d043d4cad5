"""Why one resource block depends on another: the chain of references between them, each with its location.

It is read from the configuration alone, without evaluating anything, and by neither engine: when they disagree about an
edge, this is what the edge must come from. Every reference in a block counts, as it does for both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shared_nodes.addresses.expression_references import references
from shared_nodes.addresses.references import (
    InputVariable,
    LocalValue,
    ModuleCall,
    ModuleOutput,
    Reference,
    ResourceInstance,
    Subject,
    parse_reference,
)
from shared_nodes.addresses.resource import ConfigResource, Resource
from shared_nodes.config.blocks import Condition, ModuleCallBlock, ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Body, Expression, Traversal

__all__ = ["Mention", "mentions"]


@dataclass(frozen=True, slots=True)
class Mention:
    """`text` as it is written, `place` as `main.tf:12,3`."""

    text: str
    place: str

    def __str__(self) -> str:
        return f"{self.text} at {self.place}"


_Found = tuple[ConfigTree, Subject, Range]
"""The subject of a reference, the module in which it is resolved, and where it is written."""


def mentions(root: ConfigTree, waiting: ConfigResource, dependency: ConfigResource) -> list[Mention] | None:
    """Return the shortest chain of references from one block to the other, or None. It may lead through other blocks: a
    block depends on everything that the resources it refers to depend on."""
    start = root.at(waiting.module)
    if start is None or waiting.resource not in start.module.resources:
        return None
    search = _Search(root)
    pending: deque[tuple[_Found, tuple[Range, ...]]]
    pending = deque((found, ()) for found in search.of_resource(start, waiting.resource))
    seen: set[tuple[str, str]] = set()
    while pending:
        (node, subject, written), path = pending.popleft()
        path = (*path, written)
        resource = _resource(subject)
        if resource is not None and ConfigResource(node.path, resource) == dependency:
            return [_mention(place) for place in path]
        key = str(node.path), str(resource or subject)
        if key not in seen:
            seen.add(key)
            pending.extend((found, path) for found in search.behind(node, subject))
    return None


def _mention(written: Range) -> Mention:
    first = written.first
    return Mention(" ".join(written.text.split()), f"{written.source.filename}:{first.line},{first.column}")


def _resource(subject: Subject) -> Resource | None:
    if isinstance(subject, ResourceInstance):
        return subject.resource
    return subject if isinstance(subject, Resource) else None


@dataclass(frozen=True, slots=True)
class _Search:
    root: ConfigTree

    def behind(self, node: ConfigTree, subject: Subject) -> Iterable[_Found]:
        """Return what the subject refers to in turn."""
        resource = _resource(subject)
        if resource is not None:
            return self.of_resource(node, resource)
        match subject:
            case LocalValue(name) if name in node.module.locals:
                return _in(node, [node.module.locals[name].expression])
            case InputVariable(name):
                return self._argument(node, name)
            case ModuleOutput(ModuleCall(call), name) if call in node.children:
                return self._outputs(node.children[call], [name])
            case ModuleCall(call) if call in node.children:
                return self._outputs(node.children[call], node.children[call].module.outputs)
        return ()

    def of_resource(self, node: ConfigTree, resource: Resource) -> Iterable[_Found]:
        block = node.module.resources.get(resource)
        if block is None:
            return ()
        return [*_named(node, block.depends_on), *_in(node, _expressions(block)), *self._around(node)]

    def _around(self, node: ConfigTree) -> Iterator[_Found]:
        """Return what everything in a module depends on: the number of instances of its calls, and `depends_on`."""
        while node.call is not None:
            parent = self._parent(node)
            yield from _of_call(parent, node.call)
            node = parent

    def _argument(self, node: ConfigTree, name: str) -> Iterable[_Found]:
        attribute = None if node.call is None else node.call.body.attributes.get(name)
        return () if attribute is None else _in(self._parent(node), [attribute.expression])

    def _outputs(self, node: ConfigTree, names: Iterable[str]) -> Iterator[_Found]:
        for name in names:
            block = node.module.outputs.get(name)
            if block is not None:
                yield from _named(node, block.depends_on)
                yield from _in(node, [block.expression, *_of_conditions(block.preconditions)])

    def _parent(self, node: ConfigTree) -> ConfigTree:
        parent = self.root.at(node.path.parent)
        assert parent is not None, f"{node.path} is not in the tree it was found in"
        return parent


def _of_call(node: ConfigTree, call: ModuleCallBlock) -> list[_Found]:
    repetition = [each for each in (call.count, call.for_each) if each is not None]
    return [*_named(node, call.depends_on), *_in(node, repetition)]


def _in(node: ConfigTree, expressions: Iterable[Expression]) -> list[_Found]:
    return [
        (node, found.subject, found.range)
        for expression in expressions
        for found in references(expression, node.module.flavour)[0]
    ]


def _named(node: ConfigTree, traversals: Iterable[Traversal]) -> list[_Found]:
    parsed = (parse_reference(traversal, node.module.flavour) for traversal in traversals)
    return [(node, found.subject, found.range) for found in parsed if isinstance(found, Reference)]


def _expressions(block: ResourceBlock) -> Iterator[Expression]:
    yield from (each for each in (block.count, block.for_each) if each is not None)
    yield from _of_body(block.body)
    yield from block.lifecycle.replace_triggered_by
    yield from _of_conditions((*block.lifecycle.preconditions, *block.lifecycle.postconditions))
    for provisioner in block.provisioners:
        yield from _of_body(provisioner.body)


def _of_conditions(conditions: Iterable[Condition]) -> Iterator[Expression]:
    for each in conditions:
        yield from (each.condition, each.error_message)


def _of_body(body: Body) -> Iterator[Expression]:
    pending = [body]
    while pending:
        inner = pending.pop()
        yield from (attribute.expression for attribute in inner.attributes.values())
        pending.extend(block.body for block in inner.blocks)
