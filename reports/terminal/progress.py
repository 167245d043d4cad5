"""Renders events of an operation, one line per event, in the words known from Terraform."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.flavour import Flavour
from shared_nodes.plan.change import Action
from shared_nodes.plan.event_stream import ephemeral_message
from shared_nodes.plan.events import Event, EventType
from shared_nodes.plan.importing import ImportKey, shown_key

__all__ = ["import_lines", "progress_line"]

_BEGINNING: Final = {
    Action.CREATE: "Creating...",
    Action.UPDATE: "Modifying...",
    Action.DELETE: "Destroying...",
    Action.READ: "Reading...",
    Action.OPEN: "Opening...",
    Action.RENEW: "Renewing...",
    Action.CLOSE: "Closing...",
}
_END: Final = {
    Action.CREATE: "Creation complete",
    Action.UPDATE: "Modifications complete",
    Action.DELETE: "Destruction complete",
    Action.READ: "Read complete",
    Action.OPEN: "Opening complete",
    Action.RENEW: "Renewal complete",
    Action.CLOSE: "Closing complete",
}


def import_lines(address: AbsResourceInstance, key: ImportKey) -> Iterator[str]:
    """Yield the lines about an import, which happens at once when an apply begins."""
    shown = shown_key(key)
    identifier = "" if shown is None else f" [{shown[0]}={shown[1]}]"
    yield f"{address}: Importing...{identifier}"
    yield f"{address}: Import complete{identifier}"


def progress_line(event: Event, flavour: Flavour) -> str | None:
    """Render an event, or return None if it is not shown: ends of refreshing, and failures, which are reported as
    errors.

    The end of an operation on a deposed object does not mention that it was deposed.
    """
    if event.type.is_ephemeral and flavour.ephemeral_events_hide_failure:
        is_start = event.type is EventType.EPHEMERAL_START
        return f"{event.address}: {ephemeral_message(event)}{'' if is_start else f' after {event.elapsed_s}s'}"
    where = str(event.address)
    if event.deposed is not None:
        where += f" (deposed object {event.deposed})"
    identifier = f" [{event.identifier_key}={event.identifier}]" if event.identifier is not None else ""
    match event.type:
        case EventType.IMPORT_START:
            return f"{where}: Preparing import...{identifier}"
        case EventType.REFRESH_START:
            return f"{where}: Refreshing state...{identifier}"
        case EventType.APPLY_START | EventType.EPHEMERAL_START if event.action in _BEGINNING:
            return f"{where}: {_BEGINNING[event.action]}{identifier}"
        case EventType.APPLY_COMPLETE | EventType.EPHEMERAL_COMPLETE if event.action in _END:
            shown = "" if event.action is Action.DELETE else identifier
            return f"{event.address}: {_END[event.action]} after {event.elapsed_s}s{shown}"
        case EventType.PROVISION_START:
            return f"{where}: Provisioning with '{event.provisioner}'..."
        case EventType.PROVISION_PROGRESS:
            return f"{where} ({event.provisioner}): {event.output}"
    return None
