"""Checks that provider configurations reach the modules that need them.

Every module of the tree is compared with the `providers` argument of the call that created it. An undeclared name is
assumed to be the vendor's provider of that name, with a warning. In this check alone, that applies even to `terraform`,
although that provider is built in.
"""

from __future__ import annotations

from dataclasses import field

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.config.blocks import ModuleCallBlock, PassedProvider
from shared_nodes.config.module import Module
from shared_nodes.config.provider_keys import check_provider_keys
from shared_nodes.config.syntax.provider_names import (
    display_source,
    implied_provider,
    implied_source,
    invalid_part,
    is_vendor_source,
    vendor_source,
)
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.lang.source import Range
from shared_nodes.record import record
from shared_nodes.values.text import quoted

__all__ = ["check_provider_passing"]


def check_provider_passing(root: ConfigTree, *, types_known: bool = True) -> list[Diagnostic]:
    """Check the whole tree. `types_known` is False if other errors kept the original from resolving the local names."""
    return _check_tree(root, None, None, types_known)


def _check_tree(
    node: ConfigTree, parent: ConfigTree | None, no_configuration: Range | None, types_known: bool
) -> list[Diagnostic]:
    problems: list[Diagnostic] = []
    for name in sorted(node.children):
        call = node.module.module_calls[name]
        inherited = _repetition_range(call) or no_configuration
        problems.extend(_check_tree(node.children[name], node, inherited, types_known))
    view = _View(node, parent, types_known)
    problems.extend(_check_requirements(view))
    problems.extend(_check_implied_names(view))
    problems.extend(check_provider_keys(node))
    problems.extend(_check_calls(view))
    if parent is not None:
        problems.extend(_check_configured(view, no_configuration))
        problems.extend(_check_aliases(view))
        for passed in view.passed.values():
            problems.extend(_check_passed(view, parent, passed))
        problems.extend(_check_empty_blocks(view))
    return problems


def _repetition_range(call: ModuleCallBlock) -> Range | None:
    """Return the argument that forbids the called module to contain provider configurations."""
    if call.count is not None:
        return call.count.range
    if call.for_each is not None:
        return call.for_each.range
    if call.enabled is not None:
        return call.enabled.range
    return call.depends_on[0].range if call.depends_on else None


def _module_text(path: ModulePath) -> str:
    return str(path) if path.names else "the root module"


def _key_text(key: tuple[str, str | None]) -> str:
    name, alias = key
    return name if alias is None else f"{name}.{alias}"


@record(frozen=False)
class _View:
    """One module as these checks see it. Keys are names as written: `aws`, `aws.west`."""

    node: ConfigTree
    parent: ConfigTree | None
    types_known: bool
    configured: dict[str, Range] = field(init=False)
    """Provider configurations with content, by name."""
    empty: dict[str, Range] = field(init=False)
    """Empty configurations, by name. In old modules they only declared that a configuration was expected."""
    passed: dict[str, PassedProvider] = field(init=False)

    def __post_init__(self) -> None:
        blocks = self.module.providers
        self.configured = {_key_text(key): block.range for key, block in blocks.items() if block.has_content}
        self.empty = {_key_text(key): block.range for key, block in blocks.items() if not block.has_content}
        passed = (self.node.call.passed_providers or ()) if self.node.call is not None else ()
        self.passed = {str(one.in_child): one for one in passed}

    @property
    def module(self) -> Module:
        return self.node.module

    @property
    def flavour(self) -> Flavour:
        return self.module.flavour

    def shown(self, source: ProviderSource) -> str:
        return display_source(source, self.flavour)

    @property
    def local_names(self) -> dict[str, ProviderSource]:
        return {name: requirement.source for name, requirement in self.module.required_providers.items()}

    @property
    def aliases(self) -> dict[str, ProviderSource]:
        return {
            str(alias): requirement.source
            for requirement in self.module.required_providers.values()
            for alias in requirement.configuration_aliases
        }

    @property
    def text(self) -> str:
        return _module_text(self.node.path)

    @property
    def parent_text(self) -> str:
        return _module_text(self.node.path.parent)


def _check_requirements(view: _View) -> list[Diagnostic]:
    """Warn if one provider is required under two names."""
    problems: list[Diagnostic] = []
    seen: dict[ProviderSource, str] = {}
    for name, requirement in view.module.required_providers.items():
        previous = seen.get(requirement.source)
        subject = requirement.value_range
        if previous is not None:
            detail = (
                f"Provider {view.shown(requirement.source)} with the local name {quoted(name)} was previously "
                f"required as {quoted(previous)}. A provider can only be required once within required_providers."
            )
            problems.append(warning("Duplicate required provider", detail, subject))
        elif is_vendor_source(requirement.source, view.flavour) and requirement.source.type != name:
            implied = requirement.source.type
            if any(local == implied for local, _ in view.module.providers):
                detail = (
                    f"Provider {view.shown(requirement.source)} with the local name {quoted(name)} was implicitly "
                    f"required via a configuration block as {quoted(implied)}. The provider configuration block name "
                    "must match the name used in required_providers."
                )
                problems.append(warning("Duplicate required provider", detail, subject))
        seen[requirement.source] = name
    return problems


