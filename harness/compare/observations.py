"""Compares the observation of a step with its recording, or with another observation.

Everything a recording fixes must be equal, except: - the order of diagnostics and of most lists of a plan or state has
no meaning: they are compared as multisets or by key; - events must be the same ones, in any order that respects every
recorded pair; - the `detail` of diagnostics is compared separately, since it is prose: the same mistake in other words
is a smaller difference than another mistake; - fields the recording itself calls unstable are left out.

Two observations are compared more strictly: nothing is unstable, and the order in documents counts.

All differences are returned, not only the first: `diagnostics.py`, `documents.py` and `events.py` find them, and those
that are alike but for their exact place are one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from harness.compare.diagnostics import CRASH, DIAGNOSTICS, INIT, compare_crashes, compare_diagnostics, compare_inits
from harness.compare.difference import Difference, DifferenceKind, merge_alike
from harness.compare.documents import ABSENT, compare_documents, compare_exactly
from harness.compare.events import compare_events, without_order
from harness.compare.roles import Roles, roles_between
from harness.observe.json_trees import as_items, as_object, as_objects, as_texts
from harness.observe.rules import RuleName
from harness.play.story_runner import END
from shared_nodes.values.json import Tree

__all__ = [
    "compare_observations",
    "compare_places",
    "compare_step",
    "compare_with_binary",
    "ignore_end",
    "unexpected_crashes",
    "unmet",
    "unmet_by_configuration",
]

_DOCUMENTS: Final = ("ok", "plan", "plan_summary", "apply_summary", "state", "story")
_SUMMARIES: Final = ("plan_summary", "apply_summary")
_PROVIDER_DATA: Final = "provider_data"
_UNRECORDED: Final = (_PROVIDER_DATA, "over_limit")
"""Fields that no recording has. Engines are compared in them."""
_EVENTS: Final = ("plan_events", "events")
_CALLS: Final = ("plan_calls", "calls")
_INVENTORY: Final = "inventory"
_FIRST_STEP: Final = re.compile(r"[.\[]")
_ORDER: Final = (
    *(INIT, "ok", CRASH, DIAGNOSTICS, "plan", "plan_summary", "plan_events", "plan_calls"),
    *("apply_summary", "events", "calls", "state", _PROVIDER_DATA, "inventory", "story", "over_limit"),
)
"""The order of the fields in a step. Differences are reported in it, since the first is often the cause of the
others."""


def compare_places(
    expected: Mapping[str, Mapping[str, Tree]],
    got: Mapping[str, Mapping[str, Tree]],
    compare: Callable[[Mapping[str, Tree], Mapping[str, Tree]], list[Difference]],
) -> list[tuple[str, Difference]]:
    """Return all differences, each with its place: places of `expected` in their order, then those that only `got` has.
    A place that one of them did not reach is a difference."""
    found: list[tuple[str, Difference]] = []
    for place in {**expected, **got}:
        if place in expected and place in got:
            found.extend((place, difference) for difference in compare(expected[place], got[place]))
        else:
            kind = DifferenceKind.MISSING if place in expected else DifferenceKind.SURPLUS
            wanted, actual = (_COMES if place in side else _NEVER_COMES for side in (expected, got))
            found.append((place, Difference(_WAY, wanted, actual, shape=_WAY, kind=kind)))
    return found


_WAY: Final = "way"
_COMES: Final = "the story comes here"
_NEVER_COMES: Final = "the story never comes here"


def unmet(observations: Mapping[str, Mapping[str, Tree]]) -> list[tuple[str, Difference]]:
    """Return a difference if the story did not end successfully."""
    story = as_object(observations.get(END, {}).get("story"))
    if "problem" not in story:
        return []
    shape = f"{END}.{story['ended_by']}"
    return [(END, Difference(END, "a story that succeeds", str(story["problem"]), shape=shape))]


def unmet_by_configuration(observations: Mapping[str, Mapping[str, Tree]]) -> list[tuple[str, Difference]]:
    """Return a difference if the default story of a configuration did not end successfully. Its owner has written no
    story, so only the operation that failed is named."""
    if not unmet(observations):
        return []
    failed = next(step for step in observations.values() if step.get("ok") is False)
    errors = [each for each in as_objects(failed.get(DIAGNOSTICS)) if each["severity"] == "error"]
    reason = f": {errors[0]['summary']}" if errors else ""
    difference = Difference(END, _APPLICABLE, f"{failed['op']} fails{reason}", shape=f"{END}.{failed['op']}")
    return [(END, difference)]


_APPLICABLE: Final = "a configuration that can be applied, and is unchanged then"


def ignore_end(_observations: Mapping[str, Mapping[str, Tree]]) -> list[tuple[str, Difference]]:
    """Expect nothing of the end of a story."""
    return []


def unexpected_crashes(
    observations: Mapping[str, Mapping[str, Tree]], recording: Mapping[str, Mapping[str, Tree]] | None
) -> list[tuple[str, Difference]]:
    """Return a difference for each crash at a place of which nothing is recorded: it is wrong whatever others do."""
    strangers = {place: step for place, step in observations.items() if place not in (recording or {})}
    return [(place, found) for place, step in strangers.items() for found in compare_crashes(None, step.get(CRASH))]


def compare_step(
    expected: Mapping[str, Tree], got: Mapping[str, Tree], applied: Counter[str] | None = None
) -> list[Difference]:
    """Return all differences of a step from its recording, in the order of the fields. A recording may leave out events
    where there were none, and an older one says nothing about `init`. `applied` counts the rules without which
    something would have differed."""
    unstable = as_texts(expected.get("unstable"))
    got = _with_recorded_counts(expected, got)
    expected, got = (_without_schema_readers(side, applied) for side in (expected, got))
    _count_rules(expected, got, applied, unstable)
    roles = roles_between(expected, got)
    found = _compare_outcomes(expected, got if INIT in expected else {**got, INIT: None})
    for name in _DOCUMENTS:
        if name not in unstable and expected.get(name, ABSENT) != got.get(name, ABSENT):
            different = list(compare_documents(name, expected.get(name, ABSENT), got.get(name, ABSENT), roles))
            found.extend(different)
            if applied is not None and not different:
                applied[RuleName.UNORDERED_LISTS] += 1
    for name in _EVENTS:
        is_left_out = name not in expected and not got.get(name)
        if name not in unstable and not is_left_out:
            found.extend(compare_events(name, expected.get(name), got.get(name), roles))
    if _INVENTORY in expected:
        found.extend(_compare_cloud(expected, got, roles, unstable))
    return _in_order(found)


def _compare_outcomes(expected: Mapping[str, Tree], got: Mapping[str, Tree]) -> list[Difference]:
    """Compare what a step reported in words."""
    return [
        *compare_inits(expected.get(INIT), got.get(INIT)),
        *compare_crashes(expected.get(CRASH), got.get(CRASH)),
        *compare_diagnostics(expected.get(DIAGNOSTICS), got.get(DIAGNOSTICS)),
    ]


_SCHEMA_READER: Final = re.compile(
    r"^failed to read (?:provider configuration schema for|schema for .+? in) (\S+)(?=: failed to instantiate )"
)


def _without_schema_readers(observation: Mapping[str, Tree], applied: Counter[str] | None) -> Mapping[str, Tree]:
    """Leave out which part of a graph asked first for the schema of a provider that is missing."""
    diagnostics = as_objects(observation.get(DIAGNOSTICS))
    renamed: list[Tree] = [
        {**item, "summary": _SCHEMA_READER.sub(r"failed to read a schema of \1", str(item.get("summary", "")))}
        for item in diagnostics
    ]
    changed = sum(one != other for one, other in zip(renamed, diagnostics, strict=True))
    if not changed:
        return observation
    if applied is not None:
        applied[RuleName.SCHEMA_READERS] += changed
    return {**observation, DIAGNOSTICS: renamed}


def _with_recorded_counts(expected: Mapping[str, Tree], got: Mapping[str, Tree]) -> Mapping[str, Tree]:
    """Return the observation with only those counts of its summaries that the recording has: older recordings of
    OpenTofu do not count what was forgotten."""
    summaries: dict[str, Tree] = {}
    for name in _SUMMARIES:
        wanted, actual = expected.get(name), got.get(name)
        if isinstance(wanted, dict) and isinstance(actual, dict) and not actual.keys() <= wanted.keys():
            summaries[name] = {key: count for key, count in actual.items() if key in wanted}
    return {**got, **summaries} if summaries else got


def compare_observations(
    expected: Mapping[str, Tree], got: Mapping[str, Tree], applied: Counter[str] | None = None
) -> list[Difference]:
    """Return all differences of two observations of one step, in the order of the fields. Events are equal in any
    order."""
    _count_rules(expected, got, applied)
    roles = roles_between(expected, got)
    found = _compare_outcomes(expected, got)
    for name in (*_DOCUMENTS, *_UNRECORDED):
        found.extend(compare_exactly(name, expected.get(name, ABSENT), got.get(name, ABSENT), roles))
    for name in _EVENTS:
        found.extend(compare_events(name, without_order(expected.get(name)), got.get(name), roles))
    found.extend(_compare_cloud(expected, got, roles))
    return _in_order(found)


def compare_with_binary(
    expected: Mapping[str, Tree], got: Mapping[str, Tree], applied: Counter[str] | None = None
) -> list[Difference]:
    """Compare two observations of one step, at least one of them of a binary. A binary writes some lists in another
    order each time: they are compared like those of a recording, and what a recording calls unstable is left out.
    Versions of schemas are compared, other private data of providers is not."""
    events = {name: without_order(expected.get(name)) for name in _EVENTS}
    roles = roles_between(expected, got)
    versions = compare_documents(_PROVIDER_DATA, _without_private(expected), _without_private(got), roles)
    return _in_order([*compare_step({INIT: None, **expected, **events}, got, applied), *versions])


def _without_private(observation: Mapping[str, Tree]) -> Tree:
    data = observation.get(_PROVIDER_DATA)
    if not isinstance(data, dict):
        return None
    kept: list[Tree] = [
        {name: part for name, part in instance.items() if name != "private"}
        for instance in as_objects(data["instances"])
    ]
    return {"instances": kept}


def _count_rules(
    expected: Mapping[str, Tree], got: Mapping[str, Tree], applied: Counter[str] | None, unstable: Sequence[str] = ()
) -> None:
    """Count the rules that disregard an order, or a field. An order counts wherever there is one to disregard: whether
    two runs happened to have the same would be another number each time where real processes take part."""
    if applied is None:
        return
    applied.update([RuleName.UNSTABLE_FIELDS] * len(unstable))
    if any(len(as_items(side.get(DIAGNOSTICS))) > 1 for side in (expected, got)):
        applied[RuleName.DIAGNOSTIC_ORDER] += 1
    for name in (*_EVENTS, *_CALLS):
        wanted, actual = _items(expected.get(name)), _items(got.get(name))
        if name not in unstable and any(isinstance(items, list) and len(items) > 1 for items in (wanted, actual)):
            applied[RuleName.EVENT_ORDER] += 1


def _items(events: Tree) -> Tree:
    return events.get("items") if isinstance(events, dict) else events


def _compare_cloud(
    expected: Mapping[str, Tree], got: Mapping[str, Tree], roles: Roles, unstable: Sequence[str] = ()
) -> Iterable[Difference]:
    """Compare the simulated cloud and the calls to it. Most recordings were made without one."""
    for name in _CALLS:
        if name not in unstable:
            wanted, actual = expected.get(name), got.get(name)
            recorded = without_order(wanted["items"]) if isinstance(wanted, dict) else None
            yield from compare_events(name, recorded, actual["items"] if isinstance(actual, dict) else None, roles)
    if _INVENTORY not in unstable:
        yield from compare_exactly(_INVENTORY, expected.get(_INVENTORY, ABSENT), got.get(_INVENTORY, ABSENT), roles)


def _in_order(found: Iterable[Difference]) -> list[Difference]:
    """Return one difference for all that are alike, in the order of the fields."""
    first_steps = ((each, _FIRST_STEP.split(each.field, maxsplit=1)[0]) for each in merge_alike(found))
    return [each for each, _ in sorted(first_steps, key=lambda pair: _ORDER.index(pair[1]))]
