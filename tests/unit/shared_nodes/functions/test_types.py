"""Explicit conversions and marks, compared with answers recorded from Terraform 1.11.4.

Covered: an unknown keeps its marks but no refinement, a failing conversion hides what is sensitive, only the outermost
mark counts for issensitive and nonsensitive, and ephemeralasnull keeps types and other marks.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared_nodes.flavour import OPENTOFU_1_12

Answer = Callable[..., str]

RESULTS = [
    ("issensitive(tostring(sensitive(unknown.string)))", "true"),
    ("issensitive(tolist(sensitive(unknown.tuple)))", "true"),
    ("issensitive(upper(sensitive(unknown.string)))", "true"),
    ("issensitive(unknown.string)", "unknown(bool)"),
    ("issensitive(unknown.string) == null", "unknown(bool, not null)"),
    ("issensitive(unknown.any)", "unknown(bool)"),
    ("tostring(range(1)[0] + pow(2, 0.5))", '"1.4142135623730951"'),
    ("tostring(range(2)[1] + pow(2, 0.5))", '"2.4142135623730951455"'),
    ("tostring(range(0,-2)[0] + pow(2, 0.5))", '"1.4142135623730951454746218587388284504413604736328125"'),
    ("tostring(length([]) + pow(2, 0.5))", '"1.4142135623730951455"'),
    ('tostring(index(["a"],"a") + pow(2, 0.5))', '"1.4142135623730951455"'),
    ("tostring(sum([pow(2,0.5)]))", '"1.4142135623730951"'),
    ('tostring(sum([pow(2,0.5), length("a")]))', '"2.4142135623730951455"'),
    ('tostring(sum(["1e-10", pow(2,0.5)]))', '"1.4142135624730951454746218587388284504413604736328125"'),
    ("tostring(sum([-0]))", '"-0"'),
    ("tostring(sum([-0,-0]))", '"-0"'),
    ("tostring(sum([-0,0]))", '"0"'),
    ("tolist(unknown.list)", "unknown(list(any))"),
    ("tolist(unknown.list) == null", "unknown(bool, not null)"),
    ("tostring(unknown.string) == null", "unknown(bool, not null)"),
    ("tostring(unknown.number) == null", "unknown(bool, not null)"),
    ("tostring(unknown.nullable) == null", "unknown(bool, not null)"),
    ("tonumber(unknown.string) == null", "unknown(bool, not null)"),
    ('tostring(unknown.string) == "a"', "unknown(bool, not null)"),
    ('tostring("x-${unknown.string}") == "y"', "unknown(bool, not null)"),
    ("tolist([unknown.string]) == null", "false"),
    ("toset([unknown.string, unknown.string])", "toset([unknown(string, not null), unknown(string, not null)])"),
    ("toset([unknown.any])", "toset(any, [unknown(any)])"),
    ('toset([unknown.any, "a"])', 'toset(["a", unknown(string)])'),
    ('tolist([unknown.any, "a"])', 'tolist([unknown(string), "a"])'),
    ("tomap({a=unknown.any, b=1})", "tomap({a = unknown(number), b = 1})"),
    ("tolist([unknown.any])", "tolist(any, [unknown(any)])"),
    ("tobool(null)", "null(bool)"),
    ("tonumber(tostring(null))", "null(number)"),
    ('tolist(tolist([[1],["a"]]))', 'tolist([["1"], ["a"]])'),
    ('toset([sensitive("a"), "b"])', 'sensitive(toset(["a", "b"]))'),
    ('issensitive(toset([sensitive("a"), "b"]))', "true"),
    ("ephemeralasnull(unknown.string)", "unknown(string, not null)"),
    ("ephemeralasnull(null)", "null(any)"),
    ('ephemeralasnull(toset(["a"]))', 'toset(["a"])'),
    ('nonsensitive([sensitive("a")])', '[sensitive("a")]'),
    ('issensitive(nonsensitive([sensitive("a")])[0])', "true"),
    ('issensitive(nonsensitive(sensitive([sensitive("a")]))[0])', "true"),
    ("sensitive(unknown.any)", "sensitive(unknown(any))"),
    ("nonsensitive(sensitive(unknown.string)) == null", "false"),
    ("sensitive(unknown.string) == null", "sensitive(false)"),
    ('nonsensitive(sensitive("x-${unknown.string}")) == "y"', "false"),
    ('ephemeralasnull("x-${unknown.string}") == "y"', "false"),
    ("tostring(coalesce(pow(2,0.5), 1))", '"1.4142135623730951"'),
    ('tolist([1/0, "a"])', 'tolist(["+Inf", "a"])'),
    ("tostring(1/0)", '"+Inf"'),
    ('tostring(1e400) == "x"', "false"),
    ("tomap(null)", "null(map(any))"),
    ("toset(tolist([[1],[2]]))", "toset([[1], [2]])"),
    ("tomap(tomap({a=1}))", "tomap({a = 1})"),
    ('tomap({a=1, b=null, c="x"})', 'tomap({a = "1", b = null(string), c = "x"})'),
    ('tolist(toset(["b","a"]))', 'tolist(["a", "b"])'),
    ('tobool("0")', "false"),
    ('tobool("1")', "true"),
    ('tonumber("1e5")', "100000"),
    ('tonumber("Inf") > 0', "true"),
    ('tonumber("+1")', "1"),
    ("tostring(sensitive(unknown.nullable))", "sensitive(unknown(string))"),
    ("ephemeralasnull(ephemeral.string)", "null(string)"),
    ("ephemeralasnull(sensitive(ephemeral.string))", "sensitive(null(string))"),
    ("ephemeralasnull(ephemeral.unknown)", "unknown(string)"),
    ('ephemeralasnull([ephemeral.string, "x"])', '[null(string), "x"]'),
    ('ephemeralasnull({ a = [ephemeral.string], b = sensitive("x") })', '{a = [null(string)], b = sensitive("x")}'),
    ('ephemeralasnull(tomap({ a = ephemeral.string, b = "x" }))', 'tomap({a = null(string), b = "x"})'),
    ("ephemeralasnull(toset([ephemeral.string]))", "null(set(string))"),
    ("issensitive(ephemeral.string)", "false"),
    ("nonsensitive(sensitive(ephemeral.string))", 'ephemeral("passing")'),
]

ERRORS = [
    ("tobool(sensitive(1))", 'Invalid value for "v" parameter: cannot convert number to bool.'),
    ('tolist(sensitive("a"))', 'Invalid value for "v" parameter: cannot convert string to list of any single type.'),
    ("tolist([sensitive(1), []])", 'Invalid value for "v" parameter: cannot convert tuple to list of any single type.'),
    (
        "tolist([sensitive(1), true])",
        'Invalid value for "v" parameter: cannot convert tuple to list of any single type.',
    ),
    (
        "tomap({a=sensitive(1), b=[]})",
        'Invalid value for "v" parameter: cannot convert object to map of any single type.',
    ),
    (
        "tomap({a=sensitive({x=[]}), b={y=1}})",
        'Invalid value for "v" parameter: cannot convert object to map of any single type.',
    ),
    ("tolist([{a=1},{a=[]}])", 'Invalid value for "v" parameter: cannot convert tuple to list of any single type.'),
    ("tomap(sensitive([1]))", 'Invalid value for "v" parameter: cannot convert tuple to map of any single type.'),
    ("tolist(tomap({}))", 'Invalid value for "v" parameter: cannot convert map of dynamic to list of any single type.'),
    ("toset({})", 'Invalid value for "v" parameter: cannot convert object to set of any single type.'),
    ('toset("a")', 'Invalid value for "v" parameter: cannot convert string to set of any single type.'),
    ("tonumber(true)", 'Invalid value for "v" parameter: cannot convert bool to number.'),
    ('tobool("True")', 'cannot convert "True" to bool; only the strings "true" or "false" are allowed.'),
    (
        'tobool("true\\u0007\\u200b")',
        r'cannot convert "true\a\u200b" to bool; only the strings "true" or "false" are allowed.',
    ),
    ('tobool(sensitive("True"))', "cannot convert this sensitive string to bool."),
    ('tonumber(sensitive("x"))', "cannot convert this sensitive string to number."),
    ("tolist([sensitive(null), [1]])", "cannot convert tuple to list of any single type."),
    ("tolist([sensitive({ a = null }), { a = { b = 1 } }])", "this sensitive tuple to list of any single type."),
    ("toset([{ a = null }, { a = { b = sensitive(1) } }])", "this sensitive tuple to set of any single type."),
    ("tolist(sensitive([[null], [[1]]]))", "this sensitive tuple to list of any single type."),
    ("tostring(unknown.list)", "cannot convert list of string to string."),
]


@pytest.mark.parametrize(("expression", "value"), RESULTS)
def test_result_is_the_recorded_one(answer: Answer, expression: str, value: str) -> None:
    assert answer(expression) == value


@pytest.mark.parametrize(("expression", "detail"), ERRORS)
def test_error_is_the_recorded_one(answer: Answer, expression: str, detail: str) -> None:
    assert answer(expression).endswith(detail)


def test_a_number_that_is_none_is_quoted_in_full(answer: Answer) -> None:
    assert answer(r'tonumber("\U000E0001\u2028é\n")') == (
        r'Invalid value for "v" parameter: cannot convert "\U000e0001\u2028é\n" to number; '
        "given string must be a decimal representation of a number."
    )


OPENTOFU_ANSWERS = [
    ("tolist([1, []])", 'Invalid value for "v" parameter: cannot convert tuple to list of any single type.'),
    ("tolist(1)", 'Invalid value for "v" parameter: cannot convert number to list of any single type.'),
    ("tonumber(ephemeral.string)", 'Invalid value for "v" parameter: cannot convert this ephemeral string to number.'),
    ("tonumber(sensitive(unknown.string))", "unknown(number)"),
    ("issensitive(sensitive(unknown.string))", "unknown(bool, not null)"),
    ("issensitive(sensitive(1))", "true"),
    ('ephemeralasnull("${unknown.string}x")', "unknown(string)"),
]


@pytest.mark.parametrize(("expression", "expected"), OPENTOFU_ANSWERS)
def test_opentofu_differs_where_it_does(answer: Answer, expression: str, expected: str) -> None:
    assert answer(expression, OPENTOFU_1_12) == expected
