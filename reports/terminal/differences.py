"""What becomes of one value, drawn line by line.

    + input = {                ~ input = [                   - input = "x" -> null
        + a = 1                      1,
      }                            ~ 2 -> 5,
                                     # (4 unchanged elements hidden)
                                   ]

A `Change` is a value before and after, with the shapes that say which parts are unknown and which are sensitive. Lines
are built with their indentation: level 0 is a resource, level 1 its attributes, and each level is four columns, the
last two of which hold the symbol.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.values.json import JsonError, Tree, dumps, loads

__all__ = ["ABSENT", "Change", "Symbol", "attribute_lines", "count_text", "key_text", "line"]


class _Absent:
    """There is no such part: not even null."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()
Part = Tree | _Absent

NONE, CREATE, UPDATE, DELETE = " ", "+", "~", "-"
Symbol = str

_LEVEL: Final = 4


def line(level: int, symbol: Symbol, text: str) -> str:
    """The symbol stands in the two columns before the text."""
    return " " * (_LEVEL * level + 2) + (f"{symbol} " if symbol != NONE else "  ") + text


@dataclass(frozen=True, slots=True)
class Change:
    """`unknown` and the two `sensitive` shapes are as published: true where it holds, else nested like the value."""

    before: Part
    after: Part
    unknown: Tree = False
    before_sensitive: Tree = False
    after_sensitive: Tree = False
    forces_replacement: bool = False

    @property
    def symbol(self) -> Symbol:
        if self.before is ABSENT:
            return CREATE
        if self.after is ABSENT and self.unknown is not True:
            return DELETE
        same = not _has_unknown(self.unknown) and _same(self.before, self.after)
        return NONE if same and _flag(self.before_sensitive) == _flag(self.after_sensitive) else UPDATE

    @property
    def is_sensitive(self) -> bool:
        return self.before_sensitive is True or self.after_sensitive is True

    def part(self, key: str | int) -> Change:
        return Change(
            _part(self.before, key),
            _part(self.after, key),
            _shape_part(self.unknown, key),
            _shape_part(self.before_sensitive, key),
            _shape_part(self.after_sensitive, key),
        )

    def only_before(self) -> Change:
        return Change(self.before, ABSENT, before_sensitive=self.before_sensitive)

    def only_after(self) -> Change:
        return Change(ABSENT, self.after, self.unknown, after_sensitive=self.after_sensitive)


def _part(whole: Part, key: str | int) -> Part:
    if isinstance(whole, dict) and isinstance(key, str):
        return whole.get(key, ABSENT)
    if isinstance(whole, list) and isinstance(key, int) and key < len(whole):
        return whole[key]
    return ABSENT


def _shape_part(shape: Tree, key: str | int) -> Tree:
    if shape is True:
        return True
    part = _part(shape, key)
    return False if isinstance(part, _Absent) else part


def _has_unknown(shape: Tree) -> bool:
    if isinstance(shape, dict):
        return any(map(_has_unknown, shape.values()))
    return any(map(_has_unknown, shape)) if isinstance(shape, list) else shape is True


def _flag(shape: Tree) -> bool:
    return shape is True


def _same(one: Part, other: Part) -> bool:
    return one.__class__ is other.__class__ and one == other


# Attributes


def key_text(name: str) -> str:
    return name if is_identifier(name) else json.dumps(name, ensure_ascii=False)


def count_text(count: int, noun: str) -> str:
    return f"# ({count} unchanged {noun}{'' if count == 1 else 's'} hidden)"


def attribute_lines(
    level: int, changes: Sequence[tuple[str, Change]], *, always_shown: Iterable[str] = (), null_suffix: bool = False
) -> Iterator[str]:
    """`name = value` for each, names aligned; what does not change is only counted, unless it is always shown."""
    width = max((len(key_text(name)) for name, _ in changes), default=0)
    hidden = 0
    for name, change in changes:
        if change.symbol == NONE and name not in always_shown:
            hidden += 1
            continue
        yield from _sensitivity_warning(level, change)
        suffix = " -> null" if null_suffix and change.symbol == DELETE else ""
        yield line(level, change.symbol, f"{key_text(name):{width}} = {_value(level, change)}{suffix}{_forces(change)}")
    if hidden:
        yield line(level, NONE, count_text(hidden, "attribute"))


def _forces(change: Change) -> str:
    return " # forces replacement" if change.forces_replacement else ""


def _sensitivity_warning(level: int, change: Change) -> Iterator[str]:
    if change.symbol != UPDATE or _flag(change.before_sensitive) == _flag(change.after_sensitive):
        return
    unchanged = " The value is unchanged." if _same(change.before, change.after) else ""
    indent = " " * (_LEVEL * level + 2)
    if _flag(change.before_sensitive):
        yield f"{indent}# Warning: this attribute value will no longer be marked as sensitive"
        yield f"{indent}# after applying this change.{unchanged}"
    else:
        yield f"{indent}# Warning: this attribute value will be marked as sensitive and will not"
        yield f"{indent}# display in UI output after applying this change.{unchanged}"


# Values


def _value(level: int, change: Change) -> str:
    """The text behind the equals sign, with all further lines it takes."""
    if change.is_sensitive:
        return "(sensitive value)"
    if change.unknown is True:
        if change.symbol == CREATE or change.before is None:
            return "(known after apply)"
        return f"{_value(level, change.only_before())} -> (known after apply)"
    if change.symbol != UPDATE or _same_kind(change.before, change.after):
        return _same_kind_value(level, change)
    return f"{_value(level, change.only_before())} -> {_value(level, change.only_after())}"


