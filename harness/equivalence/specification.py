"""Reads the tests of a checkout: `tests/NAME/spec.json` says what to run, `outputs/NAME` has the golden files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum, auto
from pathlib import Path
from typing import Final

from shared_nodes.flavour import FLAVOURS, Flavour
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, Tree, loads

__all__ = [
    "SPECIFICATION",
    "EquivalenceTest",
    "Form",
    "ProductCommand",
    "SpecificationError",
    "find_tests",
    "flavour_of_goldens",
]

SPECIFICATION: Final = "spec.json"
_PLACES: Final = ("", "testing/equivalence-tests", "equivalence-tests")
_PLAN_FILE: Final = "equivalence_test_plan"


class SpecificationError(Exception):
    """There are no tests in this place, or one of them cannot be read."""


class Form(Enum):
    """The form of a command's output."""

    TEXT = auto()
    JSON = auto()
    STREAM = auto()
    """One JSON object per line. It is compared as a list."""


@record
class ProductCommand:
    """A command of the product, such as `plan -out=FILE -no-color`."""

    name: str
    arguments: tuple[str, ...]
    artefact: str | None = None
    """The golden file with its output; None if the output is not compared."""

    form: Form = Form.TEXT


_DEFAULT_COMMANDS: Final = (
    ProductCommand("init", ("init",)),
    ProductCommand("plan", ("plan", f"-out={_PLAN_FILE}", "-no-color"), "plan"),
    ProductCommand("apply", ("apply", "-json", _PLAN_FILE), "apply.json", Form.STREAM),
    ProductCommand("show state", ("show", "-no-color"), "state"),
    ProductCommand("show json state", ("show", "-json"), "state.json", Form.JSON),
    ProductCommand("show json plan", ("show", "-json", _PLAN_FILE), "plan.json", Form.JSON),
)


@record
class EquivalenceTest:
    name: str
    directory: Path
    goldens: Path
    commands: tuple[ProductCommand, ...] = _DEFAULT_COMMANDS
    included_files: tuple[str, ...] = ()
    """Files that the commands leave in the directory, and that are compared as well."""

    ignored_fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Paths of fields to ignore, by the name of the golden file."""


def find_tests(place: Path) -> list[EquivalenceTest]:
    """Return the tests of a checkout, or of its directory of equivalence tests, by name."""
    for root in (place / below for below in _PLACES):
        if (root / "tests").is_dir() and (root / "outputs").is_dir():
            found = sorted((root / "tests").glob(f"*/{SPECIFICATION}"))
            return [_read_test(file, root / "outputs" / file.parent.name) for file in found]
    raise SpecificationError(f"{place} has no equivalence tests: no directories tests and outputs")


def flavour_of_goldens(tests: list[EquivalenceTest]) -> Flavour:
    """Return the product that the golden files are from: the one whose name their plans mention."""
    plans = [test.goldens / "plan" for test in tests]
    text = "".join(plan.read_text(encoding="utf-8") for plan in plans if plan.is_file())
    return max(FLAVOURS.values(), key=lambda flavour: text.count(flavour.product))


def _read_test(file: Path, goldens: Path) -> EquivalenceTest:
    try:
        tree = loads(file.read_text(encoding="utf-8"))
        if not isinstance(tree, dict):
            raise SpecificationError(f"{file} is not a JSON object")
        commands = tuple(_read_command(one) for one in _items(tree, "commands"))
        return EquivalenceTest(
            file.parent.name,
            file.parent,
            goldens,
            commands or _DEFAULT_COMMANDS,
            tuple(map(_text, _items(tree, "include_files"))),
            {name: tuple(map(_text, fields)) for name, fields in _entries(tree, "ignore_fields")},
        )
    except (OSError, UnicodeDecodeError, JsonError, TypeError) as problem:
        raise SpecificationError(f"{file} cannot be read: {problem}") from problem


def _read_command(tree: Tree) -> ProductCommand:
    if not isinstance(tree, dict):
        raise TypeError(f"{tree!r} is not a command")
    form = Form.TEXT
    if tree.get("has_json_output"):
        form = Form.STREAM if tree.get("streams_json_output") else Form.JSON
    artefact = _text(tree.get("output_file_name")) if tree.get("capture_output") else None
    return ProductCommand(_text(tree.get("name")), tuple(map(_text, _items(tree, "arguments"))), artefact, form)


def _items(tree: Mapping[str, Tree], name: str) -> list[Tree]:
    found = tree.get(name) or []
    if not isinstance(found, list):
        raise TypeError(f"{name} is not a list")
    return found


def _entries(tree: Mapping[str, Tree], name: str) -> list[tuple[str, list[Tree]]]:
    found = tree.get(name) or {}
    if not isinstance(found, dict):
        raise TypeError(f"{name} is not an object")
    return [(key, _items(found, key)) for key in found]


def _text(tree: Tree) -> str:
    if not isinstance(tree, str):
        raise TypeError(f"{tree!r} is not a text")
    return tree
