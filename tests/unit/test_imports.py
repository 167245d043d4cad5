"""Imports lead in one direction: engines import only `shared_nodes`, and no engine imports another.

A comparison of two engines means something only if neither uses code of the other: then a difference is one of
execution, and agreement does not just mean that the same code was run twice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent.parent
ENGINES: Final = {"legacy_engine", "new_engine"}
OURS: Final = ENGINES | {"shared_nodes", "harness", "reports", "benchmarks", "tests"}

ALLOWED: Final = {
    "shared_nodes": {"shared_nodes"},
    "legacy_engine": {"legacy_engine", "shared_nodes"},
    "new_engine": {"new_engine", "shared_nodes"},
    "reports": {"reports", "shared_nodes", "harness"},
    "harness": {"harness", "reports", "shared_nodes"},
}
"""Which of our packages each package may import by a statement. The harness finds engines by name, and only when they
are asked for."""


def imported(file: Path) -> Iterator[str]:
    """Return our packages in all import statements, including those for type checkers only."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            names = [node.module or ""]
        else:
            continue
        yield from OURS & {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("package", ALLOWED)
def test_packages_import_only_what_they_may(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    wrong = [
        f"{file.relative_to(ROOT)} imports {name}"
        for file in files
        for name in sorted(set(imported(file)) - ALLOWED[package])
    ]
    assert wrong == []


def test_reports_know_results_and_not_how_they_came_about() -> None:
    """A report that could run something, or read a case from disk, could contradict the results of the run."""
    wrong = [
        f"{file.relative_to(ROOT)} imports {node.module}"
        for file in sorted((ROOT / "reports").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and str(node.module).startswith("harness")
        and not str(node.module).startswith(
            ("harness.findings.", "harness.compare.ruling", "harness.compare.effect_order")
        )
    ]
    assert wrong == []


@pytest.mark.parametrize("package", sorted(ENGINES))
def test_engines_do_not_find_each_other_by_name_either(package: str) -> None:
    """An import at run time would need the name of the other engine as a text."""
    (other,) = ENGINES - {package}
    named = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and other in node.value
    ]
    assert named == []
