"""Both engines fulfil the equivalence tests of Terraform and OpenTofu, which are not part of this project.

They are run only if DIFFHARNESS_EQUIVALENCE names a checkout, or several separated by colons.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from harness.cli.engine.product_command import run_product_command
from harness.engines.registry import ENGINES
from harness.equivalence.judging import judge_test
from harness.equivalence.specification import EquivalenceTest, find_tests, flavour_of_goldens
from shared_nodes.flavour import Flavour

VARIABLE: Final = "DIFFHARNESS_EQUIVALENCE"
CHECKOUTS: Final = [find_tests(Path(place)) for place in os.environ.get(VARIABLE, "").split(":") if place]
TESTS: Final = [(flavour_of_goldens(tests), test) for tests in CHECKOUTS for test in tests]


@pytest.mark.skipif(not TESTS, reason=f"{VARIABLE} names no checkout")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("flavour", "test"), TESTS, ids=[f"{flavour.name}-{test.name}" for flavour, test in TESTS])
def test_every_artefact_equals_its_golden_file(flavour: Flavour, test: EquivalenceTest, engine: str) -> None:
    found = judge_test(test, partial(run_product_command, engine, flavour))
    assert [f"{one.artefact}: {one.difference}" for one in found if one.difference is not None] == []
