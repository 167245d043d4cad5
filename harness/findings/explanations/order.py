"""Orders that only one engine forces, and effects that only one has: on what, because of which reference, and whether
this run shows it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from harness.compare.effect_order import Effect, Pair, constraints_of, effect_text, pair_text
from harness.findings.explanations.context import SHOWN, FindingContext, Observation, Side
from harness.findings.explanations.references import mentions
from harness.observe.json_trees import as_items, as_objects, as_texts
from shared_nodes.addresses.resource import ConfigResource
from shared_nodes.state.stored_addresses import AddressError, parse_instance
from shared_nodes.values.json import Tree

__all__ = ["explain_order"]


def explain_order(parting: FindingContext) -> Iterator[str]:
    wanted, actual = (constraints_of(side.observation) for side in (parting.expected, parting.got))
    assert wanted is not None
    assert actual is not None
    yield from _alone(parting.expected, parting.got, wanted.effects - actual.effects)
    yield from _alone(parting.got, parting.expected, actual.effects - wanted.effects)
    common = wanted.effects & actual.effects
    wanted, actual = wanted.among(common), actual.among(common)
    sides = ((parting.expected, parting.got, wanted, actual), (parting.got, parting.expected, actual, wanted))
    plans_agree = not any(other.field.startswith("plan") for other in parting.others)
    if plans_agree and (wanted.surplus(actual) or actual.surplus(wanted)):
        yield "Both planned the same, and then made different orders of it."
    for having, lacking, these, those in sides:
        pairs = these.surplus(those)
        for pair in pairs[: SHOWN // 2]:
            yield from _forced(parting, pair, having, lacking, is_reversed=(pair[1], pair[0]) in those.before)
        if len(pairs) > SHOWN // 2:
            yield f"{having.name} alone forces {len(pairs) - SHOWN // 2} more such orders."


def _alone(having: Side, lacking: Side, effects: Collection[Effect]) -> Iterator[str]:
    if effects:
        listed = ", ".join(sorted(map(effect_text, effects))[:SHOWN])
        more = f" and {len(effects) - SHOWN} more" if len(effects) > SHOWN else ""
        yield f"{having.name} means to do what {lacking.name} does not: {listed}{more}."


def _forced(parting: FindingContext, pair: Pair, having: Side, lacking: Side, *, is_reversed: bool) -> Iterator[str]:
    otherwise = "has it the other way round" if is_reversed else "may do them in any order"
    yield f"{having.name} always has {pair_text(pair)}; {lacking.name} {otherwise}."
    yield from _reasons(parting, pair, lacking)
    if not any(effect[1] in _UNEVENTFUL for effect in pair):
        yield _seen(lacking, pair)


def _reasons(parting: FindingContext, pair: Pair, lacking: Side) -> Iterator[str]:
    """What the case says about the two: who depends on whom; and the rule that makes an order of it, unless it is the
    baseline that does not keep to one: then what would justify the other is not known."""
    first, second = (_address(effect) for effect in pair)
    if first is None or second is None:
        return
    if pair[0][0] == pair[1][0]:
        yield f"Both are halves of what happens to {pair[0][0]}."
        return
    found = [
        (reason, direction)
        for direction, (waiting, dependency) in (("later", (second, first)), ("earlier", (first, second)))
        for reason in _dependency(parting, waiting, dependency)
    ]
    for reason, _ in found:
        yield f"{reason}."
    rule = _RULES.get((_kind(pair[0]), _kind(pair[1]), found[0][1])) if found else None
    if rule is not None and lacking is parting.got:
        yield f"The rule is that {rule}; {lacking.name} has no such edge."
    elif not found:
        yield f"No chain of references and no recorded dependency leads from one of {first} and {second} to the other."


_UNEVENTFUL: Final = ("forget", "no-op")
"""What no event tells of."""

_RULES: Final = {
    ("apply", "apply", "later"): "whoever refers to something comes after it",
    ("remove", "remove", "earlier"): "nothing goes before what depends on it",
    ("remove", "apply", "earlier"): "nothing is changed before what depends on it and is to go has gone",
    ("remove", "apply", "later"): "whoever depends on something is brought up to date when that is settled",
    ("apply", "remove", "later"): "what is replaced by creating first goes when all else is up to date",
    ("apply", "remove", "earlier"): "what is replaced by creating first goes when all that used it is up to date",
}
"""By what happens first, what happens then, and which of the two depends on the other."""


def _kind(effect: Effect) -> str:
    return "remove" if effect[1] in ("delete", "forget") else "apply"


def _dependency(parting: FindingContext, waiting: ConfigResource, dependency: ConfigResource) -> Iterator[str]:
    config = parting.configuration()
    chain = None if config is None else mentions(config, waiting, dependency)
    if chain:
        yield f"{waiting} depends on {dependency} because of the reference {', then '.join(map(str, chain))}"
    if str(dependency) in _recorded(parting.state_before, waiting):
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
    """Without keys, as a configuration calls it."""
    module = str(entry.get("module", ""))
    name = f"{module}." if module else ""
    try:
        return str(parse_instance(f"{name}{entry['type']}.{entry['name']}").module.path)
    except AddressError:
        return module


def _address(effect: Effect) -> ConfigResource | None:
    """None where a name that stands for something generated makes it no address any more."""
    try:
        return parse_instance(effect[0]).config
    except AddressError:
        return None


def _seen(side: Side, pair: Pair) -> str:
    """Whether this very run shows it."""
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
