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
    "Condition",
    "Expression",
    "Module",
    "Nest",
    "Node",
    "OwnKey",
    "Provisioner",
    "Reference",
    "Repeat",
    "Repetition",
    "Sort",
]


class Sort(StrEnum):
    VARIABLE = "variable"
    LOCAL = "local"
    PROVIDER = "provider"
    MANAGED = "resource"
    DATA = "data"
    EPHEMERAL = "ephemeral"
    CALL = "module"
    OUTPUT = "output"
    CHECK = "check"


class Repetition(StrEnum):
    COUNT = "count"
    SET = "for_each over a set"
    MAP = "for_each over a map"
    CHAIN = "for_each over a resource"


@dataclass(slots=True, eq=False)
class Reference:
    """`path` goes on from one instance of the target: ".value". `style` chooses between the ways to name instances of
    a repeated target; which there are depends on how it is repeated when it is printed."""

    target: Node
    path: str
    type: Type
    style: int = 0
    output: Node | None = None
    """Of a module call, whose `path` is then that of the output's value."""


@dataclass(frozen=True, slots=True)
class OwnKey:
    """The key or index of the instance an expression is evaluated for; a fixed text where there is but one. Or what is
    found under the key, where that is a text."""

    is_value: bool = False


OWN_KEY: Final = OwnKey()
OWN_VALUE: Final = OwnKey(is_value=True)


@dataclass(slots=True, eq=False)
class Expression:
    parts: tuple[str | Reference | OwnKey, ...]
    is_sensitive: bool = False
    """By itself, whatever it refers to."""

    @property
    def references(self) -> list[Reference]:
        return [part for part in self.parts if isinstance(part, Reference)]


@dataclass(slots=True, eq=False)
class Nest:
    """A nested block; `each` makes it dynamic."""

    name: str
    arguments: dict[str, Expression]
    label: str = ""
    nests: list[Nest] = field(default_factory=list)
    each: tuple[str, ...] | None = None
    over: Expression | None = None
    """What it goes over in the place of these keys; it may be unknown."""


@dataclass(slots=True, eq=False)
class Repeat:
    repetition: Repetition
    keys: list[str]
    """Of a count only their number matters."""

    source: Node | None = None
    """What a chain goes over, or the local or variable that holds the keys."""

    @property
    def current_keys(self) -> list[str]:
        """Those of the source, as long as there is one."""
        source = self.source
        if source is None or not source.is_alive:
            return self.keys
        return source.keys if source.repeat is None else source.repeat.current_keys


@dataclass(slots=True, eq=False)
class Condition:
    name: str
    """precondition, postcondition, assert or validation."""

    condition: Expression
    message: Expression


@dataclass(slots=True, eq=False)
class Provisioner:
    command: Expression
    at_destroy: bool
    continues: bool
    host: Expression | None = None
    """Of a connection of its own."""


@dataclass(slots=True, eq=False)
class Node:
    sort: Sort
    name: str
    type: str = ""
    """Of a resource."""

    cloud_name: str = ""
    """What the simulated cloud knows the object by. It stays when a moved block renames the resource."""

    value_type: Type | None = None
    keys: list[str] = field(default_factory=list)
    """Of a local or variable that others are repeated by."""

    arguments: dict[str, Expression] = field(default_factory=dict)
    nests: list[Nest] = field(default_factory=list)
    repeat: Repeat | None = None
    depends_on: list[Node] = field(default_factory=list)
    lifecycle: dict[str, str] = field(default_factory=dict)
    triggers: list[Reference] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    provisioners: list[Provisioner] = field(default_factory=list)
    host: Expression | None = None
    """Of the connection that provisioners have which say nothing else."""

    provider: Node | None = None
    module: Module | None = None
    """Of a call."""

    passed: dict[str, Node] = field(default_factory=dict)
    """Provider configurations a call passes on, by the name they have inside."""

    nested_data: Node | None = None
    """Of a check."""

    is_sensitive: bool = False
    is_ephemeral: bool = False
    is_static: bool = False
    """Known before anything is planned: fit for keys."""

    is_alive: bool = True

    @property
    def expressions(self) -> list[Expression]:
        """All but conditions and provisioners: what the value of the node is made of."""
        found, nests = list(self.arguments.values()), list(self.nests)
        while nests:
            nest = nests.pop()
            found.extend(nest.arguments.values())
            found.extend([] if nest.over is None else [nest.over])
            nests.extend(nest.nests)
        return found


@dataclass(slots=True, eq=False)
class Module:
    name: str
    """Of its directory; empty for the root."""

    nodes: list[Node] = field(default_factory=list)
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
        return any(module.alive(Sort.PROVIDER) for module in self.tree)

    def alive(self, *sorts: Sort) -> list[Node]:
        return [node for node in self.nodes if node.is_alive and (not sorts or node.sort in sorts)]

    @property
    def tree(self) -> list[Module]:
        """This module and those below it, each once, callers first."""
        found: list[Module] = [self]
        for module in found:
            for call in module.alive(Sort.CALL):
                if call.module is not None and call.module not in found:
                    found.append(call.module)
        return found
