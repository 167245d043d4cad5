"""Laws of matching the elements of two lists, whichever product shows them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reports.terminal.alignment import align

LISTS = st.lists(st.sampled_from("abcd"), max_size=7)


@given(before=LISTS, after=LISTS, keeps_positions=st.booleans(), may_become=st.booleans())
def test_every_element_is_matched_once_and_in_order(
    before: list[str], after: list[str], keeps_positions: bool, may_become: bool
) -> None:
    pairs = list(align(before, after, lambda _old, _new: may_become, keeps_positions=keeps_positions))
    assert [old for old, _ in pairs if old < len(before)] == list(range(len(before)))
    assert [new for _, new in pairs if new < len(after)] == list(range(len(after)))


@given(items=LISTS, keeps_positions=st.booleans())
def test_a_list_that_does_not_change_is_matched_with_itself(items: list[str], keeps_positions: bool) -> None:
    pairs = list(align(items, items, keeps_positions=keeps_positions))
    assert pairs == [(index, index) for index in range(len(items))]
