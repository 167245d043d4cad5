"""Diagnostics as text and as JSON, byte for byte what Terraform 1.11.4 printed for the same configuration.

The tests cover which lines are shown and what is highlighted in them, the name of the enclosing block, wrapping, the
box with and without colour, and the statements about values.
"""

from __future__ import annotations

import pytest

from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, Severity, error, warning
from shared_nodes.lang.diagnostics_view import (
    CalledFunction,
    Evidence,
    diagnostic_to_json,
    render_plain,
    render_text,
    statement_about,
    traversal_text,
)
from shared_nodes.lang.function import Arguments, Function, Parameter
from shared_nodes.lang.parser import parse_body, parse_expression
from shared_nodes.lang.source import Range, Source
from shared_nodes.values import number as numbers
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import DYNAMIC, NUMBER, STRING, ListType, Type
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    EMPTY_OBJECT,
    EMPTY_TUPLE,
    TRUE,
    Value,
    integer,
    list_of,
    null,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)

CONFIGURATION = """\
locals {
  one   = 1 + "é日本x"
  cond  = true ? {
    a = 1
  } : [
    2
  ]
}
resource "terraform_data" "a" {
  input = { deep = var.nothere }
}
"""


def at(text: str, configuration: str | bytes = CONFIGURATION, filename: str = "main.tf") -> Range:
    source = Source(filename, configuration)
    start = source.text.index(text)
    return Range(source, start, start + len(text))


def parsed(text: str) -> Value:
    payload = numbers.parse(text)
    assert payload is not None
    return number(payload)


def nothing(_arguments: Arguments, _type: Type) -> Value:
    raise AssertionError("never called")


OPERAND = error("Invalid operand", "Unsuitable value for right operand: a number is required.", at('"é日本x"'))
CONDITIONAL = error(
    "Inconsistent conditional result types",
    "The true and false result expressions must have consistent types. The 'true' value is object, but the 'false' "
    "value is tuple.",
    at("{\n    a = 1\n  } : [\n    2\n  ]"),
)


def test_json() -> None:
    assert diagnostic_to_json(OPERAND) == {
        "severity": "error",
        "summary": "Invalid operand",
        "detail": "Unsuitable value for right operand: a number is required.",
        "range": {
            "filename": "main.tf",
            "start": {"line": 2, "column": 15, "byte": 23},
            "end": {"line": 2, "column": 21, "byte": 34},
        },
        "snippet": {
            "context": "locals",
            "code": '  one   = 1 + "é日本x"',
            "start_line": 2,
            "highlight_start_offset": 14,
            "highlight_end_offset": 25,
            "values": [],
        },
    }


def test_plain_text() -> None:
    assert render_plain(OPERAND) == (
        "\n"
        "Error: Invalid operand\n"
        "\n"
        "  on main.tf line 2, in locals:\n"
        '   2:   one   = 1 + "é日本x"\n'
        "\n"
        "Unsuitable value for right operand: a number is required.\n"
    )


def test_several_lines_in_a_box() -> None:
    assert render_text(CONDITIONAL) == (
        "╷\n"
        "│ Error: Inconsistent conditional result types\n"
        "│\n"
        "│   on main.tf line 3, in locals:\n"
        "│    3:   cond  = true ? {\n"
        "│    4:     a = 1\n"
        "│    5:   } : [\n"
        "│    6:     2\n"
        "│    7:   ]\n"
        "│\n"
        "│ The true and false result expressions must have consistent types. The\n"
        "│ 'true' value is object, but the 'false' value is tuple.\n"
        "╵\n"
    )


def test_colours() -> None:
    """Every coloured piece ends with an additional reset, even if it already ended with one."""
    rule = "\033[31m│\033[0m \033[0m"
    assert render_text(OPERAND, colour=True) == (
        "\033[31m╷\033[0m\033[0m\n"
        f"{rule}\033[1m\033[31mError: \033[0m\033[0m\033[1mInvalid operand\033[0m\n"
        f"{rule}\n"
        f"{rule}\033[0m  on main.tf line 2, in locals:\n"
        f'{rule}   2:   one   = 1 + \033[4m"é日本x"\033[0m\033[0m\n'
        f"{rule}\n"
        f"{rule}Unsuitable value for right operand: a number is required.\n"
        "\033[31m╵\033[0m\033[0m\n"
    )


