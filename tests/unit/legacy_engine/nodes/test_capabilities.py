"""Every vertex class implements the members that its capabilities require.

Capabilities are not abstract base classes, so a missing member would otherwise be noticed only when it is called.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import legacy_engine.nodes
from legacy_engine.nodes import capabilities
from legacy_engine.nodes.capabilities import Vertex


def vertex_classes() -> Iterator[type[Vertex]]:
    """Yield the classes from which vertices are created: those without subclasses."""
    for module in pkgutil.iter_modules(legacy_engine.nodes.__path__, "legacy_engine.nodes."):
        importlib.import_module(module.name)
    pending: list[type[Vertex]] = [Vertex]
    seen: set[type[Vertex]] = set()
    while pending:
        kind = pending.pop()
        pending.extend(kind.__subclasses__())
        if not kind.__subclasses__() and kind.__module__.startswith("legacy_engine.nodes") and kind not in seen:
            seen.add(kind)
            yield kind


def is_required(member: object) -> bool:
    """Return whether the member only raises NotImplementedError."""
    code = getattr(getattr(member, "fget", member), "__code__", None)
    return code is not None and "NotImplementedError" in code.co_names


def required_members() -> set[str]:
    kinds = [kind for kind in vars(capabilities).values() if isinstance(kind, type) and issubclass(kind, Vertex)]
    return {name for kind in kinds for name, member in vars(kind).items() if is_required(member)}


def test_the_members_in_question_are_found() -> None:
    assert {"name", "execute", "expand", "references", "reference_names", "provider_request"} <= required_members()


@pytest.mark.parametrize("kind", list(vertex_classes()))
def test_every_vertex_has_what_its_capabilities_ask_for(kind: type[Vertex]) -> None:
    for name in required_members():
        if hasattr(kind, name):
            owner = next(base for base in kind.__mro__ if name in vars(base))
            assert owner.__module__ != capabilities.__name__, f"{kind.__name__} leaves {name} to {owner.__name__}"
