"""Plans as people read them: the drawings of the real Terraform 1.11.4, from the same JSON plan.

`plans/NAME.json` is `terraform show -json PLAN` (changes only), `plans/NAME.txt` is `terraform show -no-color PLAN`.
Names of plans that only take note of what is there begin with `refresh-only`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from reports.terminal.plan_view import PlanView
from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.flavour import OPENTOFU, TERRAFORM_1_11
from shared_nodes.providers.builtin import BUILTIN_SCHEMA
from shared_nodes.values.json import loads

PLANS: Final = Path(__file__).parent / "plans"


@pytest.mark.parametrize("name", sorted(file.stem for file in PLANS.glob("*.json")))
def test_a_plan_is_drawn_as_terraform_draws_it(name: str) -> None:
    document: Any = loads((PLANS / f"{name}.json").read_text(encoding="utf-8"))
    recorded = (PLANS / f"{name}.txt").read_text(encoding="utf-8")
    mode = "refresh-only" if name.startswith("refresh-only") else "normal"
    view = PlanView(TERRAFORM_1_11, mode, {BUILTIN: BUILTIN_SCHEMA})
    assert view.text(document).strip() == recorded.strip()


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
    text = PlanView(OPENTOFU).text({"output_changes": {"o": change}})
    assert text.startswith('Changes to Outputs:\n  + o = "x"\n\nYou can apply this plan')
    assert "OpenTofu" in text


def test_a_typed_attribute_says_that_it_forces_replacement() -> None:
    change = {
        "address": "x_y.z",
        "mode": "managed",
        "type": "x_y",
        "name": "z",
        "provider_name": "h/n/x",
        "change": {
            "actions": ["delete", "create"],
            "before": {"a": "1", "b": "same"},
            "after": {"a": "2", "b": "same"},
            "after_unknown": {},
            "replace_paths": [["a"]],
        },
    }
    text = PlanView(TERRAFORM_1_11).text({"resource_changes": [change]})
    assert '      ~ a = "1" -> "2" # forces replacement\n        # (1 unchanged attribute hidden)\n' in text


def test_a_failed_plan_says_so_first() -> None:
    assert PlanView(TERRAFORM_1_11).text({"errored": True}).startswith("Planning failed. Terraform encountered")
