"""What a report says about an engine: which program it is, in which version, and how it is selected.

A report is read elsewhere, so that it names programs as their users call them and never by a path of this machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from harness.case.case import CaseError
from harness.case.recordings import read_recording
from harness.cli.support.provenance import version, version_fact
from harness.engines.external import BinaryFailedError, find_binary, is_external
from harness.engines.recorded import is_recorded, recorded_system
from harness.engines.registry import EngineNotFoundError
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11, Flavour, flavour_of_release
from shared_nodes.record import record

__all__ = ["OURS", "EngineFacts", "facts_of_engines"]

OURS: Final = "diffharness"
_SWITCHES: Final = re.compile(r" with ((?:[A-Z_]+=[^,\s]*(?:, )?)+)$")
_UNUSUAL: Final = re.compile(r"[^\w.-]+")
_UNKNOWN: Final = "version not recorded"


@record
class EngineFacts:
    name: str
    """As `--engines` names it."""

    label: str
    """A name for files and for the text, without a path."""

    version: str
    """Product and version, as recordings name them: "opentofu 1.12.6"."""

    program: str
    """The command that users of the product type; `diffharness` for an engine of ours."""

    switches: Mapping[str, str]
    """The environment that selects the engine."""

    flavour: Flavour

    @property
    def is_ours(self) -> bool:
        return self.program == OURS


def facts_of_engines(
    engines: Iterable[str], case: Path, flavour: str, kept: Mapping[str, str] | None = None
) -> list[EngineFacts]:
    """Return the facts about all engines. `kept` are the facts of a kept run: then no program is started, and what the
    run has not recorded is said to be unknown."""
    followed = FLAVOURS.get(flavour, TERRAFORM_1_11)
    found: list[EngineFacts] = []
    for engine in engines:
        facts = _facts(engine, case, followed, kept)
        label, taken = facts.label, [each.label for each in found]
        if label in taken:
            label = f"{label}-{len(found) + 1}"
        found.append(EngineFacts(engine, label, facts.version, facts.program, facts.switches, facts.flavour))
    return found


def _facts(engine: str, case: Path, followed: Flavour, kept: Mapping[str, str] | None) -> EngineFacts:
    label = _UNUSUAL.sub("_", _label(engine))
    if is_recorded(engine):
        return _of_release(engine, label, _recorded_release(engine, case), followed)
    if not is_external(engine):
        text = f"{OURS} {(kept or {}).get('version') or version()}, engine {engine}, which follows {followed.name}"
        return EngineFacts(engine, label, text, OURS, {}, followed)
    if kept is not None:
        return _of_release(engine, label, kept.get(version_fact(engine), ""), followed)
    try:
        return _of_release(engine, label, find_binary(engine).version, followed)
    except (BinaryFailedError, EngineNotFoundError):
        return _of_release(engine, label, "", followed)


def _label(engine: str) -> str:
    """Return the name without the path of a program; of a recorded engine, the system."""
    if is_recorded(engine):
        return recorded_system(engine)
    kind, colon, rest = engine.rpartition(":")
    return f"{kind}{'-' if colon else ''}{rest.rpartition('/')[2]}"


def _of_release(engine: str, label: str, release: str, followed: Flavour) -> EngineFacts:
    """Read the switches off a release such as "opentofu 1.13.0-dev with TOFU_X_EXPERIMENTAL_RUNTIME=1"."""
    match = _SWITCHES.search(release)
    switches = {} if match is None else dict(pair.split("=", 1) for pair in match[1].split(", ") if pair)
    flavour = flavour_of_release(release) or followed
    bare = release if match is None else release[: match.start()]
    return EngineFacts(
        engine, label, bare or f"{flavour.product.lower()}, {_UNKNOWN}", flavour.command, switches, flavour
    )


def _recorded_release(engine: str, case: Path) -> str:
    try:
        release = read_recording(case / f"golden.{recorded_system(engine)}.json").get("engine")
    except CaseError:
        return ""
    return release if isinstance(release, str) else ""
