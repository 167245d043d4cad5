"""The names of configuration files: which files of a directory belong to a module, and which of them are overrides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from shared_nodes.flavour import Flavour

__all__ = [
    "CONFIGURATION_SUFFIXES",
    "NATIVE_SUFFIXES",
    "TOFU_SUFFIXES",
    "configuration_names",
    "is_override",
    "test_file_names",
]

_TF: Final = (".tf", ".tf.json")
TOFU_SUFFIXES: Final = (".tofu", ".tofu.json")
"""The suffixes that only OpenTofu reads."""

_HIDING: Final = dict(zip(_TF, TOFU_SUFFIXES, strict=True))
"""The suffix of the file that hides one with the same base name."""

_TESTS: Final = {".tftest.hcl": ".tofutest.hcl", ".tftest.json": ".tofutest.json"}
"""The suffixes of test files, each with the one that only OpenTofu reads, and that hides a file with the same name."""

CONFIGURATION_SUFFIXES: Final = (*_TF, *TOFU_SUFFIXES)
"""The suffixes that mean configuration to some product."""

NATIVE_SUFFIXES: Final = tuple(suffix for suffix in CONFIGURATION_SUFFIXES if not suffix.endswith(".json"))
"""Those of files that are not in JSON syntax."""


def configuration_names(names: Iterable[str], flavour: Flavour) -> list[str]:
    """Return the names of the files that are read, in the order given."""
    suffixes = CONFIGURATION_SUFFIXES if flavour.reads_tofu_files else _TF
    found = [name for name in names if name.endswith(suffixes) and not _is_ignored(name)]
    return [name for name in found if _hiding_name(name) not in found]


def test_file_names(names: Iterable[str], flavour: Flavour) -> list[str]:
    """Return the names of the test files that are read, sorted."""
    suffixes = [*_TESTS, *_TESTS.values()] if flavour.reads_tofu_files else [*_TESTS]
    found = [name for name in names if name.endswith(tuple(suffixes)) and not _is_ignored(name)]
    hidden = {
        name
        for name in found
        for suffix, hiding in _TESTS.items()
        if name.endswith(suffix) and name.removesuffix(suffix) + hiding in found
    }
    return sorted(set(found) - hidden)


def _hiding_name(name: str) -> str | None:
    """Return the name of the file that would be read instead of this one."""
    for suffix, hiding in _HIDING.items():
        if name.endswith(suffix):
            return name.removesuffix(suffix) + hiding
    return None


def _is_ignored(name: str) -> bool:
    """Return whether this is a hidden file or one that editors leave behind."""
    return name.startswith(".") or name.endswith("~") or (name.startswith("#") and name.endswith("#"))


def is_override(name: str) -> bool:
    """Return whether the file of this name amends what others declare."""
    for suffix in CONFIGURATION_SUFFIXES:
        if name.endswith(suffix):
            base = name.removesuffix(suffix)
            return base == "override" or base.endswith("_override")
    return False
