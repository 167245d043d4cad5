"""Parses addresses as states and plans write them.

Errors are reported in the original's words, because people edit state files.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.parse import Target, parse_target
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource, interned
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.parser import parse_traversal
from shared_nodes.lang.source import Source

__all__ = [
    "AddressError",
    "parse_config_resource",
    "parse_instance",
    "parse_module_instance",
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
