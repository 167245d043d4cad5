"""gmpy2 is imported without `importlib.metadata`, and nothing of the stand-in remains."""

from __future__ import annotations

import subprocess
import sys

import pytest

_CHECK = """
from shared_nodes.values.multiprecision import gmpy2, mpfr
import importlib.metadata
assert importlib.metadata.version("gmpy2")
assert gmpy2.mpz(2) == 2
assert importlib.metadata.__spec__ is not None
assert mpfr("1.5") * 2 == 3
"""


@pytest.mark.parametrize("before", ["", "import importlib.metadata"])
def test_what_is_installed_can_be_asked_for_afterwards(before: str) -> None:
    subprocess.run([sys.executable, "-c", before + _CHECK], check=True)
