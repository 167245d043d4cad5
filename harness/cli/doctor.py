"""`diffharness doctor`: what is installed, and what it can do."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from typing import Final

import click

__all__ = ["doctor"]

_REQUIRED: Final = {
    "gmpy2": "numbers",
    "regex": "grapheme clusters and identifiers",
    "google-re2": "regular expressions of the language",
    "pyyaml": "yamldecode",
    "bcrypt": "bcrypt",
    "cryptography": "rsadecrypt",
    "python-hcl2": "writing HCL, second opinion on parsing",
    "click": "command line",
    "rich": "tables and progress",
    "networkx": "graphs",
    "trio": "concurrency",
    "deepdiff": "differences",
    "jinja2": "reports",
    "hypothesis": "generated stories",
}

_BINARIES: Final = ("terraform", "tofu")


@dataclass(frozen=True, slots=True)
class Finding:
    part: str
    state: str
    """ok, missing (needed), or absent (optional)."""
    note: str


def _python() -> Finding:
    state = "ok" if sys.version_info >= (3, 11) else "missing"
    return Finding("Python", state, f"{platform.python_version()} ({sys.executable})")


def _package(name: str, purpose: str) -> Finding:
    try:
        return Finding(name, "ok", f"{importlib.metadata.version(name)}: {purpose}")
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, "missing", f"{purpose}; install it with: pip install {name}")


def _own_parser() -> Finding:
    from shared_nodes.lang.parser import parse_body
    from shared_nodes.lang.source import Source

    _, problems = parse_body(Source("check.tf", b'a = "x${~ core::upper(y) ~}"\n'))
    return Finding("HCL parser", "missing" if problems else "ok", "diffharness' own: native and JSON syntax")


def _binary(name: str) -> Finding:
    path = shutil.which(name)
    if path is None:
        return Finding(name, "absent", "optional: a real engine to compare with")
    environment = {key: value for key, value in os.environ.items() if key != "TF_CLI_CONFIG_FILE"}
    try:
        answer = subprocess.run(
            [path, "version", "-json"], capture_output=True, text=True, timeout=20, check=False, env=environment
        )
        version = json.loads(answer.stdout).get("terraform_version", "unknown version")
    except (OSError, ValueError, subprocess.TimeoutExpired) as problem:
        return Finding(name, "absent", f"{path} does not answer: {problem}")
    return Finding(name, "ok", f"{version} ({path})")


def _findings() -> list[Finding]:
    packages = [_package(name, purpose) for name, purpose in _REQUIRED.items()]
    return [_python(), *packages, _own_parser(), *(_binary(name) for name in _BINARIES)]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def doctor(context: click.Context, as_json: bool) -> None:
    """Check versions, parsers and optional parts. Fails when something needed is missing."""
    findings = _findings()
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        width = max(len(finding.part) for finding in findings)
        for finding in findings:
            click.echo(f"{finding.state:8}{finding.part:{width}}  {finding.note}")
    if any(finding.state == "missing" for finding in findings):
        context.exit(1)
