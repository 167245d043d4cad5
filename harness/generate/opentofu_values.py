"""What a configuration says before anything is evaluated in OpenTofu: `const` and `deprecated` declarations, sources of
modules that are values, and provider configurations with several instances.
"""

from __future__ import annotations

from typing import Final

from harness.generate.choices import GenerationContext
from harness.generate.expression_generator import make_literal
from harness.generate.model import (
    OWN_KEY,
    OWN_VALUE,
    BlockKind,
    ModelBlock,
    ModelExpression,
    ModelReference,
    Repeat,
    RepetitionKind,
)
from harness.generate.module_builder import KEYS, ModuleBuilder
from harness.generate.printing import module_path, quoted
from shared_nodes.values.types import STRING, Type

__all__ = [
    "CONST",
    "add_repeated_provider",
    "choose_plain_name",
    "choose_source",
    "declare_const",
    "declare_deprecated",
    "make_constant",
]

CONST: Final = "const"
_PLAIN_NAMES: Final = ("resources", "instances", "checks", "before", "after")


def declare_const(builder: ModuleBuilder, block: ModelBlock) -> None:
    """Declare whether a variable must be known before anything is evaluated. A constant one of a called module gets
    constant values only."""
    if builder.context.chance("opentofu: const variable", 12):
        block.lifecycle[CONST] = "true"
        block.is_static = not (block.is_sensitive or block.is_ephemeral)
    elif builder.context.chance("opentofu: const = false", 4):
        block.lifecycle[CONST] = "false"


def declare_deprecated(context: GenerationContext, block: ModelBlock) -> None:
    if context.chance(f"opentofu: deprecated {block.kind}", 10):
        block.lifecycle["deprecated"] = quoted(f"do not use {block.name}")


def make_constant(builder: ModuleBuilder, wanted: Type) -> ModelExpression:
    """Make a value that is known before anything is evaluated."""
    known = [
        one
        for one in builder.module.live_blocks(BlockKind.VARIABLE)
        if one.value_type == wanted and one.is_static and one.lifecycle.get(CONST) != "false"
    ]
    if known and not builder.module.name and builder.context.chance("opentofu: constant of a variable", 50):
        return ModelExpression((ModelReference(builder.context.chooser.choice(known), "", wanted),))
    return ModelExpression((make_literal(builder.context, wanted),))


def choose_source(builder: ModuleBuilder, call: ModelBlock) -> None:
    """Take the path of the called module from a local or variable, sometimes."""
    if call.module is None or not builder.context.chance("opentofu: source from a value", 15):
        return
    kind = builder.context.chooser.choice((BlockKind.LOCAL, BlockKind.VARIABLE))
    holder = ModelBlock(kind, builder.context.new_name("dir"), value_type=STRING, is_static=True, is_fixed=True)
    path = ModelExpression((quoted(module_path(builder.module, call.module)),))
    holder.arguments["value" if kind is BlockKind.LOCAL else "default"] = path
    if kind is BlockKind.VARIABLE and builder.context.chance("opentofu: const variable", 50):
        holder.lifecycle[CONST] = "true"
    call.source = builder.add(holder)


def add_repeated_provider(builder: ModuleBuilder) -> ModelBlock:
    """Add a provider configuration with `for_each`. It has an alias and at least one instance."""
    context = builder.context
    is_simulated = builder.has_simcloud and context.chooser.chance(65)
    block = ModelBlock(BlockKind.PROVIDER, context.new_name("p"), "simcloud" if is_simulated else "terraform")
    repetition = context.chooser.choice((RepetitionKind.SET, RepetitionKind.MAP))
    holders = [one for one in builder.module.live_blocks(BlockKind.LOCAL) if one.keys]
    source = context.chooser.choice(holders) if holders and context.chance("keys from a value", 50) else None
    block.repeat = Repeat(repetition, sorted(context.chooser.sample(KEYS, 3)), source)
    if is_simulated and context.chooser.chance(70):
        own = context.chooser.choice((OWN_KEY, OWN_VALUE))
        block.arguments["region"] = ModelExpression((own,))
    if not is_simulated:
        builder.module.needs_builtin = True
    return builder.add(block)


def choose_plain_name(context: GenerationContext, usual: str) -> str:
    """Return `usual`, or sometimes a name that documents use for parts of their own. Each is used once in a story."""
    if not context.chance("opentofu: name of a part of a document", 3):
        return usual
    left = [name for name in _PLAIN_NAMES if f"name {name}" not in context.used_features]
    if not left:
        return usual
    name = context.chooser.choice(left)
    context.used_features.add(f"name {name}")
    return name
