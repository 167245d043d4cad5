"""Replaces what differs between any two runs (identifiers, deposed keys, times, directories) by stable names.

    <id ADDRESS #N>        the N-th object created at ADDRESS in this case; it keeps the name if it is moved
    <deposed ADDRESS #N>   the N-th deposed key made at ADDRESS
    <deposed key>          a key that exists only inside an apply graph, and shows in messages
    <uuid>  <timestamp>  <cwd>

Names are learned from what happened (events and states), never from what an identifier looks like: one that an import
block or a given state contains is kept. They are then used wherever the text occurs, also inside other strings.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Final

from harness.observe.document_layout import OBSERVATION, Layout
from harness.observe.json_trees import as_object
from harness.observe.rules import RuleName
from shared_nodes.addresses.key import InstanceKey, key_text
from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.record import record
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["Names", "managed_instances"]

_UUID: Final = r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
_TIME: Final = r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)"
_UNNAMED_DEPOSED: Final = r"(?<=\(destroy deposed )[0-9a-f]{8}(?=\))"
_CYCLE: Final = re.compile(r"Cycle: (.+)")
_BULLET: Final = re.compile(r"\s*- ")


@record(frozen=False)
class Names:
    """The names of one run. Each step may add some."""

    given: str
    """All text of the case: an identifier that looks generated but occurs there is kept."""

    earliest: datetime
    latest: datetime
    """A time between these two counts as the current one."""

    _names: dict[str, str] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _created: Counter[str] = field(default_factory=Counter)
    _deposed: Counter[str] = field(default_factory=Counter)
    _pattern: re.Pattern[str] | None = None
    counts: Counter[str] = field(default_factory=Counter)
    """How often each rule changed something; a text that occurs several times in a step counts once."""

    def normalised(self, observation: Mapping[str, Tree], working_directory: str) -> dict[str, Tree]:
        """Return the normalised observation of a step, after learning names from it."""
        self._learn(observation)
        pattern = self._pattern or self._compiled()
        directory = re.compile(re.escape(working_directory) + r"(?![\w.-])")

        @cache
        def renamed(text: str) -> str:
            text, found = directory.subn("<cwd>", text)
            if found:
                self.counts[RuleName.WORKING_DIRECTORY] += found
            return pattern.sub(self._replacement, text)

        result = as_object(_mapped(dict(observation), renamed, OBSERVATION))
        result["diagnostics"] = [_sorted_lists(item, self.counts) for item in _dicts(result.get("diagnostics"))]
        return result

    def copy(self) -> Names:
        """Return the same names, to which steps of another run can add their own. It counts for itself."""
        return replace(
            self,
            _names=dict(self._names),
            _seen=set(self._seen),
            _created=Counter(self._created),
            _deposed=Counter(self._deposed),
            counts=Counter(),
        )

    # Learning

    def _learn(self, observation: Mapping[str, Tree]) -> None:
        before = len(self._names)
        self._seen.update(_planned_ids(observation.get("plan")))
        kept = _addresses_with_lasting_ids(observation.get("plan"))
        unfinished: set[str] = set()
        events = observation.get("events")
        for event in events if isinstance(events, list) else ():
            match event:
                case [_, str() as address, *_] if address in kept:
                    continue
                case ["apply_start", str() as address, "create", *_]:
                    unfinished.add(address)
                case ["apply_complete", str() as address, "create", str() as identifier]:
                    unfinished.discard(address)
                    self._name_id(address, identifier)
        for address, instance in managed_instances(observation.get("state")):
            if address in unfinished and "deposed" not in instance:
                self._name_id(address, _identifier(instance.get("attributes")))
            if isinstance(key := instance.get("deposed"), str):
                self._name_deposed(address, key)
        if len(self._names) != before:
            self._pattern = None

    def _name_id(self, address: str, identifier: str | None) -> None:
        """Name an object that is new: one that existed when the step was planned is not, since a create may fail."""
        if identifier is None or identifier in self._seen:
            return
        self._seen.add(identifier)
        self._created[address] += 1
        self._names[identifier] = f"<id {address} #{self._created[address]}>"

    def _name_deposed(self, address: str, key: str) -> None:
        if key not in self._names and key not in self.given:
            self._deposed[address] += 1
            self._names[key] = f"<deposed {address} #{self._deposed[address]}>"

    # Replacing

    def _compiled(self) -> re.Pattern[str]:
        known = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(self._names, key=len, reverse=True)]
        self._pattern = re.compile("|".join([*known, _UUID, _TIME, _UNNAMED_DEPOSED]))
        return self._pattern

    def _replacement(self, match: re.Match[str]) -> str:
        name, rule = self._named(match[0])
        if rule is not None:
            self.counts[rule] += 1
        return name

    def _named(self, text: str) -> tuple[str, RuleName | None]:
        if text in self._names:
            name = self._names[text]
            return name, RuleName.IDENTIFIERS if name.startswith("<id ") else RuleName.DEPOSED_KEYS
        if "T" in text:
            return ("<timestamp>", RuleName.TIMESTAMPS) if self._is_current(text) else (text, None)
        if text in self.given:
            return text, None
        if "-" in text:
            return "<uuid>", RuleName.UUIDS
        return "<deposed key>", RuleName.PASSING_DEPOSED_KEYS

    def _is_current(self, text: str) -> bool:
        """A case may contain a date that does not exist."""
        try:
            return self.earliest <= datetime.fromisoformat(text) <= self.latest
        except ValueError:
            return False


def _dicts(tree: Tree) -> Iterator[dict[str, Tree]]:
    """Return the objects in a list; nothing if it is not a list."""
    return (item for item in tree if isinstance(item, dict)) if isinstance(tree, list) else iter(())


def _mapped(tree: Tree, rename: Callable[[str], str], layout: Layout) -> Tree:
    """Rename every string, keys of objects included: instance keys and map keys may contain identifiers."""
    if isinstance(tree, str):
        return rename(tree)
    if isinstance(tree, list):
        items = [_mapped(item, rename, layout.item) for item in tree]
        return _in_order_of_names(items) if layout.may_hold_deposed else items
    if isinstance(tree, dict):
        return {rename(key): _mapped(item, rename, layout.at(key)) for key, item in tree.items()}
    return tree


def _in_order_of_names(items: list[Tree]) -> list[Tree]:
    """Sort the deposed objects of one instance by their names: they come in the order of their keys, which are
    random."""
    if not any(isinstance(item, dict) and _deposed_name(item).startswith("<") for item in items):
        return items
    runs = groupby(items, lambda item: (item.get("address"), item.get("index_key")) if isinstance(item, dict) else None)
    return [item for _, run in runs for item in sorted(run, key=_place_among_deposed)]


def _place_among_deposed(item: Tree) -> tuple[bool, int, str]:
    """Keys of the case come first, then names by their numbers."""
    name = _deposed_name(item) if isinstance(item, dict) else ""
    return name.startswith("<"), len(name), name


def _deposed_name(item: Mapping[str, Tree]) -> str:
    name = item.get("deposed", item.get("deposed_key"))
    return name if isinstance(name, str) else ""


def _planned_ids(plan: Tree) -> Iterator[str]:
    """Return the identifiers of objects that exist when a plan is made."""
    for change in _dicts(plan.get("resource_changes")) if isinstance(plan, dict) else ():
        detail = change.get("change")
        if isinstance(detail, dict) and (identifier := _identifier(detail.get("before"))) is not None:
            yield identifier


def _addresses_with_lasting_ids(plan: Tree) -> frozenset[str]:
    """Return the addresses whose ids are the same in every run: only those of the builtin provider are random."""
    changes = _dicts(plan.get("resource_changes")) if isinstance(plan, dict) else ()
    return frozenset(
        str(change["address"]) for change in changes if change.get("provider_name", str(BUILTIN)) != str(BUILTIN)
    )


def _identifier(attributes: Tree) -> str | None:
    identifier = attributes.get("id") if isinstance(attributes, dict) else None
    return identifier if isinstance(identifier, str) else None


def managed_instances(state: Tree) -> Iterator[tuple[str, dict[str, Tree]]]:
    """Return every object of managed resources in a state, with the address of its instance."""
    for resource in _dicts(state.get("resources")) if isinstance(state, dict) else ():
        if resource.get("mode") != "managed":
            continue
        module = f"{resource['module']}." if "module" in resource else ""
        address = f"{module}{resource.get('type', '')}.{resource.get('name', '')}"
        for instance in _dicts(resource.get("instances")):
            yield address + key_text(_key(instance.get("index_key"))), instance


def _key(tree: Tree) -> InstanceKey:
    """Return the key as engines read it. A state that they refuse may have anything in its place."""
    if tree is None or isinstance(tree, str):
        return tree
    number = float(tree.text) if isinstance(tree, JsonNumber) else math.nan
    return int(number) if math.isfinite(number) else dumps(tree)


def _sorted_lists(diagnostic: dict[str, Tree], counts: Counter[str]) -> dict[str, Tree]:
    """Sort members of a cycle and bulleted lists, which come in any order."""
    result = dict(diagnostic)
    for key in ("summary", "detail"):
        if isinstance(text := diagnostic.get(key), str):
            bulleted = _with_sorted_bullets(text)
            whole = result[key] = _with_sorted_cycle(bulleted)
            counts.update([RuleName.BULLETS] * (bulleted != text) + [RuleName.CYCLE_MEMBERS] * (whole != bulleted))
    return result


def _with_sorted_cycle(text: str) -> str:
    return _CYCLE.sub(lambda match: "Cycle: " + ", ".join(sorted(match[1].split(", "))), text)


def _with_sorted_bullets(text: str) -> str:
    lines: list[str] = []
    for bulleted, group in groupby(text.split("\n"), key=lambda line: bool(_BULLET.match(line))):
        found = list(group)
        lines.extend(sorted(found) if bulleted else found)
    return "\n".join(lines)
