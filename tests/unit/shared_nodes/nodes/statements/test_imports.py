"""Import blocks. Every message was recorded from the original."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, Resource, ResourceMode
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.statements.import_targets import import_targets, misplaced_imports
from shared_nodes.nodes.statements.imports import expand_imports, imports_of_missing_instances, validate_imports
from shared_nodes.plan.importing import ImportKey
from shared_nodes.state.model import InstanceObject, ObjectStatus
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.value import DYNAMIC_UNKNOWN, string
from tests.unit.shared_nodes.nodes.block_runner import PROVIDER, BlockRunner

_DECLARATIONS = """
variable "s" {}
variable "u" {}
resource "terraform_data" "one" {}
resource "terraform_data" "some" {
  count = 2
}
resource "terraform_data" "each" {
  for_each = toset(["k"])
}
"""


def _context(directory: Path, to: str, rest: str, operation: Operation) -> NodeContext:
    text = f"{_DECLARATIONS}\nimport {{\n  to = {to}\n  {rest}\n}}"
    context = BlockRunner(directory).context(text, operation)
    context.variables[ROOT_INSTANCE, "s"] = string("secret").mark(SENSITIVE)
    context.variables[ROOT_INSTANCE, "u"] = DYNAMIC_UNKNOWN
    return context


def _validated(context: NodeContext) -> list[Diagnostic]:
    targets = import_targets(context.config)
    return validate_imports(context, targets, context.config.resource(targets[0].resource))


_ID = "Invalid import id argument"
_TO = "Invalid import 'to' expression"


@pytest.mark.parametrize(
    ("to", "rest", "expected"),
    [
        ("terraform_data.one", 'id = "x"', []),
        ("terraform_data.one", "id = var.u", []),
        ("terraform_data.one", "id = null", [(_ID, "The import ID cannot be null.")]),
        (
            "terraform_data.one",
            'id = ""',
            [(_ID, "The import ID value evaluates to an empty string, please provide a non-empty value.")],
        ),
        (
            "terraform_data.one",
            "id = terraform_data.one.id",
            [(_ID, "The import ID cannot reference the resource being imported.")],
        ),
        ("terraform_data.one", 'id = ["x"]', [("Incorrect value type", "Invalid expression value: string required.")]),
        ("terraform_data.one[0]", 'id = "x"', [(_TO, "The target resource does not use count.")]),
        ('terraform_data.one["k"]', 'id = "x"', [(_TO, "The target resource does not use for_each.")]),
        ("terraform_data.some", 'id = "x"', [(_TO, "The target resource is using count.")]),
        ('terraform_data.some["k"]', 'id = "x"', [(_TO, "The target resource does not use for_each.")]),
        ("terraform_data.each[0]", 'id = "x"', [(_TO, "The target resource does not use count.")]),
        ("terraform_data.each", 'id = "x"', [(_TO, "The target resource is using for_each.")]),
        (
            "terraform_data.none[0]",
            'id = "x"',
            [
                (
                    "Configuration for import target does not exist",
                    "The given import block is not compatible with config generation. The -generate-config-out option "
                    "cannot be used with import blocks which use for_each, or resources which use for_each or count.",
                )
            ],
        ),
        ("terraform_data.none", 'id = "x"', []),
        (
            "terraform_data.some[each.key]",
            'id = "x"\n for_each = 5',
            [("Invalid for_each argument", 'The "for_each" expression must be a collection.')],
        ),
        ("terraform_data.some[each.key]", 'id = "x"\n for_each = null', []),
        ("terraform_data.some[each.key]", 'id = each.value\n for_each = ["x", "y"]', []),
        (
            "terraform_data.some[each.value]",
            'id = "x"\n for_each = { a = sensitive(0) }',
            [("Invalid index expression", "Import address index expression cannot be sensitive.")],
        ),
        (
            "terraform_data.some[each.value]",
            'id = "x"\n for_each = [true]',
            [("Invalid address", "Invalid resource instance key: either a string or an integer is required.")],
        ),
        (
            "terraform_data.each[upper(each.key)]",
            'id = "x"\n for_each = toset(["k"])',
            [("Function calls not allowed", "Functions may not be called here.")],
        ),
        (
            "terraform_data.each[var.s]",
            'id = "x"\n for_each = toset(["k"])',
            [
                (
                    "Unknown variable",
                    'There is no variable named "var".Only "each.key" and "each.value" can be used in import address '
                    "index expressions.",
                )
            ],
        ),
        (
            "terraform_data.each[var.s]",
            'id = "x"',
            [
                (
                    "Invalid expression",
                    "A single static variable reference is required: only attribute access and indexing with constant "
                    "keys. No calculations, function calls, template expressions, etc are allowed here.",
                ),
                (
                    "Invalid address",
                    "A resource instance address is required here. The module path must be followed by a resource "
                    "instance specification.",
                ),
            ],
        ),
    ],
)
def test_validation_says(tmp_path: Path, to: str, rest: str, expected: list[tuple[str, str]]) -> None:
    context = _context(tmp_path, to, rest, Operation.VALIDATE)
    assert [(problem.summary, problem.detail) for problem in _validated(context)] == expected


def _imported(context: NodeContext) -> tuple[Mapping[AbsResourceInstance, ImportKey], list[Diagnostic]]:
    targets = import_targets(context.config)
    block = context.config.resource(targets[0].resource)
    assert block is not None
    return expand_imports(context, targets, block)


def _expanded(context: NodeContext) -> tuple[dict[str, ImportKey], list[Diagnostic]]:
    found, problems = _imported(context)
    return {str(address): identifier for address, identifier in found.items()}, problems


def test_identifiers_by_address(tmp_path: Path) -> None:
    rest = 'for_each = { a = "1", b = "2" }\n id = "x-${each.value}"'
    context = _context(tmp_path, "terraform_data.each[each.key]", rest, Operation.PLAN)
    assert _expanded(context) == ({'terraform_data.each["a"]': "x-1", 'terraform_data.each["b"]': "x-2"}, [])


def test_an_identifier_may_be_sensitive_but_not_unknown(tmp_path: Path) -> None:
    assert _expanded(_context(tmp_path, "terraform_data.one", "id = var.s", Operation.PLAN)) == (
        {"terraform_data.one": "secret"},
        [],
    )
    found, [problem] = _expanded(_context(tmp_path, "terraform_data.one", "id = var.u", Operation.PLAN))
    assert not found
    assert problem.summary == _ID
    found, [problem] = _expanded(
        _context(tmp_path, "terraform_data.each[each.key]", 'id = "x"\n for_each = var.u', Operation.PLAN)
    )
    assert problem.summary == "Invalid for_each argument"


def test_what_is_in_the_state_is_not_imported_again(tmp_path: Path) -> None:
    context = _context(tmp_path, "terraform_data.one", 'id = "x"', Operation.PLAN)
    resource = AbsResource(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "terraform_data", "one"))
    context.working.put(resource.instance(None), PROVIDER, InstanceObject(ObjectStatus.READY))
    assert _expanded(context) == ({}, [])


def test_an_instance_must_exist(tmp_path: Path) -> None:
    context = _context(tmp_path, "terraform_data.some[5]", 'id = "x"', Operation.PLAN)
    resource = AbsResource(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "terraform_data", "some"))
    context.expander.register_resource(resource, Repetition.count(2))
    found, _ = _imported(context)
    [problem] = imports_of_missing_instances(context, found)
    assert problem.detail == (
        "The configuration for the given import terraform_data.some[5] does not exist. All target instances must have "
        "an associated configuration to be imported."
    )
    assert problem.subject is None


def test_only_the_first_missing_instance_of_a_resource_is_reported(tmp_path: Path) -> None:
    context = _context(tmp_path, "terraform_data.some[5]", 'id = "x"', Operation.PLAN)
    resources = [AbsResource(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "terraform_data", name)) for name in "ab"]
    missing = [resource.instance(key) for resource in resources for key in (5, 6)]
    problems = imports_of_missing_instances(context, missing)
    assert [problem.detail.split()[6] for problem in problems] == ["terraform_data.a[5]", "terraform_data.b[5]"]


def test_a_module_must_exist(tmp_path: Path) -> None:
    context = _context(tmp_path, "module.none.terraform_data.x", 'id = "x"', Operation.VALIDATE)
    [problem] = misplaced_imports(import_targets(context.config), context.config, {})
    assert problem.detail == (
        "The configuration for the given import target module.none.terraform_data.x does not exist. All target "
        "instances must have an associated configuration to be imported."
    )
