"""Generate a whole story: a configuration, edits of it, and the steps run with each version.

A small story has two to four blocks in the root and two versions; a medium one has five to nine blocks. A long story
has four versions of a few blocks, and a large one has more of both than anyone would write by hand. Blocks in called
modules come on top, as do steps before and after the apply of a version.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any, Final

from harness.case.case import Step
from harness.generate.choices import GenerationContext
from harness.generate.configuration_generator import generate_configuration
from harness.generate.edits import apply_edit, dependencies_in
from harness.generate.initial_state import InitialState, generate_initial_state
from harness.generate.instances import ModelInstance, find_instances, module_call_addresses
from harness.generate.mistakes import make_mistake
from harness.generate.model import BlockKind, ModelBlock, ModelModule, RepetitionKind
from harness.generate.printing import address, instance_addresses, print_configuration
from harness.generate.profiles import Profile, Size
from harness.generate.referable_attributes import LIST, MAP
from harness.generate.resource_generator import LISTED
from harness.generate.statements import IMPORTABLE
from harness.generate.story import GeneratedStory
from harness.simulation.simcloud.faults import KINDS_OF, Fault, Kind, Phase, Verb
from shared_nodes.flavour import OPENTOFU, TERRAFORM_1_11, Flavour
from shared_nodes.values.types import BOOL, NUMBER, STRING

__all__ = ["generate_story"]


_FAULTY: Final = (
    *((Verb.CREATE, 5), (Verb.UPDATE, 4), (Verb.DELETE, 4), (Verb.READ, 3), (Verb.PLAN, 3)),
    *((Verb.LOOKUP, 1), (Verb.CONFIGURE, 1), (Verb.OPEN, 1), (Verb.CLOSE, 1), (Verb.IMPORT, 1)),
)
_FAULTY_AGAIN: Final = ((Verb.CREATE, 3), (Verb.UPDATE, 2), (Verb.DELETE, 5), (Verb.READ, 1))
"""Weights for a second fault on the same object, which is tainted after a failed create: it is deleted and created
again."""

_LISTING: Final = 'data "simcloud_listing"'
_DRIFTING: Final = ("value", "label", "text", "trigger", "zone")


@dataclass(slots=True)
class _StoryBuilder:
    context: GenerationContext
    root: ModelModule
    profile: Profile
    flavour: Flavour
    versions: dict[str, dict[str, str]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    kills: dict[int, Fault] = field(default_factory=dict)
    killed_version: str = ""
    """The version during whose apply a process is killed."""

    def publish_version(self) -> str:
        name = f"v{len(self.versions) + 1}"
        self.versions[name] = print_configuration(self.root)
        return name

    @property
    def current_version(self) -> str:
        return f"v{len(self.versions)}"


def generate_story(context: GenerationContext, profile: Profile, size: Size, name: str) -> GeneratedStory:
    """Generate a story. The same decisions produce the same story, byte for byte."""
    flavour = OPENTOFU if context.chooser.chance(profile.opentofu) else TERRAFORM_1_11
    context.used_features.add(f"flavour {flavour.name}")
    builder = _StoryBuilder(
        context, generate_configuration(context, size.blocks, has_simcloud=profile.has_simcloud), profile, flavour
    )
    has_beginning = profile.has_simcloud and context.chance("state to begin with", 12)
    initial_state = generate_initial_state(context, builder.root) if has_beginning else InitialState(None, ())
    if profile.has_simcloud and context.chance("process that is killed", 1):
        builder.killed_version = f"v{context.chooser.integer(1, size.steps)}"
    mistakes: list[str] = []
    for number in range(size.steps):
        if number:
            _edit_configuration(builder)
        if context.chooser.chance(profile.mistakes):
            mistakes.append(make_mistake(context, builder.root))
        builder.publish_version()
        _add_steps(builder)
        _clear_mistakes(builder)
    if context.chance("destroy at the end", 35):
        if context.chance("destroy by another version", 25):
            _edit_configuration(builder)
            builder.publish_version()
            if _moves_provider_inputs(builder):
                builder.steps.append(_step(builder, "apply"))
        builder.steps.append(
            Step("destroy", builder.current_version, refresh=not context.chance("destroy without refresh", 15))
        )
    cloud = [*initial_state.cloud]
    cloud += IMPORTABLE if _has_text(builder, "import {") else ()
    cloud += LISTED if _has_text(builder, _LISTING) else ()
    return GeneratedStory(
        name,
        builder.versions,
        tuple(builder.steps),
        tuple(builder.faults),
        tuple(cloud),
        flavour.name,
        frozenset(context.used_features),
        ", ".join(mistakes),
        initial_state.state,
        builder.kills,
    )


def _has_text(builder: _StoryBuilder, words: str) -> bool:
    return any(words in text for files in builder.versions.values() for text in files.values())


def _edit_configuration(builder: _StoryBuilder) -> None:
    """Edit the configuration for the next version. Statements of the previous version may stay, as moved blocks usually
    do."""
    builder.context.edited_blocks.clear()
    if not builder.context.chance("statements stay", 50):
        for module in builder.root.all_modules:
            module.statements.clear()
    for _ in range(builder.context.chooser.integer(1, 3)):
        apply_edit(builder.context, builder.root, has_simcloud=builder.profile.has_simcloud)


def _moves_provider_inputs(builder: _StoryBuilder) -> bool:
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


def _clear_mistakes(builder: _StoryBuilder) -> None:
    for module in builder.root.all_modules:
        module.extra.clear()


def _add_steps(builder: _StoryBuilder) -> None:
    """Add the steps for the current version: usually an apply, sometimes other operations before or after it."""
    context = builder.context
    if builder.profile.has_simcloud and context.chance("drift", 15):
        _add_drift(builder)
    if context.chance("plan before", 8):
        builder.steps.append(_step(builder, "plan"))
    if context.chance("refresh-only", 8):
        operation = "plan" if context.chance("refresh-only plan", 25) else "apply"
        targets = _choose_targets(builder) if context.chance("refresh-only of a target", 20) else ()
        builder.steps.append(
            Step(operation, builder.current_version, _choose_variables(builder), "refresh-only", targets)
        )
    is_in_order = not _moves_provider_inputs(builder)
    if is_in_order and context.chance("plan to destroy", 6):
        targets = _choose_targets(builder) if context.chance("plan to destroy a target", 25) else ()
        builder.steps.append(Step("plan", builder.current_version, _choose_variables(builder), "destroy", targets))
    if context.chance("target", 12):
        targets = _choose_targets(builder)
        operation = "destroy" if is_in_order and context.chance("destroy of a target", 25) else "apply"
        builder.steps.append(_step(builder, operation, targets=targets))
    if builder.flavour is OPENTOFU and context.chance("exclude", 15):
        operation = "destroy" if is_in_order and context.chance("destroy of all but something", 20) else "apply"
        builder.steps.append(replace(_step(builder, operation), excludes=_choose_targets(builder)))
    if builder.profile.has_simcloud and context.chance("fault", 22):
        thing = _add_fault(builder)
        builder.steps.append(_step(builder, "apply"))
        if thing is not None and context.chance("fault again", 50):
            _add_fault(builder, thing)
            builder.steps.append(_step(builder, "apply"))
    if builder.current_version == builder.killed_version:
        _add_kill(builder)
    builder.steps.append(_step(builder, "apply"))
    if context.chance("plan after", 25):
        builder.steps.append(Step("plan", builder.current_version, builder.steps[-1].variables))


def _step(builder: _StoryBuilder, operation: str, targets: tuple[str, ...] = ()) -> Step:
    context = builder.context
    replaced: tuple[str, ...] = ()
    if operation != "destroy" and context.chance("replace", 8):
        replaced = _choose_replaced(builder)
    refresh = not context.chance("refresh = false", 8)
    return Step(
        operation,
        builder.current_version,
        _choose_variables(builder),
        targets=targets,
        replace=replaced,
        refresh=refresh,
    )


def _choose_replaced(builder: _StoryBuilder) -> tuple[str, ...]:
    """Choose instances to replace; sometimes without a key, or with a key that does not exist, which is reported but
    replaces nothing."""
    chosen = [one.address for one in builder.context.chooser.some(find_instances(builder.root, BlockKind.MANAGED), 2)]
    whole = [address.rpartition("[")[0] if address.endswith("]") else address for address in chosen]
    if builder.context.chance("replace without a key", 25):
        chosen = whole
    elif builder.context.chance("replace with a key that is missing", 8):
        chosen = [f"{address}[7]" for address in whole]
    return tuple(dict.fromkeys(chosen))


def _choose_targets(builder: _StoryBuilder) -> tuple[str, ...]:
    context = builder.context
    pairs = [(one, other) for one, other in dependencies_in(builder.root) if len(instance_addresses(one)) > 1]
    if pairs and context.chance("target of one instance and of a dependent", 30):
        one, other = context.chooser.choice(pairs)
        return instance_addresses(one)[0], address(other)
    whole = module_call_addresses(builder.root)
    single = find_instances(builder.root, BlockKind.MANAGED, BlockKind.DATA)
    options = [one.address for one in single] + [one.address.partition("[")[0] for one in single[:3]] + whole
    return tuple(dict.fromkeys(context.chooser.some(options, 2)))


def _choose_variables(builder: _StoryBuilder) -> str | None:
    """Choose values for some root variables."""
    if not builder.context.chance("values for variables", 25):
        return None
    given = {
        one.name: _variable_value(builder, one)
        for one in builder.root.live_blocks(BlockKind.VARIABLE)
        if builder.context.chooser.chance(60)
    }
    return json.dumps(given, ensure_ascii=False) if given else None


def _variable_value(builder: _StoryBuilder, variable: ModelBlock) -> Any:
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


def _simulated_instances(builder: _StoryBuilder, *kinds: BlockKind) -> list[ModelInstance]:
    return [one for one in find_instances(builder.root, *kinds) if one.block.type.startswith("simcloud_")]


def _add_drift(builder: _StoryBuilder) -> None:
    """Change or remove an object in the cloud just before the next step."""
    known = _simulated_instances(builder, BlockKind.MANAGED)
    if not known:
        return
    thing = builder.context.chooser.choice(known)
    step = len(builder.steps)
    names = [name for name in _DRIFTING if name in thing.block.arguments]
    if not names or builder.context.chance("object vanishes", 30):
        builder.faults.append(Fault(step, thing.cloud_name, Kind.VANISH, type_name=thing.block.type))
        return
    name = builder.context.chooser.choice(names)
    builder.faults.append(
        Fault(step, thing.cloud_name, Kind.DRIFT, type_name=thing.block.type, attributes={name: "drifted"})
    )


def _has_slow_data(builder: _StoryBuilder) -> bool:
    """Whether a data source waits for the clock. A stuck call is interrupted once nothing else runs, and whether a
    waiting data source counts as running depends on the schedule."""
    return any(one.block.type == "simcloud_slow" for one in _simulated_instances(builder, BlockKind.DATA))


def _add_kill(builder: _StoryBuilder) -> None:
    """Kill the process of the next step at a call. This is rare because processes are slow to start."""
    known = _simulated_instances(builder, BlockKind.MANAGED)
    if known and not _has_slow_data(builder):
        thing = builder.context.chooser.choice(known)
        verb = builder.context.chooser.choice((Verb.CREATE, Verb.DELETE, Verb.UPDATE))
        builder.kills[len(builder.steps)] = Fault(None, thing.cloud_name, Kind.STUCK, verb, type_name=thing.block.type)


def _add_fault(builder: _StoryBuilder, again: ModelInstance | None = None) -> ModelInstance | None:
    """Let a call of the next step fail: of an edited object if possible, or of the object that failed before. Where
    calls carry no name, all of them fail, because which comes first depends on the schedule."""
    context = builder.context
    faulty = _FAULTY if again is None else _FAULTY_AGAIN
    verb = Verb(
        context.pick_feature([(f"fault at {verb}", weight) for verb, weight in faulty]).removeprefix("fault at ")
    )
    block_kind = {Verb.LOOKUP: BlockKind.DATA, Verb.OPEN: BlockKind.EPHEMERAL, Verb.CLOSE: BlockKind.EPHEMERAL}.get(
        verb, BlockKind.MANAGED
    )
    known = _simulated_instances(builder, block_kind)
    edited = [one for one in known if one.block in context.edited_blocks]
    if edited and context.chance("fault in what was edited", 70):
        known = edited
    if not known:
        return None
    thing = again or context.chooser.choice(known)
    kind = Kind(context.pick_feature([(f"fault: {kind}", 1) for kind in KINDS_OF[verb]]).removeprefix("fault: "))
    if kind is Kind.STUCK and _has_slow_data(builder):
        kind = Kind.ERROR
    builder.faults.append(_make_fault(context, len(builder.steps), verb, kind, thing))
    return thing if block_kind is BlockKind.MANAGED else None


_OF_DEPOSED_OBJECTS_TOO: Final = (Verb.READ, Verb.PLAN, Verb.DELETE)
"""Calls that also concern deposed objects. These share the name of the current object, and which is called first
depends on the schedule."""


_LEAVING_NOTHING: Final = (Kind.ERROR, Kind.FLAKY, Kind.LOST, Kind.NULL_RESULT)
"""Faults after which nothing was created, raised immediately. Other faults are raised when everything else is done."""


def _asks_about_itself_among_others(block: ModelBlock) -> bool:
    """Whether a postcondition of a counted resource uses `self`. It is evaluated even if nothing was created. `self` is
    then an element of the existing instances: unknown if a later instance exists, an invalid index if not. The original
    behaves the same."""
    is_counted = block.repeat is not None and block.repeat.repetition is RepetitionKind.COUNT
    return is_counted and any(condition.name == "postcondition" for condition in block.conditions)


def _make_fault(context: GenerationContext, step: int, verb: Verb, kind: Kind, thing: ModelInstance) -> Fault:
    name: str | None = thing.cloud_name
    type_name = thing.block.type
    if verb is Verb.CONFIGURE:
        name, type_name = None, "simcloud"
    elif verb in (Verb.CLOSE, Verb.IMPORT) or thing.block.type == "simcloud_live":
        name = None
    is_ambiguous = name is None or verb in _OF_DEPOSED_OBJECTS_TOO
    if is_ambiguous and kind is Kind.FLAKY:
        kind = Kind.ERROR
    if verb is Verb.CREATE and kind in _LEAVING_NOTHING and _asks_about_itself_among_others(thing.block):
        kind = Kind.ERROR_AFTER
    occurrence = None if is_ambiguous else 1
    phase = context.chooser.choice((None, None, Phase.PLAN, Phase.APPLY)) if verb is Verb.READ else None
    times = 2 if kind is Kind.FLAKY else 1
    seconds = 30 if kind is Kind.LATENCY else 0
    return Fault(step, name, kind, verb, occurrence, phase, type_name=type_name, times=times, seconds=seconds)
