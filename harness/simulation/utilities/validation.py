"""What the plugin framework, and the validators of its library, refuse or warn of in a configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from harness.simulation.utilities.definition import Attribute, Object, whole_of
from harness.simulation.whole_numbers import whole_number_problems
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.values.paths import AttributeStep
from shared_nodes.values.value import Value

__all__ = ["attribute_problem", "attribute_problems", "exactly_one_problems", "minimum_problems", "sum_problems"]


def attribute_problem(name: str, summary: str, detail: str) -> Diagnostic:
    return replace(error(summary, detail), attribute=(AttributeStep(name),))


def attribute_problems(attributes: Mapping[str, Attribute], config: Object) -> Iterator[Diagnostic]:
    """Yield what is wrong with each attribute on its own."""
    for name, attribute in attributes.items():
        value = config[name]
        if attribute.schema.computed and not attribute.schema.optional and not value.is_null:
            yield attribute_problem(
                name,
                "Invalid Configuration for Read-Only Attribute",
                "Cannot set value for this attribute as the provider has marked it as read-only. Remove the "
                "configuration line setting the value.\n\nRefer to the provider documentation or contact the provider "
                "developers for additional information about configurable and read-only attributes that are supported.",
            )
        if attribute.schema.required and value.is_null:
            yield attribute_problem(
                name,
                "Missing Configuration for Required Attribute",
                f"Must set a configuration value for the {name} attribute as the provider has marked it as required."
                "\n\nRefer to the provider documentation or contact the provider developers for additional information "
                "about configurable attributes that are required.",
            )
        if attribute.is_whole:
            yield from whole_number_problems(value, (AttributeStep(name),))
        if attribute.deprecation and _is_given(value):
            deprecated = warning("Attribute Deprecated", attribute.deprecation)
            yield replace(deprecated, attribute=(AttributeStep(name),))


def exactly_one_problems(names: Sequence[str], config: Object) -> Iterator[Diagnostic]:
    """Yield a problem at each of the attributes unless exactly one of them is set."""
    values = [config[name] for name in names]
    if not all(value.is_known for value in values):
        return
    count = sum(not value.is_null for value in values)
    if count == 1:
        return
    for name in names:
        others = ",".join(other for other in names if other != name)
        what = f"{count} attributes" if count else "No attribute"
        detail = f"{what} specified when one (and only one) of [{others}] is required"
        yield attribute_problem(name, "Invalid Attribute Combination", detail)


def minimum_problems(name: str, minimum: int, config: Object) -> Iterator[Diagnostic]:
    value = config[name]
    if _is_given(value) and value.payload < minimum:
        yield _value_problem(name, f"at least {minimum}", value)


def sum_problems(name: str, parts: Sequence[str], config: Object) -> Iterator[Diagnostic]:
    """Yield a problem if a number is less than the sum of others."""
    value, others = config[name], [config[part] for part in parts]
    if not _is_given(value) or not all(other.is_known for other in others):
        return
    if whole_of(value) < sum(map(whole_of, others)):
        yield _value_problem(name, f"at least sum of {' + '.join(parts)}", value)


def _value_problem(name: str, wanted: str, value: Value) -> Diagnostic:
    detail = f"Attribute {name} value must be {wanted}, got: {whole_of(value)}"
    return attribute_problem(name, "Invalid Attribute Value", detail)


def _is_given(value: Value) -> bool:
    return value.is_known and not value.is_null
