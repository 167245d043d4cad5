"""Blocks of every kind, one after the other; each refers only to blocks that were added before it."""

from __future__ import annotations

from harness.generate.condition_generator import make_conditions, make_validation
from harness.generate.expression_generator import ExpressionSpec, choose_reference, make_expression
from harness.generate.model import BlockKind, ModelBlock, ModelCondition, ModelExpression, ModelReference
from harness.generate.module_builder import VALUE_TYPES, ModuleBuilder, new_keys
from harness.generate.opentofu_values import (
    add_repeated_provider,
    choose_plain_name,
    declare_const,
    declare_deprecated,
)
from harness.generate.printing import quoted
from harness.generate.resource_generator import add_depends_on, add_resource, choose_repetition
from shared_nodes.values.types import BOOL, STRING

__all__ = ["add_block"]


def add_block(builder: ModuleBuilder, kind: BlockKind) -> ModelBlock | None:
    """Add a block of the given kind. Return None if the module cannot have one. Module calls are added by
    `configuration_generator`."""
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


def _add_variable(builder: ModuleBuilder) -> ModelBlock:
    context = builder.context
    wanted = context.chooser.choice(VALUE_TYPES)
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
        block.conditions.append(make_validation(builder, block))
    block.is_static = block.is_static and not builder.module.name
    declare_const(builder, block)
    declare_deprecated(context, block)
    return builder.add(block)


def _add_local(builder: ModuleBuilder) -> ModelBlock:
    context = builder.context
    if context.chance("keys in a local", 25):
        keys = new_keys(context)
        return builder.add(
            ModelBlock(BlockKind.LOCAL, context.new_name("l"), keys=keys, value_type=None, is_static=True)
        )
    wanted = context.chooser.choice(VALUE_TYPES)
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
    wanted = context.chooser.choice(VALUE_TYPES)
    block = ModelBlock(BlockKind.OUTPUT, choose_plain_name(context, context.new_name("o")), value_type=wanted)
    if builder.module.name:
        block.is_sensitive = context.chance("sensitive output of a module", 8)
    block.arguments["value"] = builder.make_expression(wanted)
    ephemeral = [one for one in builder.module.live_blocks() if one.is_ephemeral]
    if builder.module.name and ephemeral and context.chance("ephemeral output", 40):
        _show_ephemeral_value(builder, block, ephemeral)
    if context.chance("precondition of an output", 10):
        block.conditions += make_conditions(builder, "precondition")
    if context.chance("depends_on of an output", 12):
        block.depends_on = context.chooser.sample(builder.module.live_blocks(BlockKind.MANAGED, BlockKind.CALL), 2)
    declare_deprecated(context, block)
    return builder.add(block)


def _show_ephemeral_value(builder: ModuleBuilder, block: ModelBlock, sources: list[ModelBlock]) -> None:
    """Make an output ephemeral. The value of such an output must be ephemeral as a whole."""
    assert block.value_type is not None
    reference = choose_reference(
        builder.context, block.value_type, builder.expression_spec(may_be_ephemeral=True), sources
    )
    if reference is not None:
        block.is_ephemeral, block.is_sensitive = True, False
        block.arguments["value"] = ModelExpression((reference,))


def _add_check(builder: ModuleBuilder) -> ModelBlock | None:
    block = ModelBlock(BlockKind.CHECK, builder.context.new_name("c"))
    if builder.has_simcloud and builder.context.chance("data in a check", 40):
        block.nested_data, condition = _make_checked_data(builder)
        block.conditions.append(ModelCondition("assert", condition, ModelExpression((quoted("it does not exist"),))))
    else:
        block.conditions += make_conditions(builder, "assert")
    return builder.add(block) if block.conditions else None


def _make_checked_data(builder: ModuleBuilder) -> tuple[ModelBlock, ModelExpression]:
    """Return a data source for a check block and the condition on it. A data source there that cannot be read is only a
    warning."""
    if builder.context.chance("failing data in a check", 30):
        inner = ModelBlock(BlockKind.DATA, builder.context.new_name("d"), "simcloud_failing")
        inner.cloud_name = inner.name
        return inner, ModelExpression((ModelReference(inner, ".result", STRING), ' != "never"'))
    inner = ModelBlock(BlockKind.DATA, builder.context.new_name("d"), "simcloud_live")
    inner.arguments["identifier"] = builder.make_expression(STRING)
    return inner, ModelExpression((ModelReference(inner, ".exists", BOOL),))


def _add_ephemeral_resource(builder: ModuleBuilder) -> ModelBlock | None:
    if not builder.has_simcloud:
        return None
    refuses = builder.context.chance("ephemeral that cannot be renewed", 15)
    type_name = "simcloud_unrenewable" if refuses else "simcloud_token"
    block = ModelBlock(BlockKind.EPHEMERAL, builder.context.new_name("e"), type_name, is_ephemeral=True)
    block.cloud_name = block.name
    if refuses or builder.context.chance("ephemeral that is renewed", 30):
        block.arguments["lifetime"] = ModelExpression(("10",))
    block.repeat = choose_repetition(builder) if builder.context.chance("repeated ephemeral resource", 30) else None
    add_depends_on(builder, block)
    return builder.add(block)


def _add_provider(builder: ModuleBuilder) -> ModelBlock | None:
    """Add a provider configuration. Only the root module has any, and at most one without an alias."""
    if builder.module.name:
        return None
    if builder.context.chance("opentofu: provider with for_each", 40):
        return add_repeated_provider(builder)
    if not builder.has_simcloud:
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
    """Use variables, or an ephemeral resource of the default provider configuration. Any other ephemeral resource might
    need this provider."""
    sources = builder.module.live_blocks(BlockKind.VARIABLE)
    if block.name:
        sources += [
            one
            for one in builder.module.live_blocks(BlockKind.EPHEMERAL)
            if one.provider is None and not one.depends_on
        ]
    return make_expression(builder.context, STRING, ExpressionSpec(sources, 1, may_be_ephemeral=True))


def _make_region(builder: ModuleBuilder, block: ModelBlock) -> ModelExpression:
    """Use a constant, or an attribute of a resource (unknown until it is applied) or of a data source (unknown until it
    is read). A resource of the same provider would be a cycle, and so would a data source if this is the default
    configuration."""
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
