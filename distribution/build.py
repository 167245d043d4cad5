"""Builds `dist/`: a wheel, a source distribution, and the single file `diffharness.pyz`. Then tries the single file.

The single file contains the locked versions of all dependencies, for several versions of Python, and for the platform
on which it is built. The same sources and locks make the same bytes.
"""

from __future__ import annotations

import argparse
import compileall
import hashlib
import json
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from distribution.bootstrap import describe_platform

__all__ = ["build_archive", "build_packages", "main"]

ROOT: Final = Path(__file__).resolve().parent.parent
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
ARCHIVE: Final = "diffharness.pyz"
_SHEBANG: Final = b"#!/usr/bin/env python3\n"
_OLDEST: Final = (1980, 1, 1, 0, 0, 0)
_MODE: Final = 0o100644 << 16
_UNNEEDED: Final = ("setuptools", "_distutils_hack", "distutils-precedence.pth", "bin", ".lock")
"""What an environment to build in has, and one to run in has not. Matches the beginnings of names."""

_LEFT_OUT: Final = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json")
"""Remarks of the installer, which differ from build to build."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--python", action="append", dest="pythons", help="a version to include; default: all")
    chosen = parser.parse_args()
    out: Path = chosen.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    wheel = build_packages(out)
    with tempfile.TemporaryDirectory(prefix="diffharness-dist-") as scratch:
        sites = {version: _install(Path(scratch), version, wheel) for version in chosen.pythons or PYTHONS}
        archive = build_archive(sites, out / ARCHIVE, _version_of(wheel), describe_platform())
    _try(archive)
    for file in sorted(out.iterdir()):
        print(f"{file.stat().st_size / 1e6:6.1f} MB  {file}")


def build_packages(out: Path) -> Path:
    """Build the wheel and the source distribution with the locked build backend. Return the wheel.

    What the backend leaves beside the sources is removed: pytest would take it for an installed plugin with all of our
    modules, and rewrite their assertions.
    """
    program = (
        "import sys; from setuptools import build_meta as backend; "
        "out = sys.argv[1]; backend.build_sdist(out); backend.build_wheel(out)"
    )
    for old in (*out.glob("*.whl"), *out.glob("*.tar.gz")):
        old.unlink()
    try:
        subprocess.run([sys.executable, "-c", program, str(out)], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    finally:
        for left in ("build", "diffharness.egg-info"):
            shutil.rmtree(ROOT / left, ignore_errors=True)
    (wheel,) = out.glob("*.whl")
    return wheel


def _version_of(wheel: Path) -> str:
    return wheel.name.split("-")[1]


def _install(scratch: Path, version: str, wheel: Path) -> Path:
    """Install everything for one version of Python into a directory, from wheels alone."""
    site = scratch / version
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--quiet", "--no-deps", "--target", str(site)]
    uv += ["--python-version", version, "--only-binary", ":all:"]
    subprocess.run([*uv, "--require-hashes", "--requirement", "requirements/run.lock"], cwd=ROOT, check=True)
    subprocess.run([*uv, str(wheel)], cwd=ROOT, check=True)
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        compileall.compile_dir(
            str(site),
            quiet=2,
            stripdir=str(site),
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
    return site


def build_archive(sites: Mapping[str, Path], target: Path, version: str, platform: str) -> Path:
    """Write the archive of what was installed for each version of Python. What all have alike is in it once."""
    files = {python: dict(_files(site)) for python, site in sites.items()}
    content: dict[str, bytes] = {}
    for name in sorted({name for each in files.values() for name in each}):
        texts = {python: each[name].read_bytes() for python, each in files.items() if name in each}
        if len(texts) == len(files) and len(set(texts.values())) == 1:
            content[f"common/{name}"] = next(iter(texts.values()))
        else:
            content |= {f"{python}/{name}": text for python, text in texts.items()}
    digest = hashlib.sha256()
    for name, text in content.items():
        digest.update(name.encode() + b"\0" + hashlib.sha256(text).digest())
    manifest = {"version": version, "digest": digest.hexdigest(), "pythons": [*sites], "platform": platform}
    content["manifest.json"] = json.dumps(manifest, indent=1).encode()
    content["__main__.py"] = Path(__file__).with_name("bootstrap.py").read_bytes()
    _write(target, content.items())
    return target


def _files(site: Path) -> Iterator[tuple[str, Path]]:
    for path in site.rglob("*"):
        name = path.relative_to(site)
        is_test = len(name.parts) > 2 and name.parts[0] == "networkx" and "tests" in name.parts
        if path.is_file() and not name.parts[0].startswith(_UNNEEDED) and not is_test and name.name not in _LEFT_OUT:
            yield name.as_posix(), path


def _write(target: Path, content: Iterable[tuple[str, bytes]]) -> None:
    """Write the file under another name first, so that a build that is interrupted leaves none that looks complete."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    with temporary.open("wb") as file:
        file.write(_SHEBANG)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, text in content:
                entry = zipfile.ZipInfo(name, _OLDEST)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, _MODE
                archive.writestr(entry, text)
    temporary.chmod(0o755)
    temporary.replace(target)


_CONFIGURATION: Final = 'resource "terraform_data" "a" {\n  input = "x"\n}\n'


def _try(archive: Path) -> None:
    """Run the single file alone, in an empty directory and with an empty environment, by several processes."""
    with tempfile.TemporaryDirectory(prefix="diffharness-dist-") as scratch:
        place = Path(scratch)
        (place / "one").mkdir()
        (place / "two").mkdir()
        for name in ("one", "two"):
            (place / name / "main.tf").write_text(_CONFIGURATION, encoding="ascii")
        shutil.copy(archive, place / ARCHIVE)
        environment = {"DIFFHARNESS_CACHE_DIR": str(place / "cache")}
        for arguments in (
            ("--version",),
            ("run", "one", "two", "--jobs", "2", "--quiet"),
            ("fuzz", "--examples", "20", "--jobs", "2"),
            ("report", "latest", "--quiet", "--junit", "r.xml"),
        ):
            command = [sys.executable, ARCHIVE, *arguments]
            ran = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
            if ran.returncode:
                sys.exit(f"{ARCHIVE} {' '.join(arguments)} ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
            print(f"tried: {ARCHIVE} {' '.join(arguments)}")


if __name__ == "__main__":
    main()
