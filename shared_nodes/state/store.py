"""A state file on disk: locked while in use, replaced atomically, and never lost.

    store, problems = open_store(path, world)        lock, read, and recover what a killed run left behind
    problems = store.listen_to(events, schemas)      each change that an apply announces: one line in the journal
    problems = store.persist(state, schemas)         at the end: the new state, with the next serial
    store.close()

The file is replaced as a whole (see `atomic_file`). While an apply runs, its changes go to a journal (see `journal`).
Before a run first replaces the file, the old content is saved as `NAME.backup`.

An apply begins only if there is room to save its outcome (see `reserve`). As soon as a change cannot be written, the
apply is asked to begin nothing new, and the reserve is released for what still runs. If the file cannot be written at
the end either, the state is written to `errored.tfstate` in the working directory; and if that fails too, it is given
to the caller to be shown (`unsaved`). In every case the message names what this run has changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Final, Protocol

from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.encryption.encryption import NO_ENCRYPTION, DecryptionError, Encryption
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, joined_problems
from shared_nodes.record import record
from shared_nodes.state.atomic_file import file_mode, require_regular, write_atomically
from shared_nodes.state.file import Schemas, StateMeta, read_state, state_content, state_pieces
from shared_nodes.state.journal import BrokenJournalError, Journal, journal_path, replay
from shared_nodes.state.lock import acquire_lock, failure_reason, lock_problem, release_lock
from shared_nodes.state.model import State
from shared_nodes.state.reserve import Reserve
from shared_nodes.values.json import JsonError
from shared_nodes.world import World

__all__ = ["StateStore", "open_store", "unreadable_problem"]

_ERRORED: Final = "errored.tfstate"


class ChangeAnnouncer(Protocol):
    """The part of an event sink that a store needs: the state an apply changes, a call after each change, and a way to
    ask the apply to begin nothing new."""

    @property
    def working(self) -> State | None: ...

    def when_state_changes(self, callback: Callable[[], None]) -> None: ...

    def end_early(self) -> None: ...


@record(frozen=False)
class StateStore:
    """An open, locked state file. `state` is its content; engines work on copies of it."""

    path: Path
    world: World
    flavour: Flavour
    state: State
    meta: StateMeta
    _lock: int
    _text: tuple[str, ...]
    _schemas: Schemas = field(default_factory=dict)
    _journal: Journal | None = None
    _has_replaced: bool = False
    """This run has written the file. What it then replaces is its own, and no backup."""

    _has_foreign_text: bool = False
    """The text is as it was found, in one piece, and may have been written by another program."""

    encryption: Encryption = NO_ENCRYPTION
    _must_be_encrypted: bool = False
    """The file was not encrypted although it should be, and so is written even if nothing changes."""

    _reserve: Reserve | None = None
    _failure: OSError | None = None
    """Why a change could not be written when it was announced."""

    _changed: dict[AbsResourceInstance, None] = field(default_factory=dict)
    """What this run has changed, in the order of the first change."""

    unsaved: str = ""
    """The text of a state that could be written to no file at all."""

    has_ended_early: bool = False
    """A change could not be written when it was announced, so the apply was asked to begin nothing new."""

    def listen_to(self, events: ChangeAnnouncer, schemas: Schemas) -> list[Diagnostic]:
        """Record every change an engine announces. An apply that announces none does not touch the file until its end.
        With problems there is no room for the outcome of an apply, and it must not begin."""
        self._schemas = schemas
        try:
            self._reserve = Reserve(self.path.parent, self._needed_room())
        except OSError as failure:
            detail = (
                "An apply begins only if its outcome can be saved. Some room could not be set aside for it in "
                f"{self.path.parent}: {failure_reason(failure)}. Nothing was changed."
            )
            return [error("Not enough room for the state", detail)]
        events.when_state_changes(lambda: self._on_change(events))
        return []

    def _needed_room(self) -> int:
        """Return the bytes that saving the outcome may take: a backup, and the next state, in which an object takes
        more room than in the journal."""
        return 2 * sum(map(len, self._text)) + (0 if self._journal is None else 2 * self._journal.length)

    def _on_change(self, events: ChangeAnnouncer) -> None:
        """Write what has changed. If that fails, let nothing new begin, and try again with the room of the reserve. A
        value without a JSON form can be written nowhere, and is reported at the end."""
        working = events.working
        if working is None:
            return
        touched = (address for address in working.touched if address.resource.mode is not ResourceMode.EPHEMERAL)
        self._changed.update(dict.fromkeys(touched))
        try:
            self._write_change(working)
        except (OSError, JsonError) as failure:
            self.has_ended_early = True
            events.end_early()
            if isinstance(failure, OSError):
                self._failure = self._failure or failure
                self._release_reserve()
                with suppress(OSError):
                    self._write_change(working)

    def _write_change(self, working: State) -> None:
        """Write the changes to the journal, which the first change begins: from a state that may differ from the file,
        because refreshed objects and moves were planned and must not be lost either. An encrypted state has no journal,
        because that would not be encrypted: the whole file is written after each change."""
        if self.encryption.encrypts_states:
            self._write_file(_without_empty_resources(working))
        elif self._journal is None:
            self._write_file(_without_empty_resources(working))
            working.touched.clear()
            self._journal = Journal.create(self.path, self.meta)
        else:
            self._journal.record(working, self._schemas)
        if self._reserve is not None:
            self._reserve.grow(self._needed_room())

    def _release_reserve(self) -> None:
        if self._reserve is not None:
            self._reserve.release()
            self._reserve = None

    def persist(self, state: State, schemas: Schemas) -> list[Diagnostic]:
        """Make this the content of the file, if it is not already. Every difference increments the serial."""
        self._schemas = schemas
        self._release_reserve()
        try:
            self._write_file(state)
        except JsonError as failure:
            detail = f"An error occurred while serializing the state: {failure.message}.{self._names()}"
            return [error("Failed to serialize state", detail)]
        except OSError as failure:
            return [_write_problem(failure, self.flavour), self._save_elsewhere(state)]
        return [] if self._failure is None else [_ended_early_problem(self._failure)]

    def _write_file(self, state: State) -> None:
        changed = self._next_text(state)
        if changed is not None:
            meta, text = changed
            self._replace(text)
            self.meta, self._text, self.state = meta, text, state.copy()
            self._has_foreign_text = self._must_be_encrypted = False
        self._end_journal()

    def _next_text(self, state: State) -> tuple[StateMeta, tuple[str, ...]] | None:
        """Return the new content; None if the file already contains it, possibly in another program's layout."""
        content = state_content(state, self._schemas)
        if self._must_be_encrypted:
            return self.meta, state_pieces(self.meta, content)
        if self._text == state_pieces(self.meta, content):
            return None
        if self._has_foreign_text and content == state_content(self.state, self._schemas):
            return None
        lineage = self.meta.lineage or self.world.identifiers.new("lineage")
        meta = StateMeta(lineage, self.meta.serial + 1, self.flavour.version)
        return meta, state_pieces(meta, content)

    def _replace(self, text: tuple[str, ...]) -> None:
        mode = file_mode(self.path)
        if self._text and not self._has_replaced:
            write_atomically(self.path.with_name(f"{self.path.name}.backup"), self._stored_form(self._text), mode)
        self._has_replaced = True
        write_atomically(self.path, self._stored_form(text), mode)

    def _stored_form(self, text: tuple[str, ...]) -> tuple[str, ...]:
        return (self.encryption.state_to_text("".join(text)),) if self.encryption.encrypts_states else text

    def _end_journal(self) -> None:
        """Remove the journal, because the file contains everything now. A crash before this leaves a journal older than
        the file, and so does a directory that allows nothing to be removed."""
        with suppress(OSError):
            if self._journal is None:
                journal_path(self.path).unlink(missing_ok=True)
            else:
                journal, self._journal = self._journal, None
                journal.remove()

    def _save_elsewhere(self, state: State) -> Diagnostic:
        """Save a state that could not be written to its file, and say where it is and what is in it."""
        meta = replace(self.meta, serial=self.meta.serial + 1, terraform_version=self.flavour.version)
        text = self._stored_form(state_pieces(meta, state_content(state, self._schemas)))
        place = self.world.files.locate(_ERRORED)
        try:
            write_atomically(place, text, file_mode(self.path))
        except OSError as failure:
            self.unsaved = "".join(text)
            where = (
                f"It could not be written to {place} either: {failure_reason(failure)}. As a last resort, it is printed"
                f" on standard output. To recover, save that as {self.path}"
            )
        else:
            where = f"It has been written to {place}. To recover, copy that to {self.path}"
        detail = f"The state could not be written to its file. {where} before you run anything else.{self._names()}"
        return error("Failed to persist state", detail)

    def _names(self) -> str:
        if not self._changed:
            return ""
        return "\n\nThis run has created, changed or removed:\n" + "".join(f"  - {name}\n" for name in self._changed)

    def close(self) -> None:
        """Unlock. What was recorded but not persisted stays in the journal for the next `open_store`."""
        self._release_reserve()
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        release_lock(self.path, self._lock)


