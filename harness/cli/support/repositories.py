"""Repositories as input of a run: directories, and what git fetches for them.

Git runs for a repository only if the user has named it by a URL, or with a ref. It fetches one commit into
`.diffharness/repositories`, without hooks, submodules and further programs. A later run fetches again, and what has
been installed there since, such as modules, stays.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from shared_nodes.record import record

__all__ = ["REPOSITORIES", "Repository", "fetch_repositories", "read_repositories"]

REPOSITORIES: Final = Path(".diffharness", "repositories")

_URL: Final = re.compile(r"(?:https?|ssh|git|file)://|[\w.-]+@[\w.-]+:")
_PROTOCOLS: Final = "file:git:http:https:ssh"
_TIMEOUT_S: Final = 600
_SAFE: Final = (
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "protocol.ext.allow=never"),
    *("-c", "submodule.recurse=false"),
    *("-c", "advice.detachedHead=false"),
)


@record
class Repository:
    name: str
    """Unique in the run."""

    source: str
    """A directory or a URL, as the user has named it."""

    ref: str = ""
    """A branch, a tag or a commit; empty for what the repository shows by default."""

    directory: Path = Path()
    """Where its files are. Git decides about this."""

    commit: str = ""

    @property
    def needs_git(self) -> bool:
        return bool(self.ref) or _URL.match(self.source) is not None

    @property
    def description(self) -> str:
        return " ".join(part for part in (self.source, self.ref, f"({self.commit})" if self.commit else "") if part)


def read_repositories(texts: Iterable[str], files: Iterable[Path]) -> list[Repository]:
    """Read what `--repository` names, and the lines of files: a directory or URL, and a ref after a blank or `?ref=`.
    Empty lines and those that begin with `#` do not count; a relative directory is relative to the file."""
    found = [_repository(text, "--repository", Path()) for text in texts]
    for file in files:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as problem:
            raise click.ClickException(f"{file}: cannot be read: {problem}") from problem
        for number, line in enumerate(lines, 1):
            if line.strip() and not line.lstrip().startswith("#"):
                found.append(_repository(line, f"{file}:{number}", file.parent))
    return _with_unique_names(found)


def _repository(text: str, place: str, beside: Path) -> Repository:
    source, _, ref = text.strip().removeprefix("git::").partition("?ref=")
    source, *rest = source.split()
    ref = ref or " ".join(rest)
    if source.startswith("-") or ref.startswith("-") or re.search(r"\s", ref):
        raise click.UsageError(f"{place}: {text.strip()}: not a directory or URL with a ref after it")
    if _URL.match(source) is None:
        directory = beside / Path(source).expanduser()
        if not directory.is_dir():
            raise click.UsageError(f"{place}: {source}: neither a directory nor a URL that git knows")
        source = str(directory)
    elif source.partition("://")[0] not in _PROTOCOLS.split(":") and "://" in source:
        raise click.UsageError(f"{place}: {source}: not one of {_PROTOCOLS.replace(':', ', ')}")
    name = Path(os.path.abspath(source) if _URL.match(source) is None else source.rstrip("/")).name
    return Repository(name.rpartition(":")[2].removesuffix(".git") or "repository", source, ref, Path(source))


def _with_unique_names(repositories: Sequence[Repository]) -> list[Repository]:
    """Tell repositories with the same name apart: by their refs, or else by numbers."""
    named: dict[str, Repository] = {}
    for each in repositories:
        again = sum(other.name == each.name for other in repositories) > 1
        name = f"{each.name}-{re.sub(r'[^A-Za-z0-9.-]+', '-', each.ref)}" if again and each.ref else each.name
        number = 1
        while (candidate := name if number == 1 else f"{name}-{number}") in named:
            number += 1
        named[candidate] = replace(each, name=candidate)
    return list(named.values())


def fetch_repositories(repositories: Iterable[Repository]) -> list[Repository]:
    """Return the repositories with the directories in which their files are now. A directory that was named without a
    ref is taken as it is."""
    return [_fetch(each) if each.needs_git else each for each in repositories]


def _fetch(repository: Repository) -> Repository:
    if shutil.which("git") is None:
        raise click.ClickException(f"git is needed to fetch {repository.source}, and there is none here")
    place = REPOSITORIES / repository.name
    try:
        place.mkdir(parents=True, exist_ok=True)
        (REPOSITORIES.parent / ".gitignore").write_text("*\n", encoding="ascii")
    except OSError as problem:
        raise click.ClickException(f"cannot keep repositories in {REPOSITORIES}: {problem.strerror}") from problem
    source = repository.source if _URL.match(repository.source) else os.path.abspath(repository.source)
    if not (place / ".git").exists():
        _git(repository, place, "init", "--quiet", "--template=")
    _git(repository, place, "fetch", "--quiet", "--depth=1", "--no-tags", "--", source, repository.ref or "HEAD")
    _git(repository, place, "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
    commit = _git(repository, place, "rev-parse", "HEAD").strip()
    return replace(repository, directory=place, commit=commit[:12])


def _git(repository: Repository, place: Path, *words: str) -> str:
    environment = {
        **os.environ,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
        "GIT_LFS_SKIP_SMUDGE": "1",
    }
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        environment.pop(name, None)
    command = ["git", *_SAFE, "-C", str(place), *words]
    try:
        answer = subprocess.run(
            command, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as problem:
        raise click.ClickException(f"{repository.source}: git takes more than {_TIMEOUT_S} s") from problem
    if answer.returncode:
        said = answer.stderr.decode("utf-8", "replace").strip() or f"exit status {answer.returncode}"
        what = " ".join(filter(None, [repository.source, repository.ref]))
        raise click.ClickException(f"{what}: git cannot fetch it: {said.splitlines()[-1]}")
    return answer.stdout.decode("utf-8", "replace")
