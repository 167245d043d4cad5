"""Binaries for tests that keep a state: each writes its own name into an output, next to the names before it.

The state after an apply shows which binaries have planned and applied so far, in order: "1+1 1+2" is a step of the
binary 1, then a plan of 1 that 2 has applied.
"""

from __future__ import annotations

import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from harness.observe.json_trees import as_object
from shared_nodes.values.json import Tree

__all__ = ["make_binary", "write_program", "written_by"]

_SOURCE: Final = """
import json, sys
name, arguments = {name!r}, sys.argv[1:]
options = dict(each.partition("=")[::2] for each in arguments if each.startswith("-"))

def written(file):
    try:
        with open(file) as text:
            return json.load(text)["outputs"]["by"]["value"]
    except FileNotFoundError:
        return ""

if arguments[0] == "version":
    print("Terraform v1.11.4")
elif arguments[0] == "validate":
    print(json.dumps({{"valid": True, "diagnostics": []}}))
elif arguments[0] == "plan":
    with open(options["-out"], "w") as plan:
        json.dump([written(options["-state"]), name], plan)
elif arguments[0] == "show":
    with open(arguments[-1]) as plan:
        by = json.load(plan)[1]
    print(json.dumps({{"resource_changes": [], "output_changes": {{"by": {{"after": by}}}}}}))
elif arguments[0] == "apply":
    with open(arguments[-1]) as plan:
        before, planner = json.load(plan)
    by = (before + " " + planner + "+" + name).strip()
    state = {{"version": 4, "serial": 1, "lineage": name, "outputs": {{"by": {{"value": by, "type": "string"}}}}}}
    with open(options["-state"], "w") as file:
        json.dump({{**state, "resources": [], "check_results": None}}, file)
"""


def make_binary(directory: Path, name: str) -> str:
    """Make a binary that writes this name, and return its path, which is the name of an engine."""
    return write_program(directory / name / "terraform", _SOURCE.format(name=name))


def write_program(program: Path, source: str, interpreter: str = f"{sys.executable} -IS") -> str:
    """Write an executable, and return its path."""
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!{interpreter}\n{source}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def written_by(observation: Mapping[str, Tree]) -> str:
    """Return which binaries have written the state that was observed."""
    outputs = as_object(as_object(observation["state"])["outputs"])
    return str(as_object(outputs["by"])["value"])