def _check_implied_names(view: _View) -> list[Diagnostic]:
    """Warn about resources without a `provider` argument whose type's prefix denotes a provider required under another
    name."""
    problems: list[Diagnostic] = []
    local_names = view.local_names
    names_of = {source: name for name, source in local_names.items()}
    for resource, block in view.module.resources.items():
        if block.provider is not None:
            continue
        if resource.mode is ResourceMode.EPHEMERAL and not view.flavour.ephemeral_resources_imply_providers:
            continue
        implied = implied_provider(resource.type)
        reason = invalid_part(implied)
        if reason is not None:
            detail = f"{quoted(implied)} is an invalid implied provider local name: {reason}"
            problems.append(error("Invalid provider local name", detail, block.range))
            continue
        required_as = names_of.get(implied_source(implied, view.flavour))
        if implied in local_names or required_as is None:
            continue
        detail = (
            f'Provider "{implied_source(implied, view.flavour)}" was implicitly required via resource "{resource}", '
            f'but listed in required_providers as "{required_as}". Either the local name in required_providers must '
            f'match the resource name, or the "{required_as}" provider must be assigned within the resource block.'
        )
        problems.append(warning("Duplicate required provider", detail, block.range))
    return problems


def _check_calls(view: _View) -> list[Diagnostic]:
    """Check the configurations this module passes to others. Aliased ones are checked in the receiving module."""
    problems: list[Diagnostic] = []
    handed_on = [one.in_parent for call in view.module.module_calls.values() for one in call.passed_providers or ()]
    for reference in handed_on:
        name = reference.local_name
        if reference.alias is not None:
            continue
        assumed = view.shown(vendor_source(name, view.flavour))
        if name not in view.configured and name not in view.local_names:
            detail = (
                f"There is no explicit declaration for local provider name {quoted(name)} in {view.text}, so "
                f"{view.flavour.product} is assuming you mean to pass a configuration for provider {quoted(assumed)}."
                f"\n\nTo clarify your intent and silence this warning, add to {view.parent_text} a required_providers "
                f"entry named {quoted(name)} with source = {quoted(assumed)}, or a different source address if "
                "appropriate."
            )
            problems.append(warning("Reference to undefined provider", detail, reference.name_range))
        elif view.node.call is not None and name not in view.configured and name not in view.passed:
            detail = (
                f"The configuration for {view.text} expects to inherit a configuration for provider {assumed} with "
                f"local name {quoted(name)}, but {view.parent_text} doesn't pass a configuration under that name.\n\n"
                f'To satisfy this requirement, add an entry for {quoted(name)} to the "providers" argument in the '
                f"module {quoted(view.node.call.name)} block."
            )
            problems.append(warning("Missing required provider configuration", detail, view.node.call.range))
    return problems


def _check_configured(view: _View, no_configuration: Range | None) -> list[Diagnostic]:
    """Report the module's own configurations where they are not allowed, or where another one is passed."""
    problems: list[Diagnostic] = []
    call = view.node.call
    assert call is not None
    if view.configured and no_configuration is not None:
        first = "count, for_each, enabled" if view.flavour.lifecycle_enables_objects else "count, for_each,"
        detail = (
            f"The module at {view.node.path} is a legacy module which contains its own local provider configurations, "
            f"and so calls to it may not use the {first} or depends_on arguments.\n\nIf you also control the module "
            f"{quoted(call.source)}, consider updating this module to instead expect provider configurations to be "
            "passed by its caller."
        )
        problems.append(error(f"Module is incompatible with {first} and depends_on", detail, no_configuration))
    for name in view.configured:
        if name in view.passed:
            detail = (
                f"The configuration of {view.text} has its own local configuration for {name}, and so it cannot accept "
                f"an overridden configuration provided by {view.parent_text}."
            )
            subject = view.passed[name].in_child.name_range
            problems.append(error("Cannot override provider configuration", detail, subject))
    return problems


def _check_aliases(view: _View) -> list[Diagnostic]:
    assert view.node.call is not None
    problems: list[Diagnostic] = []
    for name, source in view.aliases.items():
        if name in view.configured or name in view.passed:
            continue
        detail = (
            f"The child module requires an additional configuration for provider {view.shown(source)}, with the "
            f"local name {quoted(name)}.\n\nRefer to the module's documentation to understand the intended purpose of "
            f'this additional provider configuration, and then add an entry for {name} in the "providers" '
            "meta-argument in the module block to choose which provider configuration the module should use for that "
            "purpose."
        )
        problems.append(error("Missing required provider configuration", detail, view.node.call.range))
    return problems


