"""A program that answers like OpenTofu, and does what comments in a configuration say.

    # fail init           the command fails with a diagnostic
    # crash plan          the command prints half a line and a panic, with other addresses each time
    # vary                the dependencies in the state are in another order each time
    # saved plans fail    applying a saved plan crashes

Every call is written to a file beside the program, with its arguments, its files and its environment.
"""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any, Final

__all__ = ["calls_of", "make_fake_tofu"]

_SOURCE: Final = r"""
import json, os, sys

arguments, home = sys.argv[1:], os.path.dirname(sys.argv[0])
command = arguments[0]
if command == "version":
    print("OpenTofu v1.12.6")
    sys.exit()
files = sorted(os.path.join(place, name)[2:] for place, _, names in os.walk(".") for name in names)
text = "".join(open(name).read() for name in files if name.endswith(".tf"))
with open(os.path.join(home, "calls"), "a") as log:
    log.write(json.dumps({"arguments": arguments, "files": files, "environment": dict(os.environ)}) + "\n")
number = len(open(os.path.join(home, "calls")).readlines())


def option(name):
    return next((each.partition("=")[2] for each in arguments if each.startswith(f"-{name}=")), None)


def say(kind, **parts):
    print(json.dumps({"type": kind, **parts}), flush=True)


def crash():
    sys.stdout.write('{"type": "diagn')
    own = "github.com/opentofu/opentofu/internal"
    print(f"panic: operation 6 has no result at {hex(2**30 + number)}\n", file=sys.stderr)
    print(f"goroutine {number} [running]:\n{own}/engine.(*graph).add({hex(number)}, ...)", file=sys.stderr)
    sys.exit(2)


def summary(operation):
    say("change_summary", changes={"add": 1, "change": 0, "remove": 0, "operation": operation})


hook = {"resource": {"addr": "terraform_data.a"}, "action": "create"}
if f"# fail {command}" in text:
    say("diagnostic", diagnostic={"severity": "error", "summary": f"No {command}", "detail": "Sorry."})
    sys.exit(1)
if command == "apply":
    names = ["terraform_data.b", "terraform_data.c"]
    instance = {"attributes": {"id": "x"}, "dependencies": names[:: -1 if "# vary" in text and number % 2 else 1]}
    resource = {"mode": "managed", "type": "terraform_data", "name": "a", "instances": [instance]}
    with open(option("state"), "w") as file:
        json.dump({"version": 4, "serial": 1, "outputs": {}, "resources": [resource]}, file)
    if "-auto-approve" in arguments:
        say("refresh_start", hook=hook)
        say("diagnostic", diagnostic={"severity": "warning", "summary": "Mind", "detail": ""})
        summary("plan")
    elif "# saved plans fail" in text:
        crash()
    say("apply_start", hook=hook)
if f"# crash {command}" in text:
    crash()
if command == "validate":
    print(json.dumps({"valid": True, "diagnostics": []}))
elif command == "plan":
    if os.path.exists(os.path.join(home, "has_new_runtime")) and "TOFU_X_EXPERIMENTAL_RUNTIME" in os.environ:
        print("[WARN]  Using plan implementation from the experimental language runtime", file=sys.stderr)
    if option("out"):
        open(option("out"), "w").close()
    say("diagnostic", diagnostic={"severity": "warning", "summary": "Mind", "detail": ""})
    summary("plan")
elif command == "show":
    print(json.dumps({"resource_changes": [], "output_changes": {}, "errored": False}))
elif command == "apply":
    say("apply_complete", hook={**hook, "id_value": "x"})
    summary("apply")
"""


def make_fake_tofu(directory: Path, *, has_new_runtime: bool = False) -> Path:
    """Make the program in a directory of its own."""
    directory.mkdir()
    program = directory / "tofu"
    program.write_text(f"#!{sys.executable} -IS\n{_SOURCE}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    if has_new_runtime:
        (directory / "has_new_runtime").touch()
    return program


def calls_of(program: Path, command: str) -> list[Any]:
    """Return the calls of one command, in the order of time."""
    lines = map(json.loads, program.with_name("calls").read_text().splitlines())
    return [call for call in lines if call["arguments"][0] == command]
