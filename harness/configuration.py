"""`[tool.diffharness]`: what a project says once, so that nobody has to say it at every command.

It is read from the nearest `pyproject.toml` at or above the directory the user stands in that has such a table, never
from one beside the cases: who hands out cases must not decide what may be done to the machine they are run on. Options
of the command line win over it. A key nobody knows is refused: a misspelt `trsuted` must not go unnoticed.

    [tool.diffharness]
    trusted = ["corpus"]          # directories whose cases may run commands and real binaries; relative to this file
    known = "corpus/known.yaml"   # documented divergences
    engines = ["legacy", "new"]
    jobs = 2
    timeout = 60                  # seconds for one case
    memory = 2048                 # megabytes for one worker process
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from shared_nodes.flavour import FLAVOURS

__all__ = ["Configuration", "ConfigurationError", "read_configuration", "trusted_directories"]

FILE: Final = "pyproject.toml"
TABLE: Final = "tool.diffharness"


class ConfigurationError(Exception):
    """The project's settings cannot be used as written. The message tells file and key."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """None where the project says nothing: then the default of the command holds. Paths are absolute."""

    file: Path | None = None
    """Where it was read from."""

    trusted: tuple[Path, ...] = ()
    known: Path | None = None
    engines: tuple[str, ...] | None = None
    changes: tuple[str, ...] | None = None
    jobs: int | None = None
    chunk_size: int | None = None
    retries: int | None = None
    timeout_s: float | None = None
    memory_mb: int | None = None
    seed: int | None = None
    flavour: str | None = None
    out: Path | None = None
    given: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The table itself, for whoever shows what is in effect."""


def read_configuration(directory: Path) -> Configuration:
    """Of the project around a directory; an empty one where there is none."""
    place = directory.absolute()
    for parent in (place, *place.parents):
        file = parent / FILE
        table = _table(file) if file.is_file() else None
        if table is not None:
            return _read(file, table)
    return Configuration()


def _table(file: Path) -> Mapping[str, Any] | None:
    """None where the project has nothing to say to us."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigurationError(f"{file}: cannot be read: {problem}") from problem
    except tomllib.TOMLDecodeError as problem:
        raise ConfigurationError(f"{file}: not TOML: {problem}") from problem
    tools = document.get("tool", {})
    table = tools.get("diffharness") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigurationError(f"{file}: {TABLE}: must be a table")
    return table


_Read = Callable[[Path, str, Any], Any]


def _read(file: Path, table: Mapping[str, Any]) -> Configuration:
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _KEYS:
            raise ConfigurationError(f"{file}: {TABLE}.{key}: unknown key; there are {', '.join(sorted(_KEYS))}")
        name, read = _KEYS[key]
        values[name] = read(file, key, value)
    return Configuration(file=file, given=dict(table), **values)


def _wrong(file: Path, key: str, wanted: str) -> ConfigurationError:
    return ConfigurationError(f"{file}: {TABLE}.{key}: must be {wanted}")


def _texts(file: Path, key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise _wrong(file, key, "a list of texts")
    return tuple(value)


def _some_texts(file: Path, key: str, value: Any) -> tuple[str, ...]:
    if not (texts := _texts(file, key, value)):
        raise _wrong(file, key, "a list of at least one text")
    return texts


def _path(file: Path, key: str, value: Any) -> Path:
    if not isinstance(value, str) or not value:
        raise _wrong(file, key, "a path")
    return file.parent / Path(value).expanduser()


def _paths(file: Path, key: str, value: Any) -> tuple[Path, ...]:
    return tuple(_path(file, key, text) for text in _texts(file, key, value))


def _whole_number(least: int) -> _Read:
    def read(file: Path, key: str, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise _wrong(file, key, f"a whole number from {least}")
        return value

    return read


def _any_number(file: Path, key: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong(file, key, "a whole number")
    return value


def _seconds(file: Path, key: str, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < float("inf"):
        raise _wrong(file, key, "a number of seconds")
    return float(value)


def _flavour(file: Path, key: str, value: Any) -> str:
    if value not in FLAVOURS:
        raise _wrong(file, key, f"one of {', '.join(sorted(FLAVOURS))}")
    return str(value)


_KEYS: Final[Mapping[str, tuple[str, _Read]]] = {
    "trusted": ("trusted", _paths),
    "known": ("known", _path),
    "engines": ("engines", _some_texts),
    "changes": ("changes", _texts),
    "jobs": ("jobs", _whole_number(1)),
    "chunk-size": ("chunk_size", _whole_number(1)),
    "retries": ("retries", _whole_number(0)),
    "timeout": ("timeout_s", _seconds),
    "memory": ("memory_mb", _whole_number(1)),
    "seed": ("seed", _any_number),
    "flavour": ("flavour", _flavour),
    "out": ("out", _path),
}
"""As they are written, which is as the options of the command line are called; the field each becomes; its reader."""


def trusted_directories(configuration: Configuration, allow_exec: bool = False) -> tuple[Path, ...]:
    """For `Settings.trusted`, with links resolved. Whoever allows execution for one command trusts all it is given."""
    if allow_exec:
        return (Path("/"),)
    return tuple(Path(os.path.realpath(directory)) for directory in configuration.trusted)
