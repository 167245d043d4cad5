"""A first configuration: a root, modules in it, and what they pass to each other."""

from __future__ import annotations

from typing import Final

from harness.fuzz.craft import Craft
from harness.fuzz.growing import Land, grow, new_keys
from harness.fuzz.model import Module, Node, Repeat, Repetition, Sort
from shared_nodes.values.types import STRING

__all__ = ["add_call", "add_something", "grow_configuration"]

_DEEPEST: Final = 2
_SORTS: Final = (
    (Sort.MANAGED, 40),
    (Sort.LOCAL, 14),
    (Sort.VARIABLE, 10),
    (Sort.DATA, 10),
    (Sort.OUTPUT, 12),
    (Sort.CALL, 14),
    (Sort.CHECK, 4),
    (Sort.EPHEMERAL, 4),
    (Sort.PROVIDER, 4),
)


def grow_configuration(craft: Craft, size: int, *, has_simcloud: bool = True) -> Module:
    """`size` is about how many nodes the root has; those in modules come on top."""
    root = Module("")
    land = Land(craft, root, has_simcloud)
    grow(land, Sort.MANAGED)
    for _ in range(craft.chooser.integer(max(1, size // 2), size)):
        add_something(land)
    grow(land, Sort.OUTPUT)
    return root


def add_something(land: Land) -> Node | None:
    sort = Sort(land.craft.pick([(str(sort), weight) for sort, weight in _SORTS]))
    if sort is Sort.CALL:
        return add_call(land) if land.depth < _DEEPEST else grow(land, Sort.MANAGED)
    return grow(land, sort)


def add_call(land: Land) -> Node:
    """Of a module made for it, or of one that is there already."""
    craft = land.craft
    known = [call.module for call in land.module.alive(Sort.CALL) if call.module is not None]
    again = known and craft.wants("module called twice", 30)
    module = craft.chooser.choice(known) if again else _new_module(land)
    call = Node(Sort.CALL, craft.name("m"), module=module)
    call.cloud_name = call.name
    if craft.wants("repeated module", 40):
        repetition = Repetition(craft.pick([(Repetition.COUNT, 1), (Repetition.SET, 1), (Repetition.MAP, 1)]))
        call.repeat = Repeat(repetition, new_keys(craft))
    if craft.wants("depends_on of a module", 15):
        call.depends_on = craft.chooser.some(land.module.alive(Sort.MANAGED, Sort.CALL), 2)
    _pass_providers(land, call)
    _pass_values(land, call)
    return land.add(call)


def _new_module(land: Land) -> Module:
    """Outputs come last, so that they can show anything."""
    craft = land.craft
    module = Module(craft.name("mod"))
    module.nodes.append(Node(Sort.VARIABLE, "prefix", value_type=STRING, is_static=False))
    inside = Land(craft, module, land.has_simcloud, land.depth + 1)
    if land.has_simcloud and not land.module.name and craft.wants("configuration_aliases", 15):
        module.aliases.append("inner")
    if land.has_simcloud and craft.wants("provider_meta", 8):
        module.meta_name = module.name
    for _ in range(craft.chooser.integer(0, 2)):
        grow(inside, Sort.VARIABLE)
    grow(inside, Sort.MANAGED)
    for _ in range(craft.chooser.integer(0, 3)):
        add_something(inside)
    if module.aliases:
        proxy = Node(Sort.PROVIDER, "inner", "simcloud")
        for node in module.alive(Sort.MANAGED):
            if node.type == "simcloud_updated":
                node.provider = proxy
    for _ in range(craft.chooser.integer(1, 2)):
        grow(inside, Sort.OUTPUT)
    return module


def _pass_providers(land: Land, call: Node) -> None:
    """Only modules the root calls want any."""
    assert call.module is not None
    for alias in call.module.aliases:
        found = [one for one in land.module.alive(Sort.PROVIDER) if one.name]
        if not found:
            found = [land.add(Node(Sort.PROVIDER, land.craft.name("p"), "simcloud"))]
        call.passed[alias] = land.craft.chooser.choice(found)


def _pass_values(land: Land, call: Node) -> None:
    """A variable without a value has its default."""
    assert call.module is not None
    for variable in call.module.alive(Sort.VARIABLE):
        if variable.value_type is not None and variable.name != "prefix" and land.craft.chooser.chance(70):
            call.arguments[variable.name] = land.expression(variable.value_type, may_be_ephemeral=variable.is_ephemeral)
