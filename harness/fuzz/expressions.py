"""Expressions of a wanted type, out of literals, functions and what may be referred to.

Recipes are texts with places for further expressions: `<s>` a string, `<n>` a number, `<b>` a bool, `<l>` a list of
strings, `<m>` a map of strings, `<k>` the key of the instance, `<v>` what it stands for. What cannot be evaluated for
every value of its places is not among them: a story is wrong on purpose or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from harness.generate.choices import GenerationContext
from harness.generate.model import OWN_KEY, OWN_VALUE, Expression, Node, OwnKey, Reference, Sort
from harness.generate.printing import quoted
from harness.generate.referable_attributes import LIST, MAP, readable
from shared_nodes.values.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)

__all__ = ["Wish", "literal_of", "make_expression", "reference_to"]

_WORDS: Final = ("one", "two", "three", "a-b", "", "ü", "10", "true", "Mixed Case", "with \\\\ and ${1 + 1}", "x,y,z")
_PLAIN: Final = _WORDS[:9]
_PLACE: Final = re.compile(r"<([snblmkv])>")
_PLACES: Final[dict[str, Type]] = {"s": STRING, "n": NUMBER, "b": BOOL, "l": LIST, "m": MAP}

_Part = str | Reference | OwnKey


@dataclass(frozen=True, slots=True)
class Wish:
    """What an expression may be made of. `depth` is how many recipes deep."""

    nodes: Sequence[Node]
    depth: int = 2
    is_static: bool = False
    may_be_ephemeral: bool = False
    has_simcloud: bool = True

    def usable(self, node: Node) -> bool:
        if node.is_ephemeral and not self.may_be_ephemeral:
            return False
        return node.is_static or not self.is_static


_RECIPES: Final[dict[Type, tuple[tuple[str, str, int], ...]]] = {
    STRING: (
        ("template", '"t-${<s>}"', 8),
        ("own key", '"at-${<k>}"', 5),
        ("own value", '"of-${<v>}"', 7),
        ("template if", '"%{ if <b> }yes%{ else }no%{ endif }-${<s>}"', 2),
        ("template for", '"%{ for one in <l> }${one},%{ endfor }"', 2),
        ("conditional", "(<b> ? <s> : <s>)", 4),
        ("value that turns out the same", '(<s> == "never" ? "changed" : "steady")', 3),
        ("try", 'try(<s>, "fallback")', 2),
        ("function upper", "upper(<s>)", 2),
        ("function join", 'join("-", <l>)', 3),
        ("function format", 'format("%s/%d", <s>, <n>)', 2),
        ("function replace", 'replace(<s>, "o", "0")', 1),
        ("function trimspace", "trimspace(<s>)", 1),
        ("function tostring", "tostring(<n>)", 2),
        ("function jsonencode", "jsonencode(<m>)", 2),
        ("function yamlencode", "yamlencode(<l>)", 1),
        ("function md5", "md5(<s>)", 1),
        ("function substr", "substr(<s>, 0, 3)", 1),
        ("function lookup", 'lookup(<m>, "one", <s>)', 2),
        ("function element", 'element(concat(<l>, ["last"]), 0)', 1),
        ("function coalesce", 'coalesce(<s>, "nothing")', 1),
        ("function one", "one([<s>])", 1),
        ("function base64encode", "base64encode(<s>)", 1),
        ("function nonsensitive", "nonsensitive(<s>)", 1),
        ("function sensitive", "sensitive(<s>)", 2),
        ("provider function", 'provider::simcloud::joined(<s>, "p")', 2),
        ("provider function of any type", "provider::simcloud::echo(<s>)", 1),
        ("path", "basename(path.module)", 3),
        ("path of the root", "basename(path.root)", 1),
        ("workspace", "terraform.workspace", 1),
        ("time of the plan", "plantimestamp()", 1),
    ),
    NUMBER: (
        ("function length", "length(<l>)", 4),
        ("arithmetic", "(<n> + 2 * <n>)", 3),
        ("function max", "max(<n>, 3)", 2),
        ("conditional", "(<b> ? <n> : 7)", 2),
        ("function length of a text", "length(<s>)", 1),
        ("function abs", "abs(<n>)", 1),
    ),
    BOOL: (
        ("comparison", "(<s> == <s>)", 4),
        ("comparison of numbers", "(<n> > 2)", 3),
        ("logic", "(<b> && !<b>)", 2),
        ("function contains", 'contains(<l>, "one")', 2),
        ("function can", "can(<m>.missing)", 1),
        ("null test", "(<s> != null)", 2),
    ),
    LIST: (
        ("for expression", "[for one in <l> : upper(one)]", 3),
        ("for expression with a filter", '[for one in <l> : one if one != "one"]', 2),
        ("list of expressions", "[<s>, <s>]", 5),
        ("function concat", "concat(<l>, [<s>])", 2),
        ("function split", 'split("-", <s>)', 2),
        ("function distinct", "distinct(<l>)", 1),
        ("function sort", "sort(<l>)", 1),
        ("function keys", "keys(<m>)", 2),
        ("function compact", "compact(<l>)", 1),
        ("splat", "[{ at = <s> }, { at = <s> }][*].at", 1),
        ("function values", "values(<m>)", 1),
    ),
    MAP: (
        ("map of expressions", "{ one = <s>, two = <s> }", 6),
        ("for expression to a map", "{ for one in toset(<l>) : one => upper(one) }", 2),
        ("function merge", "merge(<m>, { three = <s> })", 2),
        ("function tomap", "tomap({ one = <s> })", 1),
        ("function zipmap", 'zipmap(["p", "q"], [<s>, <s>])', 1),
    ),
}


def make_expression(craft: GenerationContext, wanted: Type, wish: Wish) -> Expression:
    """Of that type, or of one that converts to it without an error."""
    parts = _parts(craft, wanted, wish, wish.depth)
    is_sensitive = any(isinstance(part, str) and _HIDES.search(part) for part in parts)
    return Expression(tuple(parts), is_sensitive)


_HIDES: Final = re.compile(r"(?<!non)sensitive\(")


def _parts(craft: GenerationContext, wanted: Type, wish: Wish, depth: int) -> list[_Part]:
    if wanted == DYNAMIC:
        wanted = craft.chooser.choice((STRING, NUMBER, BOOL, LIST, MAP))
    match wanted:
        case SetType():
            return ["toset(", *_parts(craft, LIST, wish, depth), ")"] if wanted.element == STRING else ["[]"]
        case ObjectType():
            return _object(craft, wanted, wish, depth)
        case ListType() | MapType() if wanted not in (LIST, MAP):
            return _collection(craft, wanted, wish, depth)
        case TupleType():
            return _parts(craft, LIST, wish, depth)
    if depth > 0 and craft.chooser.chance(_REFERENCES):
        reference = reference_to(craft, wanted, wish)
        if reference is not None:
            return [reference]
    if depth > 0 and craft.chooser.chance(_DEEPER):
        return _cooked(craft, wanted, wish, depth)
    return [literal_of(craft, wanted)]


_REFERENCES: Final = 55
_DEEPER: Final = 45


def _object(craft: GenerationContext, wanted: ObjectType, wish: Wish, depth: int) -> list[_Part]:
    parts: list[_Part] = ["{ "]
    for name, part in wanted.attributes.items():
        parts += [f"{name} = ", *_parts(craft, part, wish, depth - 1), ", "]
    return [*parts, "}"]


def _collection(craft: GenerationContext, wanted: ListType | MapType, wish: Wish, depth: int) -> list[_Part]:
    opening, closing = ("[", "]") if isinstance(wanted, ListType) else ("{ ", " }")
    parts: list[_Part] = [opening]
    for number in range(craft.chooser.integer(0, 2)):
        key = "" if isinstance(wanted, ListType) else f"k{number} = "
        parts += [key, *_parts(craft, wanted.element, wish, depth - 1), ", "]
    return [*parts, closing]


def _cooked(craft: GenerationContext, wanted: Type, wish: Wish, depth: int) -> list[_Part]:
    recipes = {name: text for name, text, _ in _RECIPES[wanted] if wish.has_simcloud or "::" not in text}
    weights = [(name, weight) for name, _, weight in _RECIPES[wanted] if name in recipes]
    if wish.is_static:
        weights = [(name, weight) for name, weight in weights if name not in _UNSTEADY]
    parts: list[_Part] = []
    for index, piece in enumerate(_PLACE.split(recipes[craft.pick(weights)])):
        if index % 2 == 0:
            parts.append(piece)
        elif piece == "k":
            parts.append(OWN_KEY)
        elif piece == "v":
            parts.append(OWN_VALUE)
        else:
            parts += _parts(craft, _PLACES[piece], wish, depth - 1)
    return parts


_UNSTEADY: Final = ("function sensitive", "own key", "own value", "time of the plan", "function nonsensitive")


def literal_of(craft: GenerationContext, wanted: Type) -> str:
    chooser = craft.chooser
    if wanted == NUMBER:
        return str(chooser.integer(0, 9))
    if wanted == BOOL:
        return chooser.choice(("true", "false"))
    if wanted == LIST:
        return "[" + ", ".join(quoted(word) for word in chooser.some(_PLAIN, 3)) + "]"
    if wanted == MAP:
        pairs = zip(("one", "two"), chooser.some(_PLAIN, 2), strict=False)
        return "{ " + ", ".join(f"{key} = {quoted(word)}" for key, word in pairs) + " }"
    return quoted(chooser.choice(_PLAIN))


def reference_to(
    craft: GenerationContext, wanted: Type, wish: Wish, nodes: Iterable[Node] | None = None
) -> Reference | None:
    """To something of exactly that type; None where there is nothing."""
    candidates = [node for node in (wish.nodes if nodes is None else nodes) if node.is_alive and wish.usable(node)]
    found = [
        (node, path, output) for node in candidates for path, offered, output in readable(node) if offered == wanted
    ]
    if not found:
        return None
    node, path, output = craft.chooser.choice(found)
    craft.used.add(f"reference to a {node.sort}")
    return Reference(node, path, wanted, craft.chooser.integer(0, 5), output if node.sort is Sort.CALL else None)
