"""Findings: a crash is identified by its cause, however many layers re-raise it."""

from __future__ import annotations

import pytest
import trio

from harness.compare.ruling import Ruling
from harness.compare.verdict import CaseVerdict, Verdict
from harness.findings.case_findings import findings_of
from harness.observe.crash import crash_text
from new_engine.concurrency.promises import PromiseSession, run_session
from shared_nodes.operations.engine import EngineCrash


def crash_in_a_promise(missing: dict[str, str]) -> str:
    async def main(session: PromiseSession) -> None:
        async def work() -> str:
            return missing["nowhere"]

        await session.once("work", work).get()

    try:
        trio.run(run_session, 0, main)
    except EngineCrash as crash:
        return crash_text(crash)
    pytest.fail("the promise was to break")


def test_a_crash_inside_a_promise_is_signed_by_its_cause() -> None:
    """The signature does not name the place that reports the crash, which is the same for all."""
    broken = Verdict(Ruling.CRASH, crash=crash_in_a_promise({}))
    found = findings_of(CaseVerdict(False, {"new": broken}, {}, "new"))
    assert [finding.signature.shape for finding in found] == ["KeyError: * in test_finding.py:work"]
