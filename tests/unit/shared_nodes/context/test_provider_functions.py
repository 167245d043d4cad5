"""The functions of providers under the names by which expressions call them."""

from __future__ import annotations

from shared_nodes.context.provider_functions import provider_functions
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.lang.function import Function
from shared_nodes.values.types import STRING
from shared_nodes.values.value import DYNAMIC_UNKNOWN, NULL_DYNAMIC, string


def test_functions_are_found_under_aliases_where_they_are_references() -> None:
    echo = Function("echo", (), STRING, lambda _arguments, _type: string("x"))
    offered = {"p": {"echo": echo}}
    planning = provider_functions(offered, OPENTOFU_1_12, validating=False)
    assert planning["provider::p::echo"] is planning["provider::p::any::echo"] is echo
    assert list(planning) == ["provider::p::echo"]
    for name in ("echo", "provider::echo", "provider::q::echo", "provider::p::nope", "provider::p::a::b::echo"):
        assert name not in planning
    validating = provider_functions(offered, OPENTOFU_1_12, validating=True)
    assert validating["provider::p::echo"] is echo
    assert validating["provider::p::nope"].call([NULL_DYNAMIC, string("x")]) == DYNAMIC_UNKNOWN
    assert provider_functions(offered, TERRAFORM_1_11, validating=True) == {"provider::p::echo": echo}
