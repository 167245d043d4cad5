"""Compares the diagnostics of a step, how it was initialised, and how it crashed.

Diagnostics are the same if they were reported in the same phase with the same severity and summary. Which object and
which place they name is compared apart from that, and so is the detail, since it is prose: the same mistake in other
words is a smaller difference than another mistake.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from harness.compare.difference import Difference, DifferenceKind
from harness.compare.documents import ABSENT
from harness.observe.json_trees import JsonObject, as_object, as_objects
from harness.observe.panic import masked_panic
from shared_nodes.values.json import Tree, dumps

__all__ = ["CRASH", "NOTHING_MORE", "compare_crashes", "compare_diagnostics", "compare_inits", "crash_identity"]

CRASH: Final = "crash"
INIT: Final = "init"
DIAGNOSTICS: Final = "diagnostics"
NOTHING_MORE: Final = "nothing more"
_EXHAUSTED: Final = ("fatal error: stack overflow", "fatal error: out of memory")
_QUOTED: Final = re.compile(r'"[^"]*"')
_ADDRESS: Final = re.compile(r"(?<![\w/.])[\w-]+(?:\[[^\]]*\])?(?:\.[\w-]+(?:\[[^\]]*\])?)+")
_PLACE: Final = ("address", "range")


def compare_diagnostics(expected: Tree, got: Tree, field: str = DIAGNOSTICS) -> list[Difference]:
    """Return one difference for each diagnostic that only one side has, and for each common one with another place or
    another detail."""
    wanted, actual = _by_title(expected), _by_title(got)
    found: list[Difference] = []
    for title in dict.fromkeys((*wanted, *actual)):
        found += _compare_alike(title, wanted.get(title, []), actual.get(title, []), field)
    return found


_Title = tuple[str, str, str]
"""The phase, the severity and the summary of a diagnostic."""


def _by_title(diagnostics: Tree) -> dict[_Title, list[JsonObject]]:
    found: dict[_Title, list[JsonObject]] = defaultdict(list)
    for each in as_objects(diagnostics):
        found[str(each.get("phase")), str(each.get("severity")), str(each.get("summary"))].append(each)
    return found


def _compare_alike(
    title: _Title, wanted: Sequence[JsonObject], actual: Sequence[JsonObject], field: str
) -> list[Difference]:
    """Compare the diagnostics of one title. Equal ones cancel out first, then those of which only one side has more are
    missing or surplus; the others are paired in the order of their texts."""
    shape = f"{field}[{_shape(title)}]"
    missing, surplus = _without_common(wanted, actual)
    pairs = min(len(missing), len(surplus))
    found = [_unpaired(each, field, shape, DifferenceKind.MISSING) for each in missing[pairs:]]
    found += [_unpaired(each, field, shape, DifferenceKind.SURPLUS) for each in surplus[pairs:]]
    for left, right in zip(missing[:pairs], surplus[:pairs], strict=True):
        found += _compare_parts(left, right, field, shape)
    return found


def _without_common(
    wanted: Sequence[JsonObject], actual: Sequence[JsonObject]
) -> tuple[list[JsonObject], list[JsonObject]]:
    texts = [{dumps(each): each for each in side} for side in (wanted, actual)]
    counts = [Counter(map(dumps, side)) for side in (wanted, actual)]
    missing, surplus = counts[0] - counts[1], counts[1] - counts[0]
    return (
        [texts[0][text] for text in sorted(missing.elements())],
        [texts[1][text] for text in sorted(surplus.elements())],
    )


def _compare_parts(wanted: JsonObject, actual: JsonObject, field: str, shape: str) -> Iterable[Difference]:
    """Compare two diagnostics of one title."""
    for part in _PLACE:
        if wanted.get(part) != actual.get(part):
            left, right = (
                dumps(side[part], escape_html=False) if part in side else ABSENT for side in (wanted, actual)
            )
            yield Difference(
                f"{field}.{part}", left, right, shape=f"{shape}.{part}", kind=_presence(wanted, actual, part)
            )
    if wanted.get("detail") != actual.get("detail"):
        left, right = (dumps(side.get("detail"), escape_html=False) for side in (wanted, actual))
        yield Difference(f"{field}.detail", left, right, is_detail=True, shape=f"{shape}.detail")


def _unpaired(diagnostic: JsonObject, field: str, shape: str, kind: DifferenceKind) -> Difference:
    """Return the difference for a diagnostic that only one side has."""
    texts = (_without_detail(diagnostic), NOTHING_MORE)
    expected, got = texts if kind is DifferenceKind.MISSING else texts[::-1]
    address = diagnostic.get("address")
    objects = (address,) if isinstance(address, str) else ()
    return Difference(field, expected, got, shape=shape, kind=kind, objects=objects)


def _presence(wanted: JsonObject, actual: JsonObject, part: str) -> DifferenceKind:
    if part not in actual:
        return DifferenceKind.MISSING
    return DifferenceKind.VALUE if part in wanted else DifferenceKind.SURPLUS


def _without_detail(diagnostic: Mapping[str, Tree]) -> str:
    kept: dict[str, Tree] = {key: diagnostic[key] for key in sorted(diagnostic) if key != "detail"}
    return dumps(kept, escape_html=False)


def _shape(title: _Title) -> str:
    """Return a title without what depends on the configuration: names, and the members of a cycle."""
    _, severity, summary = title
    summary = _QUOTED.sub("*", _ADDRESS.sub("*", summary)).partition(": ")[0]
    return f"{severity}: {summary}"


# Crashes


def crash_identity(crash: Mapping[str, Tree]) -> str:
    """Return what two crashes of one cause have in common: the message without numbers and names of objects, and the
    first function of the engine's own code. Where a stack or the memory ran out, that function is another each time."""
    panic = masked_panic(str(crash.get("panic", "")))
    frame = "" if panic.startswith(_EXHAUSTED) else str(crash.get("frame", ""))
    return f"{panic} in {frame}" if frame else panic


