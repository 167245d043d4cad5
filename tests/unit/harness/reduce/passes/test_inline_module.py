"""Modules whose blocks move to where they are called."""

from __future__ import annotations

from harness.reduce.passes.inline_module import inline_modules
from harness.reduce.specimens.specimen import Specimen


def test_what_is_in_a_module_stands_where_it_was_called() -> None:
    whole = Specimen(
        {"steps": [{"op": "apply", "config": "v1", "target": ["module.m.t.a"]}]},
        {
            "v1/main.tf": 'module "m" {\n  source = "./m"\n}\nlocals {\n  v = module.m.o.id\n}\n',
            "v1/m/main.tf": 'output "o" {\n  value = t.a\n}\n',
            "v1/m/inner/main.tf": "",
        },
    )
    (change,) = inline_modules(whole)
    changed = whole.changed(change)
    assert changed.files == {
        "v1/main.tf": "locals {\n  v = (t.a).id\n}\n",
        "v1/m_main.tf": 'output "o" {\n  value = t.a\n}\n',
        "v1/inner/main.tf": "",
    }
    assert changed.case_yaml["steps"][0]["target"] == ["t.a"]
