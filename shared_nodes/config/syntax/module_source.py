"""Source addresses of modules. Only local ones are ever followed; others must still be well-formed."""

from __future__ import annotations

import posixpath
import re
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range
from shared_nodes.values.text import quoted

__all__ = ["check_source", "is_local", "local_directory"]

_NAME: Final = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z_-]{0,62}[0-9A-Za-z])?\Z")
_TARGET_SYSTEM: Final = re.compile(r"[0-9a-z]{1,64}\Z")
_HOST: Final = re.compile(r"[^\W_][\w.-]*(?::\d+)?\Z")
_GETTER: Final = re.compile(r"[A-Za-z0-9]+::")
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SECURE_COPY: Final = re.compile(r"(?:[^@/]+@)?[\w.-]+\.[\w.-]+:[^/]|[^@/]+@[^:/]+:")
_VERSION_CONTROL_HOSTS: Final = frozenset(("bitbucket.org", "github.com", "gitlab.com"))


def is_local(source: str) -> bool:
    return source.startswith(("./", "../", ".\\", "..\\"))


def local_directory(parent: str, source: str) -> str:
    """Return the directory that a local source denotes in a module located in `parent`."""
    return posixpath.normpath(posixpath.join(parent, source.replace("\\", "/")))


def check_source(source: str, subject: Range, flavour: Flavour, *, has_version: bool) -> list[Diagnostic]:
    """Check a source address. With a version it must be a registry address; otherwise it may also be a local path or
    anything that can be downloaded."""
    if has_version:
        reason = _registry_problem(source)
        if reason is None:
            return []
        detail = (
            f"Failed to parse module registry address: {reason}.\n\n{flavour.product} assumed that you intended a "
            'module registry source address because you also set the argument "version", which applies only to '
            "registry modules."
        )
        return [error("Invalid registry module source address", detail, subject)]
    if is_local(source) or _registry_problem(source) is None:
        return []
    problem = _remote_problem(source, flavour)
    return [] if problem is None else [error("Invalid module source address", problem, subject)]


def _registry_problem(source: str) -> str | None:
    if is_local(source):
        return f"can't use local directory {quoted(source)} as a module registry address"
    package = _package(source)
    parts = package.split("/")
    if len(parts) not in (3, 4):
        return "a module registry source address must have either three or four slash-separated components"
    if len(parts) == 4 or "." in parts[0]:
        problem = _registry_host_problem(parts[0], len(parts))
        if problem is not None:
            return problem
    namespace, name, system = parts[-3:]
    rule = (
        "must be between one and 64 characters, including ASCII letters, digits, dashes, and underscores, where dashes "
        "and underscores may not be the prefix or suffix"
    )
    if not _NAME.match(namespace):
        return f"invalid namespace {quoted(namespace)}: {rule}"
    if not _NAME.match(name):
        return f"invalid module name {quoted(name)}: {rule}"
    if "?" in system:
        return "module registry addresses may not include a query string portion"
    if not _TARGET_SYSTEM.match(system):
        return f"invalid target system {quoted(system)}: must be between one and 64 ASCII letters or digits"
    return None


def _registry_host_problem(host: str, parts: int) -> str | None:
    if not _HOST.match(host):
        return f"invalid module registry hostname {quoted(host)}"
    if "." not in host:
        return "invalid module registry hostname: must contain at least one dot"
    if parts == 3:
        return (
            "source address must have three more components after the hostname: the namespace, the name, and the "
            "target system"
        )
    if host in _VERSION_CONTROL_HOSTS:
        return (
            f"can't use \"{host}\" as a module registry host, because it's reserved for installing directly from "
            "version control repositories"
        )
    return None


def _package(source: str) -> str:
    """Return the address without the part after `//`, which is a directory inside the package."""
    start = source.find("://")
    at = source.find("//", start + 3 if start >= 0 else 0)
    return source if at < 0 else source[:at]


def _remote_problem(source: str, flavour: Flavour) -> str | None:
    package = _package(source)
    failure = "Failed to parse module source address"
    if not package:
        return f"{failure}: invalid source {'string' if flavour.empty_sources_are_strings else 'address'}: ."
    inside = posixpath.normpath(source[len(package) :].lstrip("/"))
    if inside.startswith("../"):
        return f"{failure}: subdirectory path {quoted(inside)} leads outside of the module package."
    address = _GETTER.sub("", package, count=1)
    if not address or address.startswith("/") or _URL.match(address) or _SECURE_COPY.match(address):
        return None
    parts = address.split("/")
    if parts[0] == "github.com":
        short = len(parts) < 3
        rule = f"{failure}: GitHub URLs should be github.com/username/repo."
        return rule if short else None
    if parts[0] == "bitbucket.org":
        return None
    return (
        f"{flavour.product} failed to determine your intended installation method for remote module package "
        f"{quoted(address)}.\n\nIf you intended this as a path relative to the current module, use "
        f"{quoted(f'./{address}')} instead. "
        'The "./" prefix indicates that the address is a relative filesystem path.'
    )
