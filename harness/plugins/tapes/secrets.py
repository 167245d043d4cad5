"""Secrets on a tape: what stands in their place, and how it is filled in again.

    {"$secret": 1}                          a text or number; equal numbers within an exchange are equal values
    {"$text": ["user:", 1, "@host"]}        a text that contains some
    {"$new_secret": 2}, {"$new_number": 2}  one that the request does not contain; numbered throughout the tape

A recorded request with such places fits every request that has any value there, as long as the same places are equal
and others are different: a tape replays with whatever the case has in place of the secret. The values that were found
there are filled into the answer. A secret that only the provider knew gets a value made up for the purpose, the same
wherever the tape has it.

Names are not hidden, and neither are booleans, nulls and empty texts, as they tell nothing. A key of a map that
contains a secret is replaced for good, and a request with such a key fits no other.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Final

from harness.plugins.tapes.calls import KINDS, Method
from harness.plugins.tapes.tape import Exchange, Tape, merged
from harness.plugins.tapes.tape_values import BYTES, TYPE, UNKNOWN, VALUE, plain_name
from shared_nodes.providers.schema import Nesting, ProviderSchema, ResourceSchema, SchemaAttribute, SchemaBlock
from shared_nodes.record import record
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["SHORTEST", "filled", "fits", "has_secrets", "is_secret", "masked"]

SHORTEST: Final = 6
"""Minimal length of a secret that is replaced wherever it occurs. A shorter one is replaced where the schema says that
it is sensitive, and where it is the whole of a value that the caller calls a secret."""

_SECRET: Final = "$secret"
_TEXT: Final = "$text"
_NEW_SECRET: Final = "$new_secret"
_NEW_NUMBER: Final = "$new_number"

Leaf = str | JsonNumber
Bound = dict[int, Leaf]

_GOVERNED: Final = frozenset({"config", "prior", "proposed", "planned", "current", "value", "attributes"})
"""Members of requests and answers that have the form of the block of the type."""

_Change = Callable[[Leaf, bool], Tree]
"""Returns what takes the place of a text or number. The second argument says whether the schema calls it sensitive."""


def masked(tapes: Iterable[Tape], secrets: Iterable[str] = ()) -> list[Tape]:
    """Return the tapes of a run without any secrets: those of the schemas, and these. What one provider calls a secret
    may have been passed to another."""
    tapes, given = list(tapes), frozenset(filter(None, secrets))
    hidden = _Hidden.of({leaf for tape in tapes for leaf in _secrets_of(tape)}, given)
    return [_masked_tape(tape, hidden) for tape in tapes]


def _secrets_of(tape: Tape) -> set[Leaf]:
    found: set[Leaf] = set()

    def collect(leaf: Leaf, sensitive: bool) -> Tree:
        if sensitive:
            found.add(leaf)
        return leaf

    for exchange in tape.exchanges:
        plain: set[Leaf] = set()

        def note(leaf: Leaf, sensitive: bool, plain: set[Leaf] = plain) -> Tree:
            plain.add(leaf)
            return collect(leaf, sensitive)

        def collect_all(leaf: Leaf, sensitive: bool, plain: set[Leaf] = plain) -> Tree:
            return collect(leaf, sensitive or leaf not in plain)

        is_opening = exchange.method is Method.OPEN_EPHEMERAL
        _changed_exchange(tape.schema, exchange, note, collect_all if is_opening else collect)
    return found


def _masked_tape(tape: Tape, hidden: _Hidden) -> Tape:
    """Mask twice: new secrets are numbered in the order of the exchanges, which masking the requests determines."""
    order = [_masked_exchange(tape.schema, exchange, hidden, {}).order for exchange in tape.exchanges]
    fresh: dict[Leaf, int] = {}
    exchanges = [
        _masked_exchange(tape.schema, tape.exchanges[index], hidden, fresh)
        for index in sorted(range(len(order)), key=order.__getitem__)
    ]
    return replace(tape, exchanges=merged(exchanges))


@record
class _Hidden:
    whole: frozenset[str]
    """Texts of leaves that are secrets wherever one of them is the whole of a value."""

    pattern: re.Pattern[str] | None
    """Finds secrets inside of texts."""

    @staticmethod
    def of(found: Iterable[Leaf], given: frozenset[str]) -> _Hidden:
        texts = {leaf.text if isinstance(leaf, JsonNumber) else leaf for leaf in found} | given
        long = {text for text in texts if len(text) >= SHORTEST}
        forms = sorted({form for text in long for form in _forms(text)}, key=lambda form: (-len(form), form))
        pattern = re.compile("|".join(map(re.escape, forms))) if forms else None
        return _Hidden(frozenset(long) | given, pattern)


def _forms(text: str) -> Iterator[str]:
    """Return the text, and how it is written inside of JSON, as private data often is."""
    yield from (text, dumps(text)[1:-1], dumps(text, escape_html=False)[1:-1], json.dumps(text)[1:-1])


@record(frozen=False)
class _Masking:
    """Masks one exchange: its request first, so that the answers know which secrets that contains."""

    hidden: _Hidden
    fresh: dict[Leaf, int]
    numbers: dict[Leaf, int] = field(default_factory=dict)
    plain: set[Leaf] = field(default_factory=set)
    """What the request contains and is not a secret."""

    def in_request(self, leaf: Leaf, sensitive: bool) -> Tree:
        if not self._is_secret(leaf, sensitive):
            self.plain.add(leaf)
            return self._inside(leaf, self._number)
        return {_SECRET: JsonNumber(str(self._number(leaf)))}

    def in_answer(self, leaf: Leaf, sensitive: bool) -> Tree:
        if not self._is_secret(leaf, sensitive):
            return self._inside(leaf, self._number_in_answer)
        if leaf in self.numbers:
            return {_SECRET: JsonNumber(str(self.numbers[leaf]))}
        name = _NEW_SECRET if isinstance(leaf, str) else _NEW_NUMBER
        return {name: JsonNumber(str(self._fresh(leaf)))}

    def in_ephemeral_answer(self, leaf: Leaf, sensitive: bool) -> Tree:
        """Whatever an ephemeral object has beyond its configuration must not be stored anywhere."""
        return self.in_answer(leaf, sensitive or leaf not in self.plain)

    def _is_secret(self, leaf: Leaf, sensitive: bool) -> bool:
        text = leaf.text if isinstance(leaf, JsonNumber) else leaf
        return bool(text) and (sensitive or text in self.hidden.whole)

    def _inside(self, leaf: Leaf, number_of: Callable[[Leaf], int]) -> Tree:
        if isinstance(leaf, JsonNumber) or self.hidden.pattern is None:
            return leaf
        parts: list[Tree] = []
        end = 0
        for found in self.hidden.pattern.finditer(leaf):
            parts += [leaf[end : found.start()], JsonNumber(str(number_of(found[0])))]
            end = found.end()
        return {_TEXT: [*parts, leaf[end:]]} if parts else leaf

    def _number(self, leaf: Leaf) -> int:
        return self.numbers.setdefault(leaf, len(self.numbers) + 1)

    def _number_in_answer(self, leaf: Leaf) -> int:
        """Return the number of a secret inside of a text. New ones have negative numbers there."""
        return self.numbers.get(leaf) or -self._fresh(leaf)

    def _fresh(self, leaf: Leaf) -> int:
        return self.fresh.setdefault(leaf, len(self.fresh) + 1)


def _masked_exchange(schema: ProviderSchema, exchange: Exchange, hidden: _Hidden, fresh: dict[Leaf, int]) -> Exchange:
    masking = _Masking(hidden, fresh)
    is_opening = exchange.method is Method.OPEN_EPHEMERAL
    answering = masking.in_ephemeral_answer if is_opening else masking.in_answer
    return _changed_exchange(schema, exchange, masking.in_request, answering)


# Where secrets are


def _changed_exchange(schema: ProviderSchema, exchange: Exchange, in_request: _Change, in_answer: _Change) -> Exchange:
    block = _block_of(schema, exchange.method, exchange.type_name)
    request = _changed_members(schema, block, exchange.request, in_request)
    answers = tuple([_changed_members(schema, block, answer, in_answer) for answer in exchange.answers])
    return replace(exchange, request=request, answers=answers)


def _block_of(schema: ProviderSchema, method: Method, type_name: str) -> SchemaBlock | None:
    if method in (Method.VALIDATE_PROVIDER, Method.CONFIGURE):
        return schema.provider
    schemas: Mapping[str, ResourceSchema] = getattr(schema, KINDS[method]) if method in KINDS else {}
    found = schemas.get(type_name)
    return None if found is None else found.block


def _changed_members(
    schema: ProviderSchema, block: SchemaBlock | None, members: Mapping[str, Tree], change: _Change
) -> dict[str, Tree]:
    result: dict[str, Tree] = {}
    for name, part in members.items():
        if name in _GOVERNED:
            result[name] = _changed(part, block, change)
        elif name == "provider_meta":
            result[name] = _changed(part, schema.provider_meta, change)
        elif name == "objects" and isinstance(part, list):
            result[name] = [_changed_object(schema, each, change) for each in part]
        else:
            result[name] = part if name in _WORDS else _changed(part, None, change)
    return result


_WORDS: Final = frozenset({"severity", "attribute", "requires_replace", "version", "source_version", "type"})
"""Members that are never part of a value."""


def _changed_object(schema: ProviderSchema, tree: Tree, change: _Change) -> Tree:
    if not isinstance(tree, dict):
        return tree
    block = _block_of(schema, Method.IMPORT, str(tree.get("type", "")))
    return _changed_members(schema, block, tree, change)


def _changed(tree: Tree, block: SchemaBlock | None, change: _Change, sensitive: bool = False) -> Tree:
    """Change all texts and numbers of a value with the form of this block; None stands for one without a form."""
    if isinstance(tree, str | JsonNumber):
        return change(tree, sensitive)
    if isinstance(tree, list):
        return [_changed(part, block, change, sensitive) for part in tree]
    if not isinstance(tree, dict):
        return tree
    if TYPE in tree:
        return {**tree, VALUE: _changed(tree.get(VALUE), block, change, sensitive)}
    if UNKNOWN in tree:
        return {UNKNOWN: _changed_refinement(tree[UNKNOWN], change, sensitive)}
    if BYTES in tree:
        return _changed_bytes(tree, change, sensitive)
    return {
        _changed_name(name, change): _changed_part(name, part, block, change, sensitive) for name, part in tree.items()
    }


def _changed_part(name: str, part: Tree, block: SchemaBlock | None, change: _Change, sensitive: bool) -> Tree:
    if block is None:
        return part if name in _WORDS else _changed(part, None, change, sensitive)
    name = plain_name(name)
    if name in block.block_types:
        nested = block.block_types[name]
        return _changed_nested(part, nested.nesting, nested.block, change, sensitive)
    attribute = block.attributes.get(name, SchemaAttribute())
    sensitive = sensitive or attribute.sensitive or attribute.write_only
    if attribute.nested is not None:
        inner = SchemaBlock(attribute.nested.attributes)
        return _changed_nested(part, attribute.nested.nesting, inner, change, sensitive)
    return _changed(part, None, change, sensitive)


def _changed_nested(tree: Tree, nesting: Nesting, block: SchemaBlock, change: _Change, sensitive: bool) -> Tree:
    if isinstance(tree, dict) and TYPE in tree:
        return {**tree, VALUE: _changed_nested(tree.get(VALUE), nesting, block, change, sensitive)}
    if nesting is Nesting.MAP and isinstance(tree, dict) and UNKNOWN not in tree:
        return {_changed_name(name, change): _changed(part, block, change, sensitive) for name, part in tree.items()}
    return _changed(tree, block, change, sensitive)


def _changed_refinement(tree: Tree, change: _Change, sensitive: bool) -> Tree:
    """Leave out the prefix of an unknown text that is a secret, or contains one."""
    if not isinstance(tree, dict) or "prefix" not in tree:
        return tree
    kept = {name: part for name, part in tree.items() if name != "prefix"}
    changed = change(str(tree["prefix"]), False)
    return kept if sensitive or isinstance(changed, dict) else tree


def _changed_bytes(tree: dict[str, Tree], change: _Change, sensitive: bool) -> Tree:
    """Data that is no text is replaced as a whole, if it is a secret or contains one."""
    data = base64.b64decode(str(tree[BYTES]))
    readable = change(data.decode("utf-8", "replace"), sensitive)
    return {BYTES: base64.b64encode(b"(sensitive value)").decode()} if isinstance(readable, dict) else tree


def _changed_name(name: str, change: _Change) -> str:
    changed = change(plain_name(name), False)
    return name if isinstance(changed, str) else "(sensitive key)"


# Replaying


def has_secrets(tree: Tree) -> bool:
    if isinstance(tree, dict):
        return is_secret(tree) or any(map(has_secrets, tree.values()))
    return isinstance(tree, list) and any(map(has_secrets, tree))


def is_secret(tree: Tree) -> bool:
    """Return whether something stands here in the place of a text or number."""
    return isinstance(tree, dict) and not tree.keys().isdisjoint((_SECRET, _TEXT, _NEW_SECRET, _NEW_NUMBER))


def fits(recorded: Tree, asked: Tree) -> Bound | None:
    """Return the secrets of a request that fits a recorded one; None if it does not."""
    bound: Bound = {}
    texts: list[tuple[list[Tree], str]] = []
    if not _fit(recorded, asked, bound, texts):
        return None
    for parts, text in texts:
        if not _fit_text(parts, text, bound):
            return None
    return bound


def _fit(recorded: Tree, asked: Tree, bound: Bound, texts: list[tuple[list[Tree], str]]) -> bool:
    if isinstance(recorded, dict):
        if _SECRET in recorded:
            return isinstance(asked, Leaf) and _bind(_whole(recorded[_SECRET]), asked, bound)
        if isinstance(parts := recorded.get(_TEXT), list):
            if isinstance(asked, str):
                texts.append((parts, asked))
            return isinstance(asked, str)
        return (
            isinstance(asked, dict)
            and recorded.keys() == asked.keys()
            and all(_fit(part, asked[name], bound, texts) for name, part in recorded.items())
        )
    if isinstance(recorded, list):
        return (
            isinstance(asked, list)
            and len(recorded) == len(asked)
            and all(_fit(part, other, bound, texts) for part, other in zip(recorded, asked, strict=True))
        )
    return recorded == asked and isinstance(recorded, bool) == isinstance(asked, bool)


def _bind(number: int, leaf: Leaf, bound: Bound) -> bool:
    if number in bound:
        return bound[number] == leaf
    if leaf in bound.values() or leaf == "":
        return False
    bound[number] = leaf
    return True


def _fit_text(parts: list[Tree], text: str, bound: Bound) -> bool:
    known = [_literal(part, bound) for part in parts]
    pattern = "".join("(.+?)" if each is None else re.escape(each) for each in known)
    found = re.fullmatch(pattern, text, re.DOTALL)
    open_numbers = [_whole(part) for part, each in zip(parts, known, strict=True) if each is None]
    return found is not None and all(map(lambda n, leaf: _bind(n, leaf, bound), open_numbers, found.groups()))


def _literal(part: Tree, bound: Bound) -> str | None:
    if isinstance(part, str):
        return part
    leaf = bound.get(_whole(part))
    return leaf.text if isinstance(leaf, JsonNumber) else leaf


def _whole(tree: Tree) -> int:
    return int(tree.text) if isinstance(tree, JsonNumber) else 0


def filled(tree: Tree, bound: Bound) -> Tree:
    """Return a recorded answer with the secrets of the request that it answers."""
    if isinstance(tree, list):
        return [filled(part, bound) for part in tree]
    if not isinstance(tree, dict):
        return tree
    if _SECRET in tree:
        return bound.get(_whole(tree[_SECRET]))
    if isinstance(parts := tree.get(_TEXT), list):
        return "".join(_literal(part, bound) or _made_up(-_whole(part)) for part in parts)
    if _NEW_SECRET in tree:
        return _made_up(_whole(tree[_NEW_SECRET]))
    if _NEW_NUMBER in tree:
        return tree[_NEW_NUMBER]
    return {name: filled(part, bound) for name, part in tree.items()}


def _made_up(number: int) -> str:
    return f"secret-{number}"
