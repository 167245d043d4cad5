"""Renewal of open ephemeral objects, in the background, for as long as they are open.

A provider decides when it is called again. Nothing waits for a renewal or learns its result: one that fails is not
retried, and its diagnostics are lost, as in the original. Closing waits for a renewal in progress, and gets the private
data of the opening, whatever renewals have returned.
"""

from __future__ import annotations

from contextvars import copy_context
from datetime import datetime

from shared_nodes import tasks
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.plan.change import Action
from shared_nodes.plan.events import Event, EventSink, EventType
from shared_nodes.providers.contract import Provider
from shared_nodes.world import World

__all__ = ["Renewal"]


class Renewal:
    """The renewal of one open object. Its task belongs to no nursery, because no part of a walk may wait for it.
    Closing the object ends it; so does the end of the run."""

    __slots__ = ("_address", "_ask", "_at", "_calling", "_events", "_failure", "_private", "_scope", "_world")

    def __init__(self, world: World, events: EventSink, address: AbsResourceInstance, provider: Provider) -> None:
        self._world, self._events = world, events
        self._address, self._ask = address, provider.renew_ephemeral
        self._private = b""
        self._at: datetime | None = None
        self._scope = tasks.cancel_scope()
        self._calling = tasks.Lock()
        self._failure: Exception | None = None

    def begin(self, private: bytes, at: datetime) -> None:
        """Start the task, in the context variables of the caller, as if it were the caller's own task."""
        self._private, self._at = private, at
        tasks.spawn_system_task(self._renew_until_closed, context=copy_context())

    async def end(self) -> None:
        """End the task. An exception of a crashed provider is raised here, because no other caller could receive it."""
        async with self._calling:
            self._scope.cancel()
        if self._failure is not None:
            raise self._failure

    async def _renew_until_closed(self) -> None:
        with self._scope:
            while self._at is not None:
                await self._world.wait(max((self._at - self._world.now()).total_seconds(), 0))
                async with self._calling:
                    self._at = None if self._events.stopping else await self._renew()

    async def _renew(self) -> datetime | None:
        self._emit(EventType.EPHEMERAL_START)
        try:
            answer = await self._ask(self._address.resource.type, self._private)
        except Exception as failure:  # any exception: raised again when the object is closed
            self._failure = failure
            return None
        is_refused = has_errors(answer.problems)
        self._emit(EventType.EPHEMERAL_ERRORED if is_refused else EventType.EPHEMERAL_COMPLETE)
        self._private = answer.private
        return None if is_refused else answer.renew_at

    def _emit(self, kind: EventType) -> None:
        self._events.emit(Event(kind, self._address, Action.RENEW))
