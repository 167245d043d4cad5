"""Edits that only OpenTofu has a use for: of what exists, of what is kept, and imports by computed keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from harness.generate.enabled_generator import make_enabled
from harness.generate.model import (
    BlockKind,
    ModelBlock,
    ModelExpression,
    ModelReference,
    Repeat,
    RepetitionKind,
)
from harness.generate.module_builder import KEYS, ModuleBuilder
from harness.generate.printing import address, quoted
from harness.generate.resource_generator import PARENTS
from shared_nodes.values.types import STRING

__all__ = ["OPENTOFU_EDITS"]

_DISABLED: Final = (BlockKind.MANAGED, BlockKind.DATA, BlockKind.CALL)


def _toggle_enabled(builder: ModuleBuilder) -> None:
    """Negate `enabled` of a block that has it, or give it to one."""
    having = [block for block in builder.module.live_blocks(*_DISABLED) if block.may_be_disabled]
    block = builder.context.chooser.choice(having) if having else _choose_to_disable(builder)
    if block is None:
        return
    before = block.settings.get("enabled")
    if before is None:
        block.settings["enabled"] = make_enabled(builder, block)
    elif before.parts[0] == _NEGATED[0]:
        block.settings["enabled"] = ModelExpression(before.parts[1:-1])
    else:
        block.settings["enabled"] = ModelExpression((_NEGATED[0], *before.parts, _NEGATED[1]))
    builder.context.edited_blocks.append(block)


_NEGATED: Final = ("!(", ")")


def _choose_to_disable(builder: ModuleBuilder) -> ModelBlock | None:
    """Choose a block without repetition. A module that configures providers must exist, and so must parents."""
    found = [
        block
        for block in builder.module.live_blocks(*_DISABLED)
        if block.repeat is None
        and block.type not in PARENTS
        and not block.must_exist
        and not (block.module is not None and block.module.configures_providers)
    ]
    return builder.context.chooser.choice(found) if found else None


def _change_form(builder: ModuleBuilder) -> None:
    """Switch between count, enabled and neither. Objects move by themselves, so there is no moved block."""
    found = [
        block
        for block in builder.module.live_blocks(BlockKind.MANAGED, BlockKind.CALL)
        if block.type not in PARENTS
        and not block.must_exist
        and (block.repeat is None or block.repeat.repetition is RepetitionKind.COUNT)
        and not (block.module is not None and (block.module.configures_providers or block.module.keeps_names))
    ]
    if not found:
        return
    calls = [block for block in found if block.kind is BlockKind.CALL]
    of_module = calls and builder.context.chance("opentofu: other form of a module", 50)
    block = builder.context.chooser.choice(calls if of_module else found)
    form = builder.context.pick_feature(
        [("opentofu: becomes plain", 2), ("opentofu: becomes enabled", 4), ("opentofu: becomes counted", 4)]
    )
    before, block.repeat = block.repeat, None
    block.settings.pop("enabled", None)
    if form == "opentofu: becomes enabled":
        block.settings["enabled"] = make_enabled(builder, block)
    elif form == "opentofu: becomes counted":
        block.repeat = Repeat(RepetitionKind.COUNT, list(KEYS[: builder.context.chooser.integer(1, 2)]))
    if block.kind is BlockKind.CALL and (before is None) is not (block.repeat is None):
        builder.context.used_features.add("opentofu: implied move of a module")


def _toggle_destroy(builder: ModuleBuilder) -> None:
    """Set `destroy = false`, take it back, or say explicitly that objects are destroyed."""
    block = builder.choose_block(BlockKind.MANAGED)
    if block is None:
        return
    if block.lifecycle.pop("destroy", None) is None:
        block.lifecycle["destroy"] = builder.context.chooser.choice(("false", "false", "false", "true"))
    builder.context.edited_blocks.append(block)


def _trigger_by_new(builder: ModuleBuilder) -> None:
    """Add a resource, and let an existing one be replaced when it changes. Its creation counts as a change."""
    block = builder.choose_block(BlockKind.MANAGED)
    if block is None:
        return
    new = ModelBlock(BlockKind.MANAGED, builder.context.new_name("r"), "terraform_data", value_type=STRING)
    new.arguments["input"] = ModelExpression((quoted("new"),))
    builder.module.blocks.insert(0, new)
    if builder.context.chance("opentofu: trigger that may be disabled", 40):
        new.settings["enabled"] = make_enabled(builder, new)
    elif builder.context.chance("opentofu: trigger that is counted", 25):
        new.repeat = Repeat(RepetitionKind.COUNT, ["a", "b"])
    path = builder.context.chooser.choice(("", ".id", ".output"))
    block.triggers = [*block.triggers, ModelReference(new, path, STRING, builder.context.chooser.integer(0, 1))]


def _import_by_keys(builder: ModuleBuilder) -> None:
    """Import instances whose keys are computed. Any id can be imported as terraform_data."""
    if builder.module.name:
        return
    block = ModelBlock(BlockKind.MANAGED, builder.context.new_name("r"), "terraform_data")
    kind = builder.context.pick_feature([(name, 1) for name in _IMPORTS])
    repetition, lines = _IMPORTS[kind]
    block.repeat = Repeat(repetition, ["a", "b"])
    holder = builder.add(ModelBlock(BlockKind.LOCAL, builder.context.new_name("l"), value_type=STRING, is_static=True))
    holder.arguments["value"] = ModelExpression((quoted("a"),))
    builder.add(block)
    body = (
        "".join(f"  {line}\n" for line in lines).replace("SUBJECT", address(block)).replace("HOLDER", address(holder))
    )
    builder.module.statements.append(f"import {{\n{body}}}\n")


_IMPORTS: Final[Mapping[str, tuple[RepetitionKind, tuple[str, ...]]]] = {
    "opentofu: import by a key from a value": (RepetitionKind.SET, ("to = SUBJECT[HOLDER]", 'id = "from-value"')),
    "opentofu: import by an expression": (
        RepetitionKind.SET,
        ('for_each = toset(["A", "B"])', "to = SUBJECT[lower(each.key)]", 'id = "from-${each.key}"'),
    ),
    "opentofu: import by a map": (
        RepetitionKind.MAP,
        ('for_each = { a = "from-a", b = "from-b" }', "to = SUBJECT[each.key]", "id = each.value"),
    ),
    "opentofu: import by a list": (
        RepetitionKind.COUNT,
        ('for_each = ["from-0", "from-1"]', "to = SUBJECT[each.key]", "id = each.value"),
    ),
    "opentofu: import without an id": (RepetitionKind.SET, ('to = SUBJECT["a"]', 'id = ""')),
}


def _change_provider_keys(builder: ModuleBuilder) -> None:
    """Change the instances of a provider configuration. Objects of one that is gone cannot be changed any more."""
    found = [block.repeat for block in builder.module.live_blocks(BlockKind.PROVIDER) if block.repeat is not None]
    if found:
        repeat = builder.context.chooser.choice(found)
        repeat.source, repeat.keys = None, sorted({*repeat.keys[:1], *builder.context.chooser.sample(KEYS, 3)})


OPENTOFU_EDITS: Final[Mapping[str, tuple[Callable[[ModuleBuilder], object], int]]] = {
    "edit: opentofu: toggle enabled": (_toggle_enabled, 16),
    "edit: opentofu: change between count and enabled": (_change_form, 14),
    "edit: opentofu: toggle destroy": (_toggle_destroy, 10),
    "edit: opentofu: replaced by a new resource": (_trigger_by_new, 6),
    "edit: opentofu: import by computed keys": (_import_by_keys, 6),
    "edit: opentofu: change keys of a provider": (_change_provider_keys, 5),
}
