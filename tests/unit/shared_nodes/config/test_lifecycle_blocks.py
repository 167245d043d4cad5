"""Blocks that OpenTofu reads otherwise: `lifecycle`, `removed`, and arguments that exclude each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.config.loading import load_configuration
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.world import Files

MISSING = "Missing lifecycle from the removed block"
NOT_RUN = "Removed block provisioners will not be executed"


def summaries(directory: Path, text: str, flavour: Flavour = OPENTOFU_1_12) -> list[str]:
    (directory / "m").mkdir(exist_ok=True)
    (directory / "m" / "main.tf").write_text("")
    (directory / "main.tf").write_text(text)
    return [problem.summary for problem in load_configuration(Files(directory), flavour)[1]]


def resource(*lines: str) -> str:
    return "\n".join(['resource "terraform_data" "a" {', *lines, "}"])


def module(*lines: str) -> str:
    return "\n".join(['module "m" {', '  source = "./m"', *lines, "}"])


def removed(*lines: str, source: str = "terraform_data.a") -> str:
    return "\n".join(["removed {", f"  from = {source}", *lines, "}"])


ENABLED = "  lifecycle {\n    enabled = true\n  }"
DESTROYED = "  lifecycle {\n    destroy = true\n  }"
FORGOTTEN = "  lifecycle {\n    destroy = false\n  }"
AT_DESTROY = '  provisioner "local-exec" {\n    when    = destroy\n    command = "true"\n  }'
AT_CREATE = '  provisioner "local-exec" {\n    command = "true"\n  }'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (resource(ENABLED), []),
        (resource("  count = 1", ENABLED), ['Invalid combination of "count" and "enabled"']),
        (resource(ENABLED, "  for_each = {}"), ['Invalid combination of "enabled" and "for_each"']),
        (
            resource(ENABLED, "  for_each = {}", "  count = 1"),
            ['Invalid combination of "count", "enabled", and "for_each"'],
        ),
        (module(ENABLED), []),
        (module(ENABLED, ENABLED), ["Duplicate lifecycle block"]),
        (module("  count = 1", ENABLED), ['Invalid combination of "count" and "enabled"']),
        (module("  lifecycle {\n    destroy = false\n  }"), ["Unsupported argument"]),
        (resource("  lifecycle {\n    destroy = var.nope\n    prevent_destroy = var.nope\n  }"), []),
        (removed(), [MISSING]),
        (removed("  lifecycle {\n  }"), [MISSING]),
        (removed(DESTROYED, AT_DESTROY), []),
        (removed(FORGOTTEN, AT_DESTROY), [NOT_RUN]),
        (removed(AT_DESTROY), [MISSING]),
        (removed(DESTROYED, FORGOTTEN), ["Duplicate lifecycle block"]),
        (removed(DESTROYED, AT_CREATE), ['Invalid "removed.provisioner" block']),
        (removed(DESTROYED, AT_DESTROY, source="module.m"), ['Invalid "removed" block']),
        (removed(DESTROYED, "  connection {\n  }"), ["Unsupported block type"]),
    ],
)
def test_what_is_accepted_and_what_is_not(tmp_path: Path, text: str, found: list[str]) -> None:
    assert summaries(tmp_path, text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (resource(ENABLED), ["Unsupported argument"]),
        (resource(FORGOTTEN), ["Unsupported argument"]),
        (module(ENABLED), ["Reserved block type name in module block"]),
        (removed(), []),
        (removed(FORGOTTEN, AT_DESTROY), []),
        (removed(DESTROYED, AT_CREATE), ["Invalid provisioner block"]),
        (removed(DESTROYED, AT_DESTROY, source="module.m"), ["Invalid provisioner block"]),
    ],
)
def test_the_other_product_knows_none_of_it(tmp_path: Path, text: str, found: list[str]) -> None:
    assert summaries(tmp_path, text, TERRAFORM_1_11) == found
