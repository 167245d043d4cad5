"""Features of a case: the parts of the language it uses, and how it is run.

They are what causes are predicted by: "this shows in every case with a `moved` block". Only words of the language
count, never names of the user's. They are found by a plain search of the text, which is cheap enough to do for every
case, and right in all but odd texts such as a comment that looks like a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from harness.case.case import Case
from harness.case.steps import Step
from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES

__all__ = ["TASKS", "features_of"]

TASKS: Final = "tasks"
"""The feature of a case whose next step depends on the results of those before it."""

_LARGEST: Final = 1_000_000
_BLOCK: Final = re.compile(
    r"(?m)^[ \t]*(moved|import|removed|check|module|data|ephemeral|provider|locals|variable|output|provisioner|dynamic"
    r"|precondition|postcondition|validation|connection|lifecycle|required_providers|encryption)\b[^=\n]*\{"
)
_ARGUMENT: Final = re.compile(
    r"(?m)(?:^|\{)[ \t]*(count|for_each|enabled|depends_on|create_before_destroy|prevent_destroy|ignore_changes"
    r"|replace_triggered_by|triggers_replace|sensitive|ephemeral|nullable|deprecated|when|on_failure|alias|providers"
    r"|destroy)[ \t]*="
)


def features_of(case: Case) -> tuple[str, ...]:
    """Return the features, sorted: `moved block`, `argument count`, `option target`, `operation destroy`, ..."""
    found = {feature for text in _texts(case) for feature in _in_text(text)}
    found.update(feature for step in case.all_steps for feature in _in_step(step))
    if case.prior_state is not None:
        found.add("prior state")
    if case.faults:
        found.add("faults")
    if case.tasks is not None:
        found.add(TASKS)
    if len(case.configurations) > 1:
        found.add("changed configuration")
    return tuple(sorted(found))


def _texts(case: Case) -> Iterator[str]:
    for path in case.files:
        if path.name.endswith(CONFIGURATION_SUFFIXES) and path.stat().st_size <= _LARGEST:
            yield path.read_text(encoding="utf-8", errors="replace")


def _in_text(text: str) -> Iterator[str]:
    yield from (f"{word} block" for word in _BLOCK.findall(text))
    yield from (f"argument {word}" for word in _ARGUMENT.findall(text))


def _in_step(step: Step) -> Iterable[str]:
    yield f"operation {step.operation}"
    if step.mode != "normal":
        yield f"mode {step.mode}"
    given = {
        "target": step.targets or step.target_file,
        "exclude": step.excludes or step.exclude_file,
        "replace": step.replace,
        "no refresh": not step.refresh,
    }
    yield from (f"option {name}" for name, value in given.items() if value)
