"""Functions on paths and files: abspath, basename, dirname, pathexpand, file..., fileexists and fileset.

Everything is read through the World, so a confined run sees only its own directory. Paths are cleaned as text before
they reach the World: `a/../b` is `b` even if `a` is a link, as in the original.

Content must be text only where the result of the function is the content itself; elsewhere any bytes are accepted. Our
own messages do not reveal a sensitive path, but messages of the operating system contain it, as in the original.
"""

from __future__ import annotations

import base64
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from shared_nodes.functions.brace_glob import find_braced_matches
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.glob import GlobError, find_matches
from shared_nodes.functions.hashes import digest_base64, digest_hex
from shared_nodes.functions.paths import base, clean, directory, join, relative
from shared_nodes.functions.redaction import quote_unless_secret
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, Parameter
from shared_nodes.values.marks import Marks
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import BOOL, STRING, SetType, Type
from shared_nodes.values.value import Value, boolean, string, unknown
from shared_nodes.world import OUTSIDE, ConfinementError, Files, RefusedFileError

__all__ = ["functions", "read_text"]


_KINDS: Final = (
    (stat.S_ISDIR, "is a directory, not a file"),
    (stat.S_ISBLK, "is a device node, not a regular file"),
    (stat.S_ISCHR, "is a device node, not a regular file"),
    (stat.S_ISFIFO, "is a named pipe, not a regular file"),
    (stat.S_ISSOCK, "is a unix domain socket, not a regular file"),
)


def _quote_path(path: str, marks: Marks, context: FunctionContext) -> str:
    return quote_unless_secret(path, marks, context.flavour)


def _reason(problem: OSError) -> str:
    """The system's text for the error, in lower case like the original's."""
    text = os.strerror(problem.errno) if problem.errno else str(problem)
    return text[:1].lower() + text[1:]


def _expand_home(files: Files, path: str) -> str:
    """Replace a leading `~`. A backslash may follow it instead of a slash, on every system."""
    if not path.startswith("~"):
        return path
    if path[1:2] not in ("", "/", "\\"):
        raise FunctionError("cannot expand user-specific home dir")
    if files.home is None:
        raise FunctionError("blank output when reading home directory")
    return join(str(files.home), path[1:])


def _clean_path(files: Files, path: str) -> str:
    """The cleaned path that is passed to the system and named in its messages."""
    try:
        return clean(_expand_home(files, path))
    except FunctionError as problem:
        raise FunctionError(f"failed to expand ~: {problem.message}") from None


class _FileProblem(Exception):
    """Why the content of a file is not available. `opened` is set if the file could be opened."""

    def __init__(self, message: str, *, missing: bool = False, opened: bool = False) -> None:
        super().__init__(message)
        self.message: Final = message
        self.missing: Final = missing
        self.opened: Final = opened


def _read(context: FunctionContext, path: Value) -> bytes:
    files = context.world.files
    try:
        place = _clean_path(files, path.payload)
        return files.read_bytes(place)
    except FunctionError as problem:
        raise _FileProblem(problem.message) from None
    except ConfinementError:
        raise _FileProblem(f"{_quote_path(path.payload, path.marks, context)} is {OUTSIDE}") from None
    except (IsADirectoryError, RefusedFileError) as problem:
        raise _FileProblem(f"read {place}: {_reason(problem)}", opened=True) from None
    except OSError as problem:
        missing = isinstance(problem, FileNotFoundError)
        raise _FileProblem(f"open {place}: {_reason(problem)}", missing=missing) from None


def _read_content(context: FunctionContext, path: Value) -> bytes:
    """Read a file for functions that return its content. Errors name the argument, and a missing file is explained."""
    try:
        return _read(context, path)
    except _FileProblem as problem:
        if problem.missing:
            message = (
                f"no file exists at {_quote_path(path.payload, path.marks, context)}; this function works only with"
                " files that are distributed as part of the configuration source code, so if this file will be created"
                " by a resource in this configuration you must instead obtain this result from an attribute of that"
                " resource"
            )
        else:
            message = f"failed to read file: {problem.message}" if problem.opened else problem.message
        raise ArgumentError(0, message) from None


def read_text(context: FunctionContext, path: Value) -> str:
    """The text of the file that the first argument of a call names. Raises that call's errors."""
    try:
        return _read_content(context, path).decode("utf-8")
    except UnicodeDecodeError:
        raise FunctionError(
            f"contents of {_quote_path(path.payload, path.marks, context)} are not valid UTF-8; use the filebase64"
            " function to obtain the Base64 encoded contents or the other file functions (e.g. filemd5, filesha256) to"
            " obtain file hashing results instead"
        ) from None


