"""The journal: what an apply changed since the state file was last written, so that a kill loses nothing.

Writing the whole state after every change would cost more than the changes themselves. Instead each changed instance is
one line in a file beside the state, handed to the system before the run goes on:

    {"journal":1,"lineage":"...","serial":7}                   which state file it continues
    {"instance":"terraform_data.a[0]","resource":{...}}        its objects now, as the state file has them; null if gone

A run ends by writing the state file with the next serial and removing the journal. If it is killed before, whoever
opens the state next replays the journal on it. If it is killed between these two steps, the serial tells: a state file
newer than the journal has everything in it. A last line that was cut off belongs to a change nobody was told of.

A thread forces the lines to the disk, all that came since the last time at once. So a machine that stops may lose the
last few milliseconds; waiting for the disk after every line would protect these too, and take longer than the run.

Outputs and check results are not in it: the next run computes them again from the objects.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Final

from shared_nodes.state.file import Schemas, StateMeta, instance_to_json, state_from_instance
from shared_nodes.state.model import State
from shared_nodes.state.stored_addresses import AddressError, parse_instance
from shared_nodes.values.json import JsonError, JsonNumber, JsonWriter, Tree, loads

__all__ = ["BrokenJournalError", "Journal", "journal_path", "replay"]

_VERSION: Final = 1


class BrokenJournalError(Exception):
    """The journal cannot be what a run left behind: somebody should look at it."""


def journal_path(state_path: Path) -> Path:
    return state_path.with_name(f".{state_path.name}.journal")


class _Syncing:
    """Forces a file to the disk whenever it was told to, while others go on."""

    __slots__ = ("_asked", "_descriptor", "_failure", "_is_last", "_is_void", "_thread")

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._asked = Event()
        self._is_last = False
        self._is_void = False
        self._failure: OSError | None = None
        self._thread = Thread(target=self._run, name="state journal", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        """Flags are read after clearing: who sets one and asks afterwards is always heard."""
        is_last = False
        while not is_last and self._failure is None:
            self._asked.wait()
            self._asked.clear()
            if self._is_void:
                return
            is_last = self._is_last
            try:
                os.fsync(self._descriptor)
            except OSError as failure:
                self._failure = failure

    def ask(self) -> None:
        """Raises what went wrong with an earlier request."""
        if self._failure is not None:
            raise self._failure
        self._asked.set()

    def finish(self, *, is_void: bool = False) -> None:
        """Returns when everything is on the disk, or cannot be; at once if the content does not matter any more."""
        self._is_void = is_void
        self._is_last = True
        self._asked.set()
        self._thread.join()


@dataclass(slots=True)
class Journal:
    """One open journal. Every method may raise OSError, `record` also for lines written earlier."""

    path: Path
    _descriptor: int
    _syncing: _Syncing
    _writer: JsonWriter = field(default_factory=JsonWriter)

    @staticmethod
    def create(state_path: Path, meta: StateMeta) -> Journal:
        path = journal_path(state_path)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC
        descriptor = os.open(path, flags, 0o600)
        journal = Journal(path, descriptor, _Syncing(descriptor))
        serial = JsonNumber(str(meta.serial))
        try:
            journal._append([{"journal": JsonNumber(str(_VERSION)), "lineage": meta.lineage, "serial": serial}])
        except OSError:
            journal.close()
            raise
        return journal

    def record(self, state: State, schemas: Schemas) -> None:
        """Write down the instances the state was touched in since the last time."""
        changed = list(state.touched)
        state.touched.clear()
        if changed:
            self._append([{"instance": str(a), "resource": instance_to_json(state, a, schemas)} for a in changed])

    def _append(self, records: list[Tree]) -> None:
        content = "".join(f"{self._writer.text(record)}\n" for record in records).encode()
        while content:
            content = content[os.write(self._descriptor, content) :]
        self._syncing.ask()

    def close(self) -> None:
        self._syncing.finish()
        os.close(self._descriptor)

    def remove(self) -> None:
        self._syncing.finish(is_void=True)
        os.close(self._descriptor)
        self.path.unlink(missing_ok=True)


def replay(text: str, state: State, meta: StateMeta) -> bool:
    """Bring the state up to date with a journal. Returns whether there was anything the state did not know."""
    lines = text.split("\n")[:-1]
    if not lines:
        return False
    header = _line(lines[0])
    match header:
        case {"journal": JsonNumber("1"), "lineage": str(lineage), "serial": JsonNumber(serial)}:
            pass
        case _:
            raise BrokenJournalError("its first line does not say which state it continues")
    if lineage != meta.lineage:
        raise BrokenJournalError(f'it continues a state of another lineage, "{lineage}"')
    if int(serial) != meta.serial:
        if int(serial) > meta.serial:
            raise BrokenJournalError(
                f"it continues a state with serial {serial}, but that was replaced by an older one"
            )
        return False
    for number, line in enumerate(lines[1:], start=2):
        _replay_line(number, line, state)
    return len(lines) > 1


def _line(line: str) -> Tree:
    try:
        return loads(line)
    except JsonError:
        return None


def _replay_line(number: int, line: str, state: State) -> None:
    match _line(line):
        case {"instance": str(text), "resource": tree}:
            pass
        case _:
            raise BrokenJournalError(f"line {number} cannot be read")
    try:
        address = parse_instance(text)
    except AddressError as failure:
        raise BrokenJournalError(f"line {number} has an invalid address") from failure
    if tree is None:
        state.forget(address)
        if address.containing in state.resources and not state.resources[address.containing].instances:
            del state.resources[address.containing]
        return
    single = state_from_instance(tree)
    saved = single.resources.get(address.containing) if single is not None else None
    if saved is None or address.key not in saved.instances:
        raise BrokenJournalError(f"line {number} has an invalid object")
    resource = state.resources.setdefault(address.containing, saved)
    resource.provider = saved.provider
    resource.instances[address.key] = saved.instances[address.key]
