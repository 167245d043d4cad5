"""One run in a simulated cloud: what exists, what is to go wrong in the current step, and which calls were made.

All provider instances of a run share it. It belongs to one run of one case: another engine, or another schedule, gets
its own, made from the same case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field

from harness.simulation.simcloud.cloud import Cloud, cloud_from_json
from harness.simulation.simcloud.faults import OF_ANSWERS, Fault, FaultKind, FaultWatch, Phase, Subject
from harness.simulation.simcloud.objects import stored_type
from harness.simulation.simcloud.record import Record
from harness.simulation.simcloud.thing import THING_TYPE, fits_thing
from harness.simulation.simcloud.time import VirtualTime
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, JsonNumber, Tree, are_strings

__all__ = ["EphemeralTokens", "Simulation", "Snapshot", "simulation_from_json"]


@record(frozen=False)
class EphemeralTokens:
    """Ephemeral objects: those open now, how often each name was opened, and how often each was renewed."""

    opened: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    renewed: Counter[str] = field(default_factory=Counter)

    def open(self, name: str) -> str:
        self.counts[name] += 1
        token = f"token-{name}-{self.counts[name]}"
        self.opened.append(token)
        return token


@record
class Snapshot:
    """Everything of a simulation that the next step can see. Equal snapshots lead to equal steps."""

    cloud: Cloud
    seen: tuple[int, ...] = ()
    """How many calls each fault of every step has seen."""

    lost: tuple[str, ...] = ()
    tokens: Mapping[str, int] = field(default_factory=dict)
    replayed: Mapping[str, int] = field(default_factory=dict)


@record(frozen=False)
class Simulation:
    cloud: Cloud = field(default_factory=Cloud)
    watch: FaultWatch = field(default_factory=FaultWatch)
    record: Record = field(default_factory=Record)
    phase: Phase = Phase.PLAN
    """The half of the step to which calls belong. The runner of the step sets it when the second half begins."""

    time: VirtualTime = field(default_factory=VirtualTime)
    tokens: EphemeralTokens = field(default_factory=EphemeralTokens)

    replayed: Counter[str] = field(default_factory=Counter)
    """How often each request that a tape has several answers to was made (`harness/plugins/tapes`)."""

    lost: list[str] = field(default_factory=list)
    """Type and id of every object whose creation or existence a fault kept from being reported, so that no state can be
    expected to contain it."""

    before: list[Tree] = field(default_factory=list)
    """The inventory at the beginning of the step."""

    interrupt: Callable[[], None] = lambda: None
    """Interrupts the run, as a person would who sees that nothing proceeds. Set by the runner of the engine."""

    def begin_step(self, faults: Sequence[Fault]) -> None:
        """Begin a step with its faults. Outside changes happen now, in the order in which they are listed."""
        self.apply_external_changes(faults)
        self.watch, self.record, self.phase = self.watch.for_next_step(faults), Record(time=self.time), Phase.PLAN
        self.before = self.cloud.inventory()

    def apply_external_changes(self, faults: Sequence[Fault]) -> None:
        """Carry out those faults that are not tied to a call but change the cloud directly."""
        for fault in faults:
            if fault.kind is FaultKind.DRIFT:
                self._drift(fault)
            elif fault.kind is FaultKind.VANISH:
                self._vanish(fault)

    def _drift(self, fault: Fault) -> None:
        """Change attributes of live objects. Of other types, objects that have all these attributes are changed."""
        if fault.name is not None and fault.type_name in (None, THING_TYPE) and fits_thing(fault.attributes):
            self.cloud.drift(fault.name, fault.attributes)
        if fault.type_name != THING_TYPE:
            for live in self.cloud.objects.live_objects(fault.name, fault.type_name):
                if fault.attributes.keys() <= live.value.payload.keys():
                    self.cloud.objects.drift(live, fault.attributes)

    def _vanish(self, fault: Fault) -> None:
        if fault.name is not None and fault.type_name in (None, THING_TYPE):
            self.cloud.vanish(fault.name)
        if fault.type_name != THING_TYPE:
            for live in self.cloud.objects.live_objects(fault.name, fault.type_name):
                self.cloud.objects.vanish(live)

    def clean_up(self) -> None:
        """Remove lost objects, as people have to do by hand."""
        for type_name, _, identifier in (item.partition(" ") for item in self.lost):
            if type_name == THING_TYPE:
                self.cloud.things.pop(identifier, None)
            else:
                self.cloud.objects.objects.pop((stored_type(type_name), identifier), None)
        self.lost.clear()

    def fault_kind(self, subject: Subject) -> FaultKind | None:
        """Return how the answer to a call is to be altered. If several faults affect it, the first one decides."""
        found = self.match_faults(subject, OF_ANSWERS)
        return found[0].kind if found else None

    def match_faults(self, subject: Subject, kinds: Collection[FaultKind]) -> list[Fault]:
        return self.watch.match_faults(subject, self.phase, kinds)

    def snapshot(self) -> Snapshot:
        """Return what the next step begins with."""
        return Snapshot(
            self.cloud.copy(),
            self.watch.lasting_counts(),
            tuple(self.lost),
            dict(self.tokens.counts),
            dict(self.replayed),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from a snapshot, which can be restored any number of times."""
        self.cloud, self.lost = snapshot.cloud.copy(), [*snapshot.lost]
        self.watch = FaultWatch(seen=[*snapshot.seen])
        self.tokens = EphemeralTokens(counts=Counter(snapshot.tokens))
        self.replayed = Counter(snapshot.replayed)

    def to_json(self) -> dict[str, Tree]:
        """Return everything that has to outlive a process: the cloud, and how many calls each fault of the step has
        seen. The calls are included for information."""
        seen: list[Tree] = [JsonNumber(str(count)) for count in self.watch.seen]
        tree: dict[str, Tree] = {
            **self.cloud.to_json(),
            "faults_seen": seen,
            "plan_calls": self.record.summary(Phase.PLAN),
            "calls": self.record.summary(Phase.APPLY),
        }
        for name, counts in (("tokens", self.tokens.counts), ("replayed", self.replayed)):
            if counts:
                tree[name] = {key: JsonNumber(str(count)) for key, count in sorted(counts.items())}
        return tree | ({"lost": [*self.lost]} if self.lost else {})