def compare_crashes(expected: Tree, got: Tree, field: str = CRASH) -> list[Difference]:
    """Return at most two differences: a crash of only one side, or two crashes that are not the same one."""
    wanted, actual = (as_object(side) for side in (expected, got))
    if _identity(wanted) == _identity(actual):
        return []
    found = []
    if wanted:
        shape = f"{field}[{crash_identity(wanted)}]"
        found.append(Difference(field, _described(wanted), "an end", shape=shape, kind=DifferenceKind.MISSING))
    if actual:
        shape = f"{field}[{crash_identity(actual)}]"
        found.append(Difference(field, "an end", _described(actual), shape=shape, kind=DifferenceKind.SURPLUS))
    return found


def _identity(crash: JsonObject) -> str | None:
    return crash_identity(crash) if crash else None


def _described(crash: JsonObject) -> str:
    where = f" in {crash['frame']}" if crash.get("frame") else ""
    phase = f" (while it ran {crash['phase']})" if crash.get("phase") else ""
    return f"{crash.get('panic', '')}{where}{phase}"


def compare_inits(expected: Tree, got: Tree) -> list[Difference]:
    """Compare how a configuration was initialised. The outcome is only recorded where that failed."""
    wanted, actual = (as_object(side) for side in (expected, got))
    if wanted == actual:
        return []
    found = compare_crashes(wanted.get(CRASH), actual.get(CRASH), f"{INIT}.{CRASH}")
    found += compare_diagnostics(wanted.get(DIAGNOSTICS), actual.get(DIAGNOSTICS), f"{INIT}.{DIAGNOSTICS}")
    fails = [not side.get("ok", True) for side in (wanted, actual)]
    if not found and fails[0] != fails[1]:
        kind = DifferenceKind.MISSING if fails[0] else DifferenceKind.SURPLUS
        left, right = ("fails" if each else "succeeds" for each in fails)
        found.append(Difference(f"{INIT}.ok", left, right, shape=f"{INIT}.ok", kind=kind))
    return found
