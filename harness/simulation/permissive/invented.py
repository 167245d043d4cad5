"""Values that the permissive provider invents for what it is said to compute.

A value has the type that a schema gives, or else the shape in which expressions use it. A text consists of the id of
the object and the name of the attribute, unless its use or its name asks for a certain form of text.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Final

from harness.simulation.permissive.uses import Inside, Use
from harness.simulation.plausible import Form, form_of_name, write_text
from shared_nodes.values.json import dumps, value_to_json
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from shared_nodes.values.value import (
    Value,
    boolean,
    integer,
    list_of,
    map_of,
    object_of,
    string,
    tuple_of,
)

__all__ = ["complete", "invent"]

_EXAMPLE: Final = "example"
"""The key of an element that has to have one."""


def complete(value: Value, use: Use, text: str, name: str = "") -> Value:
    """Replace everything unknown by invented values."""
    if not value.is_known:
        return invent(value.type, use, text, name)
    if value.is_wholly_known or value.is_null:
        return value
    payload = value.payload
    kind = value.type
    if isinstance(payload, dict):
        parts = {key: complete(part, use.parts.get(key, Use()), f"{text}-{key}", key) for key, part in payload.items()}
        return map_of(kind.element, parts) if isinstance(kind, MapType) else object_of(parts)
    element = use.element or Use()
    elements = [complete(one, element, f"{text}-{index}", name) for index, one in enumerate(payload)]
    if isinstance(kind, ListType):
        return list_of(kind.element, elements)
    return set_of(kind.element, elements) if isinstance(kind, SetType) else tuple_of(elements)


def invent(kind: Type, use: Use, text: str, name: str) -> Value:
    match kind:
        case ObjectType():
            return object_of(_parts(kind.attributes, use, text))
        case TupleType():
            return tuple_of(invent(part, Use(), f"{text}-{at}", name) for at, part in enumerate(kind.elements))
        case ListType() | SetType():
            element = use.element or Use()
            count = max(use.count, 1)
            elements = [invent(kind.element, element, f"{text}-{at}", name) for at in range(count)]
            return list_of(kind.element, elements) if isinstance(kind, ListType) else set_of(kind.element, elements)
        case MapType():
            parts = dict.fromkeys(use.parts, kind.element) or {_EXAMPLE: kind.element}
            return map_of(kind.element, _parts(parts, use, text))
    if kind is NUMBER:
        return integer(1)
    if kind is BOOL:
        return boolean(True)
    return _of_any_type(use, text, name) if kind is DYNAMIC else string(_text(use, text, name))


def _parts(types: Mapping[str, Type], use: Use, text: str) -> dict[str, Value]:
    return {key: invent(kind, use.parts.get(key, Use()), f"{text}-{key}", key) for key, kind in types.items()}


def _of_any_type(use: Use, text: str, name: str) -> Value:
    if use.inside is not None:
        return string(_text(use, text, name))
    if use.parts:
        return object_of(_parts(dict.fromkeys(use.parts, DYNAMIC), use, text))
    if use.element is not None:
        element = use.element
        if use.is_map:
            return object_of({_EXAMPLE: _of_any_type(element, f"{text}-{_EXAMPLE}", name)})
        return tuple_of(_of_any_type(element, f"{text}-{index}", name) for index in range(use.count))
    return string(_text(use, text, name))


def _text(use: Use, text: str, name: str) -> str:
    if use.inside is not None:
        decoder, inner = use.inside
        is_used = bool(inner.parts or inner.element or inner.inside)
        if decoder is Inside.BASE64:
            return base64.b64encode(_text(inner, text, name if is_used else "").encode(errors="replace")).decode()
        content = string(text) if inner.is_text and not is_used else object_of({})
        content = _of_any_type(inner, text, name) if is_used or inner.form else content
        return dumps(value_to_json(content), escape_html=False)
    form: Form | None = use.form or form_of_name(name)
    return text if form is None else write_text(form, text)
