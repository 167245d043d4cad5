"""However a secret is written into a case, no output of a run shows it.

Each way has a secret of its own, so that a leak names the way. Most characters of a secret are plain letters and digits
that occur nowhere else: if a part of it is shown, the test notices.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

import new_engine.api
from harness.case.case import HISTORY_FILE
from harness.cli import commands
from shared_nodes.lang.diagnostics import warning
from shared_nodes.operations.engine import EngineRequest, PlanResult, ValidateResult
from tests.html_elements import Elements

STEPS: Final = "steps: [{op: plan, config: v1}]"
USE: Final = 'resource "terraform_data" "a" {\n  input = var.p\n}\n'
DECLARED: Final = 'variable "p" {\n  sensitive = true\n  default = "unset"\n}\n' + USE
BROKEN: Final = 'output "broken" {\n  value = 1\n}\n'
RECORDED: Final = '{"steps": [{"op": "plan", "config": "v1", "ok": true, "diagnostics": [], "recorded": "otherwise"}]}'
SIM: Final = 'terraform {\n  required_providers {\n    sim = { source = "dh.test/diffharness/sim" }\n  }\n}\n'

Files = Mapping[str, str]
Way = Callable[[str], Files]


def default(spell: Callable[[str], str]) -> Way:
    """The secret is the default of a sensitive variable, spelled in HCL."""
    return lambda secret: {"main.tf": f'variable "p" {{\n  sensitive = true\n  default = {spell(secret)}\n}}\n{USE}'}


def values(spell: Callable[[str], str], name: str = "terraform.tfvars") -> Way:
    return lambda secret: {"main.tf": DECLARED, name: f"p = {spell(secret)}\n"}


def json_values(spell: Callable[[str], str], name: str = "terraform.tfvars.json") -> Way:
    return lambda secret: {"main.tf": DECLARED, name: f'{{"p": {spell(secret)}}}'}


def step(spell: Callable[[str], str]) -> Way:
    """The secret is given by a step, spelled in YAML."""
    steps = "steps:\n- op: plan\n  config: v1\n  vars:\n    p: "
    return lambda secret: {"main.tf": DECLARED, "../case.yaml": f"{steps}{spell(secret)}\n"}


def main(text: str) -> Way:
    return lambda secret: {"main.tf": text.replace("SECRET", secret)}


def files(**texts: str) -> Way:
    """Keys are names of files without their suffix; two underscores are a slash."""
    named = {name.replace("__", "/") + ("" if "tfvars" in name else ".tf"): text for name, text in texts.items()}
    return lambda secret: {
        name.replace("_tfvars", ".tfvars"): text.replace("SECRET", secret) for name, text in named.items()
    }


def quoted(secret: str) -> str:
    return f'"{secret}"'


def first_escaped(mark: str) -> Callable[[str], str]:
    """Spell the hyphen of a secret in another way."""
    return lambda secret: quoted(secret.replace("-", mark))


def all_escaped(secret: str) -> str:
    return quoted("".join(f"\\u{ord(each):04x}" for each in secret))


def long_escaped(secret: str) -> str:
    return quoted("".join(f"\\U{ord(each):08x}" for each in secret))


CALL: Final = 'module "m" {\n  source = "./m"\n  p = "SECRET"\n}\n'
TWICE: Final = "locals {\n  a = 1\n  a = 2\n}\n"
HIDDEN: Final = 'variable "p" {\n  sensitive = true\n  default = "SECRET"\n}\n'
SENSITIVE: Final = 'variable "p" {\n  sensitive = true\n}\n'
WAYS: Final[Mapping[str, Way]] = {
    "default": default(quoted),
    "default, hyphen as \\u": default(first_escaped("\\u002d")),
    "default, hyphen as \\U": default(first_escaped("\\U0000002d")),
    "default, all as \\u": default(all_escaped),
    "default, all as \\U": default(long_escaped),
    "default with a quote": default(lambda secret: quoted(secret.replace("-", '\\"'))),
    "default with a backslash": default(lambda secret: quoted(secret.replace("-", "\\\\"))),
    "default with a tab": default(lambda secret: quoted(secret.replace("-", "\\t"))),
    "default with a line end": default(lambda secret: quoted(secret.replace("-", "\\n"))),
    "default with $${": default(lambda secret: quoted(secret.replace("-", "$${"))),
    "default with %%{": default(lambda secret: quoted(secret.replace("-", "%%{"))),
    "default with an emoji": default(first_escaped("\\U0001f600")),
    "default with umlauts": default(first_escaped("\\u00fc")),
    "default, decomposed": default(lambda secret: quoted(unicodedata.normalize("NFD", secret.replace("-", "ü")))),
    "default, heredoc": default(lambda secret: f"<<EOT\n{secret}\nEOT"),
    "default, indented heredoc": default(lambda secret: f"<<-EOT\n      {secret}\n    EOT"),
    "default, heredoc with $${": default(lambda secret: f"<<EOT\n{secret.replace('-', '$${')}\nEOT"),
    "default, list": default(lambda secret: f'["{secret}"]'),
    "default, object": default(lambda secret: f'{{ a = "{secret}" }}'),
    "default, nested": default(lambda secret: f'{{ a = [{{ b = "{secret}" }}] }}'),
    "default, one line": main('variable "p" { default = "SECRET", sensitive = true }\n' + USE),
    "ephemeral default": main('variable "p" {\n  ephemeral = true\n  default = "SECRET"\n}\n'),
    "tfvars": values(quoted),
    "tfvars, hyphen as \\u": values(first_escaped("\\u002d")),
    "tfvars, all as \\u": values(all_escaped),
    "tfvars, with $${": values(lambda secret: quoted(secret.replace("-", "$${"))),
    "tfvars, heredoc": values(lambda secret: f"<<EOT\n{secret}\nEOT"),
    "tfvars, list": values(lambda secret: f'["{secret}"]'),
    "auto.tfvars": values(quoted, "x.auto.tfvars"),
    "unused tfvars": values(quoted, "production.tfvars"),
    "unused tfvars.json": json_values(json.dumps, "production.tfvars.json"),
    "tfvars.json": json_values(json.dumps),
    "tfvars.json, hyphen as \\u": json_values(first_escaped("\\u002d")),
    "tfvars.json, all as \\u": json_values(all_escaped),
    "tfvars.json with a slash": json_values(first_escaped("\\/")),
    "tfvars.json with an emoji": json_values(first_escaped("\\ud83d\\ude00")),
    "tfvars.json, list": json_values(lambda secret: f'["{secret}"]'),
    "tfvars, overridden": files(
        main=DECLARED, terraform_tfvars='p = "SECRET"\n', **{"x.auto_tfvars": 'p = "other-value"\n'}
    ),
    "tfvars with a mistake": files(main=DECLARED, terraform_tfvars='p = "SECRET"\nq = [\n'),
    "tfvars, mistake before": files(main=DECLARED, terraform_tfvars='q = = 1\np = "SECRET"\n'),
    "step": step(lambda secret: secret),
    "step, quoted": step(quoted),
    "step, single quotes": step(lambda secret: f"'{secret}'"),
    "step with a single quote": step(lambda secret: "'" + secret.replace("-", "''") + "'"),
    "step, hyphen as \\x": step(first_escaped("\\x2d")),
    "step, hyphen as \\u": step(first_escaped("\\u002d")),
    "step, all as \\u": step(all_escaped),
    "step, continued line": step(lambda secret: quoted(secret.replace("-", "-\\\n        "))),
    "step, block": step(lambda secret: f"|\n      {secret}"),
    "step, folded": step(lambda secret: f">\n      {secret}"),
    "step, list": step(lambda secret: f'["{secret}"]'),
    "step, mapping": step(lambda secret: f'{{a: "{secret}"}}'),
    "overridden default": files(
        main=default(quoted)("SECRET")["main.tf"], main_override='variable "p" {\n  default = "x"\n}\n'
    ),
    "default, sensitive by override": files(
        main='variable "p" {\n  default = "SECRET"\n}\n' + USE,
        main_override='variable "p" {\n  sensitive = true\n  default = "x"\n}\n',
    ),
    "default of the first of two overrides": files(
        main=DECLARED,
        a_override='variable "p" {\n  default = "SECRET"\n}\n',
        b_override='variable "p" {\n  default = "x"\n}\n',
    ),
    "overridden output": files(
        main='output "o" {\n  sensitive = true\n  value = "SECRET"\n}\n', override='output "o" {\n  value = "x"\n}\n'
    ),
    "overridden local value": files(
        main='locals {\n  p = "SECRET"\n}\noutput "o" {\n  sensitive = true\n  value = local.p\n}\n',
        override='locals {\n  p = "x"\n}\n',
    ),
    "output": main('output "o" {\n  sensitive = true\n  value = "SECRET"\n}\n'),
    "local value": main('locals {\n  p = "SECRET"\n}\noutput "o" {\n  sensitive = true\n  value = local.p\n}\n'),
    "function": main('locals {\n  p = sensitive("SECRET")\n}\n'),
    "function by namespace": main('locals {\n  p = core::sensitive("SECRET")\n}\n'),
    "function around others": main('locals {\n  p = sensitive(upper(join("", ["SECRET"])))\n}\n'),
    "part of a template": main('locals {\n  x = "y"\n  p = sensitive("SECRET${local.x}")\n}\n'),
    "condition": main('locals {\n  p = sensitive(true ? "SECRET" : "x")\n}\n'),
    "attribute by schema": main(SIM + 'resource "sim_thing" "t" {\n  name = "t"\n  secret = "SECRET"\n}\n'),
    "attribute, count 0": main(SIM + 'resource "sim_thing" "t" {\n  count = 0\n  name = "t"\n  secret = "SECRET"\n}\n'),
    "argument of a module": files(main=CALL, m__main=SENSITIVE),
    "argument of a faulty module": files(main=CALL + TWICE, m__main=SENSITIVE),
    "default in a module": files(main='module "m" {\n  source = "./m"\n}\n', m__main=HIDDEN),
    "default in a module that nothing calls": files(main=DECLARED, m__main=HIDDEN),
    "default in a module of a faulty one": files(main=CALL + TWICE, m__main=HIDDEN),
    "default in another configuration": lambda secret: {
        "main.tf": DECLARED,
        "../v9/main.tf": f'variable "z" {{\n  sensitive = true\n  default = "{secret}"\n}}\n',
    },
    "faulty configuration": main(HIDDEN + TWICE),
    "syntax error": main(HIDDEN + "locals {\n  a = \n}\n"),
    "JSON configuration": lambda secret: {
        "main.tf.json": json.dumps({"variable": {"p": {"sensitive": True, "default": secret}}})
    },
    "JSON configuration, hyphen as \\u": lambda secret: {
        "main.tf.json": json.dumps({"variable": {"p": {"sensitive": True, "default": secret}}}).replace("-", "\\u002d")
    },
    "JSON configuration, output": lambda secret: {
        "main.tf.json": json.dumps({"output": {"o": {"sensitive": True, "value": secret}}})
    },
    "command": main(
        HIDDEN + 'resource "terraform_data" "a" {\n'
        '  provisioner "local-exec" {\n    command = "echo ${var.p}"\n  }\n}\n'
    ),
    "password of a connection": main(
        'resource "terraform_data" "a" {\n  connection {\n    host = "h"\n    password = "SECRET"\n  }\n}\n'
    ),
    "key of a connection": main(
        'resource "terraform_data" "a" {\n  connection {\n    host = "h"\n    private_key = "SECRET"\n  }\n}\n'
    ),
    "description": lambda secret: {
        "main.tf": default(quoted)(secret)["main.tf"],
        "../case.yaml": f"{STEPS}\ntags: [x]\n# {secret}\n",
    },
    "comment beside": lambda secret: {"main.tf": default(quoted)(secret)["main.tf"] + f"# it is {secret}\n"},
    "notes beside": lambda secret: {
        **default(quoted)(secret),
        "notes.txt": f"it is {secret}, escaped {all_escaped(secret)}",
    },
    "state beside": lambda secret: {**default(quoted)(secret), "state.json": json.dumps(json.dumps({"a": secret}))},
    "number": lambda secret: default(str)(_number(secret)),
    "number with exponent": lambda secret: default(str)(f"{_number(secret)[0]}.{_number(secret)[1:]}e8"),
    "number, step in hexadecimal": lambda secret: step(str)(hex(int(_number(secret)))),
    "number in tfvars.json": lambda secret: json_values(str)(_number(secret) + ".0"),
}


def _number(secret: str) -> str:
    """Return the number that stands for a secret, of nine digits."""
    return f"70{re.sub('[^0-9]', '', secret)[:3]}0917"


def secret_of(position: int) -> str:
    return f"alpha{position:03}k-omega{position:03}k"


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All ways, as cases that differ: only findings have evidence that could contain a secret."""
    plan = new_engine.api.plan

    async def failing(request: EngineRequest) -> PlanResult:
        result = await plan(request)
        if result.plan is not None:
            result.plan.changes.outputs.clear()
            values = " ".join(str(each.after.unmark_deep()[0]) for each in result.plan.changes.resources.values())
            found = tuple(replace(each, detail=f"{each.detail} {values}") for each in result.diagnostics)
            return replace(result, diagnostics=found)
        return replace(result, diagnostics=())

    async def blind(_request: EngineRequest) -> ValidateResult:
        return ValidateResult((warning("Blind", ""),))

    monkeypatch.setattr(new_engine.api, "plan", failing)
    monkeypatch.setattr(new_engine.api, "validate", blind)
    for position, way in enumerate(WAYS.values()):
        case = tmp_path / "cases" / "ways" / f"way{position:03}"
        texts = {"../case.yaml": STEPS, "broken.tf": BROKEN, "../golden.json": RECORDED, **way(secret_of(position))}
        texts["../case.yaml"] = f"description: planted\n{texts['../case.yaml']}"
        for name, text in texts.items():
            file = case / "v1" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return tmp_path / "cases"