def test_colours_of_a_warning_with_values() -> None:
    configuration = 'check "c" {\n  assert {\n    condition = var.s == "y"\n  }\n}\n'
    failed = warning("Check block assertion failed", "Should be y.\n  keep this", at('var.s == "y"', configuration))
    rule = "\033[33m│\033[0m \033[0m"
    assert render_text(failed, colour=True, evidence=Evidence((("var.s", 'is "abc"'),))) == (
        "\033[33m╷\033[0m\033[0m\n"
        f"{rule}\033[1m\033[33mWarning: \033[0m\033[0m\033[1mCheck block assertion failed\033[0m\n"
        f"{rule}\n"
        f'{rule}\033[0m  on main.tf line 3, in check "c":\n'
        f'{rule}   3:     condition = \033[4mvar.s == "y"\033[0m\033[0m\n'
        f"{rule}    \033[90m├────────────────\033[0m\n"
        f'{rule}\033[0m    \033[90m│\033[0m \033[1mvar.s\033[0m is "abc"\n'
        f"{rule}\033[0m\n"
        f"{rule}Should be y.\n"
        f"{rule}  keep this\n"
        "\033[33m╵\033[0m\033[0m\n"
    )


def test_values_are_sorted_and_the_call_comes_first() -> None:
    subject = at("nope", 'locals {\n  fn = f("nope", var.b, var.a)\n}\n')
    function = Function("f", (Parameter("path", STRING),), DYNAMIC, nothing, variadic=Parameter("more", NUMBER))
    evidence = Evidence((("var.b", "is 1"), ("var.a", "is a string")), CalledFunction("provider::p::f", function))
    assert render_plain(error("Invalid function argument", "Why.", subject), evidence=evidence) == (
        "\n"
        "Error: Invalid function argument\n"
        "\n"
        "  on main.tf line 2, in locals:\n"
        '   2:   fn = f("nope", var.b, var.a)\n'
        "    ├────────────────\n"
        "    │ while calling provider::p::f(path, more...)\n"
        "    │ var.a is a string\n"
        "    │ var.b is 1\n"
        "\n"
        "Why.\n"
    )
    snippet = diagnostic_to_json(error("Invalid function argument", "Why.", subject), evidence)["snippet"]
    assert snippet["values"] == [
        {"traversal": "var.a", "statement": "is a string"},
        {"traversal": "var.b", "statement": "is 1"},
    ]
    assert snippet["function_call"] == {
        "called_as": "provider::p::f",
        "signature": {
            "name": "f",
            "params": [{"name": "path", "type": "string"}],
            "variadic_param": {"name": "more", "type": "number"},
            "return_type": "dynamic",
        },
    }


def test_a_call_to_an_unknown_function_is_not_described() -> None:
    evidence = Evidence(call=CalledFunction("nope", None))
    assert render_plain(OPERAND, evidence=evidence) == render_plain(OPERAND)
    assert diagnostic_to_json(OPERAND, evidence)["snippet"]["function_call"] == {"called_as": "nope"}


def test_address() -> None:
    failed = Diagnostic(Severity.ERROR, "Failed", "Why.", at("var.nothere"), address="terraform_data.a")
    assert "\n  with terraform_data.a,\n  on main.tf line 10, in resource" in render_plain(failed)
    assert list(diagnostic_to_json(failed)) == ["severity", "summary", "detail", "address", "range", "snippet"]


def test_without_any_place() -> None:
    assert diagnostic_to_json(warning("Careful")) == {"severity": "warning", "summary": "Careful", "detail": ""}
    assert render_plain(warning("Careful")) == "\nWarning: Careful\n\n"
    assert render_text(warning("Careful", "Really.")) == "╷\n│ Warning: Careful\n│\n│ Really.\n╵\n"


