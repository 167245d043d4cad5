"""The decoded blocks of a configuration: everything that can be known without values.

Expressions stay unevaluated. Meta-arguments are removed from the bodies that contained them, so a resource's `body`
holds only what its provider defines, and a module call's `body` only the module's input variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Literal

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.resource import Resource
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Attribute, Body, Expression, Traversal
from shared_nodes.record import record

__all__ = [
    "BackendBlock",
    "CheckBlock",
    "Condition",
    "ImportBlock",
    "Lifecycle",
    "ModuleCallBlock",
    "MovedBlock",
    "OutputBlock",
    "PassedProvider",
    "ProviderBlock",
    "ProviderMeta",
    "ProviderReference",
    "ProviderRequirement",
    "ProvisionerBlock",
    "ProvisionerWhen",
    "RemovedBlock",
    "ResourceBlock",
]


@record
class Condition:
    """A rule: a `validation`, `precondition`, `postcondition` or `assert` block. `range` is the block's header."""

    condition: Expression
    error_message: Expression
    range: Range


@record
class Lifecycle:
    """A `lifecycle` block. Flags are None if not set, so that an override leaves them as they are."""

    create_before_destroy: bool | None = None
    enabled: Attribute | None = None
    prevent_destroy: Expression | None = None
    destroy: Expression | None = None
    """Must be a constant, which is checked when it is needed. False keeps objects: they are only forgotten."""
    ignore_all_changes: bool = False
    ignore_changes: tuple[Traversal, ...] = ()
    """Relative to the resource: the root is the name of the first attribute."""
    replace_triggered_by: tuple[Expression, ...] = ()
    preconditions: tuple[Condition, ...] = ()
    postconditions: tuple[Condition, ...] = ()
    range: Range | None = None

    @property
    def has_conditions(self) -> bool:
        return bool(self.preconditions or self.postconditions)


class ProvisionerWhen(StrEnum):
    CREATE = "create"
    DESTROY = "destroy"


@record
class ProvisionerBlock:
    type: str
    body: Body
    when: ProvisionerWhen
    continue_on_failure: bool
    connection: Body | None
    range: Range


@record
class ProviderReference:
    """`provider = local_name.alias[instance_key]`."""

    local_name: str
    alias: str | None
    range: Range
    name_range: Range | None = None
    """The range of the local name alone."""
    instance_key: Expression | None = None

    @property
    def key(self) -> tuple[str, str | None]:
        return self.local_name, self.alias

    def __str__(self) -> str:
        return f"{self.local_name}.{self.alias}" if self.alias else self.local_name


@record
class PassedProvider:
    """One entry of a module call's `providers`: the name in the child module and the name in the parent."""

    in_child: ProviderReference
    in_parent: ProviderReference


@record
class ProviderRequirement:
    local_name: str
    source: ProviderSource
    constraints: str = ""
    configuration_aliases: tuple[ProviderReference, ...] = ()
    range: Range | None = None
    """The whole argument, from name to value."""
    value_range: Range | None = None


@record
class ResourceBlock:
    """A `resource`, `data` or `ephemeral` block. `range` is the header, `type_range` the first label."""

    resource: Resource
    body: Body
    range: Range
    type_range: Range
    count: Expression | None = None
    for_each: Expression | None = None
    depends_on: tuple[Traversal, ...] = ()
    provider: ProviderReference | None = None
    lifecycle: Lifecycle = field(default_factory=Lifecycle)
    provisioners: tuple[ProvisionerBlock, ...] = ()
    connection: Body | None = None
    check: str | None = None
    """The name of the check block that contains it."""

    @property
    def enabled(self) -> Expression | None:
        """The argument that decides whether there is an instance, which then has no key."""
        return None if self.lifecycle.enabled is None else self.lifecycle.enabled.expression

    @property
    def repetition(self) -> Literal["count", "for_each"] | None:
        if self.count is not None:
            return "count"
        return "for_each" if self.for_each is not None else None


@record
class ModuleCallBlock:
    name: str
    source: str
    source_range: Range
    body: Body
    range: Range
    count: Expression | None = None
    for_each: Expression | None = None
    enabled: Expression | None = None
    depends_on: tuple[Traversal, ...] = ()
    version: str = ""
    """The version constraint as written, for modules from a registry."""
    passed_providers: tuple[PassedProvider, ...] | None = None
    """None if there is no `providers` argument; the child then inherits all default configurations."""
    source_argument: Attribute | None = None
    version_argument: Attribute | None = None

    @property
    def providers(self) -> Mapping[tuple[str, str | None], ProviderReference]:
        """Map each name in the child (local name, alias) to the provider configuration of the parent."""
        return {passed.in_child.key: passed.in_parent for passed in self.passed_providers or ()}

    @property
    def repetition(self) -> Literal["count", "for_each"] | None:
        if self.count is not None:
            return "count"
        return "for_each" if self.for_each is not None else None


@record
class ProviderBlock:
    name: str
    alias: str | None
    body: Body
    range: Range
    version: str = ""
    """The version constraint as written. Deprecated in favour of `required_providers`."""
    name_range: Range | None = None
    for_each: Expression | None = None

    @property
    def key(self) -> tuple[str, str | None]:
        return self.name, self.alias

    @property
    def has_content(self) -> bool:
        """Whether it says anything besides which instances there are. Old modules use empty blocks to declare that they
        expect a configuration."""
        return bool(self.body.attributes or self.body.blocks or self.version)


@record
class ProviderMeta:
    """A `provider_meta` block: information about a module for a provider."""

    provider: str
    body: Body
    range: Range
    provider_range: Range


@record
class BackendBlock:
    """Where the state is stored. A `cloud` block has the type `cloud`."""

    type: str
    body: Body
    range: Range
    type_range: Range


@record
class OutputBlock:
    name: str
    expression: Expression
    range: Range
    sensitive: bool = False
    ephemeral: bool = False
    deprecated: str = ""
    """What to use instead; empty if the output is not deprecated."""
    description: str = ""
    depends_on: tuple[Traversal, ...] = ()
    preconditions: tuple[Condition, ...] = ()


@record
class CheckBlock:
    name: str
    asserts: tuple[Condition, ...]
    data: ResourceBlock | None
    range: Range


@record
class MovedBlock:
    """The endpoints are as written; `nodes/statements/moved.py` resolves them in the module that contains the block."""

    source: Traversal
    target: Traversal
    range: Range


@record
class ImportBlock:
    """An `import` block. `to` may contain computed keys, so it is an expression. What to import is given by
    `identifier` or by `identity`."""

    to: Expression
    identifier: Expression | None
    identity: Expression | None
    for_each: Expression | None
    provider: ProviderReference | None
    range: Range
    provider_range: Range | None = None
    """The whole `provider` argument."""


@record
class RemovedBlock:
    """A `removed` block. `destroy` is None if there is no lifecycle block; flavours differ in what that means."""

    source: Traversal
    destroy: bool | None
    provisioners: tuple[ProvisionerBlock, ...]
    connection: Body | None
    range: Range
