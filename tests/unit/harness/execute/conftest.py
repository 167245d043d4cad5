"""Cases whose engine behaves as a file next to their configuration says, also in worker processes. It is installed like
an engine of another package."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

MakeCase = Callable[[str, str], Path]

_ENGINE = """
import errno, os, signal
from pathlib import Path
from legacy_engine.api import apply, plan, validate as careful
from shared_nodes.lang.diagnostics import warning
from shared_nodes.operations.engine import ValidateResult

async def validate(request):
    mood, _, detail = request.world.files.read_bytes("mood.txt").decode().partition(" ")
    if mood == "loops":
        while True:
            pass
    if mood == "deaf":
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        while True:
            pass
    if mood == "eats":
        eaten = []
        while True:
            eaten.append(bytes(64 << 20))
    if mood == "starves":
        raise OSError(errno.ENOMEM, "Cannot allocate memory")
    if mood == "bursts":
        os.write(2, b"GNU MP: Cannot allocate memory (size=1)\\n")
        os.abort()
    if mood == "dies" or (mood == "dies-once" and not Path(detail).exists()):
        if detail:
            Path(detail).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if mood == "raises":
        raise RuntimeError("lost my way")
    if mood == "varies":
        return ValidateResult((warning("Seed", str(request.options.seed)),))
    if mood == "prints":
        print("not an answer", flush=True)
    if mood == "warns":
        return ValidateResult((warning("Mood", detail),))
    return await careful(request)
"""


@pytest.fixture(scope="session")
def engine_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("installed")
    (place / "moody_engine.py").write_text(_ENGINE)
    information = place / "moody_engine-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: moody-engine\nVersion: 1\n")
    (information / "entry_points.txt").write_text("[diffharness.engines]\nmoody = moody_engine\n")
    return place


@pytest.fixture
def make_case(tmp_path: Path, engine_directory: Path, monkeypatch: pytest.MonkeyPatch) -> MakeCase:
    """Make a case with a single validate step, given its name and the behaviour of the engine."""
    monkeypatch.setenv("PYTHONPATH", str(engine_directory))
    monkeypatch.setattr(sys, "path", [*sys.path, str(engine_directory)])

    def make(name: str, mood: str) -> Path:
        case = tmp_path / "cases" / "moods" / name
        (case / "v1").mkdir(parents=True)
        (case / "case.yaml").write_text(f"description: {name}\nsteps:\n  - {{op: validate, config: v1}}\n")
        (case / "v1" / "main.tf").write_text('output "o" {\n  value = 1\n}\n')
        (case / "v1" / "mood.txt").write_text(mood)
        return case

    return make
