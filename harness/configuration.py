"""`[tool.diffharness]`: the settings of a project, so that they need not be repeated with every command.

The table is read from the nearest `pyproject.toml` at or above the current directory that has one, never from a file
next to the cases: the author of a case must not decide what may be done to the machine it runs on. For the same
reason `trusted` has no effect in a file that is itself part of what is run. Options of the command line take
precedence. An unknown key is refused: a misspelt `trsuted` must not go unnoticed.

    [tool.diffharness]
    trusted = ["corpus"]          # directories whose cases may run commands and real binaries; relative to this file
    known = "corpus/known.yaml"   # documented divergences
    engines = ["legacy", "new"]
    jobs = 2
    timeout = 60                  # seconds for one case
    memory = 2048                 # megabytes for one worker process

    [tool.diffharness.module]     # directories that stand in for sources of modules
    "team/network/aws" = "modules/network"

    [tool.diffharness.engines.tofu]   # for one engine, by its name; `default = ["a", "b"]` beside them is the list
    environment = {GODEBUG = "gctrace=1"}
    log = "debug"                 # TF_LOG
    timeout = 120                 # seconds for one run of a case
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Final

from harness.engine_settings import LOG_LEVELS, EngineSettings
from shared_nodes.flavour import FLAVOUR_NAMES
from shared_nodes.record import record
from shared_nodes.world import Files

__all__ = [
    "Configuration",
    "ConfigurationError",
    "is_part_of",
    "may_execute",
    "read_configuration",
    "trusted_directories",
]

_LONGEST: Final = 1_000_000
"""Limit of the file in bytes."""

FILE: Final = "pyproject.toml"
TABLE: Final = "tool.diffharness"


class ConfigurationError(Exception):
    """The project's settings cannot be used as written. The message names file and key."""


