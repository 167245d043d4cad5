"""Reductions of whole cases: planted differences become small cases that show the same signature, in every run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.case.case import read_case
from harness.case.unit import Unit, UnitKind
from harness.cli.shrink import shrink
from harness.execute.judge import judge_unit
from harness.findings.finding import leading
from harness.generate.campaign import CampaignOptions, run_campaign, save_stories
from harness.mutants.activation import apply_mutant
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule
from harness.reduce.predicate import SignaturePredicate, make_predicate
from harness.reduce.reduction import ReducedCase, reduce_case
from harness.reduce.saving import readme_line, reduce_saved, save_specimen
from harness.reduce.search import Limits
from harness.reduce.specimens.specimen import Specimen, read_specimen
from harness.trials.canary import CANARY

CORPUS = Path(__file__).parents[4] / "corpus"
LARGE = CORPUS / "faults" / "ten_resources"
ENGINES = ("legacy", "new")
STEP = {"op": "apply", "config": "v1"}


@pytest.fixture(scope="module")
def reduced() -> ReducedCase:
    """Return a reduced case. The original has 188 lines, of which the new engine plans nothing."""
    with apply_mutant(CANARY):
        return reduce_case(LARGE, ENGINES)


def contents(directory: Path) -> dict[str, bytes]:
    return {path.as_posix(): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def test_a_planted_difference_in_a_large_case_becomes_one_resource(reduced: ReducedCase) -> None:
    assert reduced.is_complete
    assert reduced.blocks == 1
    assert reduced.lines <= 3
    assert reduced.specimen.case_yaml["steps"] == [STEP]
    assert reduced.trials < 300


def test_it_is_a_case_that_shows_the_same(reduced: ReducedCase, tmp_path: Path) -> None:
    place, is_new = save_specimen(reduced.specimen, reduced.signature, tmp_path)
    assert is_new
    assert str(reduced.signature) in read_case(place).description
    with apply_mutant(CANARY):
        result = judge_unit(Unit(UnitKind.CASE, place), RunSpec(ENGINES))
    assert reduced.signature in {finding.signature for finding in leading(result.findings)}
    assert not judge_unit(Unit(UnitKind.CASE, place), RunSpec(ENGINES)).findings
    assert reduced.signature.digest in readme_line(reduced, place)


def test_it_is_the_same_every_time(reduced: ReducedCase) -> None:
    with apply_mutant(CANARY):
        assert reduce_case(LARGE, ENGINES) == reduced


def test_it_is_saved_once_unless_it_is_smaller_than_what_is_there(reduced: ReducedCase, tmp_path: Path) -> None:
    larger = Specimen(reduced.specimen.case_yaml, {**reduced.files, "v1/more.tf": "locals {\n}\n"})
    first, _ = save_specimen(larger, reduced.signature, tmp_path)
    before = contents(tmp_path)
    second, is_new = save_specimen(reduced.specimen, reduced.signature, tmp_path)
    assert (second.name, is_new) == (f"{first.name}-2", True)
    assert save_specimen(reduced.specimen, reduced.signature, tmp_path) == (second, False)
    assert before.items() <= contents(tmp_path).items()


def test_what_makes_the_baseline_differ_from_itself_is_refused(reduced: ReducedCase) -> None:
    """If two objects have one name, the order in which they are created depends on the schedule."""
    declared = 'terraform {\n  required_providers {\n    sim = { source = "dh.test/diffharness/sim" }\n  }\n}\n'
    things = "".join(f'resource "sim_thing" "{name}" {{\n  name = "a"\n}}\n' for name in "abcdef")
    case_yaml = {"description": "d", "steps": [STEP]}
    predicate = SignaturePredicate(reduced.signature, ENGINES, (Schedule(),), True, frozenset())
    with apply_mutant(CANARY):
        assert not predicate.is_interesting(Specimen(case_yaml, {"v1/main.tf": declared + things}))
        assert predicate.is_interesting(Specimen(case_yaml, {"v1/main.tf": declared + things[: len(things) // 6]}))


def test_what_is_reached_when_the_budget_is_spent_still_shows_it() -> None:
    with apply_mutant(CANARY):
        found = reduce_case(LARGE, ENGINES, limits=Limits(3))
        assert (found.trials, found.is_complete) == (3, False)
        assert make_predicate(found.specimen, ENGINES).signature == found.signature


def test_the_command_writes_to_its_directory_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    case = tmp_path / "area" / "case"
    Specimen(
        {"description": "d", "steps": [STEP, {"op": "destroy", "config": "v1"}]},
        {"v1/main.tf": 'resource "terraform_data" "long_name" {\n  input = "${1 + 2}"\n}\n', "v1/other.tf": "# none\n"},
    ).write(case)
    before = contents(tmp_path)
    with apply_mutant(CANARY):
        first = CliRunner().invoke(shrink, ["area/case", "--out", "out", "--json"], catch_exceptions=False)
        again = CliRunner().invoke(shrink, ["area/case", "--out", "out"], catch_exceptions=False)
    tree = json.loads(first.stdout)
    place = Path(tree["directory"])
    assert (place.parent.as_posix(), tree["written"], tree["blocks"], tree["lines"]) == ("out", True, 1, 2)
    assert (place / "v1" / "main.tf").read_text() == 'resource "terraform_data" "a" {\n}\n'
    assert "nothing written" in again.stdout
    assert f"for a README: - `{place.name}/` shows new: " in again.stdout
    assert {path for path in contents(tmp_path) if "/out/" not in path} == before.keys()


@pytest.mark.parametrize("options", [[], ["--signature", "0123456789"]])
def test_a_case_without_the_difference_is_refused_in_one_message(options: list[str], tmp_path: Path) -> None:
    case = CORPUS / "cases" / "expansion" / "for_each_over_a_set"
    result = CliRunner().invoke(shrink, [str(case), "--out", str(tmp_path / "out"), *options])
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: legacy and new do not differ here")
    assert not (tmp_path / "out").exists()


def test_what_a_campaign_finds_is_saved_small(tmp_path: Path) -> None:
    with apply_mutant(CANARY):
        campaign = run_campaign(CampaignOptions(seed=3, profile="medium", schedules=1), examples=1, minutes=None)
        causes = campaign.make_run({}).causes[:1]
        (place,) = save_stories(campaign, causes, tmp_path)
        whole = read_specimen(place)
        assert list(reduce_saved(campaign, causes, [place])) == [place]
        assert [each.name for each in tmp_path.iterdir()] == [place.name]
    assert read_specimen(place).rank < whole.rank
    (text,) = [file.read_text() for file in sorted(place.rglob("*.tf"))]
    assert len(text.splitlines()) <= 3
    assert "medium-3-0" in read_case(place).description
