"""The journal of a killed process can be read and resumed; any other damage is detected."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from harness.compare.ruling import Ruling
from harness.execute import journal
from harness.execute.journal import (
    END_FILE,
    JOURNAL_FILE,
    LINES_FILE,
    RUN_FILE,
    JournalError,
    RunHeader,
    RunJournal,
    read_run,
)
from harness.findings.executed_lines import ExecutedLines
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.findings.run import Stale
from harness.findings.signature import Signature

SAMPLES = Path(__file__).parent / "runs"

HEADER = RunHeader(("a/1", "a/2", "a/3"), ("legacy", "new"), {"seed": 0}, {"version": "1"}, {"known-1": "bug"}, total=3)
FOUND = Finding(
    Signature("new", "plan", Ruling.DIFFERS, "plan.x", "value"), ("legacy",), "step 1", "x", "\ud800\n", '{"crc":"'
)
RESULTS = [
    CaseResult("a/2", "x/a/2", "a", "second", ("t",), HEADER.engines, findings=(FOUND,), evidence='{"files":{}}'),
    CaseResult("a/1", "x/a/1", "a", elapsed_s={"legacy": 0.25}, attempts=2),
    CaseResult("a/3", "x/a/3", "a", "third"),
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A complete run."""
    written = RunJournal.create(tmp_path / "run", HEADER)
    for result in RESULTS:
        written.append(result)
    written.end(1.5, [Stale("known-2", "known.yaml:3", "gone")])
    return tmp_path / "run"


def test_a_run_is_read_back_sorted_with_all_it_was_given(place: Path) -> None:
    run = read_run([place])
    assert run.results == tuple(sorted(RESULTS, key=lambda result: result.identifier))
    assert (run.engines, run.planned, run.classes) == (HEADER.engines, 3, HEADER.classes)
    assert run.stale == (Stale("known-2", "known.yaml:3", "gone"),)
    assert run.header == {"version": "1", "elapsed": "1.5 s"}


def test_lines_are_read_back(tmp_path: Path) -> None:
    lines = ExecutedLines.of({"a/1": {"x.py": 0b10}, "a/2": {"x.py": 0b110}}, ("new",))
    written = RunJournal.create(tmp_path / "run", HEADER)
    written.keep_lines(lines)
    written.close()
    assert read_run([tmp_path / "run"]).lines == lines


def test_a_journal_cut_off_anywhere_gives_the_results_before_and_is_gone_on_with(place: Path, tmp_path: Path) -> None:
    content = (place / JOURNAL_FILE).read_bytes()
    for length in range(0, len(content) + 1, 7):
        again = tmp_path / f"cut-{length}"
        again.mkdir()
        shutil.copy(place / RUN_FILE, again)
        (again / JOURNAL_FILE).write_bytes(content[:length])
        resumed, done = RunJournal.resume(again, HEADER)
        assert done == RESULTS[: content[:length].count(b"\n")]
        for result in RESULTS[len(done) :]:
            resumed.append(result)
        resumed.close()
        assert (again / JOURNAL_FILE).read_bytes() == content
        assert not read_run([again]).stale, "only the end of a run knows what is stale"


@pytest.mark.parametrize("line", [1, 2])
def test_a_line_that_was_changed_is_named(place: Path, line: int) -> None:
    lines = (place / JOURNAL_FILE).read_bytes().split(b"\n")
    lines[line - 1] = lines[line - 1].replace(b'"a/', b'"b/')
    (place / JOURNAL_FILE).write_bytes(b"\n".join(lines))
    with pytest.raises(JournalError, match=rf"journal\.jsonl:{line}: damaged"):
        read_run([place])


_HEADER = '{"format": 1, "units": [], "engines": [], "settings": {}%s}'


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        (RUN_FILE, "{", "not the header of a run"),
        (RUN_FILE, "[]", "not the header of a run"),
        (RUN_FILE, '{"format": 1}', "not the header of a run"),
        (RUN_FILE, _HEADER % ', "told": ["a"]', "told must be an object of texts"),
        (RUN_FILE, _HEADER % ', "told": {"seed": 1}', "told must be an object of texts"),
        (RUN_FILE, _HEADER % ', "classes": 5', "classes must be an object of texts"),
        (RUN_FILE, _HEADER % ', "titles": null', "titles must be an object of texts"),
        (RUN_FILE, _HEADER % ', "shard": 5', "shard a text"),
        (RUN_FILE, '{"format": 99}', "has format 99, but this diffharness supports up to 1"),
        (JOURNAL_FILE, "nonsense\n", "journal.jsonl:1: damaged"),
        (END_FILE, '{"elapsed_s": []}', "cannot be read"),
        (LINES_FILE, '{"cases": []}', "lines.json: cannot be read"),
    ],
)
def test_a_malformed_run_is_reported_in_one_message(place: Path, file: str, text: str, message: str) -> None:
    (place / file).write_text(text)
    with pytest.raises(JournalError, match=message):
        read_run([place])


