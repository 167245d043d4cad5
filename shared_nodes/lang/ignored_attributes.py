"""Attributes in object constructors that conversion to a type will drop: most likely misspelled names."""

from __future__ import annotations

from collections.abc import Iterator

from shared_nodes.lang import tree
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.scope import EMPTY_SCOPE
from shared_nodes.lang.source import Range
from shared_nodes.lang.suggestions import nearest_name
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.text import quoted
from shared_nodes.values.types import STRING, ListType, MapType, ObjectType, SetType, TupleType, Type

__all__ = ["IgnoredAttribute", "ignored_attributes"]

_SOME_KEY = "[(not yet known)]"


@record
class IgnoredAttribute:
    """An attribute that its target type lacks. `place` is the path to the object it was written in, as messages write
    paths."""

    place: str
    name: str
    range: Range
    constructor: Range
    expected: tuple[str, ...]

    @property
    def consequence(self) -> str:
        """What messages say about the attribute, after naming the object type."""
        nearest = nearest_name(self.name, self.expected)
        advice = "" if nearest is None else f" Did you mean to set attribute {quoted(nearest)} instead?"
        return f"does not include an attribute named {quoted(self.name)}, so this definition is unused.{advice}"


def ignored_attributes(expression: tree.Expression, want: Type, place: str = "") -> Iterator[IgnoredAttribute]:
    """Find the attributes that a constructor, or one nested in it, sets in vain if its value is converted to a type.
    Other expressions, such as references and conditionals, are not examined, and neither is JSON."""
    if expression.range.source.is_json:
        return
    match expression, want:
        case tree.ObjectConstructor(items=items), ObjectType(attributes=attributes):
            for item, name in _named(items):
                if name in attributes:
                    yield from ignored_attributes(item.value, attributes[name], f"{place}.{name}")
                else:
                    yield IgnoredAttribute(place, name, item.key.range, expression.range, tuple(attributes))
        case tree.ObjectConstructor(items=items), MapType(element=element):
            for item, name in _named(items):
                yield from ignored_attributes(item.value, element, f"{place}[{quoted(name)}]")
        case tree.TupleConstructor(items=parts), ListType(element=element) | SetType(element=element):
            for position, part in enumerate(parts):
                yield from ignored_attributes(part, element, f"{place}[{position}]")
        case tree.TupleConstructor(items=parts), TupleType(elements=elements) if len(parts) == len(elements):
            for position, (part, element) in enumerate(zip(parts, elements, strict=True)):
                yield from ignored_attributes(part, element, f"{place}[{position}]")
        case tree.For(key=None), ListType(element=element) | SetType(element=element):
            yield from ignored_attributes(expression.value, element, place + _SOME_KEY)
        case tree.For(), MapType(element=element) if expression.key is not None:
            yield from ignored_attributes(expression.value, element, place + _SOME_KEY)


def _named(items: tuple[tree.ObjectItem, ...]) -> Iterator[tuple[tree.ObjectItem, str]]:
    """The items whose key is a constant."""
    for item in items:
        name = item.literal_key if item.literal_key is not None else _constant_key(item.key)
        if name is not None:
            yield item, name


def _constant_key(key: tree.Expression) -> str | None:
    value, problems = evaluate(key, EMPTY_SCOPE)
    if problems or not value.is_known or value.is_null:
        return None
    try:
        text: str = convert(value.without_marks(), STRING).payload
    except ConversionError:
        return None
    return text
