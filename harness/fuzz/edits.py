"""Edits: how one version of a configuration becomes the next.

Each changes the model in place and may leave statements (moved, removed, import) that belong to the new version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

from harness.fuzz.configuration import add_something
from harness.fuzz.craft import Craft
from harness.fuzz.expressions import make_expression
from harness.fuzz.growing import (
    KEYS,
    PARENTS,
    SIMPLE_ARGUMENTS,
    Land,
    fill_arguments,
    new_keys,
    new_resource,
    takes_text,
)
from harness.fuzz.model import Expression, Module, Node, Reference, Repeat, Repetition, Sort
from harness.fuzz.printing import address, instance_addresses, quoted
from shared_nodes.values.types import STRING

__all__ = ["EDITS", "IMPORTABLE", "dependencies_in", "edit", "moved", "rename_with_moved", "split_into_module"]

IMPORTABLE: Final = ({"type": "simcloud_updated", "name": "found-a"}, {"type": "simcloud_replaced", "name": "found-b"})
"""What lives in the cloud before every story, for import blocks to find."""

_MOVABLE: Final = (Sort.MANAGED, Sort.CALL)


def edit(craft: Craft, root: Module, *, has_simcloud: bool = True) -> None:
    """One edit somewhere. Where the one chosen finds nothing to do, nothing happens."""
    name = craft.pick([(name, weight) for name, (_, weight) in _EDITS.items()])
    modules = root.tree
    if EDITS[name] is _both_sides:
        modules = [module for module in modules if dependencies_in(module)] or modules
    module = craft.chooser.choice(modules)
    EDITS[name](Land(craft, module, has_simcloud, 0 if module is root else 1))


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
    land.craft.touched.append(node)
    _say_removed(land, node)


def _say_removed(land: Land, node: Node) -> None:
    """A parent is not said to have moved: what its children recorded would name it no more, and which of them is
    destroyed first would depend on the schedule."""
    if node.sort in _MOVABLE and node.type not in PARENTS and land.craft.wants("moved to nothing", 10):
        nowhere = "module.nowhere" if node.sort is Sort.CALL else f"{node.type}.nowhere"
        land.module.statements.append(moved(address(node), nowhere))
    elif node.sort in _MOVABLE and land.craft.wants("removed block", 35):
        destroys = land.craft.chooser.choice((False, True))
        lines = [f"  from = {address(node)}", "  lifecycle {", f"    destroy = {str(destroys).lower()}", "  }"]
        if destroys and node.sort is Sort.MANAGED and land.craft.wants("provisioner of a removed block", 30):
            lines += ['  provisioner "local-exec" {', "    when    = destroy", '    command = "echo ${self.id}"', "  }"]
        land.module.statements.append("\n".join(["removed {", *lines, "}", ""]))


def _has_children(module: Module, node: Node) -> bool:
    given = (other.arguments.get("parent") for other in module.alive(Sort.MANAGED))
    return any(one.target is node for parent in given if parent is not None for one in parent.references)


def _is_lost_easily(node: Node) -> bool:
    """Whether a move makes a race. One that nobody applies, since its version fails, lets the old object go in the next
    while a new one wants its name. And what the children of a parent recorded names it no more once it has moved, so
    that nothing orders them if both are replaced."""
    return node.type in ("simcloud_unique", *PARENTS)


def rename_with_moved(land: Land) -> Node | None:
    node = _node(land, *_MOVABLE)
    if node is not None and not _is_lost_easily(node):
        before = address(node)
        node.name = land.craft.name("n")
        land.module.statements.append(moved(before, address(node)))
    return node


def _rename_twice(land: Land) -> None:
    """A chain of moves, the last of which may be written first."""
    node = _node(land, *_MOVABLE)
    if node is None or _is_lost_easily(node):
        return
    names = [address(node)]
    for _ in range(2):
        node.name = land.craft.name("n")
        names.append(address(node))
    chain = [moved(*pair) for pair in pairwise(names)]
    land.module.statements += reversed(chain) if land.craft.chooser.chance(60) else chain


def _move_onto(land: Land) -> None:
    """One resource takes the address of another that goes, and whose object is still there."""
    managed = land.module.alive(Sort.MANAGED)
    pairs = [
        (node, other)
        for node in managed
        for other in managed
        if node is not other and node.type == other.type and not _has_children(land.module, other)
        if not _is_lost_easily(node)
    ]
    if pairs:
        node, other = land.craft.chooser.choice(pairs)
        before, other.is_alive, node.name = address(node), False, other.name
        land.module.statements.append(moved(before, address(node)))


def _change_ignored(land: Land) -> None:
    """What changes is ignored, unless the object is replaced for something else, or new."""
    ignoring = [node for node in land.module.alive(Sort.MANAGED) if "ignore_changes" in node.lifecycle]
    node = land.craft.chooser.choice(ignoring) if ignoring else _node(land, Sort.MANAGED)
    if node is None:
        return
    names = [name for name in SIMPLE_ARGUMENTS if takes_text(node, name)]
    for name in land.craft.chooser.some(names, 2):
        if not ignoring:
            node.lifecycle["ignore_changes"] = f"[{name}]"
        node.arguments[name] = Expression((quoted(land.craft.name("ignored-")),))
        node.value_type = STRING if name == "input" else node.value_type
    if land.craft.wants("replaced as well", 40):
        _replace_or_update(land, node)


def _rename(land: Land) -> None:
    """Not a parent, which might have been moved in the same version: as with one that goes, nobody could say then in
    which order it and its children are destroyed."""
    node = _node(land, *_MOVABLE)
    if node is not None and node.type not in PARENTS:
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
        land.craft.touched.append(node)
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
        land.craft.touched.append(node)
        node.arguments[name] = Expression((quoted(land.craft.name("changed-")),))


def _both_sides(land: Land) -> None:
    """Something happens to an object and to one that depends on it, at once. Only there orders of creating, updating
    and destroying meet, and edits by chance hardly ever hit both."""
    pairs = dependencies_in(land.module)
    if not pairs:
        _touch(land)
    for node in land.craft.chooser.choice(pairs) if pairs else ():
        feature = land.craft.pick([(f"one side: {name}", weight) for name, (_, weight) in _SIDES.items()])
        _SIDES[feature.removeprefix("one side: ")][0](land, node)


def dependencies_in(module: Module) -> list[tuple[Node, Node]]:
    """Resources, each with one that depends on it."""
    return [
        (other, node)
        for node in module.alive(Sort.MANAGED)
        for other in dict.fromkeys((*_referred(node), *node.depends_on))
        if other.sort is Sort.MANAGED and other.is_alive and other is not node
    ]


def _referred(node: Node) -> list[Node]:
    return [one.target for expression in node.expressions for one in expression.references]


def _replace_or_update(land: Land, node: Node) -> None:
    """By the arguments that are texts, of which some replace an object and some do not."""
    names = [name for name in (*SIMPLE_ARGUMENTS, "triggers_replace") if takes_text(node, name)]
    for name in land.craft.chooser.some(names, 1):
        land.craft.touched.append(node)
        node.arguments[name] = Expression((quoted(land.craft.name("changed-")),))
        if name == "input":
            node.value_type = STRING


def _turn_creating_first(_land: Land, node: Node) -> None:
    """On, or off again; changed as well or not, it counts for whatever is replaced around it."""
    if node.lifecycle.pop("create_before_destroy", None) is None:
        node.lifecycle["create_before_destroy"] = "true"


def _take_away(land: Land, node: Node) -> None:
    if not _has_children(land.module, node):
        node.is_alive = False
        land.craft.touched.append(node)
        _say_removed(land, node)


def _rekey(land: Land, node: Node) -> None:
    """Fewer instances, more, or others."""
    if node.repeat is not None and (node.repeat.source is None or not node.repeat.source.is_alive):
        node.repeat.keys = new_keys(land.craft)
    elif node.repeat is None:
        node.repeat = Repeat(Repetition.COUNT, ["a"])


_SIDES: Final[Mapping[str, tuple[Callable[[Land, Node], None], int]]] = {
    "changed": (_replace_or_update, 40),
    "removed": (_take_away, 14),
    "creates first": (_turn_creating_first, 10),
    "other instances": (_rekey, 12),
    "left alone": (lambda _land, _node: None, 6),
}


def _empty(land: Land) -> None:
    """Nothing is left in a module: whatever it had is destroyed, and its provider is known from the state alone."""
    for node in land.module.nodes:
        if node.name != "prefix" and node.sort is not Sort.VARIABLE:
            node.is_alive = False


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
    """From one object to many, or back, or from numbers to keys: with and without a moved block. Not for a module whose
    objects keep their names: two of one name get their ids in the order of their creation."""
    node = _node(land, *_MOVABLE)
    if node is None or (node.module is not None and (node.module.keeps_names or node.module.configures_providers)):
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
    if node is None or (node.module is not None and node.module.configures_providers):
        return
    known = [one for one in _before(land.module, node) if one.is_alive and one.sort in (Sort.MANAGED, Sort.CALL)]
    node.depends_on = [] if node.depends_on else land.craft.chooser.some(known, 2)


def _toggle_sensitivity(land: Land) -> None:
    """Of a variable, or of one argument: the value stays what it is."""
    node = _node(land, Sort.VARIABLE, Sort.MANAGED)
    if node is None:
        return
    if node.sort is Sort.VARIABLE:
        if not node.is_ephemeral and not node.is_static:
            node.is_sensitive = not node.is_sensitive
        return
    for name in land.craft.chooser.some(sorted(node.arguments.keys() - {"parent"}), 1):
        before = node.arguments[name]
        if before.parts[0] == _HIDDEN[0]:
            node.arguments[name] = Expression(before.parts[1:-1])
        else:
            node.arguments[name] = Expression((_HIDDEN[0], *before.parts, _HIDDEN[1]), is_sensitive=True)


_HIDDEN: Final = ("sensitive(", ")")


def _import(land: Land) -> None:
    """Something that lives in the cloud already, and nothing twice: of two addresses of one object the last one to be
    applied wins. Or, for terraform_data, any id at all."""
    if land.module.name:
        return
    thing = land.craft.chooser.choice(IMPORTABLE) if land.has_simcloud else {"type": "terraform_data", "name": "x"}
    feature = f"import of {thing['name']}"
    node = None if land.has_simcloud and feature in land.craft.used else new_resource(land, Sort.MANAGED, thing["type"])
    if node is None:
        return
    land.craft.used.add(feature)
    node.repeat, node.provider, node.lifecycle, node.provisioners = None, None, {}, []
    node.cloud_name = thing["name"]
    repeats = land.craft.wants("import with for_each", 25)
    if repeats:
        node.repeat, node.cloud_name = Repeat(Repetition.SET, ["a"]), thing["name"].removesuffix("-a")
    where = f"{address(node)}[each.key]" if repeats else address(node)
    each = '  for_each = toset(["a"])\n' if repeats else ""
    identity = _identity(land, f"{thing['name']}-1")
    land.module.statements.append(f"import {{\n{each}  to = {where}\n  id = {identity}\n}}\n")


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
    "edit: rename twice with moved": (_rename_twice, 3),
    "edit: move onto another": (_move_onto, 3),
    "edit: change what is ignored": (_change_ignored, 5),
    "edit: rename": (_rename, 5),
    "edit: change keys": (_change_keys, 12),
    "edit: change repetition": (_change_repetition, 6),
    "edit: flip lifecycle": (_flip_lifecycle, 6),
    "edit: reverse a dependency": (_reverse_dependency, 5),
    "edit: both sides of a dependency": (_both_sides, 30),
    "edit: empty": (_empty, 3),
    "edit: change depends_on": (_change_dependencies, 4),
    "edit: toggle sensitivity": (_toggle_sensitivity, 6),
    "edit: import": (_import, 4),
    "edit: split into a module": (_split, 4),
    "edit: change the type": (_change_type, 2),
    "edit: change a provider": (_change_provider, 2),
}
EDITS: Final[Mapping[str, Callable[[Land], None]]] = {name: function for name, (function, _) in _EDITS.items()}
