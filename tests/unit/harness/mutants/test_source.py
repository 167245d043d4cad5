"""A diff is applied to the source of a module, or rejected with the place and advice."""

from __future__ import annotations

from pathlib import Path
from types import FunctionType
from typing import Final

import pytest

from harness.mutants.catalogue.mutant import Mutant
from harness.mutants.source import Edit, PatchError, mutate, parse_diff, targets_of

SAMPLE: Final = '''"""A module to change."""

from functools import cache

LIMIT = 3


def outer(number: int) -> int:
    def inner() -> int:
        return number + 1

    return inner()


class Shape:
    sides = 4

    def __init__(self) -> None:
        self.size = 1

    @cache
    def area(self) -> int:
        size = self.size
        return size * size


def twice(number: int) -> int:
    if number > 0:
        return 2 * number
    return 0


def thrice(number: int) -> int:
    if number > 0:
        return 3 * number
    return 0
'''


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a module that can be imported."""
    name = "sample_of_source"
    (tmp_path / f"{name}.py").write_text(SAMPLE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return name


def changed(sample: str, diff: str) -> list[str]:
    return list(mutate(sample, parse_diff(diff)))


def test_a_diff_is_read_as_lines_before_and_after() -> None:
    diff = """
        -if number > 0:
        +if number > 1:
             return 2 * number
        @@
        +return 1
         return 0
    """
    assert parse_diff(diff) == (
        Edit(("if number > 0:", "    return 2 * number"), ("if number > 1:", "    return 2 * number")),
        Edit(("return 0",), ("return 1", "return 0")),
    )


@pytest.mark.parametrize("diff", ["+return 1", " return 1", "-return 1\n+return 1", "return 1"])
def test_a_diff_without_a_place_or_a_change_is_refused(diff: str) -> None:
    with pytest.raises(PatchError, match="a hunk needs a line to find"):
        parse_diff(diff)


@pytest.mark.parametrize(
    ("diff", "function"),
    [
        ("-return 2 * number\n+return 3 * number", "twice"),
        ("-        return number + 1\n+        return number", "outer"),
        ("-return size * size\n+return size", "Shape.area"),
        (" def twice(number: int) -> int:\n+    return 1", "twice"),
    ],
    ids=["function", "function in a function", "method", "with its first line"],
)
def test_the_function_around_the_lines_is_the_one_that_changes(sample: str, diff: str, function: str) -> None:
    assert changed(sample, diff) == [function]
    assert targets_of(Mutant("T01", "", sample, diff, "plan", "plan", ())) == (f"{sample}:{function}",)


def test_lines_are_found_however_far_they_are_indented(sample: str) -> None:
    """Added lines get the same indentation."""
    diff = " if number > 0:\n-    return 2 * number\n+    number = 7\n+    return number"
    twice = FunctionType(mutate(sample, parse_diff(diff))["twice"].mutated, {})
    assert (twice(1), twice(0)) == (7, 0)


def test_several_hunks_change_several_functions(sample: str) -> None:
    assert changed(sample, "-return 3 * number\n+return 1\n@@\n-return 2 * number\n+return 1") == ["thrice", "twice"]


@pytest.mark.parametrize(
    ("diff", "message"),
    [
        ("-return 4 * number\n+return 1", "sample_of_source.py: not found; write it as it is now:"),
        (
            "-return 0\n+return 1",
            "sample_of_source.py: found in lines 30, 36; add lines",
        ),
        ("-LIMIT = 3\n+LIMIT = 4", "sample_of_source.py:5: not inside one function; only the code of functions can"),
        ("-    sides = 4\n+    sides = 5", "sample_of_source.py:16: not inside one function"),
        ("-@cache\n def area(self) -> int:", "sample_of_source.py:21: not inside one function"),
        ("-return 2 * number\n+return 2 *", "sample_of_source.py:29: the change does not compile: invalid syntax"),
        (
            "-def twice(number: int) -> int:\n+def twice(number: int = 1) -> int:",
            "sample_of_source.py:27: twice: the change renames the function or gives it other parameters",
        ),
        ("-def twice(number: int) -> int:\n+def double(number: int) -> int:", "twice: the change renames the function"),
        ("-self.size = 1\n+super().__init__()", "Shape.__init__: the change makes it use other variables of an outer"),
        ("-return 2 * number\n+return double(number)", "twice: the change uses double, which the module does not have"),
        (
            "-return 2 * number\n+return 1\n@@\n if number > 0:\n-    return 2 * number\n+    return 2",
            "other edits have changed these lines already:",
        ),
    ],
    ids=[
        "gone",
        "twice",
        "data",
        "data of a class",
        "decorator",
        "syntax",
        "default",
        "name",
        "free",
        "names",
        "overlap",
    ],
)
def test_what_cannot_be_changed_is_refused_with_its_place(sample: str, diff: str, message: str) -> None:
    with pytest.raises(PatchError, match=message):
        mutate(sample, parse_diff(diff))


def test_a_module_that_does_not_exist_is_refused() -> None:
    for module in ("shared_nodes.no_such", "no_such.module"):
        with pytest.raises(PatchError, match=f"{module}: there is no such module; name the one that has the lines now"):
            mutate(module, parse_diff("-a\n+b"))


def test_a_module_without_source_is_refused() -> None:
    with pytest.raises(PatchError, match="itertools: its source is not installed"):
        mutate("itertools", parse_diff("-a\n+b"))
