"""The first module of the single file: makes its content importable, and starts the command.

Python loads no compiled parts from an archive, and worker processes need a directory to import from. So the content is
copied once to a cache directory, for the Python that runs it. A copy gets its name when it is complete: two starts at
the same time do no harm, and a start that is killed leaves nothing that would be used.

    manifest.json     what is inside: the digest, the versions of Python, the platform
    common/           what is the same for all of them
    3.11/, 3.12/ ...  what is not

This module runs by itself, with nothing but the standard library. Python 3.7 must be able to read it, because it is
what refuses an old version with a message.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import stat
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from typing import Any

CACHE_VARIABLE = "DIFFHARNESS_CACHE_DIR"
_USAGE = 2


def main() -> None:
    archive = os.path.abspath(os.path.dirname(__file__))
    with zipfile.ZipFile(archive) as content:
        manifest = json.loads(content.read("manifest.json").decode())
        problem = find_obstacle(manifest)
        place = None if problem else find_place(content, manifest)
    if place is None:
        sys.stderr.write(f"Error: {problem or _NO_CACHE}\n")
        sys.exit(_USAGE)
    sys.path[:] = [place] + [entry for entry in sys.path if os.path.abspath(entry or ".") != archive]
    sys.argv[0] = "diffharness"
    from diffharness_command import main as run_command

    run_command()


def find_obstacle(manifest: dict[str, Any]) -> str | None:
    """Return why this Python, or this machine, cannot run the content; None if it can."""
    version, here = _version(), describe_platform()
    if version not in manifest["pythons"]:
        known = ", ".join(manifest["pythons"])
        return f"this file is for Python {known}, and {sys.executable} is Python {version}; start it with another one"
    if here != manifest["platform"]:
        return f"this file is for {manifest['platform']}, and this machine is {here}; install the wheel instead"
    return None


def _version() -> str:
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def describe_platform() -> str:
    """Return what compiled parts depend on besides the version of Python."""
    libc = platform.libc_ver()[0] or "another libc"
    return " ".join([sys.platform, platform.machine(), *([libc] if sys.platform == "linux" else [])])


def find_place(content: zipfile.ZipFile, manifest: dict[str, Any]) -> str | None:
    """Return the directory with the copy for this Python, made now if it is not there; None if there is room for it
    nowhere."""
    name = f"{manifest['version']}-{manifest['digest'][:12]}-py{_version()}"
    for root in cache_roots():
        place = os.path.join(root, name)
        try:
            if not os.path.isdir(place):
                extract(content, root, place)
        except OSError:
            continue
        return place
    return None


def cache_roots() -> Iterator[str]:
    """Yield directories to keep copies in, in the order of preference. One that the user has chosen is the only one."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        yield os.path.abspath(chosen)
        return
    home = os.path.expanduser("~")
    cache = os.environ.get("XDG_CACHE_HOME") or (os.path.join(home, ".cache") if os.path.isabs(home) else "")
    if os.path.isabs(cache):
        yield os.path.join(cache, "diffharness")
    shared = os.path.join(tempfile.gettempdir(), f"diffharness-{os.getuid()}")
    if is_private(shared):
        yield shared


def is_private(directory: str) -> bool:
    """Return whether a directory in a place that all may write to is ours alone. It is made if it does not exist."""
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
        status = os.lstat(directory)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def extract(content: zipfile.ZipFile, root: str, place: str) -> None:
    """Copy the content for this Python to `place`, completely or not at all."""
    os.makedirs(root, exist_ok=True)
    scratch = tempfile.mkdtemp(prefix=".new-", dir=root)
    beginnings = ("common/", f"{_version()}/")
    try:
        for entry in content.infolist():
            beginning = next((each for each in beginnings if entry.filename.startswith(each)), None)
            if beginning is None or entry.is_dir():
                continue
            target = os.path.join(scratch, *entry.filename[len(beginning) :].split("/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with content.open(entry) as source, open(target, "wb") as copy:
                shutil.copyfileobj(source, copy)
        os.chmod(scratch, 0o755)
        os.rename(scratch, place)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        if not os.path.isdir(place):  # otherwise another start was faster
            raise


_NO_CACHE = (
    "this file needs a directory to which it can copy its content, about 100 MB: name one in the variable "
    f"{CACHE_VARIABLE}"
)

if __name__ == "__main__":
    main()
