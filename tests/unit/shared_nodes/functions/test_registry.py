"""The table of functions knows all of them by name, and loads each only on first use."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest

import shared_nodes.functions
from shared_nodes.flavour import FLAVOURS
from shared_nodes.functions import provider_terraform
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.registry import function_table, with_provider_functions
from shared_nodes.world import Files, World

OF_PROVIDERS = "provider_terraform"


def context(flavour: str) -> FunctionContext:
    return FunctionContext(World(Files(Path.cwd())), FLAVOURS[flavour])


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_it_names_exactly_the_functions_that_families_make(flavour: str) -> None:
    table = function_table(context(flavour))
    made = {"try", "can"}
    for found in pkgutil.iter_modules(shared_nodes.functions.__path__):
        family = importlib.import_module(f"shared_nodes.functions.{found.name}")
        if hasattr(family, "functions") and found.name != OF_PROVIDERS:
            others = (table,) if found.name == "templates" else ()
            made |= {function.name for function in family.functions(context(flavour), *others)}
    assert set(table) == made | {f"core::{name}" for name in made}
    assert len(table) == 2 * len(made)


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_every_name_leads_to_the_function_of_that_name(flavour: str) -> None:
    table = function_table(context(flavour))
    for name in table:
        assert table[name].name == name.removeprefix("core::")
        assert table[name] is table[f"core::{name.removeprefix('core::')}"]


def test_a_name_nobody_has_is_none_of_it() -> None:
    table = function_table(context("terraform-1.11"))
    assert "convert" not in table
    assert table.get("convert") is None


def test_functions_of_providers_stand_beside_the_others() -> None:
    table = function_table(context("terraform-1.11"))
    offered = provider_terraform.functions(context("terraform-1.11"))
    more = {f"provider::local::{function.name}": function for function in offered}
    both = with_provider_functions(table, more)
    assert both["upper"] is table["upper"]
    assert both["provider::local::encode_expr"] is more["provider::local::encode_expr"]
    assert "provider::local::encode_expr" in both
    assert "provider::local::encode_expr" not in table
    assert set(both) == {*table, *more}
    assert len(both) == len(table) + len(more)
    assert both.get("provider::local::nothing") is None
