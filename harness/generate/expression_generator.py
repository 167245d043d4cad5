"""Expressions of a requested type, made of literals, functions and references.

Recipes are texts with placeholders for further expressions: `<s>` a string, `<n>` a number, `<b>` a bool, `<l>` a list
of strings, `<m>` a map of strings, `<k>` the key of the instance, `<v>` the value under that key, `<a>` the name of a
part of a document (`GenerationContext.name_part`). Every recipe can be
evaluated for all values of its placeholders: a story contains errors only on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from harness.generate.choices import GenerationContext
from harness.generate.model import OWN_KEY, OWN_VALUE, BlockKind, ModelBlock, ModelExpression, ModelReference, OwnKey
from harness.generate.printing import quoted
from harness.generate.referable_attributes import LIST, MAP, referable_attributes
from shared_nodes.record import record
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

__all__ = ["ExpressionSpec", "choose_reference", "make_expression", "make_literal"]

_WORDS: Final = ("one", "two", "three", "a-b", "", "ü", "10", "true", "Mixed Case", "with \\\\ and ${1 + 1}", "x,y,z")
_PLAIN: Final = _WORDS[:9]
_PLACE: Final = re.compile(r"<([snblmkva])>")
_PLACES: Final[dict[str, Type]] = {"s": STRING, "n": NUMBER, "b": BOOL, "l": LIST, "m": MAP}

_Part = str | ModelReference | OwnKey


@record
class ExpressionSpec:
    """What an expression may be made of. `depth` limits how deeply recipes are nested."""

    blocks: Sequence[ModelBlock]
    depth: int = 2
    is_static: bool = False
    may_be_ephemeral: bool = False
    has_simcloud: bool = True

    def allows(self, block: ModelBlock) -> bool:
        if block.is_ephemeral and not self.may_be_ephemeral:
            return False
        return block.is_static or not self.is_static


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
        ("opentofu: tofu.workspace", "tofu.workspace", 1),
        ("opentofu: function base64gunzip", "base64gunzip(base64gzip(<s>))", 1),
        ("opentofu: function urldecode", "urldecode(urlencode(<s>))", 1),
        ("opentofu: templatestring of an expression", 'templatestring("<$${one}>", { one = <s> })', 1),
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
        ("opentofu: and that stops", "(<b> && (1 == 2 && [true][5]))", 2),
        ("opentofu: or that stops", '(1 < 2 || tobool("no") || <b>)', 2),
        ("opentofu: function cidrcontains", 'cidrcontains("10.${<n>}.0.0/16", "10.4.1.1")', 1),
        ("opentofu: comparison of the workspace", '(tofu.workspace == "default" || <b>)', 1),
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
        ("map of expressions", "{ <a> = <s>, <a> = <s> }", 6),
        ("for expression to a map", "{ for one in toset(<l>) : one => upper(one) }", 2),
        ("function merge", "merge(<m>, { three = <s> })", 2),
        ("function tomap", "tomap({ one = <s> })", 1),
        ("function zipmap", 'zipmap(["p", "q"], [<s>, <s>])', 1),
        ("opentofu: keys named like parts of a plan", "{ before = <s>, after = <s>, checks = <s> }", 2),
        ("opentofu: keys named like parts of a state", "{ resources = <s>, instances = <s>, outputs = <s> }", 2),
    ),
}


def make_expression(context: GenerationContext, wanted: Type, spec: ExpressionSpec) -> ModelExpression:
    """Make an expression of the given type, or of one that always converts to it."""
    parts = _expression_parts(context, wanted, spec, spec.depth)
    is_sensitive = any(isinstance(part, str) and _HIDES.search(part) for part in parts)
    return ModelExpression(tuple(parts), is_sensitive)


_HIDES: Final = re.compile(r"(?<!non)sensitive\(")


def _expression_parts(context: GenerationContext, wanted: Type, spec: ExpressionSpec, depth: int) -> list[_Part]:
    if wanted == DYNAMIC:
        return _dynamic_parts(context, spec, depth)
    match wanted:
        case SetType():
            return (
                ["toset(", *_expression_parts(context, LIST, spec, depth), ")"] if wanted.element == STRING else ["[]"]
            )
        case ObjectType():
            return _object_parts(context, wanted, spec, depth)
        case ListType() | MapType() if wanted not in (LIST, MAP):
            return _collection_parts(context, wanted, spec, depth)
        case TupleType():
            return _expression_parts(context, LIST, spec, depth)
    if depth > 0 and context.chooser.chance(_REFERENCES):
        reference = choose_reference(context, wanted, spec)
        if reference is not None:
            return [reference]
    if depth > 0 and context.chooser.chance(_DEEPER):
        return _fill_recipe(context, wanted, spec, depth)
    return [make_literal(context, wanted)]


def _dynamic_parts(context: GenerationContext, spec: ExpressionSpec, depth: int) -> list[_Part]:
    """Make a value of any type. A collection is in an object, under a name that documents use for parts of their own,
    as lists of `resources` are in policies."""
    wanted = context.chooser.choice((STRING, NUMBER, BOOL, LIST, MAP))
    parts = _expression_parts(context, wanted, spec, depth)
    return ["{ ", context.name_part(), " = ", *parts, " }"] if wanted in (LIST, MAP) else parts


_REFERENCES: Final = 55
_DEEPER: Final = 45


def _object_parts(context: GenerationContext, wanted: ObjectType, spec: ExpressionSpec, depth: int) -> list[_Part]:
    parts: list[_Part] = ["{ "]
    for name, part in wanted.attributes.items():
        parts += [f"{name} = ", *_expression_parts(context, part, spec, depth - 1), ", "]
    return [*parts, "}"]


def _collection_parts(
    context: GenerationContext, wanted: ListType | MapType, spec: ExpressionSpec, depth: int
) -> list[_Part]:
    opening, closing = ("[", "]") if isinstance(wanted, ListType) else ("{ ", " }")
    parts: list[_Part] = [opening]
    for number in range(context.chooser.integer(0, 2)):
        key = "" if isinstance(wanted, ListType) else f"k{number} = "
        parts += [key, *_expression_parts(context, wanted.element, spec, depth - 1), ", "]
    return [*parts, closing]


def _fill_recipe(context: GenerationContext, wanted: Type, spec: ExpressionSpec, depth: int) -> list[_Part]:
    recipes = {name: text for name, text, _ in _RECIPES[wanted] if spec.has_simcloud or "::" not in text}
    weights = [(name, weight) for name, _, weight in _RECIPES[wanted] if name in recipes]
    if spec.is_static:
        weights = [(name, weight) for name, weight in weights if name not in _UNSTEADY]
    parts: list[_Part] = []
    for index, piece in enumerate(_PLACE.split(recipes[context.pick_feature(weights)])):
        if index % 2 == 0:
            parts.append(piece)
        elif piece == "k":
            parts.append(OWN_KEY)
        elif piece == "v":
            parts.append(OWN_VALUE)
        elif piece == "a":
            parts.append(context.name_part())
        else:
            parts += _expression_parts(context, _PLACES[piece], spec, depth - 1)
    return parts


_UNSTEADY: Final = ("function sensitive", "own key", "own value", "time of the plan", "function nonsensitive")


def make_literal(context: GenerationContext, wanted: Type) -> str:
    chooser = context.chooser
    if wanted == NUMBER:
        return str(chooser.integer(0, 9))
    if wanted == BOOL:
        return chooser.choice(("true", "false"))
    if wanted == LIST:
        return "[" + ", ".join(quoted(word) for word in chooser.sample(_PLAIN, 3)) + "]"
    if wanted == MAP:
        pairs = zip(("one", "two"), chooser.sample(_PLAIN, 2), strict=False)
        return "{ " + ", ".join(f"{key} = {quoted(word)}" for key, word in pairs) + " }"
    return quoted(chooser.choice(_PLAIN))


def choose_reference(
    context: GenerationContext, wanted: Type, spec: ExpressionSpec, blocks: Iterable[ModelBlock] | None = None
) -> ModelReference | None:
    """Choose a reference to a value of exactly the given type; None if there is no candidate."""
    candidates = [
        block for block in (spec.blocks if blocks is None else blocks) if block.is_alive and spec.allows(block)
    ]
    found = [
        (block, path, output)
        for block in candidates
        for path, offered, output in referable_attributes(block)
        if offered == wanted
    ]
    if not found:
        return None
    block, path, output = context.chooser.choice(found)
    context.used_features.add(f"reference to a {block.kind}")
    return ModelReference(
        block,
        path,
        wanted,
        context.chooser.integer(0, 5),
        output if block.kind is BlockKind.CALL else None,
        context.chance("opentofu: reference without a guard", 2),
    )
