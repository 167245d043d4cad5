"""Both engines guarantee the same order of side effects for all combinations of changes to dependent objects.

There are two generated tables: every pair of changes to an object and to its dependent, where the dependency is in the
configuration, in the state, in both, or reversed; and chains of three, through which create_before_destroy propagates.
test_order_stories.py has hand-written stories with more blocks. The guaranteed orders are compared, which no number of
runs could show; separate runs show that the engines keep to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
import trio

from harness.engines.registry import Engine
from harness.engines.scheduling import interleaved, run_deterministically
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.operations.engine import EngineRequest
from shared_nodes.plan.events import Event, EventSink, EventType
from shared_nodes.plan.options import Options
from shared_nodes.processes import Command, RecordedProcesses
from shared_nodes.providers.builtin import BuiltinProvider
from shared_nodes.providers.contract import ApplyRequest, ApplyResponse, Provider
from shared_nodes.state.model import ObjectStatus, State
from shared_nodes.world import World
from tests.conformance.orders import Order, legacy_order, new_order
from tests.conformance.pair_rows import CHAINED, DEPENDENCIES, SITUATIONS, Row, Situation, chains, pairs, text
from tests.unit.new_engine.operating import ENGINES, Place

_DEPOSED: Final = "0badcafe"


class Table:
    """Rows in a directory of their own, with the state after applying the first version of all of them."""

    def __init__(self, directory: Path, flavour: Flavour = TERRAFORM_1_11) -> None:
        self.place = Place(directory)
        self.place.world = replace(self.place.world, processes=RecordedProcesses())
        self.flavour = flavour
        self.compared = 0
        """The number of rows that had an order to compare, instead of a cycle."""

    def prior_state(self, rows: Sequence[Row]) -> State:
        self.place.state = State()
        self.place.write(text(rows, is_after=False))
        assert self.place.apply(ENGINES["legacy"]).ok
        found = {name: situation for row in rows for name, situation in row.objects.items()}
        _found_as(self.place.state, found)
        return self.place.state

    def request(self, rows: Sequence[Row], prior: State) -> EngineRequest:
        """Return a request for the second version of some of the rows that the prior state contains."""
        names = {name for row in rows for name in row.objects}
        resources = {each: record for each, record in prior.resources.items() if each.resource.name in names}
        self.place.state = State(resources).copy()
        self.place.write(text(rows, is_after=True))
        request, problems = self.place.request(Options())
        assert request is not None, problems
        return replace(request, flavour=self.flavour)

    def differences(self, rows: Sequence[Row], prior: State) -> list[str]:
        """Compare the orders of the rows. A cycle hides the order of all rows, so its members are compared, and then
        the other rows without it."""
        if not rows:
            return []
        orders = _orders(self.request(rows, prior))
        found = [] if orders[0] == orders[1] else [_describe_difference(*orders)]
        if not orders[0].problems:
            self.compared += len(rows)
            return found
        return found + self.differences(_acyclic(rows, orders[0]), prior)


def _acyclic(rows: Sequence[Row], order: Order) -> list[Row]:
    """Return the rows without an object in a cycle. Any other problem is a mistake in the table, because the engines
    would then have no order to agree on."""
    assert all(problem.startswith("Cycle: ") for problem in order.problems), order.problems
    named = " ".join(order.problems)
    rest = [row for row in rows if not any(f"terraform_data.{name}" in named for name in row.objects)]
    assert len(rest) < len(rows) or not order.problems, order.problems
    return rest


def _found_as(state: State, situations: dict[str, Situation]) -> None:
    for address, instance in list(state.instances()):
        situation, provider = situations[address.resource.name], state.provider_of(address)
        assert instance.current is not None
        assert provider is not None
        if situation.deposed:
            state.put_deposed(address, _DEPOSED, provider, instance.current)
        if situation.tainted:
            state.put(address, provider, replace(instance.current, status=ObjectStatus.TAINTED))


def _orders(request: EngineRequest) -> tuple[Order, Order]:
    return trio.run(legacy_order, request), trio.run(new_order, request)


def _describe_difference(legacy: Order, new: Order) -> str:
    parts = {
        "only legacy orders": legacy.before - new.before,
        "only new orders": new.before - legacy.before,
        "only in legacy": legacy.legs - new.legs,
        "only in new": new.legs - legacy.legs,
        "only legacy says": set(legacy.problems) - set(new.problems),
        "only new says": set(new.problems) - set(legacy.problems),
    }
    return "; ".join(f"{what} {sorted(found, key=str)}" for what, found in parts.items() if found)


# The tables


@pytest.mark.parametrize("first", SITUATIONS)
def test_pairs_are_ordered_alike(first: str, tmp_path: Path) -> None:
    table = Table(tmp_path)
    assert _differing_pairs(table, first) == []


@pytest.mark.parametrize("first", ["forget", "forget_cbd", "deposed_forget", "replace_cbd", "no_op_gains_cbd"])
def test_pairs_are_ordered_alike_where_opentofu_orders_otherwise(first: str, tmp_path: Path) -> None:
    table = Table(tmp_path, OPENTOFU_1_12)
    assert _differing_pairs(table, first) == []


def _differing_pairs(table: Table, first: str) -> list[str]:
    """Return the differences. Dependencies with the same first version share its state."""
    found = []
    for before in (True, None):
        names = [name for name, dependency in DEPENDENCIES.items() if dependency.before is before]
        several = [pairs(name, first) for name in names]
        every = {row.kinds: row for rows in several for row in rows}
        prior = table.prior_state(list(every.values()))
        for rows in several:
            found += table.differences(rows, prior)
    assert table.compared > sum(len(pairs(name, first)) for name in DEPENDENCIES) / 2
    return found


@pytest.mark.parametrize("first", CHAINED)
def test_chains_are_ordered_alike(first: str, tmp_path: Path) -> None:
    table, rows = Table(tmp_path), chains(first)
    assert table.differences(rows, table.prior_state(rows)) == []
    assert table.compared > len(rows) / 2


def test_tables_are_whole() -> None:
    """Detect a situation that makes most rows impossible and so empties the table."""
    assert sum(len(pairs(name, first)) for name in DEPENDENCIES for first in SITUATIONS) == 2555
    assert sum(len(chains(first)) for first in CHAINED) == 343


def test_every_kind_of_leg_is_in_the_table(tmp_path: Path) -> None:
    table = Table(tmp_path)
    rows = [row for first in SITUATIONS for row in pairs("none", first)]
    legacy, new = _orders(table.request(rows, table.prior_state(rows)))
    verbs = {"", "(destroy)", "(forget)", "(destroy deposed NEW)", f"(destroy deposed {_DEPOSED})"}
    assert legacy.kinds == new.kinds == verbs | {f"(forget deposed {_DEPOSED})"}


# Runs


class Log:
    """The events, provider calls and provisioners of one apply, in chronological order."""

    def __init__(self) -> None:
        self.open: set[str] = set()
        self.spans: dict[str, tuple[int, int]] = {}
        self.calls: list[str] = []
        self._time = 0

    def event(self, event: Event) -> None:
        self._time += 1
        leg = _leg(event)
        if event.type is EventType.APPLY_START:
            self.open.add(leg)
            self.spans[leg] = (self._time, 0)
        elif event.type is EventType.APPLY_COMPLETE:
            self.open.remove(leg)
            self.spans[leg] = (self.spans[leg][0], self._time)

    def call(self, what: str, owner: str) -> None:
        """Record a call. It must occur while a leg of this object, or of its resource, is open."""
        self.calls.append(f"{what} {owner}")
        assert any(owner in leg for leg in self.open), f"{what} of {owner} out of order"

    def violations(self, order: Order) -> list[tuple[str, str]]:
        return [
            (one, other)
            for one, other in order.before
            if one in self.spans and other in self.spans and self.spans[one][1] > self.spans[other][0]
        ]


def _leg(event: Event) -> str:
    if str(event.action) != "delete":
        return str(event.address)
    key = "" if event.deposed is None else f" deposed {event.deposed if event.deposed == _DEPOSED else 'NEW'}"
    return f"{event.address} (destroy{key})"


@dataclass(slots=True)
class _Processes(RecordedProcesses):
    log: Log | None = None

    async def run(self, command: Command, on_line: Any) -> int:
        assert self.log is not None
        self.log.call(*command.arguments[-1].split(" "))
        return await RecordedProcesses.run(self, command, on_line)


class _LoggedProvider(BuiltinProvider):
    def __init__(self, world: World, log: Log) -> None:
        super().__init__(world)
        self._log = log

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        self._log.call("apply", request.owner)
        return await super().apply(request)


def _plan_and_apply(engine: Engine, request: EngineRequest, seed: int, parallelism: int) -> tuple[Log, State]:
    log = Log()
    world = replace(request.world, processes=_Processes(log=log))

    def make(_source: ProviderSource) -> Provider:
        return _LoggedProvider(world, log)

    options = replace(request.options, seed=seed, parallelism=parallelism)
    asked = replace(request, world=world, providers=interleaved(make, seed), options=options)
    planned = run_deterministically(seed, engine.plan, asked)
    assert planned.ok
    applying = replace(asked, plan=planned.plan, events=EventSink(log.event))
    result = run_deterministically(seed, engine.apply, applying)
    assert result.ok
    assert not log.open
    return log, result.state


@pytest.mark.parametrize("first", SITUATIONS)
def test_engines_keep_to_the_order_whatever_the_schedule(first: str, tmp_path: Path) -> None:
    """One engine runs one operation at a time and the other ten, alternating per situation, with the same effects."""
    table = Table(tmp_path)
    rows = pairs("in_both_versions", first) or pairs("recorded_only", first) or pairs("configured_only", first)
    prior = table.prior_state(rows)
    rows = _acyclic(rows, trio.run(legacy_order, table.request(rows, prior)))
    request = table.request(rows, prior)
    order = trio.run(legacy_order, request)
    assert order.before
    seed = list(SITUATIONS).index(first)
    runs = [
        _plan_and_apply(ENGINES[name], request, seed, parallelism)
        for name, parallelism in zip(ENGINES, (10, 1) if seed % 2 else (1, 10), strict=True)
    ]
    assert [log.violations(order) for log, _ in runs] == [[], []]
    (legacy, legacy_state), (new, new_state) = runs
    assert sorted(new.calls) == sorted(legacy.calls)
    assert new.spans.keys() == legacy.spans.keys()
    assert _recorded_facts(new_state) == _recorded_facts(legacy_state)


def _recorded_facts(state: State) -> list[tuple[object, ...]]:
    """Return what the state records with each object to order later runs."""
    return [
        (str(address), current.status, current.dependencies, current.create_before_destroy, len(instance.deposed))
        for address, instance in state.instances()
        if (current := instance.current) is not None
    ]
