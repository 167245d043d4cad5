"""A configuration as the generator sees it: blocks that refer to each other as objects, not by name.

Because a reference points to a block, renaming a block keeps its references valid, and a reference to a removed block
is printed as a literal of the same type: every edit leaves a valid configuration. Blocks of a module refer only to
blocks before them, so a cycle exists only where one is created on purpose.

A model is changed in place. Each version of a configuration is printed before the next edit.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Final

from shared_nodes.record import record
from shared_nodes.values.types import Type

__all__ = [
    "OWN_KEY",
    "OWN_VALUE",
    "BlockKind",
    "ModelBlock",
    "ModelCondition",
    "ModelExpression",
    "ModelModule",
    "ModelProvisioner",
    "ModelReference",
    "NestedBlock",
    "OwnKey",
    "Repeat",
    "RepetitionKind",
]


class BlockKind(StrEnum):
    VARIABLE = "variable"
    LOCAL = "local"
    PROVIDER = "provider"
    MANAGED = "resource"
    DATA = "data"
    EPHEMERAL = "ephemeral"
    CALL = "module"
    OUTPUT = "output"
    CHECK = "check"


class RepetitionKind(StrEnum):
    COUNT = "count"
    SET = "for_each over a set"
    MAP = "for_each over a map"
    CHAIN = "for_each over a resource"


@record(frozen=False, eq=False)
class ModelReference:
    """A reference to an attribute of a block. `path` continues from one instance of the target, for example ".value".
    `style` selects how an instance of a repeated target is named; the possible forms depend on how the target is
    repeated when the reference is printed."""

    target: ModelBlock
    path: str
    type: Type
    style: int = 0
    output: ModelBlock | None = None
    """The output of a module call that is referred to. `path` then continues from the output's value."""

    is_bare: bool = False
    """Whether no guard is printed around the reference if its target may be disabled, and so be null."""


@record
class OwnKey:
    """The key or index of the instance for which an expression is evaluated, or a fixed text if the block is not
    repeated. With `is_value`, the value under that key where it is a string."""

    is_value: bool = False


OWN_KEY: Final = OwnKey()
OWN_VALUE: Final = OwnKey(is_value=True)


@record(frozen=False, eq=False)
class ModelExpression:
    parts: tuple[str | ModelReference | OwnKey, ...]
    is_sensitive: bool = False
    """Whether the expression is sensitive by itself, regardless of what it refers to."""

    @property
    def references(self) -> list[ModelReference]:
        return [part for part in self.parts if isinstance(part, ModelReference)]


@record(frozen=False, eq=False)
class NestedBlock:
    """A nested block. `each` holds the keys of a dynamic block."""

    name: str
    arguments: dict[str, ModelExpression]
    label: str = ""
    nested_blocks: list[NestedBlock] = field(default_factory=list)
    each: tuple[str, ...] | None = None
    over: ModelExpression | None = None
    """The value a dynamic block iterates over instead of the fixed keys. It may be unknown."""


@record(frozen=False, eq=False)
class Repeat:
    repetition: RepetitionKind
    keys: list[str]
    """The instance keys. For `count` only their number matters."""

    source: ModelBlock | None = None
    """The resource a chained `for_each` iterates over, or the local or variable that holds the keys."""

    @property
    def current_keys(self) -> list[str]:
        """The current keys of the source, as long as the source exists."""
        source = self.source
        if source is None or not source.is_alive:
            return self.keys
        return source.keys if source.repeat is None else source.repeat.current_keys


@record(frozen=False, eq=False)
class ModelCondition:
    name: str
    """precondition, postcondition, assert or validation."""

    condition: ModelExpression
    message: ModelExpression


@record(frozen=False, eq=False)
class ModelProvisioner:
    command: ModelExpression
    at_destroy: bool
    continues: bool
    host: ModelExpression | None = None
    """The host of the provisioner's own connection block."""


