"""Values of variables for configurations without case.yaml: given ones, and chosen ones."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from harness.case.case import CaseError
from harness.case.given import VALUE_FILE, VALUE_TEXT, GivenInputs
from harness.case.matching_texts import matching_texts
from harness.case.variable_values import PlainValues, read_values
from harness.cli import commands
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.world import Files
from tests.html_elements import Elements


def values(directory: Path, text: str, *given_values: tuple[str, str], generates: bool = True) -> PlainValues:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "main.tf").write_text(text, encoding="utf-8")
    return read_values(Files(directory), TERRAFORM_1_11, GivenInputs(values=given_values, generates_values=generates))


def chosen(directory: Path, text: str) -> dict[str, Any]:
    return {name: json.loads(text) for name, text in values(directory, text).chosen_texts.items()}


def variable(kind: str = "string", *conditions: str, name: str = "x") -> str:
    rules = "".join(
        f'  validation {{\n    condition     = {condition}\n    error_message = "No."\n  }}\n'
        for condition in conditions
    )
    return f'variable "{name}" {{\n  type = {kind}\n{rules}}}\n'


@pytest.mark.parametrize(
    ("kind", "conditions", "value"),
    [
        ("string", [], "example"),
        ("number", [], 1),
        ("bool", [], True),
        ("bool", ["!var.x"], False),
        ("any", [], "example"),
        ("list(string)", [], ["example"]),
        ("set(number)", [], [1]),
        ("map(bool)", [], {"example": True}),
        ("tuple([string, number])", [], ["example", 1]),
        (
            "object({ a = string, b = optional(number), c = object({ d = bool }) })",
            [],
            {"a": "example", "c": {"d": True}},
        ),
        ("string", ['contains(["dev", "prod"], var.x)'], "dev"),
        ("string", ['can(regex("^ami-[0-9a-f]{8}$", var.x))'], "ami-00000000"),
        ("string", ['can(regex("^(alpha|beta)/v[[:digit:]]+$", var.x))'], "alpha/v0"),
        ("string", ["length(var.x) == 12", 'startswith(var.x, "sg-")'], "sg-000000000"),
        ("string", ["length(var.x) > 3 && length(var.x) < 6"], "1.2.3"),
        ("string", ["can(cidrhost(var.x, 0))"], "10.0.0.0/16"),
        ("string", ['can(formatdate("YYYY", var.x))'], "2024-05-06T07:08:09Z"),
        ("number", ["var.x > 17 && var.x % 2 == 0"], 18),
        ("number", ["var.x > 10 && var.x % 7 == 0"], 14),
        ("number", ["var.x >= 0 && var.x <= 1 && floor(var.x) != var.x"], 0.5),
        ("list(string)", ["length(var.x) >= 2"], ["example", "example-1"]),
        ("list(string)", ["length(var.x) == 0"], []),
        ("map(string)", ['contains(keys(var.x), "Owner")'], {"Owner": "example"}),
        ("list(object({ k = string }))", ['alltrue([for o in var.x : contains(["a", "b"], o.k)])'], [{"k": "a"}]),
        (
            "map(object({ size = string, port = number }))",
            ['alltrue([for k, n in var.x : contains(["small"], n.size) && n.port > 1024]) && length(var.x) > 0'],
            {"example": {"size": "small", "port": 1025}},
        ),
        ("string", ["var.x != null && trimspace(var.x) == var.x && lower(var.x) == var.x"], "example"),
    ],
)
def test_the_first_value_is_taken_that_fulfils_all_rules(
    tmp_path: Path, kind: str, conditions: list[str], value: object
) -> None:
    assert chosen(tmp_path, variable(kind, *conditions)) == {"x": value}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cidr_block", "10.80.0.0/16"),
        ("region", "eu-west-1"),
        ("role_arn", "arn:aws:service:eu-west-1:123456789012:thing/example"),
        ("contact_email", "example@example.com"),
        ("instance_count", "1"),
    ],
)
def test_a_name_says_what_a_text_may_be(tmp_path: Path, name: str, value: str) -> None:
    assert chosen(tmp_path, variable(name=name)) == {name: value}


@pytest.mark.parametrize(
    ("use", "value"),
    [
        ("base64decode(var.x)", "ZXhhbXBsZQ=="),
        ("jsondecode(var.x)", "{}"),
        ("var.x + 1", "1"),
        ("cidrsubnet(var.x, 4, 1)", "10.80.0.0/16"),
    ],
)
def test_a_use_says_what_a_text_must_be(tmp_path: Path, use: str, value: str) -> None:
    assert chosen(tmp_path, f"{variable()}locals {{\n  y = {use}\n}}\n") == {"x": value}


def test_rules_may_refer_to_other_variables_and_to_what_only_a_run_knows(tmp_path: Path) -> None:
    text = (
        variable("string", "var.x != var.a", 'var.x != terraform_data.t.id || var.x == "b"')
        + variable(name="a")
        + 'resource "terraform_data" "t" {}\n'
    )
    found = chosen(tmp_path, text)
    assert found["a"] != found["x"]


def test_only_what_is_missing_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "terraform.tfvars").write_text('a = "file"\n')
    text = variable(name="a") + variable(name="b") + variable(name="c") + 'variable "d" {\n  default = 1\n}\n'
    found = values(tmp_path, text, (VALUE_TEXT, "b=line"))
    assert (found.given, found.chosen) == ({"b": "line"}, {"c": "example"})
    assert json.loads(found.text or "") == {"b": "line", "c": "example"}


def test_nothing_is_chosen_unless_asked_for(tmp_path: Path) -> None:
    assert values(tmp_path, variable(), generates=False).text is None


def test_contradictory_rules_have_no_value_and_an_end(tmp_path: Path) -> None:
    assert "x" in chosen(tmp_path, variable("list(string)", "length(var.x) > 2 && length(var.x) < 1"))


def test_of_two_values_the_later_counts_and_types_decide_what_a_text_means(tmp_path: Path) -> None:
    file = tmp_path / "some.tfvars"
    file.write_text('a = "file"\nb = [1]\nnobody = 1\n')
    text = variable(name="a") + variable("list(number)", name="b") + variable(name="c")
    given_values = ((VALUE_TEXT, "a=early"), (VALUE_FILE, str(file)), (VALUE_TEXT, "b=[2, 3]"), (VALUE_TEXT, "c=[1]"))
    found = values(tmp_path / "m", text, *given_values, generates=False)
    assert json.loads(found.text or "") == {"a": "file", "b": [2, 3], "c": "[1]"}


@pytest.mark.parametrize("text", ["x=[", "x={a=}"])
def test_a_value_that_cannot_be_read_is_one_message(tmp_path: Path, text: str) -> None:
    with pytest.raises(CaseError, match="a value given for a variable cannot be used"):
        values(tmp_path, variable("list(string)"), (VALUE_TEXT, text), generates=False)


def test_no_report_shows_a_sensitive_value_that_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does the command that repeats the run. Only `run.json` has it, and only its owner can read that."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mod").mkdir()
    (tmp_path / "mod" / "main.tf").write_text(
        'variable "p" {\n  sensitive = true\n}\nvariable "q" {\n}\n'
        'resource "terraform_data" "a" {\n  input = [var.p, var.q]\n  triggers_replace = timestamp()\n}\n'
    )
    words = [
        "run",
        "mod",
        "--var",
        "p=alpha-omega",
        "--var=q=shown",
        "--jobs",
        "1",
        "--out",
        "kept",
        "--junit",
        "x.xml",
    ]
    monkeypatch.setattr(sys, "argv", ["diffharness", *words])
    ran = CliRunner().invoke(commands, words)
    texts = {path.name: path.read_text() for path in (tmp_path / "kept").iterdir() if path.suffix != ".html"}
    texts |= {"output": ran.output, "junit": (tmp_path / "x.xml").read_text()}
    texts["html"] = json.dumps(Elements((tmp_path / "kept" / "report.html").read_text()).data)
    header = texts.pop("run.json")
    assert [name for name, text in texts.items() if "alpha-omega" in text] == []
    assert "--var p=..." in json.loads(header)["told"]["command"]
    assert "--var=q=..." in json.loads(header)["told"]["command"]
    assert stat.S_IMODE((tmp_path / "kept" / "run.json").stat().st_mode) == 0o600
    assert '"--var","p=(sensitive value)","--var","q=shown"' in texts["journal.jsonl"]


def test_run_says_which_values_were_chosen_and_how_to_repeat_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = variable("string", 'contains(["dev"], var.x)') + variable("list(string)", name="y") + variable(name="z")
    values(
        tmp_path / "area" / "mod",
        text
        + 'resource "terraform_data" "a" {\n  input = [var.x, var.y, var.z]\n}\n'
        + 'output "o" {\n  value = terraform_data.a.output\n}\n',
    )
    words = ["area/mod", "--generate-vars", "--var", "z=last", "--var", "other=1", "--jobs", "1"]
    ran = CliRunner().invoke(commands, ["run", *words, "--out", "out", "--mutant", "M31", "--json", "run.json"])
    assert '  x = "dev"\n  y = ["example"]\n' in ran.output
    again = next(line for line in ran.output.splitlines() if line.startswith("again"))
    assert "--var x=dev --var 'y=[\"example\"]'" in again
    assert "--var z=last" in again
    assert "--var other: none of these configurations declares such a variable" in ran.output
    result = json.loads((tmp_path / "run.json").read_text())["results"][0]
    assert (result["chosen_values"], result["given_values"]) == ({"x": '"dev"', "y": '["example"]'}, ["z"])
    explained = CliRunner().invoke(commands, ["explain", *words[:-2]])
    assert explained.exit_code == 0, explained.output
    assert "No value for required variable" not in explained.output
    assert '  x = "dev"\n  y = ["example"]\n' in explained.output


@pytest.mark.parametrize(("option", "text"), [("--var", "x"), ("--var", "=x"), ("--var-file", "nowhere.tfvars")])
def test_options_that_are_no_values_are_refused(tmp_path: Path, option: str, text: str) -> None:
    values(tmp_path / "area" / "mod", variable())
    ran = CliRunner().invoke(commands, ["run", str(tmp_path / "area"), option, text])
    assert ran.exit_code == 2
    assert option in ran.output


# Texts for patterns

WORDS = st.text("abc01-", min_size=1, max_size=4)
PATTERNS = st.recursive(
    st.one_of(WORDS, st.sampled_from(["[a-z]", "[^a]", r"\d", r"\w", ".", "[0-9A-F]", "[[:lower:]]"])),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}"])).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
    ),
    max_leaves=5,
)


@given(PATTERNS)
def test_texts_match_the_pattern_that_they_are_made_for(pattern: str) -> None:
    import re

    meaning = pattern.replace("[[:lower:]]", "[a-z]")
    texts = list(matching_texts(f"^{pattern}$"))
    assert texts
    assert all(re.fullmatch(meaning, text) for text in texts)


@pytest.mark.parametrize("pattern", ["(", "[", "a{99999999999}", r"(a)\1", "(?P<n>", "*"])
def test_patterns_that_are_not_understood_have_no_texts_or_harmless_ones(pattern: str) -> None:
    assert all(len(text) < 2_000 for text in matching_texts(pattern))
