"""The interestingness test."""

from __future__ import annotations

import pytest

from harness.reduce.predicate import NothingToReduceError, make_predicate
from harness.reduce.specimens.specimen import Specimen

STEP = {"op": "apply", "config": "v1"}


def test_a_real_program_never_gets_half_a_command() -> None:
    text = (
        'resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    command = "rm -r ${path.root}/x"\n  }\n}\n'
    )
    with pytest.raises(NothingToReduceError, match="runs commands"):
        make_predicate(Specimen({"description": "d", "steps": [STEP]}, {"v1/main.tf": text}), ("terraform", "legacy"))


def test_a_case_without_any_difference_is_refused() -> None:
    specimen = Specimen({"description": "d", "steps": [STEP]}, {"v1/main.tf": "locals {\n}\n"})
    with pytest.raises(NothingToReduceError, match="legacy and new do not differ here"):
        make_predicate(specimen, ("legacy", "new"))
