"""Finds the first difference of two texts, or of two JSON documents."""

from __future__ import annotations

from itertools import zip_longest

from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["first_difference_of_documents", "first_difference_of_texts"]


def first_difference_of_texts(golden: str, got: str) -> str | None:
    """Return the first line that differs, or None if the texts are equal."""
    for number, (wanted, actual) in enumerate(zip_longest(golden.split("\n"), got.split("\n")), start=1):
        if wanted != actual:
            return f"line {number}: {_line(wanted)}, got {_line(actual)}"
    return None


def _line(line: str | None) -> str:
    return "the end" if line is None else repr(line)


def first_difference_of_documents(golden: Tree, got: Tree, path: str = "") -> str | None:
    """Return the first place in which two documents differ, in the order of the golden one, or None. Numbers are
    compared as the products read them: in double precision."""
    if isinstance(golden, dict) and isinstance(got, dict):
        for key in {**golden, **got}:
            place = f"{path}.{key}".removeprefix(".")
            if key not in got or key not in golden:
                return f"{place}: {'missing' if key in golden else 'unexpected'}"
            found = first_difference_of_documents(golden[key], got[key], place)
            if found is not None:
                return found
        return None
    if isinstance(golden, list) and isinstance(got, list):
        for index, (wanted, actual) in enumerate(zip(golden, got, strict=False)):
            found = first_difference_of_documents(wanted, actual, f"{path}[{index}]")
            if found is not None:
                return found
        return None if len(golden) == len(got) else f"{path}: {len(golden)} elements, got {len(got)}"
    if isinstance(golden, JsonNumber) and isinstance(got, JsonNumber):
        is_equal = float(golden.text) == float(got.text)
    else:
        is_equal = golden.__class__ is got.__class__ and golden == got
    return None if is_equal else f"{path}: {dumps(golden)}, got {dumps(got)}"
