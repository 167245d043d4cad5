"""What a configuration requires of the program that runs it: a version, providers and provisioners."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from shared_nodes.addresses.provider import BUILTIN, ProviderSource
from shared_nodes.config.blocks import ImportBlock, ProvisionerBlock
from shared_nodes.config.blocks.statements import import_target
from shared_nodes.config.module import Module
from shared_nodes.config.syntax.provider_names import implied_provider
from shared_nodes.config.syntax.version_constraint import parse_constraints, parse_version, read_constraint
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error

__all__ = ["check_core_version", "is_builtin", "missing_plugins", "required_sources"]

_PROVISIONERS: Final = frozenset(("file", "local-exec", "remote-exec"))


def check_core_version(root: ConfigTree, flavour: Flavour = TERRAFORM_1_11) -> list[Diagnostic]:
    """Check the versions of the program that each module supports."""
    core = parse_version(flavour.version)
    assert core is not None
    problems: list[Diagnostic] = []
    for node in root.walk():
        subject = "This configuration" if node.call is None else f"Module {node.path} (from {node.call.source})"
        for attribute in node.module.required_versions:
            given = read_constraint(attribute, [])
            constraints = parse_constraints(given) or ()
            early = [text for text, one in zip(given.split(","), constraints, strict=True) if one.version.prerelease]
            if early:
                detail = (
                    f"Prerelease version constraints are not supported: {', '.join(map(str.strip, early))}. Remove the "
                    "prerelease information from the constraint. Prerelease versions of terraform will match "
                    "constraints using their version core only."
                )
                problems.append(error("Invalid required_version constraint", detail, attribute.range))
                continue
            if all(constraint.allows(core) for constraint in constraints):
                continue
            product = flavour.product
            detail = (
                f"{subject} does not support {product} version {flavour.version}. To proceed, either choose another "
                f"supported {product} version or update this version constraint. Version constraints are normally set "
                "for good reason, so updating the constraint may lead to other errors or unexpected behavior."
            )
            problems.append(error(f"Unsupported {product} Core version", detail, attribute.range))
    return problems


def is_builtin(source: ProviderSource) -> bool:
    return source == BUILTIN


def missing_plugins(
    root: ConfigTree, is_available: Callable[[ProviderSource], bool], flavour: Flavour
) -> list[Diagnostic]:
    """Report providers and provisioners that the configuration needs and that are not available."""
    problems = missing_providers(required_sources(root), is_available, flavour)
    for kind in sorted({one.type for one in _provisioners(root)} - _PROVISIONERS):
        detail = (
            f"This configuration requires provisioner plugin \"{kind}\", which isn't available. If you're intending to "
            f"use an external provisioner plugin, you must install it manually into one of the plugin search "
            f"directories before running {flavour.product}."
        )
        problems.append(error("Missing required provisioner plugin", detail))
    return problems


def missing_providers(
    sources: Iterable[ProviderSource], is_available: Callable[[ProviderSource], bool], flavour: Flavour
) -> list[Diagnostic]:
    problems: list[Diagnostic] = []
    for source in sorted(sources, key=str):
        if is_available(source):
            continue
        if source.host == BUILTIN.host and source.namespace == BUILTIN.namespace:
            detail = (
                f"This configuration requires built-in provider {source}, but that provider isn't available in this "
                f"{flavour.product} version."
            )
        else:
            detail = (
                f"This configuration requires provider {source}, but that provider isn't available. You may be able to "
                f"install it automatically by running:\n  {flavour.command} init"
            )
        problems.append(error("Missing required provider", detail))
    return problems


def _provisioners(root: ConfigTree) -> Iterator[ProvisionerBlock]:
    for node in root.walk():
        for block in node.module.resources.values():
            yield from block.provisioners


def required_sources(root: ConfigTree) -> set[ProviderSource]:
    """Return all providers named anywhere in the tree, used or not."""
    found: set[ProviderSource] = set()
    for node in root.walk():
        module = node.module
        found.update(requirement.source for requirement in module.required_providers.values())
        found.update(module.source_of(resource) for resource in module.resources)
        found.update(module.source_for(name) for name, _ in module.providers)
        for statement in module.imports:
            source = _source_of_import(module, statement)
            found.update(() if source is None else (source,))
    return found


def _source_of_import(module: Module, statement: ImportBlock) -> ProviderSource | None:
    """Return the provider that an import requires by itself, not because of the block of its object."""
    if statement.provider is not None:
        return module.source_for(statement.provider.local_name)
    target = import_target(statement.to, module.flavour)
    if isinstance(target, Diagnostic):
        return None
    if module.flavour.imports_imply_providers:
        return module.source_for(implied_provider(target.resource.type))
    return None if target.module.steps else module.source_of(target.resource)
