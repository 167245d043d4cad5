"""The builtin provider's functions, compared with answers recorded from Terraform 1.11.4.

Covered: every byte of the layout (indentation, alignment, escapes), what is known about the text of an unknown value,
and which problem of a definitions text is reported.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.functions import provider_terraform
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.printable import is_printable
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.function import ArgumentError, Function, FunctionError
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.scope import EMPTY_SCOPE
from shared_nodes.lang.source import Source
from shared_nodes.values import number as numbers
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import NUMBER, STRING, ListType, ObjectType, TupleType, Type
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    Value,
    list_of,
    map_of,
    null,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)
from shared_nodes.world import World


def named(name: str) -> Function:
    context = FunctionContext(World.real(Path()))
    return {function.name: function for function in provider_terraform.functions(context)}[name]


def literal(text: str) -> Value:
    expression, problems = parse_expression(Source("argument", text))
    assert expression is not None
    assert not problems
    value, problems = evaluate(expression, EMPTY_SCOPE)
    assert not problems
    return value


def failure(name: str, argument: Value) -> str:
    with pytest.raises(FunctionError) as caught:
        named(name).call([argument])
    assert not isinstance(caught.value, ArgumentError)
    return caught.value.message


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("[{a=1},{b=2,cc=3}]", "[{\n  a = 1\n  }, {\n  b  = 2\n  cc = 3\n}]"),
        ("[1,[2,[3]],[]]", "[1, [2, [3]], []]"),
        ("[[{a=1}]]", "[[{\n  a = 1\n}]]"),
        (
            "{a=[{b=1,cc=2},{d=3}],eee=4,f={},g=[],h={i={}}}",
            (
                "{\n  a = [{\n    b  = 1\n    cc = 2\n    }, {\n    d = 3\n  }]\n  eee = 4\n  f   = {}\n"
                "  g   = []\n  h = {\n    i = {}\n  }\n}"
            ),
        ),
        ("{a=1,bb={c=1},ccc=2,d=3}", "{\n  a = 1\n  bb = {\n    c = 1\n  }\n  ccc = 2\n  d   = 3\n}"),
        ("{a=[1,2],bb=[{x=1}],c=null}", "{\n  a = [1, 2]\n  bb = [{\n    x = 1\n  }]\n  c = null\n}"),
        (
            "[null,true,false,-1,-0.5,1e50,1e-10,-0,0.1]",
            (
                "[null, true, false, -1, -0.5, 100000000000000000000000000000000000000000000000000, "
                "0.0000000001, -0, 0.1]"
            ),
        ),
        (
            (
                '"1$${a} %%{b} $$${c} $x %y $$ %% $$$${ \\\\ \\" \\t \\r \\n \\u0000 \\u0001 \\u007f '
                '\\u0080 \\u200b \\u2028 \\ufeff 😀 é"'
            ),
            (
                '"1$${a} %%{b} $$${c} $x %y $$ %% $$$${ \\\\ \\" \\t \\r \\n \\u0000 \\u0001 \\u007f '
                '\\u0080 \\u200b \\u2028 \\ufeff 😀 é"'
            ),
        ),
        ('"$"', '"$"'),
        ('"%"', '"%"'),
        ('"$$$${"', '"$$$${"'),
        ('"$$"', '"$$"'),
        ('"a$${}b%%{}c"', '"a$${}b%%{}c"'),
        ('"\\ue000\\ufffd\\U00010ffff\\u00ad"', '"\\ue000�\\U00010ffff\\u00ad"'),
        ('"  sp  "', '"  sp  "'),
        ('""', '""'),
        (
            (
                '{"a-b"=1,"a b"=2,"1a"=3,"é"=4,"日本語"=5,""=6,"for"=7,"null"=8,"true"=9,"if"=10,"a.b"=11,'
                '"in"=12,"-a"=13,"_a"=14, "a\\n"=15,"$${x}"=16}'
            ),
            (
                '{\n  ""      = 6\n  "$${x}" = 16\n  "-a"    = 13\n  "1a"    = 3\n  _a      = 14\n'
                '  "a\\n"   = 15\n  "a b"   = 2\n  a-b     = 1\n  "a.b"   = 11\n  for     = 7\n'
                "  if      = 10\n  in      = 12\n  null    = 8\n  true    = 9\n  é       = 4\n"
                "  日本語     = 5\n}"
            ),
        ),
        ('{"日本語"=1,"a"=2}', "{\n  a   = 2\n  日本語 = 1\n}"),
        (
            '{"e\\u0301\\u0301"=1,"a"=2,"👨\u200d👩\u200d👧"=3}',
            '{\n  a                 = 2\n  é́                 = 1\n  "👨\\u200d👩\\u200d👧" = 3\n}',
        ),
        (
            "{in=[1],a=[2],b=[[3]],nn={in=[{}]}}",
            "{\n  a  = [2]\n  b  = [[3]]\n  in = [1]\n  nn = {\n    in = [{}]\n  }\n}",
        ),
        ("[{}]", "[{}]"),
        ("[{},{}]", "[{}, {}]"),
        ("[[],{}]", "[[], {}]"),
        ("[{a={}},{}]", "[{\n  a = {}\n}, {}]"),
        ("[{a={b=1}}]", "[{\n  a = {\n    b = 1\n  }\n}]"),
        ("[[{a=1}],2]", "[[{\n  a = 1\n}], 2]"),
        ("[1,{a=1}]", "[1, {\n  a = 1\n}]"),
        ("[1,{a=1},2,{b=[{c=1}]}]", "[1, {\n  a = 1\n  }, 2, {\n  b = [{\n    c = 1\n  }]\n}]"),
        (
            "{a=[[{b=1},{c=2}],[{d=3}]],z=1}",
            "{\n  a = [[{\n    b = 1\n    }, {\n    c = 2\n    }], [{\n    d = 3\n  }]]\n  z = 1\n}",
        ),
        ("12345678901234567890123456789", "12345678901234567890123456789"),
        (
            "1/3",
            (
                "0.33333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333335"
            ),
        ),
        ("-5", "-5"),
        ("[-5,-5]", "[-5, -5]"),
        ("{a=-5}", "{\n  a = -5\n}"),
        ("true", "true"),
    ],
)
def test_encode_expr(argument: str, expected: str) -> None:
    assert named("encode_expr").call([literal(argument)]) == string(expected)


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (set_of(STRING, [string("b"), string("a")]), '["a", "b"]'),
        (map_of(STRING, {"x": string("y")}), '{\n  x = "y"\n}'),
        (list_of(ObjectType({"a": STRING}), [object_of({"a": null(STRING)})]), "[{\n  a = null\n}]"),
        (list_of(STRING, []), "[]"),
        (map_of(STRING, {}), "{}"),
        (number(numbers.PositiveInfinity), "+Inf"),
        (string("a").mark(SENSITIVE), '"a"'),
    ],
)
def test_encode_expr_of_what_has_no_literal(argument: Value, expected: str) -> None:
    assert named("encode_expr").call([argument]) == string(expected).with_marks(argument.marks)


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (
            '{a=1,bb="x",ccc=[1,2],d={e=1},f=null,gg={},h=[{i=1}]}',
            'a   = 1\nbb  = "x"\nccc = [1, 2]\nd = {\n  e = 1\n}\nf  = null\ngg = {}\nh = [{\n  i = 1\n}]\n',
        ),
        ('{"é"=1,"a-b"=2,"for"=3,"null"=4}', "a-b  = 2\nfor  = 3\nnull = 4\né    = 1\n"),
        (
            "{a={b={c=[{d=1,ee=2}]}},b=[[1],[2]],c=[[{a=1}],3]}",
            (
                "a = {\n  b = {\n    c = [{\n      d  = 1\n      ee = 2\n    }]\n  }\n}\nb = [[1], [2]]\n"
                "c = [[{\n  a = 1\n}], 3]\n"
            ),
        ),
    ],
)
def test_encode_tfvars(argument: str, expected: str) -> None:
    assert named("encode_tfvars").call([literal(argument)]) == string(expected)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        (
            '{"a b"=1}',
            (
                'invalid variable name "a b": must be a valid identifier, per Terraform\'s rules for '
                "input variable declarations"
            ),
        ),
        (
            '{"a\\"b"=1}',
            (
                'invalid variable name "a\\"b": must be a valid identifier, per Terraform\'s rules for '
                "input variable declarations"
            ),
        ),
        (
            '{""=1}',
            (
                'invalid variable name "": must be a valid identifier, per Terraform\'s rules for input '
                "variable declarations"
            ),
        ),
        (
            "1",
            ("invalid value to encode: must be an object whose attribute names will become the encoded variable names"),
        ),
        (
            "[]",
            ("invalid value to encode: must be an object whose attribute names will become the encoded variable names"),
        ),
    ],
)
def test_encode_tfvars_errors(argument: str, message: str) -> None:
    assert failure("encode_tfvars", literal(argument)) == message


@pytest.mark.parametrize(
    ("argument", "known"),
    [
        (unknown(STRING, NOT_NULL), Refinement(not_null=True, prefix='"')),
        (unknown(STRING), NOT_NULL),
        (unknown(NUMBER, NOT_NULL), NOT_NULL),
        (unknown(ListType(STRING), NOT_NULL), Refinement(not_null=True, prefix="[")),
        (unknown(ObjectType({}), NOT_NULL), Refinement(not_null=True, prefix="{")),
        (unknown(ObjectType({})), NOT_NULL),
        (tuple_of([unknown(STRING)]), Refinement(not_null=True, prefix="[")),
        (object_of({"a": DYNAMIC_UNKNOWN}), Refinement(not_null=True, prefix="{")),
        (DYNAMIC_UNKNOWN, NOT_NULL),
    ],
)
def test_the_beginning_of_an_unknown_expression_is_known(argument: Value, known: Refinement) -> None:
    assert named("encode_expr").call([argument]) == unknown(STRING, known)


@pytest.mark.parametrize(
    "argument", [DYNAMIC_UNKNOWN, object_of({"a": unknown(STRING)}), tuple_of([unknown(STRING)]), unknown(STRING)]
)
def test_encode_tfvars_waits_for_unknowns_before_it_looks_at_the_type(argument: Value) -> None:
    assert named("encode_tfvars").call([argument]) == unknown(STRING, NOT_NULL)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a = 1\nb = "x"\nc = [1, 2]\nd = { e = null }', '{ a = 1, b = "x", c = [1, 2], d = { e = null } }'),
        ("", "{}"),
        ("# only a comment", "{}"),
        ("\ufeffa = 1", "{ a = 1 }"),
        ("a = <<EOT\nhi\nEOT\n", '{ a = "hi\\n" }'),
        ("a = [for x in [1, 2] : x * 2]", "{ a = [2, 4] }"),
        ("a = {for k, v in {x = 1}: k => v + 1}", "{ a = { x = 2 } }"),
        ("a = true ? 1 : x", "{ a = 1 }"),
        ("é = 1\n日本 = 2", "{ é = 1, 日本 = 2 }"),
        ("a = 1\r\nb = 2\r\n", "{ a = 1, b = 2 }"),
    ],
)
def test_decode_tfvars(text: str, expected: str) -> None:
    assert named("decode_tfvars").call([string(text)]) == literal(expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a = 1 b = 2",
            (
                "invalid tfvars syntax: <decode_tfvars argument>:1,7-8: Missing newline after argument; "
                "An argument definition must end with a newline."
            ),
        ),
        (
            "a = ",
            (
                "invalid tfvars syntax: <decode_tfvars argument>:1,5-5: Missing expression; Expected the "
                "start of an expression, but found the end of the file."
            ),
        ),
        (
            "a = [1,",
            (
                "invalid tfvars syntax: <decode_tfvars argument>:1,8-8: Missing expression; Expected the "
                "start of an expression, but found the end of the file."
            ),
        ),
        (
            'a = "${b}"',
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,8-9: Variables not '
                "allowed; Variables may not be used here."
            ),
        ),
        (
            "a = b + c",
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,5-6: Variables not '
                "allowed; Variables may not be used here., and 1 other diagnostic(s)"
            ),
        ),
        (
            "a = [b, c, upper(d)]",
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,6-7: Variables not '
                "allowed; Variables may not be used here., and 2 other diagnostic(s)"
            ),
        ),
        (
            'a = 1\nblk {}\nblk2 "x" {}',
            (
                'invalid tfvars content: <decode_tfvars argument>:2,1-4: Unexpected "blk" block; Blocks '
                "are not allowed here."
            ),
        ),
        (
            "blk {}\na = b",
            (
                'invalid tfvars content: <decode_tfvars argument>:1,1-4: Unexpected "blk" block; Blocks '
                "are not allowed here."
            ),
        ),
        (
            "a = [for x in [1,2]: y]",
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,22-23: Unknown '
                'variable; There is no variable named "y". Did you mean "x"?, and 1 other diagnostic(s)'
            ),
        ),
        (
            'a = 1 + "x"',
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,9-12: Invalid operand; '
                "Unsuitable value for right operand: a number is required."
            ),
        ),
        (
            'a = -"x"',
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,6-9: Invalid operand; '
                "Unsuitable value for unary operand: a number is required."
            ),
        ),
        (
            "é = ü",
            (
                'invalid expression for variable "é": <decode_tfvars argument>:1,5-6: Variables not '
                "allowed; Variables may not be used here."
            ),
        ),
        (
            "a = ${1}",
            (
                "invalid tfvars syntax: <decode_tfvars argument>:1,5-6: Invalid character; This "
                "character is not used within the language., and 1 other diagnostic(s)"
            ),
        ),
        (
            "a = 'x'",
            (
                "invalid tfvars syntax: <decode_tfvars argument>:1,5-6: Invalid character; Single quotes "
                'are not valid. Use double quotes (") to enclose strings., and 1 other diagnostic(s)'
            ),
        ),
        (
            '"a" = 1',
            (
                "invalid tfvars syntax: <decode_tfvars argument>:1,1-2: Invalid argument name; Argument "
                "names must not be quoted."
            ),
        ),
        (
            "a.b = 1",
            (
                "invalid tfvars syntax: <decode_tfvars argument>:1,1-2: Argument or block definition "
                "required; An argument or block definition is required here. To set an argument, use the "
                'equals sign "=" to introduce the argument value.'
            ),
        ),
        (
            "a = [1, 2][5]",
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,11-14: Invalid index; '
                "The given key does not identify an element in this collection value."
            ),
        ),
        (
            "a = { b = 1 }.c",
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,14-16: Unsupported '
                'attribute; This object does not have an attribute named "c".'
            ),
        ),
        (
            "a { b = 1 }",
            (
                'invalid tfvars content: <decode_tfvars argument>:1,1-2: Unexpected "a" block; Blocks '
                "are not allowed here."
            ),
        ),
        (
            "a = 0 / 0",
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,5-10: Operation failed; '
                "Error during operation: can't divide zero by zero or infinity by infinity."
            ),
        ),
        (
            "provider::x::y()",
            (
                "invalid tfvars syntax: <decode_tfvars argument>:1,1-9: Argument or block definition "
                "required; An argument or block definition is required here. To set an argument, use the "
                'equals sign "=" to introduce the argument value.'
            ),
        ),
        (
            "a = provider::x::y()",
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,5-21: Function calls '
                "not allowed; Functions may not be called here."
            ),
        ),
        (
            "a = var.x\nb = 1",
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,5-8: Variables not '
                "allowed; Variables may not be used here."
            ),
        ),
        (
            "a = b[*].c",
            (
                'invalid expression for variable "a": <decode_tfvars argument>:1,5-6: Variables not '
                "allowed; Variables may not be used here."
            ),
        ),
    ],
)
def test_decode_tfvars_errors(text: str, message: str) -> None:
    assert failure("decode_tfvars", string(text)) == message


def test_what_was_encoded_can_be_decoded() -> None:
    value = literal(r"""{ a = { b = [1, { c = "x$${y}\n" }] }, z = null }""")
    encoded = named("encode_tfvars").call([value])
    assert named("decode_tfvars").call([encoded]) == value


def test_decoding_an_unknown_text_gives_a_value_of_any_type() -> None:
    assert named("decode_tfvars").call([unknown(STRING)]) == DYNAMIC_UNKNOWN


@pytest.mark.parametrize("ty", [STRING, ListType(STRING)])
def test_null_is_refused(ty: Type) -> None:
    for name in ("encode_expr", "encode_tfvars"):
        with pytest.raises(ArgumentError, match="argument must not be null"):
            named(name).call([null(ty)])


@pytest.mark.parametrize(
    ("code", "printable"),
    [
        (0x20, True),
        (0xA0, False),
        (0x31350, True),
        (0x323B0, False),
        (0x1343F, False),
        (0x13440, True),
        (0xE000, False),
    ],
)
def test_printable_as_of_unicode_15(code: int, printable: bool) -> None:
    assert is_printable(chr(code)) == printable


def strict(name: str, argument: Value) -> Value:
    context = FunctionContext(World.real(Path()), OPENTOFU_1_12)
    return {function.name: function for function in provider_terraform.functions(context)}[name].call([argument])


def test_opentofu_encodes_like_terraform() -> None:
    value = object_of({"a": number(numbers.from_int(1, 512)), "long": tuple_of([string("x")])})
    assert strict("encode_tfvars", value) == string('a    = 1\nlong = ["x"]\n')
    assert strict("encode_expr", string("a")) == string('"a"')
    assert strict("encode_expr", unknown(STRING, NOT_NULL)) == unknown(STRING)
    assert strict("decode_tfvars", string("a = [1]\n")).type == ObjectType({"a": TupleType([NUMBER])})


STRICT_ERRORS = [
    ("encode_expr", tuple_of([unknown(STRING)]), "input is not wholly known"),
    ("encode_tfvars", map_of(STRING, {"a": string("x")}), "invalid input: must be an object"),
    ("encode_tfvars", object_of({"a b": string("x")}), "invalid input: object key: a b - must be a valid identifier"),
    (
        "encode_tfvars",
        object_of({"a": unknown(STRING)}),
        "panic in function implementation: cannot produce tokens for unknown value",
    ),
    (
        "decode_tfvars",
        string("a = 1\nb = x\n"),
        "failed to decode tfvars content\n:1,5-6: Variables not allowed; Variables may not be used here.",
    ),
    (
        "decode_tfvars",
        string("a = [x, y]"),
        "failed to decode tfvars content\n:0,5-6: Variables not allowed; Variables may not be used here."
        "\n:0,8-9: Variables not allowed; Variables may not be used here.",
    ),
    (
        "decode_tfvars",
        string("x {\n}\ny {\n}"),
        'failed to decode tfvars content\n:0,0-1: Unexpected "x" block; Blocks are not allowed here.',
    ),
    (
        "decode_tfvars",
        string("a = 1\na = 2"),
        "failed to decode tfvars content\n:1,1-2: Attribute redefined; "
        'The argument "a" was already set at :0,0-1. Each argument may be set only once.',
    ),
]


@pytest.mark.parametrize(("name", "argument", "message"), STRICT_ERRORS)
def test_opentofu_has_errors_of_its_own(name: str, argument: Value, message: str) -> None:
    with pytest.raises(FunctionError) as failure:
        strict(name, argument)
    assert failure.value.message == message
