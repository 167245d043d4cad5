"""Sensitive values never occur in anything that is written, wherever in a case they come from."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import new_engine.api
from harness.compare.ruling import Ruling
from harness.findings.finding import Finding
from harness.findings.result import result_to_json
from harness.findings.secrets.masking import HIDDEN, SHORTEST, Secrets
from harness.findings.secrets.sensitive_values import hidden_document
from harness.findings.signature import Signature
from shared_nodes.operations.engine import EngineRequest, PlanResult
from shared_nodes.values.json import JsonNumber, Tree
from tests.unit.harness.findings.patched import judge_case, write_case

SECRET: Final = 'Hunter2-plus-"quotes"'
STEP: Final = "steps: [{op: apply, config: v1}]"
HCL: Final = json.dumps(SECRET)

WAYS: Final = {
    "a default": {"v1/main.tf": f'variable "p" {{\n  default   = {HCL}\n  sensitive = true\n}}\n'},
    "tfvars": {
        "v1/main.tf": 'variable "p" {\n  sensitive = true\n}\n',
        "v1/terraform.tfvars": f"p = {HCL}\n",
    },
    "an ephemeral variable": {"v1/main.tf": f'variable "p" {{\n  default   = {HCL}\n  ephemeral = true\n}}\n'},
    "a function": {"v1/main.tf": f"locals {{\n  p = sensitive({HCL})\n}}\n"},
    "a sensitive attribute of the cloud": {
        "v1/main.tf": (
            'terraform {\n  required_providers {\n    sim = { source = "dh.test/diffharness/sim" }\n  }\n}\n'
            f'resource "sim_thing" "t" {{\n  name   = "t"\n  secret = {HCL}\n}}\n'
        )
    },
    "an output": {"v1/main.tf": f'output "p" {{\n  value     = {HCL}\n  sensitive = true\n}}\n'},
    "a local value behind a module's variable": {
        "v1/main.tf": f'locals {{\n  p = {HCL}\n}}\nmodule "m" {{\n  source = "./m"\n  p      = local.p\n}}\n',
        "v1/m/main.tf": 'variable "p" {\n  sensitive = true\n}\n',
    },
}
USE: Final = """
resource "terraform_data" "a" {
  input = try(var.p, local.p, "nothing")
}

output "broken" {
  value = 1
}
"""


@pytest.fixture(autouse=True)
def make_cases_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every case differ, because only findings have evidence that could contain a secret. Plans of the new engine
    lose their outputs, and its diagnostics contain all planned values."""
    plan = new_engine.api.plan

    async def failing(request: EngineRequest) -> PlanResult:
        result = await plan(request)
        if result.plan is None:
            return result
        values = " ".join(str(change.after.unmark_deep()[0]) for change in result.plan.changes.resources.values())
        diagnostics = (replace(each, detail=f"{each.detail} {values}") for each in result.diagnostics)
        result.plan.changes.outputs.clear()
        return replace(result, diagnostics=tuple(diagnostics))

    monkeypatch.setattr(new_engine.api, "plan", failing)


def result_text(case: Path) -> str:
    result = judge_case(case)
    assert result.findings
    return json.dumps(result_to_json(result), ensure_ascii=False)


def reveals(text: str, secret: str) -> bool:
    """Return whether the text contains the secret, also in JSON strings nested up to three levels deep."""
    forms = [secret]
    for _ in range(3):
        forms.append(json.dumps(forms[-1], ensure_ascii=False)[1:-1])
    return any(form in text for form in forms)


@pytest.mark.parametrize("files", WAYS.values(), ids=list(WAYS))
def test_secret_is_nowhere_in_a_result(files: dict[str, str], tmp_path: Path) -> None:
    main = files["v1/main.tf"]
    use = USE.replace("var.p, ", "" if 'variable "p"' not in main or "ephemeral" in main else "var.p, ")
    use = use if "p = " in main and "locals" in main else use.replace("local.p, ", "")
    text = result_text(write_case(tmp_path, STEP, {**files, "v1/main.tf": main + use}))
    assert not reveals(text, SECRET)
    assert HIDDEN in text


def test_secret_given_by_a_step(tmp_path: Path) -> None:
    steps = f"steps: [{{op: apply, config: v1, vars: {{p: {json.dumps(SECRET)}}}}}]"
    main = 'variable "p" {\n  sensitive = true\n}\n' + USE.replace("local.p, ", "")
    assert not reveals(result_text(write_case(tmp_path, steps, {"v1/main.tf": main})), SECRET)


