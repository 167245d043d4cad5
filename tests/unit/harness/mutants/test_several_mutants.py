"""Several mistakes at once: all of them in force, in other processes as well, and none afterwards."""

from __future__ import annotations

import click
from click.testing import CliRunner

from harness.cli.support.options import mutant_option
from harness.mutants.catalogue import mutant_named
from harness.mutants.mutant import in_force, mutated, original_of


def test_all_are_in_force_and_none_afterwards() -> None:
    mutants = [mutant_named("M07"), mutant_named("M28"), mutant_named("C01"), mutant_named("C02")]
    before = [original_of(mutant) for mutant in mutants]
    with mutated("M07,M28,C01,C02"):
        assert in_force() == "M07,M28,C01,C02"
        assert all(original_of(mutant) is not one for mutant, one in zip(mutants, before, strict=True))
        with mutated(""):
            assert in_force() == "M07,M28,C01,C02"
    assert in_force() == ""
    assert [original_of(mutant) for mutant in mutants] == before


def test_the_option_takes_several_in_either_way() -> None:
    @click.command()
    @mutant_option
    def told(mutant: str) -> None:
        click.echo(mutant)

    def said(*arguments: str) -> str:
        return CliRunner().invoke(told, arguments).output.strip()

    assert said("--mutant", "M07", "--mutant", "M28,M07") == "M07,M28"
    assert said() == ""
    assert "M99" in said("--mutant", "M07,M99")
