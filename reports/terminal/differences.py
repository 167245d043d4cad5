"""Makes drafts from changes and schemas: decides what happened to which part.

Nested blocks and attributes with a nested type are matched position by position, elements of plain lists along their
longest common subsequence, elements of sets by equality. If the schema allows any type, the types of the values decide.
"""

from __future__ import annotations

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
from shared_nodes.providers.schema import NestedAttributes, Nesting, SchemaAttribute, SchemaBlock, attribute_type
from shared_nodes.values.json import JsonError, JsonNumber, Tree, loads
from shared_nodes.values.types import (
    DYNAMIC,
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
    contains_dynamic,
)

__all__ = ["block_draft", "type_draft", "value_draft"]

_Maker = Callable[[ValueChange], Draft]


# Sensitive and unknown values


def _hidden_draft(
    change: ValueChange, make: _Maker, parts: Sequence[str] = (), *, is_block: bool = False
) -> Draft | None:
    """Return the draft of a value that is sensitive or unknown as a whole, else None. `parts` will be known later, too,
    so they are not removed."""
    if change.was_secret or change.is_secret:
        return _secret(change, make, is_block)
    if not change.is_unknown:
        return None
    if change.before is None:
        return Draft(KnownAfterApply(None), CREATE, change.forces_replacement)
    later: dict[str, Tree] = dict.fromkeys(parts, True)
    before = make(change.only_before()._replace(unknown=later))
    return Draft(KnownAfterApply(before), change._replace(has=True).symbol, change.forces_replacement)


def _secret(change: ValueChange, make: _Maker, is_block: bool) -> Draft:
    inner = make(change._replace(before_sensitive=False, after_sensitive=False))
    is_nothing = change.before is None and change.after is None and not change.had and not change.has
    symbol = inner.symbol
    if symbol == NONE and change.was_secret != change.is_secret and not is_nothing:
        symbol = UPDATE
    content = (SecretBlock if is_block else Secret)(inner.symbol, change.was_secret, change.is_secret)
    return Draft(content, symbol, change.forces_replacement)


# Blocks


def block_draft(change: ValueChange, block: SchemaBlock) -> Draft:
    names = [*block.attributes, *block.block_types]
    return _hidden_draft(change, lambda inner: block_draft(inner, block), names, is_block=True) or _body(change, block)


def _body(change: ValueChange, block: SchemaBlock) -> Draft:
    if change.empty_is_null and _is_of_newer_sdk(block):
        change = change._replace(empty_is_null=False)
    attributes, symbol = _attributes(change, block.attributes)
    groups: dict[str, BlockGroup] = {}
    for name, nested in block.block_types.items():
        part = change.attribute(name)
        drafts, of_blocks = _blocks(part, nested.nesting, nested.block)
        if of_blocks == NONE and part.before is None and part.after is None and not part.is_unknown:
            continue
        is_unknown = part.is_unknown and nested.nesting not in (Nesting.SINGLE, Nesting.GROUP)
        groups[name] = BlockGroup(drafts, part.forces_replacement, part.was_secret, part.is_secret, is_unknown)
        symbol = combine(symbol, of_blocks)
    attributes |= _write_only(change, block.attributes, symbol)
    return Draft(BlockBody(attributes, groups), symbol, change.forces_replacement)


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


def _blocks(change: ValueChange, nesting: Nesting, block: SchemaBlock) -> tuple[list[tuple[str, Draft]], Symbol]:
    """Return the drafts of nested blocks, each with the label that follows its name, if any."""
    if nesting in (Nesting.SINGLE, Nesting.GROUP):
        draft = block_draft(change, block)
        return [("", draft)], draft.symbol
    symbol, drafts = change.symbol_of_whole, []
    for key, part in _elements(change, nesting):
        draft = block_draft(part, block)
        drafts.append((key, draft))
        symbol = combine(symbol, draft.symbol)
    return drafts, symbol


