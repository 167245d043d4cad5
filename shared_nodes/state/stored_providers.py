"""Parses the addresses of providers in states, which people edit: in any spelling that the original accepts, and with
errors in its words."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.parse import BadKey, key_of, module_prefix
from shared_nodes.addresses.provider import BUILTIN, AbsProviderConfig, ProviderInstance, ProviderSource
from shared_nodes.config.syntax.provider_names import parse_source
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.parser import parse_traversal
from shared_nodes.lang.source import NOWHERE, Source
from shared_nodes.lang.tree import Step, TraverseAttribute, TraverseIndex
from shared_nodes.values.types import STRING

if TYPE_CHECKING:
    import regex

__all__ = ["is_legacy_provider", "parse_provider_instance", "parse_stored_instance", "parse_stored_provider"]


def parse_provider_instance(text: str) -> ProviderInstance | None:
    """Parse an address as this program prints it; None if it is spelled in any other way."""
    found = parse_stored_instance(text)
    return None if isinstance(found, Diagnostic) or str(found) != text else found


@lru_cache(maxsize=1024)
def parse_stored_provider(text: str, flavour: Flavour) -> AbsProviderConfig | Diagnostic:
    """Parse the provider configuration of a resource. States from before providers had sources have addresses of
    another form."""
    found = parse_stored_instance(text, flavour)
    if isinstance(found, Diagnostic):
        return _parse_legacy_provider(text, flavour) or found
    return found.config if found.key is None else _problem("A provider address must not include an instance key.")


@lru_cache(maxsize=1024)
def parse_stored_instance(text: str, flavour: Flavour = TERRAFORM_1_11) -> ProviderInstance | Diagnostic:
    """Parse the address of one instance of a provider configuration. Without a key, it denotes the only instance."""
    traversal, problems = parse_traversal(Source("", text))
    if problems or traversal is None:
        return error(problems[0].summary, problems[0].detail)
    prefix = module_prefix(traversal)
    if isinstance(prefix, Diagnostic):
        return error(prefix.summary, prefix.detail)
    module, rest = prefix
    if any(step.key is not None for step in module.steps):
        return _problem("A provider configuration must not appear in a module instance that uses count or for_each.")
    return _parse_rest(module.path, rest, flavour)


def _parse_rest(module: ModulePath, rest: tuple[Step, ...], flavour: Flavour) -> ProviderInstance | Diagnostic:
    """Parse what follows the module: `provider["SOURCE"].ALIAS[KEY]`."""
    match rest:
        case (TraverseAttribute("provider"), kind, *steps):
            pass
        case _:
            return _problem('Provider address must begin with "provider.", followed by a provider type name.')
    if len(steps) > 2:
        return _problem("Extraneous operators after provider configuration reference.")
    if not isinstance(kind, TraverseIndex) or kind.key.type is not STRING:
        return _problem('The prefix "provider." must be followed by a provider type name.')
    source = parse_source(str(kind.key.payload), NOWHERE, flavour)
    if isinstance(source, Diagnostic):
        return error(source.summary, source.detail)
    match steps:
        case []:
            return ProviderInstance(AbsProviderConfig(source, module))
        case [TraverseAttribute(alias)]:
            return ProviderInstance(AbsProviderConfig(source, module, alias))
        case [TraverseAttribute(alias), TraverseIndex() as index]:
            key = key_of(index)
            if isinstance(key, BadKey):
                return _problem(f"Invalid provider instance key: {key}.")
            return ProviderInstance(AbsProviderConfig(source, module, alias), key)
        case [TraverseAttribute(), _]:
            return _problem("A provider configuration alias can be followed only by an instance key in brackets.")
    return _problem("Provider type name must be followed by a configuration alias name.")


def _problem(detail: str) -> Diagnostic:
    return error("Invalid provider configuration address", detail)


@cache
def _legacy_address() -> regex.Pattern[str]:
    """Return the pattern of such an address. Only old states contain any, and `regex` takes a while to import."""
    import regex

    return regex.compile(r"(?:(?P<module>module\..+)\.)?provider\.(?P<type>[\w-]+)(?:\.(?P<alias>[\w-]+))?")


def is_legacy_provider(text: str) -> bool:
    """Return whether this is a valid provider address from before providers had sources: `provider.aws`."""
    found = _legacy_address().fullmatch(text)
    return found is not None and _legacy_path(found["module"] or "") is not None


def _parse_legacy_provider(text: str, flavour: Flavour) -> AbsProviderConfig | None:
    found = _legacy_address().fullmatch(text)
    path = None if found is None else _legacy_path(found["module"] or "")
    if found is None or path is None:
        return None
    name = found["type"]
    source = BUILTIN if name == "terraform" else ProviderSource(flavour.registry, "-", name)
    return AbsProviderConfig(source, path, found["alias"])


def _legacy_path(text: str) -> ModulePath | None:
    names = text.split(".") if text else []
    if len(names) % 2 or set(names[::2]) - {"module"}:
        return None
    return ModulePath(tuple(names[1::2]))