def open_store(
    path: Path,
    world: World,
    flavour: Flavour = TERRAFORM_1_11,
    operation: str = "OperationTypeApply",
    encryption: Encryption = NO_ENCRYPTION,
) -> tuple[StateStore | None, list[Diagnostic]]:
    """Lock and read a state file. A file that does not exist is an empty state. If there are problems, nothing is
    locked."""
    path = Path(os.path.realpath(path))
    lock = acquire_lock(path, world, flavour, operation)
    if isinstance(lock, Diagnostic):
        return None, [lock]
    try:
        store, problems = _read(path, world, flavour, lock, encryption)
    except DecryptionError as failure:
        store, problems = None, [_reading_problem(str(failure), flavour)]
    if store is None or problems:
        release_lock(path, lock)
        return None, problems
    return store, []


def _read(
    path: Path, world: World, flavour: Flavour, lock: int, encryption: Encryption
) -> tuple[StateStore | None, list[Diagnostic]]:
    """Read the file. DecryptionError if it is encrypted and cannot be decrypted, or is not and should be."""
    try:
        text = path.read_text("utf-8", "surrogateescape") if path.exists() else ""
    except OSError as failure:
        return None, [lock_problem(f"Failed to read state: {failure_reason(failure)}", flavour)]
    plain = encryption.state_from_text(text)
    state, meta, problems = read_state(plain, flavour)
    if problems:
        return None, [_reading_problem(joined_problems(problems), flavour)]
    store = StateStore(
        path,
        world,
        flavour,
        state,
        meta,
        lock,
        (plain,) if plain else (),
        _has_foreign_text=bool(plain),
        encryption=encryption,
        _must_be_encrypted=bool(text) and plain is text and encryption.encrypts_states,
    )
    problem = _recover(store)
    return (store, []) if problem is None else (None, [problem])


