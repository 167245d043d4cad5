"""Ephemeral objects that expire: renewed in time, in the background, and never after they were closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trio

from harness.simulation.simcloud.time import VirtualTime
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.context.renewal import Renewal
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.plan.change import Action
from shared_nodes.plan.events import Event, EventSink, EventType
from shared_nodes.providers.builtin import BuiltinProvider
from shared_nodes.providers.contract import RenewedEphemeral
from shared_nodes.world import World

TOKEN = AbsResource(ROOT_INSTANCE, Resource(ResourceMode.EPHEMERAL, "x_token", "t")).instance(None)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
TEN = timedelta(seconds=10)


class Landlord(BuiltinProvider):
    """Each renewal is valid for another ten seconds, unless a test supplies other answers, one per renewal."""

    def __init__(self, world: World, answers: Sequence[Sequence[Diagnostic] | Exception | None] = ()) -> None:
        super().__init__(world)
        self.answers = list(answers)
        self.asked: list[bytes] = []

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        assert type_name == TOKEN.resource.type
        self.asked.append(private)
        answer = self.answers.pop(0) if self.answers else ()
        if isinstance(answer, Exception):
            raise answer
        return RenewedEphemeral(b"lease %d" % len(self.asked), None if answer is None else NOW + TEN, answer or ())


class Lease:
    """A renewal in a world whose time passes only while a task sleeps."""

    def __init__(self, directory: Path) -> None:
        self.time = VirtualTime()
        self.world = replace(World.confined(directory, 0, NOW), wait=self.time.sleep_in_background)
        self.events: list[Event] = []
        self.sink = EventSink(self.events.append)
        self.provider = Landlord(self.world)

    def last(self, *seconds: float) -> None:
        """Keep the object open for this long, in several pieces."""

        async def work() -> None:
            renewal = Renewal(self.world, self.sink, TOKEN, self.provider)
            renewal.begin(b"lease 0", NOW + TEN)
            for piece in seconds:
                await self.time.sleep(piece)
            await renewal.end()
            await self.time.sleep(1000)

        trio.run(work)


@pytest.fixture
def lease(tmp_path: Path) -> Lease:
    return Lease(tmp_path)


@pytest.mark.parametrize(("seconds", "renewed"), [([5], 0), ([10], 0), ([11], 1), ([7, 7, 7, 7], 2), ([100], 9)])
def test_renewed_as_often_as_time_passes_and_not_once_closed(lease: Lease, seconds: list[float], renewed: int) -> None:
    lease.last(*seconds)
    assert lease.provider.asked == [b"lease %d" % number for number in range(renewed)]
    emitted = [(event.type, event.action) for event in lease.events]
    pair = [(EventType.EPHEMERAL_START, Action.RENEW), (EventType.EPHEMERAL_COMPLETE, Action.RENEW)]
    assert emitted == pair * renewed


def test_a_refused_renewal_is_the_last_and_nobody_is_told(lease: Lease) -> None:
    lease.provider.answers = [[warning("soon over")], [error("refused")]]
    lease.last(100)
    assert len(lease.provider.asked) == 2
    assert lease.events[-1].type is EventType.EPHEMERAL_ERRORED


def test_what_needs_no_more_renewals_gets_none(lease: Lease) -> None:
    lease.provider.answers = [None]
    lease.last(100)
    assert len(lease.provider.asked) == 1


def test_a_stopped_run_renews_nothing(lease: Lease) -> None:
    lease.sink.stop()
    lease.last(100)
    assert lease.provider.asked == []


def test_a_crash_is_raised_where_the_object_is_closed(lease: Lease) -> None:
    lease.provider.answers = [ZeroDivisionError("in the provider")]
    with pytest.raises(ZeroDivisionError, match="in the provider"):
        lease.last(100)


def test_nothing_makes_time_pass_for_a_renewal_alone(lease: Lease) -> None:
    """A task that waits for something real, such as a process, must not find that days have passed."""

    async def work() -> None:
        Renewal(lease.world, lease.sink, TOKEN, lease.provider).begin(b"", NOW + TEN)
        await trio.sleep(0.02)

    trio.run(work)
    assert lease.provider.asked == []
    assert lease.time.now == 0
