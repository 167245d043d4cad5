"""`provider` blocks: configurations of providers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shared_nodes.config.blocks.model import ProviderBlock
from shared_nodes.config.blocks.resource import duplicate_escape, reserved_block
from shared_nodes.config.syntax.content import ContentSchema, merged_body, split_content
from shared_nodes.config.syntax.literals import NAME_RULE, constant_text
from shared_nodes.config.syntax.provider_names import check_local_name
from shared_nodes.config.syntax.version_constraint import read_constraint
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.lang.tree import Block

__all__ = ["read_provider", "read_provider_of_test"]

_RESERVED: Final = ("count", "depends_on", "for_each", "source")
_SCHEMA: Final = ContentSchema(
    arguments=frozenset(("alias", "version", *_RESERVED)), blocks={"_": (), "lifecycle": (), "locals": ()}
)


def read_provider(block: Block, flavour: Flavour) -> tuple[ProviderBlock | None, list[Diagnostic]]:
    """Read a provider configuration; None if its name is invalid, because nothing can refer to such a provider."""
    content, rest, problems = split_content(block.body, _SCHEMA)
    name = block.labels[0]
    bad_name = check_local_name(name, block.header_range)
    if bad_name:
        return None, [*problems, *bad_name]
    attributes = content.attributes
    alias = constant_text(attributes.get("alias"), flavour, problems)
    if "alias" in attributes and not is_identifier(alias or ""):
        # The diagnostic has no range, as in the original.
        detail = f"An alias must be a valid name. {NAME_RULE}"
        problems.append(error("Invalid provider configuration alias", detail))
    if "version" in attributes:
        problems.append(_version_warning(block, flavour))
    version = read_constraint(attributes.get("version"), problems)
    for_each = attributes.get("for_each") if flavour.providers_repeat else None
    if for_each is not None and not alias:
        detail = "The for_each argument is allowed only for provider configurations with an alias."
        problems.append(error('Alias required when using "for_each"', detail, for_each.expression.range))
    for reserved in _RESERVED:
        if reserved in attributes and (for_each is None or reserved != "for_each"):
            detail = (
                f'The provider argument name "{reserved}" is reserved for use by {flavour.product} in a future version.'
            )
            subject = attributes[reserved].name_range
            problems.append(error("Reserved argument name in provider block", detail, subject))
    escape: Block | None = None
    for inner in content.blocks:
        if inner.type != "_":
            problems.append(reserved_block(inner, "provider", flavour))
        elif escape is not None:
            problems.append(duplicate_escape(escape, inner, "provider-specific", "provider"))
        else:
            escape = inner
    body = rest if escape is None else merged_body(rest, escape.body)
    repeated_for = None if for_each is None else for_each.expression
    return ProviderBlock(name, alias, body, block.header_range, version, block.label_ranges[0], repeated_for), problems


def read_provider_of_test(block: Block, flavour: Flavour) -> tuple[ProviderBlock | None, list[Diagnostic]]:
    """Read a provider configuration of a test file, which cannot demand a version."""
    version = block.body.attributes.get("version")
    if version is None:
        return read_provider(block, flavour)
    others = {name: attribute for name, attribute in block.body.attributes.items() if attribute is not version}
    provider, problems = read_provider(replace(block, body=replace(block.body, attributes=others)), flavour)
    detail = (
        "Version constraints inside provider configuration blocks are not allowed in test files. To silence this "
        "error, move the provider version constraint into the required_providers block of the configuration that uses "
        "this provider."
    )
    summary = "Version constraints are not allowed in test files"
    return provider, [*problems, error(summary, detail, version.expression.range)]


def _version_warning(block: Block, flavour: Flavour) -> Diagnostic:
    return warning(
        "Version constraints inside provider configuration blocks are deprecated",
        f"{flavour.product} 0.13 and earlier allowed provider version constraints inside the provider configuration "
        f"block, but that is now deprecated and will be removed in a future version of {flavour.product}. To silence "
        "this warning, move the provider version constraint into the required_providers block.",
        block.body.attributes["version"].expression.range,
    )
