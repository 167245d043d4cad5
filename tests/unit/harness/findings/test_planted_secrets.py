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


def beside(name: str, text: Callable[[str], str], configuration: str = "locals {\n}\n") -> Way:
    """The secret is in another file than the configuration."""
    return lambda secret: {"main.tf": configuration, name: text(secret)}


def state(outputs: object = None, **attributes: object) -> str:
    """Return a state with an object, whose `input` is sensitive, and with outputs."""
    marks = [[{"type": "get_attr", "value": "input"}]]
    instance = {"schema_version": 0, "attributes": attributes, "sensitive_attributes": marks}
    provider = 'provider["terraform.io/builtin/terraform"]'
    resource = {"mode": "managed", "type": "terraform_data", "name": "a", "provider": provider, "instances": [instance]}
    return json.dumps(
        {
            "version": 4,
            "serial": 1,
            "lineage": "l",
            "outputs": outputs or {},
            "resources": [resource] * bool(attributes),
        }
    )


def sensitive_output(secret: str) -> str:
    return state({"o": {"value": secret, "type": "string", "sensitive": True}})


def recorded(**observed: object) -> str:
    step = {"op": "plan", "config": "v1", "ok": True, "diagnostics": [], **observed}
    return json.dumps({"steps": [step]})


def change(before: object, after: object, sensitive: object) -> dict[str, object]:
    marks = {"before_sensitive": False, "after_sensitive": sensitive, "after_unknown": {}}
    return {"actions": ["create"], "before": before, "after": after, **marks}


def checked(block: str) -> str:
    """Return a block with a condition that is sensitive."""
    return f'{block} {{\n      condition = sensitive("SECRET") == "x"\n      error_message = "m"\n    }}\n'


