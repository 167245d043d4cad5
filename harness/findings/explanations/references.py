"""Why one resource block depends on another: the chain of references between them, each with its location.

It is read from the configuration alone, without evaluating anything, and by neither engine: when they disagree about an
edge, this is what the edge must come from. Every reference in a block counts, as it does for both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from harness.observe.evaluation import (
    Found,
    body_expressions,
    expression_subjects,
    named_subjects,
    resource_of_subject,
)
from shared_nodes.addresses.references import (
    InputVariable,
    LocalValue,
    ModuleCall,
    ModuleOutput,
    Subject,
)
from shared_nodes.addresses.resource import ConfigResource, Resource
from shared_nodes.config.blocks import Condition, ModuleCallBlock, ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Expression
from shared_nodes.record import record

__all__ = ["Mention", "mentions"]


@record
class Mention:
    """`text` as it is written, `place` as `main.tf:12,3`."""

    text: str
    place: str

    def __str__(self) -> str:
        return f"{self.text} at {self.place}"


def mentions(root: ConfigTree, waiting: ConfigResource, dependency: ConfigResource) -> list[Mention] | None:
    """Return the shortest chain of references from one block to the other, or None. It may lead through other blocks: a
    block depends on everything that the resources it refers to depend on."""
    start = root.at(waiting.module)
    if start is None or waiting.resource not in start.module.resources:
        return None
    search = _Search(root)
    pending: deque[tuple[Found, tuple[Range, ...]]]
    pending = deque((found, ()) for found in search.of_resource(start, waiting.resource))
    seen: set[tuple[str, str]] = set()
    while pending:
        (node, subject, written), path = pending.popleft()
        path = (*path, written)
        resource = resource_of_subject(subject)
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


@record
class _Search:
    root: ConfigTree

    def behind(self, node: ConfigTree, subject: Subject) -> Iterable[Found]:
        """Return what the subject refers to in turn."""
        resource = resource_of_subject(subject)
        if resource is not None:
            return self.of_resource(node, resource)
        match subject:
            case LocalValue(name) if name in node.module.locals:
                return expression_subjects(node, [node.module.locals[name].expression])
            case InputVariable(name):
                return self._argument(node, name)
            case ModuleOutput(ModuleCall(call), name) if call in node.children:
                return self._outputs(node.children[call], [name])
            case ModuleCall(call) if call in node.children:
                return self._outputs(node.children[call], node.children[call].module.outputs)
        return ()

    def of_resource(self, node: ConfigTree, resource: Resource) -> Iterable[Found]:
        block = node.module.resources.get(resource)
        if block is None:
            return ()
        return [
            *named_subjects(node, block.depends_on),
            *expression_subjects(node, _expressions(block)),
            *self._around(node),
        ]

    def _around(self, node: ConfigTree) -> Iterator[Found]:
        """Return what everything in a module depends on: the number of instances of its calls, and `depends_on`."""
        while node.call is not None:
            parent = self._parent(node)
            yield from _of_call(parent, node.call)
            node = parent

    def _argument(self, node: ConfigTree, name: str) -> Iterable[Found]:
        attribute = None if node.call is None else node.call.body.attributes.get(name)
        return () if attribute is None else expression_subjects(self._parent(node), [attribute.expression])

    def _outputs(self, node: ConfigTree, names: Iterable[str]) -> Iterator[Found]:
        for name in names:
            block = node.module.outputs.get(name)
            if block is not None:
                yield from named_subjects(node, block.depends_on)
                yield from expression_subjects(node, [block.expression, *_of_conditions(block.preconditions)])

    def _parent(self, node: ConfigTree) -> ConfigTree:
        parent = self.root.at(node.path.parent)
        assert parent is not None, f"{node.path} is not in the tree it was found in"
        return parent


def _of_call(node: ConfigTree, call: ModuleCallBlock) -> list[Found]:
    repetition = [each for each in (call.count, call.for_each) if each is not None]
    return [*named_subjects(node, call.depends_on), *expression_subjects(node, repetition)]


def _expressions(block: ResourceBlock) -> Iterator[Expression]:
    yield from (each for each in (block.count, block.for_each) if each is not None)
    yield from body_expressions(block.body)
    yield from block.lifecycle.replace_triggered_by
    yield from _of_conditions((*block.lifecycle.preconditions, *block.lifecycle.postconditions))
    for provisioner in block.provisioners:
        yield from body_expressions(provisioner.body)


def _of_conditions(conditions: Iterable[Condition]) -> Iterator[Expression]:
    for each in conditions:
        yield from (each.condition, each.error_message)
