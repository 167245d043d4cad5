"""Events: what happens while an operation runs, reported as it happens.

Nodes emit events to an `EventSink`; sinks write the published event stream, show progress to a person, or keep a list
for comparison. An event is plain data: `event_stream.py` builds its published form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import StrEnum
from typing import Any, Final

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.plan.change import Action
from shared_nodes.plan.order import EffectOrder
from shared_nodes.record import record
from shared_nodes.state.model import State

__all__ = ["HALTED", "Event", "EventSink", "EventType"]

HALTED: Final = "execution halted"
"""The summary of the error by which a node says that it was stopped."""


class EventType(StrEnum):
    REFRESH_START = "refresh_start"
    REFRESH_COMPLETE = "refresh_complete"
    APPLY_START = "apply_start"
    APPLY_PROGRESS = "apply_progress"
    """A reminder every ten seconds that something is still in progress."""
    APPLY_COMPLETE = "apply_complete"
    APPLY_ERRORED = "apply_errored"
    PROVISION_START = "provision_start"
    PROVISION_PROGRESS = "provision_progress"
    PROVISION_COMPLETE = "provision_complete"
    PROVISION_ERRORED = "provision_errored"
    EPHEMERAL_START = "ephemeral_op_start"
    EPHEMERAL_COMPLETE = "ephemeral_op_complete"
    EPHEMERAL_ERRORED = "ephemeral_op_errored"
    IMPORT_START = "import_start"
    """Shown to people only: the published stream has no such event."""

    @property
    def is_ephemeral(self) -> bool:
        return self in (EventType.EPHEMERAL_START, EventType.EPHEMERAL_COMPLETE, EventType.EPHEMERAL_ERRORED)


@record
class Event:
    """One event. `action` is set for applies, `provisioner` and `output` for provisioners. `identifier` is the value
    that identifies the object to people, if it has one, and `identifier_key` the attribute that holds it."""

    type: EventType
    address: AbsResourceInstance
    action: Action | None = None
    identifier: str | None = None
    deposed: str | None = None
    provisioner: str | None = None
    output: str | None = None
    elapsed_s: int = 0
    identifier_key: str = "id"


@record(frozen=False)
class EventSink:
    """Receives events. An interrupt calls `stop`, and a state that cannot be saved `end_early`: from then on `stopping`
    is true, and no node starts anything new."""

    receive: Callable[[Event], Any] = lambda _event: None
    state_changed: Callable[[], Any] = lambda: None
    """Called after each change of the working state that must not be lost."""
    working: State | None = None
    """The state that an apply changes, set by the engine at the start."""
    ordered: Callable[[EffectOrder], Any] | None = None
    """Called by the engine with the order of effects, before an apply has any effect. If None, the order is not
    computed."""
    stopping: bool = field(default=False)
    _when_stopped: list[Callable[[], None]] = field(default_factory=list)

    def stop(self) -> None:
        """Request a stop. May be called from anywhere, including a signal handler, and so may the registered
        callbacks."""
        self.stopping = True
        while self._when_stopped:
            self._when_stopped.pop(0)()

    def end_early(self) -> None:
        """Let nothing new begin. Unlike after `stop`, what runs is not asked to hurry."""
        self.stopping = True

    def when_state_changes(self, callback: Callable[[], None]) -> None:
        """Make `callback` the one call after each change of the working state that must not be lost."""
        self.state_changed = callback

    def when_stopped(self, callback: Callable[[], None]) -> None:
        """Register a callback for the stop. It is called at once if the stop has already been requested."""
        if self.stopping:
            callback()
        else:
            self._when_stopped.append(callback)

    def emit(self, event: Event) -> None:
        self.receive(event)
