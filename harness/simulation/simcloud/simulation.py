"""One run in a simulated cloud: what exists, what shall go wrong in the current step, and who asked what.

Every provider instance of a run shares it. It belongs to one course of one case: another engine, or another schedule,
gets one of its own, made from the same case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from harness.simulation.simcloud.cloud import Cloud, cloud_from_json
from harness.simulation.simcloud.faults import OF_ANSWERS, Fault, FaultWatch, Kind, Phase, Subject
from harness.simulation.simcloud.objects import stored_type
from harness.simulation.simcloud.record import Record
from harness.simulation.simcloud.thing import THING_TYPE, is_of_thing
from harness.simulation.simcloud.time import VirtualTime
from shared_nodes.values.json import JsonError, JsonNumber, Tree, are_strings

__all__ = ["Simulation", "Tokens", "simulation_from_json"]


@dataclass(slots=True)
class Tokens:
    """Ephemeral objects: those open now, how often each name was opened, and how often each was renewed."""

    opened: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    renewed: Counter[str] = field(default_factory=Counter)

    def open(self, name: str) -> str:
        self.counts[name] += 1
        token = f"token-{name}-{self.counts[name]}"
        self.opened.append(token)
        return token


@dataclass(slots=True)
class Simulation:
    cloud: Cloud = field(default_factory=Cloud)
    watch: FaultWatch = field(default_factory=FaultWatch)
    record: Record = field(default_factory=Record)
    phase: Phase = Phase.PLAN
    """Which half of the step calls belong to. Who runs the step says when the second begins."""

    time: VirtualTime = field(default_factory=VirtualTime)
    tokens: Tokens = field(default_factory=Tokens)

    lost: list[str] = field(default_factory=list)
    """Type and id of every object that a fault kept from being told, when it was made or when it was looked for: no
    state can be expected to know it."""

    before: list[Tree] = field(default_factory=list)
    """The inventory as the step found it."""

    interrupt: Callable[[], None] = lambda: None
    """What a person does who sees that nothing moves any more. Who runs an engine says what that is."""

    def begin_step(self, faults: Sequence[Fault]) -> None:
        """With the faults of that step. What happens outside happens now, in the order it is written down."""
        self.happen(faults)
        self.watch, self.record, self.phase = self.watch.carried_over(faults), Record(time=self.time), Phase.PLAN
        self.before = self.cloud.inventory()

    def happen(self, faults: Sequence[Fault]) -> None:
        """What of these is no call's, but happens in the cloud by itself."""
        for fault in faults:
            if fault.kind is Kind.DRIFT:
                self._drift(fault)
            elif fault.kind is Kind.VANISH:
                self._vanish(fault)

    def _drift(self, fault: Fault) -> None:
        """Of objects of other types, those that have all these attributes."""
        if fault.name is not None and fault.type_name in (None, THING_TYPE) and is_of_thing(fault.attributes):
            self.cloud.drift(fault.name, fault.attributes)
        if fault.type_name != THING_TYPE:
            for live in self.cloud.objects.named(fault.name, fault.type_name):
                if fault.attributes.keys() <= live.value.payload.keys():
                    self.cloud.objects.drift(live, fault.attributes)

    def _vanish(self, fault: Fault) -> None:
        if fault.name is not None and fault.type_name in (None, THING_TYPE):
            self.cloud.vanish(fault.name)
        if fault.type_name != THING_TYPE:
            for live in self.cloud.objects.named(fault.name, fault.type_name):
                self.cloud.objects.vanish(live)

    def clean_up(self) -> None:
        """Remove what was lost, as people have to do by hand."""
        for type_name, _, identifier in (item.partition(" ") for item in self.lost):
            if type_name == THING_TYPE:
                self.cloud.things.pop(identifier, None)
            else:
                self.cloud.objects.objects.pop((stored_type(type_name), identifier), None)
        self.lost.clear()

    def struck(self, subject: Subject) -> Kind | None:
        """What becomes of the answer to a call. Of several faults that strike, the first does."""
        found = self.striking(subject, OF_ANSWERS)
        return found[0].kind if found else None

    def striking(self, subject: Subject, kinds: Collection[Kind]) -> list[Fault]:
        return self.watch.striking(subject, self.phase, kinds)

    def to_json(self) -> dict[str, Tree]:
        """All that has to outlive a process: the cloud, and how often each fault of the step was passed by. The calls
        are for whoever wants to know them."""
        seen: list[Tree] = [JsonNumber(str(count)) for count in self.watch.seen]
        tree: dict[str, Tree] = {
            **self.cloud.to_json(),
            "faults_seen": seen,
            "plan_calls": self.record.summary(Phase.PLAN),
            "calls": self.record.summary(Phase.APPLY),
        }
        if self.tokens.counts:
            tree["tokens"] = {name: JsonNumber(str(count)) for name, count in sorted(self.tokens.counts.items())}
        return tree | ({"lost": [*self.lost]} if self.lost else {})


def simulation_from_json(tree: Mapping[str, Tree], begun: Sequence[Fault] = ()) -> Simulation:
    """Where it was left: `begun` are the faults of the step another process has planned, which go on counting where
    they were, and nothing happens outside again. JsonError tells what cannot be read."""
    seen, lost = tree.get("faults_seen", []), tree.get("lost", [])
    if not isinstance(seen, list) or not all(isinstance(count, JsonNumber) and count.text.isdigit() for count in seen):
        raise JsonError("faults_seen: must be a list of whole numbers")
    if not isinstance(lost, list) or not are_strings(lost):
        raise JsonError("lost: must be a list of texts")
    counts = [int(count.text) for count in seen if isinstance(count, JsonNumber)]
    simulation = Simulation(cloud_from_json(tree), FaultWatch(begun, counts), lost=lost)
    simulation.tokens.counts.update(_token_counts(tree.get("tokens", {})))
    simulation.before = simulation.cloud.inventory()
    return simulation


def _token_counts(tree: Tree) -> dict[str, int]:
    if not isinstance(tree, dict) or not all(
        isinstance(count, JsonNumber) and count.text.isdigit() for count in tree.values()
    ):
        raise JsonError("tokens: must be a mapping of names to whole numbers")
    return {name: int(count.text) for name, count in tree.items() if isinstance(count, JsonNumber)}
