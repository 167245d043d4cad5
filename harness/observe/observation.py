"""Results of an engine in the form of a recording: the published documents, reduced to what is compared.

Events are in the order in which they happened; everything else is in the published order. Nothing is renamed here, see
`normalise.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from harness.observe.json_trees import JsonObject, as_items, as_object, as_objects
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.encryption.encryption import NO_ENCRYPTION, DecryptionError, Encryption, is_encrypted
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.event_stream import ChangeCounts
from shared_nodes.plan.events import Event, EventType
from shared_nodes.plan.order import EffectOrder
from shared_nodes.record import record
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
    "would_change",
]


@record(eq=False)
class Observation(Mapping[str, Tree]):
    """What was observed of one step.

    Its fields are typed. As a mapping it has the form of a recording, with the keys that a step of its kind has: in
    this form observations are compared with recordings, stored and masked. `from_json` reads it. Equality is that of
    mappings, so an observation equals anything with the same recorded form.
    """

    op: str
    ok: bool
    diagnostics: list[Tree] = field(default_factory=list)
    config: str | None = None
    """None for what is not an operation, such as drift or the end of a story."""

    init: JsonObject | None = None
    """What failed when a binary was initialised: `ok`, `diagnostics` and perhaps `crash`. None where nothing did."""

    crash: JsonObject | None = None
    """How a binary crashed in this step: `phase`, `panic` and `frame`. None where it came to an end."""

    plan: JsonObject | None = None
    """None where planning failed."""

    plan_summary: JsonObject | None = None
    plan_events: list[Tree] | None = None
    """None where nothing was planned."""

    plan_graph: str | None = None
    graph: str | None = None
    """Graphs of planning and applying as a binary prints them."""

    execution_graph: str | None = None
    """The execution graph that OpenTofu's new runtime planned, in its own notation, without the constants."""

    plan_calls: JsonObject | None = None
    inventory: list[Tree] | None = None
    events: list[Tree] | None = None
    """None where nothing was applied."""

    calls: JsonObject | None = None
    order: JsonObject | None = None
    """The order of effects that the engine guarantees: `effects` and `before`. Real binaries may add `evaluation`,
    `cycles` (`execution_order.py`) and `uses` (`uses.py`)."""

    has_order: bool = False
    """Whether the step has an order at all: a binary reports none unless it is asked."""

    apply_summary: JsonObject | None = None
    state: JsonObject | None = None
    provider_data: JsonObject | None = None
    story: JsonObject | None = None
    over_limit: bool = False
    """Whether more calls were under way at a time than the parallelism allows."""

    @staticmethod
    def from_json(tree: Mapping[str, Tree]) -> Observation:
        """Read an observation from the form of a recording."""
        return Observation(
            op=str(tree["op"]),
            ok=tree["ok"] is True,
            diagnostics=as_items(tree["diagnostics"]),
            config=_text(tree.get("config")),
            init=_object(tree.get("init")),
            crash=_object(tree.get("crash")),
            plan=_object(tree.get("plan")),
            plan_summary=_object(tree.get("plan_summary")),
            plan_events=_items(tree.get("plan_events")),
            plan_graph=_text(tree.get("plan_graph")),
            graph=_text(tree.get("graph")),
            execution_graph=_text(tree.get("execution_graph")),
            plan_calls=_object(tree.get("plan_calls")),
            inventory=_items(tree.get("inventory")),
            events=_items(tree.get("events")),
            calls=_object(tree.get("calls")),
            order=_object(tree.get("order")),
            has_order="order" in tree,
            apply_summary=_object(tree.get("apply_summary")),
            state=_object(tree.get("state")),
            provider_data=_object(tree.get("provider_data")),
            story=_object(tree.get("story")),
            over_limit=tree.get("over_limit") is True,
        )

    def __getitem__(self, key: str) -> Tree:
        if key not in _KEYS or not self._has(key):
            raise KeyError(key)
        value: Tree = getattr(self, key)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def _keys(self) -> tuple[str, ...]:
        order = _VALIDATION_KEYS if self.op == "validate" else _KEYS
        return tuple(key for key in order if self._has(key))

    def _has(self, key: str) -> bool:
        """A plan and a state may be null in a recording; everything else is present or absent."""
        match key:
            case "plan":
                return self.plan_events is not None
            case "state":
                return self.op in ("apply", "destroy")
            case "order":
                return self.has_order
            case "over_limit":
                return self.over_limit
        return getattr(self, key) is not None


_KEYS: Final = (
    *("op", "config", "init", "ok", "crash", "diagnostics"),
    *("plan", "plan_summary", "plan_events", "plan_graph", "graph", "execution_graph", "plan_calls"),
    *("inventory", "events", "calls", "order", "apply_summary", "state", "provider_data", "story", "over_limit"),
)
"""In the order of evidence, which is published."""

_VALIDATION_KEYS: Final = ("op", "config", "init", "ok", "crash", "diagnostics", "calls", "inventory", "over_limit")


def _object(tree: Tree) -> JsonObject | None:
    return tree if isinstance(tree, dict) else None


def _items(tree: Tree) -> list[Tree] | None:
    return tree if isinstance(tree, list) else None


def _text(tree: Tree) -> str | None:
    return tree if isinstance(tree, str) else None


