"""Applies override files: finds what each block amends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.config.blocks import BackendBlock
from shared_nodes.config.blocks.encryption import EncryptionSettings, override_encryption
from shared_nodes.config.blocks.module_call import read_module_call
from shared_nodes.config.blocks.output import read_output
from shared_nodes.config.blocks.override import (
    override_module_call,
    override_output,
    override_provider,
    override_resource,
    override_variable,
)
from shared_nodes.config.blocks.provider import read_provider
from shared_nodes.config.blocks.resource import read_resource
from shared_nodes.config.blocks.statements import read_import, read_moved
from shared_nodes.config.blocks.terraform import duplicate_cloud, read_terraform
from shared_nodes.config.blocks.variable import read_variable
from shared_nodes.config.module import LocalDeclaration, Module
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.tree import Block

__all__ = ["apply_overrides"]


def apply_overrides(module: Module, blocks: Iterable[Block]) -> list[Diagnostic]:
    """Apply the blocks of one override file."""
    problems = _override_settings(module, [block for block in blocks if block.type == "terraform"])
    for block in blocks:
        override = _OVERRIDERS.get(block.type)
        problems.extend([] if override is None else override(module, block))
    return problems


def _override_settings(module: Module, blocks: list[Block]) -> list[Diagnostic]:
    """Apply `terraform` blocks. A version constraint or backend in an override replaces all those of other files. A
    `cloud` block and a backend in one override file are not a conflict: the `cloud` block is the one that counts."""
    problems: list[Diagnostic] = []
    backends: list[BackendBlock] = []
    clouds: list[BackendBlock] = []
    encryptions: list[EncryptionSettings] = []
    versions = []
    for block in blocks:
        settings, found = read_terraform(block, module.flavour)
        problems.extend(found)
        versions.extend([] if settings.required_version is None else [settings.required_version])
        for required in settings.required_providers:
            module.required_providers.update(required.entries)
        module.provider_metas.update({meta.provider: meta for meta in settings.provider_metas})
        backends.extend(settings.backends)
        clouds.extend(settings.clouds)
        encryptions.extend(settings.encryptions)
    if versions:
        module.required_versions = versions
    if len(backends) == 1:
        module.backend, module.cloud = backends[0], None
    elif backends:
        detail = (
            "Each override file may have only one backend configuration. A backend was previously configured at "
            f"{backends[0].range}."
        )
        problems.append(error("Duplicate backend configuration", detail, backends[1].range))
    if len(clouds) == 1:
        module.backend, module.cloud = None, clouds[0]
    elif clouds:
        problems.append(duplicate_cloud(clouds[0], clouds[1], module.flavour))
    if len(encryptions) == 1:
        module.encryption = override_encryption(module.encryption, encryptions[0])
    elif encryptions:
        detail = (
            "Each override file may have only one encryption configuration. Encryption was previously configured at "
            f"{encryptions[0].range}."
        )
        problems.append(error("Duplicate encryption configuration", detail, encryptions[1].range))
    return problems


def _missing_base_problem(summary: str, what: str, article: str, block: Block, verb: str = "defined") -> Diagnostic:
    detail = (
        f"There is no {what}. An override file can only override {article} that was already {verb} in a primary "
        "configuration file."
    )
    return error(summary, detail, block.header_range)


def _override_variable(module: Module, block: Block) -> list[Diagnostic]:
    variable, problems = read_variable(block, module.flavour, is_override=True)
    base = module.variables.get(variable.name)
    if base is None:
        what = f'variable named "{variable.name}"'
        return [
            *problems,
            _missing_base_problem(
                "Missing base variable declaration to override", what, "a variable", block, "declared"
            ),
        ]
    module.variables[variable.name], found = override_variable(base, variable, block, module.flavour)
    return [*problems, *found]


def _override_locals(module: Module, block: Block) -> list[Diagnostic]:
    problems: list[Diagnostic] = []
    for name, attribute in block.body.attributes.items():
        if name not in module.locals:
            detail = (
                f'There is no local value named "{name}". An override file can only override a local value that was '
                "already defined in a primary configuration file."
            )
            problems.append(error("Missing base local value definition to override", detail, attribute.range))
            continue
        module.locals[name] = LocalDeclaration(name, attribute.expression, attribute.range)
    for inner in block.body.blocks[:1]:
        problems.append(error(f'Unexpected "{inner.type}" block', "Blocks are not allowed here.", inner.type_range))
    return problems


def _override_output(module: Module, block: Block) -> list[Diagnostic]:
    output, problems = read_output(block, module.flavour, is_override=True)
    base = module.outputs.get(output.name)
    if base is None:
        what = f'output named "{output.name}"'
        summary = "Missing base output definition to override"
        module.clashes.append(_missing_base_problem(summary, what, "an output", block))
        return problems
    module.outputs[output.name], found = override_output(base, output, block)
    module.clashes.extend(found)
    return problems


def _override_module_call(module: Module, block: Block) -> list[Diagnostic]:
    call, problems = read_module_call(block, module.flavour, is_override=True)
    base = module.module_calls.get(call.name)
    if base is None:
        detail = (
            f'There is no module call named "{call.name}". An override file can only override a module call that was '
            "defined in a primary configuration file."
        )
        module.clashes.append(error("Missing module call to override", detail, block.header_range))
        return problems
    module.module_calls[call.name], found = override_module_call(base, call, block)
    module.clashes.extend(found)
    return problems


def _override_resource(module: Module, block: Block) -> list[Diagnostic]:
    decoded, problems = read_resource(block, module.flavour, is_override=True)
    resource = decoded.resource
    base = module.resources.get(resource)
    if base is not None:
        module.resources[resource], found = override_resource(base, decoded, module.flavour)
        module.clashes.extend(found)
        return problems
    if resource.mode is ResourceMode.EPHEMERAL:
        return problems
    kind, word = ("resource", "resource") if resource.mode is ResourceMode.MANAGED else ("data resource", "data")
    detail = (
        f'There is no {resource.type} {kind} named "{resource.name}". An override file can only override a {word} '
        "block defined in a primary configuration file."
    )
    module.clashes.append(error(f"Missing {kind} to override", detail, block.header_range))
    return problems


def _override_provider(module: Module, block: Block) -> list[Diagnostic]:
    """Override a provider configuration. A default configuration may also come from an override alone."""
    provider, problems = read_provider(block, module.flavour)
    if provider is None:
        return problems
    base = module.providers.get(provider.key)
    if base is not None:
        module.providers[provider.key] = override_provider(base, provider)
        return problems
    if provider.alias is None:
        module.providers[provider.key] = provider
        return problems
    detail = (
        f'There is no {provider.name} provider configuration with the alias "{provider.alias}". An override file can '
        "only override an aliased provider configuration that was already defined in a primary configuration file."
    )
    module.clashes.append(error("Missing base provider configuration for override", detail, block.header_range))
    return problems


def _refuse_check(module: Module, block: Block) -> list[Diagnostic]:
    detail = "Override files cannot override check blocks."
    module.clashes.append(error("Can't override check blocks", detail, block.header_range))
    return []


def _refuse_moved(module: Module, block: Block) -> list[Diagnostic]:
    detail = "Records of moved objects can appear only in normal files, not in override files."
    module.clashes.append(error("Cannot override 'moved' blocks", detail, block.header_range))
    return read_moved(block, module.flavour)[1]


def _refuse_import(module: Module, block: Block) -> list[Diagnostic]:
    detail = "Import blocks can appear only in normal files, not in override files."
    module.clashes.append(error("Cannot override 'import' blocks", detail, block.header_range))
    return read_import(block, module.flavour)[1]


def _refuse_language(_module: Module, block: Block) -> list[Diagnostic]:
    detail = (
        'Language-related settings in "language" blocks are not allowed in override files. Place these settings in a '
        "normal configuration file."
    )
    return [error("Language selections in override file", detail, block.header_range)]


_OVERRIDERS: Final[Mapping[str, Callable[[Module, Block], list[Diagnostic]]]] = {
    "variable": _override_variable,
    "locals": _override_locals,
    "output": _override_output,
    "module": _override_module_call,
    "resource": _override_resource,
    "data": _override_resource,
    "ephemeral": _override_resource,
    "provider": _override_provider,
    "check": _refuse_check,
    "language": _refuse_language,
    "moved": _refuse_moved,
    "import": _refuse_import,
}
"""Block types that are valid in an override. `removed` is silently ignored."""
