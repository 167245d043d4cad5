"""The journal: what an apply changed since the state file was last written, so that a kill loses nothing.

Writing the whole state after every change would cost more than the changes themselves. Instead each changed instance is
one line in a file beside the state, written out to the disk before the run goes on:

    {"journal":1,"lineage":"...","serial":7}                   which state file it continues
    {"instance":"terraform_data.a[0]","resource":{...}}        its objects now, as the state file has them; null if gone

A run ends by writing the state file with the next serial and removing the journal. If it is killed before, whoever
opens the state next replays the journal on it. If it is killed between these two steps, the serial tells: a state file
newer than the journal has everything in it. A last line that was cut off belongs to a change nobody was told of.

Outputs and check results are not in it: the next run computes them again from the objects.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from shared_nodes.state.file import Schemas, StateMeta, instance_to_json, state_from_instance
from shared_nodes.state.model import State
from shared_nodes.state.stored_addresses import AddressError, parse_instance
from shared_nodes.values.json import JsonError, JsonNumber, Tree, dumps, loads

__all__ = ["BrokenJournalError", "Journal", "journal_path", "replay"]

_VERSION: Final = 1


class BrokenJournalError(Exception):
    """The journal cannot be what a run left behind: somebody should look at it."""


def journal_path(state_path: Path) -> Path:
    return state_path.with_name(f".{state_path.name}.journal")


@dataclass(slots=True)
class Journal:
    """One open journal. Every method may raise OSError."""

    path: Path
    _descriptor: int

    @staticmethod
    def create(state_path: Path, meta: StateMeta) -> Journal:
        path = journal_path(state_path)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC
        journal = Journal(path, os.open(path, flags, 0o600))
        serial = JsonNumber(str(meta.serial))
        journal._append([{"journal": JsonNumber(str(_VERSION)), "lineage": meta.lineage, "serial": serial}])
        return journal

    def record(self, state: State, schemas: Schemas) -> None:
        """Write down the instances the state was touched in since the last time."""
        changed = list(state.touched)
        state.touched.clear()
        if changed:
            self._append([{"instance": str(a), "resource": instance_to_json(state, a, schemas)} for a in changed])

    def _append(self, records: list[Tree]) -> None:
        content = "".join(f"{dumps(record)}\n" for record in records).encode()
        while content:
            content = content[os.write(self._descriptor, content) :]
        os.fsync(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)

    def remove(self) -> None:
        self.close()
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
