"""Laws that hold for one engine alone: what must not matter does not matter.

Two engines that share a mistake agree with each other. A law needs no second engine: it says how two stories, or two
moments of one, must stand to each other. Laws are about configurations that settle: features by which something is
different every time, or that refuse to go on, are left out of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, cast

from harness.fuzz.addresses import instances
from harness.fuzz.configuration import grow_configuration
from harness.fuzz.craft import Craft
from harness.fuzz.growing import Land
from harness.fuzz.model import Module, Sort
from harness.fuzz.performance import TIMEOUT_S, staged
from harness.fuzz.printing import printed
from harness.fuzz.statements import rename_with_moved, split_into_module
from harness.fuzz.story import Story
from harness.fuzz.telling import Profile, Size
from harness.judging.finding import Finding
from harness.judging.ruling import Ruling
from harness.judging.signature import Signature
from harness.scenarios.case import Step
from harness.scenarios.compare import Difference, compare_observations
from harness.scenarios.course import Course
from harness.scenarios.way import Way
from harness.simulation.simcloud.faults import Fault, Kind, Verb
from shared_nodes.values.json import Tree, dumps

__all__ = ["LAWS", "Trial", "broken_laws", "make_trial"]

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
    }
)
"""Features under which a second plan may rightly find something to do, or that no other course leads to."""

_APPLY: Final = Step("apply", "v1")
_PLAN: Final = Step("plan", "v1")
_SETTLED_BY: Final = (_APPLY, _APPLY)
"""The second finds nothing to do, and yet records what the first could not know: an object is replaced by creating
first where any dependent of its resource is, but the apply that creates it looks at dependents of the instance alone.
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """One law tried: stories, and what must be true of their courses."""

    law: str
    stories: tuple[Story, ...]
    ways: tuple[Way, ...]
    """Of each story."""

    check: Callable[[Sequence[Course]], list[Difference]]


def make_trial(craft: Craft, profile: Profile, size: Size, name: str) -> Trial:
    """A configuration that settles, and a law for it."""
    craft = replace(craft, forbidden=craft.forbidden | UNSETTLED)
    law = craft.pick([(f"law: {law}", 1) for law in LAWS]).removeprefix("law: ")
    root = grow_configuration(craft, size.nodes, has_simcloud=profile.has_simcloud)
    return LAWS[law](_Ground(craft, root, profile, name))


@dataclass(slots=True)
class _Ground:
    craft: Craft
    root: Module
    profile: Profile
    name: str

    def story(
        self,
        steps: Sequence[Step],
        versions: Mapping[str, Mapping[str, str]] | None = None,
        faults: Sequence[Fault] = (),
    ) -> Story:
        texts = {"v1": printed(self.root)} if versions is None else versions
        return Story(self.name, texts, tuple(steps), tuple(faults), features=frozenset(self.craft.used))

    def trial(self, law: str, stories: Sequence[Story], check: Callable[[Sequence[Course]], list[Difference]]) -> Trial:
        return Trial(law, tuple(stories), (Way(),) * len(stories), check)


def broken_laws(trial: Trial, place: Path, engine: str) -> list[Finding]:
    """Findings about one engine. A story that fails says nothing about the law."""
    courses: list[Course] = []
    for story, way in zip(trial.stories, trial.ways, strict=True):
        with staged(story, place, (engine,), validates=False) as theatre:
            courses.append(theatre.play(engine, way, TIMEOUT_S))
    return [
        Finding(
            Signature(engine, "law", Ruling.DIFFERS, f"{trial.law}: {difference.shape}", str(difference.kind)),
            (engine,),
            trial.law,
            difference.field,
            difference.expected,
            difference.got,
        )
        for difference in trial.check(courses)
    ]


# What is compared


def _succeeded(course: Course) -> bool:
    return all(observation.get("ok") is True for observation in course.values())


def _last(course: Course) -> Mapping[str, Tree]:
    return list(course.values())[-1]


_SETTLED: Final = ("state", "inventory")


def _same_end(courses: Sequence[Course]) -> list[Difference]:
    """Both stories leave the same state and the same cloud."""
    if not all(map(_succeeded, courses)):
        return []
    ends = [{name: _last(course).get(name) for name in _SETTLED} for course in courses]
    return compare_observations(ends[0], ends[1])


def _nothing_to_do(course: Course) -> list[Difference]:
    """The last step is a plan, and it finds nothing to do."""
    plan = cast("dict[str, Tree] | None", _last(course).get("plan"))
    if plan is None or not _succeeded(course):
        return []
    for change in cast("list[dict[str, Tree]]", plan["resource_changes"]):
        actions = cast("dict[str, Tree]", change["change"])["actions"]
        if actions not in (["no-op"], ["read"]):
            told = f"{change['address']}: {dumps(actions)}"
            return [Difference("plan.resource_changes", "nothing to do", told, shape=f"plan: {dumps(actions)}")]
    return []


# The laws


def _settles(ground: _Ground) -> Trial:
    story = ground.story([_APPLY, _PLAN])
    return ground.trial("apply then plan is empty", [story], lambda courses: _nothing_to_do(courses[0]))


