"""Drafts: what happened to a value and its parts, ready to be rendered.

    + input = {                ~ input = [                   - input = "x" -> null
        + a = 1                      1,
      }                            ~ 2 -> 5,
                                     # (4 unchanged elements hidden)
                                   ]

Level 0 is a resource, level 1 its attributes. Each level is four columns wide, the last two of which hold the symbol. A
state is rendered by the same code, without symbols and with all unchanged values.

All classes are named tuples: a large plan has many of them, and no other frozen class is faster to create.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from reports.terminal.alignment import align
from reports.terminal.change import CREATE, DELETE, NONE, UPDATE, Symbol
from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.record import record
from shared_nodes.values.json import JsonWriter, Tree
from shared_nodes.values.text import quoted

__all__ = [
    "BlockBody",
    "BlockGroup",
    "Draft",
    "Encoded",
    "Items",
    "KnownAfterApply",
    "Members",
    "Scalar",
    "Secret",
    "SecretBlock",
    "Style",
    "TypeChange",
    "WriteOnly",
    "count_text",
    "key_text",
    "member_lines",
]

_IMPORTANT: Final = frozenset({"id", "name", "tags"})
"""Attributes that are shown even if unchanged, because people identify objects by them."""


_SPACE: Final = " \t\n\v\f\r\x85\xa0"


class Style(NamedTuple):
    shows_unchanged: bool = False
    hides_null: bool = False
    """Omit ` -> null` for deleted values, because their parent shows it."""

    forces_replacement: bool = False
    """Mark everything as forcing a replacement, because the parent does and cannot be marked itself."""

    never_forces: bool = False
    """Mark nothing as forcing a replacement, because the parent is marked. This does not apply to parts of parts."""

    has_symbols: bool = True

    def margin(self, level: int, symbol: Symbol = NONE) -> str:
        return " " * (4 * level) + (f"  {symbol} " if self.has_symbols else "")


@record
class Scalar:
    before: Tree
    after: Tree
    is_text: bool
    """Whether its type is that of texts."""

    keeps_positions: bool
    """Whether lines are compared like elements of a list that keep their positions."""


@record
class Encoded:
    """A text that contains JSON. Its content is rendered."""

    content: Draft


@record
class Items:
    """Elements of a list, tuple or set. If order matters, the neighbours of changed elements are shown as well."""

    items: Sequence[Draft]
    has_context: bool
    passes_on: bool = False
    """Mark the elements as forcing a replacement instead of the whole."""


@record
class Members:
    """Attributes of an object, or elements of a map."""

    members: Mapping[str, Draft]
    is_nested: bool = False
    """Whether the schema has a nested type for it."""

    is_map: bool = False


@record
class BlockGroup:
    """All nested blocks of one name, each with its label, if any."""

    blocks: Sequence[tuple[str, Draft]]
    forces_replacement: bool
    was_secret: bool
    is_secret: bool
    is_unknown: bool
    """Whether the number of blocks is unknown."""


@record
class BlockBody:
    attributes: Mapping[str, Draft]
    groups: Mapping[str, BlockGroup]


@record
class Secret:
    symbol: Symbol
    """The change of the value itself, regardless of sensitivity."""

    was_secret: bool
    is_secret: bool


class SecretBlock(Secret):
    """A sensitive nested block."""

    __slots__ = ()


@record
class KnownAfterApply:
    """A value that is unknown until apply."""

    before: Draft | None
    repeats_forcing: bool = False
    """Whether the old value is marked as forcing a replacement, too."""


@record
class TypeChange:
    """A value that changed its type."""

    before: Draft
    after: Draft


@record
class WriteOnly:
    is_secret: bool
    ends_with_null: bool
    """Whether ` -> null` follows the mark of a forced replacement, instead of preceding it."""


Content = Scalar | Encoded | Items | Members | BlockBody | Secret | KnownAfterApply | TypeChange | WriteOnly


@record
class Draft:
    content: Content
    symbol: Symbol
    forces_replacement: bool = False

    def text(self, level: int, style: Style) -> str:
        """Render what follows the equals sign, or the name of a block, including all further lines."""
        match self.content:
            case Scalar():
                return self._scalar(self.content, level, style)
            case KnownAfterApply(before=None):
                return f"(known after apply){self._forces(style)}"
            case Encoded(content):
                return self._encoded(content, level, style)
            case Items():
                return self._items(self.content, level, style)
            case Members():
                return self._members(self.content, level, style)
            case BlockBody():
                return self._body(self.content, level, style)
            case SecretBlock():
                return _secret_block(level, style, self._forces(style))
            case Secret():
                return f"(sensitive value){self._null(style)}{self._forces(style)}"
            case KnownAfterApply(before, repeats_forcing):
                assert before is not None
                inner = style._replace(hides_null=True)
                if not repeats_forcing:
                    inner = inner._replace(forces_replacement=False, never_forces=self.forces_replacement)
                known = before.text(level, inner)
                return f"{known} -> (known after apply){self._forces(style)}"
            case TypeChange(before, after):
                inner = style._replace(hides_null=True)
                return f"{before.text(level, inner)} -> {after.text(level, inner)}"
            case WriteOnly(is_secret, ends_with_null):
                text = f"({'sensitive, ' if is_secret else ''}write-only attribute)"
                endings = self._null(style), self._forces(style)
                return text + "".join(reversed(endings) if ends_with_null else endings)

    def warnings(self, level: int) -> Iterator[str]:
        """Yield warnings to be shown before the value."""
        if not isinstance(self.content, Secret):
            return
        secret = self.content
        if secret.was_secret == secret.is_secret or secret.symbol in (CREATE, DELETE):
            return
        is_block = isinstance(secret, SecretBlock)
        what = "block" if is_block else "attribute value"
        unchanged = " The value is unchanged." if secret.symbol == NONE and not is_block else ""
        indent = " " * (4 * level + 2)
        if secret.was_secret:
            yield f"{indent}# Warning: this {what} will no longer be marked as sensitive"
            yield f"{indent}# after applying this change.{unchanged}"
        else:
            yield f"{indent}# Warning: this {what} will be marked as sensitive and will not"
            yield f"{indent}# display in UI output after applying this change.{unchanged}"

    def _forces(self, style: Style, own: bool | None = None) -> str:
        says_so = (self.forces_replacement if own is None else own) or style.forces_replacement
        return " # forces replacement" if says_so and not style.never_forces else ""

    def _null(self, style: Style) -> str:
        return " -> null" if self.symbol == DELETE and not style.hides_null else ""

    def _scalar(self, content: Scalar, level: int, style: Style) -> str:
        sides = [content.before, content.after]
        if self.symbol != UPDATE:
            sides = [content.after if self.symbol == CREATE else content.before]
        null = "" if content.is_text and sides == [None] else self._null(style)
        ending = f"{null}{self._forces(style)}"
        if not any(isinstance(side, str) and "\n" in side for side in sides):
            return " -> ".join(map(_render_scalar, sides)) + ending
        old, new = ([_render_scalar(side)] if side is None else _split_lines(side) for side in (sides[0], sides[-1]))
        changes = _line_changes(old, new, keeps_positions=content.keeps_positions)
        lines = [f"{style.margin(level + 1, symbol)}{text}" for symbol, text in changes]
        opening = f"<<-EOT{self._forces(style)}"
        return "\n".join([opening, *lines, f"{style.margin(level)}EOT{self._null(style)}"])

    def _encoded(self, content: Draft, level: int, style: Style) -> str:
        inner = style._replace(hides_null=True, forces_replacement=False, never_forces=False)
        note, symbol = "", content.symbol if self.symbol == UPDATE else NONE
        if content.symbol == NONE and self.symbol == UPDATE:
            note = " # whitespace changes"
            note += " force replacement" if self.forces_replacement else ""
            inner = inner._replace(shows_unchanged=True)
        forces = "" if note else self._forces(style)
        text = content.text(level + 1, inner)
        if "\n" not in text:
            return f"jsonencode({text}){note}{forces}"
        first = f"{style.margin(level + 1, symbol)}{text}{forces}"
        return "\n".join([f"jsonencode({note}", first, f"{style.margin(level)}){self._null(style)}"])

    def _items(self, content: Items, level: int, style: Style) -> str:
        forces = self._forces(style, self.forces_replacement and not content.passes_on)
        if not content.items:
            return f"[]{self._null(style)}{forces}"
        inner = style._replace(
            hides_null=True,
            forces_replacement=(self.forces_replacement if content.passes_on else style.forces_replacement),
            never_forces=False,
        )
        around = style._replace(shows_unchanged=True, never_forces=False)
        drawn = [f"[{forces}"]
        for item, style_of_item in _select_items(content, style, inner, around):
            if isinstance(item, int):
                drawn.append(style.margin(level + 1) + count_text(item, "element"))
                continue
            drawn += item.warnings(level + 1)
            drawn.append(f"{style.margin(level + 1, item.symbol)}{item.text(level + 1, style_of_item)},")
        return "\n".join([*drawn, f"{style.margin(level)}]{self._null(style)}"])

    def _members(self, content: Members, level: int, style: Style) -> str:
        passes_on = content.is_map and content.is_nested
        forces = self._forces(style, self.forces_replacement and not passes_on)
        if not content.members:
            return f"{{}}{self._null(style)}{forces}"
        if content.is_map:
            hides_null = self.symbol == DELETE or content.is_nested
            forces_replacement = self.forces_replacement and passes_on
        else:
            hides_null, forces_replacement = not content.is_nested, False
        inner = style._replace(hides_null=hides_null, forces_replacement=forces_replacement, never_forces=False)
        lines = member_lines(content.members, level + 1, inner, is_map=content.is_map, is_aligned=not passes_on)
        return "\n".join([f"{{{forces}", *lines, f"{style.margin(level)}}}{self._null(style)}"])

    def _body(self, content: BlockBody, level: int, style: Style) -> str:
        forces = self._forces(style)
        if not content.attributes and not content.groups:
            return f"{{}}{forces}"
        if style.forces_replacement or style.never_forces:
            style = style._replace(forces_replacement=False, never_forces=False)
        drawn = [f"{{{forces}", *member_lines(content.attributes, level + 1, style)]
        hidden = 0
        for name, group in sorted(content.groups.items()):
            lines, unchanged = _group_lines(name, group, self.symbol, level + 1, style)
            drawn += ["", *lines] if lines and content.attributes else lines
            hidden += unchanged
        if hidden:
            drawn += ["", style.margin(level + 1) + count_text(hidden, "block")]
        return "\n".join([*drawn, f"{style.margin(level)}}}"])


_JSON: Final = JsonWriter(escape_html=False)


def _render_scalar(side: Tree) -> str:
    return quoted(side) if isinstance(side, str) else _JSON.text(side)


def _split_lines(side: Tree) -> list[str]:
    """Split a text into lines. Surrounding white space of a multi-line text is dropped: a quirk of the original that is
    kept on purpose."""
    assert isinstance(side, str)
    return (side.strip(_SPACE) if "\n" in side else side).split("\n")


def _line_changes(before: list[str], after: list[str], *, keeps_positions: bool) -> Iterator[tuple[Symbol, str]]:
    for old, new in align(before, after, keeps_positions=keeps_positions):
        if old < len(before) and new < len(after) and before[old] == after[new]:
            yield NONE, before[old]
            continue
        if old < len(before):
            yield DELETE, before[old]
        if new < len(after):
            yield CREATE, after[new]


@lru_cache(1024)
def key_text(name: str) -> str:
    return name if is_identifier(name) else quoted(name)


def count_text(count: int, noun: str) -> str:
    return f"# ({count} unchanged {noun}{'' if count == 1 else 's'} hidden)"


@lru_cache(64)
def _with_unchanged(style: Style) -> Style:
    return style._replace(shows_unchanged=True)


def member_lines(
    members: Mapping[str, Draft], level: int, style: Style, *, is_map: bool = False, is_aligned: bool = True
) -> Iterator[str]:
    """Yield `name = value` for each changed member, and the number of unchanged ones."""
    texts = {name: quoted(name) if is_map else key_text(name) for name in sorted(members)}
    width = max((len(name) + 2 if is_map else len(text) for name, text in texts.items()), default=0) * is_aligned
    hidden = 0
    for name, text in texts.items():
        draft = members[name]
        own = _with_unchanged(style) if not is_map and name in _IMPORTANT else style
        if draft.symbol == NONE and not own.shows_unchanged:
            hidden += 1
            continue
        if isinstance(draft.content, Secret):
            yield from draft.warnings(level)
        comma = "," if is_map and isinstance(draft.content, Members) and not draft.content.is_map else ""
        yield f"{style.margin(level, draft.symbol)}{text:{width}} = {draft.text(level, own)}{comma}"
    if hidden:
        yield style.margin(level) + count_text(hidden, "element" if is_map else "attribute")


def _select_items(content: Items, style: Style, inner: Style, around: Style) -> Iterator[tuple[Draft | int, Style]]:
    """Yield changed elements, with one neighbour on each side if order matters. A number stands for omitted
    elements."""
    waiting: list[Draft] = []
    follows_change = False
    for item in content.items:
        if item.symbol == NONE and not follows_change and not style.shows_unchanged:
            waiting.append(item)
            continue
        follows_change = False
        if not content.has_context:
            yield item, inner
            continue
        if len(waiting) > 1:
            yield len(waiting) - 1, inner
        if waiting:
            yield waiting[-1], around
        waiting = []
        follows_change = item.symbol != NONE
        yield item, inner if follows_change else around
    if waiting:
        yield len(waiting), inner


def _group_lines(name: str, group: BlockGroup, symbol: Symbol, level: int, style: Style) -> tuple[list[str], int]:
    """Return the lines, and the number of unchanged blocks that were omitted."""
    blocks: Iterable[tuple[str, Draft]] = group.blocks
    if group.is_unknown:
        blocks = [("", Draft(KnownAfterApply(None), symbol)), *blocks]
    inner = style._replace(forces_replacement=group.forces_replacement)
    lines: list[str] = []
    hidden = 0
    for label, block in blocks:
        draft = _hide_in_group(group, block)
        if draft.symbol == NONE and not style.shows_unchanged:
            hidden += 1
            continue
        lines += draft.warnings(level)
        title = f"{key_text(name)} {quoted(label)}" if label else key_text(name)
        lines += [f"{style.margin(level, draft.symbol)}{title} {draft.text(level, inner)}"]
    return lines, hidden


def _hide_in_group(group: BlockGroup, block: Draft) -> Draft:
    """Hide a block that belongs to a sensitive group."""
    concerned = {CREATE: group.is_secret, DELETE: group.was_secret}
    if not concerned.get(block.symbol, group.is_secret or group.was_secret):
        return block
    revealed = block.symbol == NONE and group.is_secret != group.was_secret
    content = SecretBlock(block.symbol, group.was_secret, group.is_secret)
    return Draft(content, UPDATE if revealed else block.symbol, block.forces_replacement)


def _secret_block(level: int, style: Style, forces: str) -> str:
    margin = style.margin(level)
    return "\n".join(
        [
            f"{{{forces}",
            f"{margin}  # At least one attribute in this block is (or was) sensitive,",
            f"{margin}  # so its contents will not be displayed.",
            f"{margin}}}",
        ]
    )
