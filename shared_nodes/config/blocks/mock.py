"""Blocks of test files that stand in for providers and objects: `mock_provider`, `override_resource` and the like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.parse import Target, module_prefix, parse_target
from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.literals import NAME_RULE, constant_text
from shared_nodes.config.syntax.provider_names import check_local_name
from shared_nodes.config.syntax.static_reference import static_reference
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.lang.json_static import as_traversal, literal_text, static_value
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Attribute, Block, Expression, Traversal, TraverseAttribute, TraverseIndex
from shared_nodes.lang.type_constraint import keyword_of
from shared_nodes.record import record
from shared_nodes.values.types import MapType, ObjectType
from shared_nodes.values.value import Value

__all__ = [
    "MOCK_BLOCKS",
    "OVERRIDE_BLOCKS",
    "MockProvider",
    "ObjectOverride",
    "bare_word",
    "read_mock_data",
    "read_mock_provider",
    "read_object_override",
    "read_overrides",
    "repeated_overrides",
]

OVERRIDE_BLOCKS: Final = {"override_resource": (), "override_data": (), "override_module": ()}
MOCK_BLOCKS: Final = {"mock_resource": ("type",), "mock_data": ("type",), "override_resource": (), "override_data": ()}

_DURING: Final = "override_during"
_PHASES: Final = ("plan", "apply")
_MOCK_PROVIDER: Final = ContentSchema(frozenset(("alias",)), blocks=MOCK_BLOCKS)
_MOCK_DATA: Final = ContentSchema(frozenset(("defaults",)))
_TARGETED: Final = {
    "override_resource": "resources",
    "override_data": "data sources",
    "override_module": "modules",
}


@record
class ObjectOverride:
    kind: str
    target: Target
    target_range: Range
    """The range of the argument that names the target."""

    address_range: Range
    range: Range


@record
class MockProvider:
    name: str
    alias: str | None
    range: Range
    name_range: Range
    overrides: tuple[ObjectOverride, ...]
    source: str | None = None
    """A directory with further mocks."""


def bare_word(expression: Expression) -> str | None:
    """Return a word without quotes; in JSON, where there is no other form, with quotes."""
    return literal_text(expression) if expression.range.source.is_json else keyword_of(expression)


def read_mock_provider(block: Block, flavour: Flavour) -> tuple[MockProvider | None, list[Diagnostic]]:
    schema = _MOCK_PROVIDER.with_arguments("source", _DURING) if flavour.tests_choose_phases else _MOCK_PROVIDER
    content, problems = read_content(block.body, schema)
    name = block.labels[0]
    bad_name = check_local_name(name, block.header_range)
    if bad_name:
        return None, [*problems, *bad_name]
    attributes = content.attributes
    alias = constant_text(attributes.get("alias"), flavour, problems)
    if "alias" in attributes and not is_identifier(alias or ""):
        detail = f"An alias must be a valid name. {NAME_RULE}"
        if flavour.tests_must_fit:
            # The diagnostic has no range, as in the original.
            problems.append(error("Invalid provider configuration alias", detail))
        else:
            subject = attributes["alias"].expression.range
            problems.append(error("Invalid mock provider configuration alias", detail, subject))
    problems.extend(_phase_problems(attributes.get(_DURING)))
    source = constant_text(attributes.get("source"), flavour, problems)
    overrides, found = read_mock_data(content.blocks, flavour)
    problems.extend(found)
    if not flavour.tests_must_fit:
        faultless = [each for each in content.blocks if not read_mock_data([each], flavour)[1]]
        problems.extend(_repeated_mocks(block, faultless, overrides))
    return MockProvider(name, alias, block.header_range, block.label_ranges[0], overrides, source), problems


def read_mock_data(blocks: Sequence[Block], flavour: Flavour) -> tuple[tuple[ObjectOverride, ...], list[Diagnostic]]:
    """Read what a mocked provider answers. Only its overrides are about a configuration, and returned."""
    problems: list[Diagnostic] = []
    known: dict[tuple[str, str], Block] = {}
    for block in blocks:
        if block.type in OVERRIDE_BLOCKS:
            continue
        schema = _MOCK_DATA.with_arguments(_DURING) if flavour.tests_choose_phases else _MOCK_DATA
        content, found = read_content(block.body, schema)
        problems.extend(found)
        if "defaults" in content.attributes:
            attribute = content.attributes["defaults"]
            value, found = static_value(attribute.expression, flavour)
            problems.extend(found)
            if not flavour.tests_must_fit and not found and not _is_object(value):
                problems.append(_object_expected(attribute))
        problems.extend(_phase_problems(content.attributes.get(_DURING)))
        first = known.setdefault((block.type, block.labels[0]), block)
        if flavour.tests_must_fit and first is not block:
            detail = f"A {block.type} block for {block.labels[0]} has already been defined at {first.header_range}."
            problems.append(error(f"Duplicate {block.type} block", detail, block.label_ranges[0]))
    overrides, found = read_overrides(blocks, flavour)
    return overrides, [*problems, *found]


def read_overrides(blocks: Iterable[Block], flavour: Flavour) -> tuple[tuple[ObjectOverride, ...], list[Diagnostic]]:
    """Read all overrides among the blocks. There may be one for each target. Where that is checked later, all are
    returned."""
    known: dict[Target, ObjectOverride] = {}
    read: list[ObjectOverride] = []
    problems: list[Diagnostic] = []
    for block in blocks:
        if block.type not in OVERRIDE_BLOCKS:
            continue
        override, found = read_object_override(block, flavour)
        problems.extend(found)
        if override is None:
            continue
        read.append(override)
        first = known.setdefault(override.target, override)
        if flavour.tests_must_fit and first is not override:
            detail = f"An {override.kind} block targeting {override.target} has already been defined at {first.range}."
            problems.append(error(f"Duplicate {override.kind} block", detail, override.range))
    return tuple(known.values() if flavour.tests_must_fit else read), problems


def repeated_overrides(overrides: Iterable[ObjectOverride]) -> list[Diagnostic]:
    """Report overrides of a target that has one already, where a file without other mistakes is checked for that:
    resources first, then data sources, then modules."""
    problems: list[Diagnostic] = []
    seen: set[tuple[str, str]] = set()
    for override in sorted(overrides, key=lambda each: [*OVERRIDE_BLOCKS].index(each.kind)):
        key = (override.kind, str(override.target))
        if key in seen:
            detail = (
                f"It is not allowed to have multiple `{override.kind}` blocks with the same target: "
                f"`{override.target}`."
            )
            problems.append(error(f"Duplicated `{override.kind}` block", detail, override.address_range))
        seen.add(key)
    return problems


def _repeated_mocks(block: Block, inner: Iterable[Block], overrides: Iterable[ObjectOverride]) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    mocks = [(each.type, f"`{each.type}.{each.labels[0]}`") for each in inner if each.type not in OVERRIDE_BLOCKS]
    for kind, name in [*mocks, *((each.kind, f"`{each.kind}` with target `{each.target}`") for each in overrides)]:
        if name in seen:
            detail = f"{name} is already defined in `mock_provider` block."
            yield error(f"Duplicated `{kind}` block", detail, block.header_range)
        seen.add(name)


def read_object_override(block: Block, flavour: Flavour) -> tuple[ObjectOverride | None, list[Diagnostic]]:
    """Read an override; None if it has no usable target."""
    values = "outputs" if block.type == "override_module" else "values"
    if flavour.tests_must_fit:
        schema = ContentSchema(frozenset(("target", values, _DURING)))
    else:
        schema = ContentSchema(frozenset((values,)), required=("target",))
    content, problems = read_content(block.body, schema)
    attributes = content.attributes
    target: Target | Diagnostic | None = None
    if "target" in attributes:
        traversal = static_reference(as_traversal(attributes["target"].expression))
        read = parse_target if flavour.tests_must_fit else partial(_parse_block, block.type)
        target = traversal if isinstance(traversal, Diagnostic) else read(traversal, flavour)
        problems.extend([target] if isinstance(target, Diagnostic) else [])
    elif flavour.tests_must_fit:
        detail = f"{block.type} blocks must specify a target address."
        problems.append(error("Missing target attribute", detail, block.header_range))
    problems.extend(_value_problems(attributes.get(values), block, flavour))
    problems.extend(_phase_problems(attributes.get(_DURING)))
    if target is None or isinstance(target, Diagnostic):
        return None, problems
    argument = attributes["target"]
    if flavour.tests_must_fit and not _is_kind(target, block.type):
        detail = f"You can only target {_TARGETED[block.type]} from {block.type} blocks, not {target}."
        problems.append(error("Invalid override target", detail, argument.range))
        return None, problems
    return ObjectOverride(block.type, target, argument.range, argument.expression.range, block.header_range), problems


def _parse_block(kind: str, traversal: Traversal, flavour: Flavour) -> Target | Diagnostic:
    """Read the address of a block: a module or a resource, without keys."""
    split = module_prefix(traversal)
    if isinstance(split, Diagnostic):
        return split
    module, rest = split
    parts = (TraverseAttribute(traversal.root, traversal.root_range), *traversal.steps)
    key = next((part for part in parts[: len(parts) - len(rest)] if isinstance(part, TraverseIndex)), None)
    if key is not None:
        detail = (
            'Module address cannot be a module instance (e.g. "module.a[0]"), it must be a module instead (e.g. '
            '"module.a").'
        )
        return error("Module instance address with keys is not allowed", detail, key.range)
    if kind == "override_module":
        detail = "It's not allowed to reference anything other than module here."
        return error("Module address expected", detail, rest[0].range) if rest else module
    if not rest:
        detail = "Expected reference to either resource or data block. Provided reference appears to be a module."
        return error("Module address is not allowed", detail, traversal.range)
    has_mode = isinstance(rest[0], TraverseAttribute) and rest[0].name in ("data", "ephemeral")
    words = rest[1:] if has_mode else rest
    if len(words) > 3:
        return error("Invalid address", "Unexpected extra operators after address.", words[3].range)
    if len(words) > 2:
        detail = (
            'Resource address cannot be a resource instance (e.g. "null_resource.a[0]"), it must be a resource instead '
            '(e.g. "null_resource.a").'
        )
        return error("Resource instance address with keys is not allowed", detail, words[2].range)
    return parse_target(traversal, flavour)


def _is_kind(target: Target, kind: str) -> bool:
    if isinstance(target, ModuleInstance):
        return kind == "override_module"
    wanted = {"override_resource": ResourceMode.MANAGED, "override_data": ResourceMode.DATA}.get(kind)
    return target.resource.mode is wanted


def _value_problems(attribute: Attribute | None, block: Block, flavour: Flavour) -> list[Diagnostic]:
    if attribute is None:
        return []
    value, problems = static_value(attribute.expression, flavour)
    if not flavour.tests_must_fit:
        return problems if problems or _is_object(value) else [_object_expected(attribute)]
    if not _is_object(value):
        detail = f"{block.type} blocks must specify {'an' if attribute.name == 'outputs' else 'a'} {attribute.name} "
        problems.append(
            error(f"Invalid {attribute.name} attribute", f"{detail}attribute that is an object.", attribute.range)
        )
    return problems


def _is_object(value: Value) -> bool:
    return isinstance(value.type, ObjectType) or (isinstance(value.type, MapType) and not value.is_null)


def _object_expected(attribute: Attribute) -> Diagnostic:
    return error("Object expected", f"The attribute `{attribute.name}` must be an object.", attribute.range)


def _phase_problems(attribute: Attribute | None) -> list[Diagnostic]:
    if attribute is None or bare_word(attribute.expression) in _PHASES:
        return []
    detail = "The override_during attribute must be a value of plan or apply."
    return [error("Invalid override_during value", detail, attribute.range)]