STEP_VARIABLES: Final = "step-vars.tfvars.json"
"""The name of the file with the variables of a step, as it appears in messages."""


def observed_diagnostics(phase: str, diagnostics: Iterable[Diagnostic]) -> list[Tree]:
    return [_diagnostic(phase, diagnostic) for diagnostic in diagnostics]


def _diagnostic(phase: str, diagnostic: Diagnostic) -> Tree:
    """A range in the variables of the step is left out, since no recorded directory has that file. So is a range
    without a file."""
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
    """A deleted object has no id any more at its end, so that of the start is used; a failure has none."""
    if event.action == "delete":
        return at_start
    return None if event.type is EventType.APPLY_ERRORED else event.identifier


def _item(event: Event, action: str | None, extra: str | None) -> Tree:
    item: list[Tree] = [str(event.type), str(event.address), action]
    return item if extra is None else [*item, extra]


def observed_order(order: EffectOrder) -> JsonObject:
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


def observed_counts(counts: ChangeCounts, *, with_forgotten: bool) -> JsonObject:
    named = {"add": counts.add, "change": counts.change, "import": counts.imported, "remove": counts.remove}
    if with_forgotten:
        named["forget"] = counts.forget
    return {name: _number(count) for name, count in named.items()}


def observed_plan(document: Mapping[str, Tree], kept_sections: Iterable[str] = ()) -> JsonObject:
    """Return the parts of a JSON plan that say what will happen, and those that the case wants to keep. Parts that
    every recording has are present even if empty; of the others, what the document does not have stays absent."""
    plan: dict[str, Tree] = {"resource_changes": _changes(document.get("resource_changes"))}
    if document.get("deferred_changes"):
        plan["deferred_changes"] = document["deferred_changes"]
    if document.get("resource_drift"):
        plan["resource_drift"] = _changes(document["resource_drift"])
    plan["output_changes"] = document.get("output_changes") or {}
    if document.get("checks"):
        plan["checks"] = document["checks"]
    plan["relevant_attributes"] = document.get("relevant_attributes") or []
    plan |= {name: document[name] for name in ("errored", "complete", "applyable") if name in document}
    return plan | {name: _kept_section(document[name]) for name in kept_sections if name in document}


def would_change(plan: Mapping[str, Tree]) -> bool:
    """Return whether applying an observed plan would change anything.

    A plan of Terraform says so. For one of OpenTofu this is read off its changes: resource instances, also those that
    only move or are imported, and outputs. A plan that only refreshes has no changes of resources, and what it found
    changed is all that it would store.
    """
    if "applyable" in plan:
        return plan["applyable"] is True
    resources = as_objects(plan.get("resource_changes"))
    outputs = as_object(plan.get("output_changes")).values()
    changes = [as_object(change["change"]) for change in resources] + [as_object(change) for change in outputs]
    return (
        any(change.get("actions") != ["no-op"] or "importing" in change for change in changes)
        or any("previous_address" in change for change in resources)
        or (not resources and bool(as_objects(plan.get("resource_drift"))))
    )


def _kept_section(section: Tree) -> Tree:
    """The prior state names the version that made it, which says nothing about what will happen."""
    return _without(section, ("terraform_version",)) if isinstance(section, dict) else section


def _changes(changes: Tree) -> list[Tree]:
    return [_without(change, ("module_address",)) for change in as_objects(changes)]


def observed_state_file(
    text: str | None, encryption: Encryption = NO_ENCRYPTION
) -> tuple[JsonObject | None, JsonObject | None]:
    """Return the state, and the data of providers in it. `text` is None if there is no state file yet. The state of an
    encrypted file says so; if the file cannot be decrypted, that is all it says."""
    if text is None:
        return None, None
    if not is_encrypted(text):
        document = as_object(loads(text))
        return observed_state(document), _provider_data(document)
    try:
        document = as_object(loads(encryption.state_from_text(text)))
    except DecryptionError:
        return {"encrypted": True}, None
    return {**observed_state(document), "encrypted": True}, _provider_data(document)


def observed_state(document: Mapping[str, Tree]) -> JsonObject:
    """Return the content of a state file, without its history and the private data of providers."""
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
    """Return an empty list if the key is missing: the prior state of a case may contain as little as an engine
    accepts."""
    return as_objects(tree.get(name))


_PROVIDERS: Final = ("schema_version", "private")


def _provider_data(document: Mapping[str, Tree]) -> JsonObject:
    """Return versions of schemas, and private data of providers. No recording has them, and so they are not part of the
    state. Private data may contain a secret in any form: it is represented by its digest."""
    instances: list[Tree] = []
    for resource in _records(document, "resources"):
        parts = [str(resource[name]) for name in ("module", "mode", "type", "name") if name in resource]
        for instance in _records(resource, "instances"):
            entry: dict[str, Tree] = {"address": ".".join(parts)}
            entry |= {name: instance[name] for name in ("index_key", "deposed", "schema_version") if name in instance}
            if private := instance.get("private"):
                entry["private"] = hashlib.sha256(dumps(private).encode()).hexdigest()
            instances.append(entry)
    return {"instances": instances}


def _without(tree: Mapping[str, Tree], names: Iterable[str]) -> dict[str, Tree]:
    return {name: item for name, item in tree.items() if name not in names}
