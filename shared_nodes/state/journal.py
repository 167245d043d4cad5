"""The journal records what an apply changed since the state file was last written, so that a killed run loses nothing.

Writing the whole state after every change would cost more than the changes themselves. Instead, each changed instance
is appended as one line to a file next to the state, and passed to the operating system before the run continues:

    {"journal":3,"lineage":"...","serial":7,"crc":"..."}              the state file that it continues
    {"instance":"terraform_data.a[0]","resource":{...},"crc":"..."}   its objects, as in the state file; null if removed
    {"instance":"...","resource":{...},"also":["..."],"crc":"..."}    it depends on what the previous line does, and on
                                                                      these

Each line ends with the CRC-32 of its text, which continues that of the line before: a line that was damaged, removed or
repeated is noticed. The last form keeps the journal of a long chain short. Each object in a chain depends on all before
it, so writing their names in full would take N²/2 names; but each object has only one dependency more than the previous
one.

A run ends by writing the state file with the next serial and removing the journal. If it is killed before that, the
next `open_store` replays the journal. If it is killed between the two steps, the serial decides: a state file newer
than the journal already contains everything. An incomplete last line belongs to a change that was never announced.

A thread syncs the lines to disk, all that arrived since the last sync at once, with a short pause in between. So a
machine crash may lose the last few milliseconds; waiting for the disk after every line would protect these too, but
take longer than the run.

Outputs and check results are not in the journal: the next run computes them again from the objects.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Sequence
from dataclasses import field
from itertools import compress, count, islice
from operator import is_not
from pathlib import Path
from threading import Event, Thread
from typing import Final

from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, ResourceMode
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.pattern import pattern
from shared_nodes.record import record
from shared_nodes.state.atomic_file import create_file, write_whole
from shared_nodes.state.file import Schemas, StateMeta, instance_to_json, state_from_instance
from shared_nodes.state.model import ObjectStatus, State
from shared_nodes.state.stored_addresses import AddressError, parse_instance
from shared_nodes.values.json import JsonError, JsonNumber, JsonWriter, Tree, are_strings, loads

__all__ = ["BrokenJournalError", "Journal", "journal_path", "replay"]

_VERSION: Final = 3
_READABLE: Final = ("1", "2", "3")
"""Version 1 had no lines that refer to the previous line, and version 2 had no checksums."""

_UNSIGNED: Final = ("1", "2")

_NO_HEADER: Final = "its first line does not say which state it continues"
_CHECKSUM: Final = pattern(r'(.*),"crc":"([0-9a-f]{8})"\}', re.DOTALL)

_REST_S: Final = 0.005

_LONG_LIST: Final = 32
_FEW_ADDITIONS: Final = 4
"""A list of at least `_LONG_LIST` dependencies is written as its additions to the previous one, if those are at most
`_FEW`."""


class BrokenJournalError(Exception):
    """The journal cannot be what a run left behind, so a person should examine it."""


def journal_path(state_path: Path) -> Path:
    return state_path.with_name(f".{state_path.name}.journal")


class _Syncing:
    """Syncs a file to disk on request, in a thread of its own. It pauses after each sync, since waking a thread for
    every line would cost the run more than the line itself."""

    __slots__ = ("_descriptor", "_ended", "_failure", "_is_last", "_is_void", "_requested", "_thread")

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._requested = Event()
        self._ended = Event()
        self._is_last = False
        self._is_void = False
        self._failure: OSError | None = None
        self._thread = Thread(target=self._run, name="state journal", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        """Sync on request until `finish`. Flags are read after the event is cleared, so a flag that is set before a
        request is always seen."""
        is_last = False
        while not is_last and self._failure is None:
            self._requested.wait()
            self._requested.clear()
            if self._is_void:
                return
            is_last = self._is_last
            try:
                os.fsync(self._descriptor)
            except OSError as failure:
                self._failure = failure
            if not is_last:
                self._ended.wait(_REST_S)

    def request(self) -> None:
        """Request a sync. Raises the error of an earlier request."""
        if self._failure is not None:
            raise self._failure
        if not self._requested.is_set():
            self._requested.set()

    def finish(self, *, is_void: bool = False) -> None:
        """Return when everything is on disk, or cannot be; at once if the content no longer matters (`is_void`)."""
        self._is_void = is_void
        self._is_last = True
        self._requested.set()
        self._ended.set()
        self._thread.join()


@record(frozen=False)
class Journal:
    """One open journal. Every method may raise OSError, `record` also for lines written earlier."""

    path: Path
    _descriptor: int
    _syncing: _Syncing
    _writer: JsonWriter = field(default_factory=JsonWriter)
    _known: tuple[ConfigResource, ...] = ()
    """The dependencies of the object in the last line."""

    _checksum: int = 0
    """The checksum of the last line."""

    length: int = 0
    """In bytes."""

    @staticmethod
    def create(state_path: Path, meta: StateMeta) -> Journal:
        path = journal_path(state_path)
        descriptor = create_file(path, os.O_WRONLY | os.O_APPEND, 0o600)
        journal = Journal(path, descriptor, _Syncing(descriptor))
        serial = JsonNumber(str(meta.serial))
        try:
            journal._append([{"journal": JsonNumber(str(_VERSION)), "lineage": meta.lineage, "serial": serial}])
            journal._syncing.request()
        except OSError:
            journal.close()
            raise
        return journal

    def record(self, state: State, schemas: Schemas) -> None:
        """Write the instances of the state that changed since the last call that succeeded. Ephemeral ones are never
        written to any file."""
        known = self._known
        records: list[Tree] = []
        for address in state.touched:
            if address.resource.mode is not ResourceMode.EPHEMERAL:
                record, known = _record(state, address, schemas, known)
                records.append(record)
        if records:
            self._append(records)
        self._known = known
        state.touched.clear()
        if records:
            self._syncing.request()

    def _append(self, records: list[Tree]) -> None:
        """Write all lines or, if that fails, none of them."""
        checksum = self._checksum
        lines: list[bytes] = []
        for line in records:
            body = self._writer.text(line).encode()
            checksum = zlib.crc32(body, checksum)
            lines.append(b'%s,"crc":"%08x"}\n' % (body[:-1], checksum))
        content = b"".join(lines)
        try:
            write_whole(self._descriptor, content)
        except OSError as failure:
            failure.filename = str(self.path)
            os.ftruncate(self._descriptor, self.length)
            raise
        self.length += len(content)
        self._checksum = checksum

    def close(self) -> None:
        self._syncing.finish()
        os.close(self._descriptor)

    def remove(self) -> None:
        self._syncing.finish(is_void=True)
        os.close(self._descriptor)
        self.path.unlink(missing_ok=True)


def _record(
    state: State, address: AbsResourceInstance, schemas: Schemas, before: tuple[ConfigResource, ...]
) -> tuple[Tree, tuple[ConfigResource, ...]]:
    """Return the content of a line, and the dependencies of its object. `before` are those of the previous line's."""
    known = _dependencies(state, address)
    additions = _find_additions(before, known) if len(known) >= _LONG_LIST else None
    tree = instance_to_json(state, address, schemas, with_dependencies=additions is None)
    return {"instance": str(address), "resource": tree} | ({} if additions is None else {"also": additions}), known


