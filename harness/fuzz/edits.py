"""Edits: how one version of a configuration becomes the next.

Each changes the model in place. Those that leave statements (moved, removed, import) are in `statements.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from harness.generate.block_generator import PARENTS, SIMPLE_ARGUMENTS, Land, fill_arguments, new_keys, takes_text
from harness.generate.choices import GenerationContext
from harness.generate.configuration_generator import add_something
from harness.generate.expression_generator import make_expression
from harness.generate.model import Expression, Module, Node, Reference, Repeat, Repetition, Sort
from harness.generate.printing import quoted
from harness.generate.statements import (
    MOVABLE,
    change_repetition,
    change_type,
    has_children,
    import_something,
    move_onto,
    rename_twice,
    rename_with_moved,
    say_removed,
    split_into_module,
)
from shared_nodes.values.types import STRING

__all__ = ["EDITS", "dependencies_in", "edit"]


def edit(craft: GenerationContext, root: Module, *, has_simcloud: bool = True) -> None:
    """One edit somewhere. Where the one chosen finds nothing to do, nothing happens."""
    name = craft.pick([(name, weight) for name, (_, weight) in _EDITS.items()])
    modules = root.tree
    if EDITS[name] is _both_sides:
        modules = [module for module in modules if dependencies_in(module)] or modules
    module = craft.chooser.choice(modules)
    EDITS[name](Land(craft, module, has_simcloud, 0 if module is root else 1))


def _remove(land: Land) -> None:
    node = land.some_node(Sort.MANAGED, Sort.CALL, Sort.DATA, Sort.OUTPUT, Sort.LOCAL, Sort.CHECK)
    if node is None or len(land.module.alive(Sort.MANAGED)) < 2 or has_children(land.module, node):
        return
    node.is_alive = False
    land.craft.touched.append(node)
    say_removed(land, node)


def _change_ignored(land: Land) -> None:
    """What changes is ignored, unless the object is replaced for something else, or new."""
    ignoring = [node for node in land.module.alive(Sort.MANAGED) if "ignore_changes" in node.lifecycle]
    node = land.craft.chooser.choice(ignoring) if ignoring else land.some_node(Sort.MANAGED)
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
    node = land.some_node(*MOVABLE)
    if node is not None and node.type not in PARENTS:
        node.name = node.cloud_name = land.craft.name("n")


def _change_argument(land: Land) -> None:
    """Of a node, made of what stands before it."""
    node = land.some_node(Sort.MANAGED, Sort.DATA, Sort.LOCAL, Sort.OUTPUT, Sort.CALL)
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
    if not has_children(land.module, node):
        node.is_alive = False
        land.craft.touched.append(node)
        say_removed(land, node)


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


def _flip_lifecycle(land: Land) -> None:
    node = land.some_node(Sort.MANAGED)
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
    node = land.some_node(Sort.MANAGED, Sort.DATA, Sort.CALL, Sort.OUTPUT)
    if node is None or (node.module is not None and node.module.configures_providers):
        return
    known = [one for one in _before(land.module, node) if one.is_alive and one.sort in (Sort.MANAGED, Sort.CALL)]
    node.depends_on = [] if node.depends_on else land.craft.chooser.some(known, 2)


def _toggle_sensitivity(land: Land) -> None:
    """Of a variable, or of one argument: the value stays what it is."""
    node = land.some_node(Sort.VARIABLE, Sort.MANAGED)
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


def _change_provider(land: Land) -> None:
    node = land.some_node(Sort.PROVIDER)
    if node is not None:
        node.arguments["region"] = Expression((quoted(land.craft.chooser.choice(("eu", "us"))),))


_EDITS: Final[Mapping[str, tuple[Callable[[Land], object], int]]] = {
    "edit: change an argument": (_change_argument, 30),
    "edit: touch": (_touch, 30),
    "edit: add": (add_something, 10),
    "edit: remove": (_remove, 14),
    "edit: rename with moved": (rename_with_moved, 8),
    "edit: rename twice with moved": (rename_twice, 3),
    "edit: move onto another": (move_onto, 3),
    "edit: change what is ignored": (_change_ignored, 5),
    "edit: rename": (_rename, 5),
    "edit: change keys": (_change_keys, 12),
    "edit: change repetition": (change_repetition, 6),
    "edit: flip lifecycle": (_flip_lifecycle, 6),
    "edit: reverse a dependency": (_reverse_dependency, 5),
    "edit: both sides of a dependency": (_both_sides, 30),
    "edit: empty": (_empty, 3),
    "edit: change depends_on": (_change_dependencies, 4),
    "edit: toggle sensitivity": (_toggle_sensitivity, 6),
    "edit: import": (import_something, 4),
    "edit: split into a module": (split_into_module, 4),
    "edit: change the type": (change_type, 2),
    "edit: change a provider": (_change_provider, 2),
}
EDITS: Final[Mapping[str, Callable[[Land], object]]] = {name: function for name, (function, _) in _EDITS.items()}
