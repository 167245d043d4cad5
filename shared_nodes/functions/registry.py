"""All functions by name.

A table is built for one context (world, flavour, phase) and shared by every expression evaluated in it. Each name is
also available in the `core::` namespace; functions of providers are in `provider::NAME::`.

The names of all functions are known without importing them: a family is imported when one of its functions is first
called. Most configurations call few, and the libraries behind dates, hashes, YAML and regular expressions would take
longer to load than a small configuration takes to plan. Only functions that access the World are created per context.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.overlay import FunctionMap, Overlay
from shared_nodes.lang.function import Function
from shared_nodes.lang.lazy_function import LazyFunction
from shared_nodes.lang.try_can import CAN, TRY
from shared_nodes.world import Files, World

__all__ = ["function_table", "with_provider_functions"]

_TEMPLATES: Final = "templates"

_FAMILIES: Final[Mapping[str, str]] = {
    "collections": "alltrue anytrue coalesce coalescelist contains index length list map one sum",
    "csv_encoding": "csvdecode",
    "dates": "formatdate timeadd timecmp timestamp plantimestamp",
    "encoding": "base64decode base64encode base64gzip textdecodebase64 textencodebase64 urlencode",
    "files": "abspath basename dirname pathexpand file filebase64 fileexists fileset"
    " filebase64sha256 filebase64sha512 filemd5 filesha1 filesha256 filesha512",
    "formatting": "format formatlist",
    "hashes": "base64sha256 base64sha512 bcrypt md5 rsadecrypt sha1 sha256 sha512 uuid uuidv5",
    "json_encoding": "jsondecode jsonencode",
    "maps": "keys lookup merge transpose values zipmap",
    "network": "cidrhost cidrnetmask cidrsubnet cidrsubnets",
    "numbers": "abs ceil floor log max min parseint pow signum",
    "regexes": "regex regexall",
    "sequences": "chunklist compact concat distinct element flatten matchkeys range reverse slice sort",
    "sets": "setintersection setproduct setsubtract setunion",
    "strings": "chomp endswith indent join lower replace split startswith strcontains strrev substr title"
    " trim trimprefix trimspace trimsuffix upper",
    _TEMPLATES: "templatefile templatestring",
    "types": "tobool tolist tomap tonumber toset tostring sensitive nonsensitive issensitive ephemeralasnull",
    "yaml_encoding": "yamldecode yamlencode",
}
"""Modules of this package, and the functions that `functions` of each returns."""

_ONLY_IN_OPENTOFU: Final[Mapping[str, str]] = {"encoding": "base64gunzip urldecode", "network": "cidrcontains"}
"""Modules with functions that only OpenTofu has, and the names of these."""

_CONTEXT_FAMILIES: Final = frozenset(("dates", "files", "hashes", _TEMPLATES))
"""Families with functions that depend on files, the clock or random numbers, or on whether their results can be known
yet."""

_LANGUAGE: Final = {TRY.name: TRY, CAN.name: CAN}


@cache
def _families(flavour: Flavour) -> Mapping[str, str | None]:
    """The family of every function name. Functions of the language itself have none."""
    family_of: dict[str, str | None] = dict.fromkeys(_LANGUAGE)
    for families in (_FAMILIES, _ONLY_IN_OPENTOFU) if flavour.opentofu_functions else (_FAMILIES,):
        family_of |= {name: family for family, names in families.items() for name in names.split()}
    return family_of | {f"core::{name}": family for name, family in family_of.items()}


class _Table(FunctionMap):
    __slots__ = ("_context", "_family_of", "_loaded")

    def __init__(self, context: FunctionContext) -> None:
        self._context = context
        self._family_of = _families(context.flavour)
        self._loaded: dict[str, Function | LazyFunction] = {}
        self._add(_LANGUAGE.values())

    def __getitem__(self, name: str) -> Function | LazyFunction:
        found = self._loaded.get(name)
        if found is None:
            self._load(self._family_of[name])
            found = self._loaded[name]
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._family_of

    def __iter__(self) -> Iterator[str]:
        return iter(self._family_of)

    def __len__(self) -> int:
        return len(self._family_of)

    def _load(self, family: str | None) -> None:
        if family not in _CONTEXT_FAMILIES:
            self._add(_context_free_functions(family, self._context.flavour))
            return
        others = (self,) if family == _TEMPLATES else ()
        self._add(_import_family(family).functions(self._context, *others))

    def _add(self, functions: Iterable[Function | LazyFunction]) -> None:
        for function in functions:
            self._loaded[function.name] = self._loaded[f"core::{function.name}"] = function


def _import_family(family: str | None) -> ModuleType:
    return importlib.import_module(f"shared_nodes.functions.{family}")


@cache
def _context_free_functions(family: str | None, flavour: Flavour) -> tuple[Function | LazyFunction, ...]:
    """The functions of a family that do not depend on the context. The World here has no files, so none can be read."""
    nowhere = FunctionContext(World(Files(Path(os.devnull))), flavour)
    return tuple(_import_family(family).functions(nowhere))


def function_table(context: FunctionContext) -> FunctionMap:
    return _Table(context)


def with_provider_functions(table: FunctionMap, more: Mapping[str, Function]) -> FunctionMap:
    """The table extended by functions of providers."""
    return Overlay(more, table) if more else table