@record(frozen=False, eq=False)
class ModelBlock:
    kind: BlockKind
    name: str
    type: str = ""
    """The type of a resource, or the name of a provider."""

    cloud_name: str = ""
    """The name under which the simulated cloud knows the object. It stays the same when a moved block renames the
    resource."""

    value_type: Type | None = None
    keys: list[str] = field(default_factory=list)
    """Keys held by a local or variable, by which other blocks are repeated."""

    arguments: dict[str, ModelExpression] = field(default_factory=dict)
    nested_blocks: list[NestedBlock] = field(default_factory=list)
    repeat: Repeat | None = None
    depends_on: list[ModelBlock] = field(default_factory=list)
    lifecycle: dict[str, str] = field(default_factory=dict)
    """Constant lifecycle arguments of a resource, and such arguments of a variable or output that are not values."""

    settings: dict[str, ModelExpression] = field(default_factory=dict)
    """Lifecycle arguments that are expressions: `enabled` and `prevent_destroy`."""

    triggers: list[ModelReference] = field(default_factory=list)
    conditions: list[ModelCondition] = field(default_factory=list)
    provisioners: list[ModelProvisioner] = field(default_factory=list)
    host: ModelExpression | None = None
    """The host of the connection block shared by all provisioners that have no connection of their own."""

    provider: ModelBlock | None = None
    """The provider configuration of a resource, or the builtin provider's configuration that a call passes."""

    provider_style: int = 0
    """Selects how an instance of a repeated provider configuration is named, as `ModelReference.style` does."""

    module: ModelModule | None = None
    """The called module."""

    source: ModelBlock | None = None
    """The local or variable that holds the path of the called module."""

    passed: dict[str, ModelBlock] = field(default_factory=dict)
    """Provider configurations that a call passes to its module, by the name they have inside it."""

    nested_data: ModelBlock | None = None
    """The data source inside a check block."""

    is_sensitive: bool = False
    is_ephemeral: bool = False
    is_static: bool = False
    """Whether the value is known before planning, so that it can be used for instance keys."""

    is_fixed: bool = False
    """Whether edits and steps leave the value alone, because the configuration cannot be loaded with another one."""

    must_exist: bool = False
    """Whether the block is never disabled, because it may have deposed objects in the state. As long as there are some,
    a disabled resource is unknown and not null, and when they are gone depends on the schedule."""

    is_alive: bool = True

    @property
    def may_be_disabled(self) -> bool:
        """Whether the block has the argument `enabled`. It is left out while the block is repeated."""
        return self.repeat is None and "enabled" in self.settings

    @property
    def expressions(self) -> list[ModelExpression]:
        """All expressions but those of conditions and provisioners: the value of the block, and whether it exists, are
        made of them."""
        found, nested_blocks = [*self.arguments.values(), *self.settings.values()], list(self.nested_blocks)
        while nested_blocks:
            nested = nested_blocks.pop()
            found.extend(nested.arguments.values())
            found.extend([] if nested.over is None else [nested.over])
            nested_blocks.extend(nested.nested_blocks)
        return found


@record(frozen=False, eq=False)
class ModelModule:
    name: str
    """The name of the module's directory; empty for the root."""

    blocks: list[ModelBlock] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    """moved, import and removed blocks as text, because they contain addresses of one version only."""

    extra: list[str] = field(default_factory=list)
    """Text added by a deliberate mistake. It is removed before the next version."""

    keeps_names: bool = False
    """Whether objects keep the names in the cloud that they had before they were moved into this module."""

    meta_name: str = ""
    aliases: list[str] = field(default_factory=list)
    """Provider configurations that callers must pass."""

    needs_builtin: bool = False
    """Whether the builtin provider is among the required ones, because callers pass a configuration of it."""

    is_proxy: bool = False
    """Whether `aliases` are declared by empty provider blocks, the style that predates configuration_aliases."""

    @property
    def configures_providers(self) -> bool:
        """Whether this module or a module below it has provider blocks. Such a module can be neither repeated nor have
        depends_on."""
        return any(module.live_blocks(BlockKind.PROVIDER) for module in self.all_modules)

    def live_blocks(self, *kinds: BlockKind) -> list[ModelBlock]:
        return [block for block in self.blocks if block.is_alive and (not kinds or block.kind in kinds)]

    def blocks_before(self, block: ModelBlock) -> list[ModelBlock]:
        """Return the blocks before the given one, or all of them if it is yet to be added."""
        return self.blocks[: self.blocks.index(block)] if block in self.blocks else list(self.blocks)

    @property
    def all_modules(self) -> list[ModelModule]:
        """This module and all modules below it, each once, callers first."""
        found: list[ModelModule] = [self]
        for module in found:
            for call in module.live_blocks(BlockKind.CALL):
                if call.module is not None and call.module not in found:
                    found.append(call.module)
        return found
