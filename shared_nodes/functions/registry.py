"""All functions by name.

A table is built for one context (world, flavour, phase) and then shared by every expression evaluated in it. Each name
is also reachable under the `core::` namespace; functions of providers under `provider::NAME::`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shared_nodes.functions import (
    assumptions,
    collections,
    csv_encoding,
    dates,
    encoding,
    files,
    formatting,
    hashes,
    json_encoding,
    maps,
    network,
    numbers,
    provider_terraform,
    regexes,
    sequences,
    sets,
    strings,
    templates,
    types,
    yaml_encoding,
)
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.function import Function
from shared_nodes.functions.type_conversion import CONVERT
from shared_nodes.lang.lazy import CAN, TRY, LazyFunction

__all__ = ["function_table", "terraform_provider_functions"]

_FAMILIES: Final = (
    assumptions,
    collections,
    csv_encoding,
    dates,
    encoding,
    files,
    formatting,
    hashes,
    json_encoding,
    maps,
    network,
    numbers,
    regexes,
    sequences,
    sets,
    strings,
    types,
    yaml_encoding,
)


def function_table(context: FunctionContext) -> Mapping[str, Function | LazyFunction]:
    table: dict[str, Function | LazyFunction] = {TRY.name: TRY, CAN.name: CAN}
    if context.flavour.opentofu_functions:
        table[CONVERT.name] = CONVERT
    for family in _FAMILIES:
        table |= {function.name: function for function in family.functions(context)}
    table |= {f"core::{name}": function for name, function in table.items()}
    for template_function in templates.functions(context, table):
        table[template_function.name] = table[f"core::{template_function.name}"] = template_function
    return table


def terraform_provider_functions(context: FunctionContext, local_name: str = "terraform") -> Mapping[str, Function]:
    """The builtin provider's functions, under the name a module gives the provider."""
    return {f"provider::{local_name}::{f.name}": f for f in provider_terraform.functions(context)}
