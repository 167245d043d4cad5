"""Steps: operations with a configuration and options, as a case asks for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import yaml

from harness.case.expectation import Expectation
from harness.case.yaml_fields import Fields
from shared_nodes.record import record

__all__ = ["OPERATIONS", "Step", "read_options"]

OPERATIONS: Final = ("validate", "plan", "apply", "destroy")
_SUPPRESS: Final = "-suppress-forget-errors"
_FURTHER: Final = re.compile(rf"{_SUPPRESS}|-deprecation=module:(?:none|local|all)")
_MODES: Final = ("normal", "destroy", "refresh-only")


@record
class Step:
    """`variables` is the JSON text of a variables file, or None where the step gives no values."""

    operation: str
    config: str
    variables: str | None = None
    mode: str = "normal"
    targets: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    replace: tuple[str, ...] = ()
    refresh: bool = True
    target_file: str | None = None
    exclude_file: str | None = None
    """Files in the directory of the configuration that name further targets and excludes, one per line."""

    options: tuple[str, ...] = ()
    """Further options of planning or validating, as a command line gives them."""

    apply_options: tuple[str, ...] = ()
    """Further options of the apply that follows."""

    expect: Expectation | None = None
    """What the author of the case says it comes to."""

    @property
    def suppresses_forget_errors(self) -> bool:
        """Whether destroying may leave forgotten objects behind without being a failure."""
        return _SUPPRESS in (*self.options, *self.apply_options)

    @property
    def planning_options(self) -> tuple[str, ...]:
        """Options of the command `plan` of a product that say what to plan, as a command line gives them."""
        mode = "destroy" if self.operation == "destroy" else self.mode
        return (
            *(() if mode == "normal" else (f"-{mode}",)),
            *(f"-target={address}" for address in self.targets),
            *(f"-exclude={address}" for address in self.excludes),
            *(f"-replace={address}" for address in self.replace),
            *(() if self.refresh else ("-refresh=false",)),
            *(() if self.target_file is None else (f"-target-file={self.target_file}",)),
            *(() if self.exclude_file is None else (f"-exclude-file={self.exclude_file}",)),
            *self.options,
        )


def read_options(fields: Fields, operation: str, config: str) -> Step:
    """Read the keys that a step and a task have in common. Options without effect in the operation are accepted: they
    are harmless, and recorded cases have them."""
    return Step(
        operation,
        config,
        variables=fields.take("vars", fields.json_object, None),
        mode=fields.take("mode", fields.one_of(_MODES), "normal"),
        targets=fields.take("target", fields.texts, ()),
        excludes=fields.take("exclude", fields.texts, ()),
        replace=fields.take("replace", fields.texts, ()),
        refresh=fields.take("refresh", fields.boolean, True),
        target_file=fields.take("target_file", fields.text, None),
        exclude_file=fields.take("exclude_file", fields.text, None),
        options=fields.take("options", _read_further(fields), ()),
        apply_options=fields.take("apply_options", _read_further(fields), ()),
    )


def _read_further(fields: Fields) -> Callable[[str, yaml.Node], tuple[str, ...]]:
    """Read options that have no key of their own. Only known ones are accepted: any other could make a binary write
    anywhere."""

    def read(key: str, node: yaml.Node) -> tuple[str, ...]:
        options = fields.texts(key, node)
        if not all(map(_FURTHER.fullmatch, options)):
            raise fields.wrong(key, node, f"a list of {_SUPPRESS} or -deprecation=module:none|local|all")
        return options

    return read
