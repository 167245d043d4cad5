"""What an expression can see while it is evaluated: variables and functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.record import record
from shared_nodes.values.value import Value

if TYPE_CHECKING:
    from shared_nodes.lang.function import Callee

__all__ = ["EMPTY_SCOPE", "Scope"]


@record
class Scope:
    """Root variables and functions by name.

    None, as opposed to an empty mapping, means that variables (or functions) are not allowed here at all, which has its
    own diagnostic.
    """

    variables: Mapping[str, Value] | None = None
    functions: Mapping[str, Callee] | None = None
    flavour: Flavour = TERRAFORM_1_11


EMPTY_SCOPE: Final = Scope()
