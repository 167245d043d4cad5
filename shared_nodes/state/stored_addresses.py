"""Parses addresses as states and plans write them.

Errors are reported in the original's words, because people edit state files.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import regex

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ROOT_PATH, ModuleInstance, ModulePath
from shared_nodes.addresses.parse import Target, parse_target
from shared_nodes.addresses.provider import BUILTIN, AbsProviderConfig, ProviderInstance, ProviderSource
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource, interned
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.parser import parse_traversal
from shared_nodes.lang.source import Source
from shared_nodes.lang.tree import TraverseIndex
from shared_nodes.values import number as numbers
from shared_nodes.values.types import STRING

__all__ = [
    "AddressError",
    "is_legacy_provider_config",
    "parse_config_resource",
    "parse_instance",
    "parse_legacy_provider_config",
    "parse_module_instance",
    "parse_provider_config",
    "parse_provider_instance",
]


_CACHE_SIZE: Final = 1 << 17
"""Lists of dependencies repeat the same resources in the same order. A cache smaller than such a list would always have
evicted the entry that is needed next."""


class AddressError(Exception):
    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(str(problem))
        self.problem: Final = problem


def _target(text: str) -> Target:
    traversal, problems = parse_traversal(Source("", text))
    target = problems[0] if problems or traversal is None else parse_target(traversal)
    if isinstance(target, Diagnostic):
        raise AddressError(error(target.summary, target.detail))
    return target


@lru_cache(maxsize=4096)
def parse_module_instance(text: str) -> ModuleInstance:
    summary = "Invalid module instance address"
    traversal, problems = parse_traversal(Source("", text))
    if problems or traversal is None:
        raise AddressError(error(problems[0].summary, problems[0].detail))
    if traversal.root != "module":
        raise AddressError(error(summary, 'A module instance address must begin with "module.".'))
    target = parse_target(traversal)
    if not isinstance(target, ModuleInstance):
        detail = "The module instance address is followed by additional invalid content."
        raise AddressError(error(summary, detail))
    return target


@lru_cache(maxsize=_CACHE_SIZE)
def parse_instance(text: str) -> AbsResourceInstance:
    """Parse `module.m[0].data.t.n["k"]`. Without a key, it denotes the only instance."""
    target = _target(text)
    if isinstance(target, ModuleInstance):
        detail = "A resource address is required here. The module path must be followed by a resource specification."
        raise AddressError(error("Invalid address", detail))
    return target.instance(None) if isinstance(target, AbsResource) else target


@lru_cache(maxsize=_CACHE_SIZE)
def parse_config_resource(text: str) -> ConfigResource:
    """Parse a resource address. Module keys are dropped; a key on the resource is an error."""
    instance = parse_instance(text)
    if instance.key is not None:
        detail = (
            "A resource address is required. This instance key identifies a specific resource instance, which is not "
            "expected here."
        )
        raise AddressError(error("Invalid address", detail))
    return interned(instance.config)


_PROVIDER: Final = regex.compile(
    r'(?:(?P<module>module\..+)\.)?provider\["(?P<host>[^/"]+)/(?P<namespace>[^/"]+)/(?P<type>[^/"]+)"\]'
    r"(?:\.(?P<alias>[\w-]+)(?P<key>\[.+\])?)?"
)
_LEGACY_PROVIDER: Final = regex.compile(
    r"(?:(?P<module>module\..+)\.)?provider\.(?P<type>[\w-]+)(?:\.(?P<alias>[\w-]+))?"
)


@lru_cache(maxsize=1024)
def parse_provider_instance(text: str) -> ProviderInstance | None:
    """Parse the address of an instance of a provider configuration; None if it is invalid. Without a key, it denotes
    the only instance."""
    found = _PROVIDER.fullmatch(text)
    path = None if found is None else _module_path(found["module"] or "")
    if found is None or path is None:
        return None
    config = AbsProviderConfig(ProviderSource(found["host"], found["namespace"], found["type"]), path, found["alias"])
    if found["key"] is None:
        return ProviderInstance(config)
    key = _provider_key(found["key"])
    return None if key is None else ProviderInstance(config, key)


def _provider_key(text: str) -> InstanceKey:
    """Parse a key in brackets; None if it is invalid."""
    traversal, problems = parse_traversal(Source("", f"provider{text}"))
    match () if problems or traversal is None else traversal.steps:
        case (TraverseIndex(key),):
            return str(key.payload) if key.type is STRING else numbers.to_int(key.payload)
    return None


def parse_provider_config(text: str) -> AbsProviderConfig | None:
    """Parse a provider address; None if it is invalid."""
    found = parse_provider_instance(text)
    return None if found is None or found.key is not None else found.config


def is_legacy_provider_config(text: str) -> bool:
    """Return whether this is a valid provider address from before providers had sources: `provider.aws`."""
    found = _LEGACY_PROVIDER.fullmatch(text)
    return found is not None and _module_path(found["module"] or "") is not None


def parse_legacy_provider_config(text: str, flavour: Flavour) -> AbsProviderConfig | None:
    """Parse a provider address from before providers had sources; None if it is invalid."""
    found = _LEGACY_PROVIDER.fullmatch(text)
    path = None if found is None else _module_path(found["module"] or "")
    if found is None or path is None:
        return None
    name = found["type"]
    source = BUILTIN if name == "terraform" else ProviderSource(flavour.registry, "-", name)
    return AbsProviderConfig(source, path, found["alias"])


def _module_path(text: str) -> ModulePath | None:
    if not text:
        return ROOT_PATH
    names = text.split(".")
    if len(names) % 2 or set(names[::2]) != {"module"}:
        return None
    return ModulePath(tuple(names[1::2]))
