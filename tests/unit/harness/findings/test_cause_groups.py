"""Groups of signatures are put together by their cases and features, if nothing else may be the reason."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.findings.cause_groups import Group, join_groups

COUNT = 100


def group(name: str, cases: str, *texts: str, subject: str = "new") -> Group[str]:
    return Group(name, subject, frozenset(cases), frozenset(texts), (name,))


def joined(*groups: Group[str], **features: str) -> list[str]:
    found = join_groups(groups, {name: frozenset(cases) for name, cases in features.items()}, COUNT)
    return sorted("+".join(sorted(each.members)) for each in found)


def test_a_rare_group_joins_the_only_one_that_shows_in_half_its_cases() -> None:
    assert joined(group("often", "abcdef"), group("rare", "a")) == ["often+rare"]
    assert joined(group("often", "abcdef"), group("rare", "ax")) == ["often+rare"]
    assert joined(group("often", "abcdef"), group("rare", "axy")) == ["often", "rare"]


def test_a_group_stays_by_itself_where_two_others_may_be_the_reason() -> None:
    assert joined(group("one", "abcdef"), group("two", "auvwxy"), group("rare", "a")) == ["one", "rare", "two"]


def test_what_shows_nearly_everywhere_is_the_reason_for_nothing() -> None:
    everywhere = frozenset(str(number) for number in range(COUNT // 2))
    often = Group("often", "new", everywhere, frozenset(), ("often",))
    rare = Group("rare", "new", frozenset("1"), frozenset(), ("rare",))
    assert joined(often, rare) == ["often", "rare"]


def test_different_crashes_and_errors_are_never_put_together() -> None:
    assert joined(group("often", "abc", "panic"), group("rare", "a", "error")) == ["often", "rare"]
    assert joined(group("often", "abc", "panic"), group("rare", "a", "panic")) == ["often+rare"]
    assert joined(group("often", "abc", "panic"), group("rare", "z", "error"), moved="abcz") == ["often", "rare"]
    assert joined(group("often", "abc"), group("rare", "a", "panic")) == ["often", "rare"], "a crash is not hidden"
    assert joined(group("often", "abc", "panic"), group("rare", "a")) == ["often+rare"]


def test_groups_of_different_engines_are_never_put_together() -> None:
    assert joined(group("often", "abc"), group("rare", "a", subject="legacy")) == ["often", "rare"]


def test_groups_without_a_common_case_are_put_together_by_a_rare_feature() -> None:
    groups = group("often", "abc"), group("rare", "z")
    assert joined(*groups) == ["often", "rare"]
    assert joined(*groups, moved="abcz") == ["often+rare"]
    assert joined(*groups, moved="abz") == ["often", "rare"], "a case of the other one lacks it"


def test_the_rarest_feature_decides() -> None:
    groups = group("one", "abc", "panic"), group("two", "def", "error"), group("rare", "z")
    assert joined(*groups, check="abcdefz", moved="defz") == ["one", "rare+two"]
    assert joined(*groups, check="abcdefz", moved="abcz") == ["one+rare", "two"]


def test_a_feature_that_many_cases_have_proves_nothing() -> None:
    assert joined(group("often", "abc"), group("rare", "z"), apply="abcdefghijklmnopqrstuvwxyz") == ["often", "rare"]


def test_a_feature_proves_nothing_if_something_else_differs_as_well() -> None:
    wide = frozenset("zyxw") | {str(number) for number in range(COUNT // 2)}
    ubiquitous = Group("wide", "new", wide, frozenset(), ("wide",))
    assert joined(group("often", "abc"), group("rare", "z"), ubiquitous, moved="abcz") == ["often", "rare", "wide"]


@given(
    st.lists(st.tuples(st.sets(st.sampled_from("abcdefgh"), min_size=1), st.sets(st.sampled_from("xy"), max_size=1)))
)
def test_every_member_is_kept_once_and_texts_stay_apart(drawn: list[tuple[set[str], set[str]]]) -> None:
    groups = [group(str(number), "".join(cases), *texts) for number, (cases, texts) in enumerate(drawn)]
    found = join_groups(groups, {"moved": frozenset("abcd")}, COUNT)
    assert sorted(name for each in found for name in each.members) == sorted(each.name for each in groups)
    assert all(len(each.texts) <= 1 for each in found)
    assert join_groups(list(reversed(groups)), {"moved": frozenset("abcd")}, COUNT) == found, "the order has no effect"


def test_nothing_joins_a_group_that_is_lighter() -> None:
    """A failure that shows only beside a frequent remark must not be listed as part of the remark."""
    light = Group("light", "new", frozenset({"a", "b", "c"}), frozenset[str](), ("light",), weight=20)
    heavy = Group("heavy", "new", frozenset({"a"}), frozenset[str](), ("heavy",), weight=70)
    joined = join_groups([light, heavy], {}, 40)
    assert sorted(group.members for group in joined) == [("heavy",), ("light",)]
    as_heavy = Group("light", "new", light.cases, light.texts, light.members, weight=70)
    assert [set(group.members) for group in join_groups([as_heavy, heavy], {}, 40)] == [{"light", "heavy"}]
