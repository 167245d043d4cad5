"""All mutants, by identifier, in one module per class.

Identifiers are those of the list of differences that a second engine is known to have: B bugs; C changes that are
intended elsewhere and not here; M missing features; O obsolete features; L defects found by reading; and S, rules that
are easily inverted (`order_rules.py` and `value_rules.py`). A letter after the number distinguishes variants.
`known_cases.py` names a case of the corpus that shows each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Final

from harness.mutants.catalogue import bugs, changes, defects, missing, order_rules, value_rules
from harness.mutants.catalogue.mutant import Mutant

__all__ = ["MUTANTS", "UnknownMutantError", "mutant_named"]


class UnknownMutantError(Exception):
    """There is no mutant of this name."""


_RULES: Final = sorted((*order_rules.MUTANTS, *value_rules.MUTANTS), key=attrgetter("identifier"))

MUTANTS: Final[Mapping[str, Mutant]] = {
    mutant.identifier: mutant
    for mutants in (bugs.MUTANTS, changes.MUTANTS, missing.MUTANTS, defects.MUTANTS, _RULES)
    for mutant in mutants
}


def mutant_named(identifier: str) -> Mutant:
    found = MUTANTS.get(identifier)
    if found is None:
        raise UnknownMutantError(f"there is no mutant {identifier}: `diffharness mutants list` shows all")
    return found
