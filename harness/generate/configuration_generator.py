"""The first version of a configuration: a root module, the modules it calls, and what it passes to them."""

from __future__ import annotations

from typing import Final

from harness.generate.block_generator import add_block
from harness.generate.choices import GenerationContext
from harness.generate.enabled_generator import make_enabled
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
from harness.generate.opentofu_values import CONST, add_repeated_provider, choose_source, make_constant
from harness.generate.resource_generator import (
    add_dependency,
    add_resource,
    choose_provider_instance,
    may_choose_provider,
)
from shared_nodes.values.types import STRING

__all__ = ["add_any_block", "add_module_call", "generate_configuration"]

_DEEPEST: Final = 2
_KINDS_TO_ADD: Final = (
    (BlockKind.MANAGED, 40),
    (BlockKind.LOCAL, 14),
    (BlockKind.VARIABLE, 10),
    (BlockKind.DATA, 10),
    (BlockKind.OUTPUT, 12),
    (BlockKind.CALL, 14),
    (BlockKind.CHECK, 6),
    (BlockKind.EPHEMERAL, 6),
    (BlockKind.PROVIDER, 6),
)


def generate_configuration(context: GenerationContext, size: int, *, has_simcloud: bool = True) -> ModelModule:
    """Generate a root module with about `size` blocks; blocks of called modules come on top."""
    root = ModelModule("")
    builder = ModuleBuilder(context, root, has_simcloud)
    if context.chance("opentofu: provider with for_each", 15):
        add_repeated_provider(builder)
    if has_simcloud and context.chance("provider configured on the way", 8):
        _add_configured_provider(builder)
    elif context.chance("chain of resources", 40):
        _add_chain(builder)
    else:
        add_block(builder, BlockKind.MANAGED)
    for _ in range(context.chooser.integer(max(1, size // 2), size)):
        add_any_block(builder)
    add_block(builder, BlockKind.OUTPUT)
    return root


_LINKS: Final = (("terraform_data", 3), ("simcloud_replaced", 4), ("simcloud_updated", 3), ("simcloud_computed", 1))


def _add_chain(builder: ModuleBuilder) -> None:
    """Add resources that depend on each other in a row, so that edits of one affect the others and the order of
    operations matters. Some links are replaced create-first."""
    context = builder.context
    link: ModelBlock | None = None
    for _ in range(context.chooser.integer(2, 3)):
        type_name = context.pick_feature(_LINKS) if builder.has_simcloud else "terraform_data"
        before, link = link, add_resource(builder, BlockKind.MANAGED, type_name)
        if link is None or before is None:
            continue
        add_dependency(builder, link, [before])
        if context.chance("link by depends_on", 20):
            link.depends_on = [before]
        if context.chance("create_before_destroy", 25):
            link.lifecycle["create_before_destroy"] = "true"


def _add_configured_provider(builder: ModuleBuilder) -> None:
    """Add a provider configured by a resource or data source, and resources managed by it. The former must exist before
    the latter are created and until after they are destroyed."""
    context = builder.context
    from_data = context.chance("provider from data", 40)
    source = add_resource(
        builder, *((BlockKind.DATA, "simcloud_pure") if from_data else (BlockKind.MANAGED, "terraform_data"))
    )
    provider = builder.add(ModelBlock(BlockKind.PROVIDER, context.new_name("p"), "simcloud"))
    if source is None:
        return
    source.repeat, source.provider, source.depends_on = None, None, []
    path = ".result" if from_data else ".id"
    provider.arguments["region"] = ModelExpression((ModelReference(source, path, STRING),))
    for _ in range(context.chooser.integer(1, 2)):
        served = add_resource(
            builder, BlockKind.MANAGED, context.pick_feature((("simcloud_replaced", 1), ("simcloud_updated", 1)))
        )
        if served is not None:
            served.provider = provider
            served.depends_on = [one for one in served.depends_on if one is not source]


def add_any_block(builder: ModuleBuilder) -> ModelBlock | None:
    kind = BlockKind(builder.context.pick_feature([(str(kind), weight) for kind, weight in _KINDS_TO_ADD]))
    if kind is BlockKind.CALL:
        return add_module_call(builder) if builder.depth < _DEEPEST else add_block(builder, BlockKind.MANAGED)
    return add_block(builder, kind)


def add_module_call(builder: ModuleBuilder) -> ModelBlock:
    """Add a call of a new module or of one that is called already."""
    context = builder.context
    known = [call.module for call in builder.module.live_blocks(BlockKind.CALL) if call.module is not None]
    again = known and context.chance("module called twice", 30)
    module = context.chooser.choice(known) if again else _new_module(builder)
    call = ModelBlock(BlockKind.CALL, context.new_name("m"), module=module)
    call.cloud_name = call.name
    may_be_repeated = not module.configures_providers
    if may_be_repeated and context.chance("repeated module", 40):
        repetition = RepetitionKind(
            context.pick_feature([(RepetitionKind.COUNT, 1), (RepetitionKind.SET, 1), (RepetitionKind.MAP, 1)])
        )
        call.repeat = Repeat(repetition, new_keys(context))
    if may_be_repeated and context.chance("depends_on of a module", 22):
        call.depends_on = context.chooser.sample(builder.module.live_blocks(BlockKind.MANAGED, BlockKind.CALL), 2)
    if may_be_repeated and context.chance("opentofu: enabled module", 22):
        call.settings["enabled"] = make_enabled(builder, call)
    choose_source(builder, call)
    _pass_providers(builder, call)
    _pass_values(builder, call)
    return builder.add(call)


def _new_module(builder: ModuleBuilder) -> ModelModule:
    """Generate a module. Outputs are added last, so that they can refer to any block."""
    context = builder.context
    module = ModelModule(context.new_name("mod"))
    module.blocks.append(ModelBlock(BlockKind.VARIABLE, "prefix", value_type=STRING, is_static=False))
    inside = ModuleBuilder(context, module, builder.has_simcloud, builder.depth + 1)
    if builder.has_simcloud and not builder.module.name and context.chance("configuration_aliases", 15):
        module.aliases.append("inner")
        module.is_proxy = context.chance("empty provider block in a module", 35)
    if builder.has_simcloud and context.chance("provider_meta", 8):
        module.meta_name = module.name
        add_resource(inside, BlockKind.MANAGED, "simcloud_meta")
    for _ in range(context.chooser.integer(0, 2)):
        add_block(inside, BlockKind.VARIABLE)
    if builder.has_simcloud and context.chance("provider block in a module", 10):
        _add_inner_provider(inside)
    add_block(inside, BlockKind.MANAGED)
    for _ in range(context.chooser.integer(0, 3)):
        add_any_block(inside)
    if builder.depth + 1 < _DEEPEST and context.chance("nested module", 20):
        add_module_call(inside)
    if module.aliases:
        _use_alias(inside)
    for _ in range(context.chooser.integer(1, 2)):
        add_block(inside, BlockKind.OUTPUT)
    return module


def _add_inner_provider(builder: ModuleBuilder) -> None:
    """Add a default provider configuration inside the module, taken from a variable. Once the call is removed the
    configuration is gone, and its resources cannot be destroyed."""
    provider = ModelBlock(BlockKind.PROVIDER, "", "simcloud")
    given = [one for one in builder.module.live_blocks(BlockKind.VARIABLE) if one.value_type == STRING]
    provider.arguments["region"] = ModelExpression((ModelReference(builder.context.chooser.choice(given), "", STRING),))
    builder.add(provider)


def _use_alias(builder: ModuleBuilder) -> None:
    """Let at least one resource use the passed configuration. Parents and children stay with the default one."""
    proxy = ModelBlock(BlockKind.PROVIDER, "inner", "simcloud")
    found = [block for block in builder.module.live_blocks(BlockKind.MANAGED) if may_choose_provider(block, "simcloud")]
    if not found:
        found = [one for one in (add_resource(builder, BlockKind.MANAGED, "simcloud_updated"),) if one is not None]
    for block in builder.context.chooser.sample(found, 2):
        block.provider = proxy


def _pass_providers(builder: ModuleBuilder, call: ModelBlock) -> None:
    """Pass provider configurations to a module called by the root. The default configuration of the module may be an
    aliased one of the root."""
    assert call.module is not None
    named = [one for one in builder.module.live_blocks(BlockKind.PROVIDER) if one.name]
    found = [one for one in named if one.type == "simcloud"]
    if call.module.aliases and not found:
        found = [builder.add(ModelBlock(BlockKind.PROVIDER, builder.context.new_name("p"), "simcloud"))]
    for alias in call.module.aliases:
        call.passed[alias] = builder.context.chooser.choice(found)
    has_own = any(not one.name for one in call.module.live_blocks(BlockKind.PROVIDER))
    if found and not has_own and builder.context.chance("usual provider passed", 30):
        call.passed[""] = builder.context.chooser.choice(found)
    builtin = [one for one in named if one.type == "terraform"]
    if builtin and builder.context.chance("opentofu: builtin provider passed", 40):
        call.provider, call.module.needs_builtin = builder.context.chooser.choice(builtin), True
    for provider in (*call.passed.values(), *([] if call.provider is None else [call.provider])):
        choose_provider_instance(builder.context, call, provider)


def _pass_values(builder: ModuleBuilder, call: ModelBlock) -> None:
    """Set some input variables of a module. The others keep their defaults."""
    assert call.module is not None
    for variable in call.module.live_blocks(BlockKind.VARIABLE):
        if variable.value_type is not None and variable.name != "prefix" and builder.context.chooser.chance(70):
            call.arguments[variable.name] = _make_passed_value(builder, call, variable)


def _make_passed_value(builder: ModuleBuilder, call: ModelBlock, variable: ModelBlock) -> ModelExpression:
    """Make the value of an input variable. Null selects the default if the variable is not nullable. An output of the
    same module may be passed if it depends on nothing. A constant is known before anything is evaluated."""
    assert call.module is not None
    assert variable.value_type is not None
    if variable.is_fixed:
        return variable.arguments["default"]
    if variable.lifecycle.get(CONST) == "true":
        return make_constant(builder, variable.value_type)
    if "nullable" in variable.lifecycle and builder.context.chance("null for a variable", 50):
        return ModelExpression(("null",))
    outputs = [
        output
        for output in call.module.live_blocks(BlockKind.OUTPUT)
        if output.value_type == variable.value_type
        and not output.is_ephemeral
        and not (output.arguments["value"].references or output.conditions or output.depends_on)
    ]
    if call.repeat is None and outputs and builder.context.chance("own output of a module", 60):
        return ModelExpression(
            (ModelReference(call, "", variable.value_type, output=builder.context.chooser.choice(outputs)),)
        )
    return builder.make_expression(
        variable.value_type, is_static=variable.is_static, may_be_ephemeral=variable.is_ephemeral
    )