def _dependencies(state: State, address: AbsResourceInstance) -> tuple[ConfigResource, ...]:
    """Return the dependencies of an instance's only object. An object saved as it was read keeps its original order and
    is therefore written in full, as is an instance with several objects."""
    instance = state.instance(address)
    current = instance.current if instance is not None and not instance.deposed else None
    if current is None or current.value is None or current.status is ObjectStatus.PLANNED:
        return ()
    return current.dependencies


def _find_additions(before: Sequence[ConfigResource], now: Sequence[ConfigResource]) -> list[Tree] | None:
    """Return what the second list has in addition to the first, if that is only a few items and the rest is the same in
    the same order. Items are compared by identity: they are shared, and the lists are long."""
    if not 0 <= len(now) - len(before) <= _FEW_ADDITIONS:
        return None
    additions: list[Tree] = []
    position = 0
    while len(before) + len(additions) < len(now):
        rest = islice(now, position + len(additions), None)
        differs = compress(count(position), map(is_not, rest, islice(before, position, None)))
        position = next(differs, len(before))
        additions.append(str(now[position + len(additions)]))
    rest = islice(now, position + len(additions), None)
    return None if any(map(is_not, rest, islice(before, position, None))) else additions


def replay(text: str, state: State, meta: StateMeta, flavour: Flavour = TERRAFORM_1_11) -> bool:
    """Bring the state up to date with a journal. Return whether it contained anything new."""
    lines = text.split("\n")[:-1]
    if not lines:
        return False
    bodies = _verified(lines)
    match _line(bodies[0]):
        case {"journal": JsonNumber(version), "lineage": str(lineage), "serial": JsonNumber(serial)} if (
            version in _READABLE
        ):
            pass
        case _:
            raise BrokenJournalError(_NO_HEADER)
    if lineage != meta.lineage:
        raise BrokenJournalError(f'it continues a state of another lineage, "{lineage}"')
    if int(serial) != meta.serial:
        if int(serial) > meta.serial:
            raise BrokenJournalError(
                f"it continues a state with serial {serial}, but that was replaced by an older one"
            )
        return False
    known: list[str] = []
    for number, line in enumerate(bodies[1:], start=2):
        known = _replay_line(number, line, state, known, flavour)
    return len(lines) > 1


