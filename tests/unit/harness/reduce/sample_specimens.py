"""Small specimens for tests of the passes."""

from __future__ import annotations

from typing import Any, Final

from harness.reduce.specimens.specimen import Specimen, SpecimenChange

__all__ = ["main_texts", "make_specimen"]

_CASE_YAML: Final[dict[str, Any]] = {"description": "", "steps": [{"op": "apply", "config": "v1"}]}


def make_specimen(text: str = "", **more: str) -> Specimen:
    """Return a case of one apply. `more` are files by path, in which "__" stands for a slash and ".tf" is added."""
    files = {f"{path.replace('__', '/')}.tf": content for path, content in more.items()}
    return Specimen(_CASE_YAML, {"v1/main.tf": text, **files})


def main_texts(before: Specimen, changes: list[SpecimenChange]) -> list[str]:
    """Return v1/main.tf after each of the changes."""
    return [before.changed(change).files["v1/main.tf"] for change in changes]
