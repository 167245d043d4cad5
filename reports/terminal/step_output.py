"""What an engine did in one step, as text: the plan and the diagnostics in the form in which the product prints them.

It is made from the observation that was compared. Identifiers and times have been renamed in it, so that two engines
that did the same have the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from harness.findings.diagnostic_text import diagnostic_texts
from reports.terminal.plan_view import PlanView
from reports.visible import visible
from shared_nodes.flavour import Flavour
from shared_nodes.values.json import Tree, dumps

__all__ = ["output_of_step", "state_of_step"]

_COUNTED: Final = {
    "import": "imported",
    "add": "added",
    "change": "changed",
    "remove": "destroyed",
    "forget": "forgotten",
}


def output_of_step(observation: Mapping[str, Tree], flavour: Flavour, mode: str, files: Mapping[str, str]) -> str:
    """Return the whole text of a step. `files` are those of its configuration: a diagnostic quotes the line that it
    blames."""
    parts = [
        *_init(observation, files),
        *_plan(observation, flavour, mode),
        *diagnostic_texts(observation, files),
        *_crash(observation),
        *_outcome(observation),
    ]
    return visible("\n".join(part.rstrip("\n") + "\n" for part in parts))


def state_of_step(observation: Mapping[str, Tree]) -> str | None:
    """Return the state after the step, or None where the step leaves none."""
    state = observation.get("state")
    return None if state is None else dumps(state, escape_html=False, indent=2) + "\n"


def _init(observation: Mapping[str, Tree], files: Mapping[str, str]) -> Iterator[str]:
    init = _object(observation.get("init"))
    if init:
        yield from diagnostic_texts(init, files)
        yield from _crash(init)
        yield f"(init {'succeeded' if init.get('ok') is True else 'failed'})"


def _crash(observation: Mapping[str, Tree]) -> Iterator[str]:
    """Yield what a binary printed of its own crash: the panic, and the first function of the engine on the stack."""
    crash = _object(observation.get("crash"))
    if crash:
        frame = [f"  in {crash['frame']}"] if crash.get("frame") else []
        yield "\n".join([f"panic: {str(crash.get('panic')).removeprefix('panic: ')}", *frame])


def _plan(observation: Mapping[str, Tree], flavour: Flavour, mode: str) -> Iterator[str]:
    plan = _object(observation.get("plan"))
    if not plan:
        return
    try:
        yield PlanView(flavour, mode).text(plan)
    except (KeyError, TypeError, ValueError, AttributeError):
        # A plan of another release may hold what the view does not know. Its JSON says the same.
        yield dumps(plan, escape_html=False, indent=2)


def _outcome(observation: Mapping[str, Tree]) -> Iterator[str]:
    """Yield the last line. A step that did not succeed says so, whatever it printed before."""
    operation = str(observation.get("op", "step"))
    counts = _object(observation.get("apply_summary"))
    if observation.get("ok") is not True:
        yield f"({operation} failed)"
    elif counts:
        done = ", ".join(f"{dumps(counts[name])} {word}" for name, word in _COUNTED.items() if name in counts)
        yield f"({operation} succeeded: {done})"
    else:
        yield f"({operation} succeeded)"


def _object(tree: Tree) -> dict[str, Tree]:
    return tree if isinstance(tree, dict) else {}
