"""All mutants. Identifiers are those of the list of differences that a second engine is known to have: B bugs, C
changes that are meant elsewhere and not here, M features that are missing, O what is obsolete, L defects found by
reading; and S, places where an order or a rule is easily turned round. A letter behind the number tells variants apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from harness.mutants.catalogue import bugs, changes, defects, missing, seeds
from harness.mutants.mutant import Mutant, UnknownMutantError

__all__ = ["MUTANTS", "mutant_named"]

MUTANTS: Final[Mapping[str, Mutant]] = {
    mutant.identifier: mutant for module in (bugs, changes, missing, defects, seeds) for mutant in module.MUTANTS
}


def mutant_named(identifier: str) -> Mutant:
    found = MUTANTS.get(identifier)
    if found is None:
        raise UnknownMutantError(f"there is no mutant {identifier}: `diffharness mutants list` shows all")
    return found
