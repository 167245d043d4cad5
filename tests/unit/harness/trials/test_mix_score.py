"""Causes are perfect if they are the mutants: as many, and each with the cases of one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.trials.mix_score import CauseCases, ExpectedCause, MixScore, expect_causes, score_mix, summarise

TEN = frozenset(f"a/{number}" for number in range(10))
B = frozenset({"b/1", "b/2"})
SHARED = frozenset({"c/1"})


def expected(**cases: tuple[frozenset[str], frozenset[str]]) -> list[ExpectedCause]:
    return [ExpectedCause(name, must, may) for name, (must, may) in cases.items()]


TWO = expected(A=(TEN, TEN | SHARED), B=(B, B | SHARED))


def scored(causes: Mapping[str, frozenset[str]], wanted: list[ExpectedCause] = TWO) -> MixScore:
    return score_mix(wanted, [CauseCases(title, cases) for title, cases in causes.items()])


@pytest.mark.parametrize("shared_with", [{"one"}, {"two"}, {"one", "two"}, set[str]()])
def test_a_case_that_both_show_may_be_in_either_cause_or_in_both(shared_with: set[str]) -> None:
    found = scored(
        {name: cases | SHARED if name in shared_with else cases for name, cases in (("one", TEN), ("two", B))}
    )
    assert found.is_perfect
    assert found.is_exact
    assert found.problems == ()
    assert found.purity == 1
    assert [name for name, _ in found.causes] == ["A", "B"]


def test_a_tenth_of_the_cases_may_be_missing() -> None:
    nine = scored({"one": TEN - {"a/0"}, "two": B})
    assert (nine.is_perfect, nine.is_exact) == (True, False)
    assert nine.problems == ("A lacks 1 of the 10 cases that it must have",)
    eight = scored({"one": TEN - {"a/0", "a/1"}, "two": B})
    assert not eight.is_perfect


def test_no_case_of_another_mutant_may_be_there() -> None:
    found = scored({"one": TEN | {"b/1"}, "two": B})
    assert not found.is_perfect
    assert found.purity == pytest.approx((10 / 11 + 1) / 2)
    assert found.problems == ('"one" is A, but 1 of its 11 cases do not show it',)


def test_a_split_is_described() -> None:
    found = scored({"one": TEN, "two": B, "three": frozenset({"a/0", "a/1"})})
    assert not found.is_perfect
    assert found.problems == ("A is split into 2 causes, of 10 and 2 cases",)


def test_a_merge_is_described() -> None:
    found = scored({"one": TEN | B})
    assert not found.is_perfect
    assert found.problems == (
        '"one" is A, but 2 of its 12 cases do not show it',
        'B is merged: 2 of 2 cases are in "one", which is A',
    )


def test_what_is_in_no_cause_and_what_is_of_no_mutant_is_described() -> None:
    found = scored({"one": TEN, "else": frozenset({"x/1"})})
    assert not found.is_perfect
    assert found.problems == (
        "B was not found: none of the 2 cases that it must have is in a cause",
        '"else" has no case of any mutant',
    )
    assert scored({}).problems[0].startswith("A was not found")


def test_a_mutant_that_does_not_show_may_have_a_cause_but_not_two() -> None:
    wanted = [*TWO, ExpectedCause("C", frozenset(), frozenset({"d/1", "d/2"}))]
    causes = {"one": TEN, "two": B}
    assert scored(causes, wanted).is_perfect
    assert scored({**causes, "three": frozenset({"d/1"})}, wanted).is_perfect
    assert not scored({**causes, "three": frozenset({"d/1"}), "four": frozenset({"d/2"})}, wanted).is_perfect
    assert scored(causes, wanted).showing == ("A", "B")


def test_a_small_cause_inside_a_large_one_belongs_to_the_small_mutant() -> None:
    wanted = expected(A=(TEN, TEN), S=(frozenset({"a/0"}), frozenset({"a/0"})))
    found = scored({"small": frozenset({"a/0"}), "large": TEN}, wanted)
    assert [name for name, _ in found.causes] == ["S", "A"]
    assert found.is_exact


def test_a_mutant_must_have_the_cases_with_a_difference_that_no_other_makes() -> None:
    """In `both` each makes one of its own. In `same` they make the same. In `hidden` only that of A is left."""
    truth = {
        "A": {"only": frozenset("1"), "both": frozenset("12"), "same": frozenset("3"), "hidden": frozenset("4")},
        "B": {"both": frozenset("23"), "same": frozenset("3"), "hidden": frozenset("5"), "gone": frozenset("6")},
    }
    seen = {"only": "1", "both": "123", "same": "3", "hidden": "4"}
    a, b = expect_causes(["A", "B"], truth, seen)
    assert a == ExpectedCause("A", frozenset({"only", "both", "hidden"}), frozenset({"only", "both", "same", "hidden"}))
    assert b == ExpectedCause("B", frozenset({"both"}), frozenset({"both", "same", "hidden"}))


def test_the_summary_counts_causes_per_mutant_that_shows() -> None:
    perfect, split = scored({"one": TEN, "two": B}), scored({"one": TEN, "two": B, "three": frozenset({"a/0"})})
    summary = summarise([perfect, split])
    assert (summary.mixes, summary.perfect, summary.exact, summary.purity) == (2, 1, 1, 1)
    assert summary.causes_per_mutant == 5 / 4


cases = st.frozensets(st.sampled_from(sorted(TEN)), min_size=1)


@given(st.lists(st.tuples(cases, cases), min_size=1, max_size=4), st.lists(cases, max_size=5))
def test_exact_is_perfect_and_the_mutants_themselves_are_exact(
    wanted: list[tuple[frozenset[str], frozenset[str]]], found: list[frozenset[str]]
) -> None:
    expected_causes = [ExpectedCause(str(n), must, must | may) for n, (must, may) in enumerate(wanted)]
    score = score_mix(expected_causes, [CauseCases("", each) for each in found])
    assert score.is_perfect or not score.is_exact
    assert len(found) == len(wanted) or not score.is_perfect
    assert 0 <= score.purity <= 1
    assert score_mix(expected_causes, [CauseCases("", each.must) for each in expected_causes]).is_exact
