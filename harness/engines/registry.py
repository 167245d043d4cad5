"""Engines by name."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Final, Protocol, cast

from shared_nodes.engine import ApplyResult, EngineRequest, PlanResult, ValidateResult

__all__ = ["ENGINES", "JUDGED", "Engine", "EngineNotFoundError", "engine_module", "engine_named"]

ENGINES: Final = ("legacy", "new")
JUDGED: Final = ("legacy", "new")
"""Those the test suite holds against every recording, in every way a case can be run. An engine that has once been
added here stays."""


class EngineNotFoundError(Exception):
    """There is no such engine in this installation."""


class Engine(Protocol):
    """What shared_nodes/engine.py describes: functions from a request to a result. A module can be one."""

    async def validate(self, request: EngineRequest, /) -> ValidateResult: ...

    async def plan(self, request: EngineRequest, /) -> PlanResult: ...

    async def apply(self, request: EngineRequest, /) -> ApplyResult: ...


def engine_module(name: str) -> str:
    return f"{name}_engine.api"


def engine_named(name: str) -> Engine:
    """Imported only now: a command that needs one engine does not pay for the other."""
    if name not in ENGINES or importlib.util.find_spec(engine_module(name)) is None:
        raise EngineNotFoundError(f"there is no engine named {name}")
    return cast("Engine", importlib.import_module(engine_module(name)))
