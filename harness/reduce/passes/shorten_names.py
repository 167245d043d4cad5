"""The pass that shortens names, everywhere at once and wherever they occur as a word.

A name that is replaced in the files, in case.yaml and in the initial state still means the same thing. If a word is a
name in one place and a keyword in another, the configuration becomes invalid and the change is rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Final

from harness.reduce.passes.json_data import with_texts
from harness.reduce.specimens.specimen import Specimen, SpecimenChange
from harness.reduce.specimens.syntax import attributes_of, blocks_of
from shared_nodes.lang.tree import Attribute, Block

__all__ = ["shorten_names"]

_WORD: Final = re.compile(r"[A-Za-z_][\w-]*")
_NAMED: Final = ("resource", "data", "ephemeral", "module", "variable", "output", "check")
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_KEPT: Final = ("description", "tags", "flavour", "permissive")


def shorten_names(specimen: Specimen) -> list[SpecimenChange]:
    """Rename all names at once first, then each separately."""
    declared = dict.fromkeys(_declared_names(specimen))
    used = {*declared, *_WORD.findall(specimen.case_text)}
    short = (name for name in _short_names() if name not in used)
    renamed = {name: next(short) for name in declared if len(name) > 1}
    each = [_rename(specimen, {name: new}) for name, new in renamed.items()]
    return [_rename(specimen, renamed), *each] if len(each) > 1 else each


def _short_names() -> Iterator[str]:
    for number in count():
        name, rest = "", number
        while True:
            name = _LETTERS[rest % len(_LETTERS)] + name
            rest = rest // len(_LETTERS) - 1
            if rest < 0:
                break
        yield name


def _declared_names(specimen: Specimen) -> Iterator[str]:
    for part in blocks_of(specimen):
        if isinstance(part.node, Block) and part.node.type in _NAMED and part.node.labels and not part.around:
            yield part.node.labels[-1]
    for part in attributes_of(specimen):
        if isinstance(part.node, Attribute) and [block.type for block in part.around] == ["locals"]:
            yield part.node.name


def _rename(specimen: Specimen, renamed: dict[str, str]) -> SpecimenChange:
    def rename(text: str) -> str:
        return _WORD.sub(lambda match: renamed.get(match[0], match[0]), text)

    files = {path: rename(text) for path, text in specimen.files.items()}
    case_yaml = {key: part if key in _KEPT else with_texts(part, rename) for key, part in specimen.case_yaml.items()}
    different = {path: text for path, text in files.items() if text != specimen.files[path]}
    return SpecimenChange(files=different, case_yaml=case_yaml)
