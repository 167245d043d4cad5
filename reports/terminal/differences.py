"""Makes drafts from changes and schemas: decides what happened to which part.

Nested blocks and attributes with a nested type are matched position by position, elements of plain lists along their
longest common subsequence, elements of sets by equality. If the schema allows any type, the types of the values decide.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from reports.terminal.alignment import align, align_sets
from reports.terminal.change import CREATE, NONE, UPDATE, Symbol, ValueChange, combine
from reports.terminal.draft import (
    BlockBody,
    BlockGroup,
    Draft,
    Encoded,
    Items,
    KnownAfterApply,
    Members,
    Scalar,
    Secret,
    SecretBlock,
    TypeChange,
    WriteOnly,
)
from shared_nodes.flavour import Flavour
from shared_nodes.providers.schema import NestedAttributes, Nesting, SchemaAttribute, SchemaBlock, attribute_type
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, JsonNumber, Tree, loads
from shared_nodes.values.types import (
    DYNAMIC,
    STRING,
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
    contains_dynamic,
)

__all__ = ["Drafter"]

_Maker = Callable[[ValueChange], Draft]


@record
class Drafter:
    """Makes drafts as one product would."""

    flavour: Flavour

    # Entrances: a whole resource, or a whole output

    def resource(self, change: ValueChange, block: SchemaBlock) -> Draft:
        return self._block(self._with_own_empties(change), block)

    def output(self, change: ValueChange, ty: Type = DYNAMIC) -> Draft:
        """Draft an output. The type is known in a state only."""
        change = self._with_own_empties(change)
        if ty is not DYNAMIC:
            return self._type(change, ty)
        return self._hidden(change, lambda inner: self._type(inner, DYNAMIC)) or self._value(change)

    def _with_own_empties(self, change: ValueChange) -> ValueChange:
        """Return the change with the rule for empty texts that holds before any schema is considered."""
        return change._replace(empty_is_null=not self.flavour.hides_empty_arguments)

    # Sensitive and unknown values

    def _hidden(
        self,
        change: ValueChange,
        make: _Maker,
        parts: Sequence[str] = (),
        *,
        is_block: bool = False,
        is_typed: bool = True,
    ) -> Draft | None:
        """Return the draft of a value that is sensitive or unknown as a whole, else None. `parts` will be known later,
        too, so they are not removed. If an element is null and becomes unknown, it counts as new only where the schema
        has no type for it."""
        if change.was_secret or change.is_secret:
            return self._secret(change, make, is_block)
        if not change.is_unknown:
            return None
        symbol = change._replace(has=True).symbol
        if change.before is None:
            return Draft(KnownAfterApply(None), symbol if is_typed else CREATE, change.forces_replacement)
        later: dict[str, Tree] = dict.fromkeys(parts, True)
        before = make(self._with_own_empties(change.only_before())._replace(unknown=later))
        content = KnownAfterApply(before, self.flavour.unknowns_repeat_what_they_force)
        return Draft(content, symbol, change.forces_replacement)

    def _secret(self, change: ValueChange, make: _Maker, is_block: bool) -> Draft:
        plain = change._replace(before_sensitive=False, after_sensitive=False)
        inner = make(self._with_own_empties(plain))
        is_nothing = change.before is None and change.after is None and not change.had and not change.has
        symbol = inner.symbol
        if symbol == NONE and change.was_secret != change.is_secret and not is_nothing:
            symbol = UPDATE
        content = (SecretBlock if is_block else Secret)(inner.symbol, change.was_secret, change.is_secret)
        return Draft(content, symbol, change.forces_replacement)

    # Blocks

    def _block(self, change: ValueChange, block: SchemaBlock) -> Draft:
        names = [*block.attributes, *block.block_types]
        hidden = self._hidden(change, lambda inner: self._block(inner, block), names, is_block=True)
        return hidden or self._body(change, block)

    def _body(self, change: ValueChange, block: SchemaBlock) -> Draft:
        if change.empty_is_null and _is_of_newer_sdk(block):
            change = change._replace(empty_is_null=False)
        attributes, symbol = self._attributes(change, block.attributes, hides_empty=self.flavour.hides_empty_arguments)
        if self.flavour.write_only_follows_its_block:
            own = self._write_only_like_block(change, block.attributes, symbol)
            attributes |= own
            symbol = _combined(symbol, own.values())
        groups: dict[str, BlockGroup] = {}
        for name, nested in block.block_types.items():
            part = change.attribute(name)
            if part.is_unknown and self.flavour.unknown_blocks_look_like_their_parent:
                groups[name] = self._unknown_group(part, block)
                continue
            drafts, of_blocks = self._blocks(part, nested.nesting, nested.block)
            if of_blocks == NONE and part.before is None and part.after is None and not part.is_unknown:
                continue
            is_unknown = part.is_unknown and nested.nesting not in (Nesting.SINGLE, Nesting.GROUP)
            groups[name] = BlockGroup(drafts, part.forces_replacement, part.was_secret, part.is_secret, is_unknown)
            symbol = combine(symbol, of_blocks)
        if not self.flavour.write_only_follows_its_block:
            attributes |= _write_only(change, block.attributes, symbol)
        return Draft(BlockBody(attributes, groups), symbol, change.forces_replacement)

    def _unknown_group(self, change: ValueChange, parent: SchemaBlock) -> BlockGroup:
        """Draft blocks whose number is unknown as one block. It is taken for one like its parent, so that it shows the
        arguments of that: a quirk of the original that is kept on purpose."""
        draft = self._hidden(
            change._replace(before_sensitive=False, after_sensitive=False),
            lambda before: self._block(before, parent),
            list(parent.attributes),
        )
        assert draft is not None
        return BlockGroup([("", draft)], change.forces_replacement, change.was_secret, change.is_secret, False)

    def _blocks(
        self, change: ValueChange, nesting: Nesting, block: SchemaBlock
    ) -> tuple[list[tuple[str, Draft]], Symbol]:
        """Return the drafts of nested blocks, each with the label that follows its name, if any."""
        if nesting in (Nesting.SINGLE, Nesting.GROUP):
            draft = self._block(change, block)
            return [("", draft)], draft.symbol
        drafts = [(key, self._block(part, block)) for key, part in _elements(change, nesting)]
        return drafts, _combined(change.symbol_of_whole, (draft for _, draft in drafts))

    # Attributes

    def _attributes(
        self, change: ValueChange, attributes: Mapping[str, SchemaAttribute], *, hides_empty: bool = False
    ) -> tuple[dict[str, Draft], Symbol]:
        """Return drafts of the attributes that are set on at least one side. Those that are null on both are not even
        counted."""
        symbol, drafts = change.symbol_of_whole, {}
        for name, attribute in attributes.items():
            if attribute.write_only:
                continue
            part = change.attribute(name)
            if hides_empty:
                part = part.without_empty_texts()
            if part.is_nothing:
                continue
            draft = self._attribute(part, attribute)
            if draft.symbol == NONE and part.before is None and part.after is None:
                continue
            drafts[name] = draft
            symbol = combine(symbol, draft.symbol)
        return drafts, symbol

    @staticmethod
    def _write_only_like_block(
        change: ValueChange, attributes: Mapping[str, SchemaAttribute], symbol: Symbol
    ) -> dict[str, Draft]:
        """Return drafts of write-only attributes with the symbol of the others. One that forces a replacement changes
        in any case."""
        forced = {name: change.attribute(name).forces_replacement for name, one in attributes.items() if one.write_only}
        content = WriteOnly(is_secret=False, ends_with_null=True)
        return {
            name: Draft(content, UPDATE if forces and symbol == NONE else symbol, forces)
            for name, forces in forced.items()
        }

    def _attribute(self, change: ValueChange, attribute: SchemaAttribute) -> Draft:
        if attribute.nested is not None:
            return self._nested(change, attribute.nested)
        return self._type(change, attribute_type(attribute))

    def _nested(self, change: ValueChange, nested: NestedAttributes) -> Draft:
        hidden = self._hidden(change, lambda inner: self._nested(inner, nested), list(nested.attributes))
        if hidden is not None:
            return hidden
        if nested.nesting in (Nesting.SINGLE, Nesting.GROUP):
            return self._nested_object(change, nested.attributes)
        one = NestedAttributes(Nesting.SINGLE, nested.attributes)
        drafts = {
            index: (key, self._nested(part, one)) for index, (key, part) in enumerate(_elements(change, nested.nesting))
        }
        symbol = _combined(change.symbol_of_whole, (draft for _, draft in drafts.values()))
        if nested.nesting is Nesting.MAP:
            members = dict(drafts.values())
            return Draft(Members(members, is_nested=True, is_map=True), symbol, change.forces_replacement)
        items = [draft for _, draft in drafts.values()]
        is_set = nested.nesting is Nesting.SET
        return Draft(Items(items, has_context=False, passes_on=is_set), symbol, change.forces_replacement)

    def _nested_object(self, change: ValueChange, attributes: Mapping[str, SchemaAttribute]) -> Draft:
        drafts, symbol = self._attributes(change, attributes)
        if self.flavour.write_only_follows_its_block:
            drafts |= self._write_only_like_block(change, attributes, symbol)
        else:
            drafts |= _write_only(change, attributes, symbol)
        return Draft(Members(drafts, is_nested=True), symbol, change.forces_replacement)

    # Types

    def _type(self, change: ValueChange, ty: Type) -> Draft:
        if change.empty_is_null:
            change = change.without_empty_texts()
        return self._hidden(change, lambda inner: self._type(inner, ty)) or self._of_type(change, ty)

    def _of_type(self, change: ValueChange, ty: Type) -> Draft:
        match ty:
            case ObjectType():
                return self._object(change, ty)
            case MapType():
                parts = {key: self._type(change.element(key), ty.element) for key in change.keys}
                symbol = _combined(change.symbol_of_whole, parts.values())
                return Draft(Members(parts, is_map=True), symbol, change.forces_replacement)
            case ListType():
                pairs = self._aligned(change, lambda _: isinstance(ty.element, ObjectType))
                return _items(change, [self._type(change.item(old, new), ty.element) for old, new in pairs])
            case SetType():
                of_set = [self._type(change.item(old, new), ty.element) for old, new in align_sets(change)]
                return _items(change, of_set, has_context=False)
            case TupleType():
                types = enumerate(ty.elements)
                return _items(change, [self._type(change.item(index, index), of_item) for index, of_item in types])
        return self._value(change) if ty is DYNAMIC else self._scalar(change, is_text=ty is STRING)

    def _object(self, change: ValueChange, ty: ObjectType) -> Draft:
        attributes = {name: SchemaAttribute(part, optional=True) for name, part in ty.attributes.items()}
        drafts, symbol = self._attributes(change, attributes)
        return Draft(Members(drafts), symbol, change.forces_replacement)

    def _aligned(self, change: ValueChange, is_object: Callable[[Tree], bool]) -> Iterator[tuple[int, int]]:
        keeps_positions = self.flavour.lists_keep_positions

        def may_become(old: Tree, new: Tree) -> bool:
            return (is_object(old) and is_object(new)) or (not keeps_positions and _share_a_line(old, new))

        return align(change.items_before, change.items_after, may_become, keeps_positions=keeps_positions)

    # Values of any type

    def _value(self, change: ValueChange) -> Draft:
        """Draft a value of any type by the types of both sides.

        Such a value never says that it forces a replacement, unless it is sensitive or unknown as a whole: a quirk of
        the original that is kept on purpose.
        """
        if change.replacing:
            change = change._replace(replacing=())
        hidden = self._hidden(change, self._value, is_typed=False)
        if hidden is not None:
            return hidden
        before, after = _kind(change.before), _kind(change.after)
        has_gone, is_new = change.after is None and not change.has, change.before is None and not change.had
        if before == after or has_gone or is_new:
            return self._of_kind(change, after if before is None else before)
        sides = TypeChange(self._of_kind(change.only_before(), before), self._of_kind(change.only_after(), after))
        return Draft(sides, UPDATE)

    def _of_kind(self, change: ValueChange, kind: str | None) -> Draft:
        if kind == "list":
            pairs = self._aligned(change, lambda item: isinstance(item, dict))
            items = [self._value(change.item(old, new)) for old, new in pairs]
            return Draft(Items(items, has_context=True), _combined(change.symbol_of_whole, items))
        if kind == "object":
            parts = {key: self._value(change.element(key)) for key in change.keys}
            return Draft(Members(parts), _combined(change.symbol_of_whole, parts.values()))
        return self._scalar(change, is_text=kind == "text")

    # Texts

    def _scalar(self, change: ValueChange, *, is_text: bool) -> Draft:
        """Draft a primitive value. If only one side of a text is JSON, each is rendered separately."""
        old, new = self._json_content(change.before), self._json_content(change.after)
        if old is None and new is None:
            content = Scalar(change.before, change.after, is_text, self.flavour.lists_keep_positions)
            return Draft(content, change.symbol, change.forces_replacement)
        if change.symbol == UPDATE and (old is None or new is None):
            before, after = _one_side(change.before, None), _one_side(None, change.after)
            sides = TypeChange(self._scalar(before, is_text=is_text), self._scalar(after, is_text=is_text))
            return Draft(sides, UPDATE, change.forces_replacement)
        return Draft(Encoded(self._value(ValueChange(old, new))), change.symbol, change.forces_replacement)

    def _json_content(self, text: Tree) -> Tree:
        """Return the content of a text that is a JSON object or list, else None."""
        if not isinstance(text, str) or text[:1] not in ("{", "["):
            return None
        try:
            return loads(text[: _end_of_json(text)] if self.flavour.shows_json_with_a_tail else text)
        except (JsonError, ValueError):
            return None


def _is_of_newer_sdk(block: SchemaBlock) -> bool:
    """Return whether the block uses features that the old provider SDK lacks. This then applies to everything
    inside."""
    if any(nested.nesting in (Nesting.MAP, Nesting.GROUP) for nested in block.block_types.values()):
        return True
    return any(one.nested is not None or _is_of_newer_type(attribute_type(one)) for one in block.attributes.values())


def _is_of_newer_type(ty: Type) -> bool:
    if contains_dynamic(ty) or isinstance(ty, TupleType | ObjectType):
        return True
    inner = ty.element if isinstance(ty, CollectionType) else None
    return isinstance(inner, CollectionType) and isinstance(inner.element, CollectionType | TupleType | ObjectType)


def _elements(change: ValueChange, nesting: Nesting) -> Iterator[tuple[str, ValueChange]]:
    match nesting:
        case Nesting.MAP:
            yield from ((key, change.element(key)) for key in change.present_keys)
        case Nesting.SET:
            yield from (("", change.item(old, new)) for old, new in align_sets(change))
        case _:
            count = max(len(change.items_before), len(change.items_after))
            yield from (("", change.item(index, index)) for index in range(count))


def _write_only(change: ValueChange, attributes: Mapping[str, SchemaAttribute], symbol: Symbol) -> dict[str, Draft]:
    """Return drafts of write-only attributes. Their changes are unknown: they are created and deleted with their
    parent."""
    own = NONE if symbol == UPDATE else symbol
    content = WriteOnly(change.was_secret or change.is_secret, ends_with_null=False)
    return {
        name: Draft(content, own, change.forces_replacement)
        for name, attribute in attributes.items()
        if attribute.write_only
    }


def _items(change: ValueChange, items: list[Draft], *, has_context: bool = True) -> Draft:
    return Draft(Items(items, has_context), _combined(change.symbol_of_whole, items), change.forces_replacement)


def _combined(symbol: Symbol, parts: Iterable[Draft]) -> Symbol:
    for part in parts:
        symbol = combine(symbol, part.symbol)
    return symbol


_KINDS: Final[Mapping[type, str]] = {bool: "bool", str: "text", JsonNumber: "number", list: "list", dict: "object"}


def _kind(side: Tree) -> str | None:
    return _KINDS.get(side.__class__)


def _share_a_line(old: Tree, new: Tree) -> bool:
    """Return whether two texts, at least one of which has several lines, have a line in common."""
    if not isinstance(old, str) or not isinstance(new, str) or "\n" not in old + new:
        return False
    return not set(old.split("\n")).isdisjoint(new.split("\n"))


def _one_side(before: Tree, after: Tree) -> ValueChange:
    """Return one side of a change. Null counts as present there if the other side is the missing one."""
    return ValueChange(before, after, had=after is None, has=before is None)


def _end_of_json(text: str) -> int:
    """Return where the first JSON value of a text ends. Raises ValueError if there is none."""
    return json.JSONDecoder().raw_decode(text)[1]
