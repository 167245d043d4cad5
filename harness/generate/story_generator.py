"""Generate a whole story: a configuration, edits of it, and the steps run with each version.

A small story has two to four blocks in the root and two versions; a medium one has five to nine blocks. A long story
has four versions of a few blocks, and a large one has more of both than anyone would write by hand. Blocks in called
modules come on top, as do steps before and after the apply of a version.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from harness.case.case import Step
from harness.generate.choices import GenerationContext
from harness.generate.configuration_generator import generate_configuration
from harness.generate.edits import apply_edit, dependencies_in
from harness.generate.fault_generator import add_drift, add_fault, add_kill
from harness.generate.initial_state import InitialState, generate_initial_state
from harness.generate.instances import find_instances, module_call_addresses
from harness.generate.mistakes import make_mistake
from harness.generate.model import BlockKind, ModelBlock
from harness.generate.printing import address, instance_addresses
from harness.generate.profiles import Profile, Size
from harness.generate.referable_attributes import LIST, MAP
from harness.generate.resource_generator import LISTED
from harness.generate.statements import IMPORTABLE
from harness.generate.story import GeneratedStory
from harness.generate.story_builder import StoryBuilder
from shared_nodes.values.types import BOOL, NUMBER, STRING

__all__ = ["generate_story"]

_LISTING: Final = 'data "simcloud_listing"'


def generate_story(context: GenerationContext, profile: Profile, size: Size, name: str) -> GeneratedStory:
    """Generate a story. The same decisions produce the same story, byte for byte."""
    context.has_opentofu = context.chooser.chance(profile.opentofu_per_cent)
    context.used_features.add(f"flavour {context.flavour.name}")
    builder = StoryBuilder(
        context, generate_configuration(context, size.blocks, has_simcloud=profile.has_simcloud), profile
    )
    has_initial_state = profile.has_simcloud and context.chance("state to begin with", 12)
    initial_state = generate_initial_state(context, builder.root) if has_initial_state else InitialState(None, ())
    if profile.has_simcloud and context.chance("process that is killed", 1):
        builder.killed_version = f"v{context.chooser.integer(1, size.steps)}"
    mistakes: list[str] = []
    for number in range(size.steps):
        if number:
            _edit_configuration(builder)
        if context.chooser.chance(profile.mistakes_per_cent):
            mistakes.append(make_mistake(context, builder.root))
        builder.publish_version()
        _add_steps(builder)
        _clear_mistakes(builder)
    if context.chance("destroy at the end", 35):
        if context.chance("destroy by another version", 25):
            _edit_configuration(builder)
            builder.publish_version()
            if _moves_provider_inputs(builder):
                builder.steps.append(_make_step(builder, "apply"))
        refreshes = not context.chance("destroy without refresh", 15)
        builder.steps.append(_suppress(context, Step("destroy", builder.current_version, refresh=refreshes)))
    cloud = [*initial_state.cloud]
    cloud += IMPORTABLE if profile.has_simcloud and _has_text(builder, "import {") else ()
    cloud += LISTED if _has_text(builder, _LISTING) else ()
    return GeneratedStory(
        name,
        builder.versions,
        tuple(builder.steps),
        tuple(builder.faults),
        tuple(cloud),
        context.flavour.name,
        frozenset(context.used_features),
        ", ".join(mistakes),
        initial_state.state,
        builder.kills,
    )


def _has_text(builder: StoryBuilder, words: str) -> bool:
    return any(words in text for files in builder.versions.values() for text in files.values())


def _edit_configuration(builder: StoryBuilder) -> None:
    """Edit the configuration for the next version. Statements of the previous version may stay, as moved blocks usually
    do."""
    builder.context.edited_blocks.clear()
    if not builder.context.chance("statements stay", 50):
        for module in builder.root.all_modules:
            module.statements.clear()
    for _ in range(builder.context.chooser.integer(1, 3)):
        apply_edit(builder.context, builder.root, has_simcloud=builder.profile.has_simcloud)


def _moves_provider_inputs(builder: StoryBuilder) -> bool:
    """Whether something was moved while a provider configuration has references. Objects of that provider still record
    a dependency on the old address. If both are destroyed before the record is updated, nothing orders the provider's
    configuration first; the original has the same gap."""
    modules = builder.root.all_modules
    configured = [
        expression
        for one in modules
        for block in one.live_blocks(BlockKind.PROVIDER)
        for expression in block.expressions
    ]
    has_moved = any(text.startswith("moved ") for one in modules for text in one.statements)
    return has_moved and any(expression.references for expression in configured)


def _clear_mistakes(builder: StoryBuilder) -> None:
    for module in builder.root.all_modules:
        module.extra.clear()


def _add_steps(builder: StoryBuilder) -> None:
    """Add the steps for the current version: usually an apply, sometimes other operations before or after it."""
    context = builder.context
    if builder.profile.has_simcloud and context.chance("drift", 15):
        add_drift(builder)
    if context.chance("plan before", 8):
        builder.steps.append(_make_step(builder, "plan"))
    if context.chance("refresh-only", 8):
        operation = "plan" if context.chance("refresh-only plan", 25) else "apply"
        targets = _choose_targets(builder) if context.chance("refresh-only of a target", 20) else ()
        builder.steps.append(
            Step(operation, builder.current_version, _choose_variables(builder), "refresh-only", targets)
        )
    may_destroy = not _moves_provider_inputs(builder)
    if may_destroy and context.chance("plan to destroy", 6):
        targets = _choose_targets(builder) if context.chance("plan to destroy a target", 25) else ()
        builder.steps.append(Step("plan", builder.current_version, _choose_variables(builder), "destroy", targets))
    if context.chance("target", 12):
        targets = _choose_targets(builder)
        operation = "destroy" if may_destroy and context.chance("destroy of a target", 25) else "apply"
        builder.steps.append(_select_by_file(builder, _make_step(builder, operation, targets=targets)))
    if context.chance("opentofu: exclude", 18):
        is_destroying = may_destroy and context.chance("opentofu: destroy of all but something", 20)
        step = _make_step(builder, "destroy" if is_destroying else "apply")
        builder.steps.append(_select_by_file(builder, replace(step, excludes=_choose_excluded(builder))))
    if builder.profile.has_simcloud and context.chance("fault", 22):
        instance = add_fault(builder)
        builder.steps.append(_make_step(builder, "apply"))
        if instance is not None and context.chance("fault again", 50):
            add_fault(builder, instance)
            builder.steps.append(_make_step(builder, "apply"))
    if builder.current_version == builder.killed_version:
        add_kill(builder)
    builder.steps.append(_make_step(builder, "apply"))
    if context.chance("plan after", 25):
        builder.steps.append(Step("plan", builder.current_version, builder.steps[-1].variables))


def _make_step(builder: StoryBuilder, operation: str, targets: tuple[str, ...] = ()) -> Step:
    context = builder.context
    replaced: tuple[str, ...] = ()
    if operation != "destroy" and context.chance("replace", 8):
        replaced = _choose_replaced(builder)
    refresh = not context.chance("refresh = false", 8)
    step = Step(
        operation,
        builder.current_version,
        _choose_variables(builder),
        targets=targets,
        replace=replaced,
        refresh=refresh,
    )
    return _suppress(context, step) if operation == "destroy" else step


def _suppress(context: GenerationContext, step: Step) -> Step:
    """Accept, sometimes, that destroying leaves forgotten objects behind."""
    is_accepted = context.chance("opentofu: suppress forget errors", 40)
    return replace(step, apply_options=("-suppress-forget-errors",)) if is_accepted else step


def _choose_excluded(builder: StoryBuilder) -> tuple[str, ...]:
    """Choose what to exclude: something that is being moved, which is an error, or what could as well be a target."""
    moved = [
        line.split()[-1]
        for text in builder.root.statements
        if text.startswith("moved ")
        for line in text.splitlines()[1:3]
    ]
    if moved and builder.context.chance("opentofu: exclude what is moved", 25):
        return (builder.context.chooser.choice(moved),)
    return _choose_targets(builder)


def _select_by_file(builder: StoryBuilder, step: Step) -> Step:
    """Name targets or excludes by a file beside the configuration, sometimes, and add the other kind by mistake."""
    context = builder.context
    if context.chance("opentofu: target and exclude", 2):
        return replace(step, targets=step.targets or step.excludes, excludes=step.excludes or step.targets)
    if not (step.targets or step.excludes) or not context.chance("opentofu: addresses in a file", 20):
        return step
    name = f"addresses-{len(builder.steps)}.txt"
    addresses = step.targets or step.excludes
    builder.versions[builder.current_version][name] = "# chosen\n" + "".join(f"{one}\n" for one in addresses)
    if step.targets:
        return replace(step, targets=(), target_file=name)
    return replace(step, excludes=(), exclude_file=name)


def _choose_replaced(builder: StoryBuilder) -> tuple[str, ...]:
    """Choose instances to replace; sometimes without a key, or with a key that does not exist, which is reported but
    replaces nothing."""
    chosen = [one.address for one in builder.context.chooser.sample(find_instances(builder.root, BlockKind.MANAGED), 2)]
    whole = [address.rpartition("[")[0] if address.endswith("]") else address for address in chosen]
    if builder.context.chance("replace without a key", 25):
        chosen = whole
    elif builder.context.chance("replace with a key that is missing", 8):
        chosen = [f"{address}[7]" for address in whole]
    return tuple(dict.fromkeys(chosen))


def _choose_targets(builder: StoryBuilder) -> tuple[str, ...]:
    context = builder.context
    pairs = [(one, other) for one, other in dependencies_in(builder.root) if len(instance_addresses(one)) > 1]
    if pairs and context.chance("target of one instance and of a dependent", 30):
        one, other = context.chooser.choice(pairs)
        return instance_addresses(one)[0], address(other)
    whole = module_call_addresses(builder.root)
    single = find_instances(builder.root, BlockKind.MANAGED, BlockKind.DATA)
    options = [one.address for one in single] + [one.address.partition("[")[0] for one in single[:3]] + whole
    return tuple(dict.fromkeys(context.chooser.sample(options, 2)))


def _choose_variables(builder: StoryBuilder) -> str | None:
    """Choose values for some root variables."""
    if not builder.context.chance("values for variables", 25):
        return None
    given = {
        one.name: _make_variable_value(builder, one)
        for one in builder.root.live_blocks(BlockKind.VARIABLE)
        if not one.is_fixed and builder.context.chooser.chance(60)
    }
    return json.dumps(given, ensure_ascii=False) if given else None


def _make_variable_value(builder: StoryBuilder, variable: ModelBlock) -> Any:
    """Return a value for a variable. Null selects the default if the variable is not nullable; otherwise it is passed
    on, and most later steps fail."""
    context = builder.context
    if context.chance("null for a variable", 60 if "nullable" in variable.lifecycle else 2):
        return None
    word = context.chooser.choice(("given", "other", "one"))
    number = context.chooser.integer(0, 9)
    if context.chance("text for a number", 10) and variable.value_type in (NUMBER, BOOL):
        return str(number) if variable.value_type == NUMBER else "true"
    values: dict[Any, Any] = {STRING: word, NUMBER: number, BOOL: bool(number % 2), LIST: [word]}
    return {"one": word} if variable.value_type == MAP else values.get(variable.value_type, word)
