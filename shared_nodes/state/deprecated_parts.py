"""Parts of an object that its schema declares as deprecated, marked for the expressions that read them.

Using a part with such a mark is a warning. The marks are added where a value is read and are gone from every result, so
that no state or plan has any.
"""

from __future__ import annotations

from collections.abc import Iterator

from shared_nodes.providers.schema import Nesting, SchemaAttribute, SchemaBlock, has_deprecated, has_sensitive
from shared_nodes.record import record
from shared_nodes.values.marks import Deprecation, Marks
from shared_nodes.values.paths import AttributeStep, IndexStep, Path, Step, mark_at_paths, path_text
from shared_nodes.values.value import Value, integer, string

__all__ = ["mark_deprecated"]


_Mark = tuple[Path, Marks]


@record
class _Place:
    """A part of an object. `path` leads to where its mark goes: elements of a set have no marks of their own."""

    path: Path
    name: str
    """The part as the warning names it."""

    is_in_set: bool = False

    def below(self, step: Step) -> _Place:
        path = self.path if self.is_in_set else (*self.path, step)
        return _Place(path, f"{self.name}{path_text((step,))}", self.is_in_set)

    def mark(self, message: str) -> _Mark:
        return self.path, frozenset((Deprecation(self.name, message),))


def mark_deprecated(value: Value, schema: SchemaBlock, resource: str) -> Value:
    """Mark everything that the schema declares as deprecated.

    Quirk `deprecated-blocks-need-marks`: a whole type or block counts as deprecated only if it also has an attribute
    that is deprecated or sensitive.
    """
    if not _has_marks(schema):
        return value
    return mark_at_paths(value, _marks_of_block(value, schema, _Place((), resource)))


def _has_marks(block: SchemaBlock) -> bool:
    return has_deprecated(block) or has_sensitive(block)


def _marks_of_block(value: Value, block: SchemaBlock, here: _Place) -> Iterator[_Mark]:
    if block.deprecated:
        yield here.mark(block.deprecation_message)
    for name, attribute in block.attributes.items():
        if attribute.deprecated:
            yield here.below(AttributeStep(name)).mark(attribute.deprecation_message)
    if value.is_null or not value.is_known:
        return
    for name, attribute in block.attributes.items():
        yield from _marks_of_attribute(value.payload[name], attribute, here.below(AttributeStep(name)))
    for name, nested in block.block_types.items():
        if _has_marks(nested.block):
            for element, place in _elements(value.payload[name], nested.nesting, here.below(AttributeStep(name))):
                yield from _marks_of_block(element, nested.block, place)


def _marks_of_attribute(value: Value, attribute: SchemaAttribute, here: _Place) -> Iterator[_Mark]:
    """Return the marks inside of an attribute. Inside of attributes that are marked themselves there are none."""
    if attribute.nested is None:
        return
    for element, place in _elements(value, attribute.nested.nesting, here):
        if element.is_null or not element.is_known:
            continue
        for name, inner in attribute.nested.attributes.items():
            if inner.deprecated:
                yield place.below(AttributeStep(name)).mark(inner.deprecation_message)
            elif not inner.sensitive:
                yield from _marks_of_attribute(element.payload[name], inner, place.below(AttributeStep(name)))


def _elements(value: Value, nesting: Nesting, here: _Place) -> Iterator[tuple[Value, _Place]]:
    if value.is_null or not value.is_known:
        return
    match nesting:
        case Nesting.SINGLE | Nesting.GROUP:
            yield value, here
        case Nesting.LIST:
            for position, element in enumerate(value.payload):
                yield element, here.below(IndexStep(integer(position)))
        case Nesting.MAP:
            for key, element in value.payload.items():
                yield element, here.below(IndexStep(string(key)))
        case Nesting.SET:
            for element in value.payload:
                yield element, _Place(here.path, f"{here.name}[...]", is_in_set=True)