def _renamed(ground: _Ground) -> Trial:
    before = printed(ground.root)
    land = Land(ground.craft, ground.craft.chooser.choice(ground.root.tree), ground.profile.has_simcloud)
    rename_with_moved(land)
    story = ground.story([_APPLY, Step("plan", "v2")], {"v1": before, "v2": printed(ground.root)})
    return ground.trial("renaming with moved changes nothing", [story], lambda courses: _nothing_to_do(courses[0]))


def _split(ground: _Ground) -> Trial:
    before = printed(ground.root)
    split_into_module(Land(ground.craft, ground.root, ground.profile.has_simcloud))
    story = ground.story([_APPLY, Step("plan", "v2")], {"v1": before, "v2": printed(ground.root)})
    return ground.trial("splitting into a module changes nothing", [story], lambda courses: _nothing_to_do(courses[0]))


def _reordered(ground: _Ground) -> Trial:
    """Blocks in the opposite order, all in one file of another name."""
    before = printed(ground.root)
    for module in ground.root.tree:
        module.nodes.reverse()
    after = {_elsewhere(path): text for path, text in printed(ground.root).items()}
    stories = [ground.story([_APPLY], {"v1": before}), ground.story([_APPLY], {"v1": after})]
    return ground.trial("reordering blocks and files changes nothing", stories, _same_end)


def _elsewhere(path: str) -> str:
    directory, slash, name = path.rpartition("/")
    return f"{directory}{slash}z_{name}" if name == "main.tf" else f"{directory}{slash}a_{name}"


def _destroyed(ground: _Ground) -> Trial:
    stories = [ground.story([_APPLY]), ground.story([_APPLY, Step("destroy", "v1"), _APPLY])]
    return ground.trial("destroy then apply equals a fresh apply", stories, _same_shape)


def _same_shape(courses: Sequence[Course]) -> list[Difference]:
    """The same objects, with other ids: addresses and dependencies are compared, values are not."""
    if not all(map(_succeeded, courses)):
        return []
    ends = [{"state": _skeleton(_last(course).get("state"))} for course in courses]
    return compare_observations(ends[0], ends[1])


def _skeleton(state: Tree) -> Tree:
    resources: list[Tree] = []
    for resource in cast("list[dict[str, Tree]]", cast("dict[str, Tree]", state)["resources"]):
        kept: list[Tree] = [
            {name: one[name] for name in ("index_key", "dependencies", "create_before_destroy") if name in one}
            for one in cast("list[dict[str, Tree]]", resource["instances"])
        ]
        resources.append({**resource, "instances": kept})
    return {"resources": resources}


def _parallel(ground: _Ground) -> Trial:
    story = ground.story([_APPLY, _PLAN, Step("destroy", "v1")])
    check: Callable[[Sequence[Course]], list[Difference]] = _same_course
    return Trial("parallelism changes nothing", (story, story), (Way(0, 10), Way(7, 1)), check)


def _same_course(courses: Sequence[Course]) -> list[Difference]:
    found: list[Difference] = []
    for place in courses[0]:
        found += compare_observations(courses[0][place], courses[1][place])
    return found[:1]


def _targeted(ground: _Ground) -> Trial:
    """One resource after the other, then the rest."""
    targets = [one.address for one in instances(ground.root, Sort.MANAGED)]
    steps = [Step("apply", "v1", targets=(address,)) for address in ground.craft.chooser.some(targets, 4)]
    stories = [ground.story(_SETTLED_BY), ground.story([*steps, *_SETTLED_BY])]
    return ground.trial("targeted applies to the end equal one apply", stories, _same_shape)


def _crashed(ground: _Ground) -> Trial:
    """A call fails without any effect; the next apply finishes what was begun."""
    known = [one for one in instances(ground.root, Sort.MANAGED) if one.node.type.startswith("simcloud_")]
    faults: list[Fault] = []
    if known:
        thing = ground.craft.chooser.choice(known)
        kind = ground.craft.chooser.choice((Kind.ERROR, Kind.CRASH))
        faults.append(Fault(0, thing.cloud_name, kind, Verb.CREATE, type_name=thing.node.type))
    stories = [ground.story(_SETTLED_BY), ground.story([_APPLY, *_SETTLED_BY], faults=faults)]
    return ground.trial("a crash and another apply end where one apply does", stories, _same_after_failure)


def _same_after_failure(courses: Sequence[Course]) -> list[Difference]:
    if not _succeeded(courses[0]):
        return []
    return (
        _same_shape([{"end": _last(course)} for course in courses])
        if _last(courses[1]).get("ok")
        else [Difference("ok", "true", "false", shape="ok")]
    )


LAWS: Final[Mapping[str, Callable[[_Ground], Trial]]] = {
    "apply then plan is empty": _settles,
    "renaming with moved changes nothing": _renamed,
    "reordering blocks and files changes nothing": _reordered,
    "splitting into a module changes nothing": _split,
    "destroy then apply equals a fresh apply": _destroyed,
    "parallelism changes nothing": _parallel,
    "targeted applies to the end equal one apply": _targeted,
    "a crash and another apply end where one apply does": _crashed,
}
