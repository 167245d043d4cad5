"""Plans and states are rendered exactly like those of the real Terraform 1.11.4 and OpenTofu 1.12.6, from the same JSON
documents. For objects of simcloud and tfcoremock, Terraform was connected to these providers over the wire.

`plans/NAME.json` is `terraform show -json PLAN` (changes only), `plans/NAME.txt` is `terraform show -no-color PLAN`,
and `plans/NAME.opentofu.txt` is what OpenTofu prints for the same changes. Names of refresh-only plans begin with
`refresh-only`. `states/` has the same for states, which both products print alike.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from harness.engines.simulated_providers import KNOWN_SCHEMAS
from harness.simulation.tfcoremock.provider import coremock_schema
from reports.terminal.plan_view import PlanView
from reports.terminal.state_view import StateView
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.providers.schema import (
    NestedAttributes,
    Nesting,
    ProviderSchema,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
)
from shared_nodes.state.file import Schemas
from shared_nodes.values.json import loads
from shared_nodes.values.types import DYNAMIC, STRING

PLANS: Final = Path(__file__).parent / "plans"
STATES: Final = Path(__file__).parent / "states"
COREMOCK: Final = ProviderSource("registry.terraform.io", "hashicorp", "tfcoremock")


@pytest.fixture(scope="module")
def schemas() -> Schemas:
    return {**KNOWN_SCHEMAS, COREMOCK: coremock_schema({})}


@pytest.mark.parametrize(("flavour", "ending"), [(TERRAFORM_1_11, "txt"), (OPENTOFU_1_12, "opentofu.txt")])
@pytest.mark.parametrize("name", sorted(file.stem for file in PLANS.glob("*.json")))
def test_a_plan_is_drawn_as_the_product_draws_it(name: str, flavour: Flavour, ending: str, schemas: Schemas) -> None:
    document: Any = loads((PLANS / f"{name}.json").read_text(encoding="utf-8"))
    recorded = (PLANS / f"{name}.{ending}").read_text(encoding="utf-8")
    mode = "refresh-only" if name.startswith("refresh-only") else "normal"
    assert PlanView(flavour, mode, schemas).text(document).strip() == recorded.strip()


@pytest.mark.parametrize("flavour", [TERRAFORM_1_11, OPENTOFU_1_12])
@pytest.mark.parametrize("name", sorted(file.stem for file in STATES.glob("*.json")))
def test_a_state_is_drawn_as_the_product_draws_it(name: str, flavour: Flavour, schemas: Schemas) -> None:
    document: Any = loads((STATES / f"{name}.json").read_text(encoding="utf-8"))
    assert StateView(flavour, schemas).text(document) == (STATES / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("mode", "title"),
    [
        ("normal", "No changes. Your infrastructure matches the configuration."),
        ("refresh-only", "No changes. Your infrastructure still matches the configuration."),
        ("destroy", "No changes. No objects need to be destroyed."),
    ],
)
def test_an_empty_plan_says_why_there_is_nothing_to_do(mode: str, title: str) -> None:
    assert PlanView(TERRAFORM_1_11, mode).text({}).startswith(title)


def test_a_plan_of_outputs_alone_tells_that_nothing_real_changes() -> None:
    change = {"actions": ["create"], "before": None, "after": "x", "after_unknown": False}
    text = PlanView(OPENTOFU_1_12).text({"output_changes": {"o": change}})
    assert text.startswith('Changes to Outputs:\n  + o = "x"\n\nYou can apply this plan')
    assert "OpenTofu" in text


THING: Final = ProviderSource("h", "n", "x")


def render_replacement(block: SchemaBlock, before: dict[str, Any], after: dict[str, Any], *path: str) -> str:
    """Render a replacement that is forced by a change at this path."""
    change = {
        "address": "x_y.z",
        "mode": "managed",
        "type": "x_y",
        "name": "z",
        "provider_name": str(THING),
        "change": {
            "actions": ["delete", "create"],
            "before": before,
            "after": after,
            "after_unknown": {},
            "replace_paths": [list(path)],
        },
    }
    schemas = {THING: ProviderSchema(managed={"x_y": ResourceSchema(block)})}
    return PlanView(TERRAFORM_1_11, schemas=schemas).text({"resource_changes": [change]})


def test_a_typed_attribute_says_that_it_forces_replacement() -> None:
    block = SchemaBlock({"a": SchemaAttribute(STRING, optional=True), "b": SchemaAttribute(STRING, optional=True)})
    text = render_replacement(block, {"a": "1", "b": "same"}, {"a": "2", "b": "same"}, "a")
    assert '      ~ a = "1" -> "2" # forces replacement\n        # (1 unchanged attribute hidden)\n' in text


def test_elements_of_a_nested_set_say_it_for_the_set() -> None:
    """It is unknown which element it was, so each one that is added or removed is marked, and nothing inside it."""
    parts = {"a": SchemaAttribute(STRING, optional=True)}
    block = SchemaBlock({"s": SchemaAttribute(nested=NestedAttributes(Nesting.SET, parts), optional=True)})
    text = render_replacement(block, {"s": [{"a": "1"}, {"a": "k"}]}, {"s": [{"a": "2"}, {"a": "k"}]}, "s")
    assert (
        "      ~ s = [\n"
        "          - { # forces replacement\n"
        '              - a = "1" -> null\n'
        "            },\n"
        "          + { # forces replacement\n"
        '              + a = "2"\n'
        "            },\n"
        "            # (1 unchanged element hidden)\n"
        "        ]\n"
    ) in text


def test_without_a_schema_everything_is_an_attribute_of_any_type() -> None:
    text = PlanView(TERRAFORM_1_11).text(
        {
            "resource_changes": [
                {
                    "address": "x_y.z",
                    "mode": "managed",
                    "type": "x_y",
                    "name": "z",
                    "provider_name": str(THING),
                    "change": {"actions": ["create"], "before": None, "after": {"a": ["b"]}, "after_unknown": {}},
                }
            ]
        }
    )
    assert '      + a = [\n          + "b",\n        ]\n' in text


def test_a_failed_plan_says_so_first() -> None:
    assert PlanView(TERRAFORM_1_11).text({"errored": True}).startswith("Planning failed. Terraform encountered")


# In what the products differ


def draw(flavour: Flavour, before: Any, after: Any, *actions: str) -> str:
    """Draw the change of an argument of any type. A forgotten object has no values afterwards."""
    end = None if actions == ("forget",) else {"a": after}
    detail = {"actions": list(actions or ("update",)), "before": {"a": before}, "after": end, "after_unknown": {}}
    resource = {"address": "x_y.z", "mode": "managed", "type": "x_y", "name": "z", "provider_name": str(THING)}
    block = SchemaBlock({"a": SchemaAttribute(DYNAMIC, optional=True)})
    schemas = {THING: ProviderSchema(managed={"x_y": ResourceSchema(block)})}
    return PlanView(flavour, schemas=schemas).text({"resource_changes": [{**resource, "change": detail}]})


@pytest.mark.parametrize(
    ("before", "after", "terraform", "opentofu"),
    [
        (["a", "b"], ["a", "c"], ['  "a",', '~ "b" -> "c",'], ['  "a",', '- "b",', '+ "c",']),
        (["a", "b"], ["b", "d"], ['~ "a" -> "b",', '~ "b" -> "d",'], ['- "a",', '  "b",', '+ "d",']),
        (
            ["one\ntwo\nthree", "x"],
            ["one\n2\nthree", "x", "y"],
            None,
            ["~ <<-EOT", "      one", "    - two", "    + 2", "      three", "  EOT,", '  "x",', '+ "y",'],
        ),
    ],
)
def test_lists_keep_positions_or_what_they_have_in_common(
    before: list[str], after: list[str], terraform: list[str] | None, opentofu: list[str]
) -> None:
    for flavour, lines in ((TERRAFORM_1_11, terraform), (OPENTOFU_1_12, opentofu)):
        if lines is not None:
            inner = "".join(f"          {line}\n" for line in lines)
            assert f"      ~ a = [\n{inner}        ]\n" in draw(flavour, before, after)


@pytest.mark.parametrize(
    ("flavour", "line"), [(TERRAFORM_1_11, '      ~ a = "" -> "x"\n'), (OPENTOFU_1_12, '      + a = "x"\n')]
)
def test_an_empty_argument_is_a_value_or_none(flavour: Flavour, line: str) -> None:
    assert line in draw(flavour, "", "x")


def test_json_may_have_a_tail() -> None:
    assert '      ~ a = "{} x" -> "[] y"\n' in draw(TERRAFORM_1_11, "{} x", "[] y")
    assert "jsonencode(" in draw(OPENTOFU_1_12, "{} x", "[] y")


@pytest.mark.parametrize(("flavour", "note"), [(TERRAFORM_1_11, ""), (OPENTOFU_1_12, " (current -> planned)")])
def test_the_legend_explains_updates_in_one_product(flavour: Flavour, note: str) -> None:
    assert f"symbols:\n  ~ update in-place{note}\n" in draw(flavour, "v", "w")


def test_forgotten_objects_are_drawn_as_they_are_or_as_unchanged() -> None:
    kept = draw(TERRAFORM_1_11, "v", None, "forget")
    assert " # x_y.z will no longer be managed by Terraform, but will not be destroyed\n" in kept
    assert "# (1 unchanged attribute hidden)" in kept
    shown = draw(OPENTOFU_1_12, "v", None, "forget")
    assert (
        "  . forget\n\nOpenTofu will perform the following actions:\n\n"
        "  # x_y.z will be removed from the OpenTofu state but will not be destroyed\n"
        '  . resource "x_y" "z" {\n    a = "v"\n}\n\n'
        "Plan: 0 to add, 0 to change, 0 to destroy, 1 to forget.\n"
    ) in shown


def test_replacements_that_forget_say_so_in_the_title() -> None:
    text = draw(OPENTOFU_1_12, "v", "w", "forget", "create")
    assert "./+ forget and then create replacement\n" in text
    assert "  # x_y.z must be replaced - older instance will not be destroyed (lifecycle.destroy = false)\n" in text
    assert "Plan: 1 to add, 0 to change, 0 to destroy, 1 to forget.\n" in text
