"""The product that a directory with a configuration is written for. This module imports little: every command needs
it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.lang.file_names import TOFU_SUFFIXES
from shared_nodes.world import Files

__all__ = ["flavour_of_directory"]

_OPENTOFU_VERSION: Final = ".opentofu-version"
_OPENTOFU_MARKS: Final = (b"registry.opentofu.org/", b'"encrypted_data"')
_STATE: Final = "terraform.tfstate"


def flavour_of_directory(directory: Path) -> str:
    """Return the product that a configuration seems to be written for. It is OpenTofu if a file has a name that only
    OpenTofu reads, if the directory or one above it selects a version of OpenTofu, or if OpenTofu wrote the state."""
    above = (directory, *Path(os.path.abspath(directory)).parents)
    is_for_opentofu = (
        any(name.endswith(TOFU_SUFFIXES) for name in _names(directory))
        or any(os.path.isfile(parent / _OPENTOFU_VERSION) for parent in above)
        or _is_state_of_opentofu(directory / _STATE)
    )
    return (OPENTOFU_1_12 if is_for_opentofu else TERRAFORM_1_11).name


def _names(directory: Path) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _is_state_of_opentofu(file: Path) -> bool:
    """States do not name the product that wrote them. But objects name the registry of their providers, and only
    OpenTofu encrypts."""
    try:
        content = Files(file.parent, root=file.parent).read_bytes(file.name)
    except OSError:
        return False
    return any(mark in content for mark in _OPENTOFU_MARKS)
