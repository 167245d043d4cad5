"""Nodes of a configuration, one after the other, each made of what is there before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from harness.generate.choices import GenerationContext
from harness.generate.expression_generator import Wish, make_expression, reference_to
from harness.generate.model import (
    OWN_KEY,
    OWN_VALUE,
    Condition,
    Expression,
    Module,
    Nest,
    Node,
    OwnKey,
    Provisioner,
    Reference,
    Repeat,
    Repetition,
    Sort,
)
from harness.generate.printing import quoted
from harness.generate.referable_attributes import LIST, MAP, readable, schema_of
from shared_nodes.providers.schema import Attribute, BlockType, NestedAttributes, Nesting
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, Type

__all__ = [
    "KEYS",
    "LISTED",
    "PARENTS",
    "SIMPLE_ARGUMENTS",
    "Land",
    "depend",
    "fill_arguments",
    "grow",
    "may_choose_provider",
    "new_keys",
    "new_resource",
    "takes_text",
]

KEYS: Final = ("a", "b", "c", "d", "e")

_MANAGED: Final[tuple[tuple[str, int], ...]] = (
    ("terraform_data", 30),
    ("simcloud_updated", 20),
    ("simcloud_replaced", 24),
    ("simcloud_computed", 8),
    ("simcloud_defaulted", 4),
    ("simcloud_overcautious", 2),
    ("simcloud_replaced_by_several", 4),
    ("simcloud_replaced_by_nested", 3),
    ("simcloud_sensitive", 4),
    ("simcloud_write_only", 4),
    ("simcloud_block_deep", 1),
    ("simcloud_objects", 2),
    ("simcloud_dynamic", 5),
    ("simcloud_deprecated", 3),
    ("simcloud_deprecated_type", 1),
    ("simcloud_parent", 4),
    ("simcloud_cascading_parent", 2),
    ("simcloud_child", 8),
    ("simcloud_unique", 3),
    ("simcloud_protected", 2),
    ("simcloud_normalised", 2),
    ("simcloud_normalised_legacy", 2),
    ("simcloud_eventual", 1),
    ("simcloud_private", 3),
    ("simcloud_meta", 2),
    ("simcloud_unimportable", 1),
    ("simcloud_upgrade_failing", 1),
    ("simcloud_upgraded", 2),
    *((f"simcloud_block_{nesting}", 1) for nesting in ("single", "group", "list", "set", "map", "limited")),
    *((f"simcloud_nested_{nesting}", 1) for nesting in ("single", "list", "set", "map")),
)
_DATA: Final = (
    *(("simcloud_pure", 6), ("simcloud_live", 8), ("simcloud_listing", 3), ("simcloud_secret", 2)),
    *(("simcloud_slow", 1), ("simcloud_failing", 1)),
)
_SENSITIVE: Final = ("simcloud_sensitive", "simcloud_secret")
_VALUE_TYPES: Final = (STRING, STRING, NUMBER, BOOL, LIST, MAP)
_AWAITED: Final = (Sort.MANAGED, Sort.CALL, Sort.DATA)
PARENTS: Final = ("simcloud_parent", "simcloud_cascading_parent")
LISTED: Final = ({"type": "simcloud_updated", "name": "listed-a"}, {"type": "simcloud_replaced", "name": "listed-b"})
"""What lives in the cloud before every story that lists it, and stays."""


@dataclass(slots=True)
class Land:
    """Where nodes grow: a module, and what its provider configurations are."""

    craft: GenerationContext
    module: Module
    has_simcloud: bool = True
    depth: int = 0

    def wish(self, *, depth: int = 2, is_static: bool = False, may_be_ephemeral: bool = False) -> Wish:
        return Wish(self.module.alive(), depth, is_static, may_be_ephemeral, self.has_simcloud)

    def expression(self, wanted: Type, *, may_be_ephemeral: bool = False) -> Expression:
        return make_expression(self.craft, wanted, self.wish(may_be_ephemeral=may_be_ephemeral))

    def some_node(self, *sorts: Sort) -> Node | None:
        """One that may be edited: every module has a prefix, and keeps it."""
        found = [node for node in self.module.alive(*sorts) if node.name != "prefix"]
        return self.craft.chooser.choice(found) if found else None

    def add(self, node: Node) -> Node:
        self.module.nodes.append(node)
        return node


def grow(land: Land, sort: Sort) -> Node | None:
    """One more node of that sort; None where there can be none. Calls are grown by who makes modules."""
    match sort:
        case Sort.VARIABLE:
            return _variable(land)
        case Sort.LOCAL:
            return _local(land)
        case Sort.MANAGED | Sort.DATA:
            return new_resource(land, sort)
        case Sort.EPHEMERAL:
            return _ephemeral(land)
        case Sort.PROVIDER:
            return _provider(land)
        case Sort.OUTPUT:
            return _output(land)
        case Sort.CHECK:
            return _check(land)
    return None


# Values


def _variable(land: Land) -> Node:
    craft = land.craft
    wanted = craft.chooser.choice(_VALUE_TYPES)
    node = Node(Sort.VARIABLE, craft.name("v"), value_type=wanted, is_static=True)
    node.arguments["default"] = make_expression(craft, wanted, Wish((), 0, has_simcloud=land.has_simcloud))
    if craft.wants("sensitive variable", 20):
        node.is_sensitive, node.is_static = True, False
    elif craft.wants("ephemeral variable", 10):
        node.is_ephemeral, node.is_static = True, False
    if craft.wants("nullable = false", 20):
        node.lifecycle["nullable"] = "false"
    if craft.wants("variable validation", 20):
        node.conditions.append(_validation(land, node))
    node.is_static = node.is_static and not land.module.name
    return land.add(node)


def _validation(land: Land, node: Node) -> Condition:
    """Of a variable, which may look at other variables as well."""
    assert node.value_type is not None
    own = Reference(node, "", node.value_type)
    scalars: dict[Type, str] = {STRING: ' != "refused"', NUMBER: " < 100", BOOL: " != null"}
    tail = scalars.get(node.value_type)
    parts: tuple[str | Reference, ...] = ("length(", own, ") < 50") if tail is None else (own, tail)
    others = [one for one in land.module.alive(Sort.VARIABLE) if one.is_ephemeral <= node.is_ephemeral]
    other = reference_to(land.craft, STRING, Wish(others)) if land.craft.wants("validation by two", 30) else None
    if other is not None:
        parts = (*parts, " && ", other, ' != "refused"')
    return Condition("validation", Expression(parts), Expression((quoted(f"{node.name} must be accepted"),)))


def _local(land: Land) -> Node:
    craft = land.craft
    if craft.wants("keys in a local", 25):
        keys = new_keys(craft)
        return land.add(Node(Sort.LOCAL, craft.name("l"), keys=keys, value_type=None, is_static=True))
    wanted = craft.chooser.choice(_VALUE_TYPES)
    is_ephemeral = craft.wants("ephemeral local", 5)
    node = Node(Sort.LOCAL, craft.name("l"), value_type=wanted, is_ephemeral=is_ephemeral)
    node.arguments["value"] = value = land.expression(wanted, may_be_ephemeral=is_ephemeral)
    node.is_static = not is_ephemeral and not value.is_sensitive and _is_static(value)
    return land.add(node)


def _is_static(value: Expression) -> bool:
    texts = [part for part in value.parts if isinstance(part, str)]
    return all(one.target.is_static for one in value.references) and not any("timestamp" in text for text in texts)


def _output(land: Land) -> Node:
    craft = land.craft
    wanted = craft.chooser.choice(_VALUE_TYPES)
    node = Node(Sort.OUTPUT, craft.name("o"), value_type=wanted)
    if land.module.name:
        node.is_sensitive = craft.wants("sensitive output of a module", 8)
    node.arguments["value"] = land.expression(wanted)
    ephemeral = [one for one in land.module.alive() if one.is_ephemeral]
    if land.module.name and ephemeral and craft.wants("ephemeral output", 40):
        _make_ephemeral(land, node, ephemeral)
    if craft.wants("precondition of an output", 10):
        node.conditions += _conditions(land, "precondition")
    if craft.wants("depends_on of an output", 12):
        node.depends_on = craft.chooser.some(land.module.alive(Sort.MANAGED, Sort.CALL), 2)
    return land.add(node)


def _make_ephemeral(land: Land, node: Node, sources: list[Node]) -> None:
    """An output that is declared so must have a value that is ephemeral as a whole."""
    assert node.value_type is not None
    reference = reference_to(land.craft, node.value_type, land.wish(may_be_ephemeral=True), sources)
    if reference is not None:
        node.is_ephemeral, node.is_sensitive = True, False
        node.arguments["value"] = Expression((reference,))


def _conditions(land: Land, name: str) -> list[Condition]:
    """One that usually holds; the feature says where it may not. A condition must refer to something, so where there is
    nothing there is none."""
    craft = land.craft
    reference = reference_to(craft, STRING, land.wish(depth=1))
    if reference is None:
        return []
    if craft.wants("condition that may fail", 12):
        wanted = Expression((reference, " == ", *make_expression(craft, STRING, land.wish(depth=1)).parts))
        return [Condition(name, wanted, Expression(("nonsensitive(", reference, ")")))]
    return [Condition(name, Expression((reference, ' != "never"')), Expression((quoted(f"{name} does not hold"),)))]


def _check(land: Land) -> Node | None:
    node = Node(Sort.CHECK, land.craft.name("c"))
    if land.has_simcloud and land.craft.wants("data in a check", 40):
        node.nested_data, condition = _nested_data(land)
        node.conditions.append(Condition("assert", condition, Expression((quoted("it does not exist"),))))
    else:
        node.conditions += _conditions(land, "assert")
    return land.add(node) if node.conditions else None


def _nested_data(land: Land) -> tuple[Node, Expression]:
    """Data of a check, and what is checked of it. That they cannot be read is a warning there."""
    if land.craft.wants("failing data in a check", 30):
        inner = Node(Sort.DATA, land.craft.name("d"), "simcloud_failing")
        inner.cloud_name = inner.name
        return inner, Expression((Reference(inner, ".result", STRING), ' != "never"'))
    inner = Node(Sort.DATA, land.craft.name("d"), "simcloud_live")
    inner.arguments["identifier"] = land.expression(STRING)
    return inner, Expression((Reference(inner, ".exists", BOOL),))


# Resources


def new_resource(land: Land, sort: Sort, type_name: str = "") -> Node | None:
    craft = land.craft
    if sort is Sort.DATA:
        if not land.has_simcloud:
            return None
        type_name = type_name or craft.pick(_DATA)
    elif not type_name:
        type_name = craft.pick(_MANAGED) if land.has_simcloud else "terraform_data"
    node = Node(sort, craft.name("d" if sort is Sort.DATA else "r"), type_name)
    node.cloud_name = node.name
    node.is_sensitive = type_name in _SENSITIVE
    node.repeat = _repeat(land)
    node.provider = _provider_for(land, node)
    fill_arguments(land, node)
    if sort is Sort.MANAGED and node.repeat is not None and craft.wants("instances that differ", 40):
        _differ(land, node)
    if sort is Sort.MANAGED and craft.wants("plain dependency", 50):
        depend(land, node, land.module.alive(Sort.MANAGED))
    _order(land, node)
    if sort is Sort.MANAGED:
        _lifecycle(land, node)
        _provisioners(land, node)
    elif craft.wants("condition of a data source", 12):
        node.conditions.append(_own_condition(land, node, "postcondition"))
    return land.add(node)


def _repeat(land: Land) -> Repeat | None:
    craft = land.craft
    if not craft.wants("repeated resource", 30):
        return None
    repetition = Repetition(
        craft.pick([(Repetition.COUNT, 4), (Repetition.SET, 3), (Repetition.MAP, 2), (Repetition.CHAIN, 2)])
    )
    if repetition is Repetition.CHAIN:
        sources = [
            one
            for one in land.module.alive(Sort.MANAGED)
            if one.repeat is not None and one.repeat.repetition is not Repetition.COUNT
        ]
        source = craft.chooser.choice(sources) if sources else None
        return Repeat(repetition if source is not None else Repetition.SET, new_keys(craft), source)
    holders = [one for one in land.module.alive(Sort.LOCAL) if one.keys]
    source = craft.chooser.choice(holders) if holders and craft.wants("keys from a value", 50) else None
    return Repeat(repetition, new_keys(craft), source)


def new_keys(craft: GenerationContext) -> list[str]:
    if craft.wants("no instances", 8):
        return []
    return sorted(craft.chooser.some(KEYS, 3))


def fill_arguments(land: Land, node: Node) -> None:
    """Every argument and block of the schema, by chance; what is required for sure. A listing is of what nobody
    touches: read while something is applied, it would tell of whatever the schedule has done by then."""
    craft = land.craft
    if node.type == "terraform_data":
        _fill_terraform_data(land, node)
        return
    block = schema_of(node.sort, node.type)
    node.arguments, node.nests = {}, []
    for name, attribute in block.attributes.items():
        if name in ("id", "name") or not (attribute.required or attribute.optional):
            continue
        if name == "parent":
            node.arguments[name] = _parent(land)
        elif name == "identifier":
            node.arguments[name] = _identifier(land)
        elif node.type == "simcloud_listing":
            node.arguments[name] = Expression((quoted("listed-"),))
        elif attribute.required or craft.chooser.chance(60):
            node.arguments[name] = _argument(land, attribute)
    if node.type == "simcloud_dynamic":
        node.value_type = craft.chooser.choice(_VALUE_TYPES)
        node.arguments["input"] = land.expression(node.value_type)
    for name, nested in block.block_types.items():
        node.nests += _nests(land, name, nested)


def depend(land: Land, node: Node, others: Sequence[Node]) -> None:
    """One argument is an attribute of another resource and nothing else: what happens to one object then meets what
    happens to the other, in all combinations."""
    reference = reference_to(land.craft, STRING, land.wish(), others)
    if reference is not None:
        _set_text(node, Expression((reference,)))


def _differ(land: Land, node: Node) -> None:
    """One argument tells the key of the instance, or what is found under it, as people write it."""
    own = land.craft.chooser.choice((OWN_VALUE, OWN_KEY))
    _set_text(node, Expression(('"of-${', own, '}"')))


def _set_text(node: Node, value: Expression) -> None:
    """The first argument that takes a text, where there is one."""
    name = next((name for name in SIMPLE_ARGUMENTS if takes_text(node, name)), None)
    if name is None:
        return
    if name == "input":
        node.value_type = STRING
    node.arguments[name] = value


SIMPLE_ARGUMENTS: Final = ("input", "value", "trigger", "text", "zone", "label", "replaced", "secret")
"""Texts, of which a resource type has one or two. Some replace the object when they change, some do not."""


def takes_text(node: Node, name: str) -> bool:
    attribute = schema_of(node.sort, node.type).attributes.get(name)
    return attribute is not None and attribute.type in (STRING, DYNAMIC) and not attribute.write_only


def _fill_terraform_data(land: Land, node: Node) -> None:
    node.arguments, node.value_type = {}, None
    if land.craft.chooser.chance(75):
        node.value_type = land.craft.chooser.choice(_VALUE_TYPES)
        node.arguments["input"] = land.expression(node.value_type)
    if land.craft.wants("triggers_replace", 40):
        node.arguments["triggers_replace"] = land.expression(DYNAMIC)


def _parent(land: Land) -> Expression:
    """Of a child: a parent if there is one, made for it if not."""
    parents = [one for one in land.module.alive(Sort.MANAGED) if one.type in PARENTS and one.provider is None]
    parents = [one for one in parents if one.repeat is None or one.repeat.current_keys]
    if not parents:
        parent = new_resource(land, Sort.MANAGED, land.craft.pick([(name, 1) for name in PARENTS]))
        assert parent is not None
        parent.repeat, parent.provider = None, None
        parents = [parent]
    return Expression((Reference(land.craft.chooser.choice(parents), ".id", STRING, 0),))


def _identifier(land: Land) -> Expression:
    found = reference_to(land.craft, STRING, land.wish(), land.module.alive(Sort.MANAGED))
    return land.expression(STRING) if found is None else Expression((_identity_of(found),))


def _identity_of(reference: Reference) -> Reference:
    """The id of the same object."""
    return Reference(reference.target, ".id", STRING, reference.style)


def _argument(land: Land, attribute: Attribute) -> Expression:
    if attribute.nested is not None:
        return _nested_value(land, attribute.nested)
    assert attribute.type is not None
    if attribute.write_only and land.craft.wants("ephemeral value in a write-only argument", 60):
        return land.expression(attribute.type, may_be_ephemeral=True)
    if land.craft.wants("null argument", 4) and attribute.optional:
        return Expression(("null",))
    if land.craft.wants("sensitive argument", 4):
        return Expression(("sensitive(", *land.expression(attribute.type).parts, ")"), is_sensitive=True)
    return land.expression(attribute.type)


def _nested_value(land: Land, nested: NestedAttributes) -> Expression:
    """Of an attribute with a nested type: what may be set of it."""

    def one() -> tuple[str | Reference | OwnKey, ...]:
        parts: list[str | Reference | OwnKey] = ["{ "]
        for name, part in nested.attributes.items():
            if (part.optional or part.required) and part.type is not None:
                parts += [f"{name} = ", *land.expression(part.type).parts, ", "]
        return (*parts, "}")

    match nested.nesting:
        case Nesting.SINGLE | Nesting.GROUP:
            return Expression(one())
        case Nesting.MAP:
            return Expression(("{ k = ", *one(), ", l = ", *one(), " }"))
    return Expression(("[", *one(), ", ", *one(), "]"))


def _nests(land: Land, name: str, nested: BlockType) -> list[Nest]:
    craft = land.craft
    most = 1 if nested.nesting in (Nesting.SINGLE, Nesting.GROUP) else nested.max_items or 2
    number = craft.chooser.integer(nested.min_items, most)
    if number and most > 1 and craft.wants("dynamic block", 35):
        keys = tuple(sorted(craft.chooser.some(KEYS, most)))
        over = land.expression(LIST) if not nested.max_items and craft.wants("dynamic block over a value", 40) else None
        return [replace(_nest(land, name, nested, 0, keys), over=over)]
    return [_nest(land, name, nested, index) for index in range(number)]


def _nest(land: Land, name: str, nested: BlockType, index: int, each: tuple[str, ...] | None = None) -> Nest:
    arguments: dict[str, Expression] = {}
    for part, attribute in nested.block.attributes.items():
        if not (attribute.required or attribute.optional) or attribute.type is None:
            continue
        if part in ("key", "user", "kind"):
            text = f'"{part}-{index}"' if each is None else f'"{part}-${{{name}.value}}"'
            arguments[part] = Expression((text,))
        elif attribute.required or land.craft.chooser.chance(60):
            arguments[part] = land.expression(STRING if attribute.type == DYNAMIC else attribute.type)
    label = f"l{index}" if nested.nesting is Nesting.MAP else ""
    inner = [one for below, more in nested.block.block_types.items() for one in _nests(land, below, more)]
    return Nest(name, arguments, label, inner, each)


def may_choose_provider(node: Node) -> bool:
    """Children live where their parents do."""
    return node.type.startswith("simcloud") and node.type not in ("simcloud_child", *PARENTS)


def _provider_for(land: Land, node: Node) -> Node | None:
    if not may_choose_provider(node):
        return None
    found = [one for one in land.module.alive(Sort.PROVIDER) if one.name]
    return land.craft.chooser.choice(found) if found and land.craft.wants("aliased provider", 35) else None


def _order(land: Land, node: Node) -> None:
    chances = {Sort.MANAGED: ("depends_on of a resource", 12), Sort.DATA: ("depends_on of a data source", 25)}
    feature, per_cent = chances.get(node.sort, ("depends_on of an ephemeral resource", 10))
    if land.craft.wants(feature, per_cent):
        calls = land.module.alive(Sort.CALL)
        known = calls if calls and land.craft.wants("depends_on a module", 40) else land.module.alive(*_AWAITED)
        node.depends_on = land.craft.chooser.some(known, 2)


def _lifecycle(land: Land, node: Node) -> None:
    craft = land.craft
    if craft.wants("create_before_destroy", 25):
        is_off = craft.wants("create_before_destroy = false", 15)
        node.lifecycle["create_before_destroy"] = "false" if is_off else "true"
    protected = [one for one in land.module.alive(Sort.MANAGED) if "prevent_destroy" in one.lifecycle]
    if craft.wants("prevent_destroy of several", 50) if protected else craft.wants("prevent_destroy", 5):
        node.lifecycle["prevent_destroy"] = "true"
    if craft.wants("ignore_changes", 10):
        node.lifecycle["ignore_changes"] = _ignored(land, node)
    if craft.wants("replace_triggered_by", 10):
        node.triggers = _triggers(land)
    if craft.wants("precondition", 6):
        node.conditions += _conditions(land, "precondition")
    if craft.wants("postcondition", 8):
        node.conditions.append(_own_condition(land, node, "postcondition"))


def _ignored(land: Land, node: Node) -> str:
    names = [name for name in node.arguments if name != "parent"]
    if not names or land.craft.wants("ignore_changes = all", 20):
        return "all"
    chosen = land.craft.chooser.some(names, 2)
    if land.craft.wants("ignore_changes of a part", 40):
        chosen = [f"{name}{_part(node, name)}" for name in chosen]
    return "[" + ", ".join(chosen) + "]"


def _part(node: Node, name: str) -> str:
    """What leads from an attribute to one of its elements, where its type has some."""
    attribute = schema_of(node.sort, node.type).attributes.get(name)
    wanted = None if attribute is None else attribute.type
    return '["one"]' if wanted == MAP else "[0]" if wanted == LIST else ""


def _triggers(land: Land) -> list[Reference]:
    found: list[Reference] = []
    for node in land.craft.chooser.some(land.module.alive(Sort.MANAGED), 2):
        paths = [path for path, _, _ in readable(node) if path.count(".") == 1]
        whole = land.craft.wants("replace_triggered_by a whole resource", 40)
        path = "" if whole or not paths else land.craft.chooser.choice(paths)
        found.append(Reference(node, path, STRING, land.craft.chooser.integer(0, 1)))
    return found


def _own_condition(land: Land, node: Node, name: str) -> Condition:
    path = land.craft.chooser.choice([path for path, _, _ in readable(node)] or [".id"])
    if land.craft.wants("condition that may fail", 22):
        return Condition(name, Expression((f"self{path} == null",)), Expression(('"own condition"',)))
    return Condition(name, Expression((f"self{path} != null || true",)), Expression(('"own condition"',)))


def _provisioners(land: Land, node: Node) -> None:
    craft = land.craft
    for at_destroy, feature in ((False, "provisioner"), (True, "provisioner at destroy")):
        if craft.wants(feature, 7):
            continues = craft.wants("on_failure = continue", 40)
            host = _host(land, at_destroy) if craft.wants("connection of a provisioner", 25) else None
            node.provisioners.append(Provisioner(_command(land, node, at_destroy), at_destroy, continues, host))
    if node.provisioners and craft.wants("connection of a resource", 20):
        node.host = _host(land, any(one.at_destroy for one in node.provisioners))


def _host(land: Land, at_destroy: bool) -> Expression:
    """Nobody connects to it, but it is evaluated."""
    if not at_destroy and land.craft.wants("reference in a connection", 50):
        may_be_ephemeral = land.craft.wants("ephemeral value in a connection", 40)
        return make_expression(land.craft, STRING, land.wish(depth=1, may_be_ephemeral=may_be_ephemeral))
    return Expression(("self.id",))


def _command(land: Land, node: Node, at_destroy: bool) -> Expression:
    """Only while an object is created a command may name anything else than itself."""
    if land.craft.wants("provisioner that fails", 25):
        return Expression((quoted("exit 3"),))
    if not at_destroy and land.craft.wants("own name in a provisioner", 15):
        return Expression(('"echo ${', Reference(node, ".id", STRING), '}"'))
    if not at_destroy and land.craft.wants("reference in a provisioner", 30):
        return Expression(('"echo ${', *make_expression(land.craft, STRING, land.wish(depth=1)).parts, '}"'))
    return Expression((quoted(f"echo {node.name} ${{self.id}}"),))


# Ephemeral resources and providers


def _ephemeral(land: Land) -> Node | None:
    if not land.has_simcloud:
        return None
    refuses = land.craft.wants("ephemeral that cannot be renewed", 15)
    type_name = "simcloud_unrenewable" if refuses else "simcloud_token"
    node = Node(Sort.EPHEMERAL, land.craft.name("e"), type_name, is_ephemeral=True)
    node.cloud_name = node.name
    if refuses or land.craft.wants("ephemeral that is renewed", 30):
        node.arguments["lifetime"] = Expression(("10",))
    node.repeat = _repeat(land) if land.craft.wants("repeated ephemeral resource", 30) else None
    _order(land, node)
    return land.add(node)


def _provider(land: Land) -> Node | None:
    """Only the root has configurations; the one without an alias comes once."""
    if not land.has_simcloud or land.module.name:
        return None
    has_default = any(not one.name for one in land.module.alive(Sort.PROVIDER))
    name = land.craft.name("p") if has_default or land.craft.wants("provider alias", 70) else ""
    node = Node(Sort.PROVIDER, name, "simcloud")
    if land.craft.chooser.chance(70):
        node.arguments["region"] = _region(land, node)
    if land.craft.wants("ephemeral value in a provider", 30):
        node.arguments["token"] = _token(land, node)
    if land.craft.wants("provider that refuses", 8):
        node.arguments["refuse"] = Expression((quoted(land.craft.chooser.choice(("configure", "validate"))),))
    elif land.craft.wants("provider that must be known", 8):
        node.arguments["require_known"] = Expression(("true",))
    return land.add(node)


def _token(land: Land, node: Node) -> Expression:
    """From variables, or from an ephemeral resource of the usual configuration: others might need this provider."""
    sources = land.module.alive(Sort.VARIABLE)
    if node.name:
        sources += [one for one in land.module.alive(Sort.EPHEMERAL) if one.provider is None and not one.depends_on]
    return make_expression(land.craft, STRING, Wish(sources, 1, may_be_ephemeral=True))


def _region(land: Land, node: Node) -> Expression:
    """From a resource it is unknown until that is applied, from data until they are read. A resource of the very
    provider would be a cycle, and so would be data of the usual one."""
    if land.craft.wants("provider from a resource", 35):
        sources = [one for one in land.module.alive(Sort.MANAGED) if one.type == "terraform_data"]
        sources = [one for one in sources if all(not value.references for value in one.arguments.values())]
        if node.name and land.craft.wants("provider from data", 40):
            known = [one for one in land.module.alive(Sort.DATA) if one.type == "simcloud_pure"]
            sources = [one for one in known if one.provider is None and not one.depends_on] or sources
        found = reference_to(land.craft, STRING, land.wish(), sources)
        if found is not None:
            return Expression((found,))
    return Expression((quoted(land.craft.chooser.choice(("eu", "us"))),))
