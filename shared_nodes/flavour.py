"""Flavours: in which points the products that speak this language differ.

One frozen object answers every such question; no other code compares product names. `TERRAFORM_1_11` is measured on
the real binary, `OPENTOFU` follows the newer HCL and go-cty releases that OpenTofu builds with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["FLAVOURS", "OPENTOFU", "TERRAFORM_1_11", "Flavour"]


@dataclass(frozen=True, slots=True)
class Flavour:
    name: str
    product: str
    """The product's name as messages spell it."""

    logic_short_circuits: bool
    """`&&` and `||`: a known deciding side wins, and errors of the other side are dropped."""

    unknown_object_index_is_typed: bool
    """`["x"]` on an unknown object has the type of the attribute; otherwise it is dynamic."""

    json_duplicates_must_agree: bool
    """jsondecode rejects duplicate keys of different types; otherwise the last one wins."""

    element_wraps_negative_on_tuples: bool
    """element() with a negative index works on tuples; otherwise it panics."""

    format_takes_literal_null: bool
    """format/formatlist treat a literal null like a typed one; otherwise it makes the whole result unknown."""

    mismatch_names_both_types: bool
    """`string required, but have tuple`; otherwise just `string required`."""

    null_comparison_ignores_inner_marks: bool
    """Comparing with null takes only the outermost marks of the other side."""

    contains_accepts_null: bool
    """contains() may search for null."""

    conversion_failures_explain: bool
    """tolist/toset/tomap failures carry the reason, transpose names the path of the null."""

    templatestring_takes_any_expression: bool
    """templatestring() accepts any string expression, not only a direct reference."""

    opentofu_functions: bool
    """The functions only OpenTofu has (assume..., base64gunzip, urldecode, cidrcontains, convert) exist."""


TERRAFORM_1_11: Final = Flavour(
    name="terraform-1.11",
    product="Terraform",
    logic_short_circuits=False,
    unknown_object_index_is_typed=False,
    json_duplicates_must_agree=False,
    element_wraps_negative_on_tuples=False,
    format_takes_literal_null=False,
    mismatch_names_both_types=False,
    null_comparison_ignores_inner_marks=False,
    contains_accepts_null=False,
    conversion_failures_explain=False,
    templatestring_takes_any_expression=False,
    opentofu_functions=False,
)

OPENTOFU: Final = Flavour(
    name="opentofu",
    product="OpenTofu",
    logic_short_circuits=True,
    unknown_object_index_is_typed=True,
    json_duplicates_must_agree=True,
    element_wraps_negative_on_tuples=True,
    format_takes_literal_null=True,
    mismatch_names_both_types=True,
    null_comparison_ignores_inner_marks=True,
    contains_accepts_null=True,
    conversion_failures_explain=True,
    templatestring_takes_any_expression=True,
    opentofu_functions=True,
)

FLAVOURS: Final = {flavour.name: flavour for flavour in (TERRAFORM_1_11, OPENTOFU)}
