"""Values of root variables for a configuration without a `case.yaml`: those that the user gives, and chosen ones.

What the user gives for many configurations counts where it is declared, and nowhere else. Values pass to engines as the
variables of every step, so that real binaries get the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from harness.case.chosen_values import choose_values
from harness.case.given import VALUE_TEXT, GivenInputs
from harness.case.yaml_fields import CaseError
from shared_nodes.config.inputs import Given, VarFile, VarText, gather_inputs
from shared_nodes.config.loading import read_directory
from shared_nodes.config.module import Module
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, has_errors, joined_problems
from shared_nodes.record import record
from shared_nodes.values.json import Tree, dumps, value_to_json
from shared_nodes.world import DirectoryEntry, Files, World

__all__ = ["NO_VALUES", "PlainValues", "read_values", "values_for_module"]

_LARGEST: Final = 16_000_000
"""Limit of a file with values in bytes."""


@record
class PlainValues:
    given: Mapping[str, Tree] = field(default_factory=dict)
    """What the user has given, and the configuration declares."""

    chosen: Mapping[str, Tree] = field(default_factory=dict)
    secret: frozenset[str] = frozenset()
    """The names of sensitive and ephemeral variables."""

    @property
    def chosen_texts(self) -> dict[str, str]:
        return {name: dumps(value, escape_html=False) for name, value in self.chosen.items()}

    @property
    def text(self) -> str | None:
        """All values as JSON; None if there are none, and the configuration is left to itself."""
        values = {**self.given, **self.chosen}
        return dumps(values, escape_html=False) if values else None


NO_VALUES: Final = PlainValues()


def read_values(
    files: Files, flavour: Flavour, given: GivenInputs, values: Mapping[str, Tree] = MappingProxyType({})
) -> PlainValues:
    """Return the values for the configuration in the working directory of `files`; `values` are given by its case.
    CaseError says what is wrong with a value that was given."""
    if not given.values and not given.generates_values:
        return PlainValues(values) if values else NO_VALUES
    module, _ = read_directory(files, ".", flavour)
    own = {**values, **values_for_module(module, given.values)}
    secret = frozenset(name for name, each in module.variables.items() if each.sensitive or each.ephemeral)
    if not given.generates_values:
        return PlainValues(own, secret=secret)
    everything = [VarFile("given.tfvars.json", dumps({**own}))]
    gathered, problems = gather_inputs(everything, files)
    if has_errors(problems):
        return PlainValues(own, secret=secret)
    present = [name for name, each in module.variables.items() if gathered.value_of(each, flavour)[0] is not None]
    inputs = StaticInputs(World(files), gathered.static_values(flavour))
    return PlainValues(own, choose_values(module, inputs, present), secret)


def _read(kind: str, text: str) -> Given:
    if kind == VALUE_TEXT:
        name, _, value = text.partition("=")
        return VarText(name.strip(), value)
    file = Path(text)
    try:
        return VarFile(text, Files(file.parent).read_bytes(file.name, _LARGEST))
    except OSError as problem:
        raise CaseError(f"{text}: cannot be read: {problem.strerror or problem}") from problem


def values_for_module(module: Module, values: Sequence[tuple[str, str]]) -> dict[str, Tree]:
    """Return the values, each with its kind, of the variables that a module declares. CaseError says what is wrong with
    one."""
    given = [_read(kind, text) for kind, text in values]
    if not given:
        return {}
    gathered, problems = gather_inputs(given, _NoFiles(Path("/")))
    _require(problems)
    found: dict[str, Tree] = {}
    for name, variable in module.variables.items():
        value, problems = gathered.value_of(variable, module.flavour)
        _require(problems)
        if value is not None:
            found[name] = value_to_json(value.value.unmark_deep()[0])
    return found


@record
class _NoFiles(Files):
    """A directory without files, since those of the configuration are read by the engines."""

    def list_directory(self, path: str) -> list[DirectoryEntry]:  # noqa: ARG002
        return []


def _require(problems: Sequence[Diagnostic]) -> None:
    if has_errors(problems):
        raise CaseError(f"a value given for a variable cannot be used: {joined_problems(list(problems))}")
