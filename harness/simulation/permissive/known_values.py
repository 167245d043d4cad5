"""Values that the user knows: what the permissive provider is to say of attributes that only the real one would know.

The file is YAML or JSON. Keys are types, single resources of a type, or functions; below them are attributes:

    aws_subnet:
      cidr_block: 10.0.1.0/24
    data.aws_caller_identity:
      account_id: "123456789012"
    aws_instance.web:              # counts more than aws_instance
      public_ip: 192.0.2.1
    provider::aws::arn_parse:      # the result of a function
      account_id: "123456789012"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, Final

import yaml

from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.record import record
from shared_nodes.values.json import JsonNumber, Tree, implied_value
from shared_nodes.values.value import Value
from shared_nodes.world import Files

__all__ = ["NO_KNOWN_VALUES", "KnownValues", "KnownValuesError", "read_known_values"]

_LARGEST: Final = 4_000_000
_KEY: Final = re.compile(r"(?:data\.|ephemeral\.)?[\w-]+(?:\.[\w-]+)?|provider::[\w-]+::\w+")
_PREFIXES: Final = {ResourceMode.DATA: "data.", ResourceMode.EPHEMERAL: "ephemeral."}


class KnownValuesError(Exception):
    """The file cannot be used. The message names it, and the key."""


@record
class KnownValues:
    attributes: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """By type or resource, with `data.` or `ephemeral.` in front, and by attribute."""

    functions: Mapping[str, Value] = field(default_factory=dict)
    """The results of functions, by their full names."""

    def of(self, mode: ResourceMode, type_name: str, owner: str) -> dict[str, Value]:
        """Return what is known of an object. `owner` is its address; empty if it is not known."""
        kind = f"{_PREFIXES.get(mode, '')}{type_name}"
        found = dict(self.attributes.get(kind, {}))
        name = re.search(rf"(?:^|\.){re.escape(type_name)}\.([\w-]+)(?:\[|$)", owner)
        return found if name is None else {**found, **self.attributes.get(f"{kind}.{name[1]}", {})}

    def of_function(self, name: str) -> Value | None:
        return next((value for key, value in self.functions.items() if key.rpartition("::")[2] == name), None)


NO_KNOWN_VALUES: Final = KnownValues()


@lru_cache(maxsize=4)
def read_known_values(file: str) -> KnownValues:
    """Read a file once. KnownValuesError says what is wrong with it."""
    path = Path(file)
    try:
        text = Files(path.parent).read_bytes(path.name, _LARGEST).decode("utf-8")
        tree = yaml.safe_load(text)
    except (OSError, UnicodeDecodeError) as problem:
        raise KnownValuesError(f"{file}: cannot be read: {problem}") from problem
    except yaml.YAMLError as problem:
        raise KnownValuesError(f"{file}: not YAML: {' '.join(str(problem).split())}") from problem
    if not isinstance(tree, dict):
        raise KnownValuesError(f"{file}: must be a mapping of types or resources to their attributes")
    attributes: dict[str, dict[str, Value]] = {}
    functions: dict[str, Value] = {}
    for key, value in tree.items():
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise KnownValuesError(f"{file}: {key}: must be a type, TYPE.NAME, or provider::NAME::FUNCTION")
        if key.startswith("provider::"):
            functions[key] = implied_value(_tree(file, key, value))
        elif not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
            raise KnownValuesError(f"{file}: {key}: must be a mapping of attributes to values")
        else:
            attributes[key] = {name: implied_value(_tree(file, f"{key}.{name}", each)) for name, each in value.items()}
    return KnownValues(attributes, functions)


def _tree(file: str, key: str, value: Any) -> Tree:
    """Return a value of YAML as JSON has it."""
    match value:
        case None | bool() | str():
            return value
        case int() | float() if isfinite(value):
            return JsonNumber(str(value))
        case list():
            return [_tree(file, key, each) for each in value]
        case dict() if all(isinstance(name, str) for name in value):
            return {name: _tree(file, f"{key}.{name}", each) for name, each in value.items()}
    raise KnownValuesError(f"{file}: {key}: {value} is nothing that JSON could say; put it in quotes")
