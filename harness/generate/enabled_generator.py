"""Whether an object exists at all, and whether it may be destroyed: lifecycle arguments that are values in OpenTofu.

The value of `enabled` is known when a plan is made. It may still come from a resource, whose arguments are known then.
"""

from __future__ import annotations

from harness.generate.expression_generator import choose_reference, make_literal
from harness.generate.model import BlockKind, ModelBlock, ModelExpression, ModelReference
from harness.generate.module_builder import ModuleBuilder
from shared_nodes.values.types import BOOL, STRING

__all__ = ["add_switch", "make_enabled", "make_protection"]


def make_enabled(builder: ModuleBuilder, block: ModelBlock) -> ModelExpression:
    """Make a value for the `enabled` of a block: a literal, a variable that steps can set, or something else that is
    known. It may refer to resources before the block."""
    kind = builder.context.pick_feature(
        [
            ("opentofu: enabled by a literal", 3),
            ("opentofu: enabled by a variable", 4),
            ("opentofu: enabled by an expression", 2),
            ("opentofu: enabled by a resource", 2),
        ]
    )
    if kind == "opentofu: enabled by a variable":
        return ModelExpression((ModelReference(add_switch(builder), "", BOOL),))
    if kind == "opentofu: enabled by an expression":
        return _make_known_bool(builder)
    source = _choose_known_text(builder, block) if kind == "opentofu: enabled by a resource" else None
    if source is not None:
        return ModelExpression((source, builder.context.chooser.choice((' != "never"', ' == "one"'))))
    return ModelExpression((make_literal(builder.context, BOOL),))


def add_switch(builder: ModuleBuilder) -> ModelBlock:
    """Return a variable of type bool whose value is known when a plan is made. It is added if the module has none."""
    known = [one for one in builder.module.live_blocks(BlockKind.VARIABLE) if one.value_type == BOOL and one.is_static]
    if known:
        return builder.context.chooser.choice(known)
    block = ModelBlock(BlockKind.VARIABLE, builder.context.new_name("on"), value_type=BOOL, is_static=True)
    block.arguments["default"] = ModelExpression((make_literal(builder.context, BOOL),))
    return builder.add(block)


def _make_known_bool(builder: ModuleBuilder) -> ModelExpression:
    return builder.make_expression(BOOL, is_static=True)


def _choose_known_text(builder: ModuleBuilder, block: ModelBlock) -> ModelReference | None:
    """Return a reference to an argument that is a literal, and so is known although its resource may not exist yet."""
    known = [
        one
        for one in builder.module.blocks_before(block)
        if one.is_alive
        and one.kind is BlockKind.MANAGED
        and one.type == "terraform_data"
        and one.repeat is None
        and one.value_type == STRING
        and not one.arguments["input"].references
        and not one.arguments["input"].is_sensitive
    ]
    target = builder.context.chooser.choice(known) if known else None
    return None if target is None else ModelReference(target, ".input", STRING, builder.context.chooser.integer(0, 5))


def make_protection(builder: ModuleBuilder) -> ModelExpression:
    """Make a value for `prevent_destroy`. Unlike that of `enabled` it need not be known, unless something is
    destroyed."""
    if builder.context.chance("opentofu: prevent_destroy by a variable", 50):
        return ModelExpression((ModelReference(add_switch(builder), "", BOOL),))
    if builder.context.chance("opentofu: prevent_destroy by a resource", 30):
        managed = builder.module.live_blocks(BlockKind.MANAGED, BlockKind.CALL)
        found = choose_reference(builder.context, STRING, builder.expression_spec(), managed)
        if found is not None:
            return ModelExpression((found, ' == "never"'))
    return _make_known_bool(builder)
