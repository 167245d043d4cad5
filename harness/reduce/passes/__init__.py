"""The passes of a reduction, in the order in which they are tried.

A pass is a function from a specimen to a list of changes that make it smaller or simpler. Most passes come in two
forms: one changes all versions of the configuration at once; the other (`..._in_one_version`) changes a single version.
The latter alters the story, by deleting or creating an object between two versions, and is therefore tried later.
"""

from __future__ import annotations

from typing import Final

from harness.reduce.passes import case_passes, deletions, expressions, inlining
from harness.reduce.passes.inline_module import inline_modules
from harness.reduce.passes.json_data import drop_json_parts
from harness.reduce.passes.reduction_pass import Pass
from harness.reduce.passes.shorten_names import shorten_names
from harness.reduce.passes.use_terraform_data import use_terraform_data

__all__ = ["PASSES"]

PASSES: Final = (
    Pass(case_passes.drop_steps, "left out a step"),
    Pass(case_passes.use_other_versions, "used one version in the place of another"),
    Pass(case_passes.drop_tasks, "left out a task"),
    Pass(deletions.drop_files, "left out files", at_once=True),
    Pass(deletions.drop_modules, "left out a module"),
    Pass(deletions.drop_blocks, "left out blocks", at_once=True),
    Pass(deletions.drop_blocks_with_references, "left out a block and what refers to it"),
    Pass(deletions.drop_arguments, "left out arguments", at_once=True),
    Pass(case_passes.drop_case_details, "left out what case.yaml says beside its steps"),
    Pass(deletions.drop_lines, "left out lines", at_once=True),
    Pass(expressions.remove_repetition, "made one object of several"),
    Pass(expressions.simplify, "made expressions simpler"),
    Pass(inlining.inline_values, "put values in the place of names"),
    Pass(inline_modules, "lifted the content of a module out of it"),
    Pass(use_terraform_data, "used plainer types of resources"),
    Pass(deletions.drop_files_in_one_version, "left out files, in one version", at_once=True),
    Pass(deletions.drop_blocks_in_one_version, "left out a block, in one version"),
    Pass(deletions.drop_arguments_in_one_version, "left out an argument, in one version"),
    Pass(expressions.simplify_in_one_version, "made an expression simpler, in one version"),
    Pass(inlining.inline_values_in_one_version, "put a value in the place of a name, in one version"),
    Pass(drop_json_parts, "left out parts of data"),
    Pass(deletions.join_files, "joined files"),
    Pass(case_passes.renumber_versions, "numbered versions anew"),
    Pass(shorten_names, "gave shorter names"),
)
"""Ordered by how much a pass removes, so that later passes have less to do."""
