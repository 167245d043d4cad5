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

    version: str
    """The release that is modelled, as it is written into states and plans."""

    command: str
    """What its program is called; event streams name it."""

    summary_counts_forgotten: bool
    """Summaries of changes say how many objects are removed from the state without being destroyed."""

    removed_destroys_by_default: bool
    """A `removed` block without a `lifecycle` destroys the objects; otherwise it only forgets them."""

    sensitive_outputs_mark_values: bool
    """`sensitive = true` on a module's output makes its value sensitive for the calling module. Without this it only
    matters for the root's outputs, and values stay as sensitive as they were inside."""

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

    forgets_in_order_of_destroying: bool
    """Dropping an object from the state waits, and is waited for, as destroying it would; otherwise it is ordered by
    references alone."""

    unchanged_dependents_create_first: bool
    """While applying, too, a dependent without changes forces create-before-destroy on what it depends on."""

    prunes_every_apply: bool
    """Values and expansions nobody needs are dropped from every apply graph; otherwise only when all is destroyed."""

    destroys_with_needs_alone: bool
    """Destroying everything looks at what is destroyed and at what that needs, and takes the outputs of the root out of
    the state; otherwise only values and expansions nobody refers to are left out: ephemeral resources are opened."""

    modules_close_before_checks: bool
    """The end of a module does not wait for its check blocks; otherwise it does, which can make a cycle."""

    applies_after_expansion_in_keyed_modules: bool
    """Inside repeated modules, too, an instance waits for its resource block to be expanded."""

    replacement_keeps_create_before_destroy: bool
    """A planned create-then-destroy forces that order on what the object depends on, whatever else is in the graph."""

    forgotten_objects_warn_one_by_one: bool
    """Each object that is only forgotten has a warning of its own; otherwise one lists them all."""

    removed_problems_say_block: bool
    """A `removed` statement whose subject is still declared is told of the block that "still exists"."""

    creation_triggers_replacement: bool
    """`replace_triggered_by` fires also when what it names is created."""

    counts_may_use_their_own_resource: bool
    """`count` and `for_each` that refer to the very resource see what the state has; otherwise it is an error."""

    undeclared_resources_lack_definition: bool
    """`There is no managed resource ... definition`; otherwise `A managed resource ... has not been declared`."""

    bad_sets_have_own_summary: bool
    """Sets that cannot be used in `for_each` are told apart from other unusable values in the summary."""

    unknown_repetition_suggests_exclusion: bool
    """Where the number of instances is not known, the advice is to leave this object out; otherwise to apply first what
    it depends on."""

    ephemeral_problems_name_context: bool
    """Ephemeral values in the wrong place: the words name the place; otherwise they name the value."""

    ephemeral_outputs_take_any_value: bool
    """An output declared ephemeral may have a value that is not; otherwise that is an error."""

    replacement_requests_match_in_any_module: bool
    """A replacement asked without saying of which instance is remarked on by every repeated resource of that name;
    otherwise only by the one in that very module."""

    plans_ephemeral_outputs: bool
    """Planning remembers them among its changes, so that applying takes what was known; otherwise they are evaluated
    again, and what they were made from does not count as relevant."""

    protected_resources_are_named: bool
    """`Resource instance cannot be destroyed`; otherwise `Instance cannot be destroyed`."""

    validations_see_sensitivity: bool
    """Validations see a sensitive variable as sensitive, and so cannot show it in their messages."""

    plan_says_whether_it_applies: bool
    """The JSON plan says whether it is complete and whether applying it does anything."""

    module_moves_are_implied: bool
    """Adding or removing `count` on a module call moves its only instance, as it does for resources."""


TERRAFORM_1_11: Final = Flavour(
    name="terraform-1.11",
    product="Terraform",
    version="1.11.4",
    command="terraform",
    summary_counts_forgotten=False,
    removed_destroys_by_default=True,
    sensitive_outputs_mark_values=False,
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
    forgets_in_order_of_destroying=True,
    unchanged_dependents_create_first=True,
    prunes_every_apply=False,
    destroys_with_needs_alone=True,
    modules_close_before_checks=False,
    applies_after_expansion_in_keyed_modules=True,
    replacement_keeps_create_before_destroy=False,
    forgotten_objects_warn_one_by_one=False,
    removed_problems_say_block=False,
    creation_triggers_replacement=False,
    counts_may_use_their_own_resource=False,
    undeclared_resources_lack_definition=False,
    bad_sets_have_own_summary=True,
    unknown_repetition_suggests_exclusion=False,
    ephemeral_problems_name_context=False,
    ephemeral_outputs_take_any_value=False,
    replacement_requests_match_in_any_module=True,
    plans_ephemeral_outputs=False,
    protected_resources_are_named=False,
    validations_see_sensitivity=False,
    plan_says_whether_it_applies=True,
    module_moves_are_implied=False,
)

OPENTOFU: Final = Flavour(
    name="opentofu",
    product="OpenTofu",
    version="1.12.0",
    command="tofu",
    summary_counts_forgotten=True,
    removed_destroys_by_default=False,
    sensitive_outputs_mark_values=True,
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
    forgets_in_order_of_destroying=False,
    unchanged_dependents_create_first=False,
    prunes_every_apply=True,
    destroys_with_needs_alone=False,
    modules_close_before_checks=True,
    applies_after_expansion_in_keyed_modules=False,
    replacement_keeps_create_before_destroy=True,
    forgotten_objects_warn_one_by_one=True,
    removed_problems_say_block=True,
    creation_triggers_replacement=True,
    counts_may_use_their_own_resource=True,
    undeclared_resources_lack_definition=True,
    bad_sets_have_own_summary=False,
    unknown_repetition_suggests_exclusion=True,
    ephemeral_problems_name_context=True,
    ephemeral_outputs_take_any_value=True,
    replacement_requests_match_in_any_module=False,
    plans_ephemeral_outputs=True,
    protected_resources_are_named=True,
    validations_see_sensitivity=True,
    plan_says_whether_it_applies=False,
    module_moves_are_implied=True,
)

FLAVOURS: Final = {flavour.name: flavour for flavour in (TERRAFORM_1_11, OPENTOFU)}
