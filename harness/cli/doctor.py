"""`diffharness doctor`: check what is installed, and which settings are in effect."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from harness.cli.support.run_directory import RUNS
from harness.configuration import TABLE, Configuration, ConfigurationError, read_configuration
from harness.engines.registry import ENGINES, EngineNotFoundError, engine_named, installed_engines
from shared_nodes.record import record

__all__ = ["doctor"]

_REQUIRED: Final = {
    "gmpy2": "numbers",
    "regex": "grapheme clusters and identifiers",
    "google-re2": "regular expressions of the language",
    "pyyaml": "yamldecode",
    "bcrypt": "bcrypt",
    "cryptography": "rsadecrypt",
    "python-hcl2": "second opinion on parsing",
    "click": "command line",
    "rich": "tables and progress",
    "networkx": "graphs",
    "trio": "concurrency",
    "deepdiff": "differences",
    "jinja2": "reports",
    "hypothesis": "generated stories",
}

_BINARIES: Final = ("terraform", "tofu")
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "firefox")
_EXTRA: Final = re.compile(r"""^([\w.-]+).*extra\s*==\s*['"]([\w-]+)['"]""")
_DEVELOPMENT: Final = "dev"


@record
class Checkup:
    part: str
    state: str
    """ok, missing (required), wrong (present but unusable), slow, or absent (optional)."""

    note: str


def _python() -> Checkup:
    state = "ok" if sys.version_info >= (3, 11) else "missing"
    return Checkup("Python", state, f"{platform.python_version()} ({sys.executable})")


def _bytecode() -> Checkup:
    """Check that Python keeps what it compiles. Otherwise every command compiles all that it imports again."""
    if not sys.dont_write_bytecode:
        return Checkup("bytecode", "ok", "compiled modules are kept")
    cause = "PYTHONDONTWRITEBYTECODE is set" if os.environ.get("PYTHONDONTWRITEBYTECODE") else "Python runs with -B"
    file = importlib.util.find_spec("harness.cli")
    kept = None if file is None or file.cached is None else Path(file.cached)
    if kept is not None and kept.is_file():
        return Checkup("bytecode", "ok", f"{cause}, but there are compiled modules, which are used as long as they fit")
    return Checkup("bytecode", "slow", f"{cause}: every command compiles its modules again, and starts twice as slowly")


def _package(name: str, purpose: str) -> Checkup:
    try:
        return Checkup(name, "ok", f"{importlib.metadata.version(name)}: {purpose}")
    except importlib.metadata.PackageNotFoundError:
        return Checkup(name, "missing", f"{purpose}; install it with: pip install {name}")


def _own_parser() -> Checkup:
    from shared_nodes.lang.parser import parse_body
    from shared_nodes.lang.source import Source

    _, problems = parse_body(Source("check.tf", b'a = "x${~ core::upper(y) ~}"\n'))
    return Checkup("HCL parser", "missing" if problems else "ok", "diffharness' own: native and JSON syntax")


def _binary(name: str) -> Checkup:
    path = shutil.which(name)
    if path is None:
        return Checkup(name, "absent", "optional: a real engine to compare with")
    environment = {key: value for key, value in os.environ.items() if key != "TF_CLI_CONFIG_FILE"}
    try:
        answer = subprocess.run(
            [path, "version", "-json"], capture_output=True, text=True, timeout=20, check=False, env=environment
        )
        version = json.loads(answer.stdout).get("terraform_version", "unknown version")
    except (OSError, ValueError, subprocess.TimeoutExpired) as problem:
        return Checkup(name, "absent", f"{path} does not answer: {problem}")
    return Checkup(name, "ok", f"{version} ({path})")


def _new_runtime() -> Checkup:
    """Check whether `tofu-experimental` is an engine of its own."""
    from harness.engines.external import find_binary, has_new_runtime

    name = "tofu-experimental"
    try:
        binary = find_binary(name)
    except EngineNotFoundError:
        return Checkup(name, "absent", "optional: the new runtime of a tofu that is a build with experiments")
    if has_new_runtime(binary):
        return Checkup(name, "ok", f"the switch to the new runtime takes effect ({binary.program})")
    return Checkup(name, "absent", f"{binary.program} ignores the switch to the new runtime, as release builds do")


