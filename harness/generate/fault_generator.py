"""Faults of a story: drift before a step, calls that fail, and processes that are killed."""

from __future__ import annotations

from typing import Final

from harness.generate.choices import GenerationContext
from harness.generate.instances import ModelInstance, find_instances
from harness.generate.model import BlockKind, ModelBlock, RepetitionKind
from harness.generate.story_builder import StoryBuilder
from harness.simulation.simcloud.faults import KINDS_OF, Fault, FaultKind, Phase, Verb

__all__ = ["add_drift", "add_fault", "add_kill"]

_FAULT_WEIGHTS: Final = (
    *((Verb.CREATE, 5), (Verb.UPDATE, 4), (Verb.DELETE, 4), (Verb.READ, 3), (Verb.PLAN, 3)),
    *((Verb.LOOKUP, 1), (Verb.CONFIGURE, 1), (Verb.OPEN, 1), (Verb.CLOSE, 1), (Verb.IMPORT, 1)),
)
_SECOND_FAULT_WEIGHTS: Final = ((Verb.CREATE, 3), (Verb.UPDATE, 2), (Verb.DELETE, 5), (Verb.READ, 1))
"""Weights for a second fault on the same object, which is tainted after a failed create: it is deleted and created
again."""

_ALSO_DEPOSED: Final = (Verb.READ, Verb.PLAN, Verb.DELETE)
"""Calls that also concern deposed objects. These share the name of the current object, and which is called first
depends on the schedule."""

_LEAVING_DEPOSED: Final = (Verb.CREATE, Verb.DELETE)
"""Calls whose failure may leave a deposed object in the state."""

_LEAVING_NOTHING: Final = (FaultKind.ERROR, FaultKind.FLAKY, FaultKind.LOST, FaultKind.NULL_RESULT)
"""Faults after which nothing was created, raised immediately. Other faults are raised when everything else is done."""

_DRIFT_ARGUMENTS: Final = ("value", "label", "text", "trigger", "zone")


def add_drift(builder: StoryBuilder) -> None:
    """Change or remove an object in the cloud just before the next step."""
    known = _simulated_instances(builder, BlockKind.MANAGED)
    if not known:
        return
    instance = builder.context.chooser.choice(known)
    step = len(builder.steps)
    names = [name for name in _DRIFT_ARGUMENTS if name in instance.block.arguments]
    if not names or builder.context.chance("object vanishes", 30):
        builder.faults.append(Fault(step, instance.cloud_name, FaultKind.VANISH, type_name=instance.block.type))
        return
    name = builder.context.chooser.choice(names)
    builder.faults.append(
        Fault(step, instance.cloud_name, FaultKind.DRIFT, type_name=instance.block.type, attributes={name: "drifted"})
    )


def add_kill(builder: StoryBuilder) -> None:
    """Kill the process of the next step at a call. This is rare because processes are slow to start."""
    known = [one for one in _simulated_instances(builder, BlockKind.MANAGED) if not one.block.may_be_disabled]
    if known and not _has_slow_data(builder):
        instance = builder.context.chooser.choice(known)
        instance.block.must_exist = True
        verb = builder.context.chooser.choice((Verb.CREATE, Verb.DELETE, Verb.UPDATE))
        builder.kills[len(builder.steps)] = Fault(
            None, instance.cloud_name, FaultKind.STUCK, verb, type_name=instance.block.type
        )


def add_fault(builder: StoryBuilder, again: ModelInstance | None = None) -> ModelInstance | None:
    """Let a call of the next step fail: of an edited object if possible, or of the object that failed before. Where
    calls carry no name, all of them fail, because which comes first depends on the schedule."""
    context = builder.context
    faulty = _FAULT_WEIGHTS if again is None else _SECOND_FAULT_WEIGHTS
    verb = Verb(
        context.pick_feature([(f"fault at {verb}", weight) for verb, weight in faulty]).removeprefix("fault at ")
    )
    block_kind = {Verb.LOOKUP: BlockKind.DATA, Verb.OPEN: BlockKind.EPHEMERAL, Verb.CLOSE: BlockKind.EPHEMERAL}.get(
        verb, BlockKind.MANAGED
    )
    known = _simulated_instances(builder, block_kind)
    if verb in _LEAVING_DEPOSED:
        known = [one for one in known if not one.block.may_be_disabled]
        if again is not None and again.block.may_be_disabled:
            return None
    edited = [one for one in known if one.block in context.edited_blocks]
    if edited and context.chance("fault in what was edited", 70):
        known = edited
    if not known:
        return None
    instance = again or context.chooser.choice(known)
    instance.block.must_exist |= verb in _LEAVING_DEPOSED
    kind = FaultKind(context.pick_feature([(f"fault: {kind}", 1) for kind in KINDS_OF[verb]]).removeprefix("fault: "))
    if kind is FaultKind.STUCK and _has_slow_data(builder):
        kind = FaultKind.ERROR
    builder.faults.append(_make_fault(context, len(builder.steps), verb, kind, instance))
    return instance if block_kind is BlockKind.MANAGED else None


def _make_fault(context: GenerationContext, step: int, verb: Verb, kind: FaultKind, instance: ModelInstance) -> Fault:
    name: str | None = instance.cloud_name
    type_name = instance.block.type
    if verb is Verb.CONFIGURE:
        name, type_name = None, "simcloud"
    elif verb in (Verb.CLOSE, Verb.IMPORT) or instance.block.type == "simcloud_live":
        name = None
    is_ambiguous = name is None or verb in _ALSO_DEPOSED
    if is_ambiguous and kind is FaultKind.FLAKY:
        kind = FaultKind.ERROR
    if verb is Verb.CREATE and kind in _LEAVING_NOTHING and _has_counted_postcondition(instance.block):
        kind = FaultKind.ERROR_AFTER
    occurrence = None if is_ambiguous else 1
    phase = context.chooser.choice((None, None, Phase.PLAN, Phase.APPLY)) if verb is Verb.READ else None
    times = 2 if kind is FaultKind.FLAKY else 1
    seconds = 30 if kind is FaultKind.LATENCY else 0
    return Fault(step, name, kind, verb, occurrence, phase, type_name=type_name, times=times, seconds=seconds)


def _has_slow_data(builder: StoryBuilder) -> bool:
    """Whether a data source waits for the clock. A stuck call is interrupted once nothing else runs, and whether a
    waiting data source counts as running depends on the schedule."""
    return any(one.block.type == "simcloud_slow" for one in _simulated_instances(builder, BlockKind.DATA))


def _simulated_instances(builder: StoryBuilder, *kinds: BlockKind) -> list[ModelInstance]:
    return [one for one in find_instances(builder.root, *kinds) if one.block.type.startswith("simcloud_")]


def _has_counted_postcondition(block: ModelBlock) -> bool:
    """Whether a postcondition of a counted resource uses `self`. It is evaluated even if nothing was created. `self` is
    then an element of the existing instances: unknown if a later instance exists, an invalid index if not. The original
    behaves the same."""
    is_counted = block.repeat is not None and block.repeat.repetition is RepetitionKind.COUNT
    return is_counted and any(condition.name == "postcondition" for condition in block.conditions)
