"""Masks sensitive values in all output.

More people read a report than may know a password. So before a result leaves the process that made it, two rules are
applied to all its text: findings, explanations, and evidence with the files of the case.

- A sensitive text or number of at least six characters is replaced wherever it occurs, even as part of a longer text,
  and however it is spelled (`spellings.py`). Each line of a longer text counts, since files indent them.
- A shorter one is replaced where a document itself says that it is sensitive, and where a finding is about such a
  place. Elsewhere it stays: `1`, `true` or `no` are not secrets by themselves, and no text would be readable without.

Names are not hidden: neither those of attributes and outputs nor keys of a sensitive map.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Final

from harness.case.case import Case
from harness.compare.documents import keyed
from harness.findings.finding import Finding
from harness.findings.secrets.sensitive_values import hidden_document, sensitive_values
from harness.findings.secrets.spellings import Spelled, as_number, spellings_of
from harness.observe.document_layout import layout_of
from harness.play.case_runner import Observations
from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["HIDDEN", "Secrets", "secrets_of"]

HIDDEN: Final = "(sensitive value)"
OTHER: Final = "(another sensitive value)"
SHORTEST: Final = 6
"""Minimal length of a text that is replaced wherever it occurs."""


@dataclass(frozen=True)
class Secrets:
    """Not slotted, so that the pattern is made once."""

    texts: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    """Paths as findings have them: `plan.resource_changes.terraform_data.a.change.after.input`."""

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        """Longer texts first: one may be a part of another."""
        known = sorted(
            {form for text in self.texts for form in spellings_of(text)}, key=lambda form: (-len(form), form)
        )
        return re.compile("|".join(map(re.escape, known))) if known else None

    @cached_property
    def _numbers(self) -> frozenset[Decimal]:
        return frozenset(number for text in self.texts if (number := as_number(text)) is not None)

    def masked(self, text: str) -> str:
        """Mask the secrets in a text, however they are spelled there."""
        if self._pattern is None:
            return text
        found: set[tuple[int, int]] = set()
        for reading in Spelled.readings(text):
            found.update(reading.find(self._pattern))
            found.update(reading.find_numbers(self._numbers))
        parts: list[str] = []
        at = 0
        for start, end in sorted(found):
            if start >= at:
                parts += [text[at:start], HIDDEN]
            at = max(at, end)
        return "".join([*parts, text[at:]])

    def masked_tree(self, tree: Tree) -> Tree:
        """Mask every text, names of members included: a secret may be the key of a map."""
        if isinstance(tree, str):
            return self.masked(tree)
        if isinstance(tree, JsonNumber):
            return HIDDEN if tree.text in self.texts or as_number(tree.text) in self._numbers else tree
        if isinstance(tree, list):
            return [self.masked_tree(part) for part in tree]
        if isinstance(tree, dict):
            return {self.masked(name): self.masked_tree(part) for name, part in tree.items()}
        return tree

    def masked_observations(self, observations: Observations) -> Tree:
        """Mask observations. What a document calls sensitive is hidden there, however short it is."""
        return {
            place: self.masked_tree(hidden_document(observation, lambda _value: HIDDEN))
            for place, observation in observations.items()
        }

    def masked_findings(self, findings: Iterable[Finding]) -> list[Finding]:
        """Mask findings. A finding that follows from another one names the signature that the other one has then."""
        findings = list(findings)
        masked = [self.masked_finding(finding) for finding in findings]
        pairs = zip(findings, masked, strict=True)
        digests = {before.signature.digest: after.signature.digest for before, after in pairs}
        return [replace(each, follows=tuple(digests.get(digest, digest) for digest in each.follows)) for each in masked]

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
        """Return whether a field is sensitive, is inside of a sensitive one, or contains one."""
        return any(_is_within(field, place) or _is_within(place, field) for place in self.places)


def _is_within(inner: str, outer: str) -> bool:
    return inner.startswith(outer) and inner[len(outer) :][:1] in ("", ".", "[")


def secrets_of(case: Case | None, observations: Mapping[str, Observations]) -> Secrets:
    """Return the sensitive values of a case and of what was observed. `case` is None where it could not be read."""
    texts = {
        part
        for value in sensitive_values(case, observations)
        for part in _parts(value.text if isinstance(value, JsonNumber) else str(value))
    }
    places = {
        place
        for each in observations.values()
        for observation in each.values()
        for place in _sensitive_places(observation)
    }
    return Secrets(frozenset(texts), frozenset(places))


def _parts(text: str) -> Iterator[str]:
    """Return the text, and its lines."""
    for part in (text, *(line.strip() for line in text.splitlines())):
        if len(part.strip()) >= SHORTEST:
            yield part


def _sensitive_places(observation: Mapping[str, Tree]) -> Iterable[str]:
    marker = "\0"
    for name, part in hidden_document(observation, lambda _value: marker).items():
        yield from _marked_places(keyed(part, layout_of(name)), name, marker)


def _marked_places(tree: Tree, path: str, marker: str) -> Iterator[str]:
    if tree == marker:
        yield path
    elif isinstance(tree, dict):
        for name, part in tree.items():
            yield from _marked_places(part, f"{path}.{name}", marker)
    elif isinstance(tree, list):
        for index, part in enumerate(tree):
            yield from _marked_places(part, f"{path}[{index}]", marker)