def _engine(name: str) -> Checkup:
    try:
        engine_named(name)
    except EngineNotFoundError as problem:
        return Checkup(f"engine {name}", "wrong", str(problem))
    return Checkup(f"engine {name}", "ok", "in process" if name in ENGINES else "in process, of another package")


def _extras() -> Iterator[Checkup]:
    """Check the optional packages that the metadata of diffharness names."""
    for requirement in importlib.metadata.requires("diffharness") or ():
        match = _EXTRA.match(requirement)
        if match is None or match[2] == _DEVELOPMENT:
            continue
        try:
            note = f"{importlib.metadata.version(match[1])}: of the extra {match[2]}"
            yield Checkup(match[1], "ok", note)
        except importlib.metadata.PackageNotFoundError:
            yield Checkup(match[1], "absent", f"optional; install it with: pip install 'diffharness[{match[2]}]'")


def _settings(directory: Path) -> Iterator[Checkup]:
    try:
        configuration = read_configuration(directory)
    except ConfigurationError as problem:
        yield Checkup("settings", "wrong", str(problem))
        return
    if configuration.file is None:
        yield Checkup("settings", "absent", f"no [{TABLE}] in a pyproject.toml at or above {directory}")
    else:
        keys = ", ".join(sorted(configuration.given)) or "nothing"
        yield Checkup("settings", "ok", f"{configuration.file} sets {keys}")
    yield _trust(configuration)
    if configuration.known is not None:
        yield _known(configuration.known)
    yield _run_directory(configuration.out or directory / RUNS)


def _trust(configuration: Configuration) -> Checkup:
    gone = [path for path in configuration.trusted if not path.is_dir()]
    if gone:
        return Checkup("trusted", "wrong", f"{gone[0]} is not a directory")
    if not configuration.trusted:
        return Checkup("trusted", "absent", "no directory: commands of cases are faked, and binaries need --allow-exec")
    return Checkup("trusted", "ok", ", ".join(map(str, configuration.trusted)))


def _known(file: Path) -> Checkup:
    from harness.findings.known_divergences import KnownError, read_known

    try:
        known = read_known(file)
    except KnownError as problem:
        return Checkup("known divergences", "wrong", str(problem))
    return Checkup("known divergences", "ok", f"{len(known.entries)} entries in {file}")


def _run_directory(place: Path) -> Checkup:
    """Check the nearest existing directory, without writing anything."""
    nearest = next(parent for parent in (place, *place.parents) if parent.exists())
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        return Checkup("run directory", "ok", f"{place} can be written")
    return Checkup("run directory", "wrong", f"{nearest} cannot be written; name another place with --out")


def _browser() -> Checkup:
    path = next((found for found in map(shutil.which, _BROWSERS) if found is not None), None)
    if path is None:
        return Checkup("browser", "absent", "optional: to look at HTML reports on this machine")
    return Checkup("browser", "ok", path)


def _check_all() -> list[Checkup]:
    packages = [_package(name, purpose) for name, purpose in _REQUIRED.items()]
    engines = [*map(_engine, installed_engines()), *map(_binary, _BINARIES), _new_runtime()]
    return [_python(), _bytecode(), *packages, _own_parser(), *engines, *_extras(), *_settings(Path.cwd()), _browser()]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def doctor(context: click.Context, as_json: bool) -> None:
    """Check versions, engines, optional packages and settings. Fails if something required is missing or wrong."""
    findings = _check_all()
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        width = max(len(finding.part) for finding in findings)
        for finding in findings:
            click.echo(f"{finding.state:8}{finding.part:{width}}  {finding.note}")
    if any(finding.state in ("missing", "wrong") for finding in findings):
        context.exit(1)
