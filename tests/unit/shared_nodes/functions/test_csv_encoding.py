"""`csvdecode`, compared with recorded answers."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from shared_nodes.functions import csv_encoding
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.json_encoding import encode_json
from shared_nodes.lang.function import FunctionError
from shared_nodes.values.types import STRING, ListType, ObjectType
from shared_nodes.values.value import DYNAMIC_UNKNOWN, string, unknown
from shared_nodes.world import World

(CSVDECODE,) = csv_encoding.functions(FunctionContext(World.real(Path())))

DECODED: Final = [
    ("a", "[]"),
    ("a\r\n1\r\n", '[{"a":"1"}]'),
    ("a\r1\r", "[]"),
    ("a\n1\r", '[{"a":"1"}]'),
    ('a\n"1\r\n2"\n', '[{"a":"1\\n2"}]'),
    ('a\n"x""y"\n', '[{"a":"x\\"y"}]'),
    ('"a\nb",c\n1,2', '[{"a\\nb":"1","c":"2"}]'),
    ("\ufeffa\n1", '[{"\ufeffa":"1"}]'),
    ("a,\n1,2", '[{"":"2","a":"1"}]'),
    ("a,b\n,\n", '[{"a":"","b":""}]'),
    ('a\n""\n', '[{"a":""}]'),
    ("a\n\n\n1\n\n", '[{"a":"1"}]'),
    ("a\n \n", '[{"a":" "}]'),
    ("a\n\x85\n", '[{"a":"\x85"}]'),
    ('a,b\n"1","2"\r', '[{"a":"1","b":"2"}]'),
    ("a,b\n1\r,2", '[{"a":"1\\r","b":"2"}]'),
    ("a\n\x00", '[{"a":"\\u0000"}]'),
    ("a;b\n1;2", '[{"a;b":"1;2"}]'),
    ("#a\n1", '[{"#a":"1"}]'),
    ('a\n"\n"', '[{"a":"\\n"}]'),
    ('a\n""""', '[{"a":"\\""}]'),
    ("\r\n\r\na\n1", '[{"a":"1"}]'),
    ("\r\ra\n1", '[{"\\r\\ra":"1"}]'),
    ("a\nb\n\r\n\r", '[{"a":"b"}]'),
    ("a\u2028b\n1", '[{"a\\u2028b":"1"}]'),
    ("a\x0bb\n1", '[{"a\\u000bb":"1"}]'),
]


@pytest.mark.parametrize(("text", "expected"), DECODED)
def test_rows_become_objects(text: str, expected: str) -> None:
    assert encode_json(CSVDECODE.call([string(text)])) == expected


REFUSED: Final = [
    ("", "missing header line"),
    ("\n\n", "missing header line"),
    ("a,a\n1,2", 'duplicate column name "a"'),
    ('a\n"1\r', 'CSV parse error on line 2: extraneous or missing " in quoted-field'),
    ('a\n"1\r\n', 'CSV parse error on line 2: extraneous or missing " in quoted-field'),
    ('a\n"x"y\n', 'CSV parse error on line 2: extraneous or missing " in quoted-field'),
    ('a\n"x" ,y\n', 'CSV parse error on line 2: extraneous or missing " in quoted-field'),
    ('a\n "x"\n', 'CSV parse error on line 2: bare " in non-quoted-field'),
    ('a,b\n"x\n\ny",2\n3', "CSV parse error on line 5: wrong number of fields"),
    ('a,b\n"x\n\ny",2\n3,"', 'CSV parse error on line 5: extraneous or missing " in quoted-field'),
    ('a,b\n1,"x\ny\nz', 'CSV parse error on line 4: extraneous or missing " in quoted-field'),
    ('"a', 'CSV parse error on line 1: extraneous or missing " in quoted-field'),
    ('a"', 'CSV parse error on line 1: bare " in non-quoted-field'),
    ('\ufeff"a"\n1', 'CSV parse error on line 1: bare " in non-quoted-field'),
    (",\n1,2", 'duplicate column name ""'),
    ('a\n1\n"2\n3"\n4,5', "CSV parse error on line 5: wrong number of fields"),
    ('a,b\n"1","2"x', 'CSV parse error on line 2: extraneous or missing " in quoted-field'),
    ('a,b\n"1"\r,"2"\r', 'CSV parse error on line 2: extraneous or missing " in quoted-field'),
    ("é,é\n1,2", 'duplicate column name "é"'),
    ('a\n"', 'CSV parse error on line 2: extraneous or missing " in quoted-field'),
    ('a\n"\n', 'CSV parse error on line 2: extraneous or missing " in quoted-field'),
    ('a\n"""', 'CSV parse error on line 2: extraneous or missing " in quoted-field'),
    ('a,b\n"x","y\n\nz"q', 'CSV parse error on line 4: extraneous or missing " in quoted-field'),
    ("\r\n", "missing header line"),
    ("\r", "missing header line"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_errors_name_the_line(text: str, message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        CSVDECODE.call([string(text)])
    assert caught.value.message == message


def test_header_alone_gives_an_empty_list_of_its_type() -> None:
    assert CSVDECODE.call([string("b,a\n")]).type == ListType(ObjectType({"a": STRING, "b": STRING}))


def test_unknown_text_gives_a_value_of_unknown_type() -> None:
    assert CSVDECODE.call([unknown(STRING)]) == DYNAMIC_UNKNOWN
