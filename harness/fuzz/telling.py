"""A whole story: a configuration, edits of it, and what is done with each version.

Sizes: of a small story the root has two to four nodes and there are two versions, of a medium one five to nine; of a
large one there are more than anybody would write by hand. What is in modules comes on top, and so do steps before and
after those that apply a version.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final

from harness.fuzz.addresses import Instance, instances, module_addresses
from harness.fuzz.configuration import grow_configuration
from harness.fuzz.craft import Craft
from harness.fuzz.edits import IMPORTABLE, edit
from harness.fuzz.mistakes import make_mistake
from harness.fuzz.model import Module, Sort
from harness.fuzz.printing import printed
from harness.fuzz.readable import LIST, MAP
from harness.fuzz.story import Story
from harness.scenarios.case import Step
from shared_nodes.flavour import OPENTOFU, TERRAFORM_1_11
from shared_nodes.providers.simcloud.faults import KINDS_OF, Fault, Kind, Phase, Verb
from shared_nodes.values.types import BOOL, NUMBER, STRING

__all__ = ["PROFILES", "Profile", "Size", "tell_story"]


@dataclass(frozen=True, slots=True)
class Size:
    nodes: int
    steps: int


@dataclass(frozen=True, slots=True)
class Profile:
    """`sizes` are taken in turn, small ones first: what a small story shows nobody wants to see in a large one."""

    sizes: tuple[Size, ...]
    has_simcloud: bool = True
    opentofu: int = 25
    """Per cent of stories in that flavour."""

    mistakes: int = 15
    """Per cent of stories that are wrong on purpose."""

    forbidden: frozenset[str] = frozenset()


SMALL: Final = Size(3, 2)
MEDIUM: Final = Size(7, 2)
LARGE: Final = Size(14, 4)

_NOT_REPEATABLE: Final = frozenset(
    {
        *("time of the plan", "path", "function upper", "function substr", "function md5", "function split"),
        *("function base64encode", "function sort", "function replace", "for expression", "for expression to a map"),
        *("function keys", "function element", "mistake: for_each over something unknown"),
        *("function length", "function length of a text", "arithmetic"),
    }
)
"""What a binary answers otherwise in each run, what is made of a random id and does not show it any more, and numbers
whose precision decides whether refreshing alone is worth applying (docs/findings.md)."""

PROFILES: Final = {
    "default": Profile((SMALL, SMALL, MEDIUM, MEDIUM, LARGE)),
    "small": Profile((SMALL,)),
    "medium": Profile((MEDIUM,)),
    "large": Profile((LARGE,)),
    "opentofu": Profile((SMALL, MEDIUM), opentofu=100),
    "terraform": Profile((SMALL, SMALL, MEDIUM), has_simcloud=False, opentofu=0, forbidden=_NOT_REPEATABLE),
}

_FAULTY: Final = (
    *((Verb.CREATE, 5), (Verb.UPDATE, 4), (Verb.DELETE, 4), (Verb.READ, 3), (Verb.PLAN, 3)),
    *((Verb.LOOKUP, 1), (Verb.CONFIGURE, 1), (Verb.OPEN, 1), (Verb.CLOSE, 1), (Verb.IMPORT, 1)),
)
_DRIFTING: Final = ("value", "label", "text", "trigger", "zone")


@dataclass(slots=True)
class _Telling:
    craft: Craft
    root: Module
    profile: Profile
    versions: dict[str, dict[str, str]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def publish(self) -> str:
        name = f"v{len(self.versions) + 1}"
        self.versions[name] = printed(self.root)
        return name

    @property
    def current(self) -> str:
        return f"v{len(self.versions)}"


def tell_story(craft: Craft, profile: Profile, size: Size, name: str) -> Story:
    """One story. The same decisions give the same story, to the letter."""
    flavour = OPENTOFU if craft.chooser.chance(profile.opentofu) else TERRAFORM_1_11
    craft.used.add(f"flavour {flavour.name}")
    telling = _Telling(craft, grow_configuration(craft, size.nodes, has_simcloud=profile.has_simcloud), profile)
    wrong_at = craft.chooser.integer(0, size.steps - 1) if craft.chooser.chance(profile.mistakes) else -1
    mistake = ""
    for number in range(size.steps):
        if number:
            _edit(telling)
        if number == wrong_at:
            mistake = make_mistake(craft, telling.root)
        telling.publish()
        _act(telling)
        _clear(telling)
    if craft.wants("destroy at the end", 35):
        telling.steps.append(Step("destroy", telling.current, refresh=not craft.wants("destroy without refresh", 15)))
    return Story(
        name,
        telling.versions,
        tuple(telling.steps),
        tuple(telling.faults),
        IMPORTABLE if any("import {" in text for files in telling.versions.values() for text in files.values()) else (),
        flavour.name,
        frozenset(craft.used),
        mistake,
    )


def _edit(telling: _Telling) -> None:
    """Statements of the version before may stay: a moved block usually does."""
    if not telling.craft.wants("statements stay", 50):
        for module in telling.root.tree:
            module.statements.clear()
    for _ in range(telling.craft.chooser.integer(1, 3)):
        edit(telling.craft, telling.root, has_simcloud=telling.profile.has_simcloud)


def _clear(telling: _Telling) -> None:
    for module in telling.root.tree:
        module.extra.clear()


def _act(telling: _Telling) -> None:
    """One version carried out: usually applied, now and then in another way first."""
    craft = telling.craft
    if telling.profile.has_simcloud and craft.wants("drift", 15):
        _drift(telling)
    if craft.wants("plan before", 8):
        telling.steps.append(_step(telling, "plan"))
    if craft.wants("refresh-only", 8):
        telling.steps.append(Step("apply", telling.current, _variables(telling), "refresh-only"))
    if craft.wants("target", 12):
        targets = _targets(telling)
        operation = "destroy" if craft.wants("destroy of a target", 15) else "apply"
        telling.steps.append(_step(telling, operation, targets=targets))
    if telling.profile.has_simcloud and craft.wants("fault", 22):
        _fault(telling)
        telling.steps.append(_step(telling, "apply"))
    telling.steps.append(_step(telling, "apply"))
    if craft.wants("plan after", 25):
        telling.steps.append(Step("plan", telling.current, telling.steps[-1].variables))


def _step(telling: _Telling, operation: str, targets: tuple[str, ...] = ()) -> Step:
    craft = telling.craft
    replaced: tuple[str, ...] = ()
    if operation != "destroy" and craft.wants("replace", 8):
        replaced = tuple(one.address for one in craft.chooser.some(instances(telling.root, Sort.MANAGED), 2))
    refresh = not craft.wants("refresh = false", 8)
    return Step(operation, telling.current, _variables(telling), targets=targets, replace=replaced, refresh=refresh)


def _targets(telling: _Telling) -> tuple[str, ...]:
    craft = telling.craft
    whole = module_addresses(telling.root)
    single = instances(telling.root, Sort.MANAGED, Sort.DATA)
    options = [one.address for one in single] + [one.address.partition("[")[0] for one in single[:3]] + whole
    return tuple(dict.fromkeys(craft.chooser.some(options, 2)))


def _variables(telling: _Telling) -> str | None:
    """Values for some root variables."""
    if not telling.craft.wants("values for variables", 25):
        return None
    given: dict[str, Any] = {}
    for variable in telling.root.alive(Sort.VARIABLE):
        if telling.craft.chooser.chance(60):
            word = telling.craft.chooser.choice(("given", "other", "one"))
            number = telling.craft.chooser.integer(0, 9)
            values: dict[Any, Any] = {STRING: word, NUMBER: number, BOOL: bool(number % 2), LIST: [word]}
            given[variable.name] = (
                {"one": word} if variable.value_type == MAP else values.get(variable.value_type, word)
            )
    return json.dumps(given, ensure_ascii=False) if given else None


def _simulated(telling: _Telling, *sorts: Sort) -> list[Instance]:
    return [one for one in instances(telling.root, *sorts) if one.node.type.startswith("simcloud_")]


def _drift(telling: _Telling) -> None:
    """Just before the next step."""
    known = _simulated(telling, Sort.MANAGED)
    if not known:
        return
    thing = telling.craft.chooser.choice(known)
    step = len(telling.steps)
    names = [name for name in _DRIFTING if name in thing.node.arguments]
    if not names or telling.craft.wants("object vanishes", 30):
        telling.faults.append(Fault(step, thing.cloud_name, Kind.VANISH, type_name=thing.node.type))
        return
    name = telling.craft.chooser.choice(names)
    telling.faults.append(
        Fault(step, thing.cloud_name, Kind.DRIFT, type_name=thing.node.type, attributes={name: "drifted"})
    )


def _fault(telling: _Telling) -> None:
    """In the next step, something goes wrong in a call. Where it goes by no name, in all of them: which of several
    comes first is for the schedule to say."""
    craft = telling.craft
    verb = Verb(craft.pick([(f"fault at {verb}", weight) for verb, weight in _FAULTY]).removeprefix("fault at "))
    sort = {Verb.LOOKUP: Sort.DATA, Verb.OPEN: Sort.EPHEMERAL, Verb.CLOSE: Sort.EPHEMERAL}.get(verb, Sort.MANAGED)
    known = _simulated(telling, sort)
    if not known:
        return
    thing = craft.chooser.choice(known)
    kind = Kind(craft.pick([(f"fault: {kind}", 1) for kind in KINDS_OF[verb]]).removeprefix("fault: "))
    name: str | None = thing.cloud_name
    type_name = thing.node.type
    if verb is Verb.CONFIGURE:
        name, type_name = None, "simcloud"
    elif verb in (Verb.CLOSE, Verb.IMPORT) or thing.node.type == "simcloud_live":
        name = None
    if name is None and kind is Kind.FLAKY:
        kind = Kind.ERROR
    occurrence = None if name is None else 1
    phase = craft.chooser.choice((None, None, Phase.PLAN, Phase.APPLY)) if verb is Verb.READ else None
    times = 2 if kind is Kind.FLAKY else 1
    seconds = 30 if kind is Kind.LATENCY else 0
    step = len(telling.steps)
    telling.faults.append(
        Fault(step, name, kind, verb, occurrence, phase, type_name=type_name, times=times, seconds=seconds)
    )
