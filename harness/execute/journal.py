"""The directory of a run: everything a report is made of, safe at every moment a run may be killed.

    run.json        what is run, with what: written first, and only as a whole
    journal.jsonl   one result a line, each with a checksum of its text; only ever appended to
    end.json        what is known when all is done: how long it took, and what known.yaml says that is no longer so

A line that was being written when the process ended is no line: reading stops before it, resuming cuts it off. A line
that is wrong anywhere else means that somebody has changed the file, and no report is made of it. The order of lines is
that in which results came; whoever reads sorts. Nothing is pickled: a run's directory may come from a stranger.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Final

from harness.judging.result import CaseResult, ResultError, result_from_json, result_to_json
from harness.judging.run import Run, Stale

__all__ = ["JournalError", "RunHeader", "RunJournal", "read_header", "read_run"]

FORMAT: Final = 1
"""Of the directory. A reader knows all formats up to its own; tests keep a sample of each."""

RUN_FILE: Final = "run.json"
JOURNAL_FILE: Final = "journal.jsonl"
END_FILE: Final = "end.json"

_LINE: Final = re.compile(rb'\{"crc":"([0-9a-f]{8})","result":(.*)\}', re.DOTALL)


class JournalError(Exception):
    """A run cannot be written, read or resumed. The message tells where, why, and what to do."""


@dataclass(frozen=True, slots=True)
class RunHeader:
    units: tuple[str, ...]
    """Identifiers of all that is to be run: of this shard, where it is one."""

    engines: tuple[str, ...]
    settings: Mapping[str, Any]
    """What decides about results. A run is resumed, and merged with others, only where it is the same."""

    told: Mapping[str, str] = field(default_factory=dict)
    """For people: `Run.header`."""

    classes: Mapping[str, str] = field(default_factory=dict)
    """Of the entries of known.yaml."""

    shard: str = ""
    total: int = 0
    """How many units all shards have together."""

    format: int = FORMAT


class RunJournal:
    """Of a run that is going on. Results are handed to the operating system one by one, so that they survive the end of
    the process, and forced to the disk in batches (`sync`), so that most survive the end of the machine."""

    __slots__ = ("_file", "directory")

    def __init__(self, directory: Path, file: IO[bytes]) -> None:
        self.directory = directory
        self._file = file

    @staticmethod
    def create(directory: Path, header: RunHeader) -> RunJournal:
        """In a directory that holds no run yet."""
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if (directory / RUN_FILE).exists():
                message = f"{directory} holds a run already: go on with --resume {directory}, or choose another --out"
                raise JournalError(message)
            file = (directory / JOURNAL_FILE).open("wb")
            _write_whole(directory / RUN_FILE, asdict(header))
        except OSError as problem:
            raise JournalError(f"cannot write a run to {directory}: {problem.strerror}; choose --out") from problem
        return RunJournal(directory, file)

    @staticmethod
    def resume(directory: Path, header: RunHeader) -> tuple[RunJournal, list[CaseResult]]:
        """What is done already, and the journal to go on with."""
        _require_same(directory, header, read_header(directory))
        results, length = _read_journal(directory / JOURNAL_FILE)
        try:
            file = (directory / JOURNAL_FILE).open("ab")
            file.truncate(length)
        except OSError as problem:
            raise JournalError(f"cannot go on in {directory}: {problem.strerror}") from problem
        return RunJournal(directory, file), results

    def append(self, result: CaseResult) -> None:
        text = json.dumps(result_to_json(result), separators=(",", ":")).encode()
        self._file.write(b'{"crc":"%08x","result":%s}\n' % (zlib.crc32(text), text))
        self._file.flush()

    def sync(self) -> None:
        os.fsync(self._file.fileno())

    def end(self, elapsed_s: float, stale: Sequence[Stale]) -> None:
        """All is done: results first, then the word that there are no more."""
        self.close()
        tree = {"elapsed_s": round(elapsed_s, 3), "stale": [asdict(entry) for entry in stale]}
        _write_whole(self.directory / END_FILE, tree)

    def close(self) -> None:
        if not self._file.closed:
            self.sync()
            self._file.close()


def _write_whole(file: Path, tree: Any) -> None:
    """On the disk before it has its name."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    with temporary.open("w", encoding="ascii") as text:
        json.dump(tree, text, indent=1)
        text.write("\n")
        text.flush()
        os.fsync(text.fileno())
    temporary.replace(file)


