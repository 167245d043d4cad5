"""Edits that leave a moved, removed or import block, as text that belongs to the new version."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from harness.generate.model import (
    BlockKind,
    ModelBlock,
    ModelExpression,
    ModelModule,
    ModelReference,
    Repeat,
    RepetitionKind,
)
from harness.generate.module_builder import KEYS, ModuleBuilder
from harness.generate.printing import address, instance_addresses, quoted
from harness.generate.resource_generator import PARENTS, add_resource
from shared_nodes.values.types import STRING

__all__ = [
    "IMPORTABLE",
    "MOVABLE",
    "add_removal_statement",
    "change_repetition",
    "change_type",
    "has_children",
    "import_object",
    "move_onto_other",
    "rename_twice",
    "rename_with_moved",
    "split_into_module",
]

IMPORTABLE: Final = ({"type": "simcloud_updated", "name": "found-a"}, {"type": "simcloud_replaced", "name": "found-b"})
"""Objects that exist in the cloud before every story with an import, for import blocks to find."""

MOVABLE: Final = (BlockKind.MANAGED, BlockKind.CALL)


def moved_statement(source: str, target: str) -> str:
    return f"moved {{\n  from = {source}\n  to   = {target}\n}}\n"


def add_removal_statement(builder: ModuleBuilder, block: ModelBlock) -> None:
    """Add a removed or moved block for a removed block, sometimes. Parents are never moved: the dependencies recorded
    for their children would no longer name them, and the order of destruction would depend on the schedule."""
    if block.kind in MOVABLE and block.type not in PARENTS and builder.context.chance("moved to nothing", 10):
        nowhere = "module.nowhere" if block.kind is BlockKind.CALL else f"{block.type}.nowhere"
        builder.module.statements.append(moved_statement(address(block), nowhere))
    elif block.kind in MOVABLE and builder.context.chance("removed block", 35):
        destroys = builder.context.chooser.choice((False, True))
        lines = [f"  from = {address(block)}"]
        if not builder.context.chance("opentofu: removed block without lifecycle", 30):
            lines += ["  lifecycle {", f"    destroy = {str(destroys).lower()}", "  }"]
        feature = "" if destroys else "opentofu: "
        if block.kind is BlockKind.MANAGED and builder.context.chance(f"{feature}provisioner of a removed block", 30):
            lines += ['  provisioner "local-exec" {', "    when    = destroy", '    command = "echo ${self.id}"', "  }"]
        builder.module.statements.append("\n".join(["removed {", *lines, "}", ""]))


def has_children(module: ModelModule, block: ModelBlock) -> bool:
    given = (other.arguments.get("parent") for other in module.live_blocks(BlockKind.MANAGED))
    return any(one.target is block for parent in given if parent is not None for one in parent.references)


def _may_race(block: ModelBlock) -> bool:
    """Whether moving the resource causes a race. If a version with the move fails before apply, the next one destroys
    the old object while a new object needs its unique name. And once a parent has moved, the dependencies recorded for
    its children no longer name it, so nothing orders the replacements of both."""
    return block.type in ("simcloud_unique", *PARENTS)


def rename_with_moved(builder: ModuleBuilder) -> ModelBlock | None:
    block = builder.choose_block(*MOVABLE)
    if block is not None and not _may_race(block):
        before = address(block)
        block.name = builder.context.new_name("n")
        builder.module.statements.append(moved_statement(before, address(block)))
    return block


def rename_twice(builder: ModuleBuilder) -> None:
    """Rename a block twice, leaving a chain of moved blocks. The last move may be written first."""
    block = builder.choose_block(*MOVABLE)
    if block is None or _may_race(block):
        return
    names = [address(block)]
    for _ in range(2):
        block.name = builder.context.new_name("n")
        names.append(address(block))
    chain = [moved_statement(*pair) for pair in pairwise(names)]
    builder.module.statements += reversed(chain) if builder.context.chooser.chance(60) else chain


def move_onto_other(builder: ModuleBuilder) -> None:
    """Move a resource to the address of another one that is removed and whose object still exists."""
    managed = builder.module.live_blocks(BlockKind.MANAGED)
    pairs = [
        (block, other)
        for block in managed
        for other in managed
        if block is not other and block.type == other.type and not has_children(builder.module, other)
        if not _may_race(block)
    ]
    if pairs:
        block, other = builder.context.chooser.choice(pairs)
        before, other.is_alive, block.name = address(block), False, other.name
        builder.module.statements.append(moved_statement(before, address(block)))


def change_repetition(builder: ModuleBuilder) -> None:
    """Switch between a single object, count and for_each, with and without a moved block. Modules whose objects keep
    their names are left out: the ids of objects with equal names depend on the order of creation."""
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
        builder.module.statements.append(moved_statement(before[0], after[0]))


def import_object(builder: ModuleBuilder) -> None:
    """Import an object that already exists in the cloud. Each is imported once only, because the last of two applied
    addresses would win. For terraform_data any id can be imported. Import blocks are only valid in the root, but may
    point into modules."""
    thing = (
        builder.context.chooser.choice(IMPORTABLE) if builder.has_simcloud else {"type": "terraform_data", "name": "x"}
    )
    feature = f"import of {thing['name']}"
    if builder.module.name or (builder.has_simcloud and feature in builder.context.used_features):
        return
    prefix, place = _choose_import_module(builder)
    block = add_resource(place, BlockKind.MANAGED, thing["type"])
    if block is None:
        return
    builder.context.used_features.add(feature)
    block.repeat, block.provider, block.lifecycle, block.provisioners, block.host = None, None, {}, [], None
    block.settings = {}
    block.cloud_name = thing["name"]
    repeats = builder.context.chance("import with for_each", 25)
    if repeats:
        block.repeat, block.cloud_name = Repeat(RepetitionKind.SET, ["a"]), thing["name"].removesuffix("-a")
    where = f"{prefix}{address(block)}{'[each.key]' if repeats else ''}"
    each = '  for_each = toset(["a"])\n' if repeats else ""
    identity = _make_import_id(builder, f"{thing['name']}-1")
    builder.module.statements.append(f"import {{\n{each}  to = {where}\n  id = {identity}\n}}\n")


def _choose_import_module(builder: ModuleBuilder) -> tuple[str, ModuleBuilder]:
    """Return the address prefix and the module for an imported resource. If the module has several instances, the first
    one gets the object and the others create their own."""
    calls = [call for call in builder.module.live_blocks(BlockKind.CALL) if instance_addresses(call)]
    call = (
        builder.context.chooser.choice(calls) if calls and builder.context.chance("import into a module", 25) else None
    )
    if call is None or call.module is None:
        return "", builder
    return f"{instance_addresses(call)[0]}.", ModuleBuilder(
        builder.context, call.module, builder.has_simcloud, builder.depth + 1
    )


def _make_import_id(builder: ModuleBuilder, text: str) -> str:
    """Return the import id as a literal, or as a value that must be evaluated first."""
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
    """Move a resource that refers to nothing into a new module, with a moved block. References to it become references
    to outputs of the module. Its name in the cloud stays the same."""
    movable = [
        block
        for block in builder.module.live_blocks(BlockKind.MANAGED)
        if block.repeat is None
        and block.provider is None
        and not block.depends_on
        and not block.triggers
        and not block.conditions
        and not block.type.endswith("meta")
        and not _may_race(block)
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
    builder.module.statements.append(moved_statement(address(block), f"module.{call.name}.{address(block)}"))
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
    """Let a resource type take over objects of another type."""
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
    builder.module.statements.append(moved_statement(before, address(block)))
