"""A state file on disk: locked while in use, replaced atomically, and never lost.

    store, problems = open_store(path, world)        lock, read, and recover what a killed run left behind
    store.listen_to(events, schemas)                 each change that an apply announces: one line in the journal
    store.persist(state, schemas)                    at the end: the new state, with the next serial
    store.close()

The new content is written to a temporary file next to the state file, synced to disk and renamed, so a reader sees the
old content or the new one, never a part. While an apply runs, its changes go to a journal (see `journal`). Before a run
first replaces the file, the old content is saved as `NAME.backup`. If the file cannot be written at all, the state is
written to `errored.tfstate` in the working directory.

The lock is a kernel lock on the lock file, so it ends with the process that holds it; the content of the lock file only
identifies the holder. A state file that another program has locked directly, as the original does, counts as locked.
"""

from __future__ import annotations

import errno
import fcntl
import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

from shared_nodes.encryption.encryption import NO_ENCRYPTION, DecryptionError, Encryption
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, joined_problems
from shared_nodes.state.file import Schemas, StateMeta, read_state, state_content, state_pieces
from shared_nodes.state.journal import BrokenJournalError, Journal, journal_path, replay
from shared_nodes.state.model import State
from shared_nodes.values.json import JsonError, Tree, dumps, loads
from shared_nodes.world import World

__all__ = ["StateStore", "open_store", "unreadable_problem"]

_ERRORED: Final = "errored.tfstate"


class ChangeAnnouncer(Protocol):
    """The part of an event sink that a store needs: the state an apply changes, and a call after each change."""

    @property
    def working(self) -> State | None: ...

    def when_state_changes(self, callback: Callable[[], None]) -> None: ...


