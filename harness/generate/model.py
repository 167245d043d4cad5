"""A configuration as the generator sees it: nodes that refer to each other as objects, not by name.

Since a reference is to a node, a renamed node keeps its references, and those to a node that is gone become a literal
of the same type: every edit leaves a configuration that is right again. Nodes of a module refer only to nodes before
them, so that there is no cycle unless somebody puts one there on purpose.

A model is changed in place; each version of a configuration is printed before the next edit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

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


@dataclass(slots=True, eq=False)
class ModelReference:
    """`path` goes on from one instance of the target: ".value". `style` chooses between the ways to name instances of
    a repeated target; which there are depends on how it is repeated when it is printed."""

    target: ModelBlock
    path: str
    type: Type
    style: int = 0
    output: ModelBlock | None = None
    """Of a module call, whose `path` is then that of the output's value."""


@dataclass(frozen=True, slots=True)
class OwnKey:
    """The key or index of the instance an expression is evaluated for; a fixed text where there is but one. Or what is
    found under the key, where that is a text."""

    is_value: bool = False


OWN_KEY: Final = OwnKey()
OWN_VALUE: Final = OwnKey(is_value=True)


@dataclass(slots=True, eq=False)
class ModelExpression:
    parts: tuple[str | ModelReference | OwnKey, ...]
    is_sensitive: bool = False
    """By itself, whatever it refers to."""

    @property
    def references(self) -> list[ModelReference]:
        return [part for part in self.parts if isinstance(part, ModelReference)]


@dataclass(slots=True, eq=False)
class NestedBlock:
    """A nested block; `each` makes it dynamic."""

    name: str
    arguments: dict[str, ModelExpression]
    label: str = ""
    nested_blocks: list[NestedBlock] = field(default_factory=list)
    each: tuple[str, ...] | None = None
    over: ModelExpression | None = None
    """What it goes over in the place of these keys; it may be unknown."""


@dataclass(slots=True, eq=False)
class Repeat:
    repetition: RepetitionKind
    keys: list[str]
    """Of a count only their number matters."""

    source: ModelBlock | None = None
    """What a chain goes over, or the local or variable that holds the keys."""

    @property
    def current_keys(self) -> list[str]:
        """Those of the source, as long as there is one."""
        source = self.source
        if source is None or not source.is_alive:
            return self.keys
        return source.keys if source.repeat is None else source.repeat.current_keys


@dataclass(slots=True, eq=False)
class ModelCondition:
    name: str
    """precondition, postcondition, assert or validation."""

    condition: ModelExpression
    message: ModelExpression


@dataclass(slots=True, eq=False)
class ModelProvisioner:
    command: ModelExpression
    at_destroy: bool
    continues: bool
    host: ModelExpression | None = None
    """Of a connection of its own."""


@dataclass(slots=True, eq=False)
class ModelBlock:
    kind: BlockKind
    name: str
    type: str = ""
    """Of a resource."""

    cloud_name: str = ""
    """What the simulated cloud knows the object by. It stays when a moved block renames the resource."""

    value_type: Type | None = None
    keys: list[str] = field(default_factory=list)
    """Of a local or variable that others are repeated by."""

    arguments: dict[str, ModelExpression] = field(default_factory=dict)
    nested_blocks: list[NestedBlock] = field(default_factory=list)
    repeat: Repeat | None = None
    depends_on: list[ModelBlock] = field(default_factory=list)
    lifecycle: dict[str, str] = field(default_factory=dict)
    triggers: list[ModelReference] = field(default_factory=list)
    conditions: list[ModelCondition] = field(default_factory=list)
    provisioners: list[ModelProvisioner] = field(default_factory=list)
    host: ModelExpression | None = None
    """Of the connection that provisioners have which say nothing else."""

    provider: ModelBlock | None = None
    module: ModelModule | None = None
    """Of a call."""

    passed: dict[str, ModelBlock] = field(default_factory=dict)
    """Provider configurations a call passes on, by the name they have inside."""

    nested_data: ModelBlock | None = None
    """Of a check."""

    is_sensitive: bool = False
    is_ephemeral: bool = False
    is_static: bool = False
    """Known before anything is planned: fit for keys."""

    is_alive: bool = True

    @property
    def expressions(self) -> list[ModelExpression]:
        """All but conditions and provisioners: what the value of the node is made of."""
        found, nested_blocks = list(self.arguments.values()), list(self.nested_blocks)
        while nested_blocks:
            nest = nested_blocks.pop()
            found.extend(nest.arguments.values())
            found.extend([] if nest.over is None else [nest.over])
            nested_blocks.extend(nest.nested_blocks)
        return found


@dataclass(slots=True, eq=False)
class ModelModule:
    name: str
    """Of its directory; empty for the root."""

    blocks: list[ModelBlock] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    """moved, import and removed blocks as text: they speak of addresses of one version only."""

    extra: list[str] = field(default_factory=list)
    """Text that stays until it is taken away: what a deliberate mistake consists of."""

    keeps_names: bool = False
    """Its objects are called in the cloud as they were before they came here."""

    meta_name: str = ""
    aliases: list[str] = field(default_factory=list)
    """Provider configurations that callers must pass."""

    is_proxy: bool = False
    """They are declared by empty blocks, as they were before there was a way to declare them."""

    @property
    def configures_providers(self) -> bool:
        """Itself, or a module in it. Such a module can neither be repeated nor wait for anything."""
        return any(module.live_blocks(BlockKind.PROVIDER) for module in self.all_modules)

    def live_blocks(self, *kinds: BlockKind) -> list[ModelBlock]:
        return [block for block in self.blocks if block.is_alive and (not kinds or block.kind in kinds)]

    @property
    def all_modules(self) -> list[ModelModule]:
        """This module and those below it, each once, callers first."""
        found: list[ModelModule] = [self]
        for module in found:
            for call in module.live_blocks(BlockKind.CALL):
                if call.module is not None and call.module not in found:
                    found.append(call.module)
        return found
