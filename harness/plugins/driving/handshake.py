"""The handshake: the environment a plugin is started in, and the one line with which it answers.

The line is `core version | protocol version | network | address | grpc | certificate`, where the certificate is present
only if one was offered. None is, so the connection is plain, over a socket that only this user can open.
"""

from __future__ import annotations

import grp
import os
import pwd
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from harness.plugins.wire.address import Address
from harness.plugins.wire.methods import Major
from shared_nodes.record import record

__all__ = ["Handshake", "PluginStartError", "no_answer_problem", "parse_handshake", "plugin_environment"]

_COOKIE: Final = ("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2")
"""Published, and not secret: it only keeps users from starting a plugin by hand."""

_CORE_VERSION: Final = "1"
_NOT_PASSED_ON: Final = ("TF_LOG", "TF_REATTACH_PROVIDERS", "PLUGIN_")
"""Variables of the user's environment that are for the engine, by how they begin. With logging switched on, a plugin
would wait for its log to be read."""

_EXPLANATION: Final = """
This usually means
  the plugin was not compiled for this architecture,
  the plugin is missing dynamic-link libraries necessary to run,
  the plugin is not executable by this process due to file permissions, or
  the plugin failed to negotiate the initial go-plugin protocol handshake
"""


class PluginStartError(Exception):
    """A plugin could not be started. The message is in the words of the original."""


@record
class Handshake:
    address: Address
    major: Major


def plugin_environment(environment: Mapping[str, str], socket_directory: Path) -> dict[str, str]:
    passed_on = {name: value for name, value in environment.items() if not name.startswith(_NOT_PASSED_ON)}
    return passed_on | {
        _COOKIE[0]: _COOKIE[1],
        "PLUGIN_PROTOCOL_VERSIONS": ",".join(str(int(major)) for major in Major),
        "PLUGIN_MIN_PORT": "10000",
        "PLUGIN_MAX_PORT": "25000",
        "PLUGIN_UNIX_SOCKET_DIR": str(socket_directory),
    }


def parse_handshake(line: str, executable: Path) -> Handshake:
    """Read the answer of a plugin. It may be anything, since any program can be where a plugin is expected."""
    parts = line.strip().split("|")
    if len(parts) < 4:
        raise _unrecognised(line.strip(), executable)
    core, protocol, network, place, *more = parts
    if core != _CORE_VERSION:
        raise PluginStartError(
            f"Incompatible core API version with plugin. Plugin version: {core}, Core version: {_CORE_VERSION}\n\n"
            "To fix this, the plugin usually only needs to be recompiled.\nPlease report this to the plugin author."
        )
    if not protocol.isdigit():
        raise PluginStartError(f'Error parsing protocol version "{protocol}": invalid syntax')
    if int(protocol) not in set(Major):
        versions = " ".join(str(int(major)) for major in Major)
        raise PluginStartError(
            f"Incompatible API version with plugin. Plugin version: {int(protocol)}, Client versions: [{versions}]"
        )
    if network not in ("unix", "tcp"):
        raise PluginStartError(f"Unknown address type: {place}")
    kind = more[0] if more else "netrpc"
    if kind != "grpc":
        raise PluginStartError(f'Unsupported plugin protocol "{kind}". Supported: [grpc]')
    return Handshake(Address(network, place), Major(int(protocol)))


def no_answer_problem(executable: Path) -> PluginStartError:
    return _unrecognised("\nFailed to read any lines from plugin's stdout", executable)


def _unrecognised(message: str, executable: Path) -> PluginStartError:
    return PluginStartError(f"Unrecognized remote plugin message: {message}{_EXPLANATION}{_notes(executable)}")


def _notes(executable: Path) -> str:
    """What could keep a program from starting: its permissions and its owner."""
    try:
        status = executable.stat()
    except OSError:
        return ""
    owner, group = f"{status.st_uid} [{_user(status.st_uid)}]", f"{status.st_gid} [{_group(status.st_gid)}]"
    user, users = f"{os.getuid()} [{_user(os.getuid())}]", f"{os.getgid()} [{_group(os.getgid())}]"
    return (
        f"\nAdditional notes about plugin:\n  Path: {executable}\n  Mode: {stat.filemode(status.st_mode)}\n"
        f"  Owner: {owner} (current: {user})\n  Group: {group} (current: {users})\n"
    )


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return "?"


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return "?"
