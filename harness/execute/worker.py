"""The program of a worker process: its terms on the first line of its input, then a unit a line; answers a line each.

    {"run": "new", "way": "seed 0, ..."}    before each run of an engine: whom to blame if this is the last word
    {"result": {...}}                       once for each unit

A worker serves many units, because starting it costs more than judging a small case. Whatever an engine prints goes to
standard error: only answers may stand between the lines of answers. Its own limit of memory is the process's address
space, so that Python raises MemoryError where it is exceeded and the judge can say which engine did it.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from harness.execute.local import judge_safely
from harness.execute.wire import settings_from_json, to_line, unit_from_json
from harness.judging.result import result_to_json
from harness.judging.unit import Settings
from harness.scenarios.way import Way

__all__ = ["main", "serve"]

MEGABYTE: Final = 1 << 20
COLLECT_SELDOM: Final = (50_000, 20, 20)
"""As the command line does, and for the same reason: what engines make has few cycles."""


def serve(lines: Iterable[str], settings: Settings, tell: Callable[[dict[str, Any]], None]) -> None:
    """Until there are no more units."""

    def running(engine: str, way: Way) -> None:
        tell({"run": engine, "way": str(way)})

    for line in lines:
        unit = unit_from_json(json.loads(line))
        tell({"result": result_to_json(judge_safely(unit, settings, running))})


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    faulthandler.enable()
    terms = json.loads(sys.stdin.readline())
    tempfile.tempdir = terms["scratch"]
    _limit_memory(terms["memory_mb"])
    gc.set_threshold(*COLLECT_SELDOM)
    gc.freeze()

    def tell(answer: dict[str, Any]) -> None:
        answers.write(to_line(answer) + "\n")
        answers.flush()

    with suppress(BrokenPipeError):  # whoever asked may be gone
        serve(sys.stdin, settings_from_json(terms["settings"]), tell)
    shutil.rmtree(terms["scratch"], ignore_errors=True)  # a runner that was killed cannot do it


def _limit_memory(memory_mb: int | None) -> None:
    """Core files of a killed worker would fill the disk and help nobody."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory_mb is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb * MEGABYTE, memory_mb * MEGABYTE))


if __name__ == "__main__":
    main()
