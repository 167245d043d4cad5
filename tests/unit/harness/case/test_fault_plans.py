"""Fault plans in cases, beyond the recorded form: faults by type and argument, faults of every step, and counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.case.case import CaseError, read_case
from harness.simulation.simcloud.faults import Fault, FaultKind, Verb


def write_case(directory: Path, text: str) -> Path:
    (directory / "v1").mkdir()
    (directory / "case.yaml").write_text(f"description: x\n{text}\nsteps: [{{op: plan, config: v1}}]\n")
    return directory


def test_what_a_fault_may_go_by(tmp_path: Path) -> None:
    text = """
faults:
  - {step: 0, type: simcloud_updated, verb: create, kind: error}
  - {step: 0, where: {value: x}, verb: update, kind: null_result}
  - {step: all, name: a, verb: read, kind: flaky, times: 2}
  - {step: 0, type: simcloud, name: eu, verb: configure, kind: latency, seconds: 60, occurrence: all}
  - {step: 0, type: simcloud_defaulted, name: a, kind: drift, set: {size: 3, network: {mtu: 1}}}
"""
    case = read_case(write_case(tmp_path, text))
    lasting, *others = case.faults_of(0)
    assert lasting == Fault(None, "a", FaultKind.FLAKY, Verb.READ, times=2)
    assert others[0] == Fault(0, None, FaultKind.ERROR, Verb.CREATE, type_name="simcloud_updated")
    assert others[1] == Fault(0, None, FaultKind.NULL_RESULT, Verb.UPDATE, arguments={"value": "x"})
    assert others[2] == Fault(0, "eu", FaultKind.LATENCY, Verb.CONFIGURE, None, type_name="simcloud", seconds=60)
    assert sorted(others[3].attributes) == ["network", "size"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("faults:\n- {step: never, name: a, kind: vanish}", ":3: step: must be an integer, or all"),
        ("faults:\n- {step: 0, type: simcloud_old, kind: vanish}", ":3: type: must be one of"),
        (
            "faults:\n- {step: 0, type: simcloud_unique, kind: drift, set: {size: 1}}",
            "simcloud_unique has no attribute size",
        ),
        ("faults:\n- {step: 0, name: a, verb: read, kind: latency}", ":3: seconds: missing in fault 1"),
        (
            "faults:\n- {step: 0, name: a, verb: read, kind: flaky, times: 0}",
            ":3: times: must be a whole number from 1",
        ),
        (
            "faults:\n- {step: 0, name: a, verb: read, kind: crash_after}",
            ":3: verb: must be one of create, update, delete",
        ),
        ("faults:\n- {step: 0, name: a, verb: read, kind: error, seconds: 1}", ":3: seconds: unknown key in fault 1"),
        ("cloud:\n- {type: simcloud_unique, value: x}", ":3: cloud: name: every object needs one"),
        ("cloud:\n- {type: simcloud_none, name: x}", ":3: cloud: there is no type simcloud_none"),
        ("cloud:\n- {type: simcloud_child, name: x, parent: p}", ':3: cloud: Create refused: There is no parent "p".'),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CaseError) as failure:
        read_case(write_case(tmp_path, text))
    assert message in str(failure.value)
