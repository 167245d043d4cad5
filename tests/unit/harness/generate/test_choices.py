"""Decisions, and the weights and features that a context adds to them."""

from __future__ import annotations

from harness.generate.choices import DrawingChooser, GenerationContext, SeededChooser


def lowest() -> DrawingChooser:
    return DrawingChooser(lambda low, _high: low)


def highest() -> DrawingChooser:
    return DrawingChooser(lambda _low, high: high)


def test_a_seed_gives_the_same_numbers_within_the_range() -> None:
    first, second = SeededChooser("a"), SeededChooser("a")
    numbers = [first.integer(3, 9) for _ in range(100)]
    assert numbers == [second.integer(3, 9) for _ in range(100)]
    assert set(numbers) == set(range(3, 10))


def test_the_lowest_decision_is_the_simplest() -> None:
    chooser = lowest()
    assert not chooser.chance(99)
    assert chooser.choice("abc") == "a"
    assert chooser.weighted_choice([("a", 1), ("b", 5)]) == "a"
    assert chooser.sample("abc", 2) == ["a"]


def test_nothing_is_drawn_for_a_certain_outcome() -> None:
    def fail(_low: int, _high: int) -> int:
        raise AssertionError

    chooser = DrawingChooser(fail)
    assert chooser.chance(100)
    assert not chooser.chance(0)
    assert chooser.integer(4, 4) == 4
    assert chooser.sample("", 3) == []


def test_weights_decide_about_options() -> None:
    assert highest().weighted_choice([("a", 1), ("b", 5), ("c", 0)]) == "b"


def test_used_features_are_recorded_and_forbidden_ones_never_used() -> None:
    context = GenerationContext(highest(), forbidden=frozenset({"forbidden"}))
    assert context.chance("allowed", 50)
    assert not context.chance("forbidden", 100)
    assert context.pick_feature([("first", 1), ("second", 1), ("forbidden", 9)]) == "second"
    assert context.used_features == {"allowed", "second"}


def test_a_weight_changes_the_probability_of_its_feature() -> None:
    drawn = DrawingChooser(lambda _low, _high: 60)
    assert not GenerationContext(drawn).chance("feature", 30)
    assert GenerationContext(drawn, {"feature": 200}).chance("feature", 30)
    assert not GenerationContext(drawn, {"feature": 50}).chance("feature", 60)


def test_a_feature_that_no_story_has_used_is_preferred_once_there_is_feedback() -> None:
    drawn = DrawingChooser(lambda _low, _high: 60)
    assert GenerationContext(drawn, {"another": 100}).chance("feature", 30)


def test_names_are_never_repeated() -> None:
    context = GenerationContext(lowest())
    assert [context.new_name("a"), context.new_name("a"), context.new_name("b")] == ["a1", "a2", "b3"]
