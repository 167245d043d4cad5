"""Edits that say what they did: moved, removed and import blocks, as text that belongs to the new version."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from harness.generate.block_generator import KEYS, PARENTS, ModuleBuilder, add_resource
from harness.generate.model import (
    BlockKind,
    ModelBlock,
    ModelExpression,
    ModelModule,
    ModelReference,
    Repeat,
    RepetitionKind,
)
from harness.generate.printing import address, instance_addresses, quoted
from shared_nodes.values.types import STRING

__all__ = [
    "IMPORTABLE",
    "MOVABLE",
    "change_repetition",
    "change_type",
    "has_children",
    "import_something",
    "move_onto",
    "moved",
    "rename_twice",
    "rename_with_moved",
    "say_removed",
    "split_into_module",
]

IMPORTABLE: Final = ({"type": "simcloud_updated", "name": "found-a"}, {"type": "simcloud_replaced", "name": "found-b"})
"""What lives in the cloud before every story, for import blocks to find."""

MOVABLE: Final = (BlockKind.MANAGED, BlockKind.CALL)


def moved(source: str, target: str) -> str:
    return f"moved {{\n  from = {source}\n  to   = {target}\n}}\n"


def say_removed(builder: ModuleBuilder, block: ModelBlock) -> None:
    """A parent is not said to have moved: what its children recorded would name it no more, and which of them is
    destroyed first would depend on the schedule."""
    if block.kind in MOVABLE and block.type not in PARENTS and builder.context.chance("moved to nothing", 10):
        nowhere = "module.nowhere" if block.kind is BlockKind.CALL else f"{block.type}.nowhere"
        builder.module.statements.append(moved(address(block), nowhere))
    elif block.kind in MOVABLE and builder.context.chance("removed block", 35):
        destroys = builder.context.chooser.choice((False, True))
        lines = [f"  from = {address(block)}", "  lifecycle {", f"    destroy = {str(destroys).lower()}", "  }"]
        if (
            destroys
            and block.kind is BlockKind.MANAGED
            and builder.context.chance("provisioner of a removed block", 30)
        ):
            lines += ['  provisioner "local-exec" {', "    when    = destroy", '    command = "echo ${self.id}"', "  }"]
        builder.module.statements.append("\n".join(["removed {", *lines, "}", ""]))


def has_children(module: ModelModule, block: ModelBlock) -> bool:
    given = (other.arguments.get("parent") for other in module.live_blocks(BlockKind.MANAGED))
    return any(one.target is block for parent in given if parent is not None for one in parent.references)


def _is_lost_easily(block: ModelBlock) -> bool:
    """Whether a move makes a race. One that nobody applies, since its version fails, lets the old object go in the next
    while a new one wants its name. And what the children of a parent recorded names it no more once it has moved, so
    that nothing orders them if both are replaced."""
    return block.type in ("simcloud_unique", *PARENTS)


def rename_with_moved(builder: ModuleBuilder) -> ModelBlock | None:
    block = builder.choose_block(*MOVABLE)
    if block is not None and not _is_lost_easily(block):
        before = address(block)
        block.name = builder.context.new_name("n")
        builder.module.statements.append(moved(before, address(block)))
    return block


def rename_twice(builder: ModuleBuilder) -> None:
    """A chain of moves, the last of which may be written first."""
    block = builder.choose_block(*MOVABLE)
    if block is None or _is_lost_easily(block):
        return
    names = [address(block)]
    for _ in range(2):
        block.name = builder.context.new_name("n")
        names.append(address(block))
    chain = [moved(*pair) for pair in pairwise(names)]
    builder.module.statements += reversed(chain) if builder.context.chooser.chance(60) else chain


def move_onto(builder: ModuleBuilder) -> None:
    """One resource takes the address of another that goes, and whose object is still there."""
    managed = builder.module.live_blocks(BlockKind.MANAGED)
    pairs = [
        (block, other)
        for block in managed
        for other in managed
        if block is not other and block.type == other.type and not has_children(builder.module, other)
        if not _is_lost_easily(block)
    ]
    if pairs:
        block, other = builder.context.chooser.choice(pairs)
        before, other.is_alive, block.name = address(block), False, other.name
        builder.module.statements.append(moved(before, address(block)))


def change_repetition(builder: ModuleBuilder) -> None:
    """From one object to many, or back, or from numbers to keys: with and without a moved block. Not for a module whose
    objects keep their names: two of one name get their ids in the order of their creation."""
    block = builder.choose_block(*MOVABLE)
    if block is None or (block.module is not None and (block.module.keeps_names or block.module.configures_providers)):
        return
    before = instance_addresses(block)
    options: list[Repeat | None] = [
        Repeat(RepetitionKind.COUNT, ["a", "b"]),
        Repeat(RepetitionKind.SET, list(KEYS[:2])),
    ]
    block.repeat = builder.context.chooser.choice(options if block.repeat is None else [None, *options])
    after = instance_addresses(block)
    if before and after and before[0] != after[0] and builder.context.chance("moved to another key", 50):
        builder.module.statements.append(moved(before[0], after[0]))


def import_something(builder: ModuleBuilder) -> None:
    """Something that lives in the cloud already, and nothing twice: of two addresses of one object the last one to be
    applied wins. Or, for terraform_data, any id at all. Only the root may say so, of modules as well."""
    thing = (
        builder.context.chooser.choice(IMPORTABLE) if builder.has_simcloud else {"type": "terraform_data", "name": "x"}
    )
    feature = f"import of {thing['name']}"
    if builder.module.name or (builder.has_simcloud and feature in builder.context.used_features):
        return
    prefix, place = _place_of_import(builder)
    block = add_resource(place, BlockKind.MANAGED, thing["type"])
    if block is None:
        return
    builder.context.used_features.add(feature)
    block.repeat, block.provider, block.lifecycle, block.provisioners, block.host = None, None, {}, [], None
    block.cloud_name = thing["name"]
    repeats = builder.context.chance("import with for_each", 25)
    if repeats:
        block.repeat, block.cloud_name = Repeat(RepetitionKind.SET, ["a"]), thing["name"].removesuffix("-a")
    where = f"{prefix}{address(block)}{'[each.key]' if repeats else ''}"
    each = '  for_each = toset(["a"])\n' if repeats else ""
    identity = _identity(builder, f"{thing['name']}-1")
    builder.module.statements.append(f"import {{\n{each}  to = {where}\n  id = {identity}\n}}\n")


def _place_of_import(builder: ModuleBuilder) -> tuple[str, ModuleBuilder]:
    """What comes before the address, and where the block grows: of a module with several instances the first gets the
    object, and others get one of their own."""
    calls = [call for call in builder.module.live_blocks(BlockKind.CALL) if instance_addresses(call)]
    call = (
        builder.context.chooser.choice(calls) if calls and builder.context.chance("import into a module", 25) else None
    )
    if call is None or call.module is None:
        return "", builder
    return f"{instance_addresses(call)[0]}.", ModuleBuilder(
        builder.context, call.module, builder.has_simcloud, builder.depth + 1
    )


def _identity(builder: ModuleBuilder, text: str) -> str:
    """What to import, as it stands there, or as the value of something that has to be planned before."""
    if builder.context.chance("import by a value", 25):
        holder = builder.add(ModelBlock(BlockKind.LOCAL, builder.context.new_name("l"), value_type=STRING))
        holder.arguments["value"] = ModelExpression((quoted(text),))
        return address(holder)
    if builder.context.chance("import by an argument of a resource", 25):
        holder = builder.add(
            ModelBlock(BlockKind.MANAGED, builder.context.new_name("r"), "terraform_data", value_type=STRING)
        )
        holder.arguments["input"] = ModelExpression((quoted(text),))
        return f"{address(holder)}.input"
    return quoted(text)


def split_into_module(builder: ModuleBuilder) -> ModelBlock | None:
    """A resource that refers to nothing moves into a module of its own, with a moved block; who referred to it refers
    to an output of the module. Its name in the cloud stays."""
    movable = [
        block
        for block in builder.module.live_blocks(BlockKind.MANAGED)
        if block.repeat is None
        and block.provider is None
        and not block.depends_on
        and not block.triggers
        and not block.conditions
        and not block.type.endswith("meta")
        and not _is_lost_easily(block)
        and all(not one.references for one in block.expressions)
        and not _is_depended_on(builder.module, block)
    ]
    if not movable or builder.module.name:
        return None
    block = builder.context.chooser.choice(movable)
    inner = ModelModule(builder.context.new_name("mod"), keeps_names=True)
    call = ModelBlock(BlockKind.CALL, builder.context.new_name("m"), module=inner, cloud_name="")
    inner.blocks.append(ModelBlock(BlockKind.VARIABLE, "prefix", value_type=STRING))
    inner.blocks.append(block)
    for reference in _references_to(builder.module, block):
        output = ModelBlock(
            BlockKind.OUTPUT, builder.context.new_name("o"), value_type=reference.type, is_sensitive=block.is_sensitive
        )
        output.arguments["value"] = ModelExpression((ModelReference(block, reference.path, reference.type),))
        inner.blocks.append(output)
        reference.target, reference.path, reference.output = call, "", output
    builder.module.blocks[builder.module.blocks.index(block)] = call
    builder.module.statements.append(moved(address(block), f"module.{call.name}.{address(block)}"))
    return call


def _is_depended_on(module: ModelModule, block: ModelBlock) -> bool:
    named = [
        one for other in module.live_blocks() for one in (*other.depends_on, *(each.target for each in other.triggers))
    ]
    chained = [other.repeat.source for other in module.live_blocks() if other.repeat is not None]
    return block in named or block in chained


def _references_to(module: ModelModule, block: ModelBlock) -> list[ModelReference]:
    found: list[ModelReference] = []
    for other in module.live_blocks():
        expressions = [*other.expressions, *(one.condition for one in other.conditions)]
        expressions += [one.message for one in other.conditions]
        if other.nested_data is not None:
            expressions += other.nested_data.expressions
        found += [one for expression in expressions for one in expression.references if one.target is block]
    return found


def change_type(builder: ModuleBuilder) -> None:
    """One type takes over objects of another."""
    found = [
        block
        for block in builder.module.live_blocks(BlockKind.MANAGED)
        if block.type in ("simcloud_updated", "terraform_data")
    ]
    if not found or not builder.has_simcloud:
        return
    block = builder.context.chooser.choice(found)
    if block.type == "terraform_data":
        block.arguments = {}
    before, block.type, block.value_type = address(block), "simcloud_renamed", None
    builder.module.statements.append(moved(before, address(block)))