@dataclass(slots=True)
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
    _working: State | None = None
    _journal: Journal | None = None
    _has_replaced: bool = False
    """This run has written the file. What it then replaces is its own, and no backup."""

    _has_begun: bool = False
    _has_foreign_text: bool = False
    """The text is as it was found, in one piece, and may have been written by another program."""

    encryption: Encryption = NO_ENCRYPTION
    _must_be_encrypted: bool = False
    """The file was not encrypted although it should be, and so is written even if nothing changes."""

    def begin(self, working: State, schemas: Schemas) -> list[Diagnostic]:
        """Start an apply from a state that may differ from the file: refreshed objects and moves were planned and must
        not be lost either. From then on `record` writes what happens to it."""
        problems = self.persist(_without_empty_resources(working), schemas)
        if problems:
            return problems
        working.touched.clear()
        if self.encryption.encrypts_states:
            self._working = working
            return []
        try:
            self._journal = Journal.create(self.path, self.meta)
        except OSError as failure:
            return [_write_problem(failure, self.flavour)]
        self._working = working
        return []

    def listen_to(self, events: ChangeAnnouncer, schemas: Schemas) -> None:
        """Record every change an engine announces. An apply that announces none does not touch the file until its end.
        A failure to write the journal is not reported until then."""

        def on_change() -> None:
            if events.working is not None and not self._has_begun:
                self._has_begun = True
                self.begin(events.working, schemas)
            self.record()

        self._schemas = schemas
        events.when_state_changes(on_change)

    def record(self) -> None:
        """Write the changes to the journal. If it cannot be written it is abandoned: the final state is what counts,
        and failing now would only stop the run half-way. An encrypted state has no journal, because that would not be
        encrypted: the whole file is written after each change."""
        if self.encryption.encrypts_states and self._working is not None:
            self.persist(_without_empty_resources(self._working), self._schemas)
        if self._journal is None or self._working is None:
            return
        try:
            self._journal.record(self._working, self._schemas)
        except OSError:
            self._journal.close()
            self._journal = None

    def persist(self, state: State, schemas: Schemas) -> list[Diagnostic]:
        """Make this the content of the file, if it is not already. Every difference increments the serial."""
        self._schemas = schemas
        try:
            changed = self._next_text(state)
            if changed is not None:
                meta, text = changed
                self._replace(text)
                self.meta, self._text, self.state = meta, text, state.copy()
                self._has_foreign_text = self._must_be_encrypted = False
            self._end_journal()
        except JsonError as failure:
            detail = f"An error occurred while serializing the state: {failure.message}."
            return [error("Failed to serialize state", detail)]
        except OSError as failure:
            return [_write_problem(failure, self.flavour), *self._save_elsewhere(state)]
        return []

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
        if self._text and not self._has_replaced:
            _write_atomically(self.path.with_name(f"{self.path.name}.backup"), self._stored_form(self._text))
        self._has_replaced = True
        _write_atomically(self.path, self._stored_form(text))

    def _stored_form(self, text: tuple[str, ...]) -> tuple[str, ...]:
        return (self.encryption.state_to_text("".join(text)),) if self.encryption.encrypts_states else text

    def _end_journal(self) -> None:
        """Remove the journal, because the file contains everything now. A crash before this leaves a journal older than
        the file."""
        if self._journal is not None:
            self._journal.remove()
            self._journal = None
            self._working = None
        else:
            journal_path(self.path).unlink(missing_ok=True)

    def _save_elsewhere(self, state: State) -> list[Diagnostic]:
        product, command = self.flavour.product, self.flavour.command
        meta = replace(self.meta, serial=self.meta.serial + 1, terraform_version=self.flavour.version)
        try:
            place = self.world.files.locate(_ERRORED)
            _write_atomically(place, self._stored_form(state_pieces(meta, state_content(state, self._schemas))))
        except OSError as failure:
            detail = f"The state could not be written to {_ERRORED} either: {_reason(failure)}."
            return [error("Failed to persist state to backend", detail)]
        detail = (
            f"The error shown above has prevented {product} from writing the updated state to the configured backend. "
            f'To allow for recovery, the state has been written to the file "{_ERRORED}" in the current working '
            f'directory.\n\nRunning "{command} apply" again at this point will create a forked state, making it harder '
            "to recover.\n\nTo retry writing this state, use the following command:\n"
            f"    {command} state push {_ERRORED}\n"
        )
        return [error("Failed to persist state to backend", detail)]

    def close(self) -> None:
        """Unlock. What was recorded but not persisted stays in the journal for the next `open_store`."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        _lock_path(self.path).unlink(missing_ok=True)
        os.close(self._lock)


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
    lock = _acquire(path, world, flavour, operation)
    if isinstance(lock, Diagnostic):
        return None, [lock]
    try:
        store, problems = _read(path, world, flavour, lock, encryption)
    except DecryptionError as failure:
        store, problems = None, [unreadable_problem(str(failure), flavour)]
    if store is None or problems:
        _lock_path(path).unlink(missing_ok=True)
        os.close(lock)
        return None, problems
    return store, []


def _read(
    path: Path, world: World, flavour: Flavour, lock: int, encryption: Encryption
) -> tuple[StateStore | None, list[Diagnostic]]:
    """Read the file. DecryptionError if it is encrypted and cannot be decrypted, or is not and should be."""
    try:
        text = path.read_text("utf-8", "surrogateescape") if path.exists() else ""
    except OSError as failure:
        return None, [_lock_problem(f"Failed to read state: {_reason(failure)}", flavour)]
    plain = encryption.state_from_text(text)
    state, meta, problems = read_state(plain, flavour)
    if problems:
        return None, [unreadable_problem(joined_problems(problems), flavour)]
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
    journal = journal_path(path)
    if not journal.exists():
        return store, []
    recovered = state.copy()
    try:
        if replay(journal.read_text("utf-8"), recovered, meta, flavour):
            problems = store.persist(recovered, {})
            return store, [_lock_problem(joined_problems(problems), flavour)] if problems else []
        journal.unlink()
    except (BrokenJournalError, OSError, UnicodeDecodeError) as failure:
        detail = (
            f"The journal {journal.name} beside the state was left by a run that did not finish, but {failure}. It may "
            "hold objects that the state does not know of. Remove it only if you are sure that it does not matter."
        )
        return None, [_lock_problem(f"Unusable state journal: {detail}", flavour)]
    return store, []


def _without_empty_resources(state: State) -> State:
    """Drop empty resource records. Which of them exist at the first change depends on the schedule; without them, a
    killed run always leaves the same file."""
    if all(resource.instances for resource in state.resources.values()):
        return state
    found = state.copy()
    found.remove_empty_resources()
    return found


# Files


_CHUNK: Final = 1 << 20
"""In characters: a large state is encoded in pieces of this size, because encoding it as a whole would double its
memory."""


def _write_atomically(path: Path, text: tuple[str, ...]) -> None:
    """Replace a file completely or not at all, even if the machine crashes: first the content must be on disk, then the
    name."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        with open(temporary, "w", encoding="utf-8", errors="surrogateescape") as file:
            for piece in text:
                for at in range(0, len(piece), _CHUNK):
                    file.write(piece[at : at + _CHUNK])
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.chmod(temporary, path.stat().st_mode & 0o7777)
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _reason(failure: OSError) -> str:
    return (failure.strerror or str(failure)).lower()


