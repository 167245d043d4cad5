"""What an expression may see while it is evaluated: names and functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.values.value import Value

if TYPE_CHECKING:
    from shared_nodes.functions.function import Function
    from shared_nodes.lang.lazy import LazyFunction

__all__ = ["EMPTY_SCOPE", "Scope"]


@dataclass(frozen=True, slots=True)
class Scope:
    """Root names and functions by name. None, as opposed to an empty mapping, means that none are allowed here, which
    has its own diagnostic."""

    variables: Mapping[str, Value] | None = None
    functions: Mapping[str, Function | LazyFunction] | None = None
    flavour: Flavour = TERRAFORM_1_11


EMPTY_SCOPE: Final = Scope()
