"""Names that become shorter everywhere."""

from __future__ import annotations

from harness.reduce.passes.shorten_names import shorten_names
from harness.reduce.specimens.specimen import Specimen


def test_names_are_shortened_wherever_they_stand_and_are_not_taken_twice() -> None:
    text = 'output "a" {\n}\nresource "t" "first" {\n  x = "first"\n}\nresource "t" "second" {\n  x = t.first.id\n}\n'
    step = {"op": "apply", "config": "v1", "target": ["t.second"]}
    whole = Specimen({"description": "first", "steps": [step]}, {"v1/main.tf": text})
    changed = whole.changed(shorten_names(whole)[0])
    renamed = 'output "a" {\n}\nresource "t" "b" {\n  x = "b"\n}\nresource "t" "c" {\n  x = t.b.id\n}\n'
    assert changed.files["v1/main.tf"] == renamed
    assert changed.case_yaml == {"description": "first", "steps": [{**step, "target": ["t.c"]}]}
