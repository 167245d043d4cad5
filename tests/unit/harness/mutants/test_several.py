"""Several mutants at once: all are active, in child processes as well, and none is afterwards."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from harness.cli.support.options import mutant_option
from harness.mutants.activation import active_mutants, apply_mutants
from harness.mutants.catalogue import MUTANTS
from harness.mutants.patching import find_function
from harness.mutants.source import PatchError, targets_of
from new_engine.compat.profile import profile_of


def test_all_are_in_force_and_none_afterwards() -> None:
    names = ["M07", "M28", "C01", "C02"]
    functions = [find_function(targets_of(MUTANTS[name])[0]) for name in names]
    before = [function.__code__ for function in functions]
    with apply_mutants(",".join(names)):
        assert active_mutants() == "M07,M28,C01,C02"
        assert all(function.__code__ is not code for function, code in zip(functions, before, strict=True))
        with apply_mutants(""):
            assert active_mutants() == "M07,M28,C01,C02"
    assert active_mutants() == ""
    assert all(function.__code__ is code for function, code in zip(functions, before, strict=True))


def test_two_in_one_function_are_both_made() -> None:
    with apply_mutants("C01,C02"):
        both = profile_of([])
        with apply_mutants("C05"):
            assert profile_of([]).changes_only
        assert profile_of([]) == both
    assert both.other_wording
    assert both.self_references_at_validate
    assert not profile_of([]).other_wording


@pytest.mark.parametrize("names", ["M11,M19", "M19,M11", "S58,O02", "O02,S58"])
def test_the_order_does_not_matter(names: str) -> None:
    with apply_mutants(names):
        assert active_mutants() == names


def test_two_that_change_the_same_lines_are_refused() -> None:
    with pytest.raises(PatchError, match="other edits have changed these lines already"), apply_mutants("S10,S11"):
        pass
    assert active_mutants() == ""


def test_the_option_takes_several_in_either_way() -> None:
    @click.command()
    @mutant_option
    def show(mutant: str) -> None:
        click.echo(mutant)

    def shown(*arguments: str) -> str:
        return CliRunner().invoke(show, arguments).output.strip()

    assert shown("--mutant", "M07", "--mutant", "M28,M07") == "M07,M28"
    assert shown() == ""
    assert "M99" in shown("--mutant", "M07,M99")
    assert "other edits have changed these lines already" in shown("--mutant", "S10,S11")
