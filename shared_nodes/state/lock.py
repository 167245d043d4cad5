"""The lock of a state file: held by one process at a time, and never left behind.

The lock is a kernel lock on the lock file, so it ends with the process that holds it; the content of the lock file only
identifies the holder. A state file that another program has locked directly, as the original does, counts as locked.
"""

from __future__ import annotations

import errno
import fcntl
import os
import platform
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.state.atomic_file import require_regular
from shared_nodes.values.json import JsonError, Tree, dumps, loads
from shared_nodes.world import World

__all__ = ["acquire_lock", "failure_reason", "lock_problem", "release_lock"]


def acquire_lock(path: Path, world: World, flavour: Flavour, operation: str) -> int | Diagnostic:
    """Lock a state file, and return the descriptor that holds the lock, or the reason why it cannot be locked."""
    place = _lock_path(path)
    try:
        require_regular(path)
        require_regular(place)
        if _is_locked_elsewhere(path):
            return lock_problem(_busy_reason(place), flavour)
        descriptor = _locked_file(place)
        if descriptor is None:
            return lock_problem(_busy_reason(place), flavour)
    except OSError as failure:
        return lock_problem(failure_reason(failure), flavour)
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, dumps(_lock_information(path, world, flavour, operation)).encode())
    except OSError as failure:
        release_lock(path, descriptor)
        return lock_problem(failure_reason(failure), flavour)
    return descriptor


def release_lock(path: Path, descriptor: int) -> None:
    """Unlock. A lock file that cannot be removed, because its directory has become read-only, locks nothing."""
    with suppress(OSError):
        _lock_path(path).unlink(missing_ok=True)
    os.close(descriptor)


def failure_reason(failure: OSError) -> str:
    return (failure.strerror or str(failure)).lower()


def _lock_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock.info")


def _locked_file(place: Path) -> int | None:
    """Open and lock the lock file; None if another process holds it. A lock file that disappears in between was just
    released, so try again."""
    while True:
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as failure:
            os.close(descriptor)
            if failure.errno in (errno.EAGAIN, errno.EACCES):
                return None
            raise
        with suppress(FileNotFoundError):
            if os.path.samestat(place.stat(), os.fstat(descriptor)):
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


def lock_problem(reason: str, flavour: Flavour, advice: str = "") -> Diagnostic:
    """Report a state that cannot be locked. The original gives advice that only fits its own command."""
    detail = (
        f"Error message: {reason}\n\n{flavour.product} acquires a state lock to protect the state from being written\n"
        "by multiple users at the same time. Please resolve the issue above and try\nagain."
        f"{advice}"
    )
    return error("Error acquiring the state lock", detail)
