"""Decisions of the generator: shorter and lower ones, as long as the story stays interesting."""

from __future__ import annotations

from harness.generate.choices import SeededChooser
from harness.reduce.choice_reduction import Choices, RecordingChooser, ReplayingChooser, reduce_choices


def test_recorded_decisions_are_made_again() -> None:
    recording = RecordingChooser(SeededChooser("x"))
    numbers = [recording.integer(low, low + 9) for low in range(20)]
    replaying = ReplayingChooser(recording.made)
    assert [replaying.integer(low, low + 9) for low in range(20)] == numbers
    assert replaying.made == recording.made


def test_where_decisions_run_out_or_are_impossible_the_simplest_possible_is_made() -> None:
    chooser = ReplayingChooser([7])
    assert [chooser.integer(2, 5), chooser.integer(3, 9)] == [5, 3]
    assert chooser.made == [3, 0]


def test_the_shortest_and_lowest_decisions_that_still_show_it_are_found() -> None:
    """A story is interesting if it has two decisions of at least 5, whatever surrounds them."""

    def made_if_interesting(choices: Choices) -> Choices | None:
        return choices if sum(choice >= 5 for choice in choices) >= 2 else None

    assert reduce_choices([1, 9, 0, 3, *[2] * 100, 7, 4, 0], made_if_interesting) == (5, 5)


def test_what_never_shows_stays_as_it_is() -> None:
    assert reduce_choices([3, 1, 0, 0], lambda _choices: None) == (3, 1)
