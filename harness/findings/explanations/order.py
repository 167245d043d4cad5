"""Explains orders that only one engine forces, and effects that only one has: on what, because of which reference, and
whether this run shows it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from harness.compare.effect_order import (
    CYCLE,
    Constraints,
    Effect,
    Pair,
    constraints_of,
    effect_text,
    missing_shape,
    pair_text,
    surplus_shape,
)
from harness.findings.explanations.context import SHOWN, FindingContext, Observation, Side
from harness.findings.explanations.references import mentions
from harness.observe.apply_graph import waiting_path
from harness.observe.execution_graph import RealExecutionGraph, parse_execution_graph
from harness.observe.execution_order import effect_of
from harness.observe.json_trees import as_items, as_objects, as_texts
from shared_nodes.addresses.resource import ConfigResource
from shared_nodes.plan.order import Effect as PlannedEffect
from shared_nodes.state.stored_addresses import AddressError, parse_instance
from shared_nodes.values.json import Tree

__all__ = ["explain_order"]


def explain_order(context: FindingContext) -> Iterator[str]:
    """Explain the pairs of the finding's own shape, or its cycle."""
    wanted, actual = (constraints_of(side.observation) for side in (context.expected, context.got))
    assert wanted is not None
    assert actual is not None
    shape = context.finding.signature.shape
    if shape == CYCLE:
        yield from _cyclic(context.expected, context.got, wanted.cycles, actual.cycles)
        return
    yield from _alone(context.expected, context.got, wanted.effects - actual.effects)
    yield from _alone(context.got, context.expected, actual.effects - wanted.effects)
    common = wanted.effects & actual.effects
    wanted, actual = wanted.among(common), actual.among(common)
    uses = wanted.uses or actual.uses
    missing = [pair for pair in wanted.surplus(actual) if missing_shape(pair, actual, uses) == shape]
    reverses = {(second, first) for first, second in missing}
    surplus = [pair for pair in actual.surplus(wanted) if pair in reverses or surplus_shape(pair, uses) == shape]
    plans_agree = not any(other.field.startswith("plan") for other in context.others)
    if plans_agree and (missing or surplus):
        yield "Both planned the same, and then made different orders of it."
    yield from _one_sided(context, missing, context.expected, context.got, actual)
    yield from _one_sided(context, surplus, context.got, context.expected, wanted)


