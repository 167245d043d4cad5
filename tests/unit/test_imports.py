"""Folders are layers: each imports only the lower folders that are listed here.

A comparison of two engines means something only if neither uses code of the other, and a layer can be understood
only if it does not depend on what is built on top of it. Imports inside functions and for type checkers count as well.

docs/architecture.md contains a drawing of the table below. After a change, `python tests/unit/test_imports.py` prints
the new drawing.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent.parent
PACKAGES: Final = ("shared_nodes", "legacy_engine", "new_engine", "harness", "reports")
ENGINES: Final = {"legacy_engine", "new_engine"}

ALLOWED: Final = {
    "shared_nodes": "",
    "shared_nodes/values": "shared_nodes",
    "shared_nodes/lang": "shared_nodes shared_nodes/values",
    "shared_nodes/addresses": "shared_nodes shared_nodes/values shared_nodes/lang",
    "shared_nodes/functions": "shared_nodes shared_nodes/values shared_nodes/lang",
    "shared_nodes/config/syntax": "shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses",
    "shared_nodes/config/blocks": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/syntax""",
    "shared_nodes/config": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/functions
        shared_nodes/config/syntax shared_nodes/config/blocks""",
    "shared_nodes/encryption": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/config/syntax shared_nodes/config/blocks
        shared_nodes/config""",
    "shared_nodes/providers": "shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses",
    "shared_nodes/state": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/functions
        shared_nodes/config/syntax shared_nodes/encryption shared_nodes/providers""",
    "shared_nodes/plan": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks
        shared_nodes/config shared_nodes/encryption shared_nodes/providers shared_nodes/state""",
    "shared_nodes/provisioners": "shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/providers",
    "shared_nodes/providers/builtin": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/functions
        shared_nodes/providers shared_nodes/state""",
    "shared_nodes/context": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/functions
        shared_nodes/config/blocks shared_nodes/config shared_nodes/providers shared_nodes/state shared_nodes/plan""",
    "shared_nodes/nodes/checks": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks
        shared_nodes/context""",
    "shared_nodes/nodes/body": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/syntax
        shared_nodes/config/blocks shared_nodes/config shared_nodes/providers shared_nodes/context""",
    "shared_nodes/nodes/provider": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks
        shared_nodes/config shared_nodes/providers shared_nodes/state shared_nodes/context
        shared_nodes/nodes/body""",
    "shared_nodes/nodes/values": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks
        shared_nodes/config shared_nodes/state shared_nodes/plan shared_nodes/context shared_nodes/nodes/checks""",
    "shared_nodes/nodes/statements": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/syntax
        shared_nodes/config/blocks shared_nodes/config shared_nodes/providers shared_nodes/state shared_nodes/plan
        shared_nodes/context""",
    "shared_nodes/nodes/resource": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/syntax
        shared_nodes/config/blocks shared_nodes/config shared_nodes/providers shared_nodes/state shared_nodes/plan
        shared_nodes/provisioners shared_nodes/context shared_nodes/nodes/checks shared_nodes/nodes/body
        shared_nodes/nodes/provider""",
    "shared_nodes/nodes": """
        shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks shared_nodes/config
        shared_nodes/providers shared_nodes/context shared_nodes/nodes/body shared_nodes/nodes/statements""",
    "shared_nodes/operations": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/functions
        shared_nodes/config/blocks shared_nodes/config shared_nodes/providers shared_nodes/state shared_nodes/plan
        shared_nodes/provisioners shared_nodes/providers/builtin shared_nodes/context shared_nodes/nodes/body
        shared_nodes/nodes/statements""",
    "legacy_engine/nodes": """
        shared_nodes shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks shared_nodes/config
        shared_nodes/providers shared_nodes/state shared_nodes/plan shared_nodes/context
        shared_nodes/nodes/checks shared_nodes/nodes/provider shared_nodes/nodes/values
        shared_nodes/nodes/statements shared_nodes/nodes/resource shared_nodes/nodes shared_nodes/operations""",
    "legacy_engine/transforms": """
        shared_nodes shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks shared_nodes/config
        shared_nodes/providers shared_nodes/state shared_nodes/plan shared_nodes/context shared_nodes/nodes/provider
        shared_nodes/nodes/statements shared_nodes/nodes shared_nodes/operations legacy_engine/nodes""",
    "legacy_engine": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/state
        shared_nodes/plan shared_nodes/context shared_nodes/nodes/statements shared_nodes/nodes/resource
        shared_nodes/operations legacy_engine/nodes legacy_engine/transforms""",
    "new_engine/concurrency": """
        shared_nodes shared_nodes/lang shared_nodes/addresses shared_nodes/providers shared_nodes/plan
        shared_nodes/operations""",
    "new_engine/execgraph": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/state
        shared_nodes/operations new_engine/concurrency""",
    "new_engine/compat/exact_dependencies": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks
        shared_nodes/config shared_nodes/context""",
    "new_engine/compat": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks
        shared_nodes/config shared_nodes/plan shared_nodes/context new_engine/compat/exact_dependencies""",
    "new_engine/nodes": """
        shared_nodes shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks shared_nodes/config
        shared_nodes/providers shared_nodes/plan shared_nodes/context shared_nodes/nodes/checks
        shared_nodes/nodes/provider shared_nodes/nodes/values shared_nodes/nodes/statements
        shared_nodes/nodes/resource shared_nodes/nodes shared_nodes/operations new_engine/execgraph
        new_engine/compat/exact_dependencies new_engine/compat""",
    "new_engine/discovery": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks
        shared_nodes/config shared_nodes/state shared_nodes/plan shared_nodes/context shared_nodes/nodes/provider
        shared_nodes/nodes/statements shared_nodes/nodes shared_nodes/operations new_engine/concurrency
        new_engine/execgraph new_engine/compat/exact_dependencies new_engine/compat new_engine/nodes""",
    "new_engine/planning": """
        shared_nodes/lang shared_nodes/addresses shared_nodes/config shared_nodes/state shared_nodes/plan
        shared_nodes/nodes/resource shared_nodes/operations new_engine/execgraph
        new_engine/compat/exact_dependencies new_engine/nodes new_engine/discovery""",
    "new_engine/applying": """
        shared_nodes shared_nodes/lang shared_nodes/addresses shared_nodes/config shared_nodes/state
        shared_nodes/plan shared_nodes/context shared_nodes/nodes/statements shared_nodes/nodes/resource
        new_engine/concurrency new_engine/execgraph new_engine/nodes new_engine/discovery new_engine/planning""",
    "new_engine": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config
        shared_nodes/state shared_nodes/plan shared_nodes/context shared_nodes/nodes/statements
        shared_nodes/operations new_engine/concurrency new_engine/execgraph new_engine/compat/exact_dependencies
        new_engine/compat new_engine/nodes new_engine/discovery new_engine/planning new_engine/applying""",
    "harness": "shared_nodes shared_nodes/values",
    "harness/simulation": "shared_nodes/values shared_nodes/lang shared_nodes/config/syntax",
    "harness/simulation/simcloud": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/providers
        shared_nodes/state harness/simulation""",
    "harness/simulation/tfcoremock": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/config/syntax shared_nodes/providers
        harness/simulation""",
    "harness/simulation/utilities": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/functions shared_nodes/config/syntax
        shared_nodes/providers harness/simulation""",
    "harness/simulation/permissive": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config
        shared_nodes/config/blocks shared_nodes/providers shared_nodes/state harness/simulation""",
    "harness/plugins": "",
    "harness/plugins/wire": "shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/providers",
    "harness/plugins/driving": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/syntax
        shared_nodes/providers harness harness/plugins/wire""",
    "harness/plugins/tapes": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/providers harness""",
    "harness/plugins/serving": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/providers
        harness/simulation/simcloud harness/plugins/wire""",
    "harness/engines": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks
        shared_nodes/config shared_nodes/encryption shared_nodes/providers shared_nodes/state shared_nodes/plan
        shared_nodes/providers/builtin shared_nodes/operations harness harness/simulation/simcloud
        harness/simulation/tfcoremock harness/simulation/utilities harness/simulation/permissive
        harness/plugins/driving harness/plugins/tapes""",
    "harness/mutants/catalogue": "shared_nodes",
    "harness/mutants": "shared_nodes harness/engines harness/mutants/catalogue",
    "harness/expressions": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/syntax
        shared_nodes/config/blocks shared_nodes/config shared_nodes/providers/builtin shared_nodes/nodes/values
        shared_nodes/nodes/resource shared_nodes/operations harness""",
    "harness/workflow": "shared_nodes",
    "harness/case": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config
        shared_nodes/config/syntax shared_nodes/config/blocks harness harness/simulation
        harness/simulation/permissive harness/simulation/simcloud harness/plugins/tapes
        harness/engines harness/expressions harness/workflow""",
    "harness/observe": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks
        shared_nodes/config shared_nodes/encryption shared_nodes/providers shared_nodes/state shared_nodes/plan
        shared_nodes/operations harness/engines""",
    "harness/play": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config
        shared_nodes/encryption shared_nodes/providers shared_nodes/state shared_nodes/plan shared_nodes/operations
        harness harness/simulation/permissive harness/simulation/simcloud harness/plugins harness/plugins/tapes
        harness/plugins/serving harness/engines
        harness/mutants harness/workflow harness/case harness/observe""",
    "harness/compare": "shared_nodes shared_nodes/values harness/case harness/observe harness/play",
    "harness/findings": """
        shared_nodes shared_nodes/values shared_nodes/lang harness/engines harness/case harness/observe harness/play
        harness/compare""",
    "harness/findings/secrets": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/providers
        harness/simulation/simcloud harness/engines harness/case harness/observe harness/play harness/compare
        harness/findings""",
    "harness/findings/explanations": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config/blocks
        shared_nodes/config shared_nodes/state shared_nodes/plan harness/case harness/observe harness/play
        harness/compare harness/findings harness/findings/secrets""",
    "harness/findings/building": """
        shared_nodes shared_nodes/values harness/case harness/observe harness/play harness/compare harness/findings
        harness/findings/secrets harness/findings/explanations""",
    "harness/execute": """
        shared_nodes shared_nodes/values harness harness/simulation/permissive harness/engines harness/mutants
        harness/expressions harness/case
        harness/observe harness/play harness/compare harness/findings harness/findings/secrets
        harness/findings/building""",
    "harness/generate": """
        shared_nodes shared_nodes/values shared_nodes/addresses shared_nodes/config shared_nodes/providers harness
        harness/simulation/simcloud harness/engines harness/mutants harness/case harness/observe harness/play
        harness/compare harness/findings harness/execute""",
    "harness/reduce/specimens": "shared_nodes shared_nodes/lang harness/case harness/generate",
    "harness/reduce/passes": "shared_nodes shared_nodes/values shared_nodes/lang harness/reduce/specimens",
    "harness/reduce": """
        shared_nodes shared_nodes/lang harness/engines harness/mutants harness/case harness/play harness/compare
        harness/findings harness/findings/secrets harness/execute harness/generate harness/reduce/specimens
        harness/reduce/passes""",
    "harness/trials": """
        shared_nodes harness harness/engines harness/mutants/catalogue harness/mutants harness/case harness/observe
        harness/play harness/compare harness/findings harness/execute harness/generate harness/reduce""",
    "harness/record": """
        shared_nodes/values harness harness/plugins/tapes harness/engines harness/case harness/observe harness/play
        harness/compare harness/findings/secrets""",
    "harness/faults": """
        shared_nodes shared_nodes/values shared_nodes/config shared_nodes/providers shared_nodes/state harness
        harness/simulation/simcloud harness/case harness/observe harness/play harness/compare""",
    "harness/equivalence": "shared_nodes shared_nodes/values",
    "reports": "",
    "reports/terminal": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/providers
        shared_nodes/plan harness/findings reports""",
    "reports/run": "shared_nodes shared_nodes/values harness/findings reports reports/terminal",
    "reports/graph": "shared_nodes reports",
    "reports/html": """
        shared_nodes shared_nodes/values shared_nodes/lang harness/findings harness/findings/secrets reports
        reports/run reports/graph""",
    "harness/chaos": "shared_nodes harness",
    "harness/cli/support": """
        shared_nodes shared_nodes/plan harness harness/simulation/permissive harness/engines
        harness/mutants/catalogue harness/mutants harness/case harness/play harness/compare harness/findings
        harness/execute reports/run reports/html""",
    "harness/cli/engine": """
        shared_nodes shared_nodes/values shared_nodes/lang shared_nodes/addresses shared_nodes/config
        shared_nodes/encryption shared_nodes/state shared_nodes/plan shared_nodes/operations harness
        harness/simulation/permissive harness/simulation/simcloud harness/plugins harness/plugins/tapes harness/engines
        harness/expressions harness/case harness/observe harness/play harness/equivalence reports/terminal reports/graph
        harness/cli/support""",
    "harness/cli/reproduce": """
        shared_nodes shared_nodes/values shared_nodes/lang harness/simulation/simcloud harness/engines harness/case
        harness/play harness/compare harness/findings harness/findings/secrets
        harness/findings/building harness/execute reports reports/terminal harness/cli/support harness/cli/engine""",
    "harness/cli": """
        shared_nodes shared_nodes/values shared_nodes/lang harness harness/simulation/simcloud harness/plugins
        harness/plugins/tapes
        harness/plugins/serving harness/engines harness/mutants/catalogue harness/mutants harness/workflow harness/case
        harness/play
        harness/compare harness/findings harness/execute harness/generate harness/reduce/specimens harness/reduce
        harness/trials harness/record harness/faults harness/equivalence harness/chaos reports reports/run reports/html
        harness/cli/support
        harness/cli/engine harness/cli/reproduce""",
}
"""Every folder with the folders it may import, lowest layer first. The harness finds engines by name, and only when
they are used, so that no folder lists one."""

