"""Which of the units below the paths a run is asked for: by words in their names, by area, by tag.

A unit is selected if it fulfils everything that is asked. Asking for nothing selects every unit.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

import yaml

from harness.case.case import CASE_FILE, LONGEST
from harness.case.containment import read_contained
from harness.case.unit import Unit, UnitKind
from harness.case.yaml_fields import CaseError
from harness.workflow.yaml_values import compose_plain
from shared_nodes.record import record

__all__ = ["Keywords", "KeywordsError", "Selection", "read_keywords"]

_TOKEN: Final = re.compile(r"\s*(?P<token>[()]|[^\s()]+)")
_OPERATORS: Final = ("and", "or", "not")
_DEEPEST: Final = 50
"""How many parentheses may be nested."""

Matches = Callable[[str], bool]
"""Says whether a name, in lower case, is meant."""


class KeywordsError(ValueError):
    """An expression that cannot be read. The message says what was expected where."""


@record
class Keywords:
    """An expression such as `replace and not (deposed or import)`: each word must be part of the name, in any case."""

    text: str
    _matches: Matches

    def match(self, name: str) -> bool:
        return self._matches(name.lower())


def read_keywords(text: str) -> Keywords:
    """Read an expression of words, `and`, `or`, `not` and parentheses. KeywordsError says what is wrong with it."""
    reader = _KeywordReader([match["token"] for match in _TOKEN.finditer(text)])
    matches = reader.read_alternatives()
    if reader.tokens:
        raise KeywordsError(f"`and` or `or` is missing before {reader.tokens[0]}")
    return Keywords(text, matches)


class _KeywordReader:
    """Reads by recursive descent: alternatives of conjunctions of negations of words."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self._depth = 0

    def read_alternatives(self) -> Matches:
        return self._read_joined("or", lambda: self._read_joined("and", self._read_single, all), any)

    def _read_joined(
        self, operator: str, read: Callable[[], Matches], decide: Callable[[Iterable[bool]], bool]
    ) -> Matches:
        parts = [read()]
        while self.tokens and self.tokens[0].lower() == operator:
            del self.tokens[0]
            parts.append(read())
        return lambda name: decide(part(name) for part in parts)

    def _read_single(self) -> Matches:
        if not self.tokens:
            raise KeywordsError("a word is missing at the end")
        token = self.tokens.pop(0).lower()
        if token == "not":
            negated = self._nested(self._read_single)
            return lambda name: not negated(name)
        if token == "(":
            inner = self._nested(self.read_alternatives)
            if not self.tokens or self.tokens.pop(0) != ")":
                raise KeywordsError("a closing parenthesis is missing")
            return inner
        if token in (")", *_OPERATORS):
            raise KeywordsError(f"a word is missing before {token}")
        return lambda name: token in name

    def _nested(self, read: Callable[[], Matches]) -> Matches:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise KeywordsError("it is nested too deeply")
        found = read()
        self._depth -= 1
        return found


@record
class Selection:
    keywords: Keywords | None = None
    areas: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    names: Collection[str] | None = None
    """The only identifiers that are meant; None for all."""

    @property
    def selects_all(self) -> bool:
        return self.keywords is None and not self.areas and not self.tags and self.names is None

    def select(self, units: Iterable[Unit]) -> Iterator[Unit]:
        """Yield the units that are asked for. Their files are read only where tags are asked for."""
        for unit in units:
            if (
                (self.names is None or unit.identifier in self.names)
                and (not self.areas or _is_in_area(unit, self.areas))
                and (self.keywords is None or self.keywords.match(unit.identifier))
                and (not self.tags or _has_tag(unit, self.tags))
            ):
                yield unit


def _is_in_area(unit: Unit, areas: Collection[str]) -> bool:
    """Return whether the unit is in one of the areas, given by the directories before its name or by the last ones."""
    place = f"/{unit.identifier.rpartition('/')[0]}"
    return any(place.endswith(f"/{area.strip('/')}") for area in areas)


def _has_tag(unit: Unit, wanted: Collection[str]) -> bool:
    """Return whether a case has one of the tags. One whose tags cannot be read is run: that reports what is wrong."""
    tags = _tags(unit.path) if unit.kind is UnitKind.CASE else []
    return tags is None or not set(wanted).isdisjoint(tags)


def _tags(directory: Path) -> list[str] | None:
    """Return the tags of a case, without reading the rest of it; None if they cannot be read."""
    file = directory / CASE_FILE
    if not os.path.lexists(file):
        return []
    try:
        root = compose_plain(read_contained(file, directory, LONGEST))
    except (CaseError, yaml.YAMLError):
        return None
    if not isinstance(root, yaml.MappingNode):
        return None
    values = [value for key, value in root.value if key.value == "tags"]
    return [str(item.value) for value in values if isinstance(value, yaml.SequenceNode) for item in value.value]