def test_without_source_text() -> None:
    subject = at("1", "[1", "<value for var.s>")
    assert render_plain(error("Missing expression", subject=subject)) == (
        "\nError: Missing expression\n\n  on <value for var.s> line 1:\n  (source code not available)\n\n"
    )
    assert "snippet" not in diagnostic_to_json(error("Missing expression", subject=subject))


@pytest.mark.parametrize(
    ("configuration", "context", "code", "start_line", "highlight"),
    [
        # at the end of the file there is nothing to show
        ("locals {\n  a = [1,\n", "locals", "", 3, (0, 0)),
        # a byte order mark is part of the first line, and counts
        ("\ufeffa = 1 b = 2\n", None, "\ufeffa = 1 b = 2", 1, (9, 10)),
        # an empty line in the middle drops out, and with it the offsets go wrong
        (
            "locals {\n  a = [\n    1,\n\n    2\n    3\n  ]\n}\n",
            "locals",
            "  a = [\n    1,\n    2\n    3",
            2,
            (26, 26),
        ),
        # carriage returns are not shown
        (
            "locals {\r\n  a = [\r\n\r\n    1\r\n    2\r\n  ]\r\n}\r\n",
            "locals",
            "  a = [\n    1\n    2",
            2,
            (19, 19),
        ),
        # a range that reaches to the beginning of a line shows that line too
        ("locals {\n  z = 1 +\n}\n", "locals", "  z = 1 +\n}", 2, (9, 10)),
        # the outermost block is the context, its labels quoted
        (
            'resource "a" "é\\"" {\n  nested "x" {\n    y = 1 z\n  }\n}\n',
            'resource "a" "é\\""',
            "    y = 1 z",
            3,
            (10, 11),
        ),
    ],
)
def test_what_is_shown_of_the_source(
    configuration: str, context: str | None, code: str, start_line: int, highlight: tuple[int, int]
) -> None:
    _, problems = parse_body(Source("main.tf", configuration.encode()))
    snippet = diagnostic_to_json(problems[0])["snippet"]
    assert snippet["context"] == context
    assert snippet["code"] == code
    assert snippet["start_line"] == start_line
    assert (snippet["highlight_start_offset"], snippet["highlight_end_offset"]) == highlight


def test_bytes_that_are_not_text_are_shown_as_replacement_characters() -> None:
    configuration = b'locals {\n  a = "\xff\xfe \xc3" + 1\n}\n'
    shown = diagnostic_to_json(error("Bad", subject=at("+", configuration)))["snippet"]
    assert shown["code"] == '  a = "\ufffd\ufffd \ufffd" + 1'
    assert (shown["highlight_start_offset"], shown["highlight_end_offset"]) == (13, 14)


def test_a_header_is_not_inside_its_block() -> None:
    assert diagnostic_to_json(error("Bad", subject=at("resource")))["snippet"]["context"] is None
    assert diagnostic_to_json(error("Bad", subject=at('"terraform_data"')))["snippet"]["context"] is not None


@pytest.mark.parametrize(
    ("document", "context"),
    [
        ('{"output": {"o": {"value": "${AT}"}}}', "output.o"),
        ('{"output": {"o": [{"value": "${AT}"}]}}', "output.o[0]"),
        ('[{"locals": {"a": [["${AT}"]]}}]', "[0].locals.a[0]"),
        ('{"output": {"o": {"value": {"${AT}": 1}}}}', "output.o.value"),
        ('{"output": {"o": {"value": 1}}, "more": "${AT}"}', None),
    ],
)
def test_json_has_the_path_to_what_contains_the_subject(document: str, context: str | None) -> None:
    """The excerpt is of the file, although an expression in a string is a text of its own. Terraform 1.11.4 prints
    these paths for an undeclared resource."""
    file = Source("main.tf.json", document)
    start = document.index("AT")
    inside = Source(file.filename, "AT", file.position(start), file=file)
    snippet = diagnostic_to_json(error("Bad", subject=Range(inside, 0, 2)))["snippet"]
    assert (snippet["context"], snippet["code"]) == (context, document)
    assert (snippet["highlight_start_offset"], snippet["highlight_end_offset"]) == (start, start + 2)


