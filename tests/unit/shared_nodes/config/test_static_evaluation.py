"""Static evaluation, held against what the real OpenTofu 1.12.6 said about the same files and variables."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_nodes.config.inputs import VarText, gather_inputs
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.reader import read_module
from shared_nodes.config.static_evaluation import StaticEvaluator, StaticInputs
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.source import Source
from shared_nodes.values.value import string
from shared_nodes.world import Files, World
from tests.unit.shared_nodes.config.recordings import as_recorded, rows, write


def load(directory: Path, **variables: str) -> tuple[ConfigTree | None, list[Diagnostic]]:
    world = World(Files(directory))
    inputs, problems = gather_inputs([VarText(*pair) for pair in variables.items()], world.files)
    if problems:
        return None, problems
    statics = StaticInputs(world, inputs.static_values(OPENTOFU_1_12))
    return load_configuration(world.files, OPENTOFU_1_12, inputs=statics)


@pytest.mark.parametrize("row", rows("recorded_static.jsonl"), ids=lambda row: row["name"])
def test_configurations_are_loaded_as_recorded(row: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, row["files"])
    _, problems = load(tmp_path, **row.get("variables", {}))
    assert as_recorded(problems) == row["diagnostics"]


def test_each_call_of_a_module_has_its_own_values(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "main.tf": "".join(f'module "{x}" {{\n  source = "./m"\n  v = "./{x}"\n}}\n' for x in "ab"),
            "m/main.tf": 'variable "v" {}\nmodule "n" {\n  source = var.v\n}\n',
            "m/a/main.tf": 'output "a" {\n  value = 1\n}\n',
            "m/b/main.tf": 'output "b" {\n  value = 1\n}\n',
        },
    )
    tree, problems = load(tmp_path)
    assert problems == []
    assert tree is not None
    assert [list(tree.children[x].children["n"].module.outputs) for x in "ab"] == [["a"], ["b"]]
    assert [tree.children[x].children["n"].module.directory for x in "ab"] == ["m/a", "m/b"]


def test_terraform_takes_constants_alone(tmp_path: Path) -> None:
    write(tmp_path, {"main.tf": 'module "m" {\n  source = path.module\n}\n'})
    _, problems = load_configuration(Files(tmp_path), TERRAFORM_1_11)
    assert [problem.summary for problem in problems] == ["Variables not allowed", "Unsuitable value type"]


@given(st.permutations(range(6)))
def test_local_values_have_the_same_value_in_any_order(order: list[int]) -> None:
    """Each local value is the one before it with its own number appended."""
    lines = [f'v{number} = "{f"${{local.v{number - 1}}}" if number else ""}{number}"\n' for number in order]
    module, problems = read_module([Source("main.tf", f"locals {{\n{''.join(lines)}}}\n")], flavour=OPENTOFU_1_12)
    assert problems == []
    world = World.confined(Path(), 0, datetime(2026, 1, 2, tzinfo=UTC))
    evaluator = StaticEvaluator.of_root(module, StaticInputs(world))
    for number in range(6):
        use = evaluator.use(f"local.v{number}", None)
        value, problems = evaluator.evaluate(module.locals[f"v{number}"].expression, use)
        assert problems == []
        assert value == string("".join(map(str, range(number + 1))))
