"""A first configuration: a root, modules in it, and what they pass to each other."""

from __future__ import annotations

from typing import Final

from harness.generate.block_generator import Land, depend, grow, may_choose_provider, new_keys, new_resource
from harness.generate.choices import GenerationContext
from harness.generate.model import Expression, Module, Node, Reference, Repeat, Repetition, Sort
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
    (Sort.CHECK, 6),
    (Sort.EPHEMERAL, 6),
    (Sort.PROVIDER, 6),
)


def grow_configuration(craft: GenerationContext, size: int, *, has_simcloud: bool = True) -> Module:
    """`size` is about how many nodes the root has; those in modules come on top."""
    root = Module("")
    land = Land(craft, root, has_simcloud)
    if has_simcloud and craft.wants("provider configured on the way", 8):
        _grow_provided(land)
    elif craft.wants("chain of resources", 40):
        _grow_chain(land)
    else:
        grow(land, Sort.MANAGED)
    for _ in range(craft.chooser.integer(max(1, size // 2), size)):
        add_something(land)
    grow(land, Sort.OUTPUT)
    return root


_LINKS: Final = (("terraform_data", 3), ("simcloud_replaced", 4), ("simcloud_updated", 3), ("simcloud_computed", 1))


def _grow_chain(land: Land) -> None:
    """Resources each of which depends on the one before: what edits do to one of them matters to the others, and in
    which order it is done. Half of them may be replaced create-first."""
    craft = land.craft
    link: Node | None = None
    for _ in range(craft.chooser.integer(2, 3)):
        type_name = craft.pick(_LINKS) if land.has_simcloud else "terraform_data"
        before, link = link, new_resource(land, Sort.MANAGED, type_name)
        if link is None or before is None:
            continue
        depend(land, link, [before])
        if craft.wants("link by depends_on", 20):
            link.depends_on = [before]
        if craft.wants("create_before_destroy", 25):
            link.lifecycle["create_before_destroy"] = "true"


def _grow_provided(land: Land) -> None:
    """A provider that is configured by an object or by data, and something that it serves: what serves must be there
    before what is served, and until after it."""
    craft = land.craft
    from_data = craft.wants("provider from data", 40)
    source = new_resource(land, *((Sort.DATA, "simcloud_pure") if from_data else (Sort.MANAGED, "terraform_data")))
    provider = land.add(Node(Sort.PROVIDER, craft.name("p"), "simcloud"))
    if source is None:
        return
    source.repeat, source.provider, source.depends_on = None, None, []
    path = ".result" if from_data else ".id"
    provider.arguments["region"] = Expression((Reference(source, path, STRING),))
    for _ in range(craft.chooser.integer(1, 2)):
        served = new_resource(land, Sort.MANAGED, craft.pick((("simcloud_replaced", 1), ("simcloud_updated", 1))))
        if served is not None:
            served.provider = provider
            served.depends_on = [one for one in served.depends_on if one is not source]


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
    may_be_repeated = not module.configures_providers
    if may_be_repeated and craft.wants("repeated module", 40):
        repetition = Repetition(craft.pick([(Repetition.COUNT, 1), (Repetition.SET, 1), (Repetition.MAP, 1)]))
        call.repeat = Repeat(repetition, new_keys(craft))
    if may_be_repeated and craft.wants("depends_on of a module", 22):
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
        module.is_proxy = craft.wants("empty provider block in a module", 35)
    if land.has_simcloud and craft.wants("provider_meta", 8):
        module.meta_name = module.name
        new_resource(inside, Sort.MANAGED, "simcloud_meta")
    for _ in range(craft.chooser.integer(0, 2)):
        grow(inside, Sort.VARIABLE)
    if land.has_simcloud and craft.wants("provider block in a module", 10):
        _configure_inside(inside)
    grow(inside, Sort.MANAGED)
    for _ in range(craft.chooser.integer(0, 3)):
        add_something(inside)
    if land.depth + 1 < _DEEPEST and craft.wants("nested module", 20):
        add_call(inside)
    if module.aliases:
        _use_alias(inside)
    for _ in range(craft.chooser.integer(1, 2)):
        grow(inside, Sort.OUTPUT)
    return module


def _configure_inside(land: Land) -> None:
    """The usual configuration of a module is one of its own, by what it is given. Once the call is gone nobody knows it
    any more, and what it served cannot be destroyed."""
    provider = Node(Sort.PROVIDER, "", "simcloud")
    given = [one for one in land.module.alive(Sort.VARIABLE) if one.value_type == STRING]
    provider.arguments["region"] = Expression((Reference(land.craft.chooser.choice(given), "", STRING),))
    land.add(provider)


def _use_alias(land: Land) -> None:
    """At least one resource does. What belongs together stays with one provider."""
    proxy = Node(Sort.PROVIDER, "inner", "simcloud")
    found = [node for node in land.module.alive(Sort.MANAGED) if may_choose_provider(node)]
    if not found:
        found = [one for one in (new_resource(land, Sort.MANAGED, "simcloud_updated"),) if one is not None]
    for node in land.craft.chooser.some(found, 2):
        node.provider = proxy


def _pass_providers(land: Land, call: Node) -> None:
    """Only modules the root calls want any. The usual configuration of a module may be an aliased one of the root."""
    assert call.module is not None
    found = [one for one in land.module.alive(Sort.PROVIDER) if one.name]
    if call.module.aliases and not found:
        found = [land.add(Node(Sort.PROVIDER, land.craft.name("p"), "simcloud"))]
    for alias in call.module.aliases:
        call.passed[alias] = land.craft.chooser.choice(found)
    has_own = any(not one.name for one in call.module.alive(Sort.PROVIDER))
    if found and not has_own and land.craft.wants("usual provider passed", 30):
        call.passed[""] = land.craft.chooser.choice(found)


def _pass_values(land: Land, call: Node) -> None:
    """A variable without a value has its default."""
    assert call.module is not None
    for variable in call.module.alive(Sort.VARIABLE):
        if variable.value_type is not None and variable.name != "prefix" and land.craft.chooser.chance(70):
            call.arguments[variable.name] = _passed_value(land, call, variable)


def _passed_value(land: Land, call: Node, variable: Node) -> Expression:
    """Null stands for the default where the variable takes none. What a module makes of nothing may be passed to it."""
    assert call.module is not None
    assert variable.value_type is not None
    if "nullable" in variable.lifecycle and land.craft.wants("null for a variable", 50):
        return Expression(("null",))
    outputs = [
        output
        for output in call.module.alive(Sort.OUTPUT)
        if output.value_type == variable.value_type
        and not output.is_ephemeral
        and not (output.arguments["value"].references or output.conditions or output.depends_on)
    ]
    if call.repeat is None and outputs and land.craft.wants("own output of a module", 60):
        return Expression((Reference(call, "", variable.value_type, output=land.craft.chooser.choice(outputs)),))
    return land.expression(variable.value_type, may_be_ephemeral=variable.is_ephemeral)
