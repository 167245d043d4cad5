"""State files from before version 4, compared with what the real Terraform 1.11.4 made of them (`terraform state
pull`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from shared_nodes.state.file import read_state, write_state

RECORDED: Final = Path(__file__).parent / "recorded_old_formats.jsonl"
ROWS: Final[list[dict[str, Any]]] = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_an_old_state_is_read_as_recorded(row: dict[str, Any]) -> None:
    state, meta, problems = read_state(json.dumps(row["state"]))
    if "problem" in row:
        assert [[problem.summary, problem.detail] for problem in problems] == [row["problem"]]
        assert not state.resources
        return
    assert problems == []
    assert (meta.lineage, meta.serial) == (row["read"]["lineage"], row["read"]["serial"])
    written = json.loads(write_state(state, meta, {}))
    assert {name: written[name] for name in ("outputs", "resources")} == {
        name: row["read"][name] for name in ("outputs", "resources")
    }


@pytest.mark.parametrize(
    "modules",
    [
        [None],
        [{"path": ["root"], "outputs": {"a": None}}],
        [{"path": ["root"], "resources": {"a.b": None}}],
        [{"path": ["root"], "resources": {"a.b": {"deposed": [None]}}}],
    ],
    ids=str,
)
def test_null_where_the_original_crashes_is_told_as_a_mistake_in_the_file(modules: list[Any]) -> None:
    _, _, problems = read_state(json.dumps({"version": 3, "serial": 1, "modules": modules}))
    assert [problem.summary for problem in problems] == ["Invalid state file format"]


def test_a_number_too_large_for_the_old_formats_is_refused() -> None:
    text = '{"version": 3, "serial": 1, "modules": [{"path": ["root"], "outputs": {"a": {"value": 1e999}}}]}'
    assert "modules.outputs.value" in read_state(text)[2][0].detail


def test_old_states_say_by_which_version_they_were_written() -> None:
    assert read_state('{"version": 3, "terraform_version": "0.11.1", "modules": []}')[1].terraform_version == "0.11.1"
    assert read_state('{"version": 1, "modules": []}')[1].terraform_version == "0.0.0"
