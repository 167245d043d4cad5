"""Explanations of why the two results of a conditional have no common type.

The text completes "The true and false result expressions must have consistent types." and names the first difference in
attribute order. That difference is not necessarily the reason why unification failed: the original does not look for
the reason.
"""

from __future__ import annotations

from shared_nodes.values.text import quoted
from shared_nodes.values.types import CollectionType, ObjectType, TupleType, Type, friendly_name

__all__ = ["conditional_mismatch"]


def conditional_mismatch(true_type: Type, false_type: Type) -> str:
    """A sentence without final period that describes how the two types, which are not equal, differ."""
    if isinstance(true_type, ObjectType) and isinstance(false_type, ObjectType):
        found = _object_difference(true_type, false_type)
    elif isinstance(true_type, TupleType) and isinstance(false_type, TupleType):
        found = _tuple_difference(true_type, false_type)
    elif isinstance(true_type, CollectionType) and isinstance(false_type, CollectionType):
        found = _element_difference(true_type, false_type)
    else:
        found = None
    if found is not None:
        return found
    true_name, false_name = friendly_name(true_type), friendly_name(false_type)
    if true_name == false_name:
        return (
            "At least one deeply-nested attribute or element is not compatible "
            "across both the 'true' and the 'false' value"
        )
    return f"The 'true' value is {true_name}, but the 'false' value is {false_name}"


def _object_difference(true_type: ObjectType, false_type: ObjectType) -> str | None:
    for name, attribute in true_type.attributes.items():
        if name not in false_type.attributes:
            return f"The 'true' value includes object attribute {quoted(name)}, which is absent in the 'false' value"
        if attribute != false_type.attributes[name]:
            reason = conditional_mismatch(attribute, false_type.attributes[name])
            return f"Type mismatch for object attribute {quoted(name)}: {reason}"
    for name in false_type.attributes:
        if name not in true_type.attributes:
            return f"The 'false' value includes object attribute {quoted(name)}, which is absent in the 'true' value"
    return None


def _tuple_difference(true_type: TupleType, false_type: TupleType) -> str | None:
    true_count, false_count = len(true_type.elements), len(false_type.elements)
    if true_count != false_count:
        return f"The 'true' tuple has length {true_count}, but the 'false' tuple has length {false_count}"
    for position, (true_element, false_element) in enumerate(zip(true_type.elements, false_type.elements, strict=True)):
        if true_element != false_element:
            reason = conditional_mismatch(true_element, false_element)
            return f"Type mismatch for tuple element {position}: {reason}"
    return None


def _element_difference(true_type: CollectionType, false_type: CollectionType) -> str | None:
    """Describe different element types where the type names look equal: in collections of objects or of tuples."""
    if type(true_type) is not type(false_type):
        return None
    elements = true_type.element, false_type.element
    if not all(isinstance(e, ObjectType) for e in elements) and not all(isinstance(e, TupleType) for e in elements):
        return None
    return f"Mismatched {true_type.kind} element types: {conditional_mismatch(*elements)}"
