"""No input, however absurd, may end in a traceback, a hang or unbounded memory: it has an answer or a diagnostic.

Each row runs the real command in its own process, with limits on time and memory set by the operating system, because
those are what a recursion, a quadratic loop or a giant allocation exceeds. The content of the answer is covered by
other tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

SECONDS: Final = 60
"""Processor time, which other work on the machine does not use up."""

HANGING_S: Final = 600
"""For a command that waits, and takes no processor time."""

MEMORY: Final = 3 * 1024**3
OUTCOMES: Final = {"value", "value_omitted", "error", "not_serializable", "ephemeral", "crash"}

DEEP: Final = 100_000
MANY: Final = 20_000
LONG: Final = 10_000_000

LIMITED_COMMAND: Final = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
from harness.cli import main
main()
"""


def answer(directory: Path, question: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of the command line to one JSON line; fail if it does anything but answer."""
    line = json.dumps(question).encode()
    done = subprocess.run(
        [sys.executable, "-c", LIMITED_COMMAND, "engine", "legacy", "eval", str(directory)],
        input=line + b"\n",
        capture_output=True,
        timeout=HANGING_S,
        check=False,
    )
    complaint = done.stderr.decode(errors="replace")
    assert "Traceback" not in complaint, complaint[-2_000:]
    assert done.returncode in {0, 1}, (done.returncode, complaint[-2_000:])
    answers = done.stdout.splitlines()
    assert len(answers) == 1
    given: dict[str, Any] = json.loads(answers[0], parse_int=str)
    return given


def nested(opening: str, closing: str, core: str = "1") -> str:
    return opening * DEEP + core + closing * DEEP


DEEP_EXPRESSIONS: Final = {
    "parentheses": nested("(", ")"),
    "tuples": nested("[", "]"),
    "objects": nested("{ a = ", " }"),
    "calls": nested("abs(", ")"),
    "indices": nested("[1][", "]", "0"),
    "interpolations": nested('"${', '}"'),
    "template conditions": nested('"%{ if true }${', '}%{ endif }"'),
    "for expressions": nested("[for x in ", " : x]", "[]"),
    "negations": "-" * DEEP + "1",
    "inversions": "!" * DEEP + "true",
    "conditionals": "true ? 1 : " * DEEP + "1",
    "conditions": "true ? " * DEEP + "1" + " : 2" * DEEP,
    "opened parentheses": "(" * DEEP,
    "opened tuples": "[" * DEEP,
    "opened objects": "{ a = " * DEEP,
    "opened calls": "abs(" * DEEP,
    "opened indices": "a[" * DEEP,
    "opened interpolations": '"${' * DEEP,
    "closed brackets": ")" * DEEP + "]" * DEEP + "}" * DEEP,
    "additions": "1 + " * MANY + "1",
    "mixed operators": "1 + 2 * 3 - " * MANY + "1",
    "logic": "true && " * MANY + "true",
    "attribute steps": "var.a" + ".b" * MANY,
    "index steps": "[1]" + "[0]" * MANY,
    "splats": "[1]" + "[*]" * MANY,
    "references": "[" + ", ".join(f"local.n{number}" for number in range(10_000)) + "]",
}

LARGE_EXPRESSIONS: Final = {
    "string": '"' + "a" * LONG + '"',
    "identifier": "a" * LONG,
    "spaces": "1" + " " * LONG,
    "digits": "9" * 1_000_000,
    "comment": "1 # " + "c" * LONG,
    "tuple": "[" + "1, " * 50_000 + "]",
    "object": "{" + ", ".join(f"k{number} = {number}" for number in range(MANY)) + "}",
    "arguments": "max(" + ", ".join("1" for _ in range(MANY)) + ")",
    "heredoc": "<<EOT\n" + "line ${1}\n" * MANY + "EOT",
    "combining characters": '"e' + "\u0301" * 1_000_000 + '"',
    "quotes": '"' * 100_000,
    "dollars": '"' + "$" * 1_000_000 + '"',
}

ABSURD_VALUES: Final = {
    "format width": 'format("%999999999d", 1)',
    "format width beyond all bounds": 'format("%99999999999999999999999d", 1)',
    "format precision": 'format("%.999999999f", 1.5)',
    "format argument number": 'format("%[999999999]d", 1)',
    "range of a billion": "range(1e9)",
    "range by tiny steps": "range(0, 1, 1e-300)",
    "range to infinity": "range(1/0)",
    "huge exponent": "1e999999999",
    "huge negative exponent": "1e-999999999",
    "exponent beyond all bounds": "1e99999999999999999999",
    "huge exponent as text": "tostring(1e999999999)",
    "huge exponent from a string": 'tonumber("1e999999999")',
    "huge exponent from JSON": 'jsondecode("1e999999999")',
    "huge exponent in YAML": 'yamldecode("1e999999999")',
    "huge power": "pow(10, 1e9)",
    "product of huge numbers": "1e400000000 * 1e400000000",
    "modulo of huge numbers": "1e400000 % 7",
    "floor of a huge number": "floor(1e400000)",
    "index far out": "[1][1e999999]",
    "element far out": "element([1, 2, 3], 1e18)",
    "substr far out": 'substr("abc", 1e18, 1e18)',
    "indent by a billion": 'indent(1e9, "a\\nb")',
    "parseint of many digits": f'parseint("{"9" * 200_000}", 10)',
    "chunks of a huge size": "chunklist([1], 1e18)",
    "product of sets": "setproduct(range(1000), range(1000), range(1000))",
    "text doubled again and again": "replace(" * 60 + '"aa"' + ', "a", "aa")' * 60,
    "regular expression bomb": f'regex("(a*)*b", "{"a" * 100_000}")',
    "regular expression with nested repeats": 'regex("((a{1,100}){1,100}){1,100}", "a")',
    "regular expression of brackets": f'regex("{"(" * 20_000}{")" * 20_000}", "a")',
    "replacement by an empty match": f'replace("{"a" * 100_000}", "/x*/", "yy")',
    "bcrypt cost": 'bcrypt("a", 1e9)',
    "network with many new bits": 'cidrsubnet("10.0.0.0/8", 1e9, 1)',
    "host number beyond all bounds": 'cidrhost("10.0.0.0/8", 1e300)',
    "duration beyond all bounds": 'timeadd("2020-01-01T00:00:00Z", "99999999999999999999h")',
    "year beyond all bounds": 'timeadd("9999-12-31T23:59:59Z", "8760h")',
    "deep JSON": f'jsondecode("{"[" * DEEP}{"]" * DEEP}")',
    "deep JSON, unfinished": f'jsondecode("{"[" * DEEP}")',
    "deep JSON objects": "jsondecode(" + json.dumps('{"a":' * DEEP + "1" + "}" * DEEP) + ")",
    "deep YAML": f'yamldecode("{"[" * DEEP}{"]" * DEEP}")',
    "deep YAML by indentation": "yamldecode("
    + json.dumps("".join(" " * depth + "a:\n" for depth in range(2_000)))
    + ")",
    "YAML aliases that multiply": "yamldecode("
    + json.dumps("a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)))
    + ")",
    "YAML alias of itself": 'yamldecode("a: &a [*a]")',
    "wide CSV": "csvdecode("
    + json.dumps(",".join(f"c{n}" for n in range(20_000)) + "\n" + ",".join("1" * 20_000))
    + ")",
    "flatten of the deep": "flatten(" + "[" * 300 + "1" + "]" * 300 + ")",
    "file from a device": 'file("/dev/zero")',
    "file that is no path": 'file("\\u0000")',
    "file name beyond all bounds": f'file("{"a/" * 100_000}")',
    "pattern that explodes": f'fileset(".", "{"*" * 5_000}")',
    "alternatives that explode": f'fileset(".", "{"{a,b}" * 30}")',
    "NUL in a string": '"a\\u0000b"',
    "NUL between tokens": "1 \x00 + 2",
    "escaped surrogate": '"\\ud800"',
    "raw surrogate": '"\ud800"',
    "raw surrogate between tokens": "1 \udcff + 2",
    "surrogate in JSON": 'jsondecode("\\"\\\\ud800\\"")',
    "surrogate pair reversed": '"\udc00\ud800"',
    "byte order mark inside": "1 \ufeff + 2",
    "nothing": "",
    "newlines": "\n" * 100_000,
}

FILES: Final = {
    "ten megabytes of blocks": "".join(
        f'locals {{\n  name_{number} = "some text, ${{{number} + 2}}"\n}}\n' for number in range(200_000)
    ),
    "ten megabytes of one line": "a = 1 " * 1_700_000,
    "invalid characters": "\u00a7" * 1_000_000,
    "deep blocks": "a {\n" * DEEP + "}\n" * DEEP,
    "opened blocks": "a {\n" * DEEP,
    "many labels": "a " + '"b" ' * DEEP + "{}\n",
    "many attributes": "locals {\n" + "".join(f"  a{number} = {number}\n" for number in range(MANY)) + "}\n",
    "one attribute many times": "locals {\n" + "  a = 1\n" * MANY + "}\n",
    "chain of references": "locals {\n"
    + "".join(f"  a{number} = local.a{number + 1}\n" for number in range(10_000))
    + "  a10000 = 1\n}\n",
    "circle of references": "locals {\n  a = local.b\n  b = local.a\n}\n",
    "only NUL": "\x00" * MANY,
    "only quotes": '"' * 100_000,
    "heredocs without end": "a = <<A\n" * 10_000,
    "comment without end": "/*" * 100_000,
}


@pytest.mark.parametrize("name", DEEP_EXPRESSIONS)
def test_depth_is_bounded(tmp_path: Path, name: str) -> None:
    assert OUTCOMES & answer(tmp_path, {"expr": DEEP_EXPRESSIONS[name]}).keys()


@pytest.mark.parametrize("name", LARGE_EXPRESSIONS)
def test_length_costs_no_more_than_it_must(tmp_path: Path, name: str) -> None:
    assert OUTCOMES & answer(tmp_path, {"expr": LARGE_EXPRESSIONS[name]}).keys()


@pytest.mark.parametrize("name", ABSURD_VALUES)
def test_absurd_values_are_answered(tmp_path: Path, name: str) -> None:
    assert OUTCOMES & answer(tmp_path, {"expr": ABSURD_VALUES[name]}).keys()


@pytest.mark.parametrize("name", FILES)
def test_whole_files_are_answered(tmp_path: Path, name: str) -> None:
    assert isinstance(answer(tmp_path, {"body": FILES[name]})["valid"], bool)
