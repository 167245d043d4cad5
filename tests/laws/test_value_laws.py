"""Laws that hold for all values, whatever the recorded examples happen to cover."""

from __future__ import annotations

import random

from hypothesis import assume, given
from hypothesis import strategies as st

from shared_nodes.values import number as numbers
from shared_nodes.values.convert import ConversionError, conversion_exists, convert, unify
from shared_nodes.values.equality import conforms, equals
from shared_nodes.values.json import (
    dumps,
    loads,
    path_from_json,
    path_to_json,
    sensitive_shape,
    type_from_json,
    type_to_json,
    unknown_shape,
    value_from_json,
    value_to_json,
    without_unknowns,
)
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.multiprecision import gmpy2, mpfr
from shared_nodes.values.paths import mark_at_paths, marks_by_path, strip_marks
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.set_key import set_key
from shared_nodes.values.sets import set_of
from shared_nodes.values.stored import stored
from shared_nodes.values.types import DYNAMIC, Type, without_optional_attributes
from shared_nodes.values.value import TRUE, Value, unknown, value_text
from tests.strategies import (
    KNOWN,
    Ingredients,
    conversion_targets,
    number_payloads,
    types,
    types_with_dynamic,
    values,
    values_of,
)


def with_target(value: Value) -> st.SearchStrategy[tuple[Value, Type]]:
    return st.tuples(st.just(value), conversion_targets(value.type))


conversions = values(Ingredients(unknowns=False)).flatmap(with_target)
known_conversions = values(KNOWN).flatmap(with_target)


def converted(value: Value, want: Type) -> Value:
    try:
        return convert(value, want)
    except ConversionError:
        assume(False)
        raise


@given(values())
def test_converting_to_the_own_type_changes_nothing(value: Value) -> None:
    assert convert(value, value.type) is value
    assert convert(value, DYNAMIC) is value


@given(conversions)
def test_conversion_is_idempotent(case: tuple[Value, Type]) -> None:
    """Unknowns are excluded: a set that contains some converts to an unknown list of the wrong type, as in the
    original."""
    once = converted(*case)
    assert convert(once, case[1]) == once


@given(known_conversions)
def test_conversion_gives_the_wanted_type(case: tuple[Value, Type]) -> None:
    assert conforms(converted(*case).type, without_optional_attributes(case[1]))


@given(values(), types_with_dynamic)
def test_conversion_succeeds_only_where_one_exists(value: Value, want: Type) -> None:
    try:
        convert(value, want)
    except ConversionError:
        return
    assert conversion_exists(value.type, want, unsafe=True)


@given(known_conversions)
def test_a_safe_conversion_never_fails(case: tuple[Value, Type]) -> None:
    value, want = case
    if conversion_exists(value.type, want, unsafe=False):
        convert(value, want)


@given(types.flatmap(lambda ty: st.tuples(st.just(ty), conversion_targets(ty))))
def test_an_unknown_converts_to_an_unknown_and_keeps_its_marks(case: tuple[Type, Type]) -> None:
    """If the length follows from the type, the result may be a known list of unknowns instead."""
    value = unknown(case[0], NOT_NULL).mark(SENSITIVE)
    result = converted(value, case[1])
    assert not result.is_known or all(not element.is_known for element in result.payload)
    assert result.marks == value.marks


@given(st.lists(types_with_dynamic, min_size=1, max_size=4), st.randoms(use_true_random=False), st.booleans())
def test_unification_does_not_depend_on_the_order(given_types: list[Type], rng: random.Random, unsafe: bool) -> None:
    """Scalars alone are decided by preference. If containers of different kinds occur, the first one found may win, so
    the law states only what every caller relies on: there is a result in one order if there is in the other."""
    shuffled = list(given_types)
    rng.shuffle(shuffled)
    one, other = unify(given_types, unsafe=unsafe), unify(shuffled, unsafe=unsafe)
    assert (one is None) == (other is None)


@given(st.lists(types, min_size=1, max_size=4))
def test_everything_converts_to_what_it_was_unified_to(given_types: list[Type]) -> None:
    common = unify(given_types, unsafe=True)
    assume(common is not None)
    assert common is not None
    assert all(conversion_exists(ty, common, unsafe=True) for ty in given_types)