def _elements(change: ValueChange, nesting: Nesting) -> Iterator[tuple[str, ValueChange]]:
    match nesting:
        case Nesting.MAP:
            yield from ((key, change.element(key)) for key in change.keys)
        case Nesting.SET:
            yield from (("", change.item(old, new)) for old, new in align_sets(change))
        case _:
            count = max(len(change.items_before), len(change.items_after))
            yield from (("", change.item(index, index)) for index in range(count))


# Attributes


def _attributes(change: ValueChange, attributes: Mapping[str, SchemaAttribute]) -> tuple[dict[str, Draft], Symbol]:
    """Return drafts of the attributes that are set on at least one side. Those that are null on both are not even
    counted."""
    symbol, drafts = change.symbol_of_whole, {}
    for name, attribute in attributes.items():
        if attribute.write_only:
            continue
        part = change.attribute(name)
        if part.is_nothing:
            continue
        draft = _attribute_draft(part, attribute)
        if draft.symbol == NONE and part.before is None and part.after is None:
            continue
        drafts[name] = draft
        symbol = combine(symbol, draft.symbol)
    return drafts, symbol


def _write_only(change: ValueChange, attributes: Mapping[str, SchemaAttribute], symbol: Symbol) -> dict[str, Draft]:
    """Return drafts of write-only attributes. Their changes are unknown: they are created and deleted with their
    parent."""
    own = NONE if symbol == UPDATE else symbol
    is_secret = change.was_secret or change.is_secret
    return {
        name: Draft(WriteOnly(is_secret), own, change.forces_replacement)
        for name, attribute in attributes.items()
        if attribute.write_only
    }


def _attribute_draft(change: ValueChange, attribute: SchemaAttribute) -> Draft:
    if attribute.nested is not None:
        return _nested_draft(change, attribute.nested)
    return type_draft(change, attribute_type(attribute))


def _nested_draft(change: ValueChange, nested: NestedAttributes) -> Draft:
    def make(inner: ValueChange) -> Draft:
        return _nested_draft(inner, nested)

    hidden = _hidden_draft(change, make, list(nested.attributes))
    if hidden is not None:
        return hidden
    if nested.nesting in (Nesting.SINGLE, Nesting.GROUP):
        attributes, symbol = _attributes(change, nested.attributes)
        attributes |= _write_only(change, nested.attributes, symbol)
        return Draft(Members(attributes, is_nested=True), symbol, change.forces_replacement)
    one = NestedAttributes(Nesting.SINGLE, nested.attributes)
    symbol, drafts = change.symbol_of_whole, []
    for key, part in _elements(change, nested.nesting):
        drafts.append((key, _nested_draft(part, one)))
        symbol = combine(symbol, drafts[-1][1].symbol)
    if nested.nesting is Nesting.MAP:
        return Draft(Members(dict(drafts), is_nested=True, is_map=True), symbol, change.forces_replacement)
    items = [draft for _, draft in drafts]
    is_set = nested.nesting is Nesting.SET
    return Draft(Items(items, has_context=False, passes_on=is_set), symbol, change.forces_replacement)


# Types


def type_draft(change: ValueChange, ty: Type) -> Draft:
    if change.empty_is_null:
        change = change.without_empty_texts()
    return _hidden_draft(change, lambda inner: type_draft(inner, ty)) or _draft_of_type(change, ty)


def _draft_of_type(change: ValueChange, ty: Type) -> Draft:
    match ty:
        case ObjectType():
            return _object(change, ty)
        case MapType():
            parts = {key: type_draft(change.element(key), ty.element) for key in change.keys}
            symbol = _symbol_of(change, parts.values())
            return Draft(Members(parts, is_map=True), symbol, change.forces_replacement)
        case ListType():
            is_object = isinstance(ty.element, ObjectType)
            pairs = align(change.items_before, change.items_after, lambda _: is_object)
            return _items(change, [type_draft(change.item(old, new), ty.element) for old, new in pairs])
        case SetType():
            parts_of_set = [type_draft(change.item(old, new), ty.element) for old, new in align_sets(change)]
            return _items(change, parts_of_set, has_context=False)
        case TupleType():
            types = enumerate(ty.elements)
            return _items(change, [type_draft(change.item(index, index), of_item) for index, of_item in types])
    if ty is DYNAMIC:
        return value_draft(change)
    return _scalar(change)