def test_context_widens_what_is_shown_but_not_what_is_highlighted() -> None:
    source = Source("main.tf", CONFIGURATION)
    start = CONFIGURATION.index("true")
    end = CONFIGURATION.index("}\nresource")
    snippet = diagnostic_to_json(error("Bad", subject=Range(source, start, start + 4), context=Range(source, 0, end)))[
        "snippet"
    ]
    assert snippet["start_line"] == 1
    assert snippet["code"] == CONFIGURATION[: end + 1]
    assert snippet["code"].encode()[snippet["highlight_start_offset"] : snippet["highlight_end_offset"]] == b"true"


@pytest.mark.parametrize(
    ("detail", "expected"),
    [
        ("one two three four", "one two\nthree\nfour"),
        ("one  two   three", "one  two\nthree"),
        ("averyveryverylongword x", "averyveryverylongword\nx"),
        ("a averyveryverylongword", "a\naveryveryverylongword"),
        ("one\xa0two three", "one\xa0two\nthree"),
        ("éé日本 éé日本", "éé日本\néé日本"),
        ("one\ttwo three", "one\ttwo\nthree"),
        ("one two     ", "one two"),
        ("one two ", "one two "),
        ("  one two three four\nfive", "  one two three four\nfive"),
        ("one\n\ntwo", "one\n\ntwo"),
        ("[red] [bold]", "[red]\n[bold]"),
    ],
)
def test_wrapping(detail: str, expected: str) -> None:
    assert render_plain(error("E", detail), width=9) == f"\nError: E\n\n{expected}\n"


def test_a_width_too_small_to_wrap_at_means_no_wrapping() -> None:
    detail = "one two three"
    assert render_plain(error("E", detail), width=1) == f"\nError: E\n\n{detail}\n"
    assert render_text(error("E", detail), width=3) == f"╷\n│ Error: E\n│\n│ {detail}\n╵\n"


@pytest.mark.parametrize(
    ("value", "statement"),
    [
        (string("a\nb"), 'is "a\\nb"'),
        (TRUE, "is true"),
        (null(DYNAMIC), "is null"),
        (integer(1), "is 1"),
        (integer(12345678901234), "is 1.23456789e+13"),
        (parsed("0.1"), "is 0.1"),
        (parsed("-0.00001234567890123"), "is -1.23456789e-05"),
        (parsed("0.000123"), "is 0.000123"),
        (parsed("1234567890.5"), "is 1234567890"),
        (parsed("9999999999.9"), "is 1e+10"),
        (parsed("100000"), "is 100000"),
        (parsed("-12.5"), "is -12.5"),
        (parsed("-0"), "is -0"),
        (parsed("1e100"), "is 1e+100"),
        (number(numbers.PositiveInfinity), "is +Inf"),
        (EMPTY_OBJECT, "is object with no attributes"),
        (object_of({"b": TRUE}), 'is object with 1 attribute "b"'),
        (object_of({"a": TRUE, "b": TRUE}), "is object with 2 attributes"),
        (EMPTY_TUPLE, "is empty tuple"),
        (tuple_of([TRUE]), "is tuple with 1 element"),
        (list_of(STRING, [string("a"), string("b")]), "is list of string with 2 elements"),
        (set_of(STRING, []), "is empty set of string"),
        (unknown(ListType(STRING)), "is a list of string"),
        (DYNAMIC_UNKNOWN, None),
        (string("a").mark(SENSITIVE), None),
    ],
)
def test_statements(value: Value, statement: str | None) -> None:
    assert statement_about(value) == statement


def test_statements_about_the_cause() -> None:
    assert statement_about(unknown(STRING), unknown_is_cause=True) == "is a string, known only after apply"
    assert statement_about(DYNAMIC_UNKNOWN, unknown_is_cause=True) == "will be known only after apply"
    secret = string("a").mark(SENSITIVE)
    assert statement_about(secret, marks_are_cause=frozenset((SENSITIVE,))) == "has a sensitive value"


def test_references() -> None:
    expression, _ = parse_expression(Source("x", 'local.obj["a\\n"][0].b'))
    assert isinstance(expression, tree.Traversal)
    assert traversal_text(expression) == 'local.obj["a\\n"][0].b'
