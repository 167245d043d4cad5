"""What each block of a configuration refers to, with duplicates: the raw material of dependency edges.

Only references that may make the block wait are included: not `self`, and not those of destroy-time provisioners, which
run long after the values of this run are gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.parse import KeyExpression
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ProviderFunction, Reference, ScopedSubject, Subject, parse_reference
from shared_nodes.config.blocks import (
    Condition,
    ModuleCallBlock,
    OutputBlock,
    ProviderBlock,
    ProvisionerWhen,
    ResourceBlock,
)
from shared_nodes.config.provider_configurations import ProviderConfiguration, ProviderConfigurations
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.provider_functions import undeclared_function_providers
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Body, Expression, Traversal
from shared_nodes.nodes.body.decode import body_references
from shared_nodes.nodes.statements.import_targets import ImportTarget
from shared_nodes.providers.schema import SchemaBlock

__all__ = [
    "call_references",
    "conditions_references",
    "depends_on_references",
    "destroy_references",
    "expression_references",
    "function_provider_problems",
    "function_providers",
    "import_references",
    "output_references",
    "provider_references",
    "resource_references",
]


def expression_references(node: ConfigTree, *expressions: Expression | None) -> list[ScopedSubject]:
    return [
        ScopedSubject(node.path, reference.subject)
        for expression in expressions
        if expression is not None
        for reference in node.module.expressions.prepare(expression).references
    ]


def depends_on_references(node: ConfigTree, traversals: Iterable[Traversal]) -> list[ScopedSubject]:
    parsed = (parse_reference(traversal, node.module.flavour) for traversal in traversals)
    return [ScopedSubject(node.path, found.subject) for found in parsed if isinstance(found, Reference)]


def function_provider_problems(config: ConfigTree, references: Iterable[ScopedSubject]) -> list[Diagnostic]:
    """Report functions of providers that the modules that call them do not require, each call once."""
    if not config.module.flavour.provider_functions_are_references:
        return []
    subjects: dict[ModulePath, dict[Range, Subject]] = {}
    for reference in references:
        if isinstance(reference.subject, ProviderFunction):
            subjects.setdefault(reference.module, {})[reference.subject.range] = reference.subject
    problems: list[Diagnostic] = []
    for path, found in subjects.items():
        node = config.at(path)
        assert node is not None
        problems += undeclared_function_providers(node.module, found.values())
    return problems


def function_providers(
    config: ConfigTree, known: ProviderConfigurations, references: Iterable[ScopedSubject]
) -> Iterator[ProviderConfiguration]:
    """Yield the configurations whose functions are called. Not in every flavour a call waits for them."""
    for reference in references:
        if isinstance(subject := reference.subject, ProviderFunction) and (node := config.at(reference.module)):
            wanted = node.module.required_providers.get(subject.provider)
            if wanted is not None:
                name = AbsProviderConfig(wanted.source, reference.module, subject.alias)
                found = known.offering_functions(name)
                yield from () if found is None else (found,)


def conditions_references(node: ConfigTree, conditions: Iterable[Condition]) -> list[ScopedSubject]:
    return [
        found
        for condition in conditions
        for found in expression_references(node, condition.condition, condition.error_message)
    ]


def resource_references(node: ConfigTree, block: ResourceBlock, schema: SchemaBlock | None) -> Sequence[ScopedSubject]:
    """Return each reference once. Every operation needs them several times, so they are computed once per
    configuration."""

    def find() -> tuple[tuple[ScopedSubject, ...], ResourceBlock, SchemaBlock | None]:
        return tuple(dict.fromkeys(_resource_references(node, block, schema))), block, schema

    return node.module.expressions.compute_once(("resource references", node.path, id(block), id(schema)), find)[0]


def _resource_references(node: ConfigTree, block: ResourceBlock, schema: SchemaBlock | None) -> list[ScopedSubject]:
    found = depends_on_references(node, block.depends_on)
    key = None if block.provider is None else block.provider.instance_key
    found += expression_references(
        node, block.count, block.for_each, block.enabled, key, *block.lifecycle.replace_triggered_by
    )
    found += destroy_references(node, block)
    if schema is not None:
        found += _in_module(node, body_references(node.module, block.body, schema))
    if block.connection is not None:
        found += _all_references(node, block.connection)
    for provisioner in block.provisioners:
        if provisioner.when is ProvisionerWhen.CREATE:
            found += _all_references(node, provisioner.body)
            if provisioner.connection is not None:
                found += _all_references(node, provisioner.connection)
    found += conditions_references(node, block.lifecycle.preconditions)
    return found + conditions_references(node, block.lifecycle.postconditions)


def destroy_references(node: ConfigTree, block: ResourceBlock) -> list[ScopedSubject]:
    """Return what decides whether an object may be destroyed: all that destroying it refers to."""
    return expression_references(node, block.lifecycle.prevent_destroy)


def output_references(node: ConfigTree, block: OutputBlock) -> list[ScopedSubject]:
    found = expression_references(node, block.expression)
    found += depends_on_references(node, block.depends_on)
    return found + conditions_references(node, block.preconditions)


def call_references(parent: ConfigTree, call: ModuleCallBlock) -> list[ScopedSubject]:
    keys = [passed.in_parent.instance_key for passed in call.passed_providers or ()]
    found = expression_references(parent, call.count, call.for_each, call.enabled, *keys)
    return depends_on_references(parent, call.depends_on) + found


def provider_references(node: ConfigTree, block: ProviderBlock, schema: SchemaBlock) -> list[ScopedSubject]:
    return _in_module(node, body_references(node.module, block.body, schema))


def import_references(root: ConfigTree, target: ImportTarget) -> list[ScopedSubject]:
    """Return the references of the keys in the address, of `for_each` and of the identifier."""
    keys = [part.key for part in target.address.parts if isinstance(part, KeyExpression)]
    return expression_references(root, *keys, target.block.for_each, target.block.identifier, target.block.identity)


def _in_module(node: ConfigTree, references: Iterable[Reference]) -> list[ScopedSubject]:
    return [ScopedSubject(node.path, reference.subject) for reference in references]


def _all_references(node: ConfigTree, body: Body) -> list[ScopedSubject]:
    """Return the references of a body regardless of its schema: of all its arguments, and of those of its blocks."""
    return expression_references(node, *_expressions(body))


def _expressions(body: Body) -> Iterator[Expression]:
    pending = [body]
    while pending:
        inner = pending.pop()
        yield from (attribute.expression for attribute in inner.attributes.values())
        pending.extend(block.body for block in inner.blocks)
