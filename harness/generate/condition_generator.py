"""Validations, preconditions, postconditions and assertions."""

from __future__ import annotations

from harness.generate.expression_generator import ExpressionSpec, choose_reference, make_expression
from harness.generate.model import BlockKind, ModelBlock, ModelCondition, ModelExpression, ModelReference
from harness.generate.module_builder import ModuleBuilder
from harness.generate.printing import quoted
from harness.generate.referable_attributes import referable_attributes
from shared_nodes.values.types import BOOL, NUMBER, STRING, Type

__all__ = ["make_conditions", "make_own_condition", "make_validation"]


def make_validation(builder: ModuleBuilder, block: ModelBlock) -> ModelCondition:
    """Make a validation of a variable. It may also refer to other variables."""
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


def make_conditions(builder: ModuleBuilder, name: str) -> list[ModelCondition]:
    """Make a condition that usually holds; the feature "condition that may fail" makes some fail. A condition must
    refer to something, so the list is empty if there is nothing to refer to."""
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


def make_own_condition(builder: ModuleBuilder, block: ModelBlock, name: str) -> ModelCondition:
    path = builder.context.chooser.choice([path for path, _, _ in referable_attributes(block)] or [".id"])
    if builder.context.chance("condition that may fail", 22):
        return ModelCondition(name, ModelExpression((f"self{path} == null",)), ModelExpression(('"own condition"',)))
    return ModelCondition(
        name, ModelExpression((f"self{path} != null || true",)), ModelExpression(('"own condition"',))
    )
