"""The published event stream (`-json`): one object per line, for programs that follow a run.

`EventStream` writes lines in the order of its calls. The calls of an operation are

    version, events while planning, planned, diagnostics                               plan
    version, events while planning, planned, events, diagnostics, applied              apply
    version, planned_again, events, diagnostics, applied                               apply of a saved plan

where `applied` is omitted after an error. All information of a line is in its own fields; `@message` repeats it in the
original's words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from datetime import UTC
from typing import Any, Final

from shared_nodes.addresses.key import key_text
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, Severity
from shared_nodes.lang.diagnostics_view import diagnostic_to_json
from shared_nodes.plan.change import Action, ActionReason, OutputChange, ResourceChange
from shared_nodes.plan.drift import shown_drift
from shared_nodes.plan.events import Event, EventType
from shared_nodes.plan.importing import importing_document
from shared_nodes.plan.plan import Plan
from shared_nodes.record import record
from shared_nodes.state.document import key_to_json
from shared_nodes.state.model import OutputState
from shared_nodes.values.json import JsonNumber, Tree, dumps, type_to_json, value_to_json
from shared_nodes.world import World

__all__ = [
    "ChangeCounts",
    "EventStream",
    "change_word",
    "ephemeral_message",
    "planned_counts",
    "summary_text",
    "unannounced_counts",
]

_STREAM_VERSION: Final = "1.2"


@record(frozen=False)
class ChangeCounts:
    """The number of objects per kind of change. A replacement counts as an addition and a removal."""

    add: int = 0
    change: int = 0
    imported: int = 0
    remove: int = 0
    forget: int = 0

    def count(self, event: Event) -> None:
        """Count a finished change. Reading is not a change."""
        if event.type is not EventType.APPLY_COMPLETE:
            return
        if event.action is Action.CREATE:
            self.add += 1
        elif event.action is Action.UPDATE:
            self.change += 1
        elif event.action is Action.DELETE:
            self.remove += 1


def planned_counts(plan: Plan) -> ChangeCounts:
    counts = ChangeCounts()
    for change in plan.changes.resources.values():
        if _is_hidden(change):
            continue
        counts.imported += change.importing is not None
        counts.add += change.action.creates
        counts.change += change.action is Action.UPDATE
        counts.remove += change.action is Action.DELETE or change.action.is_replace
        counts.forget += change.action in (Action.FORGET, Action.FORGET_THEN_CREATE)
    return counts


def unannounced_counts(plan: Plan) -> ChangeCounts:
    """Count what applying a plan does without an event. Forgetting an object to create its successor does not
    count."""
    forgotten = sum(change.action is Action.FORGET for change in plan.changes.resources.values())
    return ChangeCounts(imported=planned_counts(plan).imported, forget=forgotten)


def _is_hidden(change: ResourceChange) -> bool:
    """Return whether this is the deletion of a data source, which only tidies up the state."""
    return change.action is Action.DELETE and change.address.resource.mode is ResourceMode.DATA


@record(frozen=False)
class EventStream:
    write: Callable[[str], object]
    world: World
    flavour: Flavour = TERRAFORM_1_11
    applied_counts: ChangeCounts = field(default_factory=ChangeCounts)
    """What was done so far, according to the events."""

    def version(self) -> None:
        message = f"{self.flavour.product} {self.flavour.version}"
        self._line(message, "version", {self.flavour.command: self.flavour.version, "ui": _STREAM_VERSION})

    def log(self, message: str) -> None:
        self._line(message, "log", {})

    def event(self, event: Event) -> None:
        self.applied_counts.count(event)
        if event.type.is_ephemeral and self.flavour.ephemeral_events_hide_failure:
            self._ephemeral_event(event)
        elif event.type is not EventType.IMPORT_START:
            self._line(_event_message(event), event.type.value, {"hook": _hook_document(event)})

    def _ephemeral_event(self, event: Event) -> None:
        is_start = event.type is EventType.EPHEMERAL_START
        message = ephemeral_message(event)
        hook: Tree = {"resource": _resource_document(event.address), "Msg": message}
        kind = "ephemeral_action_started" if is_start else "ephemeral_action_complete"
        self._line(f"{event.address}: {message}", kind, {"hook": hook})

    def planned(self, plan: Plan) -> None:
        """Write what a plan found and decided. Objects without changes are omitted, unless they are moved or
        imported."""
        for change in shown_drift(plan):
            shown = _change_document(change)
            self._line(f"{change.address}: Drift detected ({shown['action']})", "resource_drift", {"change": shown})
        for change in plan.changes.in_order():
            if change.action is not Action.NO_OP or change_word(change) != "noop":
                self._planned_change(change)
        self.applied_counts = unannounced_counts(plan)
        self._summary("plan", planned_counts(plan))
        outputs = [change for change in plan.changes.outputs.values() if not change.module.steps]
        if outputs:
            self._outputs({change.name: _planned_output(change) for change in outputs})

    def planned_again(self, plan: Plan) -> None:
        """Write the beginning of applying a saved plan: only the changes that will be carried out."""
        for change in plan.changes.in_order():
            if change.action is not Action.NO_OP:
                self._planned_change(change)
        self.applied_counts = unannounced_counts(plan)

    def diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            is_error = diagnostic.severity is Severity.ERROR
            message = f"{'Error' if is_error else 'Warning'}: {diagnostic.summary}"
            shown = _tree(diagnostic_to_json(diagnostic))
            self._line(message, "diagnostic", {"diagnostic": shown}, level="error" if is_error else "warn")

    def applied(self, outputs: Mapping[str, OutputState], *, destroying: bool = False) -> None:
        """Write the end of a successful apply. `destroying` is set for the destroy command, which shows no outputs."""
        self._summary("destroy" if destroying else "apply", self.applied_counts)
        if not destroying:
            self._outputs({name: _applied_output(output) for name, output in outputs.items()})

    def _planned_change(self, change: ResourceChange) -> None:
        if not _is_hidden(change):
            shown = _change_document(change)
            self._line(f"{change.address}: Plan to {shown['action']}", "planned_change", {"change": shown})

    def _summary(self, operation: str, counts: ChangeCounts) -> None:
        tree: dict[str, Tree] = {
            "add": JsonNumber(str(counts.add)),
            "change": JsonNumber(str(counts.change)),
            "import": JsonNumber(str(counts.imported)),
            "remove": JsonNumber(str(counts.remove)),
        }
        if self.flavour.summary_counts_forgotten:
            tree["forget"] = JsonNumber(str(counts.forget))
        tree["operation"] = operation
        message = summary_text(operation, counts, self.flavour)
        self._line(message, "change_summary", {"changes": tree})

    def _outputs(self, outputs: Mapping[str, Tree]) -> None:
        shown: Tree = {name: outputs[name] for name in sorted(outputs)}
        self._line(f"Outputs: {len(outputs)}", "outputs", {"outputs": shown})

    def _line(self, message: str, kind: str, content: Mapping[str, Tree], level: str = "info") -> None:
        now = self.world.now().astimezone(UTC)
        fields: dict[str, Tree] = {
            "@level": level,
            "@message": message,
            "@module": f"{self.flavour.command}.ui",
            "@timestamp": now.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "type": kind,
            **content,
        }
        ordered: Tree = {name: fields[name] for name in sorted(fields)}
        self.write(dumps(ordered, escape_html=self.flavour.events_escape_html) + "\n")


def summary_text(operation: str, counts: ChangeCounts, flavour: Flavour = TERRAFORM_1_11) -> str:
    """Return the last line of a run, which is also shown to people."""
    show_forgotten = flavour.summary_counts_forgotten and counts.forget
    if operation == "plan":
        imported = f"{counts.imported} to import, " if counts.imported else ""
        forgotten = f", {counts.forget} to forget" if show_forgotten else ""
        return f"Plan: {imported}{counts.add} to add, {counts.change} to change, {counts.remove} to destroy{forgotten}."
    if operation == "destroy":
        return f"Destroy complete! Resources: {counts.remove} destroyed."
    forgotten = f", {counts.forget} forgotten" if show_forgotten else ""
    imported = f"{counts.imported} imported, " if counts.imported else ""
    return (
        f"Apply complete! Resources: {imported}{counts.add} added, {counts.change} changed, "
        f"{counts.remove} destroyed{forgotten}."
    )


def _tree(value: Any) -> Tree:
    """Convert plain Python values, whose numbers are integers, to a JSON tree."""
    match value:
        case dict():
            return {name: _tree(part) for name, part in value.items()}
        case list():
            return [_tree(part) for part in value]
        case bool() | None | str() | JsonNumber():
            return value
    return JsonNumber(str(value))


# Objects and changes


def _resource_document(address: AbsResourceInstance) -> Tree:
    return {
        "addr": str(address),
        "module": str(address.module),
        "resource": f"{address.resource}{key_text(address.key)}",
        "implied_provider": address.resource.type.split("_", maxsplit=1)[0],
        "resource_type": address.resource.type,
        "resource_name": address.resource.name,
        "resource_key": key_to_json(address.key),
    }


_CHANGE_WORDS: Final = {Action.FORGET: "remove", Action.NO_OP: "noop", Action.FORGET_THEN_CREATE: "noop"}
"""The actions whose words are not their own. The original has no word for forgetting and creating."""
_REASON_WORDS: Final = {
    ActionReason.REPLACE_TAINTED: "tainted",
    ActionReason.REPLACE_BY_REQUEST: "requested",
    ActionReason.REPLACE_BY_TRIGGERS: "replace_triggered_by",
    ActionReason.REPLACE_CANNOT_UPDATE: "cannot_update",
}


def change_word(change: ResourceChange) -> str:
    if change.action is Action.NO_OP and change.previous_address != change.address:
        return "move"
    if change.action is Action.NO_OP and change.importing is not None:
        return "import"
    if change.action.is_replace:
        return "replace"
    return _CHANGE_WORDS.get(change.action, change.action.value)


def _change_document(change: ResourceChange) -> dict[str, Tree]:
    tree: dict[str, Tree] = {"resource": _resource_document(change.address)}
    if change.previous_address != change.address:
        tree["previous_resource"] = _resource_document(change.previous_address)
    tree["action"] = change_word(change)
    if change.reason is not ActionReason.NONE:
        tree["reason"] = _REASON_WORDS.get(change.reason, change.reason.value)
    if change.importing is not None:
        tree["importing"] = importing_document(change.importing)
    return tree


def _planned_output(change: OutputChange) -> Tree:
    """Return only the action; the values are in the plan itself."""
    word = "replace" if change.action.is_replace else _CHANGE_WORDS.get(change.action, change.action.value)
    return {"sensitive": change.sensitive, "action": word}


def _applied_output(output: OutputState) -> Tree:
    value = output.value.unmark_deep()[0]
    tree: dict[str, Tree] = {"sensitive": output.sensitive}
    if output.deprecated:
        tree["deprecated"] = output.deprecated
    tree["type"] = type_to_json(value.type)
    if not output.sensitive:
        tree["value"] = value_to_json(value)
    return tree


# Events


@record
class _Words:
    start: str
    progress: str
    noun: str


_APPLY_WORDS: Final = {
    Action.CREATE: _Words("Creating", "creating", "Creation"),
    Action.UPDATE: _Words("Modifying", "modifying", "Modifications"),
    Action.DELETE: _Words("Destroying", "destroying", "Destruction"),
    Action.READ: _Words("Refreshing", "refreshing", "Refresh"),
    Action.OPEN: _Words("Opening", "opening", "Opening"),
    Action.RENEW: _Words("Renewing", "renewing", "Renewal"),
    Action.CLOSE: _Words("Closing", "closing", "Closing"),
}
_NO_WORDS: Final = _Words("", "", "")


def _event_message(event: Event) -> str:
    address = event.address
    words = _NO_WORDS if event.action is None else _APPLY_WORDS.get(event.action, _NO_WORDS)
    identifier = f" [{event.identifier_key}={event.identifier}]" if _shown_identifier(event) else ""
    duration = _duration_text(event.elapsed_s)
    match event.type:
        case EventType.IMPORT_START:
            return f"{address}: Preparing import...{identifier}"
        case EventType.REFRESH_START:
            return f"{address}: Refreshing state...{identifier}"
        case EventType.REFRESH_COMPLETE:
            return f"{address}: Refresh complete{identifier}"
        case EventType.PROVISION_START:
            return f"{address}: Provisioning with '{event.provisioner}'..."
        case EventType.PROVISION_PROGRESS:
            return f"{address}: ({event.provisioner}): {event.output}"
        case EventType.PROVISION_COMPLETE:
            return f"{address}: ({event.provisioner}) Provisioning complete"
        case EventType.PROVISION_ERRORED:
            return f"{address}: ({event.provisioner}) Provisioning errored"
        case EventType.APPLY_START | EventType.EPHEMERAL_START:
            return f"{address}: {words.start}...{identifier}"
        case EventType.APPLY_PROGRESS:
            return f"{address}: Still {words.progress}... [{duration} elapsed]"
        case EventType.APPLY_COMPLETE | EventType.EPHEMERAL_COMPLETE:
            return f"{address}: {words.noun} complete after {duration}{identifier}"
        case EventType.APPLY_ERRORED | EventType.EPHEMERAL_ERRORED:
            return f"{address}: {words.noun} errored after {duration}"


def ephemeral_message(event: Event) -> str:
    """Return the words for an event of an ephemeral resource where they do not depend on its success."""
    assert event.action is not None
    if event.type is EventType.EPHEMERAL_START:
        return f"{_APPLY_WORDS[event.action].start}..."
    return f"{event.action.value.capitalize()} complete"


def _shown_identifier(event: Event) -> str | None:
    """Return the identifier to show: none for deleted objects, nor for failures and progress reports."""
    is_gone = event.type is EventType.APPLY_COMPLETE and event.action is Action.DELETE
    is_omitted = event.type in (EventType.APPLY_ERRORED, EventType.APPLY_PROGRESS)
    return None if is_gone or is_omitted else event.identifier


def _duration_text(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    if hours:
        return f"{hours}h{minutes}m{left}s"
    return f"{minutes}m{left}s" if minutes else f"{left}s"


_TIMED: Final = (
    EventType.APPLY_PROGRESS,
    EventType.APPLY_COMPLETE,
    EventType.APPLY_ERRORED,
    EventType.EPHEMERAL_COMPLETE,
    EventType.EPHEMERAL_ERRORED,
)


def _hook_document(event: Event) -> Tree:
    tree: dict[str, Tree] = {"resource": _resource_document(event.address)}
    if event.provisioner is not None:
        tree["provisioner"] = event.provisioner
        if event.output is not None:
            tree["output"] = event.output
        return tree
    if event.action is not None:
        tree["action"] = event.action.value
    identifier = _shown_identifier(event)
    if identifier is not None:
        tree["id_key"] = event.identifier_key
        tree["id_value"] = identifier
    if event.type in _TIMED:
        tree["elapsed_seconds"] = JsonNumber(str(event.elapsed_s))
    return tree
