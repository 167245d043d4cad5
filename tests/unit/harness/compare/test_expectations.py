"""What a case expects of its steps is judged for every engine, and read as strictly as the rest of a case."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.case.case import CaseError, read_case
from harness.cli import commands
from harness.compare.expectations import unmet_expectations
from shared_nodes.values.json import Tree, loads

_MAIN = """
variable "n" {
  default = 2
}
resource "terraform_data" "a" {
  count = var.n
  input = "x"
}
output "n" {
  value = length(terraform_data.a)
}
output "s" {
  value     = sensitive("hidden-word")
  sensitive = true
}
output "id" {
  value = terraform_data.a[0].id
}
check "always" {
  assert {
    condition     = var.n < 9
    error_message = "too many"
  }
}
"""


def make_case(directory: Path, steps: str) -> Path:
    case = directory / "area" / "case"
    for name, text in (("v1", _MAIN), ("broken", "locals {\n  x = nope.y\n}\n")):
        (case / name).mkdir(parents=True, exist_ok=True)
        (case / name / "main.tf").write_text(text)
    (case / "case.yaml").write_text(f"description: d\nsteps:\n{steps}")
    return case


def run(case: Path, *options: str) -> tuple[int, dict[str, Any]]:
    out = str(case.parent.parent / "run")
    shutil.rmtree(out, ignore_errors=True)
    arguments = ["run", str(case), "--jobs", "1", "--json", "-", "--out", out, *options]
    result = CliRunner().invoke(commands, arguments, catch_exceptions=False)
    return result.exit_code, json.loads(result.stdout)


_MET = """\
  - op: validate
    config: v1
    expect: {warnings: []}
  - {op: validate, config: broken, expect: {errors: [Reference to undeclared resource]}}
  - op: plan
    config: v1
    expect: {add: 2, change: 0, destroy: 0, import: 0, forget: 0, outputs: {n: 2.0, s: hidden-word, gone: null}}
  - op: apply
    config: v1
    expect: {add: 2, outputs: {n: 2, s: hidden-word, gone: null}, warnings: []}
  - op: plan
    config: v1
    vars: {n: 1}
    expect: {destroy: 1, outputs: {n: 1}}
  - op: apply
    config: v1
    vars: {n: 10}
    expect: {add: 8, warnings: [Check block assertion failed]}
  - {op: destroy, config: v1, expect: {destroy: 10, warnings: []}}
"""

_UNMET = """\
  - op: plan
    config: v1
    expect:
      add: 3
      outputs:
        n: "2"
        s: other
        id: known
  - {op: plan, config: broken, expect: {add: 0}}
  - op: apply
    config: v1
    expect: {errors: [Nope], warnings: [w]}
"""


def test_expectations_that_are_met_are_no_finding(tmp_path: Path) -> None:
    status, document = run(make_case(tmp_path, _MET))
    assert (status, document["results"][0].get("findings")) == (0, None)


def test_every_expectation_that_is_not_met_is_found_with_file_and_line(tmp_path: Path) -> None:
    status, document = run(make_case(tmp_path, _UNMET))
    assert status == 1
    (case,) = document["results"]
    assert case["equal"] == ["new"]
    assert document["headline"] == "new behaves like legacy in the only case; what a case expects is not met in 1 case"
    found = case["findings"]
    assert all((each["subject"], each["against"]) == ("legacy", ["expect"]) for each in found)
    assert [(each["place"], each["field"], each["expected"], each["got"]) for each in found] == [
        ("step 1 (plan v1)", "expect.add", "3 (case.yaml:6)", "2"),
        ("step 1 (plan v1)", "expect.outputs.n", '"2" (case.yaml:8)', "2"),
        ("step 1 (plan v1)", "expect.outputs.s", '"other" (case.yaml:9)', '"(sensitive value)"'),
        ("step 1 (plan v1)", "expect.outputs.id", '"known" (case.yaml:10)', "(known after apply)"),
        ("step 2 (plan broken)", "expect.errors", "no errors (case.yaml:11)", '"Reference to undeclared resource"'),
        ("step 2 (plan broken)", "expect.add", "0 (case.yaml:11)", "no plan"),
        ("step 3 (apply v1)", "expect.errors", '"Nope" (case.yaml:14)', "no errors"),
        ("step 3 (apply v1)", "expect.warnings", '"w" (case.yaml:14)', "no warnings"),
    ]
    assert "hidden-word" not in json.dumps(document)


@pytest.mark.terraform
@pytest.mark.skipif(shutil.which("terraform") is None, reason="no terraform on PATH")
def test_a_real_binary_is_judged_as_well(tmp_path: Path) -> None:
    assert run(make_case(tmp_path, _MET), "--engines", "terraform", "--allow-exec")[0] == 0
    status, document = run(make_case(tmp_path, _UNMET), "--engines", "terraform", "--allow-exec")
    fields = [each["field"] for each in document["results"][0]["findings"]]
    assert (status, fields) == (1, [*_FIELDS])


_FIELDS = (
    *("expect.add", "expect.outputs.n", "expect.outputs.s", "expect.outputs.id", "expect.errors", "expect.add"),
    *("expect.errors", "expect.warnings"),
)


def test_numbers_are_exact_and_truth_values_are_no_numbers(tmp_path: Path) -> None:
    step = "  - {op: apply, config: v1, expect: {outputs: {o: %s}}}\n"

    def found(expected: str, value: str) -> bool:
        (only,) = read_case(make_case(tmp_path, step % expected)).steps
        assert only.expect is not None
        state: dict[str, Tree] = {"outputs": {"o": {"value": loads(value)}}}
        return bool(unmet_expectations({"p": only.expect}, {"p": {"op": "apply", "state": state}}))

    assert not found("1.50", "1.5")
    assert not found("[1, {a: null}]", '[1, {"a": null}]')
    assert not found("12345678901234567890", "12345678901234567890")
    assert found("12345678901234567890", "12345678901234567891")
    assert found("true", "1")
    assert found('"1"', "1")
    assert found("{a: 1}", '{"a": 1, "b": 2}')


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        ("{ad: 1}", "case.yaml:3: ad: unknown key in the expectation"),
        ("{add: -1}", "case.yaml:3: add: must be a number of objects, not less than 0"),
        ("{add: two}", "case.yaml:3: add: must be a whole number"),
        ("{}", "case.yaml:3: expect: expects nothing"),
        ("[add]", "case.yaml:3: the expectation must be a mapping"),
        ("{errors: Nope}", "case.yaml:3: errors: must be a list of texts"),
        ("{outputs: [n]}", "case.yaml:3: outputs: must be a mapping"),
    ],
)
def test_expectations_are_read_strictly(tmp_path: Path, expectation: str, message: str) -> None:
    with pytest.raises(CaseError) as problem:
        read_case(make_case(tmp_path, f"  - {{op: plan, config: v1, expect: {expectation}}}\n"))
    assert message in str(problem.value)


def test_a_validation_counts_nothing(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"case\.yaml:3: add: a step that validates plans nothing"):
        read_case(make_case(tmp_path, "  - {op: validate, config: v1, expect: {add: 1}}\n"))
