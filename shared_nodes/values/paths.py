"""Paths to parts of values, and the marks found there.

A path is a tuple of steps. An attribute step leads into an object, an index step into a list, tuple or map. Elements of
sets have no path: a mark on one of them applies to the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from shared_nodes.record import record
from shared_nodes.values.marks import Marks
from shared_nodes.values.number import number_text
from shared_nodes.values.text import quoted
from shared_nodes.values.types import ObjectType, SetType
from shared_nodes.values.value import Value, integer, string

__all__ = [
    "AttributeStep",
    "IndexStep",
    "Path",
    "Step",
    "elements_by_step",
    "mark_at_paths",
    "marks_by_path",
    "parts_by_path",
    "path_text",
    "strip_marks",
]


@record
class AttributeStep:
    name: str


@record
class IndexStep:
    """A step into a list or tuple by position, or into a map by key. The key is a number or string value."""

    key: Value


Step = AttributeStep | IndexStep
Path = tuple[Step, ...]


def elements_by_step(container: Value) -> Mapping[str | int, Value]:
    """The elements of a list or tuple by position, of a map or object by key. A null or unknown container has none."""
    payload = container.payload
    if payload.__class__ is dict:
        return dict(payload)
    return dict(enumerate(payload)) if payload.__class__ is tuple else {}


def path_text(path: Path) -> str:
    """The path as messages write it: `.a["b"][0]`."""
    return "".join(map(_step_text, path))


def _step_text(step: Step) -> str:
    if isinstance(step, AttributeStep):
        return f".{step.name}"
    payload = step.key.payload
    return f"[{quoted(payload) if isinstance(payload, str) else number_text(payload)}]"


def _parts(value: Value) -> Iterator[tuple[Step, Value]]:
    """The parts of a value that have a path, in iteration order. Scalars, sets, nulls and unknowns have none."""
    payload = value.payload
    if payload.__class__ is dict:
        if isinstance(value.type, ObjectType):
            return ((AttributeStep(name), element) for name, element in payload.items())
        return ((IndexStep(string(key)), element) for key, element in payload.items())
    if payload.__class__ is tuple and not isinstance(value.type, SetType):
        return ((IndexStep(integer(position)), element) for position, element in enumerate(payload))
    return iter(())


def marks_by_path(value: Value) -> list[tuple[Path, Marks]]:
    """The path and marks of every marked part; a part comes before its contents, otherwise in iteration order.

    Most values have no marks at all, and no path is built to establish that.
    """
    if not value.deep_marks():
        return []
    return [(path, part.marks) for path, part in parts_by_path(value) if part.marks]


def parts_by_path(value: Value, path: Path = ()) -> Iterator[tuple[Path, Value]]:
    """The value itself and every part that has a path; a part comes before its contents, otherwise in iteration
    order."""
    yield path, value
    for step, part in _parts(value):
        yield from parts_by_path(part, (*path, step))


def strip_marks(value: Value) -> tuple[Value, list[tuple[Path, Marks]]]:
    """The value without marks, together with what `mark_at_paths` needs to restore them."""
    plain, marks = value.unmark_deep()
    return plain, marks_by_path(value) if marks else []


def mark_at_paths(value: Value, marked: Iterable[tuple[Path, Marks]]) -> Value:
    """Add marks at the given paths. Paths that do not exist in this value are ignored: a stored path may be
    outdated."""
    here: list[Marks] = []
    below: dict[Step, list[tuple[Path, Marks]]] = {}
    for path, marks in marked:
        if path:
            below.setdefault(path[0], []).append((path[1:], marks))
        else:
            here.append(marks)
    if below:
        value = _mark_parts(value, below)
    return value.with_marks(frozenset().union(*here)) if here else value


def _mark_parts(value: Value, below: Mapping[Step, list[tuple[Path, Marks]]]) -> Value:
    parts = [mark_at_paths(part, below.get(step, ())) for step, part in _parts(value)]
    if not parts:
        return value
    if value.payload.__class__ is dict:
        return Value(value.type, dict(zip(value.payload, parts, strict=True)), value.marks)
    return Value(value.type, tuple(parts), value.marks)