def test_no_output_of_a_run_shows_a_secret(cases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(WAYS) >= 60
    monkeypatch.chdir(tmp_path)
    formats = {"json": "r.json", "junit": "r.xml", "markdown": "r.md", "sarif": "r.sarif", "html": "r.html"}
    wanted = [word for name, file in formats.items() for word in (f"--{name}", file)]
    done = CliRunner().invoke(
        commands, ["run", str(cases), "--jobs", "1", "--runner", "local", "--out", "kept", *wanted]
    )
    assert done.exit_code in (1, 3), done.output
    outputs = {name: (tmp_path / file).read_text() for name, file in formats.items()}
    outputs["html"] += json.dumps(Elements(outputs["html"]).data, ensure_ascii=False)
    outputs |= {"terminal": done.output, "journal": (tmp_path / "kept" / "journal.jsonl").read_text()}
    assert outputs["journal"].count('"evidence"') >= len(WAYS)
    readable = {name: resolve(text) for name, text in outputs.items()}
    leaks = [
        (way, name)
        for position, way in enumerate(WAYS)
        for name, text in readable.items()
        if any(part in text for part in parts_of(position))
    ]
    assert leaks == []


def parts_of(position: int) -> list[str]:
    halves = secret_of(position).split("-")
    return [*halves, _number(secret_of(position))]


def resolve(text: str) -> str:
    """Return the text with every kind of numeric escape resolved, however often it was escaped itself."""
    pattern = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2}))")
    return text + pattern.sub(lambda match: chr(int(match[1] or match[2] or match[3], 16)), text)


def test_a_reduced_case_shows_no_secret(cases: Path) -> None:
    """Nor does the history of its reduction."""
    found: list[str] = []
    for position in (0, 1, 23, 52):
        case = cases / "ways" / f"way{position:03}"
        target = case.parent / f"small{position}"
        done = CliRunner().invoke(commands, ["shrink", str(case), "--out", str(target), "--budget", "12"])
        texts = [done.output, *(path.read_text() for path in target.rglob(HISTORY_FILE))]
        found += [part for part in parts_of(position) for text in texts if part in resolve(text)]
    assert found == []
