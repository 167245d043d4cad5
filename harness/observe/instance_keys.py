"""Addresses without the keys of instances, as texts: `module.m[0].terraform_data.a["x"]` is one of the instances of
`module.m.terraform_data.a`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["without_keys"]

_KEY: Final = re.compile(r'\[(?:\d+|"(?:[^"\\]|\\.)*")\]')


@lru_cache(maxsize=4096)
def without_keys(address: str) -> str:
    return _KEY.sub("", address)
