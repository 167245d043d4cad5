"""Units and settings as JSON text, the only form in which they pass between processes and machines.

They are not pickled: access to a pipe or to the port of a cluster must not allow running code, and a worker of another
version must notice the mismatch.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from harness.case.prelude import Prelude
from harness.case.unit import Unit, UnitKind
from harness.engine_settings import EngineSettings
from harness.execute.runner import UnitFacts
from harness.play.run_spec import RunSpec
from harness.play.schedule import PlanTransfer, Schedule
from harness.simulation.permissive.permissive_files import PermissiveFiles

__all__ = ["facts_from_json", "settings_from_json", "settings_to_json", "to_line", "unit_from_json", "unit_to_json"]


def to_line(tree: Any) -> str:
    """Encode as one line of ASCII, so that invalid Unicode survives as well."""
    return json.dumps(tree, separators=(",", ":"))


_WIRE_KEYS: Final = {"schedules": "ways", "baseline_schedules": "again"}
"""Fields of a `RunSpec` that have other names in messages and journals."""


def unit_to_json(unit: Unit) -> dict[str, str]:
    tree = {"sort": str(unit.kind), "path": str(unit.path), "flavour": unit.flavour}
    return {**tree, "name": unit.name, "repository": unit.repository}


def unit_from_json(tree: Any) -> Unit:
    return Unit(UnitKind(tree["sort"]), Path(tree["path"]), tree["flavour"], tree["name"], tree["repository"])


def settings_to_json(settings: RunSpec) -> dict[str, Any]:
    tree = asdict(settings)
    tree = {_WIRE_KEYS.get(name, name): value for name, value in tree.items()}
    paths = {name: [str(path) for path in tree[name]] for name in ("trusted", "given")}
    return {**tree, **paths, "changes": sorted(settings.changes)}


def settings_from_json(tree: Any) -> RunSpec:
    read = {
        "engines": tuple(tree["engines"]),
        "schedules": tuple(map(_schedule_from_json, tree["ways"])),
        "baseline_schedules": tuple(map(_schedule_from_json, tree["again"])),
        "trusted": tuple(map(Path, tree["trusted"])),
        "given": tuple(map(Path, tree["given"])),
        "values": tuple((kind, text) for kind, text in tree["values"]),
        "changes": frozenset(tree["changes"]),
        "permissive": tuple(tree["permissive"]),
        "permissive_files": PermissiveFiles(**tree["permissive_files"]),
        "prelude": None if tree["prelude"] is None else Prelude(**tree["prelude"]),
        "engine_settings": {name: EngineSettings(**each) for name, each in tree["engine_settings"].items()},
    }
    return RunSpec(**{**{name: value for name, value in tree.items() if name not in _WIRE_KEYS.values()}, **read})


def facts_from_json(tree: Any) -> UnitFacts:
    return UnitFacts(**{**tree, "tags": tuple(tree["tags"])})


def _schedule_from_json(tree: Any) -> Schedule:
    return Schedule(tree["seed"], tree["parallelism"], PlanTransfer(tree["handover"]))
