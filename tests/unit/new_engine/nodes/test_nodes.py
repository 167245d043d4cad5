"""Every node class has a name of its own, because the base class has none."""

from __future__ import annotations

import importlib
import pkgutil

import new_engine.nodes
from new_engine.nodes.node import Node


def test_every_kind_of_node_has_a_name() -> None:
    for module in pkgutil.iter_modules(new_engine.nodes.__path__, "new_engine.nodes."):
        importlib.import_module(module.name)
    pending = Node.__subclasses__()
    assert len(pending) > 10
    while pending:
        kind = pending.pop()
        pending.extend(kind.__subclasses__())
        owner = next(base for base in kind.__mro__ if "name" in vars(base))
        assert owner is not Node, kind.__name__
