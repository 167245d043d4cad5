"""Files outside of its directories that a configuration seems to read.

In a repository of many configurations, one reads what others read as well: `file("../../shared/policy.json")`,
`templatefile("${path.module}/../../templates/${var.name}.tftpl")`, `fileset("../../users", "*.yaml")`. What is read
follows only from running the configuration. But a path that leads out of a directory begins with constant text, and
what that text leads to is copied with the configuration. A path that is put together in another way is not found.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from harness.case.given import GivenDirectories
from harness.case.own_output import is_output
from harness.directory_walk import is_hidden, walk

__all__ = ["paths_read"]

_TEXT: Final = re.compile(r'"(?:\$\{path\.(module|root|cwd)\}/)?((?:[^"\\\n$%]|\$(?!\{)|%(?!\{))*)("?)')
_PATTERN: Final = re.compile(r"[*?\[{]")
_MODULE: Final = "module"
_MOST_FILES: Final = 2_000
"""A directory with more is not copied for every step."""


def paths_read(modules: Iterable[tuple[Path, Iterable[str]]], main: Path, allowed: GivenDirectories) -> list[Path]:
    """Return the files and directories in allowed places, outside of all modules, that texts of the modules lead to.
    Each module comes with the texts of its files; `main` is the directory from which relative paths count."""
    texts = [(module, list(contents)) for module, contents in modules]
    found: dict[Path, None] = {}
    for module, contents in texts:
        for text in contents:
            found.update(dict.fromkeys(_targets(text, module, main)))
    own = [module for module, _ in texts]
    outside = [path for path in found if not any(path.is_relative_to(directory) for directory in own)]
    usable = [path for path in outside if allowed.contain(path) and _can_be_copied(path)]
    return sorted(path for path in usable if set(path.parents).isdisjoint(usable))


def _targets(text: str, module: Path, main: Path) -> Iterator[Path]:
    """Yield where the constant beginnings of texts may lead. Without a word for the base, functions take the working
    directory, and patterns of `fileset` any directory, which most often is that of the module."""
    for base, written, end in _TEXT.findall(text):
        constant = written if end else f"{written.rpartition('/')[0]}/"
        pattern = _PATTERN.search(constant)
        if pattern is not None:
            constant = f"{constant[: pattern.start()].rpartition('/')[0]}/"
        if os.pardir in constant.split("/") and not constant.startswith("/"):
            for directory in {_MODULE: [module], "": [main, module]}.get(base, [main]):
                yield Path(os.path.normpath(directory / constant))


def _can_be_copied(path: Path) -> bool:
    if path.is_symlink() or not path.is_dir():
        return path.is_file() and not path.is_symlink()
    count = 0
    for _, _, names in walk(path, is_hidden, is_foreign=is_output):
        count += len(names)
        if count > _MOST_FILES:
            return False
    return True
