"""Import blocks and the resources they lead to, as far as this can be known without values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from shared_nodes.addresses.parse import ImportAddress, parse_import_address
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.resource import ConfigResource, ResourceMode
from shared_nodes.config.blocks import ImportBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.record import record

__all__ = [
    "NO_CONFIGURATION",
    "ImportTarget",
    "import_targets",
    "imports_to_validate",
    "misplaced_imports",
    "missing_configuration",
    "missing_instance",
    "undeclared_imports",
]

NO_CONFIGURATION: Final = "Configuration for import target does not exist"


@record
class ImportTarget:
    block: ImportBlock
    address: ImportAddress

    @property
    def resource(self) -> ConfigResource:
        return self.address.resource


def import_targets(config: ConfigTree) -> list[ImportTarget]:
    """Return all import targets. Faulty addresses are skipped: they were reported when the configuration was read."""
    parsed = [(block, parse_import_address(block.to, config.module.flavour)) for block in config.module.imports]
    return [ImportTarget(block, address) for block, address in parsed if isinstance(address, ImportAddress)]


def imports_to_validate(config: ConfigTree) -> list[ImportTarget]:
    """Return the import targets that validation is about. A flavour that leaves addresses to planning looks past those
    in modules that do not exist."""
    targets = import_targets(config)
    if not config.module.flavour.imports_are_resolved_when_planning:
        return targets
    return [target for target in targets if config.at(target.resource.module) is not None]


def misplaced_imports(
    targets: Sequence[ImportTarget], config: ConfigTree, schemas: Mapping[ProviderSource, ProviderSchema]
) -> list[Diagnostic]:
    """Return problems found while a graph is built: no node could resolve the import, or its type is unknown. In the
    root, an import without a block counts as a requirement, so its missing provider is reported earlier."""
    return _check_modules(targets, config) or _check_types(targets, config, schemas)


def _check_modules(targets: Iterable[ImportTarget], config: ConfigTree) -> list[Diagnostic]:
    return [
        error(
            NO_CONFIGURATION,
            f"The configuration for the given import target {target.resource} does not exist. All target instances "
            "must have an associated configuration to be imported.",
            target.block.to.range,
        )
        for target in targets
        if config.at(target.resource.module) is None
    ]


def _check_types(
    targets: Iterable[ImportTarget], config: ConfigTree, schemas: Mapping[ProviderSource, ProviderSchema]
) -> list[Diagnostic]:
    """Report only the first target of an unknown type."""
    for target in targets:
        declared_in = config.at(target.resource.module)
        assert declared_in is not None
        source = declared_in.module.source_of(target.resource.resource)
        if target.resource.resource not in declared_in.module.resources and source not in schemas:
            return [
                error(
                    f"failed to read schema for {target.resource} in {source}: failed to instantiate provider "
                    f'"{source}" to obtain schema: unavailable provider "{source}"',
                    "",
                )
            ]
    return []


def missing_configuration(target: ImportTarget) -> Diagnostic:
    """Return the problem that planning reports for a target in the root module without a resource block."""
    return error(
        NO_CONFIGURATION,
        f"The configuration for the given import target {target.resource} does not exist. If you wish to automatically "
        "generate config for this resource, use the -generate-config-out option within terraform plan. Otherwise, make "
        "sure the target resource exists within your configuration. For example:\n\n  terraform plan "
        "-generate-config-out=generated.tf",
        target.block.to.range,
    )


def undeclared_imports(targets: Iterable[ImportTarget], config: ConfigTree) -> list[Diagnostic]:
    """Report the targets without the block of a managed resource, in a flavour that does so before anything is
    planned."""
    return [
        missing_instance(target.resource, target.block.range)
        for target in targets
        if target.resource.resource.mode is not ResourceMode.MANAGED or config.resource(target.resource) is None
    ]


def missing_instance(address: object, where: Range | None = None) -> Diagnostic:
    """Return the problem of an import to an address that the configuration does not declare."""
    detail = (
        f"The configuration for the given import {address} does not exist. All target instances must have an "
        "associated configuration to be imported."
    )
    return error(NO_CONFIGURATION, detail, where)
