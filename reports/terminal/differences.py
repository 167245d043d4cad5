"""From a change and the schema it follows to a draft of its drawing: what became of which part.

Schemas matter. Nested blocks and attributes with a nested type are matched position by position, elements of plain
lists along their longest common part, elements of sets by being equal; and a value whose schema allows any type is
matched by what it happens to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from reports.terminal.alignment import aligned, aligned_set
from reports.terminal.change import CREATE, NONE, UPDATE, Symbol, ValueChange, combined
from reports.terminal.draft import (
    BlockBody,
    BlockGroup,
    Draft,
    Encoded,
    Items,
    Later,
    Members,
    Scalar,
    Secret,
    SecretBlock,
    Turned,
    WriteOnly,
)
from shared_nodes.providers.schema import Attribute, Block, NestedAttributes, Nesting, attribute_type
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


# What hides a value


def _veiled(change: ValueChange, make: _Maker, parts: Sequence[str] = (), *, is_block: bool = False) -> Draft | None:
    """Where the whole is sensitive or unknown. `parts` become known later too: they are not gone."""
    if change.was_secret or change.is_secret:
        return _secret(change, make, is_block)
    if not change.is_unknown:
        return None
    if change.before is None:
        return Draft(Later(None), CREATE, change.forces_replacement)
    later: dict[str, Tree] = dict.fromkeys(parts, True)
    before = make(change.only_before()._replace(unknown=later))
    return Draft(Later(before), change._replace(has=True).action, change.forces_replacement)


def _secret(change: ValueChange, make: _Maker, is_block: bool) -> Draft:
    inner = make(change._replace(before_sensitive=False, after_sensitive=False))
    is_nothing = change.before is None and change.after is None and not change.had and not change.has
    action = inner.action
    if action == NONE and change.was_secret != change.is_secret and not is_nothing:
        action = UPDATE
    content = (SecretBlock if is_block else Secret)(inner.action, change.was_secret, change.is_secret)
    return Draft(content, action, change.forces_replacement)


# Blocks


def block_draft(change: ValueChange, block: Block) -> Draft:
    names = [*block.attributes, *block.block_types]
    return _veiled(change, lambda inner: block_draft(inner, block), names, is_block=True) or _body(change, block)


def _body(change: ValueChange, block: Block) -> Draft:
    if change.empty_is_null and _is_of_newer_sdk(block):
        change = change._replace(empty_is_null=False)
    attributes, action = _attributes(change, block.attributes)
    groups: dict[str, BlockGroup] = {}
    for name, nested in block.block_types.items():
        part = change.attribute(name)
        drafts, of_blocks = _blocks(part, nested.nesting, nested.block)
        if of_blocks == NONE and part.before is None and part.after is None and not part.is_unknown:
            continue
        is_unknown = part.is_unknown and nested.nesting not in (Nesting.SINGLE, Nesting.GROUP)
        groups[name] = BlockGroup(drafts, part.forces_replacement, part.was_secret, part.is_secret, is_unknown)
        action = combined(action, of_blocks)
    attributes |= _write_only(change, block.attributes, action)
    return Draft(BlockBody(attributes, groups), action, change.forces_replacement)


def _is_of_newer_sdk(block: Block) -> bool:
    """What the old one could not have said. Once seen, it is so for everything inside."""
    if any(nested.nesting in (Nesting.MAP, Nesting.GROUP) for nested in block.block_types.values()):
        return True
    return any(one.nested is not None or _is_of_newer_type(attribute_type(one)) for one in block.attributes.values())


def _is_of_newer_type(ty: Type) -> bool:
    if contains_dynamic(ty) or isinstance(ty, TupleType | ObjectType):
        return True
    inner = ty.element if isinstance(ty, CollectionType) else None
    return isinstance(inner, CollectionType) and isinstance(inner.element, CollectionType | TupleType | ObjectType)


def _blocks(change: ValueChange, nesting: Nesting, block: Block) -> tuple[list[tuple[str, Draft]], Symbol]:
    """Each with what stands behind its name: the key, for those that have one."""
    if nesting in (Nesting.SINGLE, Nesting.GROUP):
        draft = block_draft(change, block)
        return [("", draft)], draft.action
    action, drafts = change.action_of_whole, []
    for key, part in _elements(change, nesting):
        draft = block_draft(part, block)
        drafts.append((key, draft))
        action = combined(action, draft.action)
    return drafts, action


def _elements(change: ValueChange, nesting: Nesting) -> Iterator[tuple[str, ValueChange]]:
    match nesting:
        case Nesting.MAP:
            yield from ((key, change.element(key)) for key in change.keys)
        case Nesting.SET:
            yield from (("", change.item(old, new)) for old, new in aligned_set(change))
        case _:
            count = max(len(change.items_before), len(change.items_after))
            yield from (("", change.item(index, index)) for index in range(count))


# Attributes


def _attributes(change: ValueChange, attributes: Mapping[str, Attribute]) -> tuple[dict[str, Draft], Symbol]:
    """Those that are set on one side at least. What is null on both is not even counted."""
    action, drafts = change.action_of_whole, {}
    for name, attribute in attributes.items():
        if attribute.write_only:
            continue
        part = change.attribute(name)
        if part.is_nothing:
            continue
        draft = _attribute_draft(part, attribute)
        if draft.action == NONE and part.before is None and part.after is None:
            continue
        drafts[name] = draft
        action = combined(action, draft.action)
    return drafts, action


def _write_only(change: ValueChange, attributes: Mapping[str, Attribute], action: Symbol) -> dict[str, Draft]:
    """Nobody knows whether they change: they come and go with what they are in."""
    own = NONE if action == UPDATE else action
    is_secret = change.was_secret or change.is_secret
    return {
        name: Draft(WriteOnly(is_secret), own, change.forces_replacement)
        for name, attribute in attributes.items()
        if attribute.write_only
    }


def _attribute_draft(change: ValueChange, attribute: Attribute) -> Draft:
    if attribute.nested is not None:
        return _nested_draft(change, attribute.nested)
    return type_draft(change, attribute_type(attribute))


def _nested_draft(change: ValueChange, nested: NestedAttributes) -> Draft:
    def make(inner: ValueChange) -> Draft:
        return _nested_draft(inner, nested)

    veiled = _veiled(change, make, list(nested.attributes))
    if veiled is not None:
        return veiled
    if nested.nesting in (Nesting.SINGLE, Nesting.GROUP):
        attributes, action = _attributes(change, nested.attributes)
        attributes |= _write_only(change, nested.attributes, action)
        return Draft(Members(attributes, is_nested=True), action, change.forces_replacement)
    one = NestedAttributes(Nesting.SINGLE, nested.attributes)
    action, drafts = change.action_of_whole, []
    for key, part in _elements(change, nested.nesting):
        drafts.append((key, _nested_draft(part, one)))
        action = combined(action, drafts[-1][1].action)
    if nested.nesting is Nesting.MAP:
        return Draft(Members(dict(drafts), is_nested=True, is_map=True), action, change.forces_replacement)
    items = [draft for _, draft in drafts]
    is_set = nested.nesting is Nesting.SET
    return Draft(Items(items, has_context=False, passes_on=is_set), action, change.forces_replacement)


# Types


def type_draft(change: ValueChange, ty: Type) -> Draft:
    if change.empty_is_null:
        change = change.without_empty_texts()
    return _veiled(change, lambda inner: type_draft(inner, ty)) or _typed(change, ty)


def _typed(change: ValueChange, ty: Type) -> Draft:
    match ty:
        case ObjectType():
            return _object(change, ty)
        case MapType():
            parts = {key: type_draft(change.element(key), ty.element) for key in change.keys}
            action = _action_of(change, parts.values())
            return Draft(Members(parts, is_map=True), action, change.forces_replacement)
        case ListType():
            is_object = isinstance(ty.element, ObjectType)
            pairs = aligned(change.items_before, change.items_after, lambda _: is_object)
            return _items(change, [type_draft(change.item(old, new), ty.element) for old, new in pairs])
        case SetType():
            parts_of_set = [type_draft(change.item(old, new), ty.element) for old, new in aligned_set(change)]
            return _items(change, parts_of_set, has_context=False)
        case TupleType():
            types = enumerate(ty.elements)
            return _items(change, [type_draft(change.item(index, index), of_item) for index, of_item in types])
    if ty is DYNAMIC:
        return value_draft(change)
    return _scalar(change)


def _object(change: ValueChange, ty: ObjectType) -> Draft:
    attributes = {name: Attribute(part, optional=True) for name, part in ty.attributes.items()}
    drafts, action = _attributes(change, attributes)
    return Draft(Members(drafts), action, change.forces_replacement)


def _items(change: ValueChange, items: list[Draft], *, has_context: bool = True) -> Draft:
    return Draft(Items(items, has_context), _action_of(change, items), change.forces_replacement)


def _action_of(change: ValueChange, parts: Iterable[Draft]) -> Symbol:
    action = change.action_of_whole
    for part in parts:
        action = combined(action, part.action)
    return action


# Values of any type


def value_draft(change: ValueChange) -> Draft:
    """By what it is on both sides. What has no type never says that it forces a replacement, unless it is sensitive or
    unknown as a whole: a quirk of the original kept on purpose."""
    if change.replacing:
        change = change._replace(replacing=())
    veiled = _veiled(change, value_draft)
    if veiled is not None:
        return veiled
    before, after = _kind(change.before), _kind(change.after)
    has_gone, is_new = change.after is None and not change.has, change.before is None and not change.had
    if before == after or has_gone or is_new:
        return _of_kind(change, after if before is None else before)
    return Draft(Turned(_of_kind(change.only_before(), before), _of_kind(change.only_after(), after)), UPDATE)


_KINDS: Final[Mapping[type, str]] = {bool: "bool", str: "text", JsonNumber: "number", list: "list", dict: "object"}


def _kind(side: Tree) -> str | None:
    return _KINDS.get(side.__class__)


def _of_kind(change: ValueChange, kind: str | None) -> Draft:
    if kind == "list":
        pairs = aligned(change.items_before, change.items_after, lambda item: isinstance(item, dict))
        items = [value_draft(change.item(old, new)) for old, new in pairs]
        return Draft(Items(items, has_context=True), _action_of(change, items))
    if kind == "object":
        parts = {key: value_draft(change.element(key)) for key in change.keys}
        return Draft(Members(parts), _action_of(change, parts.values()))
    return _scalar(change)


# Texts


def _scalar(change: ValueChange) -> Draft:
    """Where only one side is JSON, each is drawn for itself."""
    old, new = _json_content(change.before), _json_content(change.after)
    if old is None and new is None:
        return Draft(Scalar(change.before, change.after), change.action, change.forces_replacement)
    if change.action == UPDATE and (old is None or new is None):
        sides = Turned(_scalar(_alone(change.before, None)), _scalar(_alone(None, change.after)))
        return Draft(sides, UPDATE, change.forces_replacement)
    content = value_draft(ValueChange(old, new))
    return Draft(Encoded(content), change.action, change.forces_replacement)


def _alone(before: Tree, after: Tree) -> ValueChange:
    """One side of a change; also null is something there, if the other side is."""
    return ValueChange(before, after, had=after is None, has=before is None)


def _json_content(text: Tree) -> Tree:
    """What a text holds if it is JSON of an object or a list."""
    if not isinstance(text, str) or text[:1] not in ("{", "["):
        return None
    try:
        return loads(text)
    except JsonError:
        return None
