"""Deliberate mistakes in what only OpenTofu has, as texts with the name of a new block and an existing resource."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["OPENTOFU_MISTAKES"]


def _lifecycle(*lines: str, before: str = "", kind: str = 'resource "terraform_data"') -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f'{kind} "NAME" {{\n{before}  lifecycle {{\n{body}  }}\n}}'


_VARIABLE: Final = 'variable "NAME" {\n  default = %s\n%s}\n'
_FOR_EACH: Final = '  for_each = toset(["a"])\n'
_COUNT: Final = "  count = 1\n"

OPENTOFU_MISTAKES: Final[Mapping[str, tuple[str, int]]] = {
    "opentofu: enabled is null": (_lifecycle("enabled = null"), 2),
    "opentofu: enabled is unknown": (_lifecycle('enabled = SUBJECT.id == "x"'), 3),
    "opentofu: enabled is sensitive": (_lifecycle("enabled = sensitive(true)"), 2),
    "opentofu: enabled is a number": (_lifecycle("enabled = 1"), 1),
    "opentofu: enabled is a list": (_lifecycle("enabled = []"), 1),
    "opentofu: enabled is some text": (_lifecycle('enabled = "maybe"'), 1),
    "opentofu: enabled is ephemeral": (
        _VARIABLE % ("true", "  ephemeral = true\n") + _lifecycle("enabled = var.NAME"),
        1,
    ),
    "opentofu: enabled by itself": (_lifecycle("enabled = terraform_data.NAME.id != null"), 1),
    "opentofu: enabled by each": (_lifecycle('enabled = each.value == "a"'), 1),
    "opentofu: enabled by an undeclared variable": (_lifecycle("enabled = var.absent"), 1),
    "opentofu: enabled and count": (_lifecycle("enabled = true", before=_COUNT), 1),
    "opentofu: enabled and for_each": (_lifecycle("enabled = true", before=_FOR_EACH), 1),
    "opentofu: attribute of something disabled": (
        _lifecycle("enabled = false") + '\noutput "NAME" {\n  value = terraform_data.NAME.id\n}',
        3,
    ),
    "opentofu: index of something disabled": (
        _lifecycle("enabled = false") + '\noutput "NAME" {\n  value = terraform_data.NAME[0].id\n}',
        1,
    ),
    "opentofu: check of something disabled": (
        _lifecycle("enabled = false")
        + '\ncheck "NAME" {\n  assert {\n    condition     = terraform_data.NAME.id != "x"\n'
        + '    error_message = "never"\n  }\n}',
        1,
    ),
    "opentofu: import into something disabled": (
        _lifecycle("enabled = false") + '\nimport {\n  to = terraform_data.NAME\n  id = "x"\n}',
        1,
    ),
    "opentofu: protected by each": (_lifecycle('prevent_destroy = each.value == "a"', before=_FOR_EACH), 2),
    "opentofu: protected by count": (_lifecycle("prevent_destroy = count.index == 0", before=_COUNT), 1),
    "opentofu: protected by something sensitive": (_lifecycle("prevent_destroy = sensitive(false)"), 2),
    "opentofu: protected by some text": (_lifecycle('prevent_destroy = "maybe"'), 1),
    "opentofu: protected by null": (_lifecycle("prevent_destroy = null"), 1),
    "opentofu: protected by an undeclared variable": (_lifecycle("prevent_destroy = var.absent"), 1),
    "opentofu: destroy by a variable": (
        _VARIABLE % ("false", "") + _lifecycle("destroy = var.NAME"),
        1,
    ),
    "opentofu: destroy is some text": (_lifecycle('destroy = "false"'), 1),
    "opentofu: provider key that is missing": (
        'provider "terraform" {\n  alias    = "NAME"\n  for_each = toset(["a"])\n}\n'
        'resource "terraform_data" "NAME" {\n  provider = terraform.NAME["b"]\n}',
        3,
    ),
    "opentofu: provider key that is unknown": (
        'provider "terraform" {\n  alias    = "NAME"\n  for_each = toset(["a"])\n}\n'
        'resource "terraform_data" "NAME" {\n  provider = terraform.NAME[SUBJECT.id]\n}',
        1,
    ),
    "opentofu: provider without a key": (
        'provider "terraform" {\n  alias    = "NAME"\n  for_each = toset(["a"])\n}\n'
        'resource "terraform_data" "NAME" {\n  provider = terraform.NAME\n}',
        1,
    ),
    "opentofu: provider by a resource": (
        'provider "terraform" {\n  alias    = "NAME"\n  for_each = toset([SUBJECT.id])\n}',
        1,
    ),
    "opentofu: source from a resource": ('module "NAME" {\n  source = SUBJECT.id\n}', 1),
    "opentofu: source that is not const": (
        _VARIABLE % ('"./absent"', "  const   = false\n") + 'module "NAME" {\n  source = var.NAME\n}',
        1,
    ),
    "opentofu: key of an import is null": (
        'resource "terraform_data" "NAME" {\n  for_each = toset(["a"])\n}\n'
        'import {\n  to = terraform_data.NAME[null]\n  id = "x"\n}',
        1,
    ),
    "opentofu: key of an import is unknown": (
        'resource "terraform_data" "NAME" {\n  for_each = toset(["a"])\n}\n'
        'import {\n  to = terraform_data.NAME[SUBJECT.id]\n  id = "x"\n}',
        1,
    ),
    "opentofu: removed with a key": ("removed {\n  from = terraform_data.NAME[0]\n}", 1),
    "opentofu: removed with a provisioner that creates": (
        'removed {\n  from = terraform_data.NAME\n  provisioner "local-exec" {\n    command = "echo x"\n  }\n}',
        1,
    ),
    "opentofu: unknown attribute of tofu": ('output "NAME" {\n  value = tofu.absent\n}', 1),
    "opentofu: deprecated without a text": (_VARIABLE % ("1", '  deprecated = ""\n'), 1),
    "opentofu: const that is no bool": (_VARIABLE % ("1", '  const = "maybe"\n'), 1),
    "opentofu: operators that do not stop": (
        'output "NAME" {\n  value = SUBJECT.id == "x" && [true][5]\n}',
        1,
    ),
    "opentofu: edition that does not exist": ("language {\n  edition = tofu2099\n}", 1),
}
"""Texts and weights. NAME is the name of a new block, SUBJECT the address of an existing resource."""
