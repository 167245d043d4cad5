"""Whether a provider keeps to the contract: its plan must follow the configuration, and its result must follow the
plan.

Problems are texts that begin with the path of the offending part, `.a[0].b: ...`, or have no path if they are about the
whole object; `prefixed` puts an address in front of either. They are written for the developers of the provider.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.providers.schema import BlockType, Nesting, SchemaAttribute, SchemaBlock, has_write_only
from shared_nodes.values.convert import mismatch_message
from shared_nodes.values.equality import conforms, equals, excludes
from shared_nodes.values.go_syntax import go_string
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.operations import length
from shared_nodes.values.paths import elements_by_step
from shared_nodes.values.raw_equality import raw_equals, raw_equals_unrefined
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, ObjectType, SetType
from shared_nodes.values.value import NULL_DYNAMIC, TRUE, Value, unknown

__all__ = ["compatibility_problems", "plan_problems", "prefixed", "write_only_values"]


def plan_problems(block: SchemaBlock, prior: Value, config: Value, planned: Value) -> list[str]:
    """Return what is wrong with a plan. The values have no marks, because marks are never sent to a provider."""
    return _check_planned_block(block, prior, config, planned, "")


def compatibility_problems(block: SchemaBlock, planned: Value, actual: Value, flavour: Flavour) -> list[str]:
    """Return where an object differs from its plan. Marks decide which values must not be shown."""
    return _check_actual_block(block, planned, actual, "", flavour)


def write_only_values(block: SchemaBlock, value: Value) -> list[str]:
    """Return the paths of write-only attributes that have a value. A provider must not return any, in a plan or a
    result."""
    return _find_written(block, value, "") if has_write_only(block) else []


def _find_written(block: SchemaBlock, value: Value, path: str) -> list[str]:
    if value.payload.__class__ is not dict:
        return []
    found: list[str] = []
    for name, attribute in sorted(block.attributes.items()):
        part, below = _part(value, name), f"{path}.{name}"
        if attribute.write_only:
            found += [] if part.is_null else [below]
        elif attribute.nested is not None:
            found += _find_written_nested(
                attribute.nested.nesting, SchemaBlock(attribute.nested.attributes), part, below
            )
    for name, nested in sorted(block.block_types.items()):
        found += _find_written_nested(nested.nesting, nested.block, _part(value, name), f"{path}.{name}")
    return found


def _find_written_nested(nesting: Nesting, inner: SchemaBlock, value: Value, path: str) -> list[str]:
    if nesting in (Nesting.SINGLE, Nesting.GROUP):
        return _find_written(inner, value, path)
    steps = elements_by_step(value)
    return [
        found for step, part in steps.items() for found in _find_written(inner, part, _element_path(value, path, step))
    ]


def prefixed(address: object, problem: str) -> str:
    return f"{address}{problem}" if problem.startswith((".", "[")) else f"{address}: {problem}"


def _problem(path: str, message: str) -> list[str]:
    return [f"{path}: {message}" if path else message]


def _part(value: Value, name: str) -> Value:
    """Return an attribute of an object that may be unknown or null. The type of such a null does not matter here."""
    if value.payload.__class__ is dict:
        part: Value = value.payload[name]
        return part
    if value.is_null:
        return NULL_DYNAMIC
    assert isinstance(value.type, ObjectType)
    return unknown(value.type.attributes[name])


def _check_existence(config: Value, planned: Value, path: str) -> list[str]:
    if planned.is_null and not config.is_null:
        return _problem(path, "planned for absence but config wants existence")
    if config.is_null and not planned.is_null:
        return _problem(path, "planned for existence but config wants absence")
    return []


def _check_planned_block(block: SchemaBlock, prior: Value, config: Value, planned: Value, path: str) -> list[str]:
    problems = _check_existence(config, planned, path)
    if problems or planned.is_null:
        return problems
    problems = _check_planned_attributes(block.attributes, prior, config, planned, path)
    for name, nested in sorted(block.block_types.items()):
        wanted, got = _part(config, name), _part(planned, name)
        if not raw_equals(got, wanted):
            problems += _check_planned_nested_blocks(nested, _part(prior, name), wanted, got, f"{path}.{name}")
    return problems


_UNKNOWN_BLOCK: Final = (
    "representing nested block must not be unknown itself; set nested attribute values to unknown instead"
)


def _check_planned_nested_blocks(
    nested: BlockType, prior: Value, config: Value, planned: Value, path: str
) -> list[str]:
    if not config.is_known:
        return _problem(path, f"planned value {go_string(planned)} for unknown dynamic block")
    if not planned.is_known:
        return _problem(path, f"attribute {_UNKNOWN_BLOCK}")
    if nested.nesting in (Nesting.SINGLE, Nesting.GROUP):
        return _check_planned_block(nested.block, prior, config, planned, path)
    if planned.is_null:
        kind = nested.nesting.value
        detail = f"attribute representing a {kind} of nested blocks must be empty to indicate no blocks, not null"
        return _problem(path, detail)
    if nested.nesting is Nesting.SET:
        return []
    if nested.nesting is Nesting.LIST or not isinstance(planned.type, ObjectType):
        counts = len(planned.payload), len(config.payload)
        if counts[0] != counts[1]:
            return _problem(path, f"block count in plan ({counts[0]}) disagrees with count in config ({counts[1]})")
    return _check_planned_elements(nested, prior, config, planned, path)


def _check_planned_elements(nested: BlockType, prior: Value, config: Value, planned: Value, path: str) -> list[str]:
    """Check the blocks of a list by position, and those of a map by key."""
    wanted, existing = elements_by_step(config), {} if prior.is_null else elements_by_step(prior)
    problems: list[str] = []
    for step, got in elements_by_step(planned).items():
        below = _element_path(planned, path, step)
        if not got.is_known:
            problems += _problem(below, f"element {_UNKNOWN_BLOCK}")
        elif step not in wanted:
            where = path if isinstance(planned.type, ObjectType) else below
            problems += _problem(where, f"block key {quoted(str(step))} from plan is not present in config")
        else:
            problems += _check_planned_block(nested.block, existing.get(step, NULL_DYNAMIC), wanted[step], got, below)
    for step in wanted.keys() - elements_by_step(planned).keys():
        problems += _problem(path, f"block key {quoted(str(step))} from config is not present in plan")
    return problems


def _element_path(container: Value, path: str, step: str | int) -> str:
    if isinstance(step, int):
        return f"{path}[{step}]"
    return f"{path}.{step}" if isinstance(container.type, ObjectType) else f"{path}[{quoted(step)}]"


def _check_planned_attributes(
    attributes: Mapping[str, SchemaAttribute], prior: Value, config: Value, planned: Value, path: str
) -> list[str]:
    problems: list[str] = []
    for name, attribute in sorted(attributes.items()):
        existing, wanted, got = _part(prior, name), _part(config, name), _part(planned, name)
        problems += _check_planned_attribute(attribute, existing, wanted, got, f"{path}.{name}")
    return problems


def _check_planned_attribute(
    attribute: SchemaAttribute, prior: Value, config: Value, planned: Value, path: str
) -> list[str]:
    """Check a planned attribute. A plan may repeat the configuration, keep a prior value that means the same to the
    provider, or choose a value for a computed attribute that the configuration leaves open."""
    if raw_equals_unrefined(planned, config):
        return []
    if not prior.is_null and not config.is_null and raw_equals_unrefined(planned, prior):
        return []
    if attribute.write_only and planned.is_null:
        return []
    if config.is_null:
        if attribute.computed:
            return []
        if attribute.sensitive:
            return _problem(path, "sensitive planned value for a non-computed attribute")
        return _problem(path, f"planned value {go_string(planned)} for a non-computed attribute")
    if attribute.nested is not None:
        return _check_planned_objects(attribute, prior, config, planned, path)
    if attribute.sensitive:
        nor_prior = "" if prior.is_null else " nor prior value"
        return _problem(path, f"sensitive planned value does not match config value{nor_prior}")
    nor_prior = "" if prior.is_null else f" nor prior value {go_string(prior)}"
    detail = f"planned value {go_string(planned)} does not match config value {go_string(config)}{nor_prior}"
    return _problem(path, detail)


def _check_planned_objects(
    attribute: SchemaAttribute, prior: Value, config: Value, planned: Value, path: str
) -> list[str]:
    """Check an attribute that has nested attributes. Elements of sets cannot be correlated, so only the number of
    elements counts, and not even that while elements are unknown and may coincide."""
    nested = attribute.nested
    assert nested is not None
    problems = _check_existence(config, planned, path)
    if problems or planned.is_null:
        return problems
    if not planned.is_known:
        return _problem(path, "planned unknown for configured value")
    if nested.nesting in (Nesting.SINGLE, Nesting.GROUP):
        return _check_planned_attributes(nested.attributes, prior, config, planned, path)
    agreement = equals(length(planned), length(config)).payload
    if agreement is not True and (agreement is False or nested.nesting is not Nesting.SET):
        counts = f"({go_string(length(planned))}) disagrees with count in config ({go_string(length(config))})"
        return _problem(path, f"count in plan {counts}")
    if nested.nesting is Nesting.SET:
        return []
    return _check_planned_object_elements(nested.attributes, prior, config, planned, path)


def _check_planned_object_elements(
    attributes: Mapping[str, SchemaAttribute], prior: Value, config: Value, planned: Value, path: str
) -> list[str]:
    wanted, existing = elements_by_step(config), {} if prior.is_null else elements_by_step(prior)
    problems: list[str] = []
    for step, got in elements_by_step(planned).items():
        if step not in wanted:
            problems += _problem(path, f"map key {quoted(str(step))} from plan is not present in config")
            continue
        below = f"{path}[{step}]" if isinstance(step, int) else f"{path}.{step}"
        problems += _check_planned_attributes(attributes, existing.get(step, NULL_DYNAMIC), wanted[step], got, below)
    for step in wanted.keys() - elements_by_step(planned).keys():
        problems += _problem(path, f"map key {quoted(str(step))} from config is not present in plan")
    return problems


def _check_actual_block(block: SchemaBlock, planned: Value, actual: Value, path: str, flavour: Flavour) -> list[str]:
    root = "root object " if flavour.root_objects_are_lower_case else "Root object "
    subject = "" if path else root
    if planned.is_null and not actual.is_null:
        return _problem(path, f"{subject}was absent, but now present")
    if actual.is_null and not planned.is_null:
        return _problem(path, f"{subject}was present, but now absent")
    if planned.is_null:
        return []
    problems: list[str] = []
    for name, attribute in sorted(block.attributes.items()):
        problems += _check_actual_attribute(
            attribute, _part(planned, name), _part(actual, name), f"{path}.{name}", flavour
        )
    for name, nested in sorted(block.block_types.items()):
        before, after = _part(planned, name).without_marks(), _part(actual, name).without_marks()
        problems += _check_actual_nested_blocks(nested, before, after, f"{path}.{name}", flavour)
    return problems


def _check_actual_attribute(
    attribute: SchemaAttribute, planned: Value, actual: Value, path: str, flavour: Flavour
) -> list[str]:
    planned, planned_marks = planned.unmark_deep()
    actual, actual_marks = actual.unmark_deep()
    problems = _check_actual_value(planned, actual, path, flavour)
    if problems and (attribute.sensitive or SENSITIVE in planned_marks or SENSITIVE in actual_marks):
        return _problem(path, "inconsistent values for sensitive attribute")
    return problems


def _check_actual_nested_blocks(
    nested: BlockType, planned: Value, actual: Value, path: str, flavour: Flavour
) -> list[str]:
    """Check nested blocks. Blocks that were unknown in the plan may become any number of blocks."""
    if nested.nesting in (Nesting.SINGLE, Nesting.GROUP):
        if not planned.is_known and actual.is_null:
            return []
        return _check_actual_block(nested.block, planned, actual, path, flavour)
    if nested.nesting is Nesting.MAP and isinstance(planned.type, ObjectType):
        return _check_actual_keyed_blocks(nested.block, planned, actual, path, flavour)
    if not planned.is_known or not actual.is_known or planned.is_null or actual.is_null:
        return []
    before, after = len(planned.payload), len(actual.payload)
    if nested.nesting is Nesting.SET:
        problems = _check_correlation(
            planned,
            actual,
            path,
            lambda wanted, got: not _check_actual_block(nested.block, wanted, got, f"{path}[...]", flavour),
        )
        if before < after:
            problems += _problem(path, f"block set length changed from {before} to {after}")
        return problems
    if before != after:
        return _problem(path, f"block count changed from {before} to {after}")
    found = elements_by_step(actual)
    problems = []
    for step, element in elements_by_step(planned).items():
        if step in found:
            problems += _check_actual_block(
                nested.block, element, found[step], _element_path(planned, path, step), flavour
            )
    return problems


def _check_actual_keyed_blocks(
    block: SchemaBlock, planned: Value, actual: Value, path: str, flavour: Flavour
) -> list[str]:
    """Check map blocks whose content has no fixed type. They form an object, so their keys are known from its type
    alone."""
    assert isinstance(planned.type, ObjectType)
    assert isinstance(actual.type, ObjectType)
    problems: list[str] = []
    for key in planned.type.attributes:
        if key not in actual.type.attributes:
            problems += _problem(path, f"block key {quoted(key)} has vanished")
        else:
            problems += _check_actual_block(block, _part(planned, key), _part(actual, key), f"{path}.{key}", flavour)
    if planned.is_known:
        for key in actual.type.attributes.keys() - planned.type.attributes.keys():
            problems += _problem(path, f"new block key {quoted(key)} has appeared")
    return problems


def _check_actual_value(planned: Value, actual: Value, path: str, flavour: Flavour) -> list[str]:
    if planned.type is DYNAMIC:
        return []
    if not conforms(actual.type, planned.type):
        return _problem(path, f"wrong final value type: {mismatch_message(actual.type, planned.type, flavour)}")
    if not planned.is_known:
        if _is_ruled_out(planned, actual):
            detail = f"final value {go_string(actual)} does not conform to planning placeholder {go_string(planned)}"
            return _problem(path, detail)
        return []
    if planned.is_null and actual.is_null:
        return []
    if actual.is_null:
        return _problem(path, f"was {go_string(planned)}, but now null")
    if planned.is_null:
        return _problem(path, f"was null, but now {go_string(actual)}")
    if not actual.is_known:
        return _problem(path, "was known, but now unknown")
    if isinstance(planned.type, SetType):
        return _check_actual_set(planned, actual, path, flavour)
    if planned.payload.__class__ is dict or planned.payload.__class__ is tuple:
        return _check_actual_elements(planned, actual, path, flavour)
    if equals(actual, planned) is not TRUE:
        return _problem(path, f"was {go_string(planned)}, but now {go_string(actual)}")
    return []


def _is_ruled_out(planned: Value, actual: Value) -> bool:
    """Whether the refinements of an unknown planned value exclude the final value."""
    if actual.is_null:
        return planned.refinement.not_null
    return actual.is_known and excludes(planned, actual)


def _check_actual_elements(planned: Value, actual: Value, path: str, flavour: Flavour) -> list[str]:
    """Check the elements of a value. The types agree, so objects and tuples have the same elements on both sides."""
    before, after = elements_by_step(planned), elements_by_step(actual)
    problems: list[str] = []
    for step, element in before.items():
        if step in after:
            problems += _check_actual_value(element, after[step], _element_path(planned, path, step), flavour)
        else:
            problems += _problem(path, f"element {_step_text(step)} has vanished")
    for step in after:
        if step not in before:
            problems += _problem(path, f"new element {_step_text(step)} has appeared")
    return problems


def _step_text(step: str | int) -> str:
    return quoted(step) if isinstance(step, str) else str(step)


def _check_actual_set(planned: Value, actual: Value, path: str, flavour: Flavour) -> list[str]:
    """Check a set. Elements may coincide once they are known, so a set may shrink, but it must not grow."""
    problems = _check_correlation(
        planned, actual, path, lambda wanted, got: not _check_actual_value(wanted, got, f"{path}[...]", flavour)
    )
    before, after = len(planned.payload), len(actual.payload)
    if before < after:
        problems += _problem(path, f"length changed from {before} to {after}")
    return problems


def _check_correlation(planned: Value, actual: Value, path: str, match: Callable[[Value, Value], bool]) -> list[str]:
    """Check that each element of one set matches at least one element of the other, since elements of sets have no
    identity. The second set is only checked once every element of the first has a match."""
    matches = [[match(first, second) for second in actual.payload] for first in planned.payload]
    problems: list[str] = []
    for element, row in zip(planned.payload, matches, strict=True):
        if not any(row):
            detail = f"planned set element {go_string(element)} does not correlate with any element in actual"
            problems += _problem(path, detail)
    if problems:
        return problems
    for at, element in enumerate(actual.payload):
        if not any(row[at] for row in matches):
            detail = f"actual set element {go_string(element)} does not correlate with any element in plan"
            problems += _problem(path, detail)
    return problems
