"""`local-exec` prints and reports what Terraform 1.11.4 was observed to, with real and scripted commands."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trio

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.processes import FORBIDDEN, REAL, Processes, RecordedProcesses, RecordedResult
from shared_nodes.providers.schema import empty_value, implied_type
from shared_nodes.provisioners.connection import CONNECTION_BLOCK
from shared_nodes.provisioners.contract import ProvisionRequest
from shared_nodes.provisioners.local_exec import LOCAL_EXEC
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, boolean, list_of, map_of, null, object_of, string
from shared_nodes.world import World


@dataclass
class Ran:
    shown: list[str] = field(default_factory=list)
    problems: Sequence[Diagnostic] = ()

    @property
    def details(self) -> list[str]:
        assert all(problem.attribute == () for problem in self.problems), "the whole block is to blame"
        return [problem.detail for problem in self.problems]


def world(directory: Path, processes: Processes = REAL, environment: Mapping[str, str] | None = None) -> World:
    made = World.confined(directory, seed=1, now=datetime(2026, 1, 2, tzinfo=UTC), processes=processes)
    return made if environment is None else replace(made, environment=environment)


def run(where: World, **settings: Value) -> Ran:
    ran = Ran()
    config = object_of({**empty_value(LOCAL_EXEC.schema).payload, **settings})

    async def provision() -> None:
        connection = null(implied_type(CONNECTION_BLOCK))
        ran.problems = await LOCAL_EXEC.provision(ProvisionRequest(config, connection, where, ran.shown.append))

    trio.run(provision)
    return ran


def strings(*texts: str | None) -> Value:
    return list_of(STRING, [null(STRING) if text is None else string(text) for text in texts])


def test_a_command_is_announced_and_its_output_follows_line_by_line(tmp_path: Path) -> None:
    ran = run(world(tmp_path), command=string("echo one; echo two >&2; printf three"))
    assert ran.shown == [
        'Executing: ["/bin/sh" "-c" "echo one; echo two >&2; printf three"]',
        "one\n",
        "two\n",
        "three",
    ]
    assert ran.problems == ()


def test_quiet_hides_the_command_only(tmp_path: Path) -> None:
    ran = run(world(tmp_path), command=string("echo shown"), quiet=boolean(True))
    assert ran.shown == ["local-exec: Executing: Suppressed by quiet=true", "shown\n"]


def test_an_unfinished_line_is_shown_when_nothing_more_comes(tmp_path: Path) -> None:
    ran = run(world(tmp_path), command=string("printf waiting; sleep 0.4; echo ' done'"))
    assert ran.shown[1:] == ["waiting", " done\n"]


@pytest.mark.parametrize(
    ("interpreter", "command", "shown"),
    [
        (strings(), "echo $0", ['Executing: ["/bin/sh" "-c" "echo $0"]', "/bin/sh\n"]),
        (
            strings(None, "/bin/echo", None, 'q"\\x'),
            "é\t\u200bz",
            ['Executing: ["/bin/echo" "q\\"\\\\x" "é\\t\\u200bz"]', 'q"\\x é\t\u200bz\n'],
        ),
        (strings(None), "pwd", ['Executing: ["pwd"]', "{directory}\n"]),
        (strings("/bin/sh", "-e", "-c"), "true", ['Executing: ["/bin/sh" "-e" "-c" "true"]']),
    ],
)
def test_interpreters(tmp_path: Path, interpreter: Value, command: str, shown: list[str]) -> None:
    ran = run(world(tmp_path), interpreter=interpreter, command=string(command))
    assert ran.shown == [line.replace("{directory}", str(tmp_path)) for line in shown]
    assert ran.problems == ()


def test_the_environment_is_added_to_that_of_the_run(tmp_path: Path) -> None:
    """Nothing is removed, not even the engine's own variables; null counts as absent; `=` in a name ends the name."""
    where = world(tmp_path, environment={"PATH": os.defpath, "FOO": "outer", "KEPT": "k", "TF_VAR_x": "1"})
    added = {"FOO": string("inner"), "GONE": null(STRING), "E=F": string("g"), "EMPTY": string("")}
    ran = run(where, interpreter=strings("/usr/bin/env"), command=string("-u"), environment=map_of(STRING, added))
    assert ran.details[0].startswith("Error running command '-u': exit status 125. Output: ")
    ran = run(where, command=string("env | grep -v ^PATH | sort"), environment=map_of(STRING, added))
    found = [line.rstrip() for line in ran.shown[1:] if not line.startswith(("PWD", "_=", "SHLVL", "OLDPWD"))]
    assert found == ["E=F=g", "EMPTY=", "FOO=inner", "KEPT=k", "TF_VAR_x=1"]