def _require_same(directory: Path, now: RunHeader, then: RunHeader) -> None:
    """Settings as they read in a file, where a tuple and a list are the same."""
    texts = {name: json.dumps(value) for name, value in now.settings.items()}
    before = {name: json.dumps(then.settings.get(name)) for name in texts}
    differing = [name for name in texts if texts[name] != before[name]]
    if differing:
        name = differing[0]
        raise JournalError(
            f"{directory} cannot be gone on with: its {name} is {before[name]}, and now it is {texts[name]}. "
            "Give the options of the first time, or start a new run."
        )
    if (now.units, now.shard) != (then.units, then.shard):
        raise JournalError(
            f"{directory} cannot be gone on with: it has {len(then.units)} units"
            f"{then.shard and f' of shard {then.shard}'}, and other ones were found now ({len(now.units)}"
            f"{now.shard and f' of shard {now.shard}'}). Give the paths of the first time, or start a new run."
        )


# Reading


def read_header(directory: Path) -> RunHeader:
    file = directory / RUN_FILE
    try:
        tree = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(tree, dict) or not isinstance(tree.get("format"), int):
            raise JournalError(f"{file}: not the header of a run")
        if tree["format"] > FORMAT:
            raise JournalError(f"{file}: of format {tree['format']}, and this diffharness knows none beyond {FORMAT}")
        return RunHeader(**{**tree, "units": tuple(tree["units"]), "engines": tuple(tree["engines"])})
    except FileNotFoundError as problem:
        raise JournalError(f"{directory} holds no run: there is no {RUN_FILE}") from problem
    except OSError as problem:
        raise JournalError(f"{file}: cannot be read: {problem.strerror}") from problem
    except (ValueError, TypeError, KeyError) as problem:
        raise JournalError(f"{file}: not the header of a run: {problem}") from problem


def _read_journal(file: Path) -> tuple[list[CaseResult], int]:
    """Results in the order they came, and how many bytes of the file they are. Of a unit that is there twice, as after
    two merged files, the later counts."""
    try:
        content = file.read_bytes()
    except OSError as problem:
        raise JournalError(f"{file}: cannot be read: {problem.strerror}") from problem
    *lines, torn = content.split(b"\n")
    results = [_read_line(file, number, line) for number, line in enumerate(lines, 1)]
    return list({result.identifier: result for result in results}.values()), len(content) - len(torn)


def _read_line(file: Path, number: int, line: bytes) -> CaseResult:
    match = _LINE.fullmatch(line)
    if match is None or zlib.crc32(match[2]) != int(match[1], 16):
        raise JournalError(
            f"{file}:{number}: damaged: the line and its checksum do not belong together. Take the line out to do "
            "without its result, and --resume the run to get it again."
        )
    try:
        return result_from_json(json.loads(match[2]))
    except (ResultError, ValueError) as problem:
        raise JournalError(f"{file}:{number}: {problem}") from problem


def _read_end(directory: Path) -> dict[str, Any]:
    """Empty where the run did not come to its end."""
    file = directory / END_FILE
    try:
        tree = json.loads(file.read_text(encoding="utf-8"))
        return {"elapsed_s": float(tree["elapsed_s"]), "stale": [Stale(**entry) for entry in tree["stale"]]}
    except FileNotFoundError:
        return {"elapsed_s": None, "stale": []}
    except (OSError, ValueError, TypeError, KeyError) as problem:
        raise JournalError(f"{file}: cannot be read: {problem}") from problem


def read_run(directories: Iterable[Path]) -> Run:
    """One run, from its directory or from those of its shards."""
    runs = [_read_one(directory) for directory in directories]
    first_place, first, _ = runs[0]
    results: dict[str, CaseResult] = {}
    stale: dict[str, Stale] = {}
    for place, header, run in runs:
        if header.settings != first.settings:
            raise JournalError(f"{first_place} and {place} are no parts of one run: their settings differ")
        twice = results.keys() & {result.identifier for result in run.results}
        if twice:
            raise JournalError(f"{place} has {min(twice)}, and so has another of these runs: each shard once")
        results |= {result.identifier: result for result in run.results}
        stale |= {entry.entry: entry for entry in run.stale}
    whole = runs[0][2]
    told = whole.header if len(runs) == 1 else _common(whole.header)
    return replace(
        whole,
        header=told,
        results=tuple(sorted(results.values(), key=lambda result: result.identifier)),
        stale=tuple(sorted(stale.values(), key=lambda entry: entry.entry)),
        planned=whole.planned if len(runs) == 1 else first.total,
    )


def _read_one(directory: Path) -> tuple[Path, RunHeader, Run]:
    header = read_header(directory)
    results, _ = _read_journal(directory / JOURNAL_FILE)
    end = _read_end(directory)
    elapsed = {} if end["elapsed_s"] is None else {"elapsed": f"{end['elapsed_s']:.1f} s"}
    planned = len(header.units)
    run = Run({**header.told, **elapsed}, header.engines, tuple(results), tuple(end["stale"]), header.classes, planned)
    return directory, header, run


def _common(told: Mapping[str, str]) -> dict[str, str]:
    """Without what is true of one shard alone."""
    return {name: text for name, text in told.items() if name not in ("command", "shard", "started", "elapsed")}
