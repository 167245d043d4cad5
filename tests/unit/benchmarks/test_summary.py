"""What the table of `make bench` is computed from, without measuring anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.summary import Ratio, Used, entry_of, keep, ratio_of, ratios_of, references

TAKEN = {
    "plan": {
        "tofu": [Used(1.0, 2.0), Used(2.0, 2.0), Used(4.0, 2.0)],
        "new": [Used(0.5, 1.0), Used(1.5, 1.0), Used(1.0, 3.0)],
    },
    "run CASE": {"diffharness": [Used(1.0, 0.5), Used(3.0, 0.7), Used(2.0, 0.6)]},
}


def test_a_ratio_is_the_median_of_those_of_single_rounds() -> None:
    assert ratio_of([1.0, 3.0, 8.0], [2.0, 2.0, 2.0]) == Ratio(1.5, 0.5, 4.0)


def test_engines_are_compared_with_binaries_alone() -> None:
    assert ratios_of(TAKEN) == {"plan: new/tofu": {"elapsed": Ratio(0.5, 0.25, 0.75), "cpu": Ratio(0.5, 0.5, 1.5)}}


def test_a_commit_has_one_line(tmp_path: Path) -> None:
    history = tmp_path / "history.jsonl"
    entry = entry_of(TAKEN, "a machine", 3, "2026-01-02T03:04+00:00", 1.2)
    for commit in ("first", "second", "first"):
        keep(history, commit, entry)
    lines = [json.loads(line) for line in history.read_text().splitlines()]
    assert [line["commit"] for line in lines] == ["second", "first"]
    assert lines[0]["ratios"] == {"plan: new/tofu": {"elapsed": [0.5, 0.25, 0.75], "cpu": [0.5, 0.5, 1.5]}}
    assert lines[0]["cpu_s"] == {"run CASE": 0.6}


def test_tofu_is_where_the_variable_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TOFU", raising=False)
    assert references() == {}
    monkeypatch.setenv("TOFU", "/opt/tofu")
    assert references() == {"tofu": "/opt/tofu"}
