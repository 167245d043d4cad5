"""Where the files of a case are in the directory of a report.

A story with a single configuration has it at the top, where a reader looks for `main.tf`. Several configurations keep
their directories. A case that an engine of ours has to read again, for its simulated cloud, stays as it is.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from typing import Final

from harness.case.case import CASE_FILE
from harness.cli.reproduce.kept_case import KeptCase
from shared_nodes.record import record

__all__ = ["OUTPUTS", "PRIOR_STATE", "REPORT_FILE", "SCRIPT_FILE", "VARIABLES", "VERSIONS_FILE", "Layout", "lay_out"]

REPORT_FILE: Final = "report.md"
SCRIPT_FILE: Final = "commands.sh"
VERSIONS_FILE: Final = "versions.txt"
PRIOR_STATE: Final = "prior.tfstate"
OUTPUTS: Final = "outputs"
VARIABLES: Final = "variables"
_WORK: Final = "work"
_OWN: Final = frozenset({REPORT_FILE, SCRIPT_FILE, VERSIONS_FILE, PRIOR_STATE, OUTPUTS, VARIABLES, _WORK})
_BESIDE: Final = "configuration"
"""The directory for a configuration one of whose files has the name of a file of the report."""


@record
class Layout:
    files: Mapping[str, str]
    """Text by path in the report."""

    copied: Mapping[str, tuple[str, ...]]
    """What the script copies to its working directory, by configuration."""

    inside: str
    """The directory of the configuration in the working directory."""

    case_file: str | None
    """The case for engines that need it, or None."""


def lay_out(kept: KeptCase, *, with_case: bool) -> Layout:
    configurations = kept.case.configurations
    if kept.case.plain is not None:
        return _flat(kept.files, configurations, "" if kept.main == "." else kept.main)
    if with_case:
        return Layout(kept.files, {name: (f"{name}/.",) for name in configurations}, "", CASE_FILE)
    if len(configurations) == 1:
        return _flat(_below(kept.files, configurations[0]), configurations, "")
    files = {name: text for config in configurations for name, text in _named(kept.files, config).items()}
    beside = f"{_BESIDE}/" if _clashes(files) else ""
    copied = {name: (f"{beside}{posixpath.normpath(name)}/.",) for name in configurations}
    return Layout({f"{beside}{name}": text for name, text in files.items()}, copied, "", None)


def _flat(files: Mapping[str, str], configurations: Iterable[str], inside: str) -> Layout:
    if _clashes(files):
        beside = {f"{_BESIDE}/{name}": text for name, text in files.items()}
        return Layout(beside, dict.fromkeys(configurations, (f"{_BESIDE}/.",)), inside, None)
    tops = tuple(sorted({name.partition("/")[0] for name in files}))
    return Layout(files, dict.fromkeys(configurations, tops), inside, None)


def _clashes(files: Iterable[str]) -> bool:
    return not _OWN.isdisjoint(name.partition("/")[0] for name in files)


def _named(files: Mapping[str, str], directory: str) -> dict[str, str]:
    """Return the files in a directory."""
    start = f"{posixpath.normpath(directory)}/"
    return {name: text for name, text in files.items() if name.startswith(start)}


def _below(files: Mapping[str, str], directory: str) -> dict[str, str]:
    """Return the files in a directory, by their paths in it."""
    start = len(posixpath.normpath(directory)) + 1
    return {name[start:]: text for name, text in _named(files, directory).items()}
