"""The configuration part of a published plan is the original's, byte by byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.simulation.simcloud.simcloud import SIMCLOUD, SIMCLOUD_SCHEMA
from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.config.loading import load_configuration
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.plan.configuration import configuration_document
from shared_nodes.providers.builtin import BUILTIN_SCHEMA
from shared_nodes.providers.schema import (
    BlockType,
    Nesting,
    ProviderSchema,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
)
from shared_nodes.values.json import Tree, dumps
from shared_nodes.values.types import STRING
from shared_nodes.world import Files

RECORDED = Path(__file__).parent / "recorded"


@pytest.mark.parametrize("name", ["expressions", "story"])
def test_recorded_configurations(name: str) -> None:
    config, problems = load_configuration(Files(RECORDED / name))
    assert config is not None, problems
    document = configuration_document(config, {BUILTIN: BUILTIN_SCHEMA})
    assert dumps(document) == (RECORDED / name / "configuration.json").read_text().strip()


def nested(nesting: Nesting) -> SchemaBlock:
    return SchemaBlock(
        {"name": SchemaAttribute(STRING, optional=True)},
        {"part": BlockType(nesting, SchemaBlock({"x": SchemaAttribute(STRING)}))},
    )


@pytest.mark.parametrize(
    ("nesting", "body", "expected"),
    [
        (Nesting.SINGLE, 'part { x = "1" }', {"x": {"constant_value": "1"}}),
        (Nesting.GROUP, "", None),
        (
            Nesting.LIST,
            'part { x = "1" }\n part { x = var.v }',
            [{"x": {"constant_value": "1"}}, {"x": {"references": ["var.v"]}}],
        ),
        (Nesting.SET, "part { }", [{}]),
        (Nesting.MAP, 'part "a" { x = "1" }', {"a": {"x": {"constant_value": "1"}}}),
        (Nesting.LIST, 'dynamic "part" {\n for_each = []\n content { }\n }', None),
    ],
)
def test_nested_blocks_by_their_nesting(tmp_path: Path, nesting: Nesting, body: str, expected: Tree) -> None:
    """Blocks that `dynamic` would make are not shown."""
    (tmp_path / "main.tf").write_text(
        f'variable "v" {{}}\nresource "terraform_data" "a" {{\n name = "n"\n {body}\n}}\n'
    )
    config, problems = load_configuration(Files(tmp_path))
    assert config is not None, problems
    schemas = {BUILTIN: ProviderSchema(managed={"terraform_data": ResourceSchema(nested(nesting), 3)})}
    document = configuration_document(config, schemas)
    match document:
        case {"root_module": {"resources": [{"expressions": dict() as expressions, "schema_version": version}]}}:
            assert expressions.get("part") == expected
            assert dumps(version) == "3"
        case _:
            pytest.fail(dumps(document))


@pytest.mark.parametrize(("flavour", "listed"), [(TERRAFORM_1_11, []), (OPENTOFU_1_12, ["ephemeral.simcloud_token.t"])])
def test_only_opentofu_lists_ephemeral_resources(tmp_path: Path, flavour: Flavour, listed: list[str]) -> None:
    required = f'terraform {{\n  required_providers {{\n    simcloud = {{ source = "{SIMCLOUD}" }}\n  }}\n}}\n'
    (tmp_path / "main.tf").write_text(required + 'ephemeral "simcloud_token" "t" {\n  name = "t"\n}\n')
    config, problems = load_configuration(Files(tmp_path), flavour, lambda _source: True)
    assert config is not None, problems
    document: Any = configuration_document(config, {SIMCLOUD: SIMCLOUD_SCHEMA})
    assert [block["address"] for block in document["root_module"].get("resources", ())] == listed
