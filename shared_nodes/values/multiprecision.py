"""`gmpy2`, imported in a third of its time.

As it is imported, gmpy2 asks the installation for its own version. That imports `importlib.metadata`, and with it the
mail and archive modules of the standard library, which takes longer than gmpy2 itself, in every command. So while it
is imported, a module that answers the question without looking stands in for `importlib.metadata`, unless that has been
imported already. gmpy2 then does not know its version, which nothing of ours asks for. Every module of ours imports
gmpy2 from here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Final

__all__ = ["gmpy2", "mpfr", "mpz"]

_METADATA: Final = "importlib.metadata"


class _MetadataOfGmpy2(ModuleType):
    def version(self, _package: str) -> str:
        """Return no version: gmpy2 only repeats it to those who ask."""
        return ""


@contextmanager
def _without_metadata() -> Iterator[None]:
    if _METADATA in sys.modules:
        yield
        return
    sys.modules[_METADATA] = _MetadataOfGmpy2(_METADATA)
    try:
        yield
    finally:
        del sys.modules[_METADATA]


with _without_metadata():
    import gmpy2
    from gmpy2 import mpfr, mpz
