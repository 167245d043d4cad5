"""What every test may rely on: how hard Hypothesis tries, where temporary files are, and what happens without a real
terraform.

The default profile makes the same examples in every run, so that a red suite is red for everybody. Looking for new
counterexamples is done on purpose: `HYPOTHESIS_PROFILE=dev`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from harness.execute.scratch import memory_directory

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=200)
settings.register_profile("dev", deadline=None, max_examples=1_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_configure() -> None:
    """In memory where the machine has that, as in worker processes: most tests play cases, and to make and remove
    directories on a disk with a journal takes longer than to plan."""
    in_memory = memory_directory()
    if in_memory is not None:
        os.environ["TMPDIR"] = str(in_memory)
        tempfile.tempdir = None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that ask the real binary are a bonus where it is installed; the recorded answers are in the corpus."""
    if shutil.which("terraform") is not None:
        return
    for item in items:
        if item.get_closest_marker("terraform") is not None:
            item.add_marker(pytest.mark.skip(reason="no terraform on PATH"))


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The directory of recorded and hand-made cases."""
    return Path(__file__).parent.parent / "corpus"
