"""Members and items of JSON files that are dropped."""

from __future__ import annotations

from harness.reduce.passes.json_data import drop_json_parts, without_each
from harness.reduce.specimens.specimen import Specimen


def test_data_is_left_out_at_any_depth() -> None:
    assert list(without_each({"a": [1, 2]})) == [{}, {"a": [2]}, {"a": [1]}]
    whole = Specimen({}, {"state.json": '{"resources": [1.50]}', "broken.json": "{"})
    assert [change.files["state.json"] for change in drop_json_parts(whole)] == ["{}\n", '{\n  "resources": []\n}\n']
