"""Records tapes: what the providers of a case are asked, and what they answer.

A case is run once by a binary, with providers that this process offers to it and records: real plugins, and in place of
those that are not installed the models that the harness has of some. What the binary asks is therefore what it asks a
plugin of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from harness.case.case import Case
from harness.case.prelude import Prelude
from harness.engine_settings import NO_SETTINGS, EngineSettings
from harness.findings.secrets.masking import secrets_of
from harness.play.case_runner import CaseRunner
from harness.play.schedule import Schedule
from harness.plugins.tapes.recording_provider import TapeRecorder
from harness.plugins.tapes.tape import Tape
from harness.record.recording import configurations_of

__all__ = ["taped_by"]


def taped_by(
    case: Case,
    engine: str,
    directory: Path,
    timeout_s: float,
    *,
    prelude: Prelude | None = None,
    settings: EngineSettings = NO_SETTINGS,
    secrets: Iterable[str] = (),
) -> list[Tape]:
    """Run the case in an empty directory, and return the tapes of its providers. They have no secrets: neither what the
    schemas call sensitive, nor what the case does, nor these."""
    recorder = TapeRecorder()
    runner = CaseRunner.of(case, directory, configurations_of(case))
    runner = replace(runner, prelude=prelude, recorder=recorder)
    limit_s = timeout_s if settings.timeout_s is None else settings.timeout_s
    observations = runner.run(engine, Schedule(), limit_s, settings=settings)
    return recorder.tapes([*secrets, *secrets_of(case, {engine: observations}).texts])
