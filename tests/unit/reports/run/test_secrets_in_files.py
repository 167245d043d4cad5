"""Sensitive values of a case occur in no file of a run and not on the screen, even if the finding is that an engine no
longer treats them as sensitive."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from harness.cli import commands
from tests.html_elements import Elements

DEFAULT: Final = "default-Hunter2"
GIVEN: Final = 'given-"quoted"\\Tr0ub4dor-é'
FROM_STEP: Final = "step-correct-horse"
MARKED: Final = "marked-battery-staple"
FORMED: Final = "first line of a key\nsecond line of a key"
NUMBER: Final = "918273645546372"
COMMAND: Final = "echo not-for-shells"
SECRETS: Final = (DEFAULT, GIVEN, FROM_STEP, MARKED, *FORMED.split("\n"), NUMBER, "not-for-shells")

CASE: Final = """\
description: The password is {default}, and nobody may know.
steps:
  - op: apply
    config: v1
    vars: {{stepped: {stepped}}}
  - op: apply
    config: v2
    vars: {{stepped: {stepped}}}
"""
MAIN: Final = """\
variable "password" {{
  default   = "{default}"
  sensitive = true
}}
variable "given" {{
  sensitive = true
}}
variable "stepped" {{
  sensitive = true
}}
variable "pin" {{
  default   = {number}
  sensitive = true
}}
locals {{
  marked = sensitive("{marked}")
  key    = sensitive(<<-KEY
    {first}
    {second}
  KEY
  )
}}
resource "terraform_data" "all" {{
  input = {{
    password = var.password
    mixed    = "user:${{var.given}}@host"
    stepped  = var.stepped
    pin      = var.pin
    marked   = local.marked
    key      = local.key
    version  = {version}
  }}
  provisioner "local-exec" {{
    command = sensitive("{command}")
  }}
}}
output "shown" {{
  value     = terraform_data.all.output
  sensitive = true
}}
"""


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "secrets" / "everywhere"
    for version in (1, 2):
        (place / f"v{version}").mkdir(parents=True)
        first, second = FORMED.split("\n")
        text = MAIN.format(
            default=DEFAULT,
            number=NUMBER,
            marked=MARKED,
            first=first,
            second=second,
            version=version,
            command=COMMAND,
        )
        (place / f"v{version}" / "main.tf").write_text(text, encoding="utf-8")
        (place / f"v{version}" / "terraform.tfvars").write_text(f"given = {json.dumps(GIVEN)}\n", encoding="utf-8")
    (place / "case.yaml").write_text(CASE.format(default=DEFAULT, stepped=FROM_STEP), encoding="utf-8")
    frame = {"told": "as it was", "trials": 0, "blocks": 1, "lines": 1, "without": []}
    frames = [{**frame, "files": {"v1/main.tf": f'a = "{DEFAULT}"\n'}}, {**frame, "files": {}}]
    (place / "shrink.json").write_text(json.dumps({"format": 1, "frames": frames}))
    monkeypatch.chdir(tmp_path)
    return place


def texts_in(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        for name, part in tree.items():
            yield name
            yield from texts_in(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from texts_in(part)
    else:
        yield str(tree)


def everything_in(file: Path) -> Iterator[str]:
    """Return the text of a file, and everything that programs read from it: texts inside JSON inside compressed
    data."""
    text = file.read_text(encoding="utf-8")
    yield text
    if file.suffix == ".html":
        page = Elements(text)
        yield from (page.text, *texts_in(page.data))
    if file.suffix in (".json", ".sarif"):
        yield from texts_in(json.loads(text))
    if file.suffix == ".jsonl":
        for line in text.splitlines():
            result = json.loads(line)["result"]
            yield from texts_in(result)
            for inner in ("evidence", "film"):
                yield from texts_in(json.loads(result.get(inner) or "{}"))


@pytest.mark.parametrize(("mutant", "exit_code"), [("B13", 1), ("B14", 1), ("S01", 0)])
def test_no_file_and_no_screen_has_a_sensitive_value(case: Path, tmp_path: Path, mutant: str, exit_code: int) -> None:
    """With engines that forget to mark a variable or an object, the values themselves differ. The last one has no
    difference here."""
    out = tmp_path / "out"
    names = {"html": "page.html", "json": "run.json", "junit": "run.xml", "markdown": "run.md", "sarif": "run.sarif"}
    options = [word for name, file in names.items() for word in (f"--{name}", str(out / "reports" / file))]
    (out / "reports").mkdir(parents=True)
    answer = CliRunner().invoke(
        commands, ["run", str(case), "--mutant", mutant, "--jobs", "1", "--out", str(out / "run"), *options]
    )
    assert answer.exit_code == exit_code, answer.output
    CliRunner().invoke(commands, ["report", str(out / "run"), "--html", str(out / "run" / "report.html")])
    files = [file for file in sorted(out.rglob("*")) if file.is_file()]
    assert {file.name for file in files} >= {*names.values(), "journal.jsonl", "run.json", "end.json", "report.html"}
    for secret in SECRETS:
        assert secret not in answer.output
        for file in files:
            for text in everything_in(file):
                assert secret not in text, (file.name, text[max(0, text.index(secret) - 80) :][:200])
