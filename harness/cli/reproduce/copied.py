"""What reproduces a case, as one text for a clipboard: commands that write its files, and the script of the engines.

It can be pasted into a shell that has neither diffharness nor the corpus, only the engine.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from harness.case.case import CaseError
from harness.cli.reproduce.engine_facts import facts_of_engines
from harness.cli.reproduce.kept_case import KeptCase, open_kept_case
from harness.cli.reproduce.layout import PRIOR_STATE, SCRIPT_FILE, VARIABLES, lay_out
from harness.cli.reproduce.script import ScriptWriter, needs_case_file, slug
from harness.findings.result import CaseResult
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule, parse_schedule
from reports.visible import visible, visible_line

__all__ = ["reproduction_texts"]

_LONGEST: Final = 100_000
_END: Final = "END_OF_FILE"


def reproduction_texts(facts: Mapping[str, str]) -> Callable[[CaseResult], str]:
    """Return a function that returns the text for the result of a case; empty where there is none, or where it would
    be too long. `facts` are those of the run: no program is started."""

    def text(result: CaseResult) -> str:
        if not result.evidence or not result.engines:
            return ""
        try:
            with open_kept_case(result) as kept:
                found = _text(result, kept, facts)
        except (CaseError, OSError, ValueError, KeyError):
            return ""
        return found if len(found) <= _LONGEST else ""

    return text


def _text(result: CaseResult, kept: KeptCase, facts: Mapping[str, str]) -> str:
    engines = facts_of_engines(result.engines, Path(result.path), result.flavour, facts)
    layout = lay_out(kept, with_case=needs_case_file(kept, engines))
    played = kept.played()
    script = ScriptWriter(kept, layout, _spec(result), played)
    variables = {
        f"{VARIABLES}/{slug(number, each)}.tfvars.json": each.step.variables
        for number, each in enumerate(played, 1)
        if each.step is not None and each.step.variables is not None
    }
    prior = {} if kept.prior_state is None else {PRIOR_STATE: kept.prior_state}
    files = {**layout.files, **variables, **prior, SCRIPT_FILE: script.text(engines)}
    directory = shlex.quote(f"reproduce-{posixpath.basename(visible_line(result.path)) or 'case'}")
    lines = [f"mkdir -p {directory} && cd {directory}"]
    for name, content in files.items():
        lines += _write(visible_line(name), visible(content))
    return "\n".join([*lines, *(f"sh {SCRIPT_FILE} {each.label}" for each in engines), ""])


def _write(name: str, content: str) -> list[str]:
    """Return commands that write a file. It cannot contain the line that ends it."""
    end = _END
    while end in content:
        end += "_"
    directory = posixpath.dirname(name)
    made = [f"mkdir -p {shlex.quote(directory)}"] if directory else []
    return [*made, f"cat > {shlex.quote(name)} <<'{end}'", content.removesuffix("\n"), end]


def _spec(result: CaseResult) -> RunSpec:
    """Return the circumstances of the run, as far as they matter to an engine."""
    named = [result.first_schedule, *(text for finding in result.findings for text in finding.schedules[1:])]
    schedules = [schedule for schedule in map(parse_schedule, named) if schedule is not None]
    return RunSpec(
        result.engines,
        (*schedules, Schedule())[:1],
        flavour=result.flavour,
        changes=frozenset(result.changes),
        permissive=result.permissive,
        mutant=result.mutant,
    )
