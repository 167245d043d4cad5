"""Where two engines part: at the deepest shared function that behaves differently although nothing before it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.findings.partings import (
    Call,
    OperationCalls,
    Parting,
    PartingKind,
    Place,
    find_partings,
    partings_from_json,
    partings_to_json,
)

A, B, C = (Place("shared_nodes/things.py", number, name) for number, name in ((10, "a"), (20, "b"), (30, "c")))


class Recorder:
    """Makes calls with growing times."""

    def __init__(self) -> None:
        self._times: Iterator[int] = count(1)

    def call(
        self,
        place: Place,
        arguments: int = 0,
        result: int = 0,
        calls: Sequence[Call] = (),
        *,
        is_bound: bool = False,
        is_closed: bool = False,
    ) -> Call:
        began = next(self._times)
        return Call(place, arguments, began, is_bound, is_closed, next(self._times), result, list(calls))


def plan(*calls: Call) -> list[OperationCalls]:
    return [OperationCalls("plan", list(calls))]


def part(baseline: Sequence[OperationCalls], candidate: Sequence[OperationCalls]) -> list[tuple[str, str]]:
    return [(each.kind.value, each.place.function) for each in find_partings(baseline, candidate)]


def test_engines_that_make_the_same_calls_in_another_order_do_not_part() -> None:
    call = Recorder().call
    assert part(plan(call(A), call(B, result=1)), plan(call(B, result=1), call(A))) == []


def test_the_deepest_function_that_answers_differently_is_the_place() -> None:
    call = Recorder().call
    wanted = plan(call(A, result=1, calls=[call(B, result=1)]))
    assert part(wanted, plan(call(A, result=2, calls=[call(B, result=2)]))) == [("answers", "b")]


def test_a_function_whose_arguments_say_everything_contradicts_them() -> None:
    call = Recorder().call
    assert part(plan(call(A, result=1)), plan(call(A, result=2, is_closed=True))) == [("contradicts", "a")]


def test_a_function_that_calls_something_else_is_the_place_even_if_it_answers_alike() -> None:
    call = Recorder().call
    wanted = plan(call(A, calls=[call(B), call(C)]))
    assert part(wanted, plan(call(A, calls=[call(B), call(C, arguments=1)]))) == [("acts", "a")]
    assert part(wanted, plan(call(A, calls=[call(B)]))) == [("acts", "a")]


def test_what_follows_a_different_answer_in_the_same_function_is_not_its_fault() -> None:
    call = Recorder().call
    wanted = plan(call(A, calls=[call(B, result=1), call(C, arguments=1)]))
    assert part(wanted, plan(call(A, calls=[call(B, result=2), call(C, arguments=2)]))) == [("answers", "b")]


def test_what_something_mutable_answers_is_no_place() -> None:
    call = Recorder().call
    assert part(plan(call(A, result=1)), plan(call(A, result=2, is_bound=True))) == []


def test_calls_that_only_one_engine_makes_are_strays() -> None:
    call = Recorder().call
    found = part(plan(call(A), call(B)), plan(call(A), call(C)))
    assert sorted(found) == [("added", "c"), ("missing", "b")]


def test_a_function_that_remembers_its_answer_is_known() -> None:
    call = Recorder().call
    wanted = plan(call(A, calls=[call(B)]), call(A))
    assert ("remembers", "a") in part(wanted, plan(call(A, calls=[call(B)])))


def test_a_step_that_is_repeated_is_compared_with_the_one_that_it_repeats() -> None:
    call = Recorder().call
    wanted = [*plan(call(A, arguments=1)), *plan(call(A, arguments=2, result=1), call(B))]
    made = [*plan(call(A, arguments=1)), *plan(call(A, arguments=3)), *plan(call(A, arguments=2, result=7), call(B))]
    assert ("answers", "a") in part(wanted, made)


def test_an_operation_without_counterpart_is_left_out() -> None:
    call = Recorder().call
    assert part([], plan(call(A))) == []


PLACES = st.builds(Place, st.text(max_size=5), st.integers(0, 999), st.text(max_size=5))
PARTINGS = st.lists(st.builds(Parting, st.sampled_from(PartingKind), PLACES), max_size=4).map(tuple)


@given(st.dictionaries(st.text(max_size=4), PARTINGS, max_size=4))
def test_partings_survive_being_written(partings: dict[str, tuple[Parting, ...]]) -> None:
    assert partings_from_json(partings_to_json(partings)) == partings


@pytest.mark.parametrize(
    "tree", [None, {}, {"places": [], "cases": {"a": [["acts", 0]]}}, {"places": [1], "cases": {}}]
)
def test_anything_else_is_rejected(tree: object) -> None:
    with pytest.raises((TypeError, ValueError, LookupError, AttributeError)):
        partings_from_json(tree)
