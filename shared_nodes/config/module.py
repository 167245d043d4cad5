"""A module: what the files of one directory declare, by name."""

from __future__ import annotations

from dataclasses import field

from shared_nodes.addresses.expression_cache import ExpressionCache
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.resource import Resource
from shared_nodes.config.blocks import (
    BackendBlock,
    CheckBlock,
    ImportBlock,
    ModuleCallBlock,
    MovedBlock,
    OutputBlock,
    ProviderBlock,
    ProviderMeta,
    ProviderRequirement,
    RemovedBlock,
    ResourceBlock,
)
from shared_nodes.config.blocks.encryption import EncryptionSettings
from shared_nodes.config.blocks.variable import Variable
from shared_nodes.config.syntax.provider_names import implied_provider, implied_source
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.source import Range
from shared_nodes.record import record

__all__ = ["LocalDeclaration", "Module"]


@record
class LocalDeclaration:
    name: str
    expression: tree.Expression
    range: Range


@record(frozen=False)
class Module:
    """The declarations of one module. Built by `read_module` and not changed afterwards. `directory` is the path from
    the working directory, as `path.module` shows it. `flavour` is the product in whose language the files are read.
    `resources` includes data sources nested in checks."""

    directory: str = "."
    flavour: Flavour = TERRAFORM_1_11
    variables: dict[str, Variable] = field(default_factory=dict)
    locals: dict[str, LocalDeclaration] = field(default_factory=dict)
    outputs: dict[str, OutputBlock] = field(default_factory=dict)
    resources: dict[Resource, ResourceBlock] = field(default_factory=dict)
    module_calls: dict[str, ModuleCallBlock] = field(default_factory=dict)
    providers: dict[tuple[str, str | None], ProviderBlock] = field(default_factory=dict)
    required_providers: dict[str, ProviderRequirement] = field(default_factory=dict)
    provider_metas: dict[str, ProviderMeta] = field(default_factory=dict)
    checks: dict[str, CheckBlock] = field(default_factory=dict)
    moved: list[MovedBlock] = field(default_factory=list)
    imports: list[ImportBlock] = field(default_factory=list)
    removed: list[RemovedBlock] = field(default_factory=list)
    required_providers_range: Range | None = None
    backend: BackendBlock | None = None
    cloud: BackendBlock | None = None
    encryption: EncryptionSettings | None = None
    required_versions: list[tree.Attribute] = field(default_factory=list)
    block_problems: tuple[Diagnostic, ...] = ()
    """What was found in single blocks, and between variables, local values and settings: everything that is known
    before other declarations are brought together."""
    clashes: list[Diagnostic] = field(default_factory=list)
    """What was found when they were: declarations that contradict each other, or that override nothing."""
    expressions: ExpressionCache = field(init=False)
    _sources: dict[Resource, ProviderSource] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.expressions = ExpressionCache(self.flavour)

    def source_for(self, local_name: str) -> ProviderSource:
        """Return the provider that a local name denotes in this module."""
        requirement = self.required_providers.get(local_name)
        return implied_source(local_name, self.flavour) if requirement is None else requirement.source

    def local_name_of(self, resource: Resource) -> str:
        """Return this module's local name for the provider of a resource: the one its block names, else its type's
        prefix."""
        block = self.resources.get(resource)
        if block is not None and block.provider is not None:
            return block.provider.local_name
        return implied_provider(resource.type)

    def source_of(self, resource: Resource) -> ProviderSource:
        """Return the provider of a resource. Cached per resource, so it must not be called before the module is
        complete."""
        source = self._sources.get(resource)
        if source is None:
            source = self._sources[resource] = self.source_for(self.local_name_of(resource))
        return source
