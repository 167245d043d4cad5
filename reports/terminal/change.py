"""A value before and after a change, and what a plan publishes about its parts: which are unknown, sensitive, or the
reason for a replacement. All values are as in the JSON form of a plan; numbers keep their digits."""

from __future__ import annotations

from typing import Final, NamedTuple

from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["CREATE", "DELETE", "NONE", "UPDATE", "Symbol", "ValueChange", "combine", "part_of"]

Symbol = str
NONE, CREATE, UPDATE, DELETE = " ", "+", "~", "-"

_NOTHING: Final[tuple[Tree, bool]] = (None, False)


def combine(whole: Symbol, part: Symbol) -> Symbol:
    """Combine the symbol of a whole with that of one more of its parts."""
    return whole if part in (NONE, whole) else UPDATE


class ValueChange(NamedTuple):
    """A value before and after a change.

    `before` and `after` are null both for a null element and for a missing one; `had` and `has` distinguish the two.
    Attributes do not need this distinction: null means that they are not set.

    This is a tuple because a plan has one per attribute of each object, and a frozen dataclass takes four times as long
    to create.
    """

    before: Tree
    after: Tree
    unknown: Tree = False
    before_sensitive: Tree = False
    after_sensitive: Tree = False
    replacing: tuple[tuple[Tree, ...], ...] = ()
    """Paths from here to the parts that make a replacement necessary."""

    had: bool = False
    has: bool = False
    empty_is_null: bool = True
    """Whether empty texts count as null. The old provider SDK cannot distinguish them, so types that it may have
    defined are treated this way."""

    @property
    def forces_replacement(self) -> bool:
        return () in self.replacing

    @property
    def is_nothing(self) -> bool:
        """Whether the value is null, and known to be, on both sides."""
        return self.before is None and self.after is None and not self.unknown

    @property
    def is_unknown(self) -> bool:
        return self.unknown is True

    @property
    def was_secret(self) -> bool:
        return self.before_sensitive is True

    @property
    def is_secret(self) -> bool:
        return self.after_sensitive is True

    @property
    def symbol(self) -> Symbol:
        """The symbol as far as it follows from the two sides alone."""
        came, went = self.after is not None or self.has, self.before is not None or self.had
        if came and not went:
            return CREATE
        if went and not came:
            return DELETE
        same = self.before == self.after and self.had == self.has and self.was_secret == self.is_secret
        return NONE if same else UPDATE

    @property
    def symbol_of_whole(self) -> Symbol:
        """The symbol of a value that has parts, before any of them is considered."""
        if self.before is None:
            return NONE if self.after is None else CREATE
        return DELETE if self.after is None else NONE

    def attribute(self, name: str) -> ValueChange:
        return ValueChange(
            _attribute_of(self.before, name),
            _attribute_of(self.after, name),
            _attribute_of(self.unknown, name) or False,
            _attribute_of(self.before_sensitive, name) or False,
            _attribute_of(self.after_sensitive, name) or False,
            self.replacing and self._replacing_in(name),
            empty_is_null=self.empty_is_null,
        )

    def element(self, key: str) -> ValueChange:
        return self._change_of_part(key, key, key)

    def item(self, old: int, new: int) -> ValueChange:
        """Return the change from the element at the first position to that at the second. There is no element past the
        end."""
        return self._change_of_part(old, new, old if old < len(self.items_before) else new)

    def _change_of_part(self, old: str | int, new: str | int, step: str | int) -> ValueChange:
        before, had = part_of(self.before, old)
        after, has = part_of(self.after, new)
        return ValueChange(
            before,
            after,
            self.unknown and (part_of(self.unknown, new)[0] or False),
            self.before_sensitive and (part_of(self.before_sensitive, old)[0] or False),
            self.after_sensitive and (part_of(self.after_sensitive, new)[0] or False),
            self.replacing and self._replacing_in(step),
            had,
            has,
            self.empty_is_null,
        )

    def _replacing_in(self, key: str | int) -> tuple[tuple[Tree, ...], ...]:
        return tuple(path[1:] for path in self.replacing if path and _leads_to(path[0], key))

    def unchanged(self) -> ValueChange:
        return self._replace(after=self.before, unknown=False, after_sensitive=self.before_sensitive, has=self.had)

    def only_before(self) -> ValueChange:
        return self._replace(after=None, unknown=False, after_sensitive=False, has=False)

    def only_after(self) -> ValueChange:
        return self._replace(before=None, before_sensitive=False, had=False)

    def without_empty_texts(self) -> ValueChange:
        if self.before != "" and self.after != "":
            return self
        before, after = (None if side == "" else side for side in (self.before, self.after))
        return self._replace(before=before, after=after)

    @property
    def items_before(self) -> list[Tree]:
        return self.before if isinstance(self.before, list) else []

    @property
    def items_after(self) -> list[Tree]:
        return self.after if isinstance(self.after, list) else []

    @property
    def keys(self) -> list[str]:
        """Keys that exist before, after, or in the unknown parts."""
        return _keys_of(self.before, self.after, self.unknown)

    @property
    def present_keys(self) -> list[str]:
        """Keys that exist before or after."""
        return _keys_of(self.before, self.after)


def _keys_of(*sides: Tree) -> list[str]:
    return sorted({key for side in sides if isinstance(side, dict) for key in side})


def _attribute_of(whole: Tree, name: str) -> Tree:
    return whole.get(name) if isinstance(whole, dict) else None


def part_of(whole: Tree, key: str | int) -> tuple[Tree, bool]:
    """Return a part, and whether it exists."""
    if isinstance(whole, dict) and isinstance(key, str):
        return (whole[key], True) if key in whole else _NOTHING
    if isinstance(whole, list) and isinstance(key, int) and key < len(whole):
        return whole[key], True
    return _NOTHING


def _leads_to(step: Tree, key: str | int) -> bool:
    return step.text == str(key) if isinstance(step, JsonNumber) else step == key
