"""Renewing: what is open and runs out is renewed behind everybody's back, for as long as it is open.

A provider says when it wants to be asked again. Nothing waits for that, and nothing hears of it: a renewal that fails
is not tried again, and what the provider has to say about it is lost, as in the original. Closing waits for a renewal
under way, and is given the private data of the opening, whatever renewals answered.
"""

from __future__ import annotations

from contextvars import copy_context
from datetime import datetime

import trio

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.plan.change import Action
from shared_nodes.plan.events import Event, EventSink, EventType
from shared_nodes.providers.contract import Provider
from shared_nodes.world import World

__all__ = ["Renewal"]


class Renewal:
    """Of one open object. It belongs to no nursery, because nothing of a walk may wait for it: whoever closes the
    object ends it, and the end of the run ends it where nobody does."""

    __slots__ = ("_address", "_ask", "_at", "_calling", "_events", "_failure", "_private", "_scope", "_world")

    def __init__(self, world: World, events: EventSink, address: AbsResourceInstance, provider: Provider) -> None:
        self._world, self._events = world, events
        self._address, self._ask = address, provider.renew_ephemeral
        self._private = b""
        self._at: datetime | None = None
        self._scope = trio.CancelScope()
        self._calling = trio.Lock()
        self._failure: Exception | None = None

    def begin(self, private: bytes, at: datetime) -> None:
        """In the context of whoever opened it, as if it were one of their tasks."""
        self._private, self._at = private, at
        trio.lowlevel.spawn_system_task(self._keep_on, context=copy_context())

    async def end(self) -> None:
        """Raises what a crashing provider raised: there is nobody else to tell."""
        async with self._calling:
            self._scope.cancel()
        if self._failure is not None:
            raise self._failure

    async def _keep_on(self) -> None:
        with self._scope:
            while self._at is not None:
                await self._world.wait(max((self._at - self._world.now()).total_seconds(), 0))
                async with self._calling:
                    self._at = None if self._events.stopping else await self._renewed()

    async def _renewed(self) -> datetime | None:
        self._tell(EventType.EPHEMERAL_START)
        try:
            answer = await self._ask(self._address.resource.type, self._private)
        except Exception as failure:  # whatever it is: handed on to whoever closes the object
            self._failure = failure
            return None
        is_refused = has_errors(answer.problems)
        self._tell(EventType.EPHEMERAL_ERRORED if is_refused else EventType.EPHEMERAL_COMPLETE)
        self._private = answer.private
        return None if is_refused else answer.renew_at

    def _tell(self, kind: EventType) -> None:
        self._events.emit(Event(kind, self._address, Action.RENEW))
