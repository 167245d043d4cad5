"""Settings of all tests: Hypothesis profiles, the location of temporary files, and tests that need a real terraform.

The default profile generates the same examples in every run, so that a failure is reproducible everywhere.
`HYPOTHESIS_PROFILE=dev` searches for new counterexamples.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from harness.execute.scratch import memory_directory

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=200)
settings.register_profile("dev", deadline=None, max_examples=1_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_configure() -> None:
    """Keep temporary files in memory if possible, as worker processes do. Most tests play cases, and creating and
    removing directories on a journaling disk takes longer than planning.

    Signals have their usual meaning for the commands that tests start, even if the tests themselves were started by
    `nohup` or in the background of a script."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    in_memory = memory_directory()
    if in_memory is not None:
        os.environ["TMPDIR"] = str(in_memory)
        tempfile.tempdir = None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests that run the real binary if it is not installed. Its recorded answers are in the corpus."""
    if shutil.which("terraform") is not None:
        return
    for item in items:
        if item.get_closest_marker("terraform") is not None:
            item.add_marker(pytest.mark.skip(reason="no terraform on PATH"))


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the directory of recorded and hand-written cases."""
    return Path(__file__).parent.parent / "corpus"