def _recover(store: StateStore) -> Diagnostic | None:
    """Bring the state file up to date with the journal of a killed run, if there is one."""
    journal = journal_path(store.path)
    recovered = store.state.copy()
    try:
        if not os.path.lexists(journal):
            return None
        require_regular(journal)
        if replay(journal.read_text("utf-8"), recovered, store.meta, store.flavour):
            store._write_file(recovered)
        journal.unlink(missing_ok=True)
    except (BrokenJournalError, UnicodeDecodeError) as failure:
        detail = (
            f"The journal {journal.name} beside the state was left by a run that did not finish, but {failure}. It may "
            "hold objects that the state does not know of. Remove it only if you are sure that it does not matter."
        )
        return error("Unusable state journal", detail)
    except OSError as failure:
        detail = (
            f"The journal {journal.name} beside the state was left by a run that did not finish. What it holds could "
            f"not be added to the state: {failure_reason(failure)}. Nothing is lost: try again when that is resolved."
        )
        return error("Failed to recover the state", detail)
    return None


def _without_empty_resources(state: State) -> State:
    """Drop empty resource records. Which of them exist at the first change depends on the schedule; without them, a
    killed run always leaves the same file."""
    if all(resource.instances for resource in state.resources.values()):
        return state
    found = state.copy()
    found.remove_empty_resources()
    return found


def _write_problem(failure: OSError, flavour: Flavour) -> Diagnostic:
    where = f"write {failure.filename}: " if failure.filename else ""
    occurred = "occurred" if flavour.misspellings_are_corrected else "occured"
    detail = f"An error {occurred} while writing the serialized state: {where}{failure_reason(failure)}."
    return error("Failed to write state", detail)


def _ended_early_problem(failure: OSError) -> Diagnostic:
    where = f" {failure.filename}" if failure.filename else ""
    detail = (
        f"A change could not be written to disk when it was made:{where} {failure_reason(failure)}. So nothing new was "
        "begun, and what was running has been completed. All of it is in the state file. Resolve the problem, and "
        "apply again to continue."
    )
    return error("The apply has ended early", detail)


def unreadable_problem(reason: str, flavour: Flavour) -> Diagnostic:
    """Report a state that could not be read in the words of the original, which finds out once it has locked it."""
    advice = ' For most commands, you can disable locking with the "-lock=false"\nflag, but this is not recommended.'
    return _reading_problem(reason, flavour, advice)


def _reading_problem(reason: str, flavour: Flavour, advice: str = "") -> Diagnostic:
    found = f"failed to write backup file: {reason}" if flavour.unreadable_states_spoil_backups else reason
    return lock_problem(found, flavour, advice)
