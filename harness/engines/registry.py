"""Engines by name."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Final, Protocol, cast

from shared_nodes.engine import ApplyResult, EngineRequest, PlanResult, ValidateResult

__all__ = ["ENGINES", "Engine", "EngineNotFoundError", "engine_named"]

ENGINES: Final = ("legacy", "new")


class EngineNotFoundError(Exception):
    """There is no such engine in this installation."""


class Engine(Protocol):
    """What shared_nodes/engine.py describes: functions from a request to a result. A module can be one."""

    async def validate(self, request: EngineRequest, /) -> ValidateResult: ...

    async def plan(self, request: EngineRequest, /) -> PlanResult: ...

    async def apply(self, request: EngineRequest, /) -> ApplyResult: ...


def engine_named(name: str) -> Engine:
    """Imported only now: a command that needs one engine does not pay for the other."""
    module = f"{name}_engine.api"
    if name not in ENGINES or importlib.util.find_spec(module) is None:
        raise EngineNotFoundError(f"there is no engine named {name}")
    return cast("Engine", importlib.import_module(module))
