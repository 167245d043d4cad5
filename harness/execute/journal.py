"""The directory of a run: everything a report needs, consistent at any moment at which the run may be killed.

    run.json        units, engines and settings; written first, atomically
    journal.jsonl   one result per line, each with a checksum of its text; append-only
    lines.json      the lines of source that engines executed, if they were recorded
    end.json        written when the run is complete: its duration, and outdated entries of known.yaml

A last line without a line end was cut off by a kill: readers ignore it and resuming truncates it. Any other damaged
line means that the file was edited, and reading fails. Lines are in the order of completion; readers sort them. Nothing
is pickled, because the directory of a run may come from an untrusted source.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, field, replace
from io import FileIO
from pathlib import Path
from typing import Any, Final

from harness.findings.executed_lines import ExecutedLines, lines_from_json, lines_to_json, merge_lines
from harness.findings.result import CaseResult, ResultError, result_from_json, result_to_json
from harness.findings.run import Run, Stale
from shared_nodes.record import record
from shared_nodes.world import Files

__all__ = ["JournalError", "RunHeader", "RunJournal", "read_header", "read_lines", "read_run"]

FORMAT: Final = 1
"""Version of the directory's format. A reader knows all versions up to its own; tests keep a sample of each."""

RUN_FILE: Final = "run.json"
JOURNAL_FILE: Final = "journal.jsonl"
LINES_FILE: Final = "lines.json"
END_FILE: Final = "end.json"

_LONGEST: Final = 4_000_000_000
"""Limit of a file of a run in bytes."""

_KEYS: Final = {"facts": "told"}
"""Fields of the header that have another name in run.json. Renaming the key would make existing runs unreadable."""

_LINE: Final = re.compile(rb'\{"crc":"([0-9a-f]{8})","result":(.*)\}', re.DOTALL)


class JournalError(Exception):
    """A run cannot be written, read or resumed. The message says where, why, and what to do."""


@record
class RunHeader:
    units: tuple[str, ...]
    """Identifiers of all units to be run, or of those of this shard."""

    engines: tuple[str, ...]
    settings: Mapping[str, Any]
    """Everything that has an influence on results. A run is resumed or merged only if its settings are equal."""

    facts: Mapping[str, str] = field(default_factory=dict)
    """Facts for the header of a report: `Run.header`."""

    classes: Mapping[str, str] = field(default_factory=dict)
    """The class of each entry of known.yaml."""

    titles: Mapping[str, str] = field(default_factory=dict)
    """The title of each entry of known.yaml."""

    shard: str = ""
    total: int = 0
    """Number of units in all shards together."""

    format: int = FORMAT


