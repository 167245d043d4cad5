"""The catalogue: every mutant fits the source, and can be applied and removed."""

from __future__ import annotations

import re
from typing import Final

import pytest

from harness.mutants.activation import apply_mutant
from harness.mutants.catalogue import (
    MUTANTS,
    UnknownMutantError,
    bugs,
    changes,
    defects,
    missing,
    mutant_named,
    order_rules,
    value_rules,
)
from harness.mutants.catalogue.mutant import Mutant
from harness.mutants.patching import find_function
from harness.mutants.source import mutate, parse_diff, targets_of

MODULES: Final = (bugs, changes, missing, defects, order_rules, value_rules)
ALL: Final = [mutant for module in MODULES for mutant in module.MUTANTS]


def test_identifiers_are_unique_and_there_are_enough() -> None:
    assert len(MUTANTS) == len(ALL) >= 90
    assert all(re.fullmatch(r"[BCMOLS]\d\d[a-z]?", identifier) for identifier in MUTANTS)
    assert all(mutant.kind == identifier[0] for identifier, mutant in MUTANTS.items())


@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.identifier)
def test_mutant_fits_the_source(mutant: Mutant) -> None:
    """Each of its hunks is found once, inside a function, and the result compiles. If this fails, the lines that the
    mutant changes have been edited: adapt its diff to the new lines."""
    assert mutant.module.startswith(("shared_nodes.", f"{mutant.engine}_engine."))
    codes = mutate(mutant.module, parse_diff(mutant.change))
    assert all(code.original != code.mutated for code in codes.values())
    assert mutant.breaks.endswith(".")


@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.identifier)
def test_mutant_is_applied_and_undone(mutant: Mutant) -> None:
    functions = [find_function(target) for target in targets_of(mutant)]
    before = [function.__code__ for function in functions]
    with apply_mutant(mutant):
        assert all(function.__code__ is not code for function, code in zip(functions, before, strict=True))
    assert all(function.__code__ is code for function, code in zip(functions, before, strict=True))


def test_an_unknown_name_is_reported() -> None:
    with pytest.raises(UnknownMutantError, match="there is no mutant B99: `diffharness mutants list` shows all"):
        mutant_named("B99")
