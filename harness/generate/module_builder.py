"""The module that blocks are added to, with what every block generator needs."""

from __future__ import annotations

from typing import Final

from harness.generate.choices import GenerationContext
from harness.generate.expression_generator import ExpressionSpec, make_expression
from harness.generate.model import BlockKind, ModelBlock, ModelExpression, ModelModule
from harness.generate.referable_attributes import LIST, MAP
from shared_nodes.record import record
from shared_nodes.values.types import BOOL, NUMBER, STRING, Type

__all__ = ["KEYS", "VALUE_TYPES", "ModuleBuilder", "new_keys"]

KEYS: Final = ("a", "b", "c", "d", "e")
VALUE_TYPES: Final = (STRING, STRING, NUMBER, BOOL, LIST, MAP)


@record(frozen=False)
class ModuleBuilder:
    """A module under construction. Expressions may refer to all of its live blocks."""

    context: GenerationContext
    module: ModelModule
    has_simcloud: bool = True
    depth: int = 0

    def expression_spec(
        self, *, depth: int = 2, is_static: bool = False, may_be_ephemeral: bool = False
    ) -> ExpressionSpec:
        return ExpressionSpec(self.module.live_blocks(), depth, is_static, may_be_ephemeral, self.has_simcloud)

    def make_expression(
        self, wanted: Type, *, is_static: bool = False, may_be_ephemeral: bool = False
    ) -> ModelExpression:
        spec = self.expression_spec(is_static=is_static, may_be_ephemeral=may_be_ephemeral)
        return make_expression(self.context, wanted, spec)

    def choose_block(self, *kinds: BlockKind) -> ModelBlock | None:
        """Choose a block that may be edited. Every module has a variable `prefix`, which is never edited."""
        found = [block for block in self.module.live_blocks(*kinds) if block.name != "prefix" and not block.is_fixed]
        return self.context.chooser.choice(found) if found else None

    def add(self, block: ModelBlock) -> ModelBlock:
        self.module.blocks.append(block)
        return block


def new_keys(context: GenerationContext) -> list[str]:
    if context.chance("no instances", 8):
        return []
    return sorted(context.chooser.sample(KEYS, 3))
