"""What evaluating a configuration has to wait for while it is applied, as OpenTofu's new runtime evaluates it.

Its execution graph says which operation waits for which. But an operation may ask for a part of the configuration, and
evaluating that waits for the values of everything it refers to, which the graph does not say. So this is read from the
configuration, without evaluating anything. Waiting is coarse: a reference to one instance waits for all instances of
the resource, one to an output of a module for the whole module, and everything in a module for all arguments of its
call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

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
from shared_nodes.config.blocks import ModuleCallBlock, OutputBlock, ProvisionerWhen, ResourceBlock
from shared_nodes.config.loading import read_tree
from shared_nodes.config.provider_configurations import ProviderConfigurations, requested_provider
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import Flavour
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Body, Expression, Traversal
from shared_nodes.record import record
from shared_nodes.world import Files

__all__ = [
    "BlockReferences",
    "Found",
    "References",
    "body_expressions",
    "expression_subjects",
    "find_references",
    "named_subjects",
    "references_in",
    "resource_of_subject",
]


@record
class BlockReferences:
    """The resources that must have their values, by what asks for them."""

    instances: frozenset[str] = frozenset()
    """To know which instances the resource has: its own repetition, what it explicitly depends on, and the calls of the
    modules around it."""

    values: frozenset[str] = frozenset()
    """To know the configuration of an instance."""

    provider: frozenset[str] = frozenset()
    """To configure the provider that serves it."""

    unasked: frozenset[str] = frozenset()
    """What the block names as well, without evaluation waiting for it: conditions, and the resources of modules that it
    explicitly depends on."""

    @property
    def all(self) -> frozenset[str]:
        return self.instances | self.values | self.provider | self.unasked


References = Mapping[str, BlockReferences]
"""By the address of a resource without keys, as are the addresses in them."""

Found = tuple[ConfigTree, Subject, Range]
"""The subject of a reference, the module in which it is resolved, and where it is written."""


def references_in(files: Files, flavour: Flavour) -> References:
    """Read a configuration, and return its references, as far as it can be read."""
    root, _ = read_tree(files, flavour)
    return find_references(root)


def find_references(root: ConfigTree) -> References:
    search = _Search(root, ProviderConfigurations(root))
    return {
        str(ConfigResource(node.path, resource)): search.of_block(node, block)
        for node in root.walk()
        for resource, block in node.module.resources.items()
    }


@record
class _Search:
    root: ConfigTree
    providers: ProviderConfigurations

    def of_block(self, node: ConfigTree, block: ResourceBlock) -> BlockReferences:
        choice = self.providers.resolve(requested_provider(node, block.resource, block))
        provider = None if choice is None else choice.configuration.block
        configured: Iterable[Found] = ()
        if choice is not None and provider is not None:
            configured = expression_subjects(choice.configuration.tree, body_expressions(provider.body))
        return BlockReferences(
            self._resources(self._deciding_instances(node, block)),
            self._resources(expression_subjects(node, body_expressions(block.body))),
            self._resources(configured),
            self._resources(_of_conditions(node, block)) | self._resources_of_modules(node, block),
        )

    def _resources(self, found: Iterable[Found]) -> frozenset[str]:
        """Return the resources that have to be known for these subjects, through values and modules."""
        resources: set[str] = set()
        seen: set[tuple[str, str]] = set()
        pending = list(found)
        while pending:
            node, subject, _ = pending.pop()
            key = str(node.path), str(resource_of_subject(subject) or subject)
            if key in seen:
                continue
            seen.add(key)
            resource = resource_of_subject(subject)
            if resource is not None:
                resources.add(str(ConfigResource(node.path, resource)))
            pending.extend(self._next(node, subject))
        return frozenset(resources)

    def _next(self, node: ConfigTree, subject: Subject) -> Iterable[Found]:
        resource = resource_of_subject(subject)
        if resource is not None:
            block = node.module.resources.get(resource)
            return () if block is None else self._deciding_instances(node, block)
        match subject:
            case LocalValue(name) if name in node.module.locals:
                return expression_subjects(node, [node.module.locals[name].expression])
            case InputVariable():
                return self._around(node)
        child = _module_of(node, subject)
        return () if child is None else [*self._of_call(node, child), *_of_outputs(child)]

    def _deciding_instances(self, node: ConfigTree, block: ResourceBlock) -> list[Found]:
        lifecycle = block.lifecycle
        several = [block.count, block.for_each, block.enabled, lifecycle.prevent_destroy]
        expressions = [each for each in several if each is not None] + [*lifecycle.replace_triggered_by]
        return [
            *self._explicit(node, block.depends_on),
            *expression_subjects(node, expressions),
            *_of_provisioners(node, block),
            *self._around(node),
        ]

    def _around(self, node: ConfigTree) -> Iterator[Found]:
        """Return what everything in a module waits for."""
        while node.call is not None:
            parent = self._parent(node)
            yield from self._of_call(parent, node)
            node = parent

    def _of_call(self, parent: ConfigTree, child: ConfigTree) -> list[Found]:
        """Return what has to be known of a module before anything in it: its instances and all its arguments."""
        call = _call_of(child)
        several = [each for each in (call.count, call.for_each, call.enabled) if each is not None]
        return [
            *self._explicit(parent, call.depends_on),
            *expression_subjects(parent, [*several, *body_expressions(call.body)]),
        ]

    def _explicit(self, node: ConfigTree, traversals: Iterable[Traversal]) -> Iterator[Found]:
        """Return what is waited for because `depends_on` names it. The resources of a module are only listed, and for
        that nothing but its call has to be known."""
        for found in named_subjects(node, traversals):
            child = _module_of(node, found[1])
            if child is None:
                yield found
            else:
                yield from self._of_call(node, child)

    def _resources_of_modules(self, node: ConfigTree, block: ResourceBlock) -> frozenset[str]:
        """Return the resources of all modules that the block, or a call around it, explicitly depends on."""
        named = named_subjects(node, block.depends_on)
        while node.call is not None:
            parent = self._parent(node)
            named += named_subjects(parent, node.call.depends_on)
            node = parent
        children = (_module_of(parent, subject) for parent, subject, _ in named)
        return frozenset(
            str(ConfigResource(inner.path, resource))
            for child in children
            if child is not None
            for inner in child.walk()
            for resource in inner.module.resources
        )

    def _parent(self, node: ConfigTree) -> ConfigTree:
        parent = self.root.at(node.path.parent)
        assert parent is not None, f"{node.path} is not in the tree it was found in"
        return parent


def _call_of(child: ConfigTree) -> ModuleCallBlock:
    assert child.call is not None, "only the root has no call"
    return child.call


def _module_of(node: ConfigTree, subject: Subject) -> ConfigTree | None:
    """Return the module that a subject is, or is an output of."""
    match subject:
        case ModuleOutput(ModuleCall(name)) | ModuleCall(name):
            return node.children.get(name)
    return None


def _of_provisioners(node: ConfigTree, block: ResourceBlock) -> Iterator[Found]:
    """Return what create-time provisioners refer to, whose configuration is looked at as soon as there is an instance.
    The resource itself is there already when they run."""
    for provisioner in block.provisioners:
        if provisioner.when is ProvisionerWhen.CREATE:
            bodies = [body for body in (provisioner.body, provisioner.connection, block.connection) if body is not None]
            for found in expression_subjects(node, [each for body in bodies for each in body_expressions(body)]):
                if resource_of_subject(found[1]) != block.resource:
                    yield found


def _of_conditions(node: ConfigTree, block: ResourceBlock) -> list[Found]:
    conditions = (*block.lifecycle.preconditions, *block.lifecycle.postconditions)
    return expression_subjects(node, [part for each in conditions for part in (each.condition, each.error_message)])


def _of_outputs(node: ConfigTree) -> Iterator[Found]:
    outputs: Iterable[OutputBlock] = node.module.outputs.values()
    for block in outputs:
        yield from named_subjects(node, block.depends_on)
        yield from expression_subjects(node, [block.expression])


def resource_of_subject(subject: Subject) -> Resource | None:
    if isinstance(subject, ResourceInstance):
        return subject.resource
    return subject if isinstance(subject, Resource) else None


def expression_subjects(node: ConfigTree, expressions: Iterable[Expression]) -> list[Found]:
    """Return everything that expressions of a module refer to."""
    return [
        (node, found.subject, found.range)
        for expression in expressions
        for found in references(expression, node.module.flavour)[0]
    ]


def named_subjects(node: ConfigTree, traversals: Iterable[Traversal]) -> list[Found]:
    """Return what `depends_on` of a block of the module names."""
    parsed = (parse_reference(traversal, node.module.flavour) for traversal in traversals)
    return [(node, found.subject, found.range) for found in parsed if isinstance(found, Reference)]


def body_expressions(body: Body) -> list[Expression]:
    """Return all expressions in a body, whatever its schema."""
    found: list[Expression] = []
    pending = [body]
    while pending:
        inner = pending.pop()
        found.extend(attribute.expression for attribute in inner.attributes.values())
        pending.extend(block.body for block in inner.blocks)
    return found
