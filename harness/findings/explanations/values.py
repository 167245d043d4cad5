"""Explains documents that differ: which values, and what each side has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from harness.findings.explanations.context import NO_CHANGE, SHOWN, FindingContext, planned_actions, short
from harness.findings.explanations.differing_values import ABSENT, Unequal, differing_values

__all__ = ["explain_values"]

_OF_LIST: Final = re.compile(r"(\w+)\[(\d{1,6})\]\.(.+)")
_LONGEST_PART: Final = 60
"""Characters of an object or a list that a sentence quotes."""


def explain_values(context: FindingContext) -> Iterator[str]:
    finding, (expected, got) = context.finding, (context.expected, context.got)
    name = finding.field.partition(".")[0]
    if name not in expected.observation and name not in got.observation:
        yield f"{_part_of_list(context)}{expected.name} has {short(finding.expected)}, {got.name} {short(finding.got)}."
        return
    found = differing_values(name, expected.observation, got.observation)
    actions = [each for each in found if "actions" in each.path]
    yield from _planned_otherwise(context, actions)
    rest = [each for each in found if each not in actions]
    for each in rest[:SHOWN]:
        yield _explain_value(context, name, each)
    if len(rest) > SHOWN:
        yield f"{len(rest) - SHOWN} more values of {name} differ."
    if not found:
        yield f"{finding.field}: {expected.name} has {short(finding.expected)}, {got.name} {short(finding.got)}."


def _part_of_list(context: FindingContext) -> str:
    """Return which part of which object of a list is different, "b-1, parent: ", if that has an identifier."""
    match = _OF_LIST.fullmatch(context.finding.field)
    items = context.expected.observation.get(match[1]) if match else None
    number = int(match[2]) if match else 0
    if match is None or not isinstance(items, list) or number >= len(items):
        return ""
    item = items[number]
    name = item.get("id") if isinstance(item, dict) else None
    return f"{match[1]}, {name}, {match[3]}: " if isinstance(name, str) else ""


def _explain_value(context: FindingContext, name: str, unequal: Unequal) -> str:
    """Explain one value. The content of a whole object that one side lacks is too much for a sentence: which side has
    it, and what it plans, says more."""
    expected, got = context.expected.name, context.got.name
    match unequal.path:
        case ("resource_changes", address) if ABSENT in (unequal.expected, unequal.got):
            side = context.got if unequal.expected == ABSENT else context.expected
            actions = planned_actions(side.observation, address)
            if actions == NO_CHANGE:
                return f"Only the plan of {side.name} lists {address}, which does not change."
            return f"Only {side.name} has a plan for {address}: to {actions}."
    if _is_whole(unequal):
        return f"{_located(name, unequal)}: only {got if unequal.expected == ABSENT else expected} has it."
    return f"{_located(name, unequal)}: {expected} has {unequal.expected}, {got} {unequal.got}."


def _is_whole(unequal: Unequal) -> bool:
    """Return whether one side lacks an object or a list that is too long for a sentence."""
    sides = unequal.expected, unequal.got
    return ABSENT in sides and any(side[:1] in "[{" and len(side) > _LONGEST_PART for side in sides)


def _located(name: str, unequal: Unequal) -> str:
    """Return the location of a value, beginning with its address if there is one."""
    match unequal.path:
        case ("resource_changes" | "resource_drift" as part, address, *rest):
            drift = ", drift" if part == "resource_drift" else ""
            return _listed(f"{name}{drift}", address, _part([each for each in rest if each != "change"]))
        case ("output_changes" | "outputs", output, *rest):
            return _listed(name, f"output {output}", _part(rest))
        case ("resources", resource, "instances", key, *rest):
            return _listed(name, _address(resource, key), ".".join(rest))
    return ".".join((name, *unequal.path))


def _listed(*words: str) -> str:
    return ", ".join(filter(None, words))


def _part(path: Sequence[str]) -> str:
    """Return a part of a change: what it was, or what is planned."""
    match path:
        case ("before" | "after" as side, *rest):
            return f"{'prior' if side == 'before' else 'planned'} {'.'.join(rest) or 'value'}"
    return ".".join(path)


def _address(resource: str, key: str) -> str:
    """Return the address from the keys of a state: `module.m managed terraform_data a`, and that of the instance."""
    *module, mode, kind, label = resource.split(" ")
    parts = [*module, *(["data"] if mode == "data" else []), kind, label]
    return f"{'.'.join(parts)}{f'[{key}]' if key else ''}"


def _planned_otherwise(context: FindingContext, actions: Sequence[Unequal]) -> Iterator[str]:
    changed = dict.fromkeys(each.path[1] for each in actions if len(each.path) > 1)
    for address in changed:
        wanted, actual = (planned_actions(side.observation, address) for side in (context.expected, context.got))
        yield f"For {address} {context.expected.name} planned to {wanted}, {context.got.name} to {actual}."