def test_secret_of_a_configuration_that_cannot_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is observed in this case, but its text is still shown."""

    async def crashing(_request: EngineRequest) -> PlanResult:
        raise RuntimeError(f"cannot make sense of {SECRET}")

    monkeypatch.setattr(new_engine.api, "plan", crashing)
    assert not reveals(result_text(write_case(tmp_path, STEP, WAYS["a default"])), SECRET)


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "M", "Z"]), min_size=6, max_size=30))
def test_no_planted_secret_survives(tmp_path: Path, secret: str) -> None:
    """The secret may consist of any characters, and may occur in files, observations and messages. It is in the normal
    form that the language converts texts to."""
    secret = unicodedata.normalize("NFC", f"<<{secret}>>")
    main = 'variable "p" {\n  sensitive = true\n}\n' + USE.replace("local.p, ", "")
    case = write_case(tmp_path, STEP, {"v1/main.tf": main, "v1/terraform.tfvars.json": json.dumps({"p": secret})})
    assert not reveals(result_text(case), secret)


def test_short_values_stay_where_nobody_calls_them_sensitive(tmp_path: Path) -> None:
    """They are hidden where they are marked as sensitive."""
    main = (
        'variable "p" {\n  default = "yes"\n  sensitive = true\n}\n'
        'resource "terraform_data" "a" {\n  input = var.p\n}\n'
        'resource "terraform_data" "b" {\n  input = "yes"\n}\noutput "broken" {\n  value = 1\n}\n'
    )
    result = judge_case(write_case(tmp_path, STEP, {"v1/main.tf": main}))
    observations = json.loads(result.evidence)["courses"]["legacy"]["step 1 (apply v1)"]
    inputs = [change["change"]["after"]["input"] for change in observations["plan"]["resource_changes"]]
    assert inputs == [HIDDEN, "yes"]
    assert len("yes") < SHORTEST


def test_findings_about_sensitive_places_show_no_values() -> None:
    place = "state.outputs.p.value"
    signature = Signature("new", "apply", Ruling.DIFFERS, "state.outputs.*.value", "value")
    finding = Finding(signature, ("legacy",), "step 1 (apply v1)", place, '"yes"', '"no"')
    masked = Secrets(places=frozenset([place])).masked_finding(finding)
    assert (masked.expected, masked.got) == (HIDDEN, "(another sensitive value)")
    around = Secrets(places=frozenset([place])).masked_finding(replace(finding, field="state.outputs"))
    assert "yes" not in around.expected


def test_documents_say_what_is_sensitive() -> None:
    marks: dict[str, Tree] = {"before": None, "before_sensitive": False, "after_sensitive": {"a": True, "b": [True]}}
    path: Tree = [
        {"type": "get_attr", "value": "deep"},
        {"type": "index", "value": {"value": JsonNumber("0"), "type": "number"}},
        {"type": "get_attr", "value": "k"},
    ]
    instance: dict[str, Tree] = {
        "attributes": {"deep": [{"k": "v"}], "null": None},
        "sensitive_attributes": [path, [{"type": "get_attr", "value": "null"}]],
    }
    marked: dict[str, Tree] = {**marks, "after": {"a": "x", "b": ["y"]}}
    outputs: Tree = {"o": {"value": JsonNumber("5"), "sensitive": True}, "p": {"value": "z", "type": "string"}}
    observation: dict[str, Tree] = {
        "plan": {"resource_changes": [{"change": marked}]},
        "state": {"outputs": outputs, "resources": [{"instances": [instance]}]},
    }
    attributes: dict[str, Tree] = {"deep": [{"k": "?"}], "null": None}
    after: Tree = {"a": "?", "b": ["?"]}
    hidden_change: Tree = {**marked, "after": after}
    hidden_instance: Tree = {**instance, "attributes": attributes}
    assert hidden_document(observation, lambda _value: "?") == {
        "plan": {"resource_changes": [{"change": hidden_change}]},
        "state": {
            "outputs": {"o": {"value": "?", "sensitive": True}, "p": {"value": "z", "type": "string"}},
            "resources": [{"instances": [hidden_instance]}],
        },
    }


def test_a_value_that_looks_like_a_document_hides_nothing() -> None:
    """A user's map may have the names with which documents mark what is sensitive."""
    looks_alike: Tree = {"sensitive": True, "value": "a", "after": "b", "after_sensitive": True}
    outputs: Tree = {"o": {"value": looks_alike, "type": "string"}}
    observation: dict[str, Tree] = {
        "state": {"outputs": outputs},
        "plan": {"output_changes": {"o": {"after": looks_alike}}},
    }
    assert hidden_document(observation, lambda _value: "?") == observation


def test_a_finding_that_follows_names_the_masked_signature() -> None:
    reason = Finding(
        Signature("new", "plan", Ruling.DIFFERS, "diagnostics[error: hunter22]", "missing"), (), "", "", "", ""
    )
    later = Finding(Signature("new", "plan", Ruling.DIFFERS, "plan", "type"), (), "", "", "", "")
    later = replace(later, follows=(reason.signature.digest,))
    masked_later, masked_reason = Secrets(frozenset(["hunter22"])).masked_findings([later, reason])
    assert masked_reason.signature.shape == f"diagnostics[error: {HIDDEN}]"
    assert masked_later.follows == (masked_reason.signature.digest,)