def _file_exists(context: FunctionContext, path: Value) -> bool:
    files = context.world.files
    place = _clean_path(files, path.payload)
    shown = _quote_path(place, path.marks, context)
    try:
        mode = files.status(place).st_mode
    except FileNotFoundError:
        return False
    except ConfinementError:
        raise FunctionError(f"{_quote_path(path.payload, path.marks, context)} is {OUTSIDE}") from None
    except OSError:
        raise FunctionError(f"failed to stat {shown}") from None
    if stat.S_ISREG(mode):
        return True
    kind = next((text for is_kind, text in _KINDS if is_kind(mode)), "is not a regular file")
    raise FunctionError(f"{shown} {kind}")


def _file_set(context: FunctionContext, path: Value, pattern: Value) -> list[str]:
    """Matching names relative to the path. The path is part of the pattern: a `*` or `[` in it is a wildcard too."""
    files = context.world.files
    marks = path.marks | pattern.marks
    start = path.payload or "."
    whole = join(start, pattern.payload)
    find = find_braced_matches if context.flavour.fileset_checks_whole_patterns else find_matches
    names: list[str] = []
    try:
        for match in find(files, whole):
            try:
                mode = files.status(match).st_mode
            except ConfinementError:
                raise
            except OSError as problem:
                raise FunctionError(
                    f"failed to stat {_quote_path(match, marks, context)}: stat {match}: {_reason(problem)}"
                ) from None
            if stat.S_ISREG(mode):
                names.append(relative(match, start))
    except ConfinementError:
        raise FunctionError(f"pattern {_quote_path(whole, marks, context)} leads {OUTSIDE}") from None
    except GlobError as problem:
        raise FunctionError(f"failed to glob pattern {_quote_path(whole, marks, context)}: {problem}") from None
    return names


def _decode_name(name: str) -> str:
    """The file name with each byte that is not UTF-8 replaced by a replacement character."""
    return "".join("\ufffd" if "\udc80" <= character <= "\udcff" else character for character in name)


def _on_path(name: str, transform: Callable[[str], str]) -> Function:
    def implementation(arguments: Arguments, _type: Type) -> Value:
        return string(transform(arguments[0].payload))

    return Function(name, (Parameter("path", STRING),), STRING, implementation)


def _hash(context: FunctionContext, name: str, digest: Callable[[str, bytes], str], algorithm: str) -> Function:
    def implementation(arguments: Arguments, _type: Type) -> Value:
        try:
            content = _read(context, arguments[0])
        except _FileProblem as problem:
            raise FunctionError(problem.message) from None
        return string(digest(algorithm, content))

    return Function(name, (Parameter("path", STRING),), STRING, implementation)


def _function_with_marks(
    name: str, parameters: tuple[Parameter, ...], result: Type, read: Callable[..., Value]
) -> Function:
    """A function that sees the marks of its arguments, to know what to keep out of messages.

    It must therefore add the marks to its result itself, even to an unknown one.
    """

    def implementation(arguments: Arguments, _type: Type) -> Value:
        marks = frozenset[object]().union(*(argument.marks for argument in arguments))
        known = all(argument.is_known for argument in arguments)
        return (read(*arguments) if known else unknown(result)).with_marks(marks)

    return Function(name, parameters, result, implementation)


def functions(context: FunctionContext) -> tuple[Function, ...]:
    files = context.world.files
    sees_unknowns = not context.flavour.unknown_arguments_lose_marks
    path = Parameter("path", STRING, allow_unknown=sees_unknowns, allow_marked=True)

    def absolute(path: str) -> str:
        return clean(path) if path.startswith("/") else join(str(files.working_directory.absolute()), path)

    def encoded(path: Value) -> Value:
        return string(base64.b64encode(_read_content(context, path)).decode("ascii"))

    def file_set(path: Value, pattern: Value) -> Value:
        return set_of(STRING, [string(_decode_name(name)) for name in _file_set(context, path, pattern)])

    return (
        _on_path("abspath", absolute),
        _on_path("basename", base),
        _on_path("dirname", directory),
        _on_path("pathexpand", lambda path: _expand_home(files, path)),
        _function_with_marks("file", (path,), STRING, lambda path: string(read_text(context, path))),
        _function_with_marks("filebase64", (path,), STRING, encoded),
        _function_with_marks("fileexists", (path,), BOOL, lambda path: boolean(_file_exists(context, path))),
        _function_with_marks("fileset", (path, replace(path, name="pattern")), SetType(STRING), file_set),
        _hash(context, "filebase64sha256", digest_base64, "sha256"),
        _hash(context, "filebase64sha512", digest_base64, "sha512"),
        _hash(context, "filemd5", digest_hex, "md5"),
        _hash(context, "filesha1", digest_hex, "sha1"),
        _hash(context, "filesha256", digest_hex, "sha256"),
        _hash(context, "filesha512", digest_hex, "sha512"),
    )
