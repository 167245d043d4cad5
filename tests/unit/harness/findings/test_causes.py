"""Causes: which findings are put together, which never are, and that no case is lost."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from harness.compare.ruling import Ruling
from harness.findings.causes import find_causes
from harness.findings.finding import Finding, Standing
from harness.findings.result import CaseResult
from harness.findings.weight import Weight
from tests.unit.harness.findings.sample_results import finding, following, result


def shapes_by_cause(*results: CaseResult) -> list[set[str]]:
    return [{signature.shape for signature in cause.signatures} for cause in find_causes(results)]


def test_signatures_that_always_come_together_are_one_cause() -> None:
    both = finding("state.x"), finding("plan_events[read]")
    (cause,) = find_causes([result("a/1", *both), result("a/2", *both), result("a/3")])
    assert (cause.cases, cause.weight, cause.example) == (("a/1", "a/2"), Weight.STATE, both[0])
    assert [signature.shape for signature in cause.signatures] == ["state.x", "plan_events[read]"]


def test_signatures_that_meet_by_chance_are_two_causes() -> None:
    one, two = finding("state.x"), finding("state.y")
    found = shapes_by_cause(result("a/1", one, two), result("a/2", one), result("a/3", one), result("a/4", two))
    assert found == [{"state.x"}, {"state.y"}]


def test_a_part_of_a_frequent_cause_joins_it_only_above_chance() -> None:
    often, rare = finding("state.x"), finding("state.y")
    showing = [result(f"a/{number}", often, *([rare] if number < 2 else [])) for number in range(4)]
    equal = [result(f"b/{number}") for number in range(12)]
    assert shapes_by_cause(*showing) == [{"state.x"}, {"state.y"}]
    assert shapes_by_cause(*showing, *equal) == [{"state.x", "state.y"}]


def test_two_crashes_and_two_errors_are_never_one_cause() -> None:
    crashes = [finding(shape, ruling=Ruling.CRASH, kind="crash") for shape in ("KeyError in f", "KeyError in g")]
    errors = [finding(f"diagnostics[error: {text}]", kind="surplus") for text in ("Bad", "Worse")]
    assert len(shapes_by_cause(result("a/1", *crashes), result("a/2", *crashes))) == 2
    assert len(shapes_by_cause(result("a/1", *errors), result("a/2", *errors))) == 2


def test_engines_do_not_share_causes() -> None:
    both = finding("state.x"), finding("state.x", "other")
    assert len(find_causes([result("a/1", *both), result("a/2", *both)])) == 2


def test_a_consequence_is_listed_under_its_cause_and_is_none_itself() -> None:
    reason = finding("state.x")
    (cause,) = find_causes([result("a/1", reason, following("apply_summary", reason))])
    assert [each.shape for each in cause.signatures] == ["state.x"]
    assert [each.shape for each in cause.consequences] == ["apply_summary"]


def test_the_example_shows_what_is_worst_and_usual() -> None:
    """The page of a crash once opened with a case in which only a message was worded differently."""
    crash, worded = finding("boom", ruling=Ruling.CRASH, known="K"), finding("diagnostics[error: Bad]", known="K")
    rare, other = finding("odd", ruling=Ruling.CRASH, known="K"), finding("state.x", known="L")
    found = find_causes(
        [
            result("a/0", worded),
            result("a/1", replace(crash, standing=Standing.MAY_FOLLOW), other),
            result("a/2", rare),
            result("b/0", crash, evidence="more"),
            result("b/1", other, crash),
            result("c/0", other),
        ]
    )
    assert [(cause.smallest, cause.example) for cause in found] == [("b/1", crash), ("c/0", other)]


def test_documented_findings_are_the_cause_of_their_entry() -> None:
    found = [result("a/1", finding("state.x", known="mine"), finding("state.y")), result("a/2", finding("state.y"))]
    new, known = find_causes(found, {"mine": "bug"}, {"mine": "My title"})
    assert (known.identifier, known.known, known.category, known.title) == ("mine", "mine", "bug", "My title")
    assert (new.known, new.category, new.cases) == ("", "", ("a/1", "a/2"))


def test_features_predict_a_cause_if_its_cases_alone_have_them() -> None:
    found = finding("state.x")
    (cause,) = find_causes(
        [
            result("a/1", found, features=("moved block", "argument count")),
            result("a/2", found, tags=("mine",), features=("moved block", "argument count")),
            result("a/3", features=("argument count",)),
        ]
    )
    assert cause.features == ("moved block",)
    assert cause.title.startswith("With a moved block: ")


def test_the_identifier_does_not_depend_on_lighter_signatures() -> None:
    heavy, light = finding("state.x"), finding("plan_events[read]")
    (one,) = find_causes([result("a/1", heavy)])
    (other,) = find_causes([result("a/1", heavy, light), result("a/9")])
    assert one.identifier == other.identifier


SHAPES = ("state.x", "state.y", "plan_events[read]", "diagnostics[error: Bad]", "diagnostics[error: Worse]")


@st.composite
def results(draw: st.DrawFn) -> list[CaseResult]:
    def findings() -> list[Finding]:
        own = [finding(shape) for shape in draw(st.lists(st.sampled_from(SHAPES), max_size=4, unique=True))]
        later = draw(st.lists(st.sampled_from(SHAPES), max_size=2, unique=True)) if own else []
        standings = st.sampled_from([Standing.FOLLOWS, Standing.MAY_FOLLOW])
        return own + [
            following(shape, draw(st.sampled_from(own)), place="step 2 (plan v2)", standing=draw(standings))
            for shape in later
        ]

    return [result(f"a/{number}", *findings()) for number in range(draw(st.integers(0, 6)))]


@given(results())
def test_no_case_with_findings_is_lost_and_no_other_is_blamed(found: list[CaseResult]) -> None:
    causes = find_causes(found)
    assert {case for cause in causes for case in cause.cases} == {each.identifier for each in found if each.findings}


@given(results())
def test_every_finding_by_itself_is_in_exactly_one_cause_that_names_its_case(found: list[CaseResult]) -> None:
    causes = find_causes(found)
    for each in found:
        for own in (one for one in each.findings if one.standing is Standing.OWN):
            (cause,) = (cause for cause in causes if own.signature in cause.signatures)
            assert each.identifier in cause.cases


@given(results(), st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(found: list[CaseResult], chance: random.Random) -> None:
    shuffled = list(found)
    chance.shuffle(shuffled)
    assert find_causes(shuffled) == find_causes(found)
