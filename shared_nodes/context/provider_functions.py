"""The functions of the providers that a module requires."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from shared_nodes.addresses.references import ProviderFunction, Subject
from shared_nodes.config.module import Module
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, Parameter
from shared_nodes.values.types import DYNAMIC, Type
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value

__all__ = ["blaming_an_argument", "provider_functions", "undeclared_function_providers"]


def blaming_an_argument(function: Function) -> Function:
    """Return a function whose failures are about its first argument, unless they name another one."""

    def call(arguments: Arguments, return_type: Type) -> Value:
        try:
            return function.implementation(arguments, return_type)
        except ArgumentError:
            raise
        except FunctionError as failure:
            raise ArgumentError(0, failure.message) from failure

    return replace(function, implementation=call) if function.parameters or function.variadic else function


def provider_functions(
    offered: Mapping[str, Mapping[str, Function]], flavour: Flavour, *, validating: bool
) -> Mapping[str, Function]:
    """The functions of providers, given by the local name of the provider and their own names, under the names by which
    expressions call them."""
    if flavour.provider_functions_are_references:
        return _AliasedFunctions(offered, accept_all=validating)
    return {
        f"provider::{provider}::{name}": function
        for provider, functions in offered.items()
        for name, function in functions.items()
    }


def undeclared_function_providers(module: Module, subjects: Iterable[Subject]) -> list[Diagnostic]:
    """Report the functions of providers that a module does not require."""
    return [
        error(
            "Unknown function provider",
            f'Provider "{subject.provider}" does not exist within the required_providers of this module',
            subject.range,
        )
        for subject in subjects
        if isinstance(subject, ProviderFunction) and subject.provider not in module.required_providers
    ]


class _AliasedFunctions(Mapping[str, Function]):
    """Functions of providers in flavours where they are references: each one is also found under every alias of its
    provider. With `accept_all`, which is meant for validation, every name below a provider is a function, because a
    provider may offer more once it is configured."""

    __slots__ = ("_accept_all", "_offered")

    def __init__(self, offered: Mapping[str, Mapping[str, Function]], *, accept_all: bool) -> None:
        self._offered = offered
        self._accept_all = accept_all

    def __getitem__(self, name: str) -> Function:
        *names, own_name = name.removeprefix("provider::").split("::")
        if not name.startswith("provider::") or len(names) not in (1, 2):
            raise KeyError(name)
        functions = self._offered[names[0]]
        return functions.get(own_name, _LATER) if self._accept_all else functions[own_name]

    def __iter__(self) -> Iterator[str]:
        return (f"provider::{provider}::{name}" for provider, names in self._offered.items() for name in names)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return bool(self._offered)


_LATER = Function(
    "later",
    (),
    DYNAMIC,
    lambda _arguments, _type: DYNAMIC_UNKNOWN,
    variadic=Parameter("arguments", allow_null=True, allow_unknown=True, allow_dynamic=True),
)
"""Stands for a function that only a configured provider may offer."""
