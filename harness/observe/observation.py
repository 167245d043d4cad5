"""Results of an engine in the form of a recording: the published documents, reduced to what is compared.

The order of events is kept as it happened; everything else is in the published order. Nothing is renamed here: that
is `normalise.py`'s.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final

from harness.observe.json_trees import as_object, as_objects
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.event_stream import ChangeCounts
from shared_nodes.plan.events import Event, EventType
from shared_nodes.plan.order import EffectOrder
from shared_nodes.values.json import JsonNumber, Tree, dumps, loads

__all__ = [
    "STEP_VARIABLES",
    "Observation",
    "observed_counts",
    "observed_diagnostics",
    "observed_events",
    "observed_order",
    "observed_plan",
    "observed_state",
    "observed_state_file",
]

Observation = dict[str, Tree]
"""One step as it was seen: `ok`, `diagnostics`, and by its kind `plan`, `plan_summary`, `plan_events`, `events`,
`apply_summary`, `order`, `state`, `provider_data`."""

STEP_VARIABLES: Final = "step-vars.tfvars.json"
"""The file the variables of a step are given in, as messages call it."""


def observed_diagnostics(phase: str, diagnostics: Iterable[Diagnostic]) -> list[Tree]:
    return [_diagnostic(phase, diagnostic) for diagnostic in diagnostics]


def _diagnostic(phase: str, diagnostic: Diagnostic) -> Tree:
    """A range in the variables of the step is left out: no recorded directory has that file. So is one in no file."""
    tree: dict[str, Tree] = {
        "phase": phase,
        "severity": str(diagnostic.severity),
        "summary": diagnostic.summary,
        "detail": diagnostic.detail,
    }
    if diagnostic.address:
        tree["address"] = diagnostic.address
    subject = diagnostic.subject
    if subject is not None and subject.source.filename not in ("", STEP_VARIABLES):
        start: Tree = {"line": _number(subject.first.line), "column": _number(subject.first.column)}
        tree["range"] = {"filename": subject.source.filename, "start": start}
    return tree


def _number(value: int) -> JsonNumber:
    return JsonNumber(str(value))


# Events

_APPLYING: Final = (EventType.APPLY_START, EventType.APPLY_COMPLETE, EventType.APPLY_ERRORED)
_PROVISIONING: Final = (
    EventType.PROVISION_START,
    EventType.PROVISION_PROGRESS,
    EventType.PROVISION_COMPLETE,
    EventType.PROVISION_ERRORED,
)
_REFRESHING: Final = (EventType.REFRESH_START, EventType.REFRESH_COMPLETE)
_RECORDED_ACTIONS: Final = ("create", "update", "delete", "read")


def observed_events(events: Iterable[Event]) -> list[Tree]:
    """`[type, address, action]`, and an extra where there is one, in the order of time."""
    found: list[Tree] = []
    starts: dict[tuple[AbsResourceInstance, str | None], str | None] = {}
    for event in events:
        if event.type in _REFRESHING:
            found.append(_item(event, None, event.identifier))
        elif event.type in _PROVISIONING:
            found.append(_item(event, event.provisioner, event.output))
        elif event.type in _APPLYING and event.action in _RECORDED_ACTIONS:
            key = (event.address, event.deposed)
            if event.type is EventType.APPLY_START:
                starts[key] = event.identifier
            identifier = _identifier(event, starts.get(key))
            found.append(_item(event, str(event.action), identifier))
    return found


def _identifier(event: Event, at_start: str | None) -> str | None:
    """A deleted object has no id any more when its end is told, so the start's is kept; a failure tells none."""
    if event.action == "delete":
        return at_start
    return None if event.type is EventType.APPLY_ERRORED else event.identifier


def _item(event: Event, action: str | None, extra: str | None) -> Tree:
    item: list[Tree] = [str(event.type), str(event.address), action]
    return item if extra is None else [*item, extra]


def observed_order(order: EffectOrder) -> Tree:
    """`effects` as `[address, verb]`, with a deposed key where there is one; `before` has pairs of their positions, and
    only those that no others imply."""
    effects: list[Tree] = [
        [effect.address, effect.verb, *([effect.deposed] if effect.deposed else [])] for effect in order.effects
    ]
    pairs: list[Tree] = [
        [_number(first), _number(second)] for second, nearest in enumerate(order.nearest) for first in nearest
    ]
    return {"effects": effects, "before": pairs}


# Documents


def observed_counts(counts: ChangeCounts) -> Tree:
    named = {"add": counts.add, "change": counts.change, "import": counts.imported, "remove": counts.remove}
    return {name: _number(count) for name, count in named.items()}


def observed_plan(document: Mapping[str, Tree]) -> Tree:
    """The parts of a JSON plan that tell what will happen. What is always there in a recording is there when empty."""
    plan: dict[str, Tree] = {"resource_changes": _changes(document.get("resource_changes"))}
    if document.get("deferred_changes"):
        plan["deferred_changes"] = document["deferred_changes"]
    if document.get("resource_drift"):
        plan["resource_drift"] = _changes(document["resource_drift"])
    plan["output_changes"] = document.get("output_changes") or {}
    if document.get("checks"):
        plan["checks"] = document["checks"]
    plan["relevant_attributes"] = document.get("relevant_attributes") or []
    return plan | {name: document.get(name, False) for name in ("errored", "complete", "applyable")}


def _changes(changes: Tree) -> list[Tree]:
    return [_without(change, ("module_address",)) for change in as_objects(changes)]


def observed_state_file(text: str | None) -> Observation:
    """None where there is no such file yet."""
    if text is None:
        return {"state": None}
    document = as_object(loads(text))
    return {"state": observed_state(document), "provider_data": _provider_data(document)}


def observed_state(document: Mapping[str, Tree]) -> Tree:
    """The content of a state file, without its history and what providers keep there for themselves."""
    resources: list[Tree] = []
    for resource in _records(document, "resources"):
        kept: list[Tree] = [_without(instance, _PROVIDERS) for instance in _records(resource, "instances")]
        resources.append({**resource, "instances": kept})
    return {
        "outputs": document.get("outputs", {}),
        "resources": resources,
        "check_results": document.get("check_results"),
    }


def _records(tree: Mapping[str, Tree], name: str) -> list[dict[str, Tree]]:
    """Nothing where it is left out: a state that a case gives, and no step has written anew, may say as little as an
    engine accepts."""
    return as_objects(tree.get(name))


_PROVIDERS: Final = ("schema_version", "private")


def _provider_data(document: Mapping[str, Tree]) -> Tree:
    """Versions of schemas, and data nobody else understands. No recording has them, so that they are no part of the
    state. Such data may hold a secret in whatever form: it is told by its digest."""
    instances: list[Tree] = []
    for resource in _records(document, "resources"):
        parts = [str(resource[name]) for name in ("module", "mode", "type", "name") if name in resource]
        for instance in _records(resource, "instances"):
            told: dict[str, Tree] = {"address": ".".join(parts)}
            told |= {name: instance[name] for name in ("index_key", "deposed", "schema_version") if name in instance}
            if private := instance.get("private"):
                told["private"] = hashlib.sha256(dumps(private).encode()).hexdigest()
            instances.append(told)
    return {"instances": instances}


def _without(tree: Mapping[str, Tree], names: Iterable[str]) -> dict[str, Tree]:
    return {name: item for name, item in tree.items() if name not in names}
