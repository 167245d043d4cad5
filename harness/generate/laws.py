"""Laws: properties that every engine must have by itself.

Two engines that share a mistake agree with each other. A law needs no second engine: it relates two stories, or two
moments of one story. Laws are tried on configurations that converge. Features whose values change in every run, or that
make operations fail, are excluded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from harness.case.case import Step
from harness.compare.difference import Difference
from harness.compare.observations import compare_observations
from harness.compare.ruling import Ruling
from harness.findings.finding import Finding
from harness.findings.signature import Signature
from harness.generate.choices import GenerationContext
from harness.generate.configuration_generator import generate_configuration
from harness.generate.instances import find_instances
from harness.generate.model import BlockKind, ModelModule
from harness.generate.module_builder import ModuleBuilder
from harness.generate.printing import print_configuration
from harness.generate.profiles import Profile, Size
from harness.generate.statements import rename_with_moved, split_into_module
from harness.generate.story import GeneratedStory
from harness.generate.story_execution import TIMEOUT_S, prepare_story
from harness.observe.json_trees import as_object, as_objects
from harness.play.case_runner import Observations
from harness.play.schedule import PlanTransfer, Schedule
from harness.simulation.simcloud.faults import Fault, FaultKind, Verb
from shared_nodes.record import record
from shared_nodes.values.json import Tree, dumps

__all__ = ["LAWS", "LawTrial", "find_violations", "make_law_trial"]

UNSETTLED: Final = frozenset(
    {
        *("time of the plan", "condition that may fail", "provisioner that fails", "prevent_destroy", "drift"),
        *("simcloud_normalised", "simcloud_normalised_legacy", "simcloud_eventual", "simcloud_protected"),
        *("simcloud_unique", "simcloud_deprecated", "simcloud_deprecated_type", "data in a check", "ephemeral output"),
        *(
            "provider from a resource",
            "provider configured on the way",
            "workspace",
            "path",
            "no instances",
            "simcloud_cascading_parent",
        ),
        *("simcloud_live", "simcloud_listing", "on_failure = continue", "simcloud_write_only"),
        *("opentofu: destroy = false", "opentofu: prevent_destroy by an expression"),
        *("opentofu: tofu.workspace", "opentofu: reference without a guard"),
    }
)
"""Features for which a second plan may legitimately find changes, or for which two stories may end differently."""

_ALL: Final = 100
_APPLY: Final = Step("apply", "v1")
_PLAN: Final = Step("plan", "v1")
_SETTLED_BY: Final = (_APPLY, _APPLY)
"""The second apply changes no object, but records what the first could not know: an object is replaced create-first if
any dependent of its resource is, while the apply that creates it only considers dependents of the instance."""


@record
class LawTrial:
    """A law with the stories it is tried on and a check of their observations."""

    law: str
    stories: tuple[GeneratedStory, ...]
    schedules: tuple[Schedule, ...]
    """One schedule per story."""

    check: Callable[[Sequence[Observations]], list[Difference]]

    def handed_over(self, handover: PlanTransfer) -> LawTrial:
        """Return the same trial with plans transferred in this way."""
        return replace(self, schedules=tuple(replace(each, handover=handover) for each in self.schedules))


def make_law_trial(context: GenerationContext, profile: Profile, size: Size, name: str) -> LawTrial:
    """Generate a converging configuration and choose a law for it."""
    context = replace(context, forbidden=context.forbidden | UNSETTLED, has_opentofu=profile.opentofu_per_cent == _ALL)
    law = context.pick_feature([(f"law: {law}", 1) for law in LAWS]).removeprefix("law: ")
    root = generate_configuration(context, size.blocks, has_simcloud=profile.has_simcloud)
    return LAWS[law](_LawContext(context, root, profile, name))


@record(frozen=False)
class _LawContext:
    context: GenerationContext
    root: ModelModule
    profile: Profile
    name: str

    def make_story(
        self,
        steps: Sequence[Step],
        versions: Mapping[str, Mapping[str, str]] | None = None,
        faults: Sequence[Fault] = (),
    ) -> GeneratedStory:
        texts = {"v1": print_configuration(self.root)} if versions is None else versions
        return GeneratedStory(
            self.name,
            texts,
            tuple(steps),
            tuple(faults),
            flavour=self.context.flavour.name,
            features=frozenset(self.context.used_features),
        )

    def make_trial(
        self, law: str, stories: Sequence[GeneratedStory], check: Callable[[Sequence[Observations]], list[Difference]]
    ) -> LawTrial:
        return LawTrial(law, tuple(stories), (Schedule(),) * len(stories), check)


def find_violations(trial: LawTrial, directory: Path, engine: str) -> list[Finding]:
    """Return findings about one engine. A story that fails says nothing about the law."""
    runs: list[Observations] = []
    for story, schedule in zip(trial.stories, trial.schedules, strict=True):
        with prepare_story(story, directory, (engine,), validates=False) as runner:
            runs.append(runner.run(engine, schedule, TIMEOUT_S))
    return [
        Finding(
            Signature(engine, "law", Ruling.DIFFERS, f"{trial.law}: {difference.shape}", str(difference.kind)),
            (engine,),
            trial.law,
            difference.field,
            difference.expected,
            difference.got,
        )
        for difference in trial.check(runs)
    ]


# Comparisons


def _has_succeeded(observations: Observations) -> bool:
    return all(observation.get("ok") is True for observation in observations.values())


def _last_observation(observations: Observations) -> Mapping[str, Tree]:
    return list(observations.values())[-1]


_SETTLED: Final = ("state", "inventory")


def _compare_ends(runs: Sequence[Observations]) -> list[Difference]:
    """Compare the final state and cloud of both stories."""
    if not all(map(_has_succeeded, runs)):
        return []
    ends = [{name: _last_observation(observations).get(name) for name in _SETTLED} for observations in runs]
    return compare_observations(ends[0], ends[1])


def _find_planned_change(observations: Observations) -> list[Difference]:
    """Return the first change planned by the last step, which must be a plan without changes."""
    plan = cast("dict[str, Tree] | None", _last_observation(observations).get("plan"))
    if plan is None or not _has_succeeded(observations):
        return []
    for change in as_objects(plan["resource_changes"]):
        actions = as_object(change["change"])["actions"]
        if actions not in (["no-op"], ["read"]):
            planned = f"{change['address']}: {dumps(actions)}"
            return [Difference("plan.resource_changes", "nothing to do", planned, shape=f"plan: {dumps(actions)}")]
    return []


# The laws


def _apply_then_plan(law: _LawContext) -> LawTrial:
    story = law.make_story([_APPLY, _PLAN])
    return law.make_trial("apply then plan is empty", [story], lambda runs: _find_planned_change(runs[0]))


def _rename(law: _LawContext) -> LawTrial:
    before = print_configuration(law.root)
    builder = ModuleBuilder(law.context, law.context.chooser.choice(law.root.all_modules), law.profile.has_simcloud)
    rename_with_moved(builder)
    story = law.make_story([_APPLY, Step("plan", "v2")], {"v1": before, "v2": print_configuration(law.root)})
    return law.make_trial("renaming with moved changes nothing", [story], lambda runs: _find_planned_change(runs[0]))


def _split(law: _LawContext) -> LawTrial:
    before = print_configuration(law.root)
    split_into_module(ModuleBuilder(law.context, law.root, law.profile.has_simcloud))
    story = law.make_story([_APPLY, Step("plan", "v2")], {"v1": before, "v2": print_configuration(law.root)})
    return law.make_trial(
        "splitting into a module changes nothing", [story], lambda runs: _find_planned_change(runs[0])
    )


def _reorder(law: _LawContext) -> LawTrial:
    """Reverse the order of blocks and rename the files."""
    before = print_configuration(law.root)
    for module in law.root.all_modules:
        module.blocks.reverse()
    after = {_other_file(path): text for path, text in print_configuration(law.root).items()}
    stories = [law.make_story([_APPLY], {"v1": before}), law.make_story([_APPLY], {"v1": after})]
    return law.make_trial("reordering blocks and files changes nothing", stories, _compare_ends)


def _other_file(path: str) -> str:
    directory, slash, name = path.rpartition("/")
    return f"{directory}{slash}z_{name}" if name == "main.tf" else f"{directory}{slash}a_{name}"


def _destroy_and_apply(law: _LawContext) -> LawTrial:
    stories = [law.make_story([_APPLY]), law.make_story([_APPLY, Step("destroy", "v1"), _APPLY])]
    return law.make_trial("destroy then apply equals a fresh apply", stories, _compare_shapes)


def _compare_shapes(runs: Sequence[Observations]) -> list[Difference]:
    """Compare addresses and dependencies of the final objects. Ids and values may differ."""
    if not all(map(_has_succeeded, runs)):
        return []
    ends = [{"state": _without_values(_last_observation(observations).get("state"))} for observations in runs]
    return compare_observations(ends[0], ends[1])


def _without_values(state: Tree) -> Tree:
    resources: list[Tree] = []
    for resource in as_objects(as_object(state)["resources"]):
        kept: list[Tree] = [
            {name: one[name] for name in ("index_key", "dependencies", "create_before_destroy") if name in one}
            for one in as_objects(resource["instances"])
        ]
        resources.append({**resource, "instances": kept})
    return {"resources": resources}


def _vary_parallelism(law: _LawContext) -> LawTrial:
    story = law.make_story([_APPLY, _PLAN, Step("destroy", "v1")])
    check: Callable[[Sequence[Observations]], list[Difference]] = _compare_all
    return LawTrial("parallelism changes nothing", (story, story), (Schedule(0, 10), Schedule(7, 1)), check)


def _compare_all(runs: Sequence[Observations]) -> list[Difference]:
    found: list[Difference] = []
    for place in runs[0]:
        found += compare_observations(runs[0][place], runs[1][place])
    return found[:1]


def _apply_targets(law: _LawContext) -> LawTrial:
    """Apply some resources one by one with -target, then the rest."""
    targets = [one.address for one in find_instances(law.root, BlockKind.MANAGED)]
    steps = [Step("apply", "v1", targets=(address,)) for address in law.context.chooser.sample(targets, 4)]
    stories = [law.make_story(_SETTLED_BY), law.make_story([*steps, *_SETTLED_BY])]
    return law.make_trial("targeted applies to the end equal one apply", stories, _compare_shapes)


def _crash_and_apply(law: _LawContext) -> LawTrial:
    """Let a call fail without effect; the next apply must finish the work."""
    known = [one for one in find_instances(law.root, BlockKind.MANAGED) if one.block.type.startswith("simcloud_")]
    faults: list[Fault] = []
    if known:
        thing = law.context.chooser.choice(known)
        kind = law.context.chooser.choice((FaultKind.ERROR, FaultKind.CRASH))
        faults.append(Fault(0, thing.cloud_name, kind, Verb.CREATE, type_name=thing.block.type))
    stories = [law.make_story(_SETTLED_BY), law.make_story([_APPLY, *_SETTLED_BY], faults=faults)]
    return law.make_trial("a crash and another apply end where one apply does", stories, _compare_after_failure)


def _compare_after_failure(runs: Sequence[Observations]) -> list[Difference]:
    if not _has_succeeded(runs[0]):
        return []
    return (
        _compare_shapes([{"end": _last_observation(observations)} for observations in runs])
        if _last_observation(runs[1]).get("ok")
        else [Difference("ok", "true", "false", shape="ok")]
    )


LAWS: Final[Mapping[str, Callable[[_LawContext], LawTrial]]] = {
    "apply then plan is empty": _apply_then_plan,
    "renaming with moved changes nothing": _rename,
    "reordering blocks and files changes nothing": _reorder,
    "splitting into a module changes nothing": _split,
    "destroy then apply equals a fresh apply": _destroy_and_apply,
    "parallelism changes nothing": _vary_parallelism,
    "targeted applies to the end equal one apply": _apply_targets,
    "a crash and another apply end where one apply does": _crash_and_apply,
}