def _write_problem(failure: OSError, flavour: Flavour) -> Diagnostic:
    where = f"write {failure.filename}: " if failure.filename else ""
    occurred = "occurred" if flavour.misspellings_are_corrected else "occured"
    detail = f"An error {occurred} while writing the serialized state: {where}{_reason(failure)}."
    return error("Failed to write state", detail)


# Locks


def _lock_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock.info")


def _acquire(path: Path, world: World, flavour: Flavour, operation: str) -> int | Diagnostic:
    place = _lock_path(path)
    try:
        if _is_locked_elsewhere(path):
            return _lock_problem(_busy_reason(place), flavour)
        descriptor = _locked_file(place)
    except OSError as failure:
        return _lock_problem(_reason(failure), flavour)
    if descriptor is None:
        return _lock_problem(_busy_reason(place), flavour)
    os.ftruncate(descriptor, 0)
    os.write(descriptor, dumps(_lock_information(path, world, flavour, operation)).encode())
    return descriptor


def _locked_file(place: Path) -> int | None:
    """Open and lock the lock file; None if another process holds it. A lock file that disappears in between was just
    released, so try again."""
    while True:
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as failure:
            os.close(descriptor)
            if failure.errno in (errno.EAGAIN, errno.EACCES):
                return None
            raise
        if place.exists() and place.stat().st_ino == os.fstat(descriptor).st_ino:
            return descriptor
        os.close(descriptor)


def _is_locked_elsewhere(path: Path) -> bool:
    """Return whether another process holds the kind of lock that the original takes on the state file itself."""
    if not path.exists():
        return False
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as failure:
        if failure.errno in (errno.EAGAIN, errno.EACCES):
            return True
        raise
    finally:
        os.close(descriptor)
    return False


def _lock_information(path: Path, world: World, flavour: Flavour, operation: str) -> Tree:
    return {
        "ID": world.identifiers.new("lock"),
        "Operation": operation,
        "Info": "",
        "Who": f"{world.environment.get('USER', 'unknown')}@{platform.node()}",
        "Version": flavour.version,
        "Created": world.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "Path": path.name,
    }


def _busy_reason(place: Path) -> str:
    """Explain why the state cannot be locked, and identify the holder as far as the lock file describes it."""
    reason = "resource temporarily unavailable"
    try:
        tree = loads(place.read_text("utf-8", "replace"))
    except (OSError, JsonError):
        return reason
    if not isinstance(tree, dict):
        return reason
    names = ("ID", "Path", "Operation", "Who", "Version", "Created", "Info")
    lines = [f"  {name + ':':<10} {_lock_field_text(tree, name)}" for name in names]
    return "\n".join([reason, "Lock Info:", *lines, ""])


def _lock_field_text(tree: Mapping[str, Tree], name: str) -> str:
    text = tree.get(name)
    if not isinstance(text, str):
        return ""
    if name != "Created":
        return text
    try:
        created = datetime.fromisoformat(text)
    except ValueError:
        return text
    return created.strftime("%Y-%m-%d %H:%M:%S.%f +0000 UTC")


def unreadable_problem(reason: str, flavour: Flavour) -> Diagnostic:
    """Report a state that could not be read once it was locked."""
    return _lock_problem(
        f"failed to write backup file: {reason}" if flavour.unreadable_states_spoil_backups else reason, flavour
    )


def _lock_problem(reason: str, flavour: Flavour) -> Diagnostic:
    detail = (
        f"Error message: {reason}\n\n{flavour.product} acquires a state lock to protect the state from being written\n"
        "by multiple users at the same time. Please resolve the issue above and try\nagain. For most commands, you can "
        'disable locking with the "-lock=false"\nflag, but this is not recommended.'
    )
    return error("Error acquiring the state lock", detail)