@record
class Configuration:
    """A setting is None where the project has none: then the default of the command applies. Paths are absolute."""

    file: Path | None = None
    """The file it was read from."""

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
    modules: Mapping[str, Path] = field(default_factory=dict)
    """Directories that stand in for sources of modules."""

    engine_settings: Mapping[str, EngineSettings] = field(default_factory=dict)
    """What is set for single engines, by name."""

    given: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The table itself, for commands that print the settings in effect."""


def read_configuration(directory: Path) -> Configuration:
    """Return the settings of the project around a directory; empty ones if there is none."""
    place = directory.absolute()
    for parent in (place, *place.parents):
        file = parent / FILE
        table = _table(file) if file.is_file() else None
        if table is not None:
            return _read(file, table)
    return Configuration()


def _table(file: Path) -> Mapping[str, Any] | None:
    """Return the table, or None if the file has none."""
    import tomllib  # few directories have such a file

    try:
        document = tomllib.loads(Files(file.parent).read_bytes(file.name, _LONGEST).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigurationError(f"{file}: cannot be read: {problem}") from problem
    except RecursionError as problem:
        raise ConfigurationError(f"{file}: nested too deeply") from problem
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
    if isinstance(table.get(_ENGINES), dict):
        values |= _read_engines(file, table[_ENGINES])
    return Configuration(file=file, given=dict(table), **values)


_ENGINES: Final = "engines"
_DEFAULT: Final = "default"


def _read_engines(file: Path, table: Mapping[str, Any]) -> dict[str, Any]:
    """Read the settings of single engines, and the list of engines beside them: TOML does not allow a key to be a list
    and a table."""
    settings = {name: _read_engine(file, name, each) for name, each in table.items() if name != _DEFAULT}
    engines = _some_texts(file, f"{_ENGINES}.{_DEFAULT}", table[_DEFAULT]) if _DEFAULT in table else None
    return {"engines": engines, "engine_settings": settings}


def _read_engine(file: Path, name: str, table: Any) -> EngineSettings:
    place = f"{_ENGINES}.{name}"
    if not isinstance(table, dict):
        raise _wrong(file, place, f"a table; the list of engines is {_ENGINES} itself, or {_ENGINES}.{_DEFAULT}")
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _ENGINE_KEYS:
            known = ", ".join(sorted(_ENGINE_KEYS))
            raise ConfigurationError(f"{file}: {TABLE}.{place}.{key}: unknown key; there are {known}")
        field_name, read = _ENGINE_KEYS[key]
        values[field_name] = read(file, f"{place}.{key}", value)
    return EngineSettings(**values)


def _wrong(file: Path, key: str, wanted: str) -> ConfigurationError:
    return ConfigurationError(f"{file}: {TABLE}.{key}: must be {wanted}")


def _texts(file: Path, key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise _wrong(file, key, "a list of texts")
    return tuple(value)


def _engine_names(file: Path, key: str, value: Any) -> tuple[str, ...] | None:
    """Read the list of engines. A table has been read already, see `_read_engines`."""
    return None if isinstance(value, dict) else _some_texts(file, key, value)


def _environment(file: Path, key: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise _wrong(file, key, "a table of texts")
    return dict(value)


def _log_level(file: Path, key: str, value: Any) -> str:
    if not isinstance(value, str) or value.lower() not in LOG_LEVELS:
        raise _wrong(file, key, f"one of {', '.join(LOG_LEVELS)}")
    return value


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


def _directories(file: Path, key: str, value: Any) -> dict[str, Path]:
    if not isinstance(value, dict):
        raise _wrong(file, key, "a table of directories by source")
    found = {source: _path(file, f"{key}.{source}", text) for source, text in value.items()}
    for source, directory in found.items():
        if not directory.is_dir():
            raise _wrong(file, f"{key}.{source}", f"a directory, and {directory} is none")
    return {source: Path(os.path.abspath(directory)) for source, directory in found.items()}


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
    if value not in FLAVOUR_NAMES:
        raise _wrong(file, key, f"one of {', '.join(FLAVOUR_NAMES)}")
    return FLAVOUR_NAMES[value]


_KEYS: Final[Mapping[str, tuple[str, _Read]]] = {
    "trusted": ("trusted", _paths),
    "known": ("known", _path),
    "engines": ("engines", _engine_names),
    "changes": ("changes", _texts),
    "jobs": ("jobs", _whole_number(1)),
    "chunk-size": ("chunk_size", _whole_number(1)),
    "retries": ("retries", _whole_number(0)),
    "timeout": ("timeout_s", _seconds),
    "memory": ("memory_mb", _whole_number(1)),
    "seed": ("seed", _any_number),
    "flavour": ("flavour", _flavour),
    "out": ("out", _path),
    "module": ("modules", _directories),
}
"""The keys, which are named like the options of the command line, with the field and the reader of each."""

_ENGINE_KEYS: Final[Mapping[str, tuple[str, _Read]]] = {
    "environment": ("environment", _environment),
    "log": ("log", _log_level),
    "timeout": ("timeout_s", _seconds),
}


def trusted_directories(
    configuration: Configuration, allow_exec: bool = False, running: Iterable[Path] = ()
) -> tuple[Path, ...]:
    """Return the trusted directories, with links resolved. `--allow-exec` trusts everything for one command. A file
    that is part of what is `running` trusts nothing: its author is the author of the cases."""
    if allow_exec:
        return (Path("/"),)
    if is_part_of(configuration, running):
        return ()
    return tuple(Path(os.path.realpath(directory)) for directory in configuration.trusted)


def is_part_of(configuration: Configuration, running: Iterable[Path]) -> bool:
    """Return whether the settings were read from a file at or below one of the paths that are run."""
    file = None if configuration.file is None else Path(os.path.realpath(configuration.file))
    return file is not None and any(file.is_relative_to(os.path.realpath(path)) for path in running)


def may_execute(path: Path, trusted: Iterable[Path]) -> bool:
    """Return whether what is at this path may run programs. Links are resolved: a link in a trusted directory is not
    trusted."""
    place = Path(os.path.realpath(path))
    return any(place.is_relative_to(directory) for directory in trusted)
