"""Testing many members at once finds the same ones as testing each alone, with fewer tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from harness.trials.group_testing import Group, divide_into_groups, find_effective

NAMES = [f"m{number:02}" for number in range(20)]
chances = st.dictionaries(st.sampled_from(NAMES), st.floats(0.001, 0.999), min_size=1)
subsets = st.sets(st.sampled_from(NAMES))


@given(chances, subsets, subsets, st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))))
def test_exactly_the_effective_candidates_are_found(
    chances: dict[str, float], effective: set[str], idle: set[str], enemies: set[tuple[str, str]]
) -> None:
    """Members that are no candidates have no effect."""
    tested: list[tuple[str, ...]] = []

    def has_effect(members: tuple[str, ...]) -> bool:
        tested.append(members)
        return not effective.isdisjoint(members)

    def may_combine(members: Sequence[str]) -> bool:
        return not any(one in members and other in members and one != other for one, other in enemies)

    candidates = set(chances) - (idle - effective)
    groups = divide_into_groups(chances, may_combine)
    assert sorted(name for group in groups for name in group.members) == sorted(chances)
    assert sorted(find_effective(groups, candidates, has_effect)) == sorted(candidates & effective)
    assert all(map(may_combine, tested))
    assert len(set(tested)) == len(tested)


class Recorder(list[tuple[str, ...]]):
    """Tests that were made. All of them have the same result."""

    def __init__(self, result: bool) -> None:
        super().__init__()
        self.result = result

    def __call__(self, members: tuple[str, ...]) -> bool:
        self.append(members)
        return self.result


def test_rare_effects_take_few_tests_and_frequent_ones_are_tested_alone() -> None:
    groups = divide_into_groups({**dict.fromkeys(NAMES, 0.01), "often": 0.9})
    assert Group(("often",)) in groups
    tests = Recorder(False)
    assert list(find_effective(groups, {*NAMES, "often"}, tests)) == []
    assert len(tests) == 2


def test_a_single_candidate_is_tested_alone() -> None:
    """Then the run with it is known, and need not be repeated."""
    tests = Recorder(True)
    groups = divide_into_groups(dict.fromkeys(NAMES, 0.01))
    assert list(find_effective(groups, {"m03"}, tests)) == ["m03"]
    assert tests == [("m03",)]


def _nested(groups: Sequence[Group]) -> Iterator[Group]:
    for group in groups:
        yield group
        yield from _nested(group.parts)


@given(chances)
def test_groups_consist_of_their_parts(chances: dict[str, float]) -> None:
    for group in _nested(divide_into_groups(chances)):
        assert not group.parts or tuple(name for part in group.parts for name in part.members) == group.members
        assert len(group.members) == 1 or group.parts
