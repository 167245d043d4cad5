"""Paths into values: their text, and removing and restoring marks."""

from __future__ import annotations

from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.paths import AttributeStep, IndexStep, mark_at_paths, marks_by_path, path_text, strip_marks
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import STRING
from shared_nodes.values.value import integer, list_of, map_of, object_of, string, tuple_of

A = string("a")
SECRET = A.mark(SENSITIVE)
BOTH = frozenset((SENSITIVE, EPHEMERAL))


def test_text() -> None:
    path = (AttributeStep("a"), IndexStep(string('b"')), IndexStep(integer(0)))
    assert path_text(path) == '.a["b\\""][0]'
    assert path_text(()) == ""


def test_marked_places_come_before_what_they_contain() -> None:
    value = object_of({"m": map_of(STRING, {"k": SECRET}).mark(EPHEMERAL), "l": list_of(STRING, [A, SECRET])})
    assert [(path_text(path), marks) for path, marks in marks_by_path(value)] == [
        (".l[1]", frozenset((SENSITIVE,))),
        (".m", frozenset((EPHEMERAL,))),
        ('.m["k"]', frozenset((SENSITIVE,))),
    ]


def test_a_set_answers_for_its_elements() -> None:
    value = tuple_of([set_of(STRING, [SECRET])])
    assert [path_text(path) for path, _ in marks_by_path(value)] == ["[0]"]


def test_marks_can_be_put_back() -> None:
    value = tuple_of([SECRET, object_of({"a": A.with_marks(BOTH)})]).mark(EPHEMERAL)
    plain, marked = strip_marks(value)
    assert not plain.deep_marks()
    assert mark_at_paths(plain, marked) == value


def test_paths_that_lead_nowhere_are_ignored() -> None:
    gone = ((AttributeStep("gone"), IndexStep(integer(3))), BOTH)
    assert mark_at_paths(object_of({"a": A}), [gone]) == object_of({"a": A})
    assert mark_at_paths(A, [gone]) == A