PLAIN: Final = 'resource "terraform_data" "a" {\n  input = "x"\n}\n'
WITH: Final = 'resource "terraform_data" "a" {\n  %s\n}\n'
FAULTY: Final = "locals {\n  a = \n}\n"
MOCK: Final = 'mock_resource "sim_thing" {\n    defaults = {\n      secret = "SECRET"\n    }\n  }\n'
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
    "state as output": beside("other.tfstate", sensitive_output),
    "state with attribute": beside("terraform.tfstate.backup", lambda secret: state(input=secret)),
    "state with attribute by schema": beside(
        "old.json", lambda secret: state(secret=secret).replace("terraform_data", "sim_thing").replace("input", "name")
    ),
    "state that is read": beside(
        "other.tfstate",
        sensitive_output,
        'data "terraform_remote_state" "r" {\n  backend = "local"\n  config = { path = "./other.tfstate" }\n}\n',
    ),
    "state before, faulty configuration": lambda secret: {
        "main.tf": FAULTY,
        "../s.json": sensitive_output(secret),
        "../case.yaml": f"{STEPS}\nprior_state: s.json\n",
    },
    "plan beside": beside(
        "plan.json",
        lambda secret: json.dumps({"resource_changes": [{"change": change(None, {"a": secret}, {"a": True})}]}),
    ),
    "recorded plan": beside(
        "../golden.json",
        lambda secret: recorded(plan={"output_changes": {"o": change(None, secret, True)}}),
        PLAIN,
    ),
    "recorded state": beside(
        "../golden.json", lambda secret: recorded(state=json.loads(sensitive_output(secret))), PLAIN
    ),
    "condition of a lifecycle": main(WITH % ("lifecycle {\n    " + checked("precondition") + "  }")),
    "condition of a check": main('check "c" {\n    ' + checked("assert") + "}\n"),
    "condition of an output": main('output "o" {\n  value = 1\n  ' + checked("precondition") + "}\n"),
    "condition of a variable": main('variable "q" {\n  default = "x"\n  ' + checked("validation") + "}\n"),
    "message of a check": main(
        'check "c" {\n  assert {\n    condition = false\n    error_message = "a ${sensitive("SECRET")}"\n  }\n}\n'
    ),
    "count of a module": files(
        main='module "m" {\n  source = "./m"\n  count = sensitive("SECRET") == "x" ? 1 : 0\n}\n', m__main=BROKEN
    ),
    "import": main('import {\n  to = terraform_data.a\n  id = sensitive("SECRET")\n}\n' + PLAIN),
    "repeated import": main(
        'import {\n  for_each = { a = sensitive("SECRET") }\n  to = terraform_data.a\n  id = each.value\n}\n' + PLAIN
    ),
    "backend": main('terraform {\n  backend "pg" {\n    conn_str = "postgres://u:SECRET@h/d"\n  }\n}\n'),
    "encryption": main(
        'terraform {\n  encryption {\n    key_provider "pbkdf2" "k" {\n      passphrase = "SECRET"\n    }\n  }\n}\n'
    ),
    "connection of a removed block": main(
        "removed {\n  from = terraform_data.z\n  lifecycle {\n    destroy = true\n  }\n"
        '  connection {\n    host = "h"\n    password = "SECRET"\n  }\n}\n'
    ),
    "connection, by a local value": main(
        'locals {\n  w = "SECRET"\n}\n' + WITH % 'connection {\n    host = "h"\n    password = local.w\n  }'
    ),
    "variables of a test": beside("a.tftest.hcl", lambda secret: f'variables {{\n  p = "{secret}"\n}}\n', DECLARED),
    "variables of a run": beside(
        "tests/a.tftest.hcl",
        lambda secret: f'run "a" {{\n  command = plan\n  variables {{\n    p = "{secret}"\n  }}\n}}\n',
        DECLARED,
    ),
    "variables of a test in JSON": beside(
        "a.tftest.json", lambda secret: json.dumps({"variables": {"p": secret}}), DECLARED
    ),
    "assertion of a run": beside(
        "a.tftest.hcl", lambda secret: f'run "a" {{\n  {checked("assert")}}}\n'.replace("SECRET", secret)
    ),
    "mocked attribute": beside(
        "a.tftest.hcl", lambda secret: f'mock_provider "sim" {{\n  {MOCK}}}\n'.replace("SECRET", secret), SIM
    ),
    "mocked attribute in a file": beside("tests/m.tfmock.hcl", lambda secret: MOCK.replace("SECRET", secret), SIM),
    "overridden object": beside(
        "a.tftest.hcl",
        lambda secret: f'override_resource {{\n  target = sim_thing.t\n  values = {{ secret = "{secret}" }}\n}}\n',
        SIM,
    ),
    "content of a file": beside("secret.txt", str, 'locals {\n  p = sensitive(file("${path.module}/secret.txt"))\n}\n'),
    "content of a file, faulty": beside(
        "secret.txt", str, 'output "o" {\n  sensitive = true\n  value = file("secret.txt")\n}\n' + TWICE
    ),
    "content of a template": beside("t.tpl", str, 'locals {\n  p = sensitive(templatefile("./t.tpl", {}))\n}\n'),
    "key in a file": beside(
        "key.pem",
        lambda secret: f"-----BEGIN-----\n{secret}\n-----END-----\n",
        WITH % 'connection {\n    host = "h"\n    private_key = file("key.pem")\n  }',
    ),
    "hidden by a tofu file": lambda secret: {
        "main.tf": HIDDEN.replace("SECRET", secret),
        "main.tofu": "locals {\n}\n",
        "../case.yaml": f"{STEPS}\nflavour: opentofu\n",
    },
    "tofu file, not read": beside("main.tofu", lambda secret: HIDDEN.replace("SECRET", secret)),
    "override in JSON, overridden": lambda secret: {
        "main.tf": DECLARED,
        "a_override.tf.json": json.dumps({"variable": {"p": {"default": secret}}}),
        "b_override.tf": 'variable "p" {\n  default = "x"\n}\n',
    },
    "syntax error before a list": main(FAULTY + HIDDEN.replace('"SECRET"', '["SECRET"]')),
    "syntax error before a heredoc": main(FAULTY + HIDDEN.replace('"SECRET"', "<<EOT\nSECRET\nEOT")),
    "syntax error, sensitive elsewhere": files(
        main=FAULTY + 'variable "p" {\n  default = "SECRET"\n}\n', override='variable "p" {\n  sensitive = true\n}\n'
    ),
    "syntax error, quote without end": main('variable "p" {\n  sensitive = true\n  default = "SECRET\n}\n'),
    "syntax error in JSON": lambda secret: {
        "main.tf.json": f'{{"variable": {{"p": {{"sensitive": true, "default": ["{secret}"]}}}}'
    },
    "syntax error in JSON, function": lambda secret: {
        "main.tf.json": f'{{"locals": {{"a": "${{sensitive(\\"{secret}\\")}}"}}'
    },
    "expression in JSON": lambda secret: {"main.tf.json": json.dumps({"locals": {"a": f'${{sensitive("{secret}")}}'}})},
    "attribute by schema in JSON": lambda secret: {
        "main.tf.json": json.dumps({"resource": {"sim_thing": {"t": {"name": "t", "secret": secret}}}})
    },
    "optional attribute": main(
        'variable "p" {\n  sensitive = true\n  type = object({ a = optional(string, "SECRET") })\n  default = {}\n}\n'
    ),
    "tfvars without quotes": values(str),
    "tfvars without end": values(lambda secret: f'"{secret}'),
    "tfvars, heredoc and mistake": values(lambda secret: f"<<EOT\n{secret}\nEOT\nq = ="),
    "tfvars.json with single quotes": beside("terraform.tfvars.json", lambda secret: f"{{'p': '{secret}'}}", DECLARED),
    "tfvars.json without end": json_values(lambda secret: f'"{secret}", '),
    "address of a site": lambda secret: {
        "main.tf": f'output "o" {{\n  sensitive = true\n  value = "{secret}"\n}}\n',
        "notes.txt": f"https://u:{secret.replace('-', '%2D')}@example.com/",
    },
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