def _same_kind(before: Part, after: Part) -> bool:
    """Two texts count only if both or neither are JSON: otherwise each is drawn for itself."""
    if isinstance(before, str) and isinstance(after, str):
        return (_json_content(before) is None) == (_json_content(after) is None)
    return before.__class__ is after.__class__ and isinstance(before, str | list | dict)


def _same_kind_value(level: int, change: Change) -> str:
    present = change.after if change.before is ABSENT else change.before
    match present:
        case dict():
            return _object(level, change)
        case list():
            return _list(level, change)
        case str() if _json_content(present) is not None:
            return _encoded(level, change)
        case str():
            return _string(level, change)
    assert not isinstance(present, _Absent)
    return dumps(present, escape_html=False)


def _object(level: int, change: Change) -> str:
    names = sorted({*_names(change.before), *_names(change.after), *_unknown_names(change.unknown)})
    if not names:
        return "{}"
    always = names if change.symbol == NONE else ()
    inner = attribute_lines(level + 1, [(name, change.part(name)) for name in names], always_shown=always)
    return "\n".join(["{", *inner, " " * (_LEVEL * (level + 1)) + "}"])


def _names(part: Part) -> Iterable[str]:
    return part if isinstance(part, dict) else ()


def _unknown_names(shape: Tree) -> list[str]:
    return [name for name, part in shape.items() if _has_unknown(part)] if isinstance(shape, dict) else []


def _list(level: int, change: Change) -> str:
    elements = list(_elements(change))
    if not elements:
        return "[]"
    drawn: list[str] = ["["]
    for element in _with_context(elements, all_shown=change.symbol == NONE):
        if isinstance(element, int):
            drawn.append(line(level + 1, NONE, count_text(element, "element")))
        else:
            drawn.append(line(level + 1, element.symbol, f"{_value(level + 1, element)},"))
    return "\n".join([*drawn, " " * (_LEVEL * (level + 1)) + "]"])


def _with_context(elements: Sequence[Change], *, all_shown: bool) -> Iterator[Change | int]:
    """Changed elements with one neighbour on each side; numbers stand for how many are left out."""
    changed = [element.symbol != NONE for element in elements]
    hidden = 0
    for index, element in enumerate(elements):
        if all_shown or any(changed[max(index - 1, 0) : index + 2]):
            if hidden:
                yield hidden
            hidden = 0
            yield element
        else:
            hidden += 1
    if hidden:
        yield hidden


def _elements(change: Change) -> Iterator[Change]:
    """Elements of both sides brought together along their longest common part."""
    before = change.before if isinstance(change.before, list) else []
    after = change.after if isinstance(change.after, list) else []
    old = [change.only_before().part(index) for index in range(len(before))]
    new = [change.only_after().part(index) for index in range(len(after))]
    keys = [[dumps(item) for item in side] for side in (before, after)]
    unknown_after = [_has_unknown(item.unknown) for item in new]
    marked = [f"{key} unknown" if unknown_after[i] else key for i, key in enumerate(keys[1])]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, keys[0], marked, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (_joined(old[i], new[j]) for i, j in zip(range(i1, i2), range(j1, j2), strict=True))
            continue
        paired = min(i2 - i1, j2 - j1)
        if paired and not _pairable(before[i1], after[j1], before, after):
            paired = 0
        yield from (_joined(old[i1 + offset], new[j1 + offset]) for offset in range(paired))
        yield from old[i1 + paired : i2]
        yield from new[j1 + paired : j2]


def _pairable(old: Tree, new: Tree, before: list[Tree], after: list[Tree]) -> bool:
    """Whether one element became the other, or one went and another came. Objects are taken for the former; other
    values too, if the list keeps its length and neither value is anywhere on the other side."""
    if isinstance(old, dict) and isinstance(new, dict):
        return True
    return len(before) == len(after) and old not in after and new not in before


def _joined(old: Change, new: Change) -> Change:
    return Change(old.before, new.after, new.unknown, old.before_sensitive, new.after_sensitive)


# Texts


def _json_content(text: str) -> dict[str, Tree] | list[Tree] | None:
    """What a text holds if it is JSON of an object or a list: then that is what people want to see."""
    if text[:1] not in ("{", "[", " ", "\n", "\t") or text.strip()[:1] not in ("{", "["):
        return None
    try:
        content = loads(text)
    except JsonError:
        return None
    return content if isinstance(content, dict | list) else None


def _decoded(side: Part) -> Part:
    return _json_content(side) if isinstance(side, str) else side


def _encoded(level: int, change: Change) -> str:
    inner = Change(_decoded(change.before), _decoded(change.after))
    note = " # whitespace changes" if change.symbol == UPDATE and inner.symbol == NONE else ""
    symbol = inner.symbol if inner.symbol == UPDATE else NONE
    opening = line(level + 1, symbol, _same_kind_value(level + 1, inner))
    return "\n".join([f"jsonencode({note}", opening, " " * (_LEVEL * (level + 1)) + ")"])


def _string(level: int, change: Change) -> str:
    sides = [side for side in (change.before, change.after) if isinstance(side, str)]
    if not any("\n" in side for side in sides):
        texts = [json.dumps(side, ensure_ascii=False) for side in sides]
        return texts[0] if len(texts) == 1 or change.symbol == NONE else " -> ".join(texts)
    lines = [side.removesuffix("\n").split("\n") for side in sides]
    body = _line_changes(level + 1, lines[0], lines[-1])
    return "\n".join(["<<-EOT", *body, " " * (_LEVEL * (level + 1)) + "EOT"])


def _line_changes(level: int, before: list[str], after: list[str]) -> Iterator[str]:
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (line(level, NONE, text) for text in before[i1:i2])
        else:
            yield from (line(level, DELETE, text) for text in before[i1:i2])
            yield from (line(level, CREATE, text) for text in after[j1:j2])
