"""Whether the libraries of the extra `plugins` are installed.

Only plugins need them. Everybody else installs and imports nothing more, so this looks for them without an import.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

__all__ = ["EXTRA", "has_extra"]

EXTRA: Final = "diffharness[plugins]"
_LIBRARIES: Final = ("google.protobuf", "h2", "msgpack")


def has_extra() -> bool:
    try:
        return all(find_spec(name) is not None for name in _LIBRARIES)
    except ModuleNotFoundError:
        return False  # not even the package `google`, which contains the first of them
