"""How the texts of a version are spread over files in OpenTofu: `.tofu` files, files that these hide, and declarations
of the language that stand beside everything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from harness.generate.choices import GenerationContext

__all__ = ["arrange_files"]

_HIDDEN: Final = (
    "",
    'resource "terraform_data" "hidden" {}\n',
    'resource "terraform_data" "hidden" {',
    'output "hidden" {\n  value = terraform_data.absent.id\n}\n',
)
_DECLARATIONS: Final[tuple[tuple[str, str], ...]] = (
    ("language.tf", 'language {\n  compatible_with {\n    opentofu = ">= 1.12"\n  }\n}\n'),
    ("language.tf", "language {\n  edition = tofu2024\n}\n"),
    ("language.tofu", 'language {\n  compatible_with {\n    opentofu = "~> 1.12.0"\n    other = "> 9"\n  }\n}\n'),
    ("version.tf", 'terraform {\n  required_version = "0.1.0"\n}\n'),
    ("version.tofu", 'terraform {\n  required_version = ">= 1.6"\n}\n'),
)


def arrange_files(context: GenerationContext, files: Mapping[str, str]) -> dict[str, str]:
    """Return the texts by path, as OpenTofu may find them. Whatever is added has no effect."""
    found = dict(files)
    if context.chance("opentofu: .tofu files", 15):
        for path in context.chooser.sample(sorted(files), 3):
            found[path.removesuffix(".tf") + ".tofu"] = found.pop(path)
            if context.chance("opentofu: hidden .tf file", 40):
                found[path] = context.chooser.choice(_HIDDEN)
    if context.chance("opentofu: language declaration", 8):
        name, text = context.chooser.choice(_DECLARATIONS)
        directory = context.chooser.choice(sorted({path.rpartition("/")[0] for path in files}))
        found[f"{directory}/{name}" if directory else name] = text
    return found
