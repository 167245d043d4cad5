"""Checks that whatever refers to a provider configuration chooses one of its instances if, and only if, there are
several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.config.blocks import ProviderReference
from shared_nodes.config.module import Module
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.lang.references import free_traversals

__all__ = ["check_provider_keys"]


def check_provider_keys(node: ConfigTree) -> Iterator[Diagnostic]:
    """Check all references of one module to its provider configurations. The instances of resources and modules must
    not come and go with those of their provider; but only managed resources have objects that it must destroy."""
    module = node.module
    for call in module.module_calls.values():
        for passed in call.passed_providers or ():
            yield from _check_name_in_child(passed.in_child)
            yield from _check_reference(module, passed.in_parent, "module")
            target = str(node.path.child(call.name))
            yield from _warn_of_shared_collection(module, passed.in_parent, call.for_each, "module", target)
    for resource, block in module.resources.items():
        if block.provider is not None:
            yield from _check_reference(module, block.provider, "resource")
            if resource.mode is ResourceMode.MANAGED:
                target = node.path.prefix(str(resource))
                yield from _warn_of_shared_collection(module, block.provider, block.for_each, "resource", target)


def _check_name_in_child(reference: ProviderReference) -> Iterator[Diagnostic]:
    if reference.instance_key is not None:
        detail = "Instance keys are not allowed on the left side of a provider configuration assignment."
        yield error("Invalid module provider configuration", detail, reference.instance_key.range)


def _check_reference(module: Module, reference: ProviderReference, kind: str) -> Iterator[Diagnostic]:
    block = module.providers.get(reference.key)
    is_repeated = block is not None and block.for_each is not None
    if is_repeated == (reference.instance_key is not None):
        return
    subject = reference.name_range
    if reference.instance_key is None:
        detail = (
            "A reference to a provider configuration which uses for_each requires an instance key. Passing a "
            "collection of provider instances into a child module is not allowed."
        )
    elif block is None or not block.has_content:
        detail = (
            f'This module doesn\'t declare a provider "{reference.local_name}" block with alias = "{reference.alias}", '
            "which is required for use with for_each."
        )
    else:
        detail = "An instance key can be specified only for a provider configuration that uses for_each."
        subject = reference.instance_key.range
    yield error(f"Invalid {kind} provider configuration", detail, subject)


def _warn_of_shared_collection(
    module: Module, reference: ProviderReference, for_each: tree.Expression | None, kind: str, target: str
) -> Iterator[Diagnostic]:
    """Warn about a resource or module call that is repeated by the same expression as its provider configuration: the
    provider instance would be gone when an object is to be destroyed."""
    block = module.providers.get(reference.key)
    if block is None or block.for_each is None or for_each is None or reference.instance_key is None:
        return
    if not _is_comparable(for_each) or not _is_comparable(block.for_each) or not _is_same(for_each, block.for_each):
        return
    product, command = module.flavour.product, module.flavour.command
    detail = (
        f"This provider configuration uses the same for_each expression as a {kind}, which means that subsequent "
        f"removal of elements from this collection would cause a planning error.\n\n{product} relies on a provider "
        "instance to destroy resource instances that are associated with it, and so the provider instance must "
        "outlive all of its resource instances by at least one plan/apply round. For removal of instances to succeed "
        "in future you must structure the configuration so that the provider block's for_each expression can produce "
        "a superset of the instances of the resources associated with the provider configuration. Refer to the "
        f"{product} documentation for specific suggestions.\n\nTo destroy this object before removing the provider "
        f"configuration, consider first performing a targeted destroy:\n    {command} apply -destroy -target={target}"
    )
    yield warning(f"Provider configuration for_each matches {kind}", detail, for_each.range)


def _is_comparable(expression: tree.Expression) -> bool:
    """Whether the instances depend on anything, and the expression is one of native syntax."""
    return not expression.range.source.is_json and next(iter(free_traversals(expression)), None) is not None


_NEVER_SAME: Final = (tree.Splat, tree.TemplateWrap, tree.TemplateJoin)
"""Expressions that the original does not compare."""


def _is_same(one: object, other: object) -> bool:
    """Compare parts of two syntax trees, without regard to parentheses."""
    if isinstance(one, tree.Parentheses):
        return _is_same(one.inner, other)
    if isinstance(other, tree.Parentheses):
        return _is_same(one, other.inner)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if not isinstance(one, tree.Expression | tree.ObjectItem):
        return one == other
    if type(one) is not type(other) or isinstance(one, _NEVER_SAME):
        return False
    return all(_is_same(getattr(one, part.name), getattr(other, part.name)) for part in fields(one) if part.compare)
