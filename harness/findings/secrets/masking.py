"""Sensitive values of a case, kept out of everything that is written.

A report is read by more people than a password is meant for. So before a result leaves the process that judged it,
two rules are applied to all its text: findings, explanations, evidence with the files of the case included.

- A sensitive text or number of at least six characters is replaced wherever it occurs, be it a part of a longer text.
  Lines of longer texts count each, since files indent them.
- A shorter one is replaced where a document itself says that it is sensitive, and where a finding is about such a
  place. Elsewhere it stays: nobody calls `1`, `true` or `no` a secret, and without them no text would be readable.

Names are not hidden: neither those of attributes and outputs nor keys of a sensitive map.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from harness.case.case import Case
from harness.compare.observations import keyed
from harness.findings.finding import Finding
from harness.findings.secrets.sensitive_values import hidden_document, sensitive_values
from harness.play.case_runner import Observations
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["HIDDEN", "Secrets", "secrets_of"]

HIDDEN: Final = "(sensitive value)"
OTHER: Final = "(another sensitive value)"
SHORTEST: Final = 6
"""Characters of what is replaced wherever it occurs."""


@dataclass(frozen=True)
class Secrets:
    """Not slotted, so that the pattern is made once."""

    texts: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    """Paths as findings have them: `plan.resource_changes.terraform_data.a.change.after.input`."""

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        """Longer ones first: one may be a part of another."""
        known = sorted({form for text in self.texts for form in _forms(text)}, key=lambda form: (-len(form), form))
        return re.compile("|".join(map(re.escape, known))) if known else None

    def masked(self, text: str) -> str:
        return text if self._pattern is None else self._pattern.sub(HIDDEN, text)

    def masked_tree(self, tree: Tree) -> Tree:
        """Every text in it, names of members included: a secret may be the key of a map."""
        if isinstance(tree, str):
            return self.masked(tree)
        if isinstance(tree, JsonNumber):
            return HIDDEN if tree.text in self.texts else tree
        if isinstance(tree, list):
            return [self.masked_tree(part) for part in tree]
        if isinstance(tree, dict):
            return {self.masked(name): self.masked_tree(part) for name, part in tree.items()}
        return tree

    def masked_course(self, course: Observations) -> Tree:
        """What documents call sensitive is hidden there however short it is."""
        return {
            place: self.masked_tree(hidden_document(dict(observation), lambda _value: HIDDEN))
            for place, observation in course.items()
        }

    def masked_finding(self, finding: Finding) -> Finding:
        expected, got = self.masked(finding.expected), self.masked(finding.got)
        if self._is_hidden(finding.field):
            expected, got = HIDDEN, OTHER
        return replace(
            finding,
            signature=replace(finding.signature, shape=self.masked(finding.signature.shape)),
            field=self.masked(finding.field),
            expected=expected,
            got=got,
            explanation=tuple(map(self.masked, finding.explanation)),
        )

    def _is_hidden(self, field: str) -> bool:
        """At a sensitive place, inside of one, or around one, where the text would show it among others."""
        return any(_is_within(field, place) or _is_within(place, field) for place in self.places)


def _is_within(inner: str, outer: str) -> bool:
    return inner.startswith(outer) and inner[len(outer) :][:1] in ("", ".", "[")


def _forms(text: str) -> Iterator[str]:
    """As it is, and as it stands between quotes in JSON, once and twice, or in ASCII alone; in configurations that is
    much the same."""
    once = dumps(text, escape_html=False)[1:-1]
    yield from (text, once, dumps(once, escape_html=False)[1:-1], json.dumps(text)[1:-1])


def secrets_of(case: Case | None, courses: Mapping[str, Observations]) -> Secrets:
    """Return the sensitive values of a case and of what was observed. `case` is None where it could not be read."""
    texts = {
        part
        for value in sensitive_values(case, courses)
        for part in _parts(value.text if isinstance(value, JsonNumber) else str(value))
    }
    places = {
        place
        for course in courses.values()
        for observation in course.values()
        for place in _sensitive_places(observation)
    }
    return Secrets(frozenset(texts), frozenset(places))


def _parts(text: str) -> Iterator[str]:
    """The text, and its lines."""
    for part in (text, *(line.strip() for line in text.splitlines())):
        if len(part.strip()) >= SHORTEST:
            yield part


def _sensitive_places(observation: Mapping[str, Tree]) -> Iterable[str]:
    marker = "\0"
    hidden = hidden_document(dict(observation), lambda _value: marker)
    assert isinstance(hidden, dict)
    for name, part in hidden.items():
        yield from _marked_places(keyed(part), name, marker)


def _marked_places(tree: Tree, path: str, marker: str) -> Iterator[str]:
    if tree == marker:
        yield path
    elif isinstance(tree, dict):
        for name, part in tree.items():
            yield from _marked_places(part, f"{path}.{name}", marker)
    elif isinstance(tree, list):
        for index, part in enumerate(tree):
            yield from _marked_places(part, f"{path}[{index}]", marker)
