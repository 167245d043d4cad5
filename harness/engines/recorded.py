"""Names of recorded engines: `recorded:NAME` is the system whose recording a case has as `golden.NAME.json`.

A recorded engine runs nothing. It answers from the recording, so that real systems can be compared where they are not
installed, on machines that have never seen them.
"""

from __future__ import annotations

from typing import Final

from harness.engines.registry import EngineNotFoundError
from shared_nodes.pattern import pattern

__all__ = ["is_recorded", "recorded_system", "require_recorded"]

_PREFIX: Final = "recorded:"
_SYSTEM: Final = pattern(r"[\w.-]+")


def is_recorded(engine: str) -> bool:
    return engine.startswith(_PREFIX)


def recorded_system(engine: str) -> str:
    """Return the system that a recorded engine stands for: "opentofu-main" for `recorded:opentofu-main`."""
    return engine.removeprefix(_PREFIX)


def require_recorded(engine: str) -> None:
    """Raise EngineNotFoundError if no recording can have the name of this engine."""
    if _SYSTEM.fullmatch(recorded_system(engine)) is None:
        raise EngineNotFoundError(
            f"{engine} does not name a recording; recorded:opentofu-main answers from the file "
            "golden.opentofu-main.json of each case"
        )
