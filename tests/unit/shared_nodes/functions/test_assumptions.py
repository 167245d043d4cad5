"""The assume... functions of OpenTofu.

Covered: an unknown is returned refined, a known value is returned unchanged or is an error, and the assumption is
combined with what was known before.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.lang.function import Function

Answer = Callable[..., str]

RESULTS = [
    ('assumeequal(unknown.string, "a")', '"a"'),
    ('assumeequal("a", "a")', '"a"'),
    ('assumeequal("1", 1)', "1"),
    ("assumeequal(unknown.any, [1])", "[1]"),
    ("assumeequal(null, null)", "null(any)"),
    ('assumeequal([unknown.string, "b"], ["a", unknown.string])', '["a", unknown(string, not null)]'),
    ('assumeequal(sensitive("a"), "a")', '"a"'),
    ('assumeequal("a", sensitive("a"))', 'sensitive("a")'),
    ("assumenotnull(unknown.list)", "unknown(list(string), not null)"),
    ('assumenotnull("a")', '"a"'),
    ("assumenotnull(sensitive(unknown.nullable))", "sensitive(unknown(string, not null))"),
    ('assumestringprefix(unknown.nullable, "subnet-")', 'unknown(string, prefix "subnet-")'),
    ('assumestringprefix(unknown.nullable, "ab")', 'unknown(string, prefix "a")'),
    ('assumestringprefix("x-${unknown.string}", "x")', 'unknown(string, not null, prefix "x-")'),
    ('assumestringprefix("subnet-1", "subnet-")', '"subnet-1"'),
    ('assumestringprefix("sub", "subnet-")', '"sub"'),
    ('assumestringprefix(null, "a-")', "null(string)"),
    ('assumestringprefix("a", unknown.string)', "unknown(string)"),
    ("assumelistlength(unknown.list, 1, 2)", "unknown(list(string), length 1..2)"),
    (
        "assumenotnull(assumelistlength(unknown.list, 2, 2))",
        "tolist([unknown(string), unknown(string)])",
    ),
    ("assumelistlengthmin(unknown.list, 1)", "unknown(list(string), length 1..)"),
    ("assumelistlengthmax(unknown.list, 3)", "unknown(list(string), length 0..3)"),
    ("assumelistlengthmax(assumelistlengthmin(unknown.list, 1), 3)", "unknown(list(string), length 1..3)"),
    ('assumelistlength(["a"], 1, 1)', 'tolist(["a"])'),
    ("assumesetlengthmin(unknown.set, 1)", "unknown(set(string), length 1..)"),
    ('assumesetlengthmax(toset(["a", unknown.string]), 1)', 'toset(["a", unknown(string, not null)])'),
    ("assumemaplength(unknown.map, 0, 1)", "unknown(map(string), length 0..1)"),
    ("assumenotnull(assumemaplengthmax(unknown.map, 0))", "tomap(string, {})"),
    ("assumelistlength(unknown.list, unknown.number, 1)", "unknown(list(any))"),
]

ERRORS = [
    ('assumeequal("a", "b")', "the actual value does not match the assumed value."),
    ("assumeequal([], 1)", "actual value type tuple does not match assumed value type number."),
    ("assumenotnull(tostring(null))", "assumption was not upheld."),
    ("assumenotnull(null)", r"consider using the \"convert\" function to specify a type to assume."),
    ('assumestringprefix("vpc-1", "subnet-")', "assumption was not upheld."),
    ('assumestringprefix("x-${unknown.string}", "y-")', "assumption was not upheld."),
    ('assumestringprefix("a", null)', 'Invalid value for "prefix" parameter: argument must not be null.'),
    ("assumelistlengthmin([], 1)", "assumption was not upheld."),
    ('assumelistlengthmax(["a", "b"], 1)', "assumption was not upheld."),
    ("assumelistlength(unknown.list, 3, 2)", "assumption was not upheld."),
    ("assumelistlength(absent.list, 0, 1)", "assumption was not upheld."),
    ("assumelistlengthmin(assumelistlengthmax(unknown.list, 2), 3)", "assumption was not upheld."),
    (
        "assumelistlength([], 0.5, 1)",
        'Invalid value for "min_length" parameter: must be a whole number between 0 and 9223372036854775807.',
    ),
    (
        "assumesetlengthmin([], 1/0)",
        'Invalid value for "value" parameter: must be a whole number between 0 and 9223372036854775807.',
    ),
]


@pytest.mark.parametrize(("expression", "value"), RESULTS)
def test_what_is_promised_is_known(answer: Answer, expression: str, value: str) -> None:
    assert answer(expression, OPENTOFU_1_12) == value


@pytest.mark.parametrize(("expression", "detail"), ERRORS)
def test_broken_promise_is_an_error(answer: Answer, expression: str, detail: str) -> None:
    assert answer(expression, OPENTOFU_1_12).endswith(detail)


def test_terraform_has_none_of_them(signatures: dict[str, Function]) -> None:
    assert not [name for name in signatures if name.startswith("assume")]
