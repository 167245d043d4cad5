"""Passes that simplify expressions and remove repetition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from harness.reduce.passes.json_data import with_texts
from harness.reduce.specimens.specimen import Specimen, SpecimenChange, TextEdit
from harness.reduce.specimens.syntax import (
    Key,
    Part,
    attributes_of,
    bodies_of,
    directory_of,
    expressions_in,
    in_all_versions,
    in_one_version,
    make_deletion,
    traversals_in,
)
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import (
    Attribute,
    Block,
    Call,
    Expression,
    For,
    Index,
    Literal,
    ObjectConstructor,
    RelativeTraversal,
    Splat,
    Template,
    TemplateJoin,
    Traversal,
    TraverseIndex,
    TupleConstructor,
    walk,
)
from shared_nodes.values.types import NUMBER

__all__ = ["remove_repetition", "simplify", "simplify_in_one_version"]

_TEXT: Final = '"a"'
_MANY: Final = 12
"""Longest list whose items are dropped one by one. A longer list is only cut to its first item."""


def simplify(specimen: Specimen) -> list[SpecimenChange]:
    return in_all_versions(_propose_simpler_expressions(specimen))


def simplify_in_one_version(specimen: Specimen) -> list[SpecimenChange]:
    return in_one_version(_propose_simpler_expressions(specimen))


def _propose_simpler_expressions(specimen: Specimen) -> Iterator[tuple[Key, SpecimenChange]]:
    for part in attributes_of(specimen):
        assert isinstance(part.node, Attribute)
        for expression in walk(part.node.expression):
            start, end = expression.range.start, expression.range.end
            before = expression.range.text
            for text in dict.fromkeys(_yield_replacements(expression)):
                if text != before:
                    yield (*part.key, before, text), SpecimenChange((TextEdit(part.path, start, end, text),))


def _yield_replacements(expression: Expression) -> Iterator[str]:
    """Yield simpler texts for an expression, the simplest first. An expression with parts may be replaced by one of
    them."""
    match expression:
        case Literal(value=value):
            if value.type is NUMBER and not value.is_null:
                yield from ("0", "1")
        case Template(parts=parts):
            yield _TEXT
            if len(parts) > 1:
                yield from _yield_parts(expression)
        case Traversal(steps=steps):
            if steps:
                yield from (_TEXT, "1")
        case TupleConstructor(items=items):
            yield from _yield_shorter_lists(items)
        case ObjectConstructor():
            yield from _yield_shorter_maps(expression)
        case For(key=key):
            yield "[]" if key is None else "{}"
            yield expression.collection.range.text
        case Call() | Index() | Splat() | RelativeTraversal():
            yield from (_TEXT, "1", "[]")
            yield from _yield_parts(expression)
        case _:
            yield from _yield_parts(expression)


def _yield_parts(expression: Expression) -> Iterator[str]:
    """Yield the parts of an expression. Literal parts of templates have no quotes, and a directive is not an
    expression."""
    for child in expression.children():
        is_bare = isinstance(expression, Template) and isinstance(child, Literal | TemplateJoin)
        if child.range.text and not is_bare:
            yield child.range.text


def _yield_shorter_lists(items: tuple[Expression, ...]) -> Iterator[str]:
    texts = [item.range.text for item in items]
    if texts:
        yield "[]"
        yield f"[{texts[0]}]"
    for index in range(len(texts)) if 2 < len(texts) <= _MANY else ():
        yield f"[{', '.join(texts[:index] + texts[index + 1 :])}]"
    yield from texts


def _yield_shorter_maps(expression: ObjectConstructor) -> Iterator[str]:
    texts = [f"{item.key.range.text} = {item.value.range.text}" for item in expression.items]
    if texts:
        yield "{}"
        yield f"{{ {texts[0]} }}"
    for index in range(len(texts)) if 2 <= len(texts) <= _MANY else ():
        yield f"{{ {', '.join(texts[:index] + texts[index + 1 :])} }}"


def remove_repetition(specimen: Specimen) -> list[SpecimenChange]:
    """Make one object of several: drop count or for_each, and the keys in references to the object."""
    found: list[tuple[Key, SpecimenChange]] = []
    for part in attributes_of(specimen):
        assert isinstance(part.node, Attribute)
        if part.node.name in ("count", "for_each") and len(part.around) == 1:
            found.append((part.key, _remove_repetition(specimen, part, part.node, part.around[0])))
    return in_all_versions(found)


def _remove_repetition(specimen: Specimen, part: Part, attribute: Attribute, block: Block) -> SpecimenChange:
    names = (*(() if block.type == "resource" else (block.type,)), *block.labels)
    edits = [make_deletion(part.path, attribute), *_replace_own_keys(part.path, block)]
    for path, body in bodies_of(specimen):
        if directory_of(path) == directory_of(part.path):
            for traversal in traversals_in(body, *names):
                steps = traversal.steps[len(names) - 1 :]
                if steps and isinstance(steps[0], TraverseIndex):
                    edits.append(TextEdit(path, steps[0].range.start, steps[0].range.end))
            edits += [
                TextEdit(path, marker.start, marker.end)
                for each in expressions_in(body)
                if isinstance(each, Index | Splat) and (marker := _find_marker(each, names)) is not None
            ]
    address = re.compile(re.escape(".".join(names)) + r'\[(?:"[^"]*"|\d+)\]')
    case_yaml = with_texts(specimen.case_yaml, lambda text: address.sub(".".join(names), text))
    return SpecimenChange(tuple(edits), case_yaml=case_yaml if case_yaml != specimen.case_yaml else None)


def _replace_own_keys(path: str, block: Block) -> Iterator[TextEdit]:
    """Replace references to the instance's own key by constants."""
    for traversal in (*traversals_in(block.body, "each"), *traversals_in(block.body, "count")):
        text = "0" if traversal.root == "count" else _TEXT
        yield TextEdit(path, traversal.range.start, traversal.range.end, text)


def _find_marker(expression: Index | Splat, names: tuple[str, ...]) -> Range | None:
    source = expression.collection if isinstance(expression, Index) else expression.source
    if not isinstance(source, Traversal):
        return None
    if (source.root, *(getattr(step, "name", None) for step in source.steps)) != names:
        return None
    return expression.bracket_range if isinstance(expression, Index) else expression.marker_range
