"""A whole story: a configuration, edits of it, and what is done with each version.

Sizes: of a small story the root has two to four nodes and there are two versions, of a medium one five to nine; a long
one has four versions of few nodes, and of a large one there are more of both than anybody would write by hand. What is
in modules comes on top, and so do steps before and after those that apply a version.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any, Final

from harness.fuzz.addresses import Instance, instances, module_addresses
from harness.fuzz.beginning import Beginning, begin
from harness.fuzz.configuration import grow_configuration
from harness.fuzz.craft import Craft
from harness.fuzz.edits import dependencies_in, edit
from harness.fuzz.growing import LISTED
from harness.fuzz.mistakes import make_mistake
from harness.fuzz.model import Module, Node, Repetition, Sort
from harness.fuzz.printing import address, instance_addresses, printed
from harness.fuzz.readable import LIST, MAP
from harness.fuzz.statements import IMPORTABLE
from harness.fuzz.story import Story
from harness.scenarios.case import Step
from harness.simulation.simcloud.faults import KINDS_OF, Fault, Kind, Phase, Verb
from shared_nodes.flavour import OPENTOFU, TERRAFORM_1_11, Flavour
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
    """Per cent of versions that are wrong on purpose, in one place."""

    forbidden: frozenset[str] = frozenset()


SMALL: Final = Size(3, 2)
LONG: Final = Size(4, 4)
MEDIUM: Final = Size(7, 2)
LARGE: Final = Size(14, 4)

_NOT_REPEATABLE: Final = frozenset(
    {
        *(
            "time of the plan",
            "path",
            "path of the root",
            "function upper",
            "function substr",
            "function md5",
            "function split",
        ),
        *("function base64encode", "function sort", "function replace", "for expression", "for expression to a map"),
        *("function keys", "function element", "mistake: for_each over something unknown"),
        "arithmetic",
    }
)
"""What a binary answers otherwise in each run, what is made of a random id and does not show it any more, and numbers
whose inner form decides whether refreshing alone is worth applying (docs/findings.md)."""

PROFILES: Final = {
    "default": Profile((SMALL, LONG, MEDIUM, LONG, LARGE)),
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
_FAULTY_AGAIN: Final = ((Verb.CREATE, 3), (Verb.UPDATE, 2), (Verb.DELETE, 5), (Verb.READ, 1))
"""What failed half-way is tainted, and gone before it is made anew."""

_LISTING: Final = 'data "simcloud_listing"'
_DRIFTING: Final = ("value", "label", "text", "trigger", "zone")


@dataclass(slots=True)
class _Telling:
    craft: Craft
    root: Module
    profile: Profile
    flavour: Flavour
    versions: dict[str, dict[str, str]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    kills: dict[int, Fault] = field(default_factory=dict)
    killed_version: str = ""
    """In whose apply a process is killed."""

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
    telling = _Telling(
        craft, grow_configuration(craft, size.nodes, has_simcloud=profile.has_simcloud), profile, flavour
    )
    has_beginning = profile.has_simcloud and craft.wants("state to begin with", 12)
    beginning = begin(craft, telling.root) if has_beginning else Beginning(None, ())
    if profile.has_simcloud and craft.wants("process that is killed", 1):
        telling.killed_version = f"v{craft.chooser.integer(1, size.steps)}"
    mistakes: list[str] = []
    for number in range(size.steps):
        if number:
            _edit(telling)
        if craft.chooser.chance(profile.mistakes):
            mistakes.append(make_mistake(craft, telling.root))
        telling.publish()
        _act(telling)
        _clear(telling)
    if craft.wants("destroy at the end", 35):
        if craft.wants("destroy by another version", 25):
            _edit(telling)
            telling.publish()
            if _moves_beside_providers(telling):
                telling.steps.append(_step(telling, "apply"))
        telling.steps.append(Step("destroy", telling.current, refresh=not craft.wants("destroy without refresh", 15)))
    cloud = [*beginning.cloud]
    cloud += IMPORTABLE if _has(telling, "import {") else ()
    cloud += LISTED if _has(telling, _LISTING) else ()
    return Story(
        name,
        telling.versions,
        tuple(telling.steps),
        tuple(telling.faults),
        tuple(cloud),
        flavour.name,
        frozenset(craft.used),
        ", ".join(mistakes),
        beginning.state,
        telling.kills,
    )


def _has(telling: _Telling, words: str) -> bool:
    return any(words in text for files in telling.versions.values() for text in files.values())


def _edit(telling: _Telling) -> None:
    """Statements of the version before may stay: a moved block usually does."""
    telling.craft.touched.clear()
    if not telling.craft.wants("statements stay", 50):
        for module in telling.root.tree:
            module.statements.clear()
    for _ in range(telling.craft.chooser.integer(1, 3)):
        edit(telling.craft, telling.root, has_simcloud=telling.profile.has_simcloud)


def _moves_beside_providers(telling: _Telling) -> bool:
    """Whether something has moved that a provider may be configured by. What the provider serves is recorded to depend
    on the address from before: if both are destroyed before that is brought up to date, nothing says that the provider
    is configured first, in the original neither."""
    modules = telling.root.tree
    configured = [expression for one in modules for node in one.alive(Sort.PROVIDER) for expression in node.expressions]
    has_moved = any(text.startswith("moved ") for one in modules for text in one.statements)
    return has_moved and any(expression.references for expression in configured)


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
        operation = "plan" if craft.wants("refresh-only plan", 25) else "apply"
        targets = _targets(telling) if craft.wants("refresh-only of a target", 20) else ()
        telling.steps.append(Step(operation, telling.current, _variables(telling), "refresh-only", targets))
    is_in_order = not _moves_beside_providers(telling)
    if is_in_order and craft.wants("plan to destroy", 6):
        targets = _targets(telling) if craft.wants("plan to destroy a target", 25) else ()
        telling.steps.append(Step("plan", telling.current, _variables(telling), "destroy", targets))
    if craft.wants("target", 12):
        targets = _targets(telling)
        operation = "destroy" if is_in_order and craft.wants("destroy of a target", 25) else "apply"
        telling.steps.append(_step(telling, operation, targets=targets))
    if telling.flavour is OPENTOFU and craft.wants("exclude", 15):
        operation = "destroy" if is_in_order and craft.wants("destroy of all but something", 20) else "apply"
        telling.steps.append(replace(_step(telling, operation), excludes=_targets(telling)))
    if telling.profile.has_simcloud and craft.wants("fault", 22):
        thing = _fault(telling)
        telling.steps.append(_step(telling, "apply"))
        if thing is not None and craft.wants("fault again", 50):
            _fault(telling, thing)
            telling.steps.append(_step(telling, "apply"))
    if telling.current == telling.killed_version:
        _kill(telling)
    telling.steps.append(_step(telling, "apply"))
    if craft.wants("plan after", 25):
        telling.steps.append(Step("plan", telling.current, telling.steps[-1].variables))


def _step(telling: _Telling, operation: str, targets: tuple[str, ...] = ()) -> Step:
    craft = telling.craft
    replaced: tuple[str, ...] = ()
    if operation != "destroy" and craft.wants("replace", 8):
        replaced = _replaced(telling)
    refresh = not craft.wants("refresh = false", 8)
    return Step(operation, telling.current, _variables(telling), targets=targets, replace=replaced, refresh=refresh)


def _replaced(telling: _Telling) -> tuple[str, ...]:
    """Instances; now and then all that a resource has, or would have, which is told but replaces nothing."""
    chosen = [one.address for one in telling.craft.chooser.some(instances(telling.root, Sort.MANAGED), 2)]
    whole = [address.rpartition("[")[0] if address.endswith("]") else address for address in chosen]
    if telling.craft.wants("replace without a key", 25):
        chosen = whole
    elif telling.craft.wants("replace with a key that is missing", 8):
        chosen = [f"{address}[7]" for address in whole]
    return tuple(dict.fromkeys(chosen))


def _targets(telling: _Telling) -> tuple[str, ...]:
    craft = telling.craft
    pairs = [(one, other) for one, other in dependencies_in(telling.root) if len(instance_addresses(one)) > 1]
    if pairs and craft.wants("target of one instance and of a dependent", 30):
        one, other = craft.chooser.choice(pairs)
        return instance_addresses(one)[0], address(other)
    whole = module_addresses(telling.root)
    single = instances(telling.root, Sort.MANAGED, Sort.DATA)
    options = [one.address for one in single] + [one.address.partition("[")[0] for one in single[:3]] + whole
    return tuple(dict.fromkeys(craft.chooser.some(options, 2)))


def _variables(telling: _Telling) -> str | None:
    """Values for some root variables."""
    if not telling.craft.wants("values for variables", 25):
        return None
    given = {
        one.name: _given(telling, one) for one in telling.root.alive(Sort.VARIABLE) if telling.craft.chooser.chance(60)
    }
    return json.dumps(given, ensure_ascii=False) if given else None


def _given(telling: _Telling, variable: Node) -> Any:
    """Null stands for the default where a variable takes none; elsewhere it gets through, and little goes on."""
    craft = telling.craft
    if craft.wants("null for a variable", 60 if "nullable" in variable.lifecycle else 2):
        return None
    word = craft.chooser.choice(("given", "other", "one"))
    number = craft.chooser.integer(0, 9)
    if craft.wants("text for a number", 10) and variable.value_type in (NUMBER, BOOL):
        return str(number) if variable.value_type == NUMBER else "true"
    values: dict[Any, Any] = {STRING: word, NUMBER: number, BOOL: bool(number % 2), LIST: [word]}
    return {"one": word} if variable.value_type == MAP else values.get(variable.value_type, word)


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


def _is_slow(telling: _Telling) -> bool:
    """Whether something takes its time. Who is stuck is interrupted when nobody else goes on, and whether those count
    that wait for the clock is for the schedule to say."""
    return any(one.node.type == "simcloud_slow" for one in _simulated(telling, Sort.DATA))


def _kill(telling: _Telling) -> None:
    """The process of the next step, at a call. It is rare because processes are slow to start."""
    known = _simulated(telling, Sort.MANAGED)
    if known and not _is_slow(telling):
        thing = telling.craft.chooser.choice(known)
        verb = telling.craft.chooser.choice((Verb.CREATE, Verb.DELETE, Verb.UPDATE))
        telling.kills[len(telling.steps)] = Fault(None, thing.cloud_name, Kind.STUCK, verb, type_name=thing.node.type)


def _fault(telling: _Telling, again: Instance | None = None) -> Instance | None:
    """In the next step, something goes wrong in a call: with what has just been edited, or with what something has gone
    wrong with before. Where it goes by no name, in all of them: which of several comes first is for the schedule to
    say."""
    craft = telling.craft
    faulty = _FAULTY if again is None else _FAULTY_AGAIN
    verb = Verb(craft.pick([(f"fault at {verb}", weight) for verb, weight in faulty]).removeprefix("fault at "))
    sort = {Verb.LOOKUP: Sort.DATA, Verb.OPEN: Sort.EPHEMERAL, Verb.CLOSE: Sort.EPHEMERAL}.get(verb, Sort.MANAGED)
    known = _simulated(telling, sort)
    edited = [one for one in known if one.node in craft.touched]
    if edited and craft.wants("fault in what was edited", 70):
        known = edited
    if not known:
        return None
    thing = again or craft.chooser.choice(known)
    kind = Kind(craft.pick([(f"fault: {kind}", 1) for kind in KINDS_OF[verb]]).removeprefix("fault: "))
    if kind is Kind.STUCK and _is_slow(telling):
        kind = Kind.ERROR
    telling.faults.append(_fault_of(craft, len(telling.steps), verb, kind, thing))
    return thing if sort is Sort.MANAGED else None


_OF_DEPOSED_OBJECTS_TOO: Final = (Verb.READ, Verb.PLAN, Verb.DELETE)
"""An object and its deposed predecessor have one name, and which is asked about first is for the schedule to say."""


_LEAVING_NOTHING: Final = (Kind.ERROR, Kind.FLAKY, Kind.LOST, Kind.NULL_RESULT)
"""Of what was to be created, at once. Other faults strike when everything else is done."""


def _asks_about_itself_among_others(node: Node) -> bool:
    """A postcondition is evaluated also where nothing was created. Of a counted resource `self` is an element of the
    instances there are by then: unknown if there is one behind it, an index that does not exist if there is none, in
    the original as well."""
    is_counted = node.repeat is not None and node.repeat.repetition is Repetition.COUNT
    return is_counted and any(condition.name == "postcondition" for condition in node.conditions)


def _fault_of(craft: Craft, step: int, verb: Verb, kind: Kind, thing: Instance) -> Fault:
    name: str | None = thing.cloud_name
    type_name = thing.node.type
    if verb is Verb.CONFIGURE:
        name, type_name = None, "simcloud"
    elif verb in (Verb.CLOSE, Verb.IMPORT) or thing.node.type == "simcloud_live":
        name = None
    is_ambiguous = name is None or verb in _OF_DEPOSED_OBJECTS_TOO
    if is_ambiguous and kind is Kind.FLAKY:
        kind = Kind.ERROR
    if verb is Verb.CREATE and kind in _LEAVING_NOTHING and _asks_about_itself_among_others(thing.node):
        kind = Kind.ERROR_AFTER
    occurrence = None if is_ambiguous else 1
    phase = craft.chooser.choice((None, None, Phase.PLAN, Phase.APPLY)) if verb is Verb.READ else None
    times = 2 if kind is Kind.FLAKY else 1
    seconds = 30 if kind is Kind.LATENCY else 0
    return Fault(step, name, kind, verb, occurrence, phase, type_name=type_name, times=times, seconds=seconds)