def test_a_program_is_looked_for_on_the_path_of_the_run(tmp_path: Path) -> None:
    ran = run(
        world(tmp_path),
        interpreter=strings("echo"),
        command=string("found"),
        environment=map_of(STRING, {"PATH": string("/nowhere")}),
    )
    assert ran.shown[1:] == ["found\n"]


def test_commands_run_where_the_configuration_is_or_below(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    assert run(world(tmp_path), command=string("pwd")).shown[1:] == [f"{tmp_path}\n"]
    ran = run(world(tmp_path), command=string("pwd"), working_dir=string("sub"))
    assert ran.shown[1:] == [f"{tmp_path}/sub\n"]
    ran = run(world(tmp_path), command=string("pwd"), working_dir=string("/tmp"))
    assert ran.details == [
        "Error running command 'pwd': chdir /tmp: /tmp is outside the directory of this run. Output: "
    ]


@pytest.mark.parametrize("command", [string(""), null(STRING)])
def test_there_must_be_a_command(tmp_path: Path, command: Value) -> None:
    ran = run(world(tmp_path), command=command)
    assert ran.shown == []
    assert [(problem.summary, problem.detail) for problem in ran.problems] == [
        ("Invalid local-exec provisioner command", "The command must be a non-empty string.")
    ]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"command": string("exit 4")}, "exit status 4"),
        ({"command": string("kill -9 $$")}, "signal: killed"),
        ({"command": string("kill -15 $$")}, "signal: terminated"),
        ({"interpreter": strings("/no/such", "x")}, "fork/exec /no/such: no such file or directory"),
        ({"interpreter": strings("nosuchprogram")}, 'exec: "nosuchprogram": executable file not found in $PATH'),
        ({"interpreter": strings("./plain.txt")}, "fork/exec ./plain.txt: permission denied"),
        ({"interpreter": strings("/etc")}, "fork/exec /etc: permission denied"),
        ({"interpreter": strings("")}, "exec: no command"),
        ({"working_dir": string("nodir")}, "chdir nodir: no such file or directory"),
        ({"working_dir": string("plain.txt")}, "fork/exec /bin/sh: not a directory"),
        ({"command": string("echo x\0y")}, "fork/exec /bin/sh: invalid argument"),
        ({"environment": map_of(STRING, {"A": string("x\0y")})}, "exec: environment variable contains NUL"),
    ],
)
def test_failures_are_told_in_the_words_of_the_original(
    tmp_path: Path, settings: dict[str, Value], reason: str
) -> None:
    (tmp_path / "plain.txt").touch(mode=0o644)
    given = {"command": string("true"), **settings}
    ran = run(world(tmp_path), **given)
    assert [problem.summary for problem in ran.problems] == ["local-exec provisioner error"]
    assert ran.details == [f"Error running command '{given['command'].payload}': {reason}. Output: "]


def test_a_failure_shows_the_end_of_the_output(tmp_path: Path) -> None:
    lines = [b"first\n", b"0" * 8190 + b"\n", b"last\n"]
    processes = RecordedProcesses({"make": RecordedResult(lines, status=2)})
    (detail,) = run(world(tmp_path, processes), command=string("make")).details
    start = "Error running command 'make': exit status 2. Output: "
    assert detail.startswith(start)
    assert detail.endswith("0\nlast\n")
    assert len(detail) == len(start) + 8 * 1024


def test_each_byte_that_is_no_text_is_replaced_by_itself(tmp_path: Path) -> None:
    processes = RecordedProcesses({"dump": RecordedResult([b"bad\xe2\x82utf\n"], status=1)})
    ran = run(world(tmp_path, processes), command=string("dump"))
    assert ran.shown[1:] == ["bad\ufffd\ufffdutf\n"]
    assert ran.details[0].endswith("Output: bad\ufffd\ufffdutf\n")


def test_a_world_without_processes_says_so(tmp_path: Path) -> None:
    ran = run(world(tmp_path, FORBIDDEN), command=string("true"))
    assert ran.details == ["Error running command 'true': this run may not start processes. Output: "]


def test_what_was_asked_of_a_scripted_world_can_be_looked_at(tmp_path: Path) -> None:
    failure = OSError(errno.E2BIG, os.strerror(errno.E2BIG))
    processes = RecordedProcesses({"huge": RecordedResult(failure=failure)})
    ran = run(world(tmp_path, processes), command=string("huge"))
    assert ran.details == ["Error running command 'huge': fork/exec /bin/sh: argument list too long. Output: "]
    assert [(command.arguments, command.directory) for command in processes.commands] == [
        (("/bin/sh", "-c", "huge"), tmp_path)
    ]