class RunJournal:
    """Appends the results of a run in progress.

    Each result is handed to the operating system at once, so that it survives the end of the process. `sync` forces a
    batch of them to disk, so that most survive a failure of the machine.
    """

    __slots__ = ("_file", "directory")

    def __init__(self, directory: Path, file: FileIO) -> None:
        self.directory = directory
        self._file = file

    @staticmethod
    def create(directory: Path, header: RunHeader) -> RunJournal:
        """Start a journal in a directory that holds no run yet."""
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if (directory / RUN_FILE).exists():
                message = (
                    f"{directory} already holds a run: continue with --resume {directory}, or choose another --out"
                )
                raise JournalError(message)
            file = (directory / JOURNAL_FILE).open("wb", buffering=0)
            _write_atomically(
                directory / RUN_FILE, _header_to_json(header), is_private=bool(header.settings.get("values"))
            )
        except OSError as problem:
            raise JournalError(f"cannot write a run to {directory}: {problem.strerror}; choose --out") from problem
        return RunJournal(directory, file)

    @staticmethod
    def resume(directory: Path, header: RunHeader) -> tuple[RunJournal, list[CaseResult]]:
        """Reopen the journal of an interrupted run and return the results it already holds."""
        _require_same_run(directory, header, read_header(directory))
        results, length = _read_journal(directory / JOURNAL_FILE, header)
        try:
            descriptor = os.open(directory / JOURNAL_FILE, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
            file = FileIO(descriptor, "ab")
            file.truncate(length)
        except OSError as problem:
            raise JournalError(f"cannot resume {directory}: {problem.strerror}") from problem
        return RunJournal(directory, file), results

    def append(self, result: CaseResult) -> None:
        text = json.dumps(result_to_json(result), separators=(",", ":")).encode()
        with self._explaining_failures():
            _write_whole(self._file, b'{"crc":"%08x","result":%s}\n' % (zlib.crc32(text), text))

    def sync(self) -> None:
        with self._explaining_failures():
            os.fsync(self._file.fileno())

    @contextmanager
    def _explaining_failures(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            message = f"cannot write the run to {self.directory}: {problem.strerror}"
            raise JournalError(f"{message}; finished cases are kept: continue with --resume") from problem

    def keep_lines(self, lines: ExecutedLines) -> None:
        """Keep what engines executed, so that every reader of the run finds the same causes."""
        with self._explaining_failures():
            _write_atomically(self.directory / LINES_FILE, lines_to_json(lines), indent=None)

    def end(self, elapsed_s: float, stale: Sequence[Stale]) -> None:
        """Mark the run as complete. All results are on disk before the mark is."""
        self.close()
        tree = {"elapsed_s": round(elapsed_s, 3), "stale": [asdict(entry) for entry in stale]}
        with self._explaining_failures():
            _write_atomically(self.directory / END_FILE, tree)

    def close(self) -> None:
        if not self._file.closed:
            try:
                self.sync()
            finally:
                self._file.close()


def _write_whole(file: FileIO, content: bytes) -> None:
    """Write without a buffer, which would try again to write what did not fit when it is closed."""
    while content:
        content = content[file.write(content) :]


def _write_atomically(file: Path, tree: Any, indent: int | None = 1, *, is_private: bool = False) -> None:
    """Write a file atomically: it is on disk before it gets its name. One with values of variables is private."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    with open(os.open(temporary, flags, 0o600 if is_private else 0o666), "w", encoding="ascii") as text:
        json.dump(tree, text, indent=indent)
        text.write("\n")
        text.flush()
        os.fsync(text.fileno())
    temporary.replace(file)


def _header_to_json(header: RunHeader) -> dict[str, Any]:
    return {_KEYS.get(name, name): value for name, value in asdict(header).items()}


def _header_from_json(tree: Mapping[str, Any]) -> RunHeader:
    fields = {name: tree[key] for name, key in _KEYS.items() if key in tree}
    others = {key: value for key, value in tree.items() if key not in _KEYS.values()}
    header = RunHeader(**{**others, **fields, "units": tuple(tree["units"]), "engines": tuple(tree["engines"])})
    for name in ("facts", "classes", "titles"):
        _require_texts(_KEYS.get(name, name), getattr(header, name))
    if not isinstance(header.settings, dict) or not isinstance(header.shard, str) or not isinstance(header.total, int):
        raise TypeError("settings must be an object, shard a text, total a number")
    return header


def _require_texts(key: str, tree: Any) -> None:
    if not isinstance(tree, dict) or not all(isinstance(value, str) for value in tree.values()):
        raise TypeError(f"{key} must be an object of texts")


def _require_same_run(directory: Path, now: RunHeader, then: RunHeader) -> None:
    """Raise if the settings differ. They are compared as JSON, because a file does not distinguish tuples from
    lists."""
    texts = {name: json.dumps(value) for name, value in now.settings.items()}
    before = {name: json.dumps(then.settings.get(name)) for name in texts}
    differing = [name for name in texts if texts[name] != before[name]]
    if differing:
        name = differing[0]
        raise JournalError(
            f"{directory} cannot be resumed: its {name} was {before[name]}, and is now {texts[name]}. "
            "Use the options of the first time, or start a new run."
        )
    if (now.units, now.shard) != (then.units, then.shard):
        raise JournalError(
            f"{directory} cannot be resumed: it has {len(then.units)} units"
            f"{then.shard and f' of shard {then.shard}'}, but now others were found ({len(now.units)}"
            f"{now.shard and f' of shard {now.shard}'}). Use the paths of the first time, or start a new run."
        )


# Reading


def _read(file: Path) -> bytes:
    """Read a file of a run, which may come from anywhere: a pipe or a device is refused."""
    return Files(file.parent).read_bytes(file.name, _LONGEST)


def read_header(directory: Path) -> RunHeader:
    file = directory / RUN_FILE
    try:
        tree = json.loads(_read(file))
        if not isinstance(tree, dict) or not isinstance(tree.get("format"), int):
            raise JournalError(f"{file}: not the header of a run")
        if tree["format"] > FORMAT:
            raise JournalError(f"{file}: has format {tree['format']}, but this diffharness supports up to {FORMAT}")
        return _header_from_json(tree)
    except FileNotFoundError as problem:
        raise JournalError(f"{directory} holds no run: there is no {RUN_FILE}") from problem
    except OSError as problem:
        raise JournalError(f"{file}: cannot be read: {problem.strerror or problem}") from problem
    except (ValueError, TypeError, KeyError, RecursionError) as problem:
        raise JournalError(f"{file}: not the header of a run: {problem}") from problem


def _read_journal(file: Path, header: RunHeader) -> tuple[list[CaseResult], int]:
    """Return the results in file order, and the number of bytes of all complete lines. Each must be of a unit that the
    header lists.

    If a unit occurs twice, as in a concatenation of two journals, the later result counts.
    """
    try:
        content = _read(file)
    except OSError as problem:
        raise JournalError(f"{file}: cannot be read: {problem.strerror or problem}") from problem
    *lines, torn = content.split(b"\n")
    results = [_read_line(file, number, line) for number, line in enumerate(lines, 1)]
    units = set(header.units)
    for number, result in enumerate(results, 1):
        if result.identifier not in units:
            raise JournalError(
                f"{file}:{number}: {result.identifier} is not a unit of this run: {RUN_FILE} does not list it. Remove "
                "the line, or restore the files as they were written."
            )
    return list({result.identifier: result for result in results}.values()), len(content) - len(torn)


def _read_line(file: Path, number: int, line: bytes) -> CaseResult:
    match = _LINE.fullmatch(line)
    if match is None or zlib.crc32(match[2]) != int(match[1], 16):
        raise JournalError(
            f"{file}:{number}: damaged: the line does not match its checksum. Remove the line to do "
            "without its result, and --resume the run to get it again."
        )
    try:
        return result_from_json(json.loads(match[2]))
    except (ResultError, ValueError, RecursionError) as problem:
        raise JournalError(f"{file}:{number}: {problem}") from problem


def _read_end(directory: Path) -> dict[str, Any]:
    """Return the content of end.json, or empty values if the run is not complete."""
    file = directory / END_FILE
    try:
        tree = json.loads(_read(file))
        return {"elapsed_s": float(tree["elapsed_s"]), "stale": [Stale(**entry) for entry in tree["stale"]]}
    except FileNotFoundError:
        return {"elapsed_s": None, "stale": []}
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as problem:
        raise JournalError(f"{file}: cannot be read: {problem}") from problem


def read_lines(directory: Path) -> ExecutedLines | None:
    """Return the lines that engines executed in a run, if they were recorded."""
    file = directory / LINES_FILE
    try:
        return lines_from_json(json.loads(_read(file)))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as problem:
        raise JournalError(
            f"{file}: cannot be read: {problem}. Without this file, causes are found by cases."
        ) from problem


def read_run(directories: Iterable[Path]) -> Run:
    """Read one run from its directory, or from the directories of its shards."""
    runs = [_read_one(directory) for directory in directories]
    first_place, first, _ = runs[0]
    results: dict[str, CaseResult] = {}
    stale: dict[str, Stale] = {}
    for place, header, run in runs:
        if header.settings != first.settings:
            raise JournalError(f"{first_place} and {place} are not parts of one run: their settings differ")
        twice = results.keys() & {result.identifier for result in run.results}
        if twice:
            raise JournalError(f"{place} and another of these runs both have {min(twice)}: give each shard once")
        results |= {result.identifier: result for result in run.results}
        stale |= {entry.entry: entry for entry in run.stale}
    whole = runs[0][2]
    traced = [run.lines for _, _, run in runs if run.lines is not None]
    facts = whole.header if len(runs) == 1 else _common_facts(whole.header)
    return replace(
        whole,
        header=facts,
        results=tuple(sorted(results.values(), key=lambda result: result.identifier)),
        stale=tuple(sorted(stale.values(), key=lambda entry: entry.entry)),
        planned=whole.planned if len(runs) == 1 else first.total,
        lines=whole.lines if len(runs) == 1 else merge_lines(traced) if traced else None,
    )


def _read_one(directory: Path) -> tuple[Path, RunHeader, Run]:
    header = read_header(directory)
    results, _ = _read_journal(directory / JOURNAL_FILE, header)
    end = _read_end(directory)
    elapsed = {} if end["elapsed_s"] is None else {"elapsed": f"{end['elapsed_s']:.1f} s"}
    planned = len(header.units)
    run = Run(
        {**header.facts, **elapsed},
        header.engines,
        tuple(results),
        tuple(end["stale"]),
        header.classes,
        planned,
        header.titles,
        read_lines(directory),
        expects_success=header.settings.get("expect_success") is True,
    )
    return directory, header, run


def _common_facts(facts: Mapping[str, str]) -> dict[str, str]:
    """Remove facts that are true of one shard only."""
    return {name: text for name, text in facts.items() if name not in ("command", "shard", "started", "elapsed")}