def test_a_directory_holds_one_run(place: Path, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="already holds a run"):
        RunJournal.create(place, HEADER)
    with pytest.raises(JournalError, match="holds no run"):
        read_run([tmp_path])


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (replace(HEADER, settings={"seed": 1}), "its seed was 0, and is now 1"),
        (replace(HEADER, settings={"seed": 0, "flavour": "x"}), 'its flavour was null, and is now "x"'),
        (replace(HEADER, units=("a/1",)), "it has 3 units, but now others were found"),
        (replace(HEADER, shard="1/2"), "of shard 1/2"),
    ],
)
def test_another_run_is_not_resumed(place: Path, header: RunHeader, message: str) -> None:
    with pytest.raises(JournalError, match=message):
        RunJournal.resume(place, header)


def test_shards_are_one_run_whatever_their_order(place: Path, tmp_path: Path) -> None:
    for number, result in enumerate(RESULTS):
        header = replace(HEADER, units=(result.identifier,), shard=f"{number + 1}/3")
        shard = RunJournal.create(tmp_path / f"shard{number}", header)
        shard.append(result)
        shard.end(1.0, [Stale("known-2", "known.yaml:3", "gone")])
    shards = [tmp_path / f"shard{number}" for number in range(3)]
    whole, merged = read_run([place]), read_run(shards[::-1])
    assert (merged.results, merged.stale, merged.planned) == (whole.results, whole.stale, whole.planned)
    assert merged.is_complete
    assert not read_run(shards[:2]).is_complete, "a shard is missing, and nobody must take that for a whole run"
    with pytest.raises(JournalError, match="give each shard once"):
        read_run([shards[0], shards[0]])


def test_runs_with_other_settings_are_no_shards_of_each_other(place: Path, tmp_path: Path) -> None:
    RunJournal.create(tmp_path / "other", replace(HEADER, settings={"seed": 1})).close()
    with pytest.raises(JournalError, match="not parts of one run"):
        read_run([place, tmp_path / "other"])


def test_every_format_there_ever_was_can_be_read() -> None:
    samples = {int(sample.name.removeprefix("format-")): sample for sample in SAMPLES.iterdir()}
    assert sorted(samples) == list(range(1, journal.FORMAT + 1)), "add a sample of the new format, and keep the others"
    for number, sample in samples.items():
        assert json.loads((sample / RUN_FILE).read_text())["format"] == number
        run = read_run([sample])
        assert [result.identifier for result in run.results] == ["a/1", "a/2", "a/3"]
        assert run.groups[0].signature == FOUND.signature
        assert run.stale[0].entry == "known-2"


def test_a_full_disk_is_explained_and_what_was_written_stays(tmp_path: Path) -> None:
    """It once ended the run as a crash of diffharness."""
    written = RunJournal.create(tmp_path / "run", HEADER)
    written.append(RESULTS[0])
    with open("/dev/full", "wb", buffering=0) as full:
        broken = RunJournal(tmp_path / "run", full)
        with pytest.raises(
            JournalError, match="No space left on device; finished cases are kept: continue with --resume"
        ):
            broken.append(RESULTS[1])
    written.close()
    resumed, kept = RunJournal.resume(tmp_path / "run", HEADER)
    resumed.close()
    assert [result.identifier for result in kept] == ["a/2"]


def test_a_result_of_another_unit_is_not_counted(place: Path) -> None:
    """Its checksum is right, and still it was not written by this run."""
    header = json.loads((place / RUN_FILE).read_text())
    stranger = header["units"].pop()
    (place / RUN_FILE).write_text(json.dumps(header))
    with pytest.raises(JournalError, match=rf"journal.jsonl:\d+: {stranger} is not a unit of this run"):
        read_run([place])
