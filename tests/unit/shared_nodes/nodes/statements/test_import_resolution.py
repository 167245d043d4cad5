"""Imports in the flavour that resolves them when planning. The messages were checked with OpenTofu 1.12.6."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.statements.import_resolution import identification_problems, resolve_imports
from shared_nodes.nodes.statements.import_targets import import_targets, imports_to_validate, undeclared_imports
from shared_nodes.plan.importing import ImportKey
from shared_nodes.values.value import DYNAMIC_UNKNOWN
from tests.unit.shared_nodes.nodes.block_runner import BlockRunner

_DECLARATIONS = 'variable "u" {}\nresource "terraform_data" "a" {\n  for_each = toset(["x"])\n}\n'


def _context(directory: Path, *imports: str, operation: Operation = Operation.PLAN) -> NodeContext:
    blocks = [one.replace("; ", "\n  ") for one in imports]
    text = _DECLARATIONS + "".join(f"import {{\n  {block}\n}}\n" for block in blocks)
    context = BlockRunner(directory, flavour=OPENTOFU_1_12).context(text, operation)
    context.variables[ROOT_INSTANCE, "u"] = DYNAMIC_UNKNOWN
    return context


def _resolve(context: NodeContext) -> tuple[dict[str, ImportKey], list[Diagnostic]]:
    found, problems = resolve_imports(context, import_targets(context.config))
    return {str(address): identifier for address, identifier in found.items()}, problems


@pytest.mark.parametrize(
    ("block", "found"),
    [
        ('to = terraform_data.a["x"]; id = 12', {'terraform_data.a["x"]': "12"}),
        ('to = terraform_data.a[upper("x")]; id = ""', {'terraform_data.a["X"]': ""}),
        (
            "for_each = [1, 2]; to = terraform_data.a[each.key]; id = each.value",
            {f"terraform_data.a[{n}]": f"{n + 1}" for n in (0, 1)},
        ),
        (
            'for_each = { k = "v" }; to = module.m[each.key].terraform_data.b[each.value]; id = "i"',
            {'module.m["k"].terraform_data.b["v"]': "i"},
        ),
    ],
)
def test_every_element_has_an_address_and_an_identifier(tmp_path: Path, block: str, found: dict[str, str]) -> None:
    assert _resolve(_context(tmp_path, block)) == (found, [])


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("var.u", "that will only be known after apply"),
        ("tostring(null)", "which is null"),
        ("tobool(true)", "which is not valid for a resource instance (not a string or a number)"),
        ('sensitive("x")', "which is sensitive"),
    ],
)
def test_keys_that_are_none(tmp_path: Path, key: str, words: str) -> None:
    found, [problem] = _resolve(_context(tmp_path, f'to = terraform_data.a[{key}]; id = "i"'))
    assert not found
    assert problem.summary == "Import block 'to' address contains an invalid key"
    assert f"Import block contained a resource address using an index {words}. Please ensure" in problem.detail


@pytest.mark.parametrize(
    ("identifier", "detail"),
    [
        ("null", "The import id cannot be null."),
        ("sensitive(null)", "The import id cannot be null."),
        ('sensitive("i")', "The import id cannot be sensitive."),
        ("[]", "Invalid expression value: string required, but have tuple."),
        (
            "var.u",
            'The import block "id" argument depends on resource attributes that cannot be determined until apply, so '
            "OpenTofu cannot plan to import this resource.",
        ),
    ],
)
def test_identifiers_that_are_none(tmp_path: Path, identifier: str, detail: str) -> None:
    block = f'to = terraform_data.a["x"]; id = {identifier}'
    _, problems = _resolve(_context(tmp_path, block))
    assert [problem.detail for problem in problems] == [detail]
    context = _context(tmp_path, block, operation=Operation.VALIDATE)
    [target] = imports_to_validate(context.config)
    validated = [problem.detail for problem in identification_problems(context, target)]
    assert validated == ([] if identifier == "var.u" else [detail])


def test_two_imports_to_one_address(tmp_path: Path) -> None:
    blocks = (
        'to = terraform_data.a["x"]; id = "1"',
        'for_each = ["x", "x"]; to = terraform_data.a[each.value]; id = 2',
    )
    found, problems = _resolve(_context(tmp_path, *blocks))
    assert found == {'terraform_data.a["x"]': "1"}
    assert [problem.summary for problem in problems] == [
        'Duplicate import configuration for "terraform_data.a[\\"x\\"]"'
    ] * 2
    assert all("was already declared at main.tf:5,1-7. A resource can have only" in one.detail for one in problems)


def test_problems_of_one_import_do_not_hide_those_of_others(tmp_path: Path) -> None:
    _, problems = _resolve(
        _context(
            tmp_path,
            'for_each = 1; to = terraform_data.a["y"]; id = "1"',
            "to = terraform_data.a[tostring(null)]; id = null",
        )
    )
    assert len(problems) == 2


def test_imports_without_a_block_are_reported_before_planning(tmp_path: Path) -> None:
    context = _context(
        tmp_path, 'to = terraform_data.nope[var.u]; id = "1"', 'to = module.m.terraform_data.a; id = "2"'
    )
    assert [str(target.resource) for target in imports_to_validate(context.config)] == ["terraform_data.nope"]
    problems = undeclared_imports(import_targets(context.config), context.config)
    assert [problem.detail.partition(" does not exist. ")[0] for problem in problems] == [
        "The configuration for the given import terraform_data.nope",
        "The configuration for the given import module.m.terraform_data.a",
    ]


def test_no_resource_type_has_an_identity(tmp_path: Path) -> None:
    block = 'for_each = ["x", "y"]; to = terraform_data.a[each.value]; identity = {}'
    context = _context(tmp_path, block, operation=Operation.VALIDATE)
    [target] = imports_to_validate(context.config)
    first, second = identification_problems(context, target)
    assert first.detail == second.detail
    assert first.detail.startswith('The provider "terraform.io/builtin/terraform" does not provide an identity schema')
