"""hashicorp/local: `local_file` and `local_sensitive_file`, as resources and data sources.

A file whose content was changed by another program counts as gone, so that it is created again.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from harness.simulation.releases import newest_allowed
from harness.simulation.utilities.definition import (
    Attribute,
    Creation,
    DataSource,
    Object,
    RefusalError,
    ResourceType,
    computed,
    defaulted,
    optional,
    required,
    text_of,
)
from harness.simulation.utilities.provider import Offer
from harness.simulation.utilities.validation import attribute_problem, exactly_one_problems
from shared_nodes.config.syntax.version_constraint import Version
from shared_nodes.functions.hashes import digest_base64, digest_hex
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, string
from shared_nodes.world import Files, World

__all__ = ["local_offer"]

_RELEASES: Final = tuple(
    Version(segments)
    for segments in (
        *((1, minor, 0) for minor in range(5)),
        *((2, 0, 0), (2, 1, 0), (2, 2, 0), (2, 2, 1), (2, 2, 2), (2, 2, 3), (2, 3, 0), (2, 4, 0), (2, 4, 1)),
        *((2, 5, 0), (2, 5, 1), (2, 5, 2), (2, 5, 3), (2, 6, 0), (2, 6, 1), (2, 6, 2), (2, 7, 0), (2, 8, 0), (2, 9, 0)),
    )
)
_FIRST_WITH_CHECKSUMS: Final = Version((2, 4, 0))

_CHECKSUMS: Final = ("md5", "sha1", "sha256", "base64sha256", "sha512", "base64sha512")
_PERMISSIONS: Final = ("file_permission", "directory_permission")


def local_offer(constraints: Iterable[str]) -> Offer:
    has_checksums = newest_allowed(_RELEASES, constraints).compare(_FIRST_WITH_CHECKSUMS) >= 0
    checksums = {f"content_{name}": computed(STRING, is_kept=False) for name in _CHECKSUMS} if has_checksums else {}
    return Offer(
        managed={
            "local_file": _file(_plain_attributes(), "local file", checksums),
            "local_sensitive_file": _file(_sensitive_attributes(), "local sensitive file", checksums),
        },
        data={
            "local_file": _data(checksums, sensitive=False),
            "local_sensitive_file": _data(checksums, sensitive=True),
        },
    )


# Resources


def _plain_attributes() -> Mapping[str, Attribute]:
    deprecation = "Use the `local_sensitive_file` resource instead"
    return {
        "content": optional(STRING),
        "content_base64": optional(STRING),
        "source": optional(STRING),
        "sensitive_content": optional(STRING, sensitive=True, deprecation=deprecation),
        **{name: defaulted(string("0777")) for name in _PERMISSIONS},
    }


def _sensitive_attributes() -> Mapping[str, Attribute]:
    return {
        "content": optional(STRING, sensitive=True),
        "content_base64": optional(STRING, sensitive=True),
        "source": optional(STRING),
        **{name: defaulted(string("0700")) for name in _PERMISSIONS},
    }


def _file(own: Mapping[str, Attribute], what: str, checksums: Mapping[str, Attribute]) -> ResourceType:
    attributes = {"filename": required(STRING), **own, "id": computed(STRING, is_kept=False), **checksums}
    contents = [name for name in ("content", "sensitive_content", "content_base64", "source") if name in own]
    return ResourceType(
        attributes,
        create=partial(_create, what, checksums),
        exists=partial(_exists, what),
        destroy=_destroy,
        check=lambda config: (*exactly_one_problems(contents, config), *_permission_problems(config)),
    )


def _permission_problems(config: Object) -> Iterator[Diagnostic]:
    summary = "Invalid File Permission String Value"
    for name in _PERMISSIONS:
        value = config[name]
        if value.is_null or not value.is_known:
            continue
        text = value.payload
        if not 3 <= len(text.encode()) <= 4:
            detail = f"bad mode permission: string length should be 3 or 4 digits: {text}"
            yield attribute_problem(name, summary, detail)
        elif not set(text) <= set("01234567") or int(text, 8) > 0o777:
            detail = f"bad mode permission: string must be expressed in octal numeric notation: {text}"
            yield attribute_problem(name, summary, detail)


def _create(what: str, checksums: Mapping[str, Attribute], creation: Creation) -> Object:
    files, planned = creation.world.files, creation.planned
    summary = f"Create {what} error"
    content = _content(planned, files, summary)
    place = text_of(planned["filename"])
    directory_mode, file_mode = (int(text_of(planned[name]), 8) for name in reversed(_PERMISSIONS))
    try:
        _make_directories(files, os.path.dirname(place), directory_mode)
    except OSError as problem:
        raise _failure(summary, "creating file directory", f"mkdir {os.path.dirname(place)}", problem) from problem
    try:
        descriptor = os.open(files.locate(place), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, file_mode)
        with open(descriptor, "wb") as file:
            file.write(content)
    except OSError as problem:
        raise _failure(summary, "writing the file", f"open {place}", problem) from problem
    return _identified(content, checksums)


def _content(planned: Object, files: Files, summary: str) -> bytes:
    if "sensitive_content" in planned and not planned["sensitive_content"].is_null:
        return text_of(planned["sensitive_content"]).encode()
    doing = "parsing local file content"
    if not planned["content_base64"].is_null:
        try:
            return base64.b64decode(text_of(planned["content_base64"]), validate=True)
        except binascii.Error as problem:
            raise RefusalError(summary, _detail(doing, "illegal base64 data")) from problem
    if not planned["source"].is_null:
        source = text_of(planned["source"])
        try:
            return files.read_bytes(source)
        except OSError as problem:
            raise _failure(summary, doing, f"open {source}", problem) from problem
    return text_of(planned["content"]).encode()


def _make_directories(files: Files, place: str, mode: int) -> None:
    """Make missing directories, each with this mode."""
    if not place or files.exists(place):
        return
    _make_directories(files, os.path.dirname(place), mode)
    os.mkdir(files.locate(place), mode)


def _identified(content: bytes, checksums: Mapping[str, Attribute]) -> dict[str, Value]:
    """Return the id and, where the release has them, the other checksums of a content."""
    found = {"id": string(digest_hex("sha1", content))}
    for name in checksums:
        digest = digest_base64 if name.startswith("content_base64") else digest_hex
        algorithm = name.removeprefix("content_").removeprefix("base64")
        found[name] = string(digest(algorithm, content))
    return found


def _exists(what: str, world: World, current: Object) -> bool:
    place = text_of(current["filename"])
    try:
        content = world.files.read_bytes(place)
    except FileNotFoundError:
        return False
    except OSError as problem:
        raise _failure(f"Read {what} error", "reading the file", f"open {place}", problem) from problem
    return digest_hex("sha1", content) == text_of(current["id"])


def _destroy(world: World, current: Object) -> None:
    """Remove the file. The original ignores every failure."""
    try:
        os.remove(world.files.locate(text_of(current["filename"])))
    except OSError:
        return


# Data sources


def _data(checksums: Mapping[str, Attribute], *, sensitive: bool) -> DataSource:
    attributes = {
        "filename": replace(required(STRING), replaces=None),
        "content": computed(STRING, sensitive=sensitive),
        "content_base64": computed(STRING, sensitive=sensitive),
        "id": computed(STRING),
        **checksums,
    }
    what = "local sensitive file" if sensitive else "local file"
    return DataSource(attributes, partial(_read, what, checksums))


def _read(what: str, checksums: Mapping[str, Attribute], world: World, config: Object) -> Object:
    place = text_of(config["filename"])
    try:
        content = world.files.read_bytes(place)
    except OSError as problem:
        detail = f"The file at given path cannot be read.\n\n+Original Error: {_reason(f'open {place}', problem)}"
        raise RefusalError(f"Read {what} data source error", detail) from problem
    return {
        "filename": config["filename"],
        "content": string(content.decode("utf-8", errors="replace")),
        "content_base64": string(base64.b64encode(content).decode()),
        **_identified(content, checksums),
    }


# Problems


def _failure(summary: str, doing: str, call: str, problem: OSError) -> RefusalError:
    return RefusalError(summary, _detail(doing, _reason(call, problem)))


def _detail(doing: str, reason: str) -> str:
    return f"An unexpected error occurred while {doing}\n\n+Original Error: {reason}"


def _reason(call: str, problem: OSError) -> str:
    """Describe the failing system call, as the original does: `open a.txt: no such file or directory`."""
    return f"{call}: {(problem.strerror or str(problem)).lower()}"
