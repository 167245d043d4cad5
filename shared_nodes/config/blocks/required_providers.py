"""`required_providers`: a module's local names for its providers, with their sources and versions."""

from __future__ import annotations

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.config.blocks.model import ProviderReference, ProviderRequirement
from shared_nodes.config.syntax.provider_names import check_local_name, implied_source, parse_source
from shared_nodes.config.syntax.static_reference import static_list, static_reference
from shared_nodes.config.syntax.version_constraint import parse_constraints, read_constraint
from shared_nodes.flavour import Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.json_static import static_value
from shared_nodes.values.types import STRING, Primitive
from shared_nodes.values.value import value_text

__all__ = ["read_required_providers"]


def read_required_providers(
    block: tree.Block, flavour: Flavour
) -> tuple[dict[str, ProviderRequirement], list[Diagnostic]]:
    """Read the entries, leaving out faulty ones. A nested block invalidates all of them."""
    if block.body.blocks:
        inner = block.body.blocks[0]
        return {}, [error(f'Unexpected "{inner.type}" block', "Blocks are not allowed here.", inner.type_range)]
    found: dict[str, ProviderRequirement] = {}
    problems: list[Diagnostic] = []
    for name, attribute in block.body.attributes.items():
        requirement, bad = _read_entry(attribute, flavour)
        problems.extend(bad)
        if requirement is not None:
            found[name] = requirement
    return found, problems


def _read_entry(attribute: tree.Attribute, flavour: Flavour) -> tuple[ProviderRequirement | None, list[Diagnostic]]:
    """Read one entry: an object, or in the legacy form just a version."""
    name, expression = attribute.name, attribute.expression
    problems: list[Diagnostic] = []
    value, failed = static_value(expression)
    if not failed and isinstance(value.type, Primitive) and not value.is_null:
        constraints = read_constraint(attribute, problems)
        requirement = ProviderRequirement(
            name, implied_source(name, flavour), constraints, range=attribute.range, value_range=expression.range
        )
        return requirement, problems
    bad_name = check_local_name(name, expression.range)
    if bad_name:
        return None, bad_name
    if not isinstance(expression, tree.ObjectConstructor):
        detail = "required_providers entries must be strings or objects."
        return None, [error("Invalid required_providers object", detail, expression.range)]
    source: ProviderSource | None = None
    constraints, aliases = "", tuple[ProviderReference, ...]()
    for item in expression.items:
        match _key(item, problems):
            case "source":
                source = _read_source(item.value, flavour, problems)
            case "version":
                constraints = _read_version(item.value, problems)
            case "configuration_aliases":
                aliases = _read_aliases(name, item.value, problems)
            case str():
                detail = (
                    'required_providers objects can only contain "version", "source" and "configuration_aliases" '
                    'attributes. To configure a provider, use a "provider" block.'
                )
                problems.append(error("Invalid required_providers object", detail, item.key.range))
    requirement = ProviderRequirement(
        name, source or implied_source(name, flavour), constraints, aliases, attribute.range, expression.range
    )
    return requirement, problems


def _key(item: tree.ObjectItem, problems: list[Diagnostic]) -> str | None:
    if item.literal_key is not None:
        return item.literal_key
    value, found = static_value(item.key)
    problems.extend(found)
    if found:
        return None
    if value.type is not STRING or value.is_null or not value.is_known:
        detail = f"Invalid attribute value for provider requirement: {value_text(value)}"
        problems.append(error("Invalid Attribute", detail, item.key.range))
        return None
    return str(value.payload)


def _constant_string(expression: tree.Expression) -> str | None:
    value, failed = static_value(expression)
    if failed or value.type is not STRING or value.is_null or not value.is_known:
        return None
    return str(value.payload)


def _read_source(expression: tree.Expression, flavour: Flavour, problems: list[Diagnostic]) -> ProviderSource | None:
    text = _constant_string(expression)
    if text is None:
        problems.append(error("Invalid source", "Source must be specified as a string.", expression.range))
        return None
    outcome = parse_source(text, expression.range, flavour)
    if isinstance(outcome, Diagnostic):
        problems.append(outcome)
        return None
    return outcome


def _read_version(expression: tree.Expression, problems: list[Diagnostic]) -> str:
    text = _constant_string(expression)
    if text is None:
        detail = "Version must be specified as a string."
    elif parse_constraints(text) is None:
        detail = "This string does not use correct version constraint syntax."
    else:
        return text
    problems.append(error("Invalid version constraint", detail, expression.range))
    return ""


def _read_aliases(name: str, expression: tree.Expression, problems: list[Diagnostic]) -> tuple[ProviderReference, ...]:
    """Read the configurations that callers of the module must pass. Steps after the alias are not checked."""
    items, found = static_list(expression)
    problems.extend(found)
    aliases: list[ProviderReference] = []
    for item in items:
        traversal = static_reference(item)
        if isinstance(traversal, Diagnostic):
            problems.append(traversal)
            continue
        step = traversal.steps[0] if traversal.steps else None
        if isinstance(step, tree.TraverseIndex):
            detail = (
                "Configuration aliases can only contain references to local provider configuration names in the format "
                "of provider.alias"
            )
        elif traversal.root != name:
            detail = (
                f'Configuration aliases must be prefixed with the provider name. Expected "{name}", but found '
                f'"{traversal.root}".'
            )
        else:
            aliases.append(ProviderReference(name, None if step is None else step.name, item.range))
            continue
        problems.append(error("Invalid configuration_aliases value", detail, expression.range))
    return tuple(aliases)