def _object(change: ValueChange, ty: ObjectType) -> Draft:
    attributes = {name: SchemaAttribute(part, optional=True) for name, part in ty.attributes.items()}
    drafts, symbol = _attributes(change, attributes)
    return Draft(Members(drafts), symbol, change.forces_replacement)


def _items(change: ValueChange, items: list[Draft], *, has_context: bool = True) -> Draft:
    return Draft(Items(items, has_context), _symbol_of(change, items), change.forces_replacement)


def _symbol_of(change: ValueChange, parts: Iterable[Draft]) -> Symbol:
    symbol = change.symbol_of_whole
    for part in parts:
        symbol = combine(symbol, part.symbol)
    return symbol


# Values of any type


def value_draft(change: ValueChange) -> Draft:
    """Draft a value of any type by the types of both sides.

    Such a value never says that it forces a replacement, unless it is sensitive or unknown as a whole: a quirk of the
    original that is kept on purpose.
    """
    if change.replacing:
        change = change._replace(replacing=())
    hidden = _hidden_draft(change, value_draft)
    if hidden is not None:
        return hidden
    before, after = _kind(change.before), _kind(change.after)
    has_gone, is_new = change.after is None and not change.has, change.before is None and not change.had
    if before == after or has_gone or is_new:
        return _draft_of_kind(change, after if before is None else before)
    return Draft(
        TypeChange(_draft_of_kind(change.only_before(), before), _draft_of_kind(change.only_after(), after)), UPDATE
    )


_KINDS: Final[Mapping[type, str]] = {bool: "bool", str: "text", JsonNumber: "number", list: "list", dict: "object"}


def _kind(side: Tree) -> str | None:
    return _KINDS.get(side.__class__)


def _draft_of_kind(change: ValueChange, kind: str | None) -> Draft:
    if kind == "list":
        pairs = align(change.items_before, change.items_after, lambda item: isinstance(item, dict))
        items = [value_draft(change.item(old, new)) for old, new in pairs]
        return Draft(Items(items, has_context=True), _symbol_of(change, items))
    if kind == "object":
        parts = {key: value_draft(change.element(key)) for key in change.keys}
        return Draft(Members(parts), _symbol_of(change, parts.values()))
    return _scalar(change)


# Texts


def _scalar(change: ValueChange) -> Draft:
    """Draft a primitive value. If only one side of a text is JSON, each is rendered separately."""
    old, new = _json_content(change.before), _json_content(change.after)
    if old is None and new is None:
        return Draft(Scalar(change.before, change.after), change.symbol, change.forces_replacement)
    if change.symbol == UPDATE and (old is None or new is None):
        sides = TypeChange(_scalar(_one_side(change.before, None)), _scalar(_one_side(None, change.after)))
        return Draft(sides, UPDATE, change.forces_replacement)
    content = value_draft(ValueChange(old, new))
    return Draft(Encoded(content), change.symbol, change.forces_replacement)


def _one_side(before: Tree, after: Tree) -> ValueChange:
    """Return one side of a change. Null counts as present there if the other side is the missing one."""
    return ValueChange(before, after, had=after is None, has=before is None)


def _json_content(text: Tree) -> Tree:
    """Return the content of a text that is a JSON object or list, else None."""
    if not isinstance(text, str) or text[:1] not in ("{", "["):
        return None
    try:
        return loads(text)
    except JsonError:
        return None
