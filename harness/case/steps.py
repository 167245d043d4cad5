"""Steps: operations with a configuration and options, as a case asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from harness.case.yaml_fields import Fields

__all__ = ["OPERATIONS", "Step", "read_options"]

OPERATIONS: Final = ("validate", "plan", "apply", "destroy")
_MODES: Final = ("normal", "destroy", "refresh-only")


@dataclass(frozen=True, slots=True)
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
    )