def _source_in(module: Module, name: str, types_known: bool) -> ProviderSource:
    """Return the source a name denotes, as the original determines it before these checks."""
    requirement = module.required_providers.get(name) if types_known else None
    return vendor_source(name, module.flavour) if requirement is None else requirement.source


def _check_passed(view: _View, parent: ConfigTree, passed: PassedProvider) -> list[Diagnostic]:
    """Check that a configuration passed by the call is expected here and belongs to the right provider."""
    problems: list[Diagnostic] = []
    name = str(passed.in_child)
    local_names, aliases = view.local_names, view.aliases
    source = _source_in(view.module, passed.in_child.local_name, view.types_known)
    source = aliases.get(name) or local_names.get(name) or source
    if name not in local_names and name not in aliases and name not in view.empty:
        shown = view.shown(source)
        if is_vendor_source(source, view.flavour):
            detail = (
                f"There is no explicit declaration for local provider name {quoted(name)} in {view.text}, so "
                f"{view.flavour.product} is assuming you mean to pass a configuration for {quoted(shown)}.\n\nIf you "
                f"also control the child module, add a required_providers entry named {quoted(name)} with the source "
                f"address {quoted(shown)}."
            )
            problems.append(warning("Reference to undefined provider", detail, passed.in_child.name_range))
        else:
            detail = (
                f"The child module does not declare any provider requirement with the local name {quoted(name)}.\n\nIf "
                f"you also control the child module, you can add a required_providers entry named {quoted(name)} with "
                f"the source address {quoted(shown)} to accept this provider configuration."
            )
            problems.append(error("Reference to undefined provider", detail, passed.in_child.name_range))
    given_source = _given_source(parent.module, passed)
    if given_source != source:
        problems.append(_mismatch(view, passed, source, given_source))
    return problems


def _given_source(caller: Module, passed: PassedProvider) -> ProviderSource:
    """Return the provider whose configuration is passed. The original looks for the name in the child first, if that
    has no alias, and so misses some mismatches."""
    local_name = passed.in_parent.local_name
    requirements = caller.required_providers
    found = requirements.get(str(passed.in_child)) or requirements.get(local_name)
    return vendor_source(local_name, caller.flavour) if found is None else found.source


def _mismatch(view: _View, passed: PassedProvider, source: ProviderSource, given: ProviderSource) -> Diagnostic:
    """Report a configuration of the wrong provider. If the module requires the passed provider under another name,
    suggest that name."""
    child, ours, theirs = str(passed.in_child), view.shown(source), view.shown(given)
    summary = "Provider type mismatch"
    other = next((name for name, declared in view.local_names.items() if declared == given), None)
    if other is not None:
        one, another = (ours, theirs) if view.flavour.mismatched_providers_change_places else (theirs, ours)
        detail = (
            f'The assigned configuration is for provider "{one}", but local name "{passed.in_child.local_name}" in '
            f'{view.parent_text} represents "{another}".\n\nTo pass this configuration to the child module, use the '
            f'local name "{other}" instead.'
        )
        return error(summary, detail, passed.in_child.name_range)
    detail = (
        f'The local name "{passed.in_parent}" in {view.parent_text} represents provider "{theirs}", but "{child}" in '
        f'{view.text} represents "{ours}".\n\nEach provider has its own distinct configuration schema and provider '
        f'types, so this module\'s "{child}" can be assigned only a configuration for {ours}, which is not required '
        f"by {view.text}."
    )
    return error(summary, detail, passed.in_parent.name_range)


def _check_empty_blocks(view: _View) -> list[Diagnostic]:
    """Give one warning per provider, however many empty blocks it has, with an example of the current syntax."""
    by_provider: dict[str, list[str]] = {}
    for name in view.empty:
        by_provider.setdefault(name.split(".", maxsplit=1)[0], []).append(name)
    problems: list[Diagnostic] = []
    for provider, names in by_provider.items():
        source = view.local_names.get(names[0], vendor_source(provider, view.flavour))
        example = [f"    {provider} = {{", f'      source = "{view.shown(source)}"']
        if any(name != provider for name in names):
            example += ["      configuration_aliases = [", *(f"        {name}," for name in sorted(names)), "      ]"]
        example.append("    }")
        detail = (
            f'Earlier versions of {view.flavour.product} used empty provider blocks ("proxy provider configurations") '
            "for child modules to declare their need to be passed a provider configuration by their callers. That "
            "approach was ambiguous and is now deprecated.\n\nIf you control this module, you can migrate to the "
            f"new declaration syntax by removing all of the empty provider {quoted(provider)} blocks and then "
            "adding or updating an entry like the following to the required_providers block of "
            f"{view.text}:\n" + "\n".join(example)
        )
        places = [view.empty[name] for name in names]
        subject = min(places, key=lambda place: (place.source.filename, place.start))
        problems.append(warning("Redundant empty provider block", detail, subject))
    return problems
