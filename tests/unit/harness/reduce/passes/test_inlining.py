"""Local values and variables that are written where they are used."""

from __future__ import annotations

from harness.reduce.passes import inlining
from harness.reduce.specimens.specimen import Specimen
from tests.unit.harness.reduce.sample_specimens import make_specimen


def test_local_values_and_variables_are_written_out() -> None:
    text = 'locals {\n  l = 1 + 2\n}\nvariable "v" {\n  default = 3\n}\noutput "o" {\n  value = [local.l, var.v]\n}\n'
    steps = [{"op": "apply", "config": "v1", "vars": {"v": "x", "w": 1}}]
    whole = Specimen({"steps": steps}, {"v1/main.tf": text})
    local, variable = (whole.changed(change) for change in inlining.inline_values(whole))
    assert "value = [(1 + 2), var.v]" in local.files["v1/main.tf"]
    assert 'value = [local.l, "x"]' in variable.files["v1/main.tf"]
    assert variable.case_yaml["steps"][0]["vars"] == {"w": 1}


def test_variables_of_modules_have_what_the_call_gives_them() -> None:
    whole = make_specimen(
        'module "m" {\n  source = "./m"\n  v = 5\n}\n', v1__m__main='variable "v" {\n}\nlocals {\n  x = var.v\n}\n'
    )
    changed = whole.changed(inlining.inline_values(whole)[-1])
    assert changed.files == {
        "v1/main.tf": 'module "m" {\n  source = "./m"\n}\n',
        "v1/m/main.tf": "locals {\n  x = 5\n}\n",
    }
