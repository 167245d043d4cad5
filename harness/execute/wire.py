"""Units, settings and results as JSON text: all that passes between processes and machines.

Text and not pickled objects: who can write to a pipe or to a cluster's port must not be able to run code by it, and a
worker of another version must notice.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.judging.unit import Settings, Sort, Unit
from harness.scenarios.way import Handover, Way

__all__ = ["settings_from_json", "settings_to_json", "to_line", "unit_from_json", "unit_to_json"]


def to_line(tree: Any) -> str:
    """On one line, in ASCII, so that what is no valid Unicode survives as well."""
    return json.dumps(tree, separators=(",", ":"))


def unit_to_json(unit: Unit) -> dict[str, str]:
    return {"sort": str(unit.sort), "path": str(unit.path)}


def unit_from_json(tree: Any) -> Unit:
    return Unit(Sort(tree["sort"]), Path(tree["path"]))


def settings_to_json(settings: Settings) -> dict[str, Any]:
    tree = asdict(settings)
    return {**tree, "trusted": [str(path) for path in settings.trusted], "changes": sorted(settings.changes)}


def settings_from_json(tree: Any) -> Settings:
    read = {
        "engines": tuple(tree["engines"]),
        "ways": tuple(map(_way, tree["ways"])),
        "again": tuple(map(_way, tree["again"])),
        "trusted": tuple(map(Path, tree["trusted"])),
        "changes": frozenset(tree["changes"]),
        "permissive": tuple(tree["permissive"]),
    }
    return Settings(**{**tree, **read})


def _way(tree: Any) -> Way:
    return Way(tree["seed"], tree["parallelism"], Handover(tree["handover"]))
