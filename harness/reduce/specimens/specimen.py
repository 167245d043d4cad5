"""A case in memory, and changes of it.

A change replaces spans of text. The text around them is kept as written, so that a difference that depends on
formatting survives. Spans of one change may be nested; then the outer one is applied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from harness.case.case import CASE_FILE, Case, CaseError, read_case
from harness.case.plain_directory import PlainDirectory
from harness.generate.story import STATE_FILE, GeneratedStory, case_yaml_of_story
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.record import record

__all__ = ["Specimen", "SpecimenChange", "TextEdit", "merge_changes", "read_specimen", "specimen_of_story"]

_BLANK: Final = re.compile(r"\s+")
_WIDTH: Final = 110
_PLAIN_CONFIGURATION: Final = "v1"
_PLAIN_STORY: Final = ("plan", "apply", "plan", "destroy")


class _Dumper(yaml.SafeDumper):
    """Never writes aliases, which a case must not contain."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


class TextEdit(NamedTuple):
    path: str
    start: int
    end: int
    text: str = ""


@record
class SpecimenChange:
    edits: tuple[TextEdit, ...] = ()
    without: frozenset[str] = frozenset()
    """Files to remove."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Files to add or replace as a whole."""

    case_yaml: Mapping[str, Any] | None = None
    """The new content of case.yaml."""


@dataclass(frozen=True)
class Specimen:
    """A case in memory. Not slotted, because of the cached properties."""

    case_yaml: Mapping[str, Any]
    """The content of case.yaml."""

    files: Mapping[str, str]
    """Texts by path. Bytes that are not valid UTF-8 are kept as lone surrogates."""

    @cached_property
    def case_text(self) -> str:
        return yaml.dump(dict(self.case_yaml), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)

    @cached_property
    def rank(self) -> tuple[int, tuple[str, ...]]:
        """Lower is simpler: fewer characters without white space; between equals, the texts decide."""
        texts = [self.case_text, *(part for item in sorted(self.files.items()) for part in item)]
        return sum(len(_BLANK.sub("", text)) for text in texts), tuple(texts)

    def changed(self, change: SpecimenChange) -> Specimen:
        files = {path: text for path, text in self.files.items() if path not in change.without} | dict(change.files)
        for path in {edit.path for edit in change.edits} & files.keys():
            files[path] = _apply_edits(files[path], [edit for edit in change.edits if edit.path == path])
        return Specimen(self.case_yaml if change.case_yaml is None else change.case_yaml, files)

    def write(self, directory: Path) -> None:
        for path, text in self.files.items():
            file = directory / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8", "surrogateescape"))
        (directory / CASE_FILE).write_text(self.case_text, encoding="utf-8")


def merge_changes(changes: Iterable[SpecimenChange]) -> SpecimenChange:
    """Combine changes into one. The last content of case.yaml is used."""
    several = list(changes)
    case_yamls = [change.case_yaml for change in several if change.case_yaml is not None]
    return SpecimenChange(
        tuple(edit for change in several for edit in change.edits),
        frozenset().union(*(change.without for change in several)),
        {path: text for change in several for path, text in change.files.items()},
        case_yamls[-1] if case_yamls else None,
    )


def _apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    parts, at = list[str](), 0
    for edit in sorted(edits, key=lambda each: (each.start, -each.end)):
        if edit.start >= at:
            parts += [text[at : edit.start], edit.text]
            at = edit.end
    return "".join([*parts, text[at:]])


def read_specimen(directory: Path, flavour: str = "") -> Specimen:
    """Read a case, as the given product or as the one it is about. It is read without its recordings, which would not
    fit a changed case. Raises CaseError if the directory is not a case."""
    case = read_case(directory, flavour)
    if case.plain is not None:
        return _read_configuration(case, case.plain)
    case_yaml = yaml.safe_load((directory / CASE_FILE).read_text(encoding="utf-8")) | _flavour_of(case)
    paths = [path for path in case.files if path != directory / CASE_FILE]
    return Specimen(case_yaml, {path.relative_to(directory).as_posix(): _text(path) for path in paths})


def _flavour_of(case: Case) -> dict[str, str]:
    """Return the entry of case.yaml that names the product. The recording cannot show it any more."""
    return {} if case.flavour == TERRAFORM_1_11.name else {"flavour": case.flavour}


def _read_configuration(case: Case, plain: PlainDirectory) -> Specimen:
    """Read a configuration without case.yaml, with the default steps."""
    if not plain.is_alone:
        place = case.directory
        raise CaseError(f"{place}: calls modules outside of it, so that it is no case that could be made smaller")
    root = plain.root / plain.main
    kept = [path for path in plain.files if "terraform.tfstate" not in path.name and not path.is_symlink()]
    files = {f"{_PLAIN_CONFIGURATION}/{path.relative_to(root).as_posix()}": _text(path) for path in kept}
    steps = [{"op": operation, "config": _PLAIN_CONFIGURATION} for operation in _PLAIN_STORY]
    return Specimen({"description": case.description, **_flavour_of(case), "steps": steps}, files)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def specimen_of_story(story: GeneratedStory) -> Specimen:
    files = {f"{name}/{path}": text for name, version in story.versions.items() for path, text in version.items()}
    if story.prior_state is not None:
        files[STATE_FILE] = story.prior_state
    return Specimen(case_yaml_of_story(story), files)
