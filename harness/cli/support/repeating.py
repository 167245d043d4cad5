"""The options that a command which reproduces a result must repeat.

Engines, changes, mocked providers and mutants are part of a result, and so are values of variables, because it is known
there which of them are secret. What is added here are the other circumstances of a
run: without them the printed command would be refused, or show something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from harness.findings.result import CaseResult
from harness.play.run_spec import DEFAULT_TIMEOUT_S, RunSpec
from harness.play.schedule import Schedule
from shared_nodes.flavour import TERRAFORM_1_11

__all__ = ["with_repeated_options"]

_EVERYTHING: Final = Path("/")


def with_repeated_options(result: CaseResult, spec: RunSpec, further: Sequence[str] = ()) -> CaseResult:
    """Return the result with the options of the run that `spec` describes, and `further` ones of the command line."""
    first = spec.schedules[0]
    schedule = "" if first == Schedule() else str(first)
    return replace(result, repeated=(*result.repeated, *_options(spec), *further), first_schedule=schedule)


def _options(spec: RunSpec) -> list[str]:
    words = ["--flavour", spec.flavour] if spec.flavour == TERRAFORM_1_11.name else []
    words += ["--against", spec.against] if spec.against else []
    words += [] if spec.timeout_s == DEFAULT_TIMEOUT_S else ["--timeout", f"{spec.timeout_s:g}"]
    words += ["--expect-success"] if spec.expect_success else []
    files = (
        ("--permissive-values", spec.permissive_files.values),
        ("--provider-schemas", spec.permissive_files.schemas),
    )
    words += [word for option, file in files if file for word in (option, file)]
    words += [word for source, place in spec.modules.items() for word in ("--module", f"{source}={place}")]
    return [*words, "--allow-exec"] if _EVERYTHING in spec.trusted else words
