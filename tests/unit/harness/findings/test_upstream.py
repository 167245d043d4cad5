"""What the project of a candidate says about it: read as written, and every mistake reported with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.findings.upstream import Flag, UnknownTest, Upstream, UpstreamError, read_upstream

HEAD: Final = "project: Tofu\nbuild: '1.2'\nrecorded: May\n"
FLAG: Final = "{id: F, class: missing, what: It is missing.}"
TEST: Final = "{test: T, outcome: fails, causes: [F], story: stories/area/name}"


def _read(place: Path, text: str) -> Upstream:
    file = place / "upstream.yaml"
    file.write_text(text, encoding="utf-8")
    return read_upstream(file)


def test_flags_and_tests_are_read(tmp_path: Path) -> None:
    flags = f"flags:\n- {FLAG}\n- {{id: U, class: unknown, done: true, what: Why is not known.}}\n"
    tests = f"unknown_tests:\n- {TEST}\n- {{test: P, outcome: passes, causes: [], story: none, reason: Equal.}}\n"
    found = _read(tmp_path, HEAD + flags + tests)
    assert (found.project, found.build, found.recorded) == ("Tofu", "1.2", "May")
    assert found.flags == (Flag("F", "missing", "It is missing."), Flag("U", "unknown", "Why is not known.", True))
    assert [flag.is_explained for flag in found.flags] == [True, False]
    assert found.unknown_tests == (
        UnknownTest("T", "fails", ("F",), "area/name"),
        UnknownTest("P", "passes", (), "", "Equal."),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "upstream.yaml: is empty"),
        ("- 1", "upstream.yaml:1: the file must be a mapping"),
        ("{", "upstream.yaml: not YAML"),
        (HEAD, "upstream.yaml:1: flags: missing in the file"),
        (f"{HEAD}flags: {{}}\n", "upstream.yaml:4: flags: must be a list"),
        (f"{HEAD}flags: []\nflag: 1\n", "upstream.yaml:5: flag: unknown key in the file"),
        (f"{HEAD}flags:\n- {{id: F, what: x}}\n", "upstream.yaml:5: class: missing in entry 1 of flags"),
        (f"{HEAD}flags:\n- {{id: F, class: odd, what: x}}\n", "upstream.yaml:5: class: must be one of bug,"),
        (
            f"{HEAD}flags: []\nunknown_tests:\n- {{test: T, outcome: passes, causes: [], story: none}}\n",
            "upstream.yaml:6: reason: missing in entry 1 of unknown_tests",
        ),
    ],
)
def test_a_mistake_is_reported_with_file_line_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UpstreamError) as caught:
        _read(tmp_path, text)
    assert message in str(caught.value)


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UpstreamError, match="cannot be read"):
        read_upstream(tmp_path / "upstream.yaml")