def simulation_from_json(tree: Mapping[str, Tree], begun: Sequence[Fault] = ()) -> Simulation:
    """Restore a simulation. `begun` are the faults of the step that another process has planned: they keep their
    counts, and outside changes do not happen again. Raises JsonError for invalid input."""
    seen, lost = tree.get("faults_seen", []), tree.get("lost", [])
    if not isinstance(seen, list) or not all(isinstance(count, JsonNumber) and count.text.isdigit() for count in seen):
        raise JsonError("faults_seen: must be a list of whole numbers")
    if not isinstance(lost, list) or not are_strings(lost):
        raise JsonError("lost: must be a list of texts")
    counts = [int(count.text) for count in seen if isinstance(count, JsonNumber)]
    simulation = Simulation(cloud_from_json(tree), FaultWatch(begun, counts), lost=lost)
    simulation.tokens.counts.update(_counts(tree, "tokens"))
    simulation.replayed.update(_counts(tree, "replayed"))
    simulation.before = simulation.cloud.inventory()
    return simulation


def _counts(document: Mapping[str, Tree], key: str) -> dict[str, int]:
    tree = document.get(key, {})
    if not isinstance(tree, dict) or not all(
        isinstance(count, JsonNumber) and count.text.isdigit() for count in tree.values()
    ):
        raise JsonError(f"{key}: must be a mapping of names to whole numbers")
    return {name: int(count.text) for name, count in tree.items() if isinstance(count, JsonNumber)}
