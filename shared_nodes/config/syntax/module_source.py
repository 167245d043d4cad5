"""Source addresses of modules. They must be well-formed, but nothing is ever downloaded."""

from __future__ import annotations

import posixpath
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range
from shared_nodes.pattern import pattern
from shared_nodes.values.text import quoted

__all__ = ["canonical_source", "check_source", "is_local", "local_directory", "split_source"]

_NAME: Final = pattern(r"[0-9A-Za-z](?:[0-9A-Za-z_-]{0,62}[0-9A-Za-z])?\Z")
_TARGET_SYSTEM: Final = pattern(r"[0-9a-z]{1,64}\Z")
_HOST: Final = pattern(r"(?P<name>[^:]+)(?::\d+)?\Z")
_GETTER: Final = pattern(r"[A-Za-z0-9]+::")
_URL: Final = pattern(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SECURE_COPY: Final = pattern(r"(?:[^@/]+@)?[\w.-]+\.[\w.-]+:[^/]|[^@/]+@[^:/]+:")
_SECURE_COPY_PARTS: Final = pattern(r"([^@/:]+@[^:/]+):(.+)\Z")
_URL_WITH_HOST: Final = pattern(r"[A-Za-z][A-Za-z0-9+.-]*://")
_VERSION_CONTROL_HOSTS: Final = frozenset(("bitbucket.org", "github.com", "gitlab.com"))


def is_local(source: str) -> bool:
    return source.startswith(("./", "../", ".\\", "..\\"))


def local_directory(parent: str, source: str) -> str:
    """Return the directory that a local source denotes in a module located in `parent`."""
    return posixpath.normpath(posixpath.join(parent, source.replace("\\", "/")))


def canonical_source(source: str, flavour: Flavour) -> str:
    """Return the form in which sources are compared, and in which a manifest has them. A source that cannot be read
    stays as it is."""
    if is_local(source):
        path = posixpath.normpath(source.replace("\\", "/"))
        return path if path.startswith("..") else f"./{path}"
    if _registry_problem(source) is not None and _remote_problem(source, flavour) is not None:
        return source
    package, inside, query = split_source(source)
    if _registry_problem(source) is None:
        parts = package.split("/")
        host = parts[0].lower() if len(parts) == 4 else flavour.registry
        return "/".join((host, *parts[-3:])) + inside
    package, deeper = _detected(package)
    path = posixpath.normpath(f"{deeper}{inside}") if deeper else inside
    return f"{package}//{path.lstrip('/')}{query}" if path else f"{package}{query}"


def split_source(source: str) -> tuple[str, str, str]:
    """Split a source into the package, the directory inside of it, which begins with `//` or is empty, and the query,
    which begins with `?` or is empty."""
    address, mark, query = source.partition("?")
    package = _package(address)
    inside = posixpath.normpath(address[len(package) :].lstrip("/")) if len(package) < len(address) else ""
    return package, f"//{inside}" if inside not in ("", ".") else "", mark + query


def _detected(package: str) -> tuple[str, str]:
    """Return the package in the form of a URL, and a directory inside of it that its short form has named."""
    getter = _GETTER.match(package)
    forced, address = (getter[0], package[getter.end() :]) if getter else ("", package)
    if address.startswith("/"):
        return f"{forced}file://{address}", ""
    secure = _SECURE_COPY_PARTS.match(address)
    if secure and not _URL_WITH_HOST.match(address) and (not forced or forced == "git::"):
        return f"git::ssh://{secure[1]}/{secure[2].lstrip('/')}", ""
    parts = address.split("/")
    if not forced and parts[0] in ("github.com", "bitbucket.org") and len(parts) >= 3:
        repository = "/".join(parts[:3])
        repository = repository if repository.endswith(".git") else f"{repository}.git"
        deeper = "/".join(parts[3:])
        return f"git::https://{repository}", f"/{deeper}" if deeper else ""
    return package, ""


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
    if not _is_host(host):
        hint = "; internationalized domain names must be given as direct unicode characters, not in punycode"
        return f"invalid module registry hostname {quoted(host)}{hint if '--' in host else ''}"
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


def _is_host(host: str) -> bool:
    match = _HOST.match(host)
    return match is not None and all(map(_is_label, match["name"].split(".")))


def _is_label(label: str) -> bool:
    """Return whether this can be part of the name of a host. Hyphens in the third and fourth place are the mark of
    encoded names."""
    if not label or label.startswith("-") or label.endswith("-") or label[2:4] == "--":
        return False
    return all(character.isalnum() or character == "-" for character in label)


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
