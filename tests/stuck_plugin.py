"""A provider plugin in a process of its own, which stops in the middle of chosen calls.

`STUCK_AT` names them, such as `create a,delete b`. When all of them are under way, the process kills itself as by
`kill -9`; or, if there is a `PID_FILE`, writes its number into it and never answers.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Final

import trio

from harness.plugins.wire.address import Address, listen
from harness.plugins.wire.rpc_server import Handler, serve_connections
from harness.plugins.wire.values import decode_value
from tests.scripted_plugin import FAKE, THING, WELL_BEHAVED, Answer, ScriptedPlugin

__all__ = ["install", "serve"]

_ROOT: Final = Path(__file__).parent.parent
_SHUTDOWN: Final = "/plugin.GRPCController/Shutdown"
_STUCK_CALLS: Final = ("ReadResource", "PlanResourceChange", "ApplyResourceChange")

_LAUNCHER: Final = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(_ROOT)!r})
from tests.stuck_plugin import serve
serve()
"""


def install(directory: Path) -> dict[str, str]:
    """Put the plugin into a directory, and return the variables with which a binary or an engine uses it."""
    program = directory / "terraform-provider-fake"
    program.write_text(_LAUNCHER)
    program.chmod(0o755)
    settings = directory / "rc"
    settings.write_text(f'provider_installation {{\n  dev_overrides {{\n    "{FAKE}" = "{directory}"\n  }}\n}}\n')
    return {"TF_CLI_CONFIG_FILE": str(settings), "TF_DISABLE_PLUGIN_TLS": "1"}


def serve() -> None:
    """Serve until the end of the process."""
    trio.run(_serve)


async def _serve() -> None:
    directory = os.environ.get("PLUGIN_UNIX_SOCKET_DIR") or tempfile.mkdtemp()
    listener, address = await listen(Address("unix", f"{directory}/s"))
    print(f"1|6|unix|{address.place}|grpc|", flush=True)
    awaited = set(filter(None, os.environ.get("STUCK_AT", "").split(",")))
    answers: dict[str, Answer] = {call: partial(_stop_or_answer, awaited, WELL_BEHAVED[call]) for call in _STUCK_CALLS}
    await serve_connections(listener, lambda: _Program(answers))


class _Program(ScriptedPlugin):
    def handler(self, method: str) -> Handler | None:
        return _shut_down if method == _SHUTDOWN else super().handler(method)


async def _shut_down(_request: bytes) -> bytes:
    os._exit(0)


async def _stop_or_answer(awaited: set[str], answer: Answer, request: Any) -> Any:
    action = _action(request)
    if action not in awaited:
        return answer(request)
    awaited.remove(action)
    if not awaited:
        await trio.sleep(0.2)  # other calls are answered meanwhile
        _be_killed()
    await trio.sleep_forever()
    raise AssertionError


def _be_killed() -> None:
    file = os.environ.get("PID_FILE")
    if file is None:
        os.kill(os.getpid(), signal.SIGKILL)
    else:
        Path(file).write_text(str(os.getpid()))


def _action(request: Any) -> str:
    """Name a call by what is done and the name of the object, such as `update a`."""
    fields = request.DESCRIPTOR.fields_by_name
    if "current_state" in fields:
        return f"read {_name(request.current_state)}"
    prior = _name(request.prior_state)
    if "proposed_new_state" in fields:
        return f"plan {_name(request.proposed_new_state) or prior}"
    planned = _name(request.planned_state)
    return f"delete {prior}" if not planned else f"update {planned}" if prior else f"create {planned}"


def _name(message: Any) -> str:
    value = decode_value(message.msgpack, THING)
    if value.is_null:
        return ""
    name = value.payload["name"]
    return str(name.payload) if name.is_known else "?"
