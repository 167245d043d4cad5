"""Which of the places where engines part are those of causes: where nothing came before, and no common noise."""

from __future__ import annotations

from harness.findings.cause_places import choose_places
from harness.findings.partings import CasePartings, Parting, PartingKind, Place

FIRST, LATER, ELSEWHERE = (Place("shared_nodes/things.py", number, f"f{number}") for number in (1, 2, 3))
OTHERS: CasePartings = {f"other/{number}": () for number in range(50)}


def answers(*places: Place) -> tuple[Parting, ...]:
    return tuple(Parting(PartingKind.ANSWERS, place) for place in places)


def chosen(partings: CasePartings) -> dict[Place, frozenset[str]]:
    return choose_places({**OTHERS, **partings}, set(partings))


def test_what_always_comes_later_is_a_consequence() -> None:
    cases = {"a": answers(FIRST, LATER), "b": answers(FIRST, LATER), "c": answers(FIRST)}
    assert chosen(cases) == {FIRST: frozenset("abc")}


def test_a_place_that_comes_first_elsewhere_is_a_second_cause() -> None:
    cases = {"a": answers(FIRST, LATER), "b": answers(LATER)}
    assert chosen(cases) == {FIRST: frozenset("a"), LATER: frozenset("ab")}


def test_a_function_that_contradicts_its_arguments_is_a_place_wherever_it_comes() -> None:
    contradiction = Parting(PartingKind.CONTRADICTS, LATER)
    cases = {name: (*answers(FIRST), contradiction) for name in "ab"}
    assert chosen(cases) == {FIRST: frozenset("ab"), LATER: frozenset("ab")}


def test_where_other_cases_part_as_well_is_no_place() -> None:
    others = {f"other/{number}": answers(FIRST) for number in range(25)}
    cases = {"a": answers(FIRST), "b": answers(FIRST, LATER), "c": answers(LATER)}
    assert choose_places({**OTHERS, **others, **cases}, set(cases)) == {LATER: frozenset("bc")}


def test_a_mistake_that_often_does_not_show_keeps_its_place() -> None:
    silent = {f"other/{number}": answers(FIRST) for number in range(10)}
    cases = {f"a{number}": answers(FIRST) for number in range(20)}
    assert choose_places({**OTHERS, **silent, **cases}, set(cases)) == {FIRST: frozenset({*silent, *cases})}


def test_a_stray_that_no_other_case_has_comes_before_all_that_follows() -> None:
    stray = Parting(PartingKind.ADDED, ELSEWHERE)
    cases = {name: (stray, *answers(LATER)) for name in "ab"}
    assert chosen(cases) == {}
    usual = {f"other/{number}": (stray,) for number in range(3)}
    assert choose_places({**OTHERS, **usual, **cases}, set(cases)) == {LATER: frozenset("ab")}


def test_what_a_function_calls_says_nothing_if_it_remembers() -> None:
    acts = Parting(PartingKind.ACTS, FIRST)
    cases = dict.fromkeys("ab", (acts,))
    assert chosen(cases) == {FIRST: frozenset("ab")}
    remembers = {"other/1": (Parting(PartingKind.REMEMBERS, FIRST),)}
    assert choose_places({**OTHERS, **remembers, **cases}, set(cases)) == {}


def test_what_a_function_calls_in_a_single_case_may_be_due_to_something_else() -> None:
    assert chosen({"a": (Parting(PartingKind.ACTS, FIRST),)}) == {}


def test_a_way_of_parting_that_is_not_far_more_common_with_findings_is_no_place_of_theirs() -> None:
    """A mistake that is executed nearly everywhere and shows seldom would claim every case of all other mistakes."""
    acts = Parting(PartingKind.ACTS, FIRST)
    others = {f"other/{number}": (acts,) for number in range(40)}
    cases = {f"a{number}": (acts, *answers(LATER)) for number in range(100)}
    own = {f"b{number}": (acts, *answers(FIRST)) for number in range(5)}
    found = choose_places({**OTHERS, **others, **cases, **own}, {*cases, *own})
    assert found == {FIRST: frozenset(own), LATER: frozenset(cases)}


def test_what_a_function_leads_to_does_not_come_before_it() -> None:
    """It has called something else before, and answers differently only after that."""
    stray, acts = Parting(PartingKind.ADDED, ELSEWHERE), Parting(PartingKind.ACTS, FIRST)
    others = {**OTHERS, **{f"other/{number}": (acts,) for number in range(40)}}
    after = {name: (acts, stray, *answers(FIRST)) for name in "ab"}
    assert choose_places({**others, **after}, set(after)) == {FIRST: frozenset("ab")}
    before = {name: (stray, acts, *answers(FIRST)) for name in "ab"}
    assert choose_places({**others, **before}, set(before)) == {}
