"""Edits: how one version of a configuration becomes the next.

Each edit changes the model in place. Edits that leave statements (moved, removed, import) are in `statements.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from harness.generate.choices import GenerationContext
from harness.generate.configuration_generator import add_any_block
from harness.generate.model import (
    BlockKind,
    ModelBlock,
    ModelExpression,
    ModelModule,
    ModelReference,
    Repeat,
    RepetitionKind,
)
from harness.generate.module_builder import ModuleBuilder, new_keys
from harness.generate.opentofu_edits import OPENTOFU_EDITS
from harness.generate.opentofu_values import CONST, make_constant
from harness.generate.printing import quoted
from harness.generate.resource_generator import PARENTS, TEXT_ARGUMENTS, fill_arguments, takes_string
from harness.generate.statements import (
    MOVABLE,
    add_removal_statement,
    change_repetition,
    change_type,
    has_children,
    import_object,
    move_onto_other,
    rename_twice,
    rename_with_moved,
    split_into_module,
)
from shared_nodes.values.types import STRING

__all__ = ["EDITS", "apply_edit", "dependencies_in"]


def apply_edit(context: GenerationContext, root: ModelModule, *, has_simcloud: bool = True) -> None:
    """Apply one random edit to a random module. An edit that does not fit the module changes nothing."""
    name = context.pick_feature([(name, weight) for name, (_, weight) in _EDITS.items()])
    modules = root.all_modules
    if EDITS[name] is _edit_both_sides:
        modules = [module for module in modules if dependencies_in(module)] or modules
    module = context.chooser.choice(modules)
    EDITS[name](ModuleBuilder(context, module, has_simcloud, 0 if module is root else 1))


def _remove(builder: ModuleBuilder) -> None:
    block = builder.choose_block(
        BlockKind.MANAGED, BlockKind.CALL, BlockKind.DATA, BlockKind.OUTPUT, BlockKind.LOCAL, BlockKind.CHECK
    )
    if block is None or len(builder.module.live_blocks(BlockKind.MANAGED)) < 2 or has_children(builder.module, block):
        return
    block.is_alive = False
    builder.context.edited_blocks.append(block)
    add_removal_statement(builder, block)


def _change_ignored(builder: ModuleBuilder) -> None:
    """Change ignored arguments. The changes have no effect unless the object is new or replaced for another reason."""
    ignoring = [block for block in builder.module.live_blocks(BlockKind.MANAGED) if "ignore_changes" in block.lifecycle]
    block = builder.context.chooser.choice(ignoring) if ignoring else builder.choose_block(BlockKind.MANAGED)
    if block is None:
        return
    names = [name for name in TEXT_ARGUMENTS if takes_string(block, name)]
    for name in builder.context.chooser.sample(names, 2):
        if not ignoring:
            block.lifecycle["ignore_changes"] = f"[{name}]"
        block.arguments[name] = ModelExpression((quoted(builder.context.new_name("ignored-")),))
        block.value_type = STRING if name == "input" else block.value_type
    if builder.context.chance("replaced as well", 40):
        _replace_or_update(builder, block)


def _rename(builder: ModuleBuilder) -> None:
    """Rename a resource or call without a moved block. Parents are left out: one might have been moved in the same
    version, and the order in which it and its children are destroyed would be undefined."""
    block = builder.choose_block(*MOVABLE)
    if block is not None and block.type not in PARENTS:
        block.name = block.cloud_name = builder.context.new_name("n")


def _change_argument(builder: ModuleBuilder) -> None:
    """Change arguments of a block, using only blocks before it."""
    block = builder.choose_block(BlockKind.MANAGED, BlockKind.DATA, BlockKind.LOCAL, BlockKind.OUTPUT, BlockKind.CALL)
    if block is None:
        return
    before = ModuleBuilder(
        builder.context,
        ModelModule(builder.module.name, builder.module.blocks_before(block)),
        builder.has_simcloud,
        builder.depth,
    )
    if block.kind in (BlockKind.MANAGED, BlockKind.DATA):
        builder.context.edited_blocks.append(block)
        _change_arguments(before, block)
    elif block.kind is BlockKind.CALL:
        for name in builder.context.chooser.sample(sorted(block.arguments), 1):
            _change_value(before, block, name)
    elif "value" in block.arguments:
        _change_value(before, block, "value")


def _change_text(builder: ModuleBuilder) -> None:
    """Change a constant argument of one or two resources. They, and maybe their dependents, are updated or replaced."""
    found = [
        (block, name)
        for block in builder.module.live_blocks(BlockKind.MANAGED)
        for name in (*TEXT_ARGUMENTS, "triggers_replace")
        if name in block.arguments and block.value_type in (None, STRING) and not block.arguments[name].references
    ]
    for block, name in builder.context.chooser.sample(found, 2):
        builder.context.edited_blocks.append(block)
        block.arguments[name] = ModelExpression((quoted(builder.context.new_name("changed-")),))


def _edit_both_sides(builder: ModuleBuilder) -> None:
    """Change an object and a dependent in the same version. Orders of creation, update and destruction only interact
    there, and random edits hardly ever hit both."""
    pairs = dependencies_in(builder.module)
    if not pairs:
        _change_text(builder)
    for block in builder.context.chooser.choice(pairs) if pairs else ():
        feature = builder.context.pick_feature([(f"one side: {name}", weight) for name, (_, weight) in _SIDES.items()])
        _SIDES[feature.removeprefix("one side: ")][0](builder, block)


def dependencies_in(module: ModelModule) -> list[tuple[ModelBlock, ModelBlock]]:
    """Return pairs of resources, the second depending on the first."""
    return [
        (other, block)
        for block in module.live_blocks(BlockKind.MANAGED)
        for other in dict.fromkeys((*_referenced_blocks(block), *block.depends_on))
        if other.kind is BlockKind.MANAGED and other.is_alive and other is not block
    ]


def _referenced_blocks(block: ModelBlock) -> list[ModelBlock]:
    return [one.target for expression in block.expressions for one in expression.references]


def _replace_or_update(builder: ModuleBuilder, block: ModelBlock) -> None:
    """Change an argument of type string. Some of these force a replacement, some do not."""
    names = [name for name in (*TEXT_ARGUMENTS, "triggers_replace") if takes_string(block, name)]
    for name in builder.context.chooser.sample(names, 1):
        builder.context.edited_blocks.append(block)
        block.arguments[name] = ModelExpression((quoted(builder.context.new_name("changed-")),))
        if name == "input":
            block.value_type = STRING


def _toggle_create_before_destroy(_builder: ModuleBuilder, block: ModelBlock) -> None:
    """Toggle create_before_destroy. It also affects replacements of dependencies and dependents."""
    if block.lifecycle.pop("create_before_destroy", None) is None:
        block.lifecycle["create_before_destroy"] = "true"


def _remove_side(builder: ModuleBuilder, block: ModelBlock) -> None:
    if not has_children(builder.module, block):
        block.is_alive = False
        builder.context.edited_blocks.append(block)
        add_removal_statement(builder, block)


def _change_instances(builder: ModuleBuilder, block: ModelBlock) -> None:
    """Change the number or the keys of instances."""
    if block.repeat is not None and (block.repeat.source is None or not block.repeat.source.is_alive):
        block.repeat.keys = new_keys(builder.context)
    elif block.repeat is None:
        block.repeat = Repeat(RepetitionKind.COUNT, ["a"])


_SIDES: Final[Mapping[str, tuple[Callable[[ModuleBuilder, ModelBlock], None], int]]] = {
    "changed": (_replace_or_update, 40),
    "removed": (_remove_side, 14),
    "creates first": (_toggle_create_before_destroy, 10),
    "other instances": (_change_instances, 12),
    "left alone": (lambda _builder, _node: None, 6),
}


def _empty_module(builder: ModuleBuilder) -> None:
    """Remove all blocks but variables. The objects are destroyed, and their provider is known from the state only."""
    for block in builder.module.blocks:
        if block.name != "prefix" and block.kind is not BlockKind.VARIABLE:
            block.is_alive = False


def _change_arguments(before: ModuleBuilder, block: ModelBlock) -> None:
    """Change one or two arguments of a resource; for types with a single dynamic argument all of them."""
    fresh = ModelBlock(block.kind, block.name, block.type)
    fill_arguments(before, fresh)
    if block.type in ("terraform_data", "simcloud_dynamic") or not block.arguments:
        block.arguments, block.nested_blocks, block.value_type = fresh.arguments, fresh.nested_blocks, fresh.value_type
        return
    for name in before.context.chooser.sample(sorted({*block.arguments, *fresh.arguments} - {"parent"}), 2):
        if name in fresh.arguments:
            block.arguments[name] = fresh.arguments[name]
        else:
            del block.arguments[name]
    if fresh.nested_blocks or block.nested_blocks:
        block.nested_blocks = fresh.nested_blocks


def _change_value(before: ModuleBuilder, block: ModelBlock, name: str) -> None:
    if block.kind is BlockKind.CALL:
        _change_passed_value(before, block, name)
    elif block.value_type is not None:
        block.arguments[name] = before.make_expression(
            block.value_type, is_static=block.is_static, may_be_ephemeral=block.is_ephemeral
        )


def _change_passed_value(before: ModuleBuilder, call: ModelBlock, name: str) -> None:
    assert call.module is not None
    variable = next((one for one in call.module.live_blocks(BlockKind.VARIABLE) if one.name == name), None)
    if variable is None or variable.value_type is None or variable.is_fixed:
        return
    is_constant = variable.lifecycle.get(CONST) == "true"
    call.arguments[name] = (
        make_constant(before, variable.value_type)
        if is_constant
        else before.make_expression(variable.value_type, is_static=variable.is_static)
    )


def _change_keys(builder: ModuleBuilder) -> None:
    repeated = [block for block in builder.module.live_blocks() if block.repeat is not None]
    if not repeated:
        return
    repeat = builder.context.chooser.choice(repeated).repeat
    assert repeat is not None
    while repeat.source is not None and repeat.source.is_alive and repeat.source.repeat is not None:
        repeat = repeat.source.repeat
    source = repeat.source
    if source is not None and source.is_alive:
        source.keys = new_keys(builder.context)
    else:
        repeat.keys = new_keys(builder.context)


def _flip_lifecycle(builder: ModuleBuilder) -> None:
    block = builder.choose_block(BlockKind.MANAGED)
    if block is None:
        return
    name, value = builder.context.chooser.choice(
        (("create_before_destroy", "true"), ("prevent_destroy", "true"), ("ignore_changes", "all"))
    )
    if block.lifecycle.pop(name, None) is None:
        block.lifecycle[name] = value
        builder.context.used_features.add(name)


def _reverse_dependency(builder: ModuleBuilder) -> None:
    """Reverse a dependency: the referenced resource now refers to the other one."""
    pairs = [
        (block, name, one)
        for block in builder.module.live_blocks(BlockKind.MANAGED)
        for name, value in block.arguments.items()
        for one in value.references
        if one.target.kind is BlockKind.MANAGED and one.target.is_alive and name != "parent"
    ]
    if not pairs:
        return
    block, name, reference = builder.context.chooser.choice(pairs)
    other = reference.target
    block.arguments[name] = ModelExpression((quoted("reversed"),))
    block.depends_on = [one for one in block.depends_on if one is not other]
    back = "input" if other.type in ("terraform_data", "simcloud_dynamic") else "value"
    if back in other.arguments:
        other.arguments[back] = ModelExpression((ModelReference(block, ".id", STRING, 0),))
        other.value_type = STRING if back == "input" else other.value_type
    blocks = builder.module.blocks
    first, second = blocks.index(other), blocks.index(block)
    blocks[first], blocks[second] = blocks[second], blocks[first]


def _change_dependencies(builder: ModuleBuilder) -> None:
    block = builder.choose_block(BlockKind.MANAGED, BlockKind.DATA, BlockKind.CALL, BlockKind.OUTPUT)
    if block is None or (block.module is not None and block.module.configures_providers):
        return
    known = [
        one
        for one in builder.module.blocks_before(block)
        if one.is_alive and one.kind in (BlockKind.MANAGED, BlockKind.CALL)
    ]
    block.depends_on = [] if block.depends_on else builder.context.chooser.sample(known, 2)


def _toggle_sensitivity(builder: ModuleBuilder) -> None:
    """Toggle the sensitivity of a variable or of one argument. The value stays the same."""
    block = builder.choose_block(BlockKind.VARIABLE, BlockKind.MANAGED)
    if block is None:
        return
    if block.kind is BlockKind.VARIABLE:
        if not block.is_ephemeral and not block.is_static:
            block.is_sensitive = not block.is_sensitive
        return
    for name in builder.context.chooser.sample(sorted(block.arguments.keys() - {"parent"}), 1):
        before = block.arguments[name]
        if before.parts[0] == _HIDDEN[0]:
            block.arguments[name] = ModelExpression(before.parts[1:-1])
        else:
            block.arguments[name] = ModelExpression((_HIDDEN[0], *before.parts, _HIDDEN[1]), is_sensitive=True)


_HIDDEN: Final = ("sensitive(", ")")


def _change_provider(builder: ModuleBuilder) -> None:
    block = builder.choose_block(BlockKind.PROVIDER)
    if block is not None and block.type == "simcloud":
        block.arguments["region"] = ModelExpression((quoted(builder.context.chooser.choice(("eu", "us"))),))


_EDITS: Final[Mapping[str, tuple[Callable[[ModuleBuilder], object], int]]] = {
    "edit: change an argument": (_change_argument, 30),
    "edit: touch": (_change_text, 30),
    "edit: add": (add_any_block, 10),
    "edit: remove": (_remove, 14),
    "edit: rename with moved": (rename_with_moved, 8),
    "edit: rename twice with moved": (rename_twice, 3),
    "edit: move onto another": (move_onto_other, 3),
    "edit: change what is ignored": (_change_ignored, 5),
    "edit: rename": (_rename, 5),
    "edit: change keys": (_change_keys, 12),
    "edit: change repetition": (change_repetition, 6),
    "edit: flip lifecycle": (_flip_lifecycle, 6),
    "edit: reverse a dependency": (_reverse_dependency, 5),
    "edit: both sides of a dependency": (_edit_both_sides, 30),
    "edit: empty": (_empty_module, 3),
    "edit: change depends_on": (_change_dependencies, 4),
    "edit: toggle sensitivity": (_toggle_sensitivity, 6),
    "edit: import": (import_object, 4),
    "edit: split into a module": (split_into_module, 4),
    "edit: change the type": (change_type, 2),
    "edit: change a provider": (_change_provider, 2),
    **OPENTOFU_EDITS,
}
EDITS: Final[Mapping[str, Callable[[ModuleBuilder], object]]] = {
    name: function for name, (function, _) in _EDITS.items()
}
