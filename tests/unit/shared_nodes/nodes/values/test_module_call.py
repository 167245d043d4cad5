"""Module calls and their instances."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.nodes.values.module_call import expand_module_call
from tests.unit.shared_nodes.nodes.block_runner import BlockRunner


def _context(directory: Path, repetition: str, operation: Operation) -> NodeContext:
    (directory / "m").mkdir()
    (directory / "m" / "main.tf").write_text("")
    return BlockRunner(directory).context(f'module "m" {{\n  source = "./m"\n  {repetition}\n}}', operation)


@pytest.mark.parametrize(
    ("repetition", "keys"),
    [
        ("", [None]),
        ("count = 2", [0, 1]),
        ("count = 0", []),
        ("for_each = { b = 1, a = 2 }", ["a", "b"]),
    ],
)
def test_instances_are_registered(tmp_path: Path, repetition: str, keys: list[InstanceKey]) -> None:
    context = _context(tmp_path, repetition, Operation.PLAN)
    assert not expand_module_call(context, ROOT_INSTANCE, context.config.module.module_calls["m"])
    assert list(context.expander.call(ROOT_INSTANCE, "m").keys) == keys


def test_a_faulty_call_has_no_instances(tmp_path: Path) -> None:
    context = _context(tmp_path, "count = -1", Operation.PLAN)
    assert expand_module_call(context, ROOT_INSTANCE, context.config.module.module_calls["m"])
    assert not context.expander.has_call(ROOT_INSTANCE, "m")


def test_validation_knows_modules_by_their_unkeyed_addresses(tmp_path: Path) -> None:
    context = _context(tmp_path, "count = 2", Operation.VALIDATE)
    assert not expand_module_call(context, ROOT_INSTANCE, context.config.module.module_calls["m"])
    assert list(context.expander.call(ROOT_INSTANCE, "m").keys) == [None]
