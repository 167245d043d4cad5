"""The lifecycle settings and provisioners of a managed resource."""

from __future__ import annotations

from harness.generate.condition_generator import make_conditions, make_own_condition
from harness.generate.enabled_generator import make_protection
from harness.generate.expression_generator import make_expression
from harness.generate.model import BlockKind, ModelBlock, ModelExpression, ModelProvisioner, ModelReference
from harness.generate.module_builder import ModuleBuilder
from harness.generate.printing import quoted
from harness.generate.referable_attributes import LIST, MAP, referable_attributes, schema_of
from shared_nodes.values.types import STRING

__all__ = ["add_lifecycle", "add_provisioners"]


def add_lifecycle(builder: ModuleBuilder, block: ModelBlock) -> None:
    context = builder.context
    if context.chance("create_before_destroy", 25):
        is_off = context.chance("create_before_destroy = false", 15)
        block.lifecycle["create_before_destroy"] = "false" if is_off else "true"
    protected = [one for one in builder.module.live_blocks(BlockKind.MANAGED) if "prevent_destroy" in one.lifecycle]
    if context.chance("prevent_destroy of several", 50) if protected else context.chance("prevent_destroy", 5):
        block.lifecycle["prevent_destroy"] = "true"
    if context.chance("ignore_changes", 10):
        block.lifecycle["ignore_changes"] = _choose_ignored(builder, block)
    if context.chance("replace_triggered_by", 10):
        block.triggers = _choose_triggers(builder)
    if context.chance("precondition", 6):
        block.conditions += make_conditions(builder, "precondition")
    if context.chance("postcondition", 8):
        block.conditions.append(make_own_condition(builder, block, "postcondition"))
    if context.chance("opentofu: destroy = false", 8):
        block.lifecycle["destroy"] = "false"
    if context.chance("opentofu: prevent_destroy by an expression", 6):
        block.settings["prevent_destroy"] = make_protection(builder)


def _choose_ignored(builder: ModuleBuilder, block: ModelBlock) -> str:
    names = [name for name in block.arguments if name != "parent"]
    if not names or builder.context.chance("ignore_changes = all", 20):
        return "all"
    chosen = builder.context.chooser.sample(names, 2)
    if builder.context.chance("ignore_changes of a part", 40):
        chosen = [f"{name}{_element_path(block, name)}" for name in chosen]
    return "[" + ", ".join(chosen) + "]"


def _element_path(block: ModelBlock, name: str) -> str:
    """Return the path from an attribute to one of its elements; empty if its type has none."""
    attribute = schema_of(block.kind, block.type).attributes.get(name)
    wanted = None if attribute is None else attribute.type
    return '["one"]' if wanted == MAP else "[0]" if wanted == LIST else ""


def _choose_triggers(builder: ModuleBuilder) -> list[ModelReference]:
    found: list[ModelReference] = []
    for block in builder.context.chooser.sample(builder.module.live_blocks(BlockKind.MANAGED), 2):
        paths = [path for path, _, _ in referable_attributes(block) if path.count(".") == 1]
        whole = builder.context.chance("replace_triggered_by a whole resource", 40)
        path = "" if whole or not paths else builder.context.chooser.choice(paths)
        found.append(ModelReference(block, path, STRING, builder.context.chooser.integer(0, 1)))
    return found


def add_provisioners(builder: ModuleBuilder, block: ModelBlock) -> None:
    context = builder.context
    for at_destroy, feature in ((False, "provisioner"), (True, "provisioner at destroy")):
        if context.chance(feature, 7):
            continues = context.chance("on_failure = continue", 40)
            host = _make_host(builder, at_destroy) if context.chance("connection of a provisioner", 25) else None
            block.provisioners.append(
                ModelProvisioner(_make_command(builder, block, at_destroy), at_destroy, continues, host)
            )
    if block.provisioners and context.chance("connection of a resource", 20):
        block.host = _make_host(builder, any(one.at_destroy for one in block.provisioners))


def _make_host(builder: ModuleBuilder, at_destroy: bool) -> ModelExpression:
    """Make the host of a connection. It is evaluated, but never connected to."""
    if not at_destroy and builder.context.chance("reference in a connection", 50):
        may_be_ephemeral = builder.context.chance("ephemeral value in a connection", 40)
        return make_expression(
            builder.context, STRING, builder.expression_spec(depth=1, may_be_ephemeral=may_be_ephemeral)
        )
    return ModelExpression(("self.id",))


def _make_command(builder: ModuleBuilder, block: ModelBlock, at_destroy: bool) -> ModelExpression:
    """Make the command of a provisioner. Only a creation-time provisioner may refer to other blocks."""
    if builder.context.chance("provisioner that fails", 25):
        return ModelExpression((quoted("exit 3"),))
    if not at_destroy and builder.context.chance("own name in a provisioner", 15):
        return ModelExpression(('"echo ${', ModelReference(block, ".id", STRING), '}"'))
    if not at_destroy and builder.context.chance("reference in a provisioner", 30):
        return ModelExpression(
            ('"echo ${', *make_expression(builder.context, STRING, builder.expression_spec(depth=1)).parts, '}"')
        )
    return ModelExpression((quoted(f"echo {block.name} ${{self.id}}"),))
