"""The exit codes that scripts rely on: 0 equal or success, 1 different or failed, 2 wrong usage, 3 crash, 130
interrupt."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final
from unittest.mock import Mock

import pytest

from harness.cli import main

MakeCase = Callable[[str, str], Path]

CASES: Final = {"equal": "", "differs": "warns a", "raises": "raises"}
ENGINES: Final = ("--engines", "legacy,moody")
KNOWN: Final = """
- {{id: mood, class: change, reason: meant, link: nowhere, case: {case}, match: {{shape: "diagnostics*"}}}}
"""

TABLE: Final = [
    (0, "run cases/moods/equal {engines}"),
    (0, "run cases/moods/differs {engines} --known meant.yaml"),
    (0, "report 0"),
    (0, "explain cases/moods/equal {engines}"),
    (0, "replay cases/moods/equal {engines}"),
    (0, "engine legacy validate cases/moods/equal/v1"),
    (0, "engine legacy plan cases/moods/equal/v1"),
    (0, "workflow right.yaml"),
    (0, "schema case"),
    (1, "run cases/moods/differs {engines}"),
    (1, "run cases/moods/equal {engines} --known stale.yaml"),
    (1, "run cases/moods/equal cases/moods/differs {engines}"),
    (5, "run empty {engines}"),
    (1, "report 1"),
    (1, "explain cases/moods/differs {engines}"),
    (1, "replay cases/moods/differs {engines}"),
    (1, "engine legacy validate wrong"),
    (1, "engine legacy plan wrong"),
    (2, "run"),
    (2, "run nowhere"),
    (2, "run cases --jobs none"),
    (2, "run cases --engines nobody"),
    (2, "run cases --engines recorded:"),
    (2, "run cases --engines legacy,recorded:unknown"),
    (2, "explain cases/moods/equal --engines recorded:unknown"),
    (2, "shrink cases/moods/equal --engines legacy,recorded:unknown"),
    (2, "fuzz --engines legacy,recorded:unknown"),
    (2, "report"),
    (2, "explain nowhere"),
    (2, "engine legacy plan cases/moods/equal/v1 --destroy --refresh-only"),
    (2, "nothing"),
    (3, "run cases/moods/raises {engines}"),
    (3, "run cases {engines}"),
    (3, "report 3"),
    (3, "explain cases/moods/raises {engines}"),
    (3, "replay cases/moods/raises {engines}"),
    (3, "engine moody validate cases/moods/raises/v1"),
]


@pytest.fixture(autouse=True)
def here(make_case: MakeCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, mood in CASES.items():
        make_case(name, mood)
    for name in ("empty", "wrong"):
        (tmp_path / name).mkdir()
    (tmp_path / "wrong" / "main.tf").write_text('output "o" {\n  value = local.nothing\n}\n')
    (tmp_path / "meant.yaml").write_text(KNOWN.format(case="cases/moods/differs"))
    (tmp_path / "stale.yaml").write_text(KNOWN.format(case="cases/moods/equal"))
    (tmp_path / "right.yaml").write_text("tasks:\n  a: {action: wait}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("harness.cli.gc", Mock())
    monkeypatch.setattr("harness.cli.collect_rarely", Mock())
    return tmp_path


def exit_code(monkeypatch: pytest.MonkeyPatch, *words: str) -> object:
    monkeypatch.setattr(sys, "argv", ["diffharness", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def words_of(line: str) -> list[str]:
    return line.format(engines=" ".join(ENGINES)).split()


@pytest.mark.parametrize(("status", "line"), TABLE)
def test_the_exit_code(monkeypatch: pytest.MonkeyPatch, status: int, line: str) -> None:
    words = words_of(line)
    if words[0] == "report" and len(words) > 1:
        name = {"0": "equal", "1": "differs", "3": "raises"}[words[1]]
        ran = ("run", f"cases/moods/{name}", *ENGINES, "--jobs", "1", "--out", words[1])
        assert exit_code(monkeypatch, *ran) == status
    alone = ["--jobs", "1"] if words[0] == "run" and "--jobs" not in words else []
    assert exit_code(monkeypatch, *words, *alone) == status


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("harness.cli.run.execute", "run cases {engines} --jobs 1"),
        ("harness.cli.explain.replay", "explain cases/moods/equal {engines}"),
        ("harness.cli.fuzz.run_campaign", "fuzz --examples 1"),
    ],
)
def test_an_interrupt(monkeypatch: pytest.MonkeyPatch, place: str, line: str) -> None:
    monkeypatch.setattr(place, Mock(side_effect=KeyboardInterrupt))
    assert exit_code(monkeypatch, *words_of(line)) == 130


def test_a_mistake_of_the_harness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.cli.run_plan.select_units", Mock(side_effect=ZeroDivisionError))
    assert exit_code(monkeypatch, "run", "cases") == 3