@given(types, st.integers(1, 5))
def test_unifying_a_type_with_itself_gives_that_type(ty: Type, count: int) -> None:
    assert unify([ty] * count, unsafe=False) == ty


@given(types.flatmap(lambda ty: st.tuples(values_of(ty), values_of(ty))))
def test_equality_is_symmetric(pair: tuple[Value, Value]) -> None:
    left, right = pair
    assert equals(left, right) == equals(right, left)


@given(values(KNOWN))
def test_a_known_value_equals_itself(value: Value) -> None:
    assert equals(value, value) is TRUE


@given(values(), values())
def test_the_marks_of_both_sides_are_on_the_result(left: Value, right: Value) -> None:
    assert equals(left, right).marks == left.deep_marks() | right.deep_marks()


@given(types.flatmap(lambda ty: st.tuples(st.just(ty), st.lists(values_of(ty, KNOWN), max_size=6))), st.randoms())
def test_sets_do_not_depend_on_the_order_of_their_members(drawn: tuple[Type, list[Value]], rng: random.Random) -> None:
    element, members = drawn
    by_key = {set_key(member): member for member in members}
    assume(all(equals(by_key[set_key(member)], member) is TRUE for member in members))  # else insertion order shows
    shuffled = list(members)
    rng.shuffle(shuffled)
    one, other = set_of(element, members), set_of(element, shuffled)
    assert [set_key(member) for member in one.payload] == [set_key(member) for member in other.payload]
    assert equals(one, other) is TRUE


@given(values())
def test_sets_hold_no_marks_and_no_duplicates(value: Value) -> None:
    built = set_of(value.type, [value, value])
    assert all(not member.deep_marks() for member in built.payload)
    assert value.deep_marks() == built.marks
    wholly_known = value.unmark_deep()[0].is_wholly_known
    assert len(built.payload) == (1 if wholly_known else 2)


@given(types_with_dynamic)
def test_types_survive_json(ty: Type) -> None:
    assert type_from_json(loads(dumps(type_to_json(ty)))) == ty


@given(values(KNOWN), st.sampled_from([None, DYNAMIC]))
def test_known_values_survive_json(value: Value, constraint: Type | None) -> None:
    """JSON does not carry the precision of numbers, so texts are compared: a value that was read is written as the same
    text. If the constraint leaves the type open, the text contains the type."""
    written = dumps(value_to_json(value, constraint))
    read = value_from_json(loads(written), value.type if constraint is None else constraint)
    assert read.type == value.type
    assert dumps(value_to_json(read, constraint)) == written


@given(values())
def test_marks_survive_as_paths(value: Value) -> None:
    plain, marked = strip_marks(value)
    assert not plain.deep_marks()
    stored = [(loads(dumps(path_to_json(path))), marks) for path, marks in marked]
    assert mark_at_paths(plain, [(path_from_json(tree), marks) for tree, marks in stored]) == value


@given(values())
def test_a_plan_shows_each_unknown_in_its_shape(value: Value) -> None:
    plain = value.unmark_deep()[0]
    shown = without_unknowns(plain)
    assert (shown is None) == (unknown_shape(plain) is True)
    if shown is not None:
        assert shown.is_wholly_known
        value_to_json(shown)


@given(values())
def test_the_sensitive_shape_says_true_once_for_each_sensitive_place(value: Value) -> None:
    if not marks_by_path(value):
        assert "true" not in dumps(sensitive_shape(value))


@given(number_payloads)
def test_number_text_reads_back_as_the_same_number(payload: mpfr) -> None:
    """The number is read at its own precision. Powers of two are excluded: the original assumes that their lower
    neighbour is as far away as the upper one, so their text may be one digit too short."""
    text = numbers.number_text(payload)
    if not is_power_of_two(payload):
        assert mpfr(text, payload.precision) == payload
    parsed = numbers.parse(text)
    assert parsed is not None
    assert numbers.number_text(parsed) == text


def is_power_of_two(payload: mpfr) -> bool:
    return bool(gmpy2.is_finite(payload)) and bool(gmpy2.popcount(abs(payload.as_mantissa_exp()[0])) == 1)


@given(values())
def test_storing_twice_is_storing_once(value: Value) -> None:
    once = stored(value)
    assert stored(once) == once


@given(values(), values())
def test_different_values_have_different_texts(left: Value, right: Value) -> None:
    if value_text(left) == value_text(right):
        assert left == right
