"""Managed resources and data sources. Arguments and nested blocks follow the schemas of their providers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from harness.generate.choices import GenerationContext
from harness.generate.condition_generator import make_own_condition
from harness.generate.enabled_generator import make_enabled
from harness.generate.expression_generator import choose_reference
from harness.generate.lifecycle_generator import add_lifecycle, add_provisioners
from harness.generate.model import (
    OWN_KEY,
    OWN_VALUE,
    BlockKind,
    ModelBlock,
    ModelExpression,
    ModelReference,
    NestedBlock,
    OwnKey,
    Repeat,
    RepetitionKind,
)
from harness.generate.module_builder import KEYS, VALUE_TYPES, ModuleBuilder, new_keys
from harness.generate.opentofu_values import choose_plain_name
from harness.generate.printing import quoted
from harness.generate.referable_attributes import LIST, schema_of
from shared_nodes.providers.schema import BlockType, NestedAttributes, Nesting, SchemaAttribute
from shared_nodes.values.types import DYNAMIC, STRING

__all__ = [
    "LISTED",
    "PARENTS",
    "TEXT_ARGUMENTS",
    "add_dependency",
    "add_depends_on",
    "add_resource",
    "choose_provider_instance",
    "choose_repetition",
    "fill_arguments",
    "may_choose_provider",
    "takes_string",
]

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
_AWAITED: Final = (BlockKind.MANAGED, BlockKind.CALL, BlockKind.DATA)
PARENTS: Final = ("simcloud_parent", "simcloud_cascading_parent")
LISTED: Final = ({"type": "simcloud_updated", "name": "listed-a"}, {"type": "simcloud_replaced", "name": "listed-b"})
"""Objects that exist in the cloud before every story with a listing. No story changes them."""

TEXT_ARGUMENTS: Final = ("input", "value", "trigger", "text", "zone", "label", "replaced", "secret")
"""Arguments of type string; a resource type has one or two of them. Some force a replacement when they change."""


def add_resource(builder: ModuleBuilder, kind: BlockKind, type_name: str = "") -> ModelBlock | None:
    """Add a managed resource or data source, of a random type unless one is given. None if there is no such type."""
    context = builder.context
    if kind is BlockKind.DATA:
        if not builder.has_simcloud:
            return None
        type_name = type_name or context.pick_feature(_DATA)
    elif not type_name:
        type_name = context.pick_feature(_MANAGED) if builder.has_simcloud else "terraform_data"
    name = choose_plain_name(context, context.new_name("d" if kind is BlockKind.DATA else "r"))
    block = ModelBlock(kind, name, type_name)
    block.cloud_name = block.name
    block.is_sensitive = type_name in _SENSITIVE
    block.repeat = choose_repetition(builder)
    _choose_provider(builder, block)
    fill_arguments(builder, block)
    if kind is BlockKind.MANAGED and block.repeat is not None and context.chance("instances that differ", 40):
        _vary_by_key(builder, block)
    if kind is BlockKind.MANAGED and context.chance("plain dependency", 50):
        add_dependency(builder, block, builder.module.live_blocks(BlockKind.MANAGED))
    add_depends_on(builder, block)
    if kind is BlockKind.MANAGED:
        add_lifecycle(builder, block)
        add_provisioners(builder, block)
    elif context.chance("condition of a data source", 12):
        block.conditions.append(make_own_condition(builder, block, "postcondition"))
    if block.type not in PARENTS and context.chance(f"opentofu: enabled {kind}", 20):
        block.settings["enabled"] = make_enabled(builder, block)
    return builder.add(block)


def choose_repetition(builder: ModuleBuilder) -> Repeat | None:
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


def _choose_provider(builder: ModuleBuilder, block: ModelBlock) -> None:
    """Let the resource use one of the provider configurations that have an alias, or one instance of it."""
    named = [one for one in builder.module.live_blocks(BlockKind.PROVIDER) if one.name]
    found = [one for one in named if may_choose_provider(block, one.type)]
    if not found or not builder.context.chance("aliased provider", 35):
        return
    block.provider = builder.context.chooser.choice(found)
    choose_provider_instance(builder.context, block, block.provider)


def choose_provider_instance(context: GenerationContext, block: ModelBlock, provider: ModelBlock) -> None:
    if provider.repeat is not None:
        context.used_features.add(f"opentofu: instance of a provider for a {block.kind}")
        block.provider_style = context.chooser.integer(0, 5)


def may_choose_provider(block: ModelBlock, provider_name: str) -> bool:
    """Whether the resource may use any configuration of the provider. Children must use that of their parent."""
    return block.type.startswith(f"{provider_name}_") and block.type not in ("simcloud_child", *PARENTS)


def add_depends_on(builder: ModuleBuilder, block: ModelBlock) -> None:
    chances = {BlockKind.MANAGED: ("depends_on of a resource", 12), BlockKind.DATA: ("depends_on of a data source", 25)}
    feature, per_cent = chances.get(block.kind, ("depends_on of an ephemeral resource", 10))
    if builder.context.chance(feature, per_cent):
        calls = builder.module.live_blocks(BlockKind.CALL)
        known = (
            calls
            if calls and builder.context.chance("depends_on a module", 40)
            else builder.module.live_blocks(*_AWAITED)
        )
        block.depends_on = builder.context.chooser.sample(known, 2)


def add_dependency(builder: ModuleBuilder, block: ModelBlock, others: Sequence[ModelBlock]) -> None:
    """Set one argument to an attribute of another resource and nothing else, so that changes of the two objects are
    combined."""
    reference = choose_reference(builder.context, STRING, builder.expression_spec(), others)
    if reference is not None:
        _set_first_text(block, ModelExpression((reference,)))


def _vary_by_key(builder: ModuleBuilder, block: ModelBlock) -> None:
    """Make one argument depend on the key or value of the instance, as real configurations do."""
    own = builder.context.chooser.choice((OWN_VALUE, OWN_KEY))
    _set_first_text(block, ModelExpression(('"of-${', own, '}"')))


def _set_first_text(block: ModelBlock, value: ModelExpression) -> None:
    """Set the first argument of type string, if the resource has one."""
    name = next((name for name in TEXT_ARGUMENTS if takes_string(block, name)), None)
    if name is None:
        return
    if name == "input":
        block.value_type = STRING
    block.arguments[name] = value


def takes_string(block: ModelBlock, name: str) -> bool:
    attribute = schema_of(block.kind, block.type).attributes.get(name)
    return attribute is not None and attribute.type in (STRING, DYNAMIC) and not attribute.write_only


def fill_arguments(builder: ModuleBuilder, block: ModelBlock) -> None:
    """Fill required arguments and blocks, and optional ones by chance. A listing only covers objects that no story
    changes: read during an apply, others would be listed or not depending on the schedule."""
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
        block.value_type = context.chooser.choice(VALUE_TYPES)
        block.arguments["input"] = builder.make_expression(block.value_type)
    for name, nested in schema.block_types.items():
        block.nested_blocks += _make_nested_blocks(builder, name, nested)


def _fill_terraform_data(builder: ModuleBuilder, block: ModelBlock) -> None:
    block.arguments, block.value_type = {}, None
    if builder.context.chooser.chance(75):
        block.value_type = builder.context.chooser.choice(VALUE_TYPES)
        block.arguments["input"] = builder.make_expression(block.value_type)
    if builder.context.chance("triggers_replace", 40):
        block.arguments["triggers_replace"] = builder.make_expression(DYNAMIC)


def _choose_parent(builder: ModuleBuilder) -> ModelExpression:
    """Refer to a parent for a child resource. The parent is added if the module has none."""
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
    """Return a reference to the id of the same object."""
    return ModelReference(reference.target, ".id", STRING, reference.style)


def _make_argument(builder: ModuleBuilder, attribute: SchemaAttribute) -> ModelExpression:
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
    """Make a value for an attribute with a nested type."""

    def make_object() -> tuple[str | ModelReference | OwnKey, ...]:
        parts: list[str | ModelReference | OwnKey] = ["{ "]
        for name, part in nested.attributes.items():
            if (part.optional or part.required) and part.type is not None:
                parts += [f"{name} = ", *builder.make_expression(part.type).parts, ", "]
        return (*parts, "}")

    match nested.nesting:
        case Nesting.SINGLE | Nesting.GROUP:
            return ModelExpression(make_object())
        case Nesting.MAP:
            return ModelExpression(("{ k = ", *make_object(), ", l = ", *make_object(), " }"))
    return ModelExpression(("[", *make_object(), ", ", *make_object(), "]"))


def _make_nested_blocks(builder: ModuleBuilder, name: str, nested: BlockType) -> list[NestedBlock]:
    context = builder.context
    most = 1 if nested.nesting in (Nesting.SINGLE, Nesting.GROUP) else nested.max_items or 2
    number = context.chooser.integer(nested.min_items, most)
    if number and most > 1 and context.chance("dynamic block", 35):
        keys = tuple(sorted(context.chooser.sample(KEYS, most)))
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
