"""Repositories as input of a run: directories, and what git fetches; results by repository."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click import ClickException
from click.testing import CliRunner

from harness.cli import commands
from harness.cli.support.repositories import REPOSITORIES, fetch_repositories, read_repositories
from tests.schema import violations

RESOURCE = 'resource "terraform_data" "a" {\n  input = 1\n}\noutput "o" {\n  value = terraform_data.a.output\n}\n'
SCHEMA = json.loads((Path(__file__).parents[4] / "reports" / "run" / "run.schema.json").read_text("utf-8"))

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


def git(directory: Path, *words: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, "-C", str(directory), *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose default branch and whose tag v1 differ."""
    place = tmp_path / "upstream" / "vpc"
    (place / "examples" / "a").mkdir(parents=True)
    (place / "examples" / "a" / "main.tf").write_text(RESOURCE)
    git(place, "init", "--quiet")
    git(place, "add", "-A")
    git(place, "commit", "--quiet", "-m", "first")
    git(place, "tag", "v1")
    (place / "examples" / "b").mkdir()
    (place / "examples" / "b" / "main.tf").write_text(RESOURCE)
    git(place, "add", "-A")
    git(place, "commit", "--quiet", "-m", "second")
    return place


@needs_git
def test_a_list_of_repositories_is_run_and_reported_by_repository(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plain = tmp_path / "own"
    plain.mkdir()
    (plain / "main.tf").write_text(RESOURCE)
    lines = f"# what we support\n\n{repository}\nfile://{repository} v1\ngit::file://{repository}?ref=v1\nown\n"
    (tmp_path / "list.txt").write_text(lines)
    words = ["run", "--repositories", "list.txt", "--jobs", "1", "--out", "out", "--json", "run.json"]
    ran = CliRunner().invoke(commands, [*words, "--mutant", "M31"])
    assert ran.exit_code == 1, ran.output
    document = json.loads((tmp_path / "run.json").read_text())
    assert list(violations(document, SCHEMA)) == []
    found = {each["name"]: each for each in document["repositories"]}
    assert {name: each["cases"] for name, each in found.items()} == {"own": 1, "vpc": 2, "vpc-v1": 1, "vpc-v1-2": 1}
    assert found["vpc-v1"]["source"].startswith(f"file://{repository} v1 (")
    assert found["vpc"]["source"] == str(repository), "a directory is taken as it is"
    identifiers = {cause["id"] for cause in document["causes"]}
    assert all(cause["id"] in identifiers for each in found.values() for cause in each["causes"])
    assert "Who is affected, with the number of cases:" in ran.output
    assert "vpc (2), own (1), vpc-v1 (1), vpc-v1-2 (1)" in ran.output
    assert "repository vpc" not in ran.output.splitlines()[0]


@needs_git
def test_a_ref_of_a_local_repository_is_fetched_and_the_work_tree_stays(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (repository / "examples" / "b" / "main.tf").write_text("changed, and not committed")
    found = fetch_repositories(read_repositories([f"{repository}?ref=v1"], []))
    assert found[0].directory == REPOSITORIES / "vpc"
    assert sorted(path.name for path in (found[0].directory / "examples").iterdir()) == ["a"]
    assert (repository / "examples" / "b" / "main.tf").read_text() == "changed, and not committed"
    again = fetch_repositories(read_repositories([f"file://{repository}"], []))
    assert sorted(path.name for path in (again[0].directory / "examples").iterdir()) == ["a", "b"]
    assert again[0].commit != found[0].commit


@needs_git
def test_no_hook_of_a_repository_runs(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fetch_repositories(read_repositories([f"file://{repository}"], []))
    hooks = REPOSITORIES / "vpc" / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "post-checkout").write_text(f"#!/bin/sh\ntouch {tmp_path}/hooked\n")
    (hooks / "post-checkout").chmod(0o755)
    fetch_repositories(read_repositories([f"file://{repository}?ref=v1"], []))
    assert not (tmp_path / "hooked").exists()


@needs_git
@pytest.mark.parametrize(
    ("source", "said"),
    [("file:///nowhere/at/all", "git cannot fetch it"), ("{repository}?ref=v9", "git cannot fetch it")],
)
def test_what_git_cannot_fetch_is_one_message(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ClickException, match=said):
        fetch_repositories(read_repositories([source.format(repository=repository)], []))


@pytest.mark.parametrize(
    "source", ["nowhere", "--upload-pack=x", "file:///x?ref=--output=x", "ext::sh", "https://example.com/x a b"]
)
def test_what_is_no_repository_is_refused_before_anything_runs(tmp_path: Path, source: str) -> None:
    (tmp_path / "list.txt").write_text(f"\n{source}\n")
    ran = CliRunner().invoke(commands, ["run", "--repositories", str(tmp_path / "list.txt")])
    assert ran.exit_code == 2
    assert "list.txt:2:" in ran.output


def test_without_anything_to_run_there_is_one_message() -> None:
    ran = CliRunner().invoke(commands, ["run"])
    assert ran.exit_code == 2
    assert "Missing argument" in ran.output