def _one_sided(
    context: FindingContext, pairs: Sequence[Pair], having: Side, lacking: Side, those: Constraints
) -> Iterator[str]:
    for pair in pairs[: SHOWN // 2]:
        yield from _forced(context, pair, having, lacking, is_reversed=(pair[1], pair[0]) in those.before)
        if pair in those.evaluated:
            yield f"{lacking.name} keeps that order only because evaluating the later one waits for the earlier one."
    if len(pairs) > SHOWN // 2:
        yield f"{having.name} alone forces {len(pairs) - SHOWN // 2} more such orders."


def _cyclic(
    expected: Side, got: Side, wanted: Sequence[Sequence[str]], actual: Sequence[Sequence[str]]
) -> Iterator[str]:
    """Say which operations can never begin. The engine's graph alone does not show it."""
    for side, cycles in ((expected, wanted), (got, actual)):
        for cycle in cycles[:SHOWN]:
            yield (
                f"{side.name} has planned operations that wait for each other without end, once the references of the "
                f"configuration are counted: {' '.join(cycle)} Each waits for the next, and the last for the first."
            )


def _alone(having: Side, lacking: Side, effects: Collection[Effect]) -> Iterator[str]:
    if effects:
        listed = ", ".join(sorted(map(effect_text, effects))[:SHOWN])
        more = f" and {len(effects) - SHOWN} more" if len(effects) > SHOWN else ""
        yield f"{having.name} means to do what {lacking.name} does not: {listed}{more}."


def _forced(context: FindingContext, pair: Pair, having: Side, lacking: Side, *, is_reversed: bool) -> Iterator[str]:
    otherwise = "has it the other way round" if is_reversed else "may do them in any order"
    yield f"{having.name} always has {pair_text(pair)}; {lacking.name} {otherwise}."
    yield from _reasons(context, pair, lacking)
    yield from _in_graph(having, pair)
    for side in (having, lacking):
        yield from _as_operations(side, pair)
    if not any(effect[1] in _UNEVENTFUL for effect in pair):
        yield _seen(lacking, pair)


def _reasons(context: FindingContext, pair: Pair, lacking: Side) -> Iterator[str]:
    """Name the dependency between the two, and the rule that orders them because of it. If it is the baseline that has
    no order, the reason of the other engine is not known."""
    first, second = (_address(effect) for effect in pair)
    if first is None or second is None:
        return
    if pair[0][0] == pair[1][0]:
        yield f"Both are halves of what happens to {pair[0][0]}."
        return
    found = [
        (reason, direction)
        for direction, (waiting, dependency) in (("later", (second, first)), ("earlier", (first, second)))
        for reason in _dependency(context, waiting, dependency)
    ]
    for reason, _ in found:
        yield f"{reason}."
    rule = _RULES.get((_kind(pair[0]), _kind(pair[1]), found[0][1])) if found else None
    if rule is not None and lacking is context.got:
        yield f"The rule is that {rule}; {lacking.name} has no such edge."
    elif not found:
        yield f"No chain of references and no recorded dependency leads from one of {first} and {second} to the other."


def _in_graph(side: Side, pair: Pair) -> Iterator[str]:
    """Show the way through the graph that an engine draws."""
    graph, plan = side.observation.get("graph"), side.observation.get("plan")
    if isinstance(graph, str) and isinstance(plan, dict):
        path = waiting_path(graph, plan, PlannedEffect(*pair[0]), PlannedEffect(*pair[1]))
        if path:
            yield f"In its graph {path[0]} waits for {', that for '.join(path[1:])}."


def _as_operations(side: Side, pair: Pair) -> Iterator[str]:
    """Show what an execution graph has for both effects, in the notation of its engine."""
    text = side.observation.get("execution_graph")
    graph = parse_execution_graph(text) if isinstance(text, str) else None
    if isinstance(graph, RealExecutionGraph):
        operations = {effect_of(graph, number): operation for number, operation in graph.operations.items()}
        found = [operations.get(PlannedEffect(*effect)) for effect in pair]
        if all(found):
            yield f"{side.name} plans them as {' and '.join(str(each).removesuffix(';') for each in found)}."


_UNEVENTFUL: Final = ("forget", "no-op")
"""Verbs without events."""

_RULES: Final = {
    ("apply", "apply", "later"): "whoever refers to something comes after it",
    ("remove", "remove", "earlier"): "nothing goes before what depends on it",
    ("remove", "apply", "earlier"): "nothing is changed before what depends on it and is to go has gone",
    ("remove", "apply", "later"): "whoever depends on something is brought up to date when that is settled",
    ("apply", "remove", "later"): "what is replaced by creating first goes when all else is up to date",
    ("apply", "remove", "earlier"): "what is replaced by creating first goes when all that used it is up to date",
}
"""By the first effect, the second, and which of the two depends on the other."""


def _kind(effect: Effect) -> str:
    return "remove" if effect[1] in ("delete", "forget") else "apply"


def _dependency(context: FindingContext, waiting: ConfigResource, dependency: ConfigResource) -> Iterator[str]:
    config = context.configuration()
    chain = None if config is None else mentions(config, waiting, dependency)
    if chain:
        yield f"{waiting} depends on {dependency} because of the reference {', then '.join(map(str, chain))}"
    if str(dependency) in _recorded(context.state_before, waiting):
        yield f"The state before this step has recorded that {waiting} depends on {dependency}"


def _recorded(state: Observation, resource: ConfigResource) -> frozenset[str]:
    found: set[str] = set()
    for entry in as_objects(state.get("resources")):
        name = f"{'data.' if entry['mode'] == 'data' else ''}{entry['type']}.{entry['name']}"
        if name == str(resource.resource) and _module(entry) == str(resource.module):
            for instance in as_objects(entry["instances"]):
                found.update(as_texts(instance.get("dependencies")))
    return frozenset(found)


def _module(entry: Mapping[str, Tree]) -> str:
    """Return the module without instance keys, as in a configuration."""
    module = str(entry.get("module", ""))
    name = f"{module}." if module else ""
    try:
        return str(parse_instance(f"{name}{entry['type']}.{entry['name']}").module.path)
    except AddressError:
        return module


def _address(effect: Effect) -> ConfigResource | None:
    """Return None if the address contains a normalised name, and so cannot be parsed."""
    try:
        return parse_instance(effect[0]).config
    except AddressError:
        return None


def _seen(side: Side, pair: Pair) -> str:
    """Say whether this run shows the difference."""
    events = [as_items(event) for event in as_items(side.observation.get("events"))]
    ended = _position(events, pair[0], ("apply_complete", "apply_errored"))
    begun = _position(events, pair[1], ("apply_start",))
    if ended is None or begun is None:
        return f"In this run {side.name} did not come to do both."
    if begun < ended:
        return (
            f"In this run {side.name} began {effect_text(pair[1])} (event {begun + 1}) before it had ended "
            f"{effect_text(pair[0])} (event {ended + 1})."
        )
    return f"In this run {side.name} happened to keep that order: only another schedule would show it in the events."


def _position(events: Sequence[Sequence[Tree]], effect: Effect, types: Sequence[str]) -> int | None:
    for number, (kind, address, action, *_) in enumerate(events):
        if kind in types and address == effect[0] and action == effect[1]:
            return number
    return None
