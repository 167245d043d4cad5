"""The published JSON Schema of case.yaml and the reader have the same keys, and every case of the corpus is valid."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from harness.case.actions import ACTIONS
from harness.case.case import CaseError, find_cases, read_case
from harness.case.yaml_fields import Fields
from harness.cli.schema import schema as schema_command
from harness.simulation.simcloud.faults import KINDS_OF, FaultKind
from tests.schema import violations
from tests.unit.harness.play.stories import write_story

ROOT = Path(__file__).parents[4]
SCHEMA: Mapping[str, Any] = json.loads((ROOT / "harness" / "case" / "case.schema.json").read_text("utf-8"))
INPUTS: Mapping[str, Any] = {
    rule["if"]["properties"]["action"]["const"]: rule["then"]["properties"]["input"]
    for rule in SCHEMA["$defs"]["task"]["allOf"]
}
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The fast loader if it is available, because hundreds of files are read."""

LARGEST_INPUTS: Mapping[str, str] = {
    "edit": "{config: v1}",
    "drift": "{name: a, set: {value: x}}",
    "taint": "{address: a.b}",
    "fault": "{name: a, verb: create, kind: flaky, times: 1}",
    "crash-and-resume": "{at: {verb: create, name: a}}",
    "assert": "{that: result.ok}",
    "wait": "{seconds: 1}",
}


def test_every_case_of_the_corpus_is_valid() -> None:
    wrong = {
        str(directory): found
        for directory in find_cases([ROOT / "corpus"])
        if (found := list(violations(yaml.load((directory / "case.yaml").read_bytes(), Loader=LOADER), SCHEMA)))
    }
    assert wrong == {}


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """Return the keys that the reader has looked for, by the kind of mapping."""
    found: dict[str, set[str]] = defaultdict(set)
    take = Fields.take

    def noted(self: Fields, key: str, read: Callable[[str, yaml.Node], Any], *default: Any) -> Any:
        found[re.sub(r" \d+$", "", self._what)].add(key)
        return take(self, key, read, *default)

    monkeypatch.setattr(Fields, "take", noted)
    return found


def faults() -> Iterator[str]:
    """Yield one fault per kind, with the keys that only this kind has."""
    for kind in FaultKind:
        verb = next((verb for verb, kinds in KINDS_OF.items() if kind in kinds), None)
        call = f", verb: {verb}" if verb is not None else ""
        extra = {
            FaultKind.DRIFT: ", set: {value: x}",
            FaultKind.FLAKY: ", times: 1",
            FaultKind.LATENCY: ", seconds: 1",
        }.get(kind, "")
        yield f"  - {{step: 0, name: a, kind: {kind}{call}{extra}}}"


def test_reader_and_schema_know_the_same_keys_of_steps_and_faults(tmp_path: Path, known: dict[str, set[str]]) -> None:
    read_case(write_story(tmp_path, "steps: [{op: plan, config: v1}]\nfaults:\n" + "\n".join(faults())))
    assert known["step"] == SCHEMA["$defs"]["step"]["properties"].keys()
    assert known["fault"] == SCHEMA["$defs"]["fault"]["properties"].keys()
    of_stories = {"tasks", "start", "match", "vars", "max_iterations", "max_duration_s"}
    place = write_story(tmp_path / "named", "configuration: v1")
    read_case(place)
    assert known["the case"] | of_stories | {"configuration"} == SCHEMA["properties"].keys()


def test_reader_and_schema_know_the_same_actions_and_inputs(tmp_path: Path, known: dict[str, set[str]]) -> None:
    assert INPUTS.keys() == ACTIONS == set(SCHEMA["$defs"]["task"]["properties"]["action"]["enum"])
    for action in ACTIONS:
        text = f"tasks: {{{action}: {{action: {action}, input: {LARGEST_INPUTS.get(action, '{}')}}}}}"
        read_case(write_story(tmp_path, text))
    read_case(
        write_story(
            tmp_path, "tasks: {fault: {action: fault, input: {name: a, verb: read, kind: latency, seconds: 1}}}"
        )
    )
    for action, schema in INPUTS.items():
        assert known[f"the input of task {action}"] == schema["properties"].keys(), action
    assert known["at"] == SCHEMA["$defs"]["at"]["properties"].keys()


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("tasks: {a: {odd: 1}}", SCHEMA["$defs"]["task"]),
        ("tasks: {a: {next: [{odd: 1}]}}", SCHEMA["$defs"]["transition"]),
        ("tasks: {a: {retry: {odd: 1, count: 1}}}", SCHEMA["$defs"]["task"]["properties"]["retry"]),
    ],
)
def test_reader_and_schema_know_the_same_keys_of_tasks(tmp_path: Path, text: str, schema: Mapping[str, Any]) -> None:
    """The reader of workflows lists all keys it knows if it finds an unknown one."""
    with pytest.raises(CaseError, match="there are ") as failure:
        read_case(write_story(tmp_path, text))
    assert set(str(failure.value).rpartition("there are ")[2].split(", ")) == schema["properties"].keys()


@pytest.mark.parametrize(
    "text",
    [
        "steps: []",
        "steps: [{op: plan}]",
        "steps: [{op: plan, config: v1}]\ntasks: {a: }",
        "steps: [{op: plan, config: v1}]\nmatch: first",
        "tasks: {a: }\nfaults: []",
        "tasks: {a: {action: assert}}",
        "tasks: {a: {action: plan, input: {traget: [a]}}}",
        "tasks: {a: {input: {config: v1}}}",
        "tasks: {a: {join: some}}",
        "tasks: {a: {retry: {delay: 1}}}",
        "tasks: {'a b': }",
        "configuration: v1\nsteps: [{op: plan, config: v1}]",
        "configuration: v1\ntasks: {a: }",
        "configuration: v1\ncloud: []",
        "steps: [{op: plan, config: v1}]\nseed: high",
    ],
)
def test_what_the_reader_refuses_for_its_form_the_schema_refuses(tmp_path: Path, text: str) -> None:
    """A schema that accepts everything would pass the tests above."""
    with pytest.raises(CaseError):
        read_case(write_story(tmp_path, text))
    assert list(violations(yaml.safe_load(f"description: x\n{text}"), SCHEMA)) != []


def test_the_command_prints_it() -> None:
    assert json.loads(CliRunner().invoke(schema_command, ["case"]).output) == SCHEMA
    assert json.loads(CliRunner().invoke(schema_command, ["run"]).output)["$id"] == "urn:diffharness:run:2"