MODULES: Final = {
    f"{file.relative_to(ROOT).with_suffix('').as_posix().removesuffix('/__init__').replace('/', '.')}": file
    for package in PACKAGES
    for file in sorted((ROOT / package).rglob("*.py"))
}


def folder(file: Path) -> str:
    return file.parent.relative_to(ROOT).as_posix()


def imported_modules(file: Path) -> Iterator[str]:
    """Yield our modules that the file imports."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in MODULES else str(node.module) for name in inner]
        else:
            continue
        for name in names:
            if name.partition(".")[0] in PACKAGES:
                assert name in MODULES, f"{file} imports {name}, which does not exist"
                yield name


IMPORTS: Final = {module: frozenset(imported_modules(file)) - {module} for module, file in MODULES.items()}


def test_every_folder_is_listed() -> None:
    assert {folder(file) for file in MODULES.values()} == set(ALLOWED)


def test_layers_stand_on_earlier_ones() -> None:
    """So that there can be no cycle between folders."""
    before: set[str] = set()
    for name, allowed in ALLOWED.items():
        assert set(allowed.split()) <= before, name
        before.add(name)


@pytest.mark.parametrize("name", ALLOWED)
def test_folders_import_only_what_they_may(name: str) -> None:
    wrong = [
        f"{module} imports {other}"
        for module, others in IMPORTS.items()
        if folder(MODULES[module]) == name
        for other in sorted(others)
        if folder(MODULES[other]) not in (name, *ALLOWED[name].split())
    ]
    assert wrong == []


@pytest.mark.parametrize("name", ALLOWED)
def test_no_permission_is_unused(name: str) -> None:
    used = {
        folder(MODULES[other])
        for module, others in IMPORTS.items()
        if folder(MODULES[module]) == name
        for other in others
    }
    assert set(ALLOWED[name].split()) - used == set()


def test_modules_do_not_import_each_other_in_cycles() -> None:
    remaining = {module: set(others) for module, others in IMPORTS.items()}
    while free := {module for module, others in remaining.items() if not others}:
        remaining = {module: others - free for module, others in remaining.items() if module not in free}
    assert sorted(remaining) == []


def test_reports_know_results_and_only_the_command_line_knows_reports() -> None:
    """A report that could run something, or read a case, could contradict the results of the run."""
    of_harness = {other for name in ALLOWED if name.startswith("reports") for other in ALLOWED[name].split()}
    assert {name for name in of_harness if name.startswith("harness")} <= {
        name for name in ALLOWED if name.startswith("harness/findings")
    }
    users = {name for name in ALLOWED if any(other.startswith("reports") for other in ALLOWED[name].split())}
    assert {name for name in users if not name.startswith(("reports", "harness/cli"))} == set()


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


# The drawing in docs/architecture.md


def drawing() -> str:
    """The folders of each package, lowest layer first, with the first sentence of each package docstring."""
    paragraphs = [
        "".join(_draw_folder(name) for name in ALLOWED if name.partition("/")[0] == package) for package in PACKAGES
    ]
    return "\n".join(paragraphs)


def _draw_folder(name: str) -> str:
    docstring = ast.get_docstring(ast.parse((ROOT / name / "__init__.py").read_text(encoding="utf-8"))) or ""
    sentence = docstring.partition("\n\n")[0].replace("\n", " ").partition(". ")[0].removesuffix(".")
    indent = " " * 42
    return textwrap.fill(sentence, 118, initial_indent=f"    {name:38}", subsequent_indent=indent) + "\n"


def test_the_documentation_has_the_drawing() -> None:
    assert drawing() in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


if __name__ == "__main__":
    print(drawing(), end="")
