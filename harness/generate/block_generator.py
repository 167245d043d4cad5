"""Nodes of a configuration, one after the other, each made of what is there before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from harness.generate.choices import GenerationContext
from harness.generate.expression_generator import ExpressionSpec, choose_reference, make_expression
from harness.generate.model import (
    OWN_KEY,
    OWN_VALUE,
    BlockKind,
    ModelBlock,
    ModelCondition,
    ModelExpression,
    ModelModule,
    ModelProvisioner,
    ModelReference,
    NestedBlock,
    OwnKey,
    Repeat,
    RepetitionKind,
)
from harness.generate.printing import quoted
from harness.generate.referable_attributes import LIST, MAP, referable_attributes, schema_of
from shared_nodes.providers.schema import Attribute, BlockType, NestedAttributes, Nesting
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, Type

__all__ = [
    "KEYS",
    "LISTED",
    "PARENTS",
    "TEXT_ARGUMENTS",
    "ModuleBuilder",
    "add_block",
    "add_dependency",
    "add_resource",
    "fill_arguments",
    "may_choose_provider",
    "new_keys",
    "takes_string",
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
_AWAITED: Final = (BlockKind.MANAGED, BlockKind.CALL, BlockKind.DATA)
PARENTS: Final = ("simcloud_parent", "simcloud_cascading_parent")
LISTED: Final = ({"type": "simcloud_updated", "name": "listed-a"}, {"type": "simcloud_replaced", "name": "listed-b"})
"""What lives in the cloud before every story that lists it, and stays."""


@dataclass(slots=True)
class ModuleBuilder:
    """Where nodes grow: a module, and what its provider configurations are."""

    context: GenerationContext
    module: ModelModule
    has_simcloud: bool = True
    depth: int = 0

    def expression_spec(
        self, *, depth: int = 2, is_static: bool = False, may_be_ephemeral: bool = False
    ) -> ExpressionSpec:
        return ExpressionSpec(self.module.live_blocks(), depth, is_static, may_be_ephemeral, self.has_simcloud)

    def make_expression(self, wanted: Type, *, may_be_ephemeral: bool = False) -> ModelExpression:
        return make_expression(self.context, wanted, self.expression_spec(may_be_ephemeral=may_be_ephemeral))

    def choose_block(self, *kinds: BlockKind) -> ModelBlock | None:
        """One that may be edited: every module has a prefix, and keeps it."""
        found = [block for block in self.module.live_blocks(*kinds) if block.name != "prefix"]
        return self.context.chooser.choice(found) if found else None

    def add(self, block: ModelBlock) -> ModelBlock:
        self.module.blocks.append(block)
        return block


def add_block(builder: ModuleBuilder, kind: BlockKind) -> ModelBlock | None:
    """One more node of that sort; None where there can be none. Calls are grown by who makes modules."""
    match kind:
        case BlockKind.VARIABLE:
            return _add_variable(builder)
        case BlockKind.LOCAL:
            return _add_local(builder)
        case BlockKind.MANAGED | BlockKind.DATA:
            return add_resource(builder, kind)
        case BlockKind.EPHEMERAL:
            return _add_ephemeral_resource(builder)
        case BlockKind.PROVIDER:
            return _add_provider(builder)
        case BlockKind.OUTPUT:
            return _add_output(builder)
        case BlockKind.CHECK:
            return _add_check(builder)
    return None


# Values


def _add_variable(builder: ModuleBuilder) -> ModelBlock:
    context = builder.context
    wanted = context.chooser.choice(_VALUE_TYPES)
    block = ModelBlock(BlockKind.VARIABLE, context.new_name("v"), value_type=wanted, is_static=True)
    block.arguments["default"] = make_expression(
        context, wanted, ExpressionSpec((), 0, has_simcloud=builder.has_simcloud)
    )
    if context.chance("sensitive variable", 20):
        block.is_sensitive, block.is_static = True, False
    elif context.chance("ephemeral variable", 10):
        block.is_ephemeral, block.is_static = True, False
    if context.chance("nullable = false", 20):
        block.lifecycle["nullable"] = "false"
    if context.chance("variable validation", 20):
        block.conditions.append(_make_validation(builder, block))
    block.is_static = block.is_static and not builder.module.name
    return builder.add(block)


def _make_validation(builder: ModuleBuilder, block: ModelBlock) -> ModelCondition:
    """Of a variable, which may look at other variables as well."""
    assert block.value_type is not None
    own = ModelReference(block, "", block.value_type)
    scalars: dict[Type, str] = {STRING: ' != "refused"', NUMBER: " < 100", BOOL: " != null"}
    tail = scalars.get(block.value_type)
    parts: tuple[str | ModelReference, ...] = ("length(", own, ") < 50") if tail is None else (own, tail)
    others = [one for one in builder.module.live_blocks(BlockKind.VARIABLE) if one.is_ephemeral <= block.is_ephemeral]
    other = (
        choose_reference(builder.context, STRING, ExpressionSpec(others))
        if builder.context.chance("validation by two", 30)
        else None
    )
    if other is not None:
        parts = (*parts, " && ", other, ' != "refused"')
    return ModelCondition(
        "validation", ModelExpression(parts), ModelExpression((quoted(f"{block.name} must be accepted"),))
    )


def _add_local(builder: ModuleBuilder) -> ModelBlock:
    context = builder.context
    if context.chance("keys in a local", 25):
        keys = new_keys(context)
        return builder.add(
            ModelBlock(BlockKind.LOCAL, context.new_name("l"), keys=keys, value_type=None, is_static=True)
        )
    wanted = context.chooser.choice(_VALUE_TYPES)
    is_ephemeral = context.chance("ephemeral local", 5)
    block = ModelBlock(BlockKind.LOCAL, context.new_name("l"), value_type=wanted, is_ephemeral=is_ephemeral)
    block.arguments["value"] = value = builder.make_expression(wanted, may_be_ephemeral=is_ephemeral)
    block.is_static = not is_ephemeral and not value.is_sensitive and _is_static(value)
    return builder.add(block)


def _is_static(value: ModelExpression) -> bool:
    texts = [part for part in value.parts if isinstance(part, str)]
    return all(one.target.is_static for one in value.references) and not any("timestamp" in text for text in texts)


def _add_output(builder: ModuleBuilder) -> ModelBlock:
    context = builder.context
    wanted = context.chooser.choice(_VALUE_TYPES)
    block = ModelBlock(BlockKind.OUTPUT, context.new_name("o"), value_type=wanted)
    if builder.module.name:
        block.is_sensitive = context.chance("sensitive output of a module", 8)
    block.arguments["value"] = builder.make_expression(wanted)
    ephemeral = [one for one in builder.module.live_blocks() if one.is_ephemeral]
    if builder.module.name and ephemeral and context.chance("ephemeral output", 40):
        _show_ephemeral_value(builder, block, ephemeral)
    if context.chance("precondition of an output", 10):
        block.conditions += _make_conditions(builder, "precondition")
    if context.chance("depends_on of an output", 12):
        block.depends_on = context.chooser.some(builder.module.live_blocks(BlockKind.MANAGED, BlockKind.CALL), 2)
    return builder.add(block)


def _show_ephemeral_value(builder: ModuleBuilder, block: ModelBlock, sources: list[ModelBlock]) -> None:
    """An output that is declared so must have a value that is ephemeral as a whole."""
    assert block.value_type is not None
    reference = choose_reference(
        builder.context, block.value_type, builder.expression_spec(may_be_ephemeral=True), sources
    )
    if reference is not None:
        block.is_ephemeral, block.is_sensitive = True, False
        block.arguments["value"] = ModelExpression((reference,))


def _make_conditions(builder: ModuleBuilder, name: str) -> list[ModelCondition]:
    """One that usually holds; the feature says where it may not. A condition must refer to something, so where there is
    nothing there is none."""
    context = builder.context
    reference = choose_reference(context, STRING, builder.expression_spec(depth=1))
    if reference is None:
        return []
    if context.chance("condition that may fail", 12):
        wanted = ModelExpression(
            (reference, " == ", *make_expression(context, STRING, builder.expression_spec(depth=1)).parts)
        )
        return [ModelCondition(name, wanted, ModelExpression(("nonsensitive(", reference, ")")))]
    return [
        ModelCondition(
            name, ModelExpression((reference, ' != "never"')), ModelExpression((quoted(f"{name} does not hold"),))
        )
    ]


def _add_check(builder: ModuleBuilder) -> ModelBlock | None:
    block = ModelBlock(BlockKind.CHECK, builder.context.new_name("c"))
    if builder.has_simcloud and builder.context.chance("data in a check", 40):
        block.nested_data, condition = _make_checked_data(builder)
        block.conditions.append(ModelCondition("assert", condition, ModelExpression((quoted("it does not exist"),))))
    else:
        block.conditions += _make_conditions(builder, "assert")
    return builder.add(block) if block.conditions else None


def _make_checked_data(builder: ModuleBuilder) -> tuple[ModelBlock, ModelExpression]:
    """Data of a check, and what is checked of it. That they cannot be read is a warning there."""
    if builder.context.chance("failing data in a check", 30):
        inner = ModelBlock(BlockKind.DATA, builder.context.new_name("d"), "simcloud_failing")
        inner.cloud_name = inner.name
        return inner, ModelExpression((ModelReference(inner, ".result", STRING), ' != "never"'))
    inner = ModelBlock(BlockKind.DATA, builder.context.new_name("d"), "simcloud_live")
    inner.arguments["identifier"] = builder.make_expression(STRING)
    return inner, ModelExpression((ModelReference(inner, ".exists", BOOL),))


# Resources


def add_resource(builder: ModuleBuilder, kind: BlockKind, type_name: str = "") -> ModelBlock | None:
    context = builder.context
    if kind is BlockKind.DATA:
        if not builder.has_simcloud:
            return None
        type_name = type_name or context.pick_feature(_DATA)
    elif not type_name:
        type_name = context.pick_feature(_MANAGED) if builder.has_simcloud else "terraform_data"
    block = ModelBlock(kind, context.new_name("d" if kind is BlockKind.DATA else "r"), type_name)
    block.cloud_name = block.name
    block.is_sensitive = type_name in _SENSITIVE
    block.repeat = _choose_repetition(builder)
    block.provider = _choose_provider(builder, block)
    fill_arguments(builder, block)
    if kind is BlockKind.MANAGED and block.repeat is not None and context.chance("instances that differ", 40):
        _vary_by_key(builder, block)
    if kind is BlockKind.MANAGED and context.chance("plain dependency", 50):
        add_dependency(builder, block, builder.module.live_blocks(BlockKind.MANAGED))
    _add_depends_on(builder, block)
    if kind is BlockKind.MANAGED:
        _add_lifecycle(builder, block)
        _add_provisioners(builder, block)
    elif context.chance("condition of a data source", 12):
        block.conditions.append(_make_own_condition(builder, block, "postcondition"))
    return builder.add(block)


def _choose_repetition(builder: ModuleBuilder) -> Repeat | None:
    context = builder.context
    if not context.chance("repeated resource", 30):
        return None
    repetition = RepetitionKind(
        context.pick_feature(
            [(RepetitionKind.COUNT, 4), (RepetitionKind.SET, 3), (RepetitionKind.MAP, 2), (RepetitionKind.CHAIN, 2)]
        )
    )
    if repetition is RepetitionKind.CHAIN:
        sources = [
            one
            for one in builder.module.live_blocks(BlockKind.MANAGED)
            if one.repeat is not None and one.repeat.repetition is not RepetitionKind.COUNT
        ]
        source = context.chooser.choice(sources) if sources else None
        return Repeat(repetition if source is not None else RepetitionKind.SET, new_keys(context), source)
    holders = [one for one in builder.module.live_blocks(BlockKind.LOCAL) if one.keys]
    source = context.chooser.choice(holders) if holders and context.chance("keys from a value", 50) else None
    return Repeat(repetition, new_keys(context), source)


def new_keys(context: GenerationContext) -> list[str]:
    if context.chance("no instances", 8):
        return []
    return sorted(context.chooser.some(KEYS, 3))


def fill_arguments(builder: ModuleBuilder, block: ModelBlock) -> None:
    """Every argument and block of the schema, by chance; what is required for sure. A listing is of what nobody
    touches: read while something is applied, it would tell of whatever the schedule has done by then."""
    context = builder.context
    if block.type == "terraform_data":
        _fill_terraform_data(builder, block)
        return
    schema = schema_of(block.kind, block.type)
    block.arguments, block.nested_blocks = {}, []
    for name, attribute in schema.attributes.items():
        if name in ("id", "name") or not (attribute.required or attribute.optional):
            continue
        if name == "parent":
            block.arguments[name] = _choose_parent(builder)
        elif name == "identifier":
            block.arguments[name] = _choose_identifier(builder)
        elif block.type == "simcloud_listing":
            block.arguments[name] = ModelExpression((quoted("listed-"),))
        elif attribute.required or context.chooser.chance(60):
            block.arguments[name] = _make_argument(builder, attribute)
    if block.type == "simcloud_dynamic":
        block.value_type = context.chooser.choice(_VALUE_TYPES)
        block.arguments["input"] = builder.make_expression(block.value_type)
    for name, nested in schema.block_types.items():
        block.nested_blocks += _make_nested_blocks(builder, name, nested)


def add_dependency(builder: ModuleBuilder, block: ModelBlock, others: Sequence[ModelBlock]) -> None:
    """One argument is an attribute of another resource and nothing else: what happens to one object then meets what
    happens to the other, in all combinations."""
    reference = choose_reference(builder.context, STRING, builder.expression_spec(), others)
    if reference is not None:
        _set_first_text(block, ModelExpression((reference,)))


def _vary_by_key(builder: ModuleBuilder, block: ModelBlock) -> None:
    """One argument tells the key of the instance, or what is found under it, as people write it."""
    own = builder.context.chooser.choice((OWN_VALUE, OWN_KEY))
    _set_first_text(block, ModelExpression(('"of-${', own, '}"')))


def _set_first_text(block: ModelBlock, value: ModelExpression) -> None:
    """The first argument that takes a text, where there is one."""
    name = next((name for name in TEXT_ARGUMENTS if takes_string(block, name)), None)
    if name is None:
        return
    if name == "input":
        block.value_type = STRING
    block.arguments[name] = value


TEXT_ARGUMENTS: Final = ("input", "value", "trigger", "text", "zone", "label", "replaced", "secret")
"""Texts, of which a resource type has one or two. Some replace the object when they change, some do not."""


def takes_string(block: ModelBlock, name: str) -> bool:
    attribute = schema_of(block.kind, block.type).attributes.get(name)
    return attribute is not None and attribute.type in (STRING, DYNAMIC) and not attribute.write_only


def _fill_terraform_data(builder: ModuleBuilder, block: ModelBlock) -> None:
    block.arguments, block.value_type = {}, None
    if builder.context.chooser.chance(75):
        block.value_type = builder.context.chooser.choice(_VALUE_TYPES)
        block.arguments["input"] = builder.make_expression(block.value_type)
    if builder.context.chance("triggers_replace", 40):
        block.arguments["triggers_replace"] = builder.make_expression(DYNAMIC)


def _choose_parent(builder: ModuleBuilder) -> ModelExpression:
    """Of a child: a parent if there is one, made for it if not."""
    parents = [
        one for one in builder.module.live_blocks(BlockKind.MANAGED) if one.type in PARENTS and one.provider is None
    ]
    parents = [one for one in parents if one.repeat is None or one.repeat.current_keys]
    if not parents:
        parent = add_resource(builder, BlockKind.MANAGED, builder.context.pick_feature([(name, 1) for name in PARENTS]))
        assert parent is not None
        parent.repeat, parent.provider = None, None
        parents = [parent]
    return ModelExpression((ModelReference(builder.context.chooser.choice(parents), ".id", STRING, 0),))


def _choose_identifier(builder: ModuleBuilder) -> ModelExpression:
    found = choose_reference(
        builder.context, STRING, builder.expression_spec(), builder.module.live_blocks(BlockKind.MANAGED)
    )
    return builder.make_expression(STRING) if found is None else ModelExpression((_reference_id(found),))


def _reference_id(reference: ModelReference) -> ModelReference:
    """The id of the same object."""
    return ModelReference(reference.target, ".id", STRING, reference.style)


def _make_argument(builder: ModuleBuilder, attribute: Attribute) -> ModelExpression:
    if attribute.nested is not None:
        return _make_nested_value(builder, attribute.nested)
    assert attribute.type is not None
    if attribute.write_only and builder.context.chance("ephemeral value in a write-only argument", 60):
        return builder.make_expression(attribute.type, may_be_ephemeral=True)
    if builder.context.chance("null argument", 4) and attribute.optional:
        return ModelExpression(("null",))
    if builder.context.chance("sensitive argument", 4):
        return ModelExpression(("sensitive(", *builder.make_expression(attribute.type).parts, ")"), is_sensitive=True)
    return builder.make_expression(attribute.type)


def _make_nested_value(builder: ModuleBuilder, nested: NestedAttributes) -> ModelExpression:
    """Of an attribute with a nested type: what may be set of it."""

    def one() -> tuple[str | ModelReference | OwnKey, ...]:
        parts: list[str | ModelReference | OwnKey] = ["{ "]
        for name, part in nested.attributes.items():
            if (part.optional or part.required) and part.type is not None:
                parts += [f"{name} = ", *builder.make_expression(part.type).parts, ", "]
        return (*parts, "}")

    match nested.nesting:
        case Nesting.SINGLE | Nesting.GROUP:
            return ModelExpression(one())
        case Nesting.MAP:
            return ModelExpression(("{ k = ", *one(), ", l = ", *one(), " }"))
    return ModelExpression(("[", *one(), ", ", *one(), "]"))


def _make_nested_blocks(builder: ModuleBuilder, name: str, nested: BlockType) -> list[NestedBlock]:
    context = builder.context
    most = 1 if nested.nesting in (Nesting.SINGLE, Nesting.GROUP) else nested.max_items or 2
    number = context.chooser.integer(nested.min_items, most)
    if number and most > 1 and context.chance("dynamic block", 35):
        keys = tuple(sorted(context.chooser.some(KEYS, most)))
        over = (
            builder.make_expression(LIST)
            if not nested.max_items and context.chance("dynamic block over a value", 40)
            else None
        )
        return [replace(_make_nested_block(builder, name, nested, 0, keys), over=over)]
    return [_make_nested_block(builder, name, nested, index) for index in range(number)]


def _make_nested_block(
    builder: ModuleBuilder, name: str, nested: BlockType, index: int, each: tuple[str, ...] | None = None
) -> NestedBlock:
    arguments: dict[str, ModelExpression] = {}
    for part, attribute in nested.block.attributes.items():
        if not (attribute.required or attribute.optional) or attribute.type is None:
            continue
        if part in ("key", "user", "kind"):
            text = f'"{part}-{index}"' if each is None else f'"{part}-${{{name}.value}}"'
            arguments[part] = ModelExpression((text,))
        elif attribute.required or builder.context.chooser.chance(60):
            arguments[part] = builder.make_expression(STRING if attribute.type == DYNAMIC else attribute.type)
    label = f"l{index}" if nested.nesting is Nesting.MAP else ""
    inner = [
        one for below, more in nested.block.block_types.items() for one in _make_nested_blocks(builder, below, more)
    ]
    return NestedBlock(name, arguments, label, inner, each)


def may_choose_provider(block: ModelBlock) -> bool:
    """Children live where their parents do."""
    return block.type.startswith("simcloud") and block.type not in ("simcloud_child", *PARENTS)


def _choose_provider(builder: ModuleBuilder, block: ModelBlock) -> ModelBlock | None:
    if not may_choose_provider(block):
        return None
    found = [one for one in builder.module.live_blocks(BlockKind.PROVIDER) if one.name]
    return builder.context.chooser.choice(found) if found and builder.context.chance("aliased provider", 35) else None


def _add_depends_on(builder: ModuleBuilder, block: ModelBlock) -> None:
    chances = {BlockKind.MANAGED: ("depends_on of a resource", 12), BlockKind.DATA: ("depends_on of a data source", 25)}
    feature, per_cent = chances.get(block.kind, ("depends_on of an ephemeral resource", 10))
    if builder.context.chance(feature, per_cent):
        calls = builder.module.live_blocks(BlockKind.CALL)
        known = (
            calls
            if calls and builder.context.chance("depends_on a module", 40)
            else builder.module.live_blocks(*_AWAITED)
        )
        block.depends_on = builder.context.chooser.some(known, 2)


def _add_lifecycle(builder: ModuleBuilder, block: ModelBlock) -> None:
    context = builder.context
    if context.chance("create_before_destroy", 25):
        is_off = context.chance("create_before_destroy = false", 15)
        block.lifecycle["create_before_destroy"] = "false" if is_off else "true"
    protected = [one for one in builder.module.live_blocks(BlockKind.MANAGED) if "prevent_destroy" in one.lifecycle]
    if context.chance("prevent_destroy of several", 50) if protected else context.chance("prevent_destroy", 5):
        block.lifecycle["prevent_destroy"] = "true"
    if context.chance("ignore_changes", 10):
        block.lifecycle["ignore_changes"] = _choose_ignored(builder, block)
    if context.chance("replace_triggered_by", 10):
        block.triggers = _choose_triggers(builder)
    if context.chance("precondition", 6):
        block.conditions += _make_conditions(builder, "precondition")
    if context.chance("postcondition", 8):
        block.conditions.append(_make_own_condition(builder, block, "postcondition"))


def _choose_ignored(builder: ModuleBuilder, block: ModelBlock) -> str:
    names = [name for name in block.arguments if name != "parent"]
    if not names or builder.context.chance("ignore_changes = all", 20):
        return "all"
    chosen = builder.context.chooser.some(names, 2)
    if builder.context.chance("ignore_changes of a part", 40):
        chosen = [f"{name}{_element_path(block, name)}" for name in chosen]
    return "[" + ", ".join(chosen) + "]"


def _element_path(block: ModelBlock, name: str) -> str:
    """What leads from an attribute to one of its elements, where its type has some."""
    attribute = schema_of(block.kind, block.type).attributes.get(name)
    wanted = None if attribute is None else attribute.type
    return '["one"]' if wanted == MAP else "[0]" if wanted == LIST else ""


def _choose_triggers(builder: ModuleBuilder) -> list[ModelReference]:
    found: list[ModelReference] = []
    for block in builder.context.chooser.some(builder.module.live_blocks(BlockKind.MANAGED), 2):
        paths = [path for path, _, _ in referable_attributes(block) if path.count(".") == 1]
        whole = builder.context.chance("replace_triggered_by a whole resource", 40)
        path = "" if whole or not paths else builder.context.chooser.choice(paths)
        found.append(ModelReference(block, path, STRING, builder.context.chooser.integer(0, 1)))
    return found


def _make_own_condition(builder: ModuleBuilder, block: ModelBlock, name: str) -> ModelCondition:
    path = builder.context.chooser.choice([path for path, _, _ in referable_attributes(block)] or [".id"])
    if builder.context.chance("condition that may fail", 22):
        return ModelCondition(name, ModelExpression((f"self{path} == null",)), ModelExpression(('"own condition"',)))
    return ModelCondition(
        name, ModelExpression((f"self{path} != null || true",)), ModelExpression(('"own condition"',))
    )


def _add_provisioners(builder: ModuleBuilder, block: ModelBlock) -> None:
    context = builder.context
    for at_destroy, feature in ((False, "provisioner"), (True, "provisioner at destroy")):
        if context.chance(feature, 7):
            continues = context.chance("on_failure = continue", 40)
            host = _make_host(builder, at_destroy) if context.chance("connection of a provisioner", 25) else None
            block.provisioners.append(
                ModelProvisioner(_make_command(builder, block, at_destroy), at_destroy, continues, host)
            )
    if block.provisioners and context.chance("connection of a resource", 20):
        block.host = _make_host(builder, any(one.at_destroy for one in block.provisioners))


def _make_host(builder: ModuleBuilder, at_destroy: bool) -> ModelExpression:
    """Nobody connects to it, but it is evaluated."""
    if not at_destroy and builder.context.chance("reference in a connection", 50):
        may_be_ephemeral = builder.context.chance("ephemeral value in a connection", 40)
        return make_expression(
            builder.context, STRING, builder.expression_spec(depth=1, may_be_ephemeral=may_be_ephemeral)
        )
    return ModelExpression(("self.id",))


def _make_command(builder: ModuleBuilder, block: ModelBlock, at_destroy: bool) -> ModelExpression:
    """Only while an object is created a command may name anything else than itself."""
    if builder.context.chance("provisioner that fails", 25):
        return ModelExpression((quoted("exit 3"),))
    if not at_destroy and builder.context.chance("own name in a provisioner", 15):
        return ModelExpression(('"echo ${', ModelReference(block, ".id", STRING), '}"'))
    if not at_destroy and builder.context.chance("reference in a provisioner", 30):
        return ModelExpression(
            ('"echo ${', *make_expression(builder.context, STRING, builder.expression_spec(depth=1)).parts, '}"')
        )
    return ModelExpression((quoted(f"echo {block.name} ${{self.id}}"),))


# Ephemeral resources and providers


def _add_ephemeral_resource(builder: ModuleBuilder) -> ModelBlock | None:
    if not builder.has_simcloud:
        return None
    refuses = builder.context.chance("ephemeral that cannot be renewed", 15)
    type_name = "simcloud_unrenewable" if refuses else "simcloud_token"
    block = ModelBlock(BlockKind.EPHEMERAL, builder.context.new_name("e"), type_name, is_ephemeral=True)
    block.cloud_name = block.name
    if refuses or builder.context.chance("ephemeral that is renewed", 30):
        block.arguments["lifetime"] = ModelExpression(("10",))
    block.repeat = _choose_repetition(builder) if builder.context.chance("repeated ephemeral resource", 30) else None
    _add_depends_on(builder, block)
    return builder.add(block)


def _add_provider(builder: ModuleBuilder) -> ModelBlock | None:
    """Only the root has configurations; the one without an alias comes once."""
    if not builder.has_simcloud or builder.module.name:
        return None
    has_default = any(not one.name for one in builder.module.live_blocks(BlockKind.PROVIDER))
    name = builder.context.new_name("p") if has_default or builder.context.chance("provider alias", 70) else ""
    block = ModelBlock(BlockKind.PROVIDER, name, "simcloud")
    if builder.context.chooser.chance(70):
        block.arguments["region"] = _make_region(builder, block)
    if builder.context.chance("ephemeral value in a provider", 30):
        block.arguments["token"] = _make_token(builder, block)
    if builder.context.chance("provider that refuses", 8):
        block.arguments["refuse"] = ModelExpression(
            (quoted(builder.context.chooser.choice(("configure", "validate"))),)
        )
    elif builder.context.chance("provider that must be known", 8):
        block.arguments["require_known"] = ModelExpression(("true",))
    return builder.add(block)


def _make_token(builder: ModuleBuilder, block: ModelBlock) -> ModelExpression:
    """From variables, or from an ephemeral resource of the usual configuration: others might need this provider."""
    sources = builder.module.live_blocks(BlockKind.VARIABLE)
    if block.name:
        sources += [
            one
            for one in builder.module.live_blocks(BlockKind.EPHEMERAL)
            if one.provider is None and not one.depends_on
        ]
    return make_expression(builder.context, STRING, ExpressionSpec(sources, 1, may_be_ephemeral=True))


def _make_region(builder: ModuleBuilder, block: ModelBlock) -> ModelExpression:
    """From a resource it is unknown until that is applied, from data until they are read. A resource of the very
    provider would be a cycle, and so would be data of the usual one."""
    if builder.context.chance("provider from a resource", 35):
        sources = [one for one in builder.module.live_blocks(BlockKind.MANAGED) if one.type == "terraform_data"]
        sources = [one for one in sources if all(not value.references for value in one.arguments.values())]
        if block.name and builder.context.chance("provider from data", 40):
            known = [one for one in builder.module.live_blocks(BlockKind.DATA) if one.type == "simcloud_pure"]
            sources = [one for one in known if one.provider is None and not one.depends_on] or sources
        found = choose_reference(builder.context, STRING, builder.expression_spec(), sources)
        if found is not None:
            return ModelExpression((found,))
    return ModelExpression((quoted(builder.context.chooser.choice(("eu", "us"))),))
