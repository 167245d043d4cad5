"""Conversion, compared with answers recorded from Terraform 1.11.4.

Covered: the table of conversions, how dynamic element types are determined, what happens to nulls, unknowns and marks,
the exact messages, and the oversights of the original that show in results.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.values import number as numbers
from shared_nodes.values.convert import ConversionError, conversion_exists, convert, mismatch_message
from shared_nodes.values.equality import equals
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.paths import path_text
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    EMPTY_OBJECT,
    EMPTY_TUPLE,
    FALSE,
    NULL_DYNAMIC,
    TRUE,
    Value,
    integer,
    list_of,
    map_of,
    null,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)

A, B, ONE, TWO = string("a"), string("b"), integer(1), integer(2)
ANY_LIST, ANY_SET, ANY_MAP = ListType(DYNAMIC), SetType(DYNAMIC), MapType(DYNAMIC)


def literal(text: str) -> Value:
    payload = numbers.parse(text)
    assert payload is not None
    return number(payload)


@pytest.mark.parametrize(
    ("value", "want", "result"),
    [
        (literal("1.50"), STRING, string("1.5")),
        (literal("1e21"), STRING, string("1000000000000000000000")),
        (TRUE, STRING, string("true")),
        (string("2.5"), NUMBER, literal("2.5")),
        (string("+.5e1"), NUMBER, literal("5")),
        (string("true"), BOOL, TRUE),
        (string("0"), BOOL, FALSE),
        (tuple_of([ONE, A]), ANY_LIST, list_of(STRING, [string("1"), A])),
        (tuple_of([ONE, TRUE, A]), ANY_LIST, list_of(STRING, [string("1"), string("true"), A])),
        (tuple_of([ONE, NULL_DYNAMIC]), ANY_LIST, list_of(NUMBER, [ONE, null(NUMBER)])),
        (tuple_of([ONE, A]), ANY_SET, set_of(STRING, [string("1"), A])),
        (EMPTY_TUPLE, ANY_LIST, list_of(DYNAMIC, [])),
        (EMPTY_TUPLE, ListType(STRING), list_of(STRING, [])),
        (EMPTY_OBJECT, ANY_MAP, map_of(DYNAMIC, {})),
        (list_of(STRING, []), ANY_LIST, list_of(STRING, [])),
        (list_of(NUMBER, [TWO, ONE, TWO]), ANY_SET, set_of(NUMBER, [ONE, TWO])),
        (set_of(STRING, [B, A]), ANY_LIST, list_of(STRING, [A, B])),
        (list_of(STRING, [string("1")]), ListType(NUMBER), list_of(NUMBER, [literal("1")])),
        (object_of({"a": ONE, "b": A}), ANY_MAP, map_of(STRING, {"a": string("1"), "b": A})),
        (tuple_of([ONE, A]), TupleType([STRING, STRING]), tuple_of([string("1"), A])),
        (object_of({"a": ONE, "b": A}), ObjectType({"a": STRING}), object_of({"a": string("1")})),
        (map_of(STRING, {"a": A, "b": B}), ObjectType({"a": STRING}), object_of({"a": A})),
    ],
)
def test_conversions(value: Value, want: Type, result: Value) -> None:
    assert convert(value, want) == result


def test_elements_of_an_inner_any_are_unified_among_each_other() -> None:
    """`list(map(any))` of { a = 1 } and { b = "x" } is a list of maps of strings."""
    given = tuple_of([object_of({"a": ONE}), object_of({"b": A})])
    expected = [map_of(STRING, {"a": string("1")}), map_of(STRING, {"b": A})]
    assert convert(given, ListType(ANY_MAP)) == list_of(MapType(STRING), expected)


def test_a_literal_null_takes_the_type_of_its_neighbours_in_a_map_but_not_in_a_list() -> None:
    """`tomap({ a = null, b = [1] })` works, `tolist([null, [1]])` does not."""
    inner = tuple_of([ONE])
    assert convert(object_of({"a": NULL_DYNAMIC, "b": inner}), ANY_MAP) == map_of(
        inner.type, {"a": null(inner.type), "b": inner}
    )
    with pytest.raises(ConversionError):
        convert(tuple_of([NULL_DYNAMIC, inner]), ANY_LIST)


@pytest.mark.parametrize(
    ("value", "want", "message", "path"),
    [
        (A, NUMBER, "a number is required", ""),
        (string("0x1F"), NUMBER, "a number is required", ""),
        (string("1e99999999999"), NUMBER, "a number is required", ""),
        (A, BOOL, "a bool is required", ""),
        (string("True"), BOOL, 'a bool is required; to convert from string, use lowercase "true"', ""),
        (string("FALSE"), BOOL, 'a bool is required; to convert from string, use lowercase "false"', ""),
        (ONE, BOOL, "bool required", ""),
        (TRUE, NUMBER, "number required", ""),
        (A, ANY_LIST, "list of any single type required", ""),
        (tuple_of([ONE, TRUE]), ANY_LIST, "all list elements must have the same type", ""),
        (tuple_of([ONE, TRUE]), ANY_SET, "all set elements must have the same type", ""),
        (object_of({"a": ONE, "b": TRUE}), ANY_MAP, "all map elements must have the same type", ""),
        (tuple_of([TRUE, DYNAMIC_UNKNOWN, ONE]), ANY_SET, "all set elements must have the same type", ""),
        (tuple_of([A, EMPTY_TUPLE]), ListType(STRING), "element 1: string required", ""),
        (object_of({"k": EMPTY_TUPLE}), MapType(STRING), 'element "k": string required', ""),
        (list_of(ListType(STRING), []), ListType(STRING), "incorrect list element type: string required", ""),
        (EMPTY_OBJECT, ListType(STRING), "list of string required", ""),
        (EMPTY_TUPLE, MapType(STRING), "map of string required", ""),
        (map_of(STRING, {}), SetType(STRING), "set of string required", ""),
        (EMPTY_OBJECT, ObjectType({"a": STRING}), 'attribute "a" is required', ""),
        (EMPTY_OBJECT, ObjectType({"b": STRING, "a": STRING}), 'attributes "a" and "b" are required', ""),
        (
            EMPTY_OBJECT,
            ObjectType({"c": STRING, "b": STRING, "a": STRING}),
            'attributes "a", "b", and "c" are required',
            "",
        ),
        (object_of({"a": EMPTY_TUPLE}), ObjectType({"a": STRING}), 'attribute "a": string required', ""),
        (object_of({"a": tuple_of([ONE, A])}), ObjectType({"a": ListType(NUMBER)}), "a number is required", ".a[1]"),
        (object_of({"k": A}), MapType(NUMBER), "a number is required", '["k"]'),
        (map_of(STRING, {}), ObjectType({"a": STRING}), 'map has no element for required attribute "a"', ""),
        (
            map_of(STRING, {"a": A}),
            ObjectType({"a": ANY_LIST}, ["a"]),
            'map element type is incompatible with attribute "a": list of any single type required',
            '["a"]',
        ),
        (tuple_of([ONE]), TupleType([]), "tuple required", ""),
        (
            tuple_of([map_of(STRING, {"a": A}), map_of(ListType(BOOL), {"a": list_of(BOOL, [])})]),
            ListType(ANY_MAP),
            "cannot find a common base type for all elements",
            "",
        ),
        (
            tuple_of([tuple_of([ONE]), tuple_of([TRUE])]),
            SetType(ANY_LIST),
            "element types must all match for conversion to set",
            "",
        ),
        (
            object_of({"a": tuple_of([ONE]), "b": tuple_of([A])}),
            MapType(TupleType([DYNAMIC])),
            "attribute types must all match for conversion to map",
            "",
        ),
    ],
)
def test_failures(value: Value, want: Type, message: str, path: str) -> None:
    with pytest.raises(ConversionError) as failure:
        convert(value, want)
    assert (failure.value.explain(TERRAFORM_1_11), path_text(failure.value.path)) == (message, path)


@pytest.mark.parametrize(
    ("got", "want", "message"),
    [
        (BOOL, NUMBER, "number required, but have bool"),
        (NUMBER, BOOL, "bool required, but have number"),
        (EMPTY_TUPLE.type, STRING, "string required, but have tuple"),
        (ListType(STRING), BOOL, "bool required, but have list of string"),
        (STRING, ANY_SET, "set of dynamic required, but have string"),
        (NUMBER, TupleType([]), "tuple required, but have number"),
        (EMPTY_TUPLE.type, ObjectType({}), "object required, but have tuple"),
        (DYNAMIC, STRING, "string required, but have dynamic"),
        (STRING, NUMBER, "number required"),
        (EMPTY_OBJECT.type, TupleType([]), "tuple required"),
        (TupleType([STRING]), TupleType([]), "tuple required"),
        (ListType(STRING), ObjectType({}), "object required"),
        (ObjectType({}), ANY_LIST, "list of any single type required"),
        (ListType(STRING), ListType(ObjectType({})), "incorrect list element type: object required, but have string"),
        (TupleType([BOOL]), ListType(NUMBER), "element 0: number required, but have bool"),
    ],
)
def test_both_types_are_named_where_their_names_are_clear(got: Type, want: Type, message: str) -> None:
    assert mismatch_message(got, want, OPENTOFU_1_12) == message
    assert mismatch_message(got, want, TERRAFORM_1_11) == message.partition(", but have ")[0].replace(
        "of dynamic", "of any single type"
    )


def test_attributes_that_fit_are_no_mismatch() -> None:
    """Terraform 1.11.4 says of `[{port = 1, to = [{a = "x"}, {}]}]` that `a` is required."""
    inner = ObjectType({"a": STRING})
    got = ObjectType({"port": NUMBER, "to": TupleType([inner, ObjectType({})])})
    want = ObjectType({"port": NUMBER, "to": SetType(inner)})
    for flavour in (TERRAFORM_1_11, OPENTOFU_1_12):
        assert mismatch_message(got, want, flavour) == 'attribute "to": element 1: attribute "a" is required'


def test_an_optional_attribute_of_another_type_names_both_types() -> None:
    target = ObjectType({"a": STRING}, optional=frozenset({"a"}))
    with pytest.raises(ConversionError) as failure:
        convert(map_of(EMPTY_TUPLE.type, {"a": EMPTY_TUPLE}), target)
    text = 'map element type is incompatible with attribute "a": string required'
    assert failure.value.explain(TERRAFORM_1_11) == text
    assert failure.value.explain(OPENTOFU_1_12) == f"{text}, but have tuple"


@pytest.mark.parametrize(
    ("got", "want", "safe", "unsafe"),
    [
        (NUMBER, STRING, True, True),
        (STRING, NUMBER, False, True),
        (NUMBER, BOOL, False, False),
        (DYNAMIC, STRING, False, True),
        (STRING, DYNAMIC, True, True),
        (ListType(STRING), SetType(STRING), False, True),
        (SetType(STRING), ListType(STRING), True, True),
        (MapType(STRING), ObjectType({}), False, True),
        (ObjectType({"a": STRING}), ObjectType({}), True, True),
        (ListType(STRING), TupleType([STRING]), False, False),
        (MapType(STRING), MapType(STRING), True, True),
    ],
)
def test_existence(got: Type, want: Type, safe: bool, unsafe: bool) -> None:
    assert conversion_exists(got, want, unsafe=False) is safe
    assert conversion_exists(got, want, unsafe=True) is unsafe


class TestOptionalAttributes:
    inner = ObjectType({"b": STRING}, ["b"])
    want = ObjectType({"a": inner, "l": ListType(STRING)}, ["a", "l"])

    def test_absent_attributes_are_null(self) -> None:
        bare = ObjectType({"b": STRING})
        assert convert(EMPTY_OBJECT, self.want) == object_of({"a": null(bare), "l": null(ListType(STRING))})

    def test_an_absent_key_of_a_map_keeps_its_optional_attributes_in_the_type(self) -> None:
        """Recorded: `terraform output -json` shows the type of module.n.v as ["object", {...}, ["b"]] inside."""
        result = convert(map_of(DYNAMIC, {}), self.want)
        assert result == object_of({"a": null(self.inner), "l": null(ListType(STRING))})

    def test_an_empty_map_does_not(self) -> None:
        assert convert(map_of(DYNAMIC, {}), MapType(self.inner)) == map_of(ObjectType({"b": STRING}), {})

    def test_values_of_the_bare_type_are_not_touched(self) -> None:
        value = object_of({"b": A})
        assert convert(value, self.inner) is value


class TestNullsAndUnknowns:
    def test_a_null_gets_the_wanted_type_with_its_dynamic_parts_filled_in(self) -> None:
        assert convert(null(TupleType([NUMBER, STRING])), ANY_LIST) == null(ListType(STRING))
        assert convert(null(ObjectType({"a": NUMBER})), ObjectType({"a": DYNAMIC})) == null(ObjectType({"a": NUMBER}))
        assert convert(NULL_DYNAMIC, ANY_LIST) == null(ANY_LIST)

    def test_an_unknown_keeps_that_it_is_not_null_and_loses_the_rest(self) -> None:
        prefixed = unknown(STRING, Refinement(not_null=True, prefix="1"))
        assert convert(prefixed, NUMBER) == unknown(NUMBER, NOT_NULL)

    @pytest.mark.parametrize(
        ("got", "want", "refinement"),
        [
            (ObjectType({"a": STRING, "b": STRING}), MapType(STRING), Refinement(min_length=2, max_length=2)),
            (TupleType([STRING, STRING]), ListType(STRING), Refinement(min_length=2, max_length=2)),
            (TupleType([STRING, STRING]), SetType(STRING), Refinement(min_length=1, max_length=2)),
            (TupleType([STRING]), SetType(STRING), Refinement(min_length=1, max_length=1)),
        ],
    )
    def test_lengths_that_follow_from_the_type(self, got: Type, want: Type, refinement: Refinement) -> None:
        assert convert(unknown(got), want) == unknown(want, refinement)

    def test_the_length_of_a_collection_carries_over_but_a_set_may_shrink(self) -> None:
        source = unknown(ListType(NUMBER), Refinement(not_null=True, min_length=2, max_length=5))
        assert convert(source, ListType(STRING)).refinement == source.refinement
        assert convert(source, SetType(STRING)).refinement == Refinement(not_null=True, min_length=1, max_length=5)

    def test_a_tuple_that_is_unknown_but_not_null_becomes_a_known_list_of_unknowns(self) -> None:
        assert convert(unknown(TupleType([STRING]), NOT_NULL), ListType(STRING)) == list_of(STRING, [unknown(STRING)])

    def test_a_set_with_unknowns_becomes_an_unknown_list_of_its_own_element_type(self) -> None:
        """Recorded: a module variable of type list(string), given such a set of numbers, is *unequal* to every list of
        strings, and this is known already during planning."""
        source = set_of(NUMBER, [unknown(NUMBER), ONE])
        assert convert(source, ListType(STRING)) == unknown(ListType(NUMBER))
        assert convert(set_of(NUMBER, [unknown(NUMBER)]), ListType(STRING)) == list_of(STRING, [unknown(STRING)])


class TestMarks:
    secret = string("1").mark(SENSITIVE)

    def test_marks_stay_where_they_are(self) -> None:
        assert convert(self.secret, NUMBER).marks == {SENSITIVE}
        assert convert(tuple_of([self.secret, A]), ANY_LIST) == list_of(STRING, [self.secret, A])
        assert convert(null(STRING).mark(SENSITIVE), NUMBER) == null(NUMBER).mark(SENSITIVE)
        assert convert(unknown(STRING).mark(SENSITIVE), NUMBER) == unknown(NUMBER).mark(SENSITIVE)

    def test_a_set_takes_the_marks_of_its_elements(self) -> None:
        assert convert(tuple_of([self.secret, A]), ANY_SET).marks == {SENSITIVE}

    def test_null_elements_lose_their_marks_on_some_ways(self) -> None:
        """Recorded with issensitive(): marks are kept from a tuple to a list, and lost from a list to a list or set,
        from a tuple to a set, and from a map to an object."""
        secret_null = null(STRING).mark(SENSITIVE)
        assert convert(tuple_of([ONE, secret_null]), ListType(STRING)).payload[1].marks == {SENSITIVE}
        assert convert(list_of(STRING, [secret_null]), ANY_LIST).payload[0].marks == frozenset()
        assert convert(list_of(STRING, [secret_null, A]), ANY_SET).marks == frozenset()
        assert convert(tuple_of([ONE, secret_null]), ANY_SET).marks == frozenset()
        as_object = convert(map_of(STRING, {"a": secret_null}), ObjectType({"a": STRING}))
        assert as_object.payload["a"].marks == frozenset()


def test_a_number_too_long_to_write_is_an_error_and_not_a_full_memory() -> None:
    with pytest.raises(ConversionError, match="too many digits"):
        convert(literal("1e99999999"), STRING)


@pytest.fixture
def _deep_recursion() -> Iterator[None]:
    """Set the recursion limit with which the program runs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.usefixtures("_deep_recursion")
@pytest.mark.parametrize("wanted_scalar", [STRING, DYNAMIC])
def test_deep_nesting(wanted_scalar: Type) -> None:
    value, want = ONE, wanted_scalar
    for _ in range(1000):
        value, want = tuple_of([value]), ListType(want)
    result = convert(value, want)
    assert equals(result, convert(value, want)) is TRUE
    assert len(set_of(result.type, [result, result]).payload) == 1
    for _ in range(1000):
        result = result.payload[0]
    assert result == (string("1") if wanted_scalar is STRING else ONE)


def test_long_sequences() -> None:
    """Ten thousand elements, each of its own object type: nothing may compare all pairs."""
    numbered = tuple_of([integer(index) for index in range(10_000)])
    assert len(convert(numbered, ANY_SET).payload) == 10_000
    objects = tuple_of([object_of({f"k{index}": integer(index)}) for index in range(2_000)])
    assert convert(objects, ANY_LIST).type == ListType(MapType(NUMBER))
