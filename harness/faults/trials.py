"""Trials of a fault sweep: every fault that can be injected into one step of a case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, cast

from harness.simulation.simcloud.behaviour import text_of
from harness.simulation.simcloud.faults import KINDS_OF, Fault, FaultKind, Phase, Verb
from harness.simulation.simcloud.record import ProviderCall
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.providers.contract import ApplyRequest, PlanRequest
from shared_nodes.record import record
from shared_nodes.values.value import Value

__all__ = ["FaultTrial", "faults_of_calls", "faults_of_cloud"]

_SECONDS: Final = 7
"""How long a late answer takes. Nothing else in a case takes any time."""

_TIMES: Final = 2
"""How many calls in a row a flaky fault fails, from the first one on."""

_VERBS: Final = {
    "apply-create": Verb.CREATE,
    "apply-update": Verb.UPDATE,
    "apply-delete": Verb.DELETE,
    "validate-data": Verb.VALIDATE,
    "validate-ephemeral": Verb.VALIDATE,
}


@record
class FaultTrial:
    """One fault in one step of a case."""

    fault: Fault

    @property
    def step(self) -> int:
        assert self.fault.step is not None, "a trial is about one step"
        return self.fault.step

    def __str__(self) -> str:
        fault = self.fault
        what = f"{fault.type_name} {fault.name or ''}".rstrip()
        if fault.verb is None:
            return f"step {self.step + 1}: {fault.kind} of {what}"
        number = f", call {fault.occurrence}" if fault.occurrence != 1 else ""
        return f"step {self.step + 1}: {fault.kind} at {fault.verb} of {what} in {fault.phase}{number}"


def faults_of_cloud(step: int, simulation: Simulation) -> Iterator[Fault]:
    """Return what can happen to each object in the cloud without the engine."""
    for live in simulation.cloud.objects.live_objects(None):
        yield Fault(step, live.name, FaultKind.VANISH, type_name=live.type_name)
        if "value" in live.behaviour.block.attributes:
            yield Fault(step, live.name, FaultKind.DRIFT, type_name=live.type_name, attributes={"value": "drifted"})
    for thing in simulation.cloud.things.values():
        yield Fault(step, text_of(thing, "name"), FaultKind.VANISH, type_name="sim_thing")
        yield Fault(
            step, text_of(thing, "name"), FaultKind.DRIFT, type_name="sim_thing", attributes={"value": "drifted"}
        )


def faults_of_calls(step: int, calls: Sequence[ProviderCall]) -> Iterator[Fault]:
    """Return every kind of fault at every call. A call is identified by phase, verb, type and name, and by its ordinal
    among equal calls. Only what was opened is never unknown in parts: Terraform forgets an object whose arguments are
    unknown when it is to be updated, so that another apply creates it twice."""
    seen: Counter[tuple[Phase, Verb, str, str | None]] = Counter()
    for call in calls:
        verb = _VERBS.get(call.verb) or next((verb for verb in Verb if verb == call.verb), None)
        if verb is None:
            continue
        key = (call.phase, verb, call.type_name, _fault_name(call))
        seen[key] += 1
        for kind in KINDS_OF[verb]:
            if kind is FaultKind.INCONSISTENT_PLAN and call.phase is Phase.PLAN:
                continue
            if kind is FaultKind.UNKNOWN_RESULT and verb is Verb.OPEN:
                continue
            if kind is FaultKind.FLAKY and seen[key] > 1:
                continue
            yield Fault(
                step,
                key[3],
                kind,
                verb,
                seen[key],
                call.phase,
                type_name=call.type_name,
                seconds=_SECONDS if kind is FaultKind.LATENCY else 0,
                times=_TIMES,
            )


def _fault_name(call: ProviderCall) -> str | None:
    """Return the name by which a fault finds the call, which is not always the name in the record."""
    given = call.arguments
    match call.verb:
        case "configure":
            return text_of(cast("Value", given["config"]), "region") or ""
        case "upgrade":
            attributes = given["attributes"]
            name = attributes.get("name") if isinstance(attributes, dict) else None
            return name if isinstance(name, str) else None
        case "read":
            return text_of(cast("Value", given["current"]), "name")
    request = given.get("request")
    if isinstance(request, ApplyRequest):
        return text_of(request.prior if request.planned.is_null else request.planned, "name")
    if isinstance(request, PlanRequest):
        return text_of(request.prior if request.proposed.is_null else request.proposed, "name")
    return call.what
