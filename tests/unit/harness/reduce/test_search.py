"""The search: passes are repeated until none helps, deterministically and within the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pytest

from harness.compare.ruling import Ruling
from harness.findings.signature import Signature
from harness.reduce.passes.reduction_pass import Pass
from harness.reduce.predicate import SignaturePredicate
from harness.reduce.search import BudgetSpentError, Limits, Search
from harness.reduce.specimens.specimen import Specimen, SpecimenChange
from tests.unit.harness.reduce.sample_specimens import make_specimen

SIGNATURE: Final = Signature("new", "plan", Ruling.DIFFERS, "plan", "value")


@dataclass(slots=True)
class _Contains(SignaturePredicate):
    """Specimens are interesting if their files contain all the given words."""

    words: tuple[str, ...] = ()

    def is_interesting(self, specimen: Specimen) -> bool:
        return all(any(word in text for text in specimen.files.values()) for word in self.words)


def drop_files(specimen: Specimen) -> list[SpecimenChange]:
    return [SpecimenChange(without=frozenset([path])) for path in sorted(specimen.files)]


def search(*words: str, number: int = 16, limits: Limits | None = None) -> Search:
    files = {f"v1__f{index:02}": f"# w{index:02}" for index in range(number)}
    predicate = _Contains(SIGNATURE, ("legacy", "new"), (), True, frozenset(), words=words)
    return Search(predicate, make_specimen("", **files), limits or Limits())


def remaining_texts(one: Search) -> Sequence[str]:
    return sorted(text for text in one.best.files.values() if text)


@pytest.mark.parametrize("at_once", [False, True])
def test_only_what_is_interesting_is_left(at_once: bool) -> None:
    one = search("w03", "w11")
    one.run([Pass(drop_files, "dropped files", at_once=at_once)])
    assert remaining_texts(one) == ["# w03", "# w11"]
    assert one.history[0].action == "as it was"
    assert {step.action for step in one.history[1:]} == {"dropped files"}


def test_many_changes_at_once_take_fewer_trials() -> None:
    single, combined = search("w03"), search("w03")
    single.run([Pass(drop_files, "")])
    combined.run([Pass(drop_files, "", at_once=True)])
    assert remaining_texts(single) == remaining_texts(combined)
    assert combined.trials < single.trials


def test_the_budget_ends_the_search_and_keeps_the_best_so_far() -> None:
    one = search("w03", limits=Limits(trials=4))
    with pytest.raises(BudgetSpentError):
        one.run([Pass(drop_files, "")])
    assert one.trials == 4
    assert "# w03" in remaining_texts(one)


def test_nothing_is_tried_twice_and_nothing_larger_at_all() -> None:
    one = search("w03", number=4)
    larger = one.best.changed(SpecimenChange(files={"v1/more.tf": "# more"}))
    assert not one.attempt(larger, "")
    assert one.trials == 0
    smaller = one.best.changed(SpecimenChange(without=frozenset(["v1/f03.tf"])))
    assert not one.attempt(smaller, "")
    assert not one.attempt(smaller, "")
    assert one.trials == 1


def test_a_new_syntax_error_costs_no_trial() -> None:
    one = search("locals")
    one.best = make_specimen("locals {\n  a = 1\n}\n")
    assert not one.attempt(make_specimen("locals {"), "")
    assert one.trials == 0
