"""Slash-separated paths as text: cleaning, joining and splitting, without access to any file.

The rules are the original's. They agree with `posixpath` except in edge cases that show in results and messages: a
leading `//` is one slash, an empty path is `.`, and `..` is resolved before any link is followed.
"""

from __future__ import annotations

__all__ = ["base", "clean", "directory", "join", "relative"]


def clean(path: str) -> str:
    """The shortest equivalent path: no empty or `.` elements, and `..` only at the start of a relative path."""
    rooted = path.startswith("/")
    kept: list[str] = []
    for element in path.split("/"):
        if element in ("", "."):
            continue
        if element != "..":
            kept.append(element)
        elif kept and kept[-1] != "..":
            kept.pop()
        elif not rooted:
            kept.append(element)
    cleaned = "/".join(kept)
    return f"/{cleaned}" if rooted else cleaned or "."


def join(*parts: str) -> str:
    """Join the non-empty parts and clean the result. A later part that starts with a slash is not special."""
    present = [part for part in parts if part]
    return clean("/".join(present)) if present else ""


def base(path: str) -> str:
    """The last element. Unlike `clean`, it does not resolve `..`."""
    if not path:
        return "."
    stripped = path.rstrip("/")
    return stripped.rpartition("/")[2] or "/"


def directory(path: str) -> str:
    """Everything up to the last slash, cleaned: for `a/b/` that is `a/b`."""
    before, slash, _ = path.rpartition("/")
    return clean(before + slash)


def relative(path: str, start: str) -> str:
    """The path relative to `start`. Both must be relative, or both absolute."""
    own, other = _elements(path), _elements(start)
    common = 0
    for mine, theirs in zip(own, other, strict=False):
        if mine != theirs:
            break
        common += 1
    return "/".join([".."] * (len(other) - common) + own[common:]) or "."


def _elements(path: str) -> list[str]:
    return [element for element in clean(path).split("/") if element not in ("", ".")]
