"""Edits: how one version of a configuration becomes the next.

Each changes the model in place and may leave statements (moved, removed, import) that belong to the new version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from harness.fuzz.configuration import add_something
from harness.fuzz.craft import Craft
from harness.fuzz.expressions import make_expression
from harness.fuzz.growing import KEYS, SIMPLE_ARGUMENTS, Land, fill_arguments, new_keys, new_resource
from harness.fuzz.model import Expression, Module, Node, Reference, Repeat, Repetition, Sort
from harness.fuzz.printing import address, instance_addresses, quoted
from shared_nodes.values.types import STRING

__all__ = ["EDITS", "IMPORTABLE", "edit", "moved", "rename_with_moved", "split_into_module"]

IMPORTABLE: Final = ({"type": "simcloud_updated", "name": "found-a"}, {"type": "simcloud_replaced", "name": "found-b"})
"""What lives in the cloud before every story, for import blocks to find."""

_MOVABLE: Final = (Sort.MANAGED, Sort.CALL)


def edit(craft: Craft, root: Module, *, has_simcloud: bool = True) -> None:
    """One edit somewhere. Where the one chosen finds nothing to do, nothing happens."""
    module = craft.chooser.choice(root.tree)
    land = Land(craft, module, has_simcloud, 0 if module is root else 1)
    EDITS[craft.pick([(name, weight) for name, (_, weight) in _EDITS.items()])](land)


def moved(source: str, target: str) -> str:
    return f"moved {{\n  from = {source}\n  to   = {target}\n}}\n"


def _node(land: Land, *sorts: Sort) -> Node | None:
    found = [node for node in land.module.alive(*sorts) if node.name != "prefix"]
    return land.craft.chooser.choice(found) if found else None


def _add(land: Land) -> None:
    add_something(land)


def _remove(land: Land) -> None:
    node = _node(land, Sort.MANAGED, Sort.CALL, Sort.DATA, Sort.OUTPUT, Sort.LOCAL, Sort.CHECK)
    if node is None or len(land.module.alive(Sort.MANAGED)) < 2 or _has_children(land.module, node):
        return
    node.is_alive = False
    if node.sort in _MOVABLE and land.craft.wants("removed block", 35):
        destroy = land.craft.chooser.choice(("false", "true"))
        land.module.statements.append(
            f"removed {{\n  from = {address(node)}\n  lifecycle {{\n    destroy = {destroy}\n  }}\n}}\n"
        )


def _has_children(module: Module, node: Node) -> bool:
    given = (other.arguments.get("parent") for other in module.alive(Sort.MANAGED))
    return any(one.target is node for parent in given if parent is not None for one in parent.references)


def rename_with_moved(land: Land) -> Node | None:
    node = _node(land, *_MOVABLE)
    if node is not None:
        before = address(node)
        node.name = land.craft.name("n")
        land.module.statements.append(moved(before, address(node)))
    return node


def _rename(land: Land) -> None:
    node = _node(land, *_MOVABLE)
    if node is not None:
        node.name = node.cloud_name = land.craft.name("n")


def _rename_with_moved(land: Land) -> None:
    rename_with_moved(land)


def _change_argument(land: Land) -> None:
    """Of a node, made of what stands before it."""
    node = _node(land, Sort.MANAGED, Sort.DATA, Sort.LOCAL, Sort.OUTPUT, Sort.CALL)
    if node is None:
        return
    before = Land(land.craft, Module(land.module.name, _before(land.module, node)), land.has_simcloud, land.depth)
    if node.sort in (Sort.MANAGED, Sort.DATA):
        _refill(before, node)
    elif node.sort is Sort.CALL:
        for name in land.craft.chooser.some(sorted(node.arguments), 1):
            _revalue(before, node, name)
    elif "value" in node.arguments:
        _revalue(before, node, "value")


def _touch(land: Land) -> None:
    """Another value for one argument of a resource: it is updated or replaced, and so may be what depends on it."""
    found = [
        (node, name)
        for node in land.module.alive(Sort.MANAGED)
        for name in (*SIMPLE_ARGUMENTS, "triggers_replace")
        if name in node.arguments and node.value_type in (None, STRING) and not node.arguments[name].references
    ]
    for node, name in land.craft.chooser.some(found, 2):
        node.arguments[name] = Expression((quoted(land.craft.name("changed-")),))


def _before(module: Module, node: Node) -> list[Node]:
    return module.nodes[: module.nodes.index(node)]


def _refill(before: Land, node: Node) -> None:
    """One argument only, as people do; sometimes all."""
    fresh = Node(node.sort, node.name, node.type)
    fill_arguments(before, fresh)
    if node.type in ("terraform_data", "simcloud_dynamic") or not node.arguments:
        node.arguments, node.nests, node.value_type = fresh.arguments, fresh.nests, fresh.value_type
        return
    for name in before.craft.chooser.some(sorted({*node.arguments, *fresh.arguments} - {"parent"}), 2):
        if name in fresh.arguments:
            node.arguments[name] = fresh.arguments[name]
        else:
            del node.arguments[name]
    if fresh.nests or node.nests:
        node.nests = fresh.nests


def _revalue(before: Land, node: Node, name: str) -> None:
    wanted = node.value_type
    if node.sort is Sort.CALL:
        assert node.module is not None
        wanted = next((one.value_type for one in node.module.alive(Sort.VARIABLE) if one.name == name), None)
    if wanted is not None:
        wish = before.wish(is_static=node.is_static, may_be_ephemeral=node.is_ephemeral)
        node.arguments[name] = make_expression(before.craft, wanted, wish)


def _change_keys(land: Land) -> None:
    repeated = [node for node in land.module.alive() if node.repeat is not None]
    if not repeated:
        return
    repeat = land.craft.chooser.choice(repeated).repeat
    assert repeat is not None
    while repeat.source is not None and repeat.source.is_alive and repeat.source.repeat is not None:
        repeat = repeat.source.repeat
    source = repeat.source
    if source is not None and source.is_alive:
        source.keys = new_keys(land.craft)
    else:
        repeat.keys = new_keys(land.craft)


def _change_repetition(land: Land) -> None:
    """From one object to many, or back, or from numbers to keys: with and without a moved block."""
    node = _node(land, *_MOVABLE)
    if node is None:
        return
    before = instance_addresses(node)
    options: list[Repeat | None] = [Repeat(Repetition.COUNT, ["a", "b"]), Repeat(Repetition.SET, list(KEYS[:2]))]
    node.repeat = land.craft.chooser.choice(options if node.repeat is None else [None, *options])
    after = instance_addresses(node)
    if before and after and before[0] != after[0] and land.craft.wants("moved to another key", 50):
        land.module.statements.append(moved(before[0], after[0]))


def _flip_lifecycle(land: Land) -> None:
    node = _node(land, Sort.MANAGED)
    if node is None:
        return
    name, value = land.craft.chooser.choice(
        (("create_before_destroy", "true"), ("prevent_destroy", "true"), ("ignore_changes", "all"))
    )
    if node.lifecycle.pop(name, None) is None:
        node.lifecycle[name] = value
        land.craft.used.add(name)


def _reverse_dependency(land: Land) -> None:
    """What referred to another is referred to by it from now on."""
    pairs = [
        (node, name, one)
        for node in land.module.alive(Sort.MANAGED)
        for name, value in node.arguments.items()
        for one in value.references
        if one.target.sort is Sort.MANAGED and one.target.is_alive and name != "parent"
    ]
    if not pairs:
        return
    node, name, reference = land.craft.chooser.choice(pairs)
    other = reference.target
    node.arguments[name] = Expression((quoted("reversed"),))
    node.depends_on = [one for one in node.depends_on if one is not other]
    back = "input" if other.type in ("terraform_data", "simcloud_dynamic") else "value"
    if back in other.arguments:
        other.arguments[back] = Expression((Reference(node, ".id", STRING, 0),))
        other.value_type = STRING if back == "input" else other.value_type
    nodes = land.module.nodes
    first, second = nodes.index(other), nodes.index(node)
    nodes[first], nodes[second] = nodes[second], nodes[first]


def _change_dependencies(land: Land) -> None:
    node = _node(land, Sort.MANAGED, Sort.DATA, Sort.CALL, Sort.OUTPUT)
    if node is None:
        return
    known = [one for one in _before(land.module, node) if one.is_alive and one.sort in (Sort.MANAGED, Sort.CALL)]
    node.depends_on = [] if node.depends_on else land.craft.chooser.some(known, 2)


def _toggle_sensitivity(land: Land) -> None:
    node = _node(land, Sort.VARIABLE)
    if node is not None and not node.is_ephemeral and not node.is_static:
        node.is_sensitive = not node.is_sensitive


def _import(land: Land) -> None:
    """Something that lives in the cloud already, or, for terraform_data, any id at all."""
    if land.module.name:
        return
    thing = land.craft.chooser.choice(IMPORTABLE) if land.has_simcloud else {"type": "terraform_data", "name": "x"}
    node = new_resource(land, Sort.MANAGED, thing["type"])
    if node is None:
        return
    node.repeat, node.provider, node.lifecycle, node.provisioners = None, None, {}, []
    node.cloud_name = thing["name"]
    repeats = land.craft.wants("import with for_each", 25)
    if repeats:
        node.repeat, node.cloud_name = Repeat(Repetition.SET, ["a"]), thing["name"].removesuffix("-a")
    where = f"{address(node)}[each.key]" if repeats else address(node)
    each = '  for_each = toset(["a"])\n' if repeats else ""
    land.module.statements.append(f'import {{\n{each}  to = {where}\n  id = "{thing["name"]}-1"\n}}\n')


def split_into_module(land: Land) -> Node | None:
    """A resource that refers to nothing moves into a module of its own, with a moved block; who referred to it refers
    to an output of the module. Its name in the cloud stays."""
    movable = [
        node
        for node in land.module.alive(Sort.MANAGED)
        if node.repeat is None
        and node.provider is None
        and not node.depends_on
        and not node.triggers
        and not node.conditions
        and not node.type.endswith("meta")
        and all(not one.references for one in node.expressions)
        and not _is_depended_on(land.module, node)
    ]
    if not movable or land.module.name:
        return None
    node = land.craft.chooser.choice(movable)
    inner = Module(land.craft.name("mod"), keeps_names=True)
    call = Node(Sort.CALL, land.craft.name("m"), module=inner, cloud_name="")
    inner.nodes.append(Node(Sort.VARIABLE, "prefix", value_type=STRING))
    inner.nodes.append(node)
    for reference in _references_to(land.module, node):
        output = Node(Sort.OUTPUT, land.craft.name("o"), value_type=reference.type, is_sensitive=node.is_sensitive)
        output.arguments["value"] = Expression((Reference(node, reference.path, reference.type),))
        inner.nodes.append(output)
        reference.target, reference.path, reference.output = call, "", output
    land.module.nodes[land.module.nodes.index(node)] = call
    land.module.statements.append(moved(address(node), f"module.{call.name}.{address(node)}"))
    return call


def _is_depended_on(module: Module, node: Node) -> bool:
    named = [one for other in module.alive() for one in (*other.depends_on, *(each.target for each in other.triggers))]
    chained = [other.repeat.source for other in module.alive() if other.repeat is not None]
    return node in named or node in chained


def _references_to(module: Module, node: Node) -> list[Reference]:
    found: list[Reference] = []
    for other in module.alive():
        expressions = [*other.expressions, *(one.condition for one in other.conditions)]
        expressions += [one.message for one in other.conditions]
        if other.nested_data is not None:
            expressions += other.nested_data.expressions
        found += [one for expression in expressions for one in expression.references if one.target is node]
    return found


def _split(land: Land) -> None:
    split_into_module(land)


def _change_type(land: Land) -> None:
    """One type takes over objects of another."""
    found = [node for node in land.module.alive(Sort.MANAGED) if node.type in ("simcloud_updated", "terraform_data")]
    if not found or not land.has_simcloud:
        return
    node = land.craft.chooser.choice(found)
    if node.type == "terraform_data":
        node.arguments = {}
    before, node.type, node.value_type = address(node), "simcloud_renamed", None
    land.module.statements.append(moved(before, address(node)))


def _change_provider(land: Land) -> None:
    node = _node(land, Sort.PROVIDER)
    if node is not None:
        node.arguments["region"] = Expression((quoted(land.craft.chooser.choice(("eu", "us"))),))


_EDITS: Final[Mapping[str, tuple[Callable[[Land], None], int]]] = {
    "edit: change an argument": (_change_argument, 30),
    "edit: touch": (_touch, 30),
    "edit: add": (_add, 10),
    "edit: remove": (_remove, 14),
    "edit: rename with moved": (_rename_with_moved, 8),
    "edit: rename": (_rename, 5),
    "edit: change keys": (_change_keys, 12),
    "edit: change repetition": (_change_repetition, 6),
    "edit: flip lifecycle": (_flip_lifecycle, 6),
    "edit: reverse a dependency": (_reverse_dependency, 5),
    "edit: change depends_on": (_change_dependencies, 4),
    "edit: toggle sensitivity": (_toggle_sensitivity, 3),
    "edit: import": (_import, 4),
    "edit: split into a module": (_split, 4),
    "edit: change the type": (_change_type, 2),
    "edit: change a provider": (_change_provider, 2),
}
EDITS: Final[Mapping[str, Callable[[Land], None]]] = {name: function for name, (function, _) in _EDITS.items()}
