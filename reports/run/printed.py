"""What each engine printed in each step of a case, and the state it left, as text that is compared line by line.

Equal texts are kept once: where engines agree, there is one text for both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import yaml

from harness.findings.diagnostic_text import files_of_step
from harness.findings.result import CaseResult
from reports.run.source_lines import CaseEvidence
from reports.terminal.state_file import state_file_text
from reports.terminal.step_output import output_of_step
from reports.visible import shortened, visible, visible_line
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11, Flavour
from shared_nodes.values.json import Tree, dumps

__all__ = ["printed_texts", "text_at"]

_LONGEST: Final = 60_000
_STEP: Final = re.compile(r"step (\d+) \(")
_MODES: Final = ("normal", "refresh-only", "destroy")
_MALFORMED: Final = (KeyError, TypeError, ValueError, AttributeError, IndexError)


def printed_texts(result: CaseResult, evidence: CaseEvidence) -> dict[str, Any]:
    """Return the texts, and for each engine and place the numbers of what was printed and of the state; -1 where there
    is no state."""
    texts: dict[str, int] = {}
    modes = _modes(evidence)

    def number(text: str) -> int:
        return texts.setdefault(visible(shortened(text, _LONGEST)), len(texts))

    at = {
        visible_line(name): {
            visible_line(place): [
                number(_output(observation, place, result, modes, evidence)),
                number(_state(observation["state"], _flavour(result))) if _has_state(observation) else -1,
            ]
            for place, observation in places.items()
        }
        for name, places in evidence.observations.items()
    }
    return {"texts": list(texts), "at": at}


def text_at(result: CaseResult, evidence: CaseEvidence, name: str, place: str) -> str | None:
    """Return what one engine printed at one place, or None if it did not come there."""
    observation = evidence.observations.get(name, {}).get(place)
    if observation is None:
        return None
    return visible(_output(observation, place, result, _modes(evidence), evidence))


def _flavour(result: CaseResult) -> Flavour:
    return FLAVOURS.get(result.flavour, TERRAFORM_1_11)


def _output(
    seen: Mapping[str, Tree], place: str, result: CaseResult, modes: Mapping[int, str], evidence: CaseEvidence
) -> str:
    observation = {**_kind_of_step(place, evidence), **seen}
    mode = _mode(place, observation, modes)
    files = files_of_step(observation, evidence.files)
    try:
        return output_of_step(observation, _flavour(result), mode, files)
    except _MALFORMED:
        return dumps({**observation}, escape_html=False, indent=2)


def _kind_of_step(place: str, evidence: CaseEvidence) -> dict[str, Tree]:
    """Return the operation and the configuration of a step, as any side has them: a recording of `validate` has
    neither, and would look as if something else had been printed."""
    sides = [places[place] for places in evidence.observations.values() if place in places]
    return {key: side[key] for key in ("op", "config") for side in sides if key in side}


def _has_state(observation: Mapping[str, Tree]) -> bool:
    return isinstance(observation.get("state"), dict)


def _state(state: Any, flavour: Flavour) -> str:
    try:
        return state_file_text(state, flavour)
    except _MALFORMED:
        return dumps(state, escape_html=False, indent=2)


def _mode(place: str, observation: Mapping[str, Tree], modes: Mapping[int, str]) -> str:
    if observation.get("op") == "destroy":
        return "destroy"
    match = _STEP.match(place)
    return modes.get(int(match[1]), "normal") if match and len(match[1]) < 9 else "normal"


def _modes(evidence: CaseEvidence) -> dict[int, str]:
    """Return the planning mode of each step that has another one than the usual, by its number, as case.yaml says."""
    text = evidence.files.get("case.yaml", "")
    if "mode:" not in text:
        return {}
    try:
        steps = yaml.safe_load(text)["steps"]
        found = {number: step.get("mode") for number, step in enumerate(steps, 1) if isinstance(step, dict)}
    except (yaml.YAMLError, *_MALFORMED, RecursionError):
        return {}
    return {number: mode for number, mode in found.items() if mode in _MODES}
