"""Edits that say what they did: moved, removed and import blocks, as text that belongs to the new version."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from harness.generate.block_generator import KEYS, PARENTS, Land, new_resource
from harness.generate.model import Expression, Module, Node, Reference, Repeat, Repetition, Sort
from harness.generate.printing import address, instance_addresses, quoted
from shared_nodes.values.types import STRING

__all__ = [
    "IMPORTABLE",
    "MOVABLE",
    "change_repetition",
    "change_type",
    "has_children",
    "import_something",
    "move_onto",
    "moved",
    "rename_twice",
    "rename_with_moved",
    "say_removed",
    "split_into_module",
]

IMPORTABLE: Final = ({"type": "simcloud_updated", "name": "found-a"}, {"type": "simcloud_replaced", "name": "found-b"})
"""What lives in the cloud before every story, for import blocks to find."""

MOVABLE: Final = (Sort.MANAGED, Sort.CALL)


def moved(source: str, target: str) -> str:
    return f"moved {{\n  from = {source}\n  to   = {target}\n}}\n"


def say_removed(land: Land, node: Node) -> None:
    """A parent is not said to have moved: what its children recorded would name it no more, and which of them is
    destroyed first would depend on the schedule."""
    if node.sort in MOVABLE and node.type not in PARENTS and land.craft.wants("moved to nothing", 10):
        nowhere = "module.nowhere" if node.sort is Sort.CALL else f"{node.type}.nowhere"
        land.module.statements.append(moved(address(node), nowhere))
    elif node.sort in MOVABLE and land.craft.wants("removed block", 35):
        destroys = land.craft.chooser.choice((False, True))
        lines = [f"  from = {address(node)}", "  lifecycle {", f"    destroy = {str(destroys).lower()}", "  }"]
        if destroys and node.sort is Sort.MANAGED and land.craft.wants("provisioner of a removed block", 30):
            lines += ['  provisioner "local-exec" {', "    when    = destroy", '    command = "echo ${self.id}"', "  }"]
        land.module.statements.append("\n".join(["removed {", *lines, "}", ""]))


def has_children(module: Module, node: Node) -> bool:
    given = (other.arguments.get("parent") for other in module.alive(Sort.MANAGED))
    return any(one.target is node for parent in given if parent is not None for one in parent.references)


def _is_lost_easily(node: Node) -> bool:
    """Whether a move makes a race. One that nobody applies, since its version fails, lets the old object go in the next
    while a new one wants its name. And what the children of a parent recorded names it no more once it has moved, so
    that nothing orders them if both are replaced."""
    return node.type in ("simcloud_unique", *PARENTS)


def rename_with_moved(land: Land) -> Node | None:
    node = land.some_node(*MOVABLE)
    if node is not None and not _is_lost_easily(node):
        before = address(node)
        node.name = land.craft.name("n")
        land.module.statements.append(moved(before, address(node)))
    return node


def rename_twice(land: Land) -> None:
    """A chain of moves, the last of which may be written first."""
    node = land.some_node(*MOVABLE)
    if node is None or _is_lost_easily(node):
        return
    names = [address(node)]
    for _ in range(2):
        node.name = land.craft.name("n")
        names.append(address(node))
    chain = [moved(*pair) for pair in pairwise(names)]
    land.module.statements += reversed(chain) if land.craft.chooser.chance(60) else chain


def move_onto(land: Land) -> None:
    """One resource takes the address of another that goes, and whose object is still there."""
    managed = land.module.alive(Sort.MANAGED)
    pairs = [
        (node, other)
        for node in managed
        for other in managed
        if node is not other and node.type == other.type and not has_children(land.module, other)
        if not _is_lost_easily(node)
    ]
    if pairs:
        node, other = land.craft.chooser.choice(pairs)
        before, other.is_alive, node.name = address(node), False, other.name
        land.module.statements.append(moved(before, address(node)))


def change_repetition(land: Land) -> None:
    """From one object to many, or back, or from numbers to keys: with and without a moved block. Not for a module whose
    objects keep their names: two of one name get their ids in the order of their creation."""
    node = land.some_node(*MOVABLE)
    if node is None or (node.module is not None and (node.module.keeps_names or node.module.configures_providers)):
        return
    before = instance_addresses(node)
    options: list[Repeat | None] = [Repeat(Repetition.COUNT, ["a", "b"]), Repeat(Repetition.SET, list(KEYS[:2]))]
    node.repeat = land.craft.chooser.choice(options if node.repeat is None else [None, *options])
    after = instance_addresses(node)
    if before and after and before[0] != after[0] and land.craft.wants("moved to another key", 50):
        land.module.statements.append(moved(before[0], after[0]))


def import_something(land: Land) -> None:
    """Something that lives in the cloud already, and nothing twice: of two addresses of one object the last one to be
    applied wins. Or, for terraform_data, any id at all. Only the root may say so, of modules as well."""
    thing = land.craft.chooser.choice(IMPORTABLE) if land.has_simcloud else {"type": "terraform_data", "name": "x"}
    feature = f"import of {thing['name']}"
    if land.module.name or (land.has_simcloud and feature in land.craft.used):
        return
    prefix, place = _place_of_import(land)
    node = new_resource(place, Sort.MANAGED, thing["type"])
    if node is None:
        return
    land.craft.used.add(feature)
    node.repeat, node.provider, node.lifecycle, node.provisioners, node.host = None, None, {}, [], None
    node.cloud_name = thing["name"]
    repeats = land.craft.wants("import with for_each", 25)
    if repeats:
        node.repeat, node.cloud_name = Repeat(Repetition.SET, ["a"]), thing["name"].removesuffix("-a")
    where = f"{prefix}{address(node)}{'[each.key]' if repeats else ''}"
    each = '  for_each = toset(["a"])\n' if repeats else ""
    identity = _identity(land, f"{thing['name']}-1")
    land.module.statements.append(f"import {{\n{each}  to = {where}\n  id = {identity}\n}}\n")


def _place_of_import(land: Land) -> tuple[str, Land]:
    """What comes before the address, and where the block grows: of a module with several instances the first gets the
    object, and others get one of their own."""
    calls = [call for call in land.module.alive(Sort.CALL) if instance_addresses(call)]
    call = land.craft.chooser.choice(calls) if calls and land.craft.wants("import into a module", 25) else None
    if call is None or call.module is None:
        return "", land
    return f"{instance_addresses(call)[0]}.", Land(land.craft, call.module, land.has_simcloud, land.depth + 1)


def _identity(land: Land, text: str) -> str:
    """What to import, as it stands there, or as the value of something that has to be planned before."""
    if land.craft.wants("import by a value", 25):
        holder = land.add(Node(Sort.LOCAL, land.craft.name("l"), value_type=STRING))
        holder.arguments["value"] = Expression((quoted(text),))
        return address(holder)
    if land.craft.wants("import by an argument of a resource", 25):
        holder = land.add(Node(Sort.MANAGED, land.craft.name("r"), "terraform_data", value_type=STRING))
        holder.arguments["input"] = Expression((quoted(text),))
        return f"{address(holder)}.input"
    return quoted(text)


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
        and not _is_lost_easily(node)
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


def change_type(land: Land) -> None:
    """One type takes over objects of another."""
    found = [node for node in land.module.alive(Sort.MANAGED) if node.type in ("simcloud_updated", "terraform_data")]
    if not found or not land.has_simcloud:
        return
    node = land.craft.chooser.choice(found)
    if node.type == "terraform_data":
        node.arguments = {}
    before, node.type, node.value_type = address(node), "simcloud_renamed", None
    land.module.statements.append(moved(before, address(node)))
