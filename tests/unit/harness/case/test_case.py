"""Reading a case, and the messages about mistakes in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.case.case import CaseError, Step, find_cases, read_case, read_golden


def write(directory: Path, text: str) -> Path:
    (directory / "v1").mkdir(parents=True, exist_ok=True)
    (directory / "case.yaml").write_text(text, encoding="utf-8")
    return directory


def test_a_case_with_everything(tmp_path: Path) -> None:
    text = """
description: all of it
tags: [a, b]
prior_state: state.json
seed: 7
steps:
  - {op: validate, config: v1}
  - {op: apply, config: v1, vars: {n: 2, s: "ü"}, target: [a.b], replace: [c.d], refresh: false, mode: destroy}
  - {op: plan, config: v1, exclude: [a.b]}
"""
    case = read_case(write(tmp_path / "area" / "name", text.replace("prior_state: state.json\n", "")))
    assert (case.identifier, case.area, case.seed, case.tags) == ("area/name", "area", 7, ("a", "b"))
    assert case.steps == (
        Step("validate", "v1"),
        Step("apply", "v1", '{"n": 2, "s": "ü"}', "destroy", ("a.b",), replace=("c.d",), refresh=False),
        Step("plan", "v1", excludes=("a.b",)),
    )
    assert case.configurations == ["v1"]


@pytest.mark.parametrize(("given", "named"), [("all", ("all",)), ("[a/b, h.test/a/c]", ("a/b", "h.test/a/c"))])
def test_one_provider_or_several_are_stood_in_for(tmp_path: Path, given: str, named: tuple[str, ...]) -> None:
    text = f"description: x\npermissive: {given}\nsteps: [{{op: plan, config: v1}}]"
    assert read_case(write(tmp_path, text)).permissive == named


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: the file is empty"),
        ("[]", ":1: the case must be a mapping"),
        ("description: x\nsteps: [{op: plan}]", ":2: config: missing in step 1"),
        ("description: x\nsteps:\n- {op: plan, config: v1, traget: [a]}", ":3: traget: unknown key in step 1"),
        ("description: x\nstep: 1\nsteps: [{op: plan, config: v1}]", ":2: step: unknown key in the case"),
        ("description: x\ndescription: y\nsteps: []", ":2: description: given twice in the case"),
        ("description: x\nsteps: []", ":2: steps: a list with at least one step"),
        ("steps: [{op: plan, config: v1}]", ":1: description: missing in the case"),
        ("description: x\nsteps:\n- op: plan\n  config: v1\n  mode: odd", ":5: mode: must be one of normal, destroy"),
        ("description: x\nsteps:\n- {op: plan, config: v1, refresh: 1}", ":3: refresh: must be true or false"),
        ("description: x\nsteps:\n- {op: plan, config: v1, target: a}", ":3: target: must be a list of texts"),
        ("description: x\nsteps:\n- {op: plan, config: v1, vars: {a: 2020-01-01}}", ":3: vars: must be something JSON"),
        ("description: x\nsteps:\n- {op: plan, config: v9}", "v9 is not in the directory of the case"),
        ("description: x\nsteps:\n- {op: plan, config: ..}", ".. is not in the directory of the case"),
        ("description: x\nprior_state: s\nsteps: [{op: plan, config: v1}]", "s is not in the directory"),
        ("description: [", ":1: not YAML"),
        (
            "description: x\npermissive: [aws/a, aws]\nsteps: [{op: plan, config: v1}]",
            ":2: permissive: must be a provider as in required_providers, such as hashicorp/aws, or all, or a list of",
        ),
        ("description: x\npermissive: {aws: 1}\nsteps: [{op: plan, config: v1}]", ":2: permissive: must be a provider"),
        ("description: x\nseed: true\nsteps: [{op: plan, config: v1}]", ":2: seed: must be a whole number"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CaseError) as failure:
        read_case(write(tmp_path, text))
    assert message in str(failure.value)
    assert "case.yaml" in str(failure.value)


def test_a_recording_of_another_number_of_steps_is_refused(tmp_path: Path) -> None:
    case = read_case(write(tmp_path, "description: x\nsteps: [{op: plan, config: v1}]"))
    assert read_golden(case) is None
    (tmp_path / "golden.json").write_text('{"steps": []}')
    with pytest.raises(CaseError, match="another number of steps"):
        read_golden(case)


def test_cases_are_found_by_directory_and_by_file(tmp_path: Path) -> None:
    one = write(tmp_path / "b", "description: x")
    other = write(tmp_path / "a", "description: x")
    assert find_cases([tmp_path]) == [other, one]
    assert find_cases([one / "case.yaml"]) == [one]
