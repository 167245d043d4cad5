"""The program of a worker process.

The first line of its input has the settings; each further line is a unit. It writes one JSON object per line:

    {"case": {...}}                              what is known of a case, once it was read
    {"run": "new", "schedule": "seed 0, ..."}    before each run of an engine: names the culprit if no more lines follow
    {"result": {...}}                            once per unit

A worker serves many units, because starting it takes longer than judging a small case. Everything an engine prints is
redirected to standard error, so that it cannot interfere with the protocol. The memory limit applies to the address
space, so that Python raises MemoryError and the judge can name the engine that exceeded it.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import resource
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final

from harness.execute.local import judge_safely
from harness.execute.runner import UnitFacts
from harness.execute.wire import settings_from_json, to_line, unit_from_json
from harness.findings.result import result_to_json
from harness.garbage_collection import collect_rarely
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule

__all__ = ["main", "serve"]

MEGABYTE: Final = 1 << 20


def serve(lines: Iterable[str], spec: RunSpec, send: Callable[[dict[str, Any]], None]) -> None:
    """Judge units until there are no more."""

    def report_run(engine: str, schedule: Schedule) -> None:
        send({"run": engine, "schedule": str(schedule)})

    def report_facts(facts: UnitFacts) -> None:
        send({"case": asdict(facts)})

    for line in lines:
        unit = unit_from_json(json.loads(line))
        send({"result": result_to_json(judge_safely(unit, spec, report_run, on_facts=report_facts))})


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    faulthandler.enable()
    terms = json.loads(sys.stdin.readline())
    tempfile.tempdir = terms["scratch"]
    _limit_memory(terms["memory_mb"])
    collect_rarely()
    gc.freeze()

    def send(answer: dict[str, Any]) -> None:
        answers.write(to_line(answer) + "\n")
        answers.flush()

    with suppress(BrokenPipeError):  # the parent may be gone
        serve(sys.stdin, settings_from_json(terms["settings"]), send)


def _limit_memory(memory_mb: int | None) -> None:
    """Limit the memory, and disable core files: those of killed workers would fill the disk."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory_mb is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb * MEGABYTE, memory_mb * MEGABYTE))
