"""`local-exec`: a command on the machine the engine runs on, in the working directory of the run.

The environment is that of the run, extended by the block's `environment`; nothing is removed from it. Standard output
and error arrive as one stream, line by line. If the command fails, the message includes the end of its output, even
where showing the output was suppressed because of sensitive values: the original does so too.
"""

from __future__ import annotations

import errno
import os
import re
import signal
from collections.abc import Mapping, Sequence
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.processes import Command, ForbiddenProcessError
from shared_nodes.providers.schema import SchemaAttribute, SchemaBlock
from shared_nodes.provisioners.contract import ProvisionRequest, whole_block_error
from shared_nodes.record import record
from shared_nodes.values.text import quoted
from shared_nodes.values.types import BOOL, STRING, ListType, MapType
from shared_nodes.values.value import Value
from shared_nodes.world import World

__all__ = ["LOCAL_EXEC"]

_SCHEMA: Final = SchemaBlock(
    {
        "command": SchemaAttribute(STRING, required=True),
        "environment": SchemaAttribute(MapType(STRING), optional=True),
        "interpreter": SchemaAttribute(ListType(STRING), optional=True),
        "quiet": SchemaAttribute(BOOL, optional=True),
        "working_dir": SchemaAttribute(STRING, optional=True),
    }
)

_SHELL: Final = ("/bin/sh", "-c")

_NO_COMMAND: Final = "Invalid local-exec provisioner command"
_EMPTY: Final = "The command must be a non-empty string."

_KEPT_OUTPUT_BYTES: Final = 8 * 1024
"""How many bytes from the end of the output a failure shows."""

_LAST_NAMED_SIGNAL: Final = 15

_INVALID_BYTE: Final = re.compile("[\udc80-\udcff]")


class _StartError(Exception):
    """The command could not be started. The text is the original's."""


class _LocalExec:
    @property
    def schema(self) -> SchemaBlock:
        return _SCHEMA

    def validate(self, config: Value, flavour: Flavour) -> Sequence[Diagnostic]:
        command = config.payload["command"]
        if flavour.provisioners_refuse_empty_arguments and (command.is_null or command.payload == ""):
            return [error(_NO_COMMAND, _EMPTY)]
        return ()

    async def provision(self, request: ProvisionRequest) -> Sequence[Diagnostic]:
        settings = _Settings.of(request.config)
        if not settings.command:
            return [whole_block_error(_NO_COMMAND, _EMPTY)]
        if settings.quiet:
            request.output("local-exec: Executing: Suppressed by quiet=true")
        else:
            request.output(f"Executing: [{' '.join(map(quoted, settings.arguments))}]")
        output = bytearray()

        def on_line(line: bytes) -> None:
            output.extend(line)
            del output[:-_KEPT_OUTPUT_BYTES]
            request.output(_text(line))

        try:
            command = settings.process(request.world)
            reason = _end_text(await request.world.processes.run(command, on_line))
        except _StartError as failure:
            reason = str(failure)
        except OSError as failure:
            reason = _start_failure(settings.arguments[0], failure)
        if not reason:
            return ()
        shown = _text(bytes(output))
        detail = f"Error running command '{settings.command}': {reason}. Output: {shown}"
        return [whole_block_error("local-exec provisioner error", detail)]


LOCAL_EXEC: Final = _LocalExec()


@record
class _Settings:
    command: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    directory: str
    quiet: bool

    @staticmethod
    def of(config: Value) -> _Settings:
        """Read the settings. Null elements of the interpreter and the environment are left out; an empty interpreter
        counts as absent."""
        given = config.payload
        command = given["command"].payload if not given["command"].is_null else ""
        interpreter: tuple[str, ...] = _SHELL
        if not given["interpreter"].is_null and given["interpreter"].payload:
            interpreter = tuple([part.payload for part in given["interpreter"].payload if not part.is_null])
        added = {} if given["environment"].is_null else given["environment"].payload
        return _Settings(
            command,
            (*interpreter, command),
            {name: value.payload for name, value in added.items() if not value.is_null},
            "" if given["working_dir"].is_null else given["working_dir"].payload,
            not given["quiet"].is_null and given["quiet"].payload,
        )

    def process(self, world: World) -> Command:
        """Build the command, checking in the order in which the original encounters each mistake."""
        program = self.arguments[0]
        if not program:
            raise _StartError("exec: no command")
        environment = dict(world.environment)
        for entry in [f"{name}={value}" for name, value in self.environment.items()]:
            if "\0" in entry:
                raise _StartError("exec: environment variable contains NUL")
            # If the name contains an equals sign, what follows it becomes part of the value.
            name, _, value = entry.partition("=")
            if name:
                environment[name] = value
        try:
            world.files.status(self.directory or ".")
            directory = world.files.locate(self.directory)
        except OSError as failure:
            raise _StartError(f"chdir {self.directory}: {_reason(failure)}") from failure
        if any("\0" in argument for argument in self.arguments):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return Command(self.arguments, environment, directory, world.environment.get("PATH", ""))


def _start_failure(program: str, failure: OSError) -> str:
    if isinstance(failure, ForbiddenProcessError):
        return str(failure)
    if isinstance(failure, FileNotFoundError) and "/" not in program:
        return f"exec: {quoted(program)}: executable file not found in $PATH"
    return f"fork/exec {program}: {_reason(failure)}"


def _reason(failure: OSError) -> str:
    return failure.strerror.lower() if failure.strerror else str(failure)


def _text(output: bytes) -> str:
    """Decode, replacing every byte that is not part of valid text by one replacement character."""
    decoded = output.decode(errors="surrogateescape")
    return decoded if decoded.isascii() else _INVALID_BYTE.sub("\ufffd", decoded)


def _end_text(status: int) -> str:
    """Describe how the command ended; empty for success."""
    if status >= 0:
        return f"exit status {status}" if status else ""
    number = -status
    name = signal.strsignal(number) if number <= _LAST_NAMED_SIGNAL else None
    return f"signal: {name.lower()}" if name else f"signal: signal {number}"