def _verified(lines: Sequence[str]) -> list[str]:
    """Return the lines without their checksums. A journal of an earlier version is returned as it is."""
    match _line(lines[0]):
        case {"journal": JsonNumber(version), **rest}:
            if version in _UNSIGNED and "crc" not in rest:
                return [*lines]
        case _:
            raise BrokenJournalError(_NO_HEADER)
    checksum = 0
    bodies: list[str] = []
    for number, line in enumerate(lines, start=1):
        signed = _CHECKSUM.fullmatch(line)
        body = "" if signed is None else f"{signed[1]}}}"
        checksum = zlib.crc32(body.encode(), checksum)
        if signed is None or int(signed[2], 16) != checksum:
            raise BrokenJournalError(f"line {number} does not match its checksum")
        bodies.append(body)
    return bodies


def _line(line: str) -> Tree:
    try:
        return loads(line)
    except JsonError:
        return None


def _replay_line(number: int, line: str, state: State, known: Sequence[str], flavour: Flavour) -> list[str]:
    """Apply one line. `known` are the dependencies of the previous line's object; those of this line's are returned."""
    match _line(line):
        case {"instance": str(text), "resource": tree, **rest}:
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
        return []
    dependencies = _complete_dependencies(tree, rest.get("also"), known)
    single = None if dependencies is None else state_from_instance(tree, flavour)
    saved = single.resources.get(address.containing) if single is not None else None
    if dependencies is None or saved is None or address.key not in saved.instances:
        raise BrokenJournalError(f"line {number} has an invalid object")
    resource = state.resources.setdefault(address.containing, saved)
    resource.provider = saved.provider
    resource.instances[address.key] = saved.instances[address.key]
    return dependencies


def _complete_dependencies(tree: Tree, also: object, known: Sequence[str]) -> list[str] | None:
    """Return the dependencies of the only object in the tree, first adding them to it if the line gave only the
    additions. None if the line is invalid."""
    match tree:
        case {"instances": [dict() as instance]}:
            pass
        case _:
            return [] if also is None else None
    if also is not None:
        if not isinstance(also, list) or not are_strings(also):
            return None
        instance["dependencies"] = [*sorted((*known, *also))]
    found = instance.get("dependencies")
    return found if isinstance(found, list) and are_strings(found) else []
