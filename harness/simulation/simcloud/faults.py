"""Fault plans: what is to go wrong in a step, at which provider call.

A fault selects its call by verb, by what the call is about (name, type, arguments), and by the occurrence among
matching calls. It cannot refer to addresses, because providers never see any, nor to time, because equivalent engines
may call in a different order. Two kinds are not tied to a call: `drift` and `vanish` happen in the cloud before the
step.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Final

from shared_nodes.record import record
from shared_nodes.values.json import JsonError, Tree, value_to_json
from shared_nodes.values.value import Value

__all__ = ["KINDS_OF", "OF_ANSWERS", "OF_CALLS", "Fault", "FaultKind", "FaultWatch", "Phase", "Subject", "Verb"]


class Phase(StrEnum):
    """The half of a step. Validation counts as planning, of which it is a part."""

    PLAN = "plan"
    APPLY = "apply"


class Verb(StrEnum):
    PLAN = "plan"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    READ = "read"
    LOOKUP = "lookup"
    CONFIGURE = "configure"
    VALIDATE = "validate"
    UPGRADE = "upgrade"
    IMPORT = "import"
    MOVE = "move"
    OPEN = "open"
    RENEW = "renew"
    CLOSE = "close"


class FaultKind(StrEnum):
    DRIFT = "drift"
    VANISH = "vanish"
    ERROR = "error"
    ERROR_AFTER = "error_after"
    PARTIAL = "partial"
    LOST = "lost"
    GONE = "gone"
    INCONSISTENT_RESULT = "inconsistent_result"
    INCONSISTENT_PLAN = "inconsistent_plan"
    INVALID_PLAN = "invalid_plan"
    UNKNOWN_RESULT = "unknown_result"
    NULL_RESULT = "null_result"
    LATENCY = "latency"
    FLAKY = "flaky"
    STUCK = "stuck"
    CRASH = "crash"
    CRASH_AFTER = "crash_after"

    @property
    def needs_call(self) -> bool:
        return self not in (FaultKind.DRIFT, FaultKind.VANISH)


OF_ANSWERS: Final = (
    FaultKind.ERROR,
    FaultKind.ERROR_AFTER,
    FaultKind.PARTIAL,
    FaultKind.LOST,
    FaultKind.GONE,
    FaultKind.INCONSISTENT_RESULT,
    FaultKind.INCONSISTENT_PLAN,
    FaultKind.INVALID_PLAN,
)
"""Faults that a provider implements itself. The wording of `sim` for these is fixed by recordings."""

OF_CALLS: Final = (
    FaultKind.LATENCY,
    FaultKind.FLAKY,
    FaultKind.STUCK,
    FaultKind.CRASH,
    FaultKind.CRASH_AFTER,
    FaultKind.UNKNOWN_RESULT,
    FaultKind.NULL_RESULT,
)
"""Faults that can be injected around any provider."""

_ANYWHERE: Final = (FaultKind.ERROR, FaultKind.LATENCY, FaultKind.FLAKY, FaultKind.STUCK, FaultKind.CRASH)
_CHANGE: Final = (
    FaultKind.ERROR_AFTER,
    FaultKind.INCONSISTENT_RESULT,
    FaultKind.UNKNOWN_RESULT,
    FaultKind.NULL_RESULT,
    FaultKind.CRASH_AFTER,
)

KINDS_OF: Final[Mapping[Verb, tuple[FaultKind, ...]]] = {
    Verb.PLAN: (*_ANYWHERE, FaultKind.INCONSISTENT_PLAN, FaultKind.INVALID_PLAN, FaultKind.NULL_RESULT),
    Verb.CREATE: (*_ANYWHERE, *_CHANGE, FaultKind.PARTIAL, FaultKind.LOST),
    Verb.UPDATE: (*_ANYWHERE, *_CHANGE),
    Verb.DELETE: (*_ANYWHERE, FaultKind.ERROR_AFTER, FaultKind.CRASH_AFTER),
    Verb.READ: (*_ANYWHERE, FaultKind.GONE, FaultKind.UNKNOWN_RESULT),
    Verb.LOOKUP: (*_ANYWHERE, FaultKind.UNKNOWN_RESULT, FaultKind.NULL_RESULT),
    Verb.OPEN: (*_ANYWHERE, FaultKind.NULL_RESULT, FaultKind.UNKNOWN_RESULT, FaultKind.INCONSISTENT_RESULT),
    Verb.CONFIGURE: _ANYWHERE,
    Verb.VALIDATE: _ANYWHERE,
    Verb.UPGRADE: _ANYWHERE,
    Verb.IMPORT: _ANYWHERE,
    Verb.MOVE: _ANYWHERE,
    Verb.RENEW: _ANYWHERE,
    Verb.CLOSE: _ANYWHERE,
}
"""What can go wrong in which call."""


@record
class Subject:
    """What a call is about. `value` is the object or configuration concerned, or None if the call has none, such as the
    renewal of a token."""

    verb: Verb
    name: str | None
    type_name: str
    value: Value | None = None


@record
class Fault:
    """One fault. None means: every step (`step`), any name or type (`name`, `type_name`), no call at all (`verb`),
    every occurrence (`occurrence`), both halves of the step (`phase`). `attributes` are those that drift, `arguments`
    those that a call must have."""

    step: int | None
    name: str | None
    kind: FaultKind
    verb: Verb | None = None
    occurrence: int | None = 1
    phase: Phase | None = None
    attributes: Mapping[str, Tree] = field(default_factory=dict)
    type_name: str | None = None
    arguments: Mapping[str, Tree] = field(default_factory=dict)
    seconds: int = 0
    """How long a `latency` lasts, in virtual time."""

    times: int = 1
    """How many times in a row a `flaky` call fails before it never fails again."""

    @property
    def counted_phase(self) -> Phase | None:
        """Return the half in which calls count. The default for a failing plan is the first plan, for an inconsistent
        one the second."""
        if self.phase is not None or self.verb is not Verb.PLAN:
            return self.phase
        return Phase.APPLY if self.kind is FaultKind.INCONSISTENT_PLAN else Phase.PLAN

    def fits(self, subject: Subject, phase: Phase) -> bool:
        return (
            self.verb is subject.verb
            and self.counted_phase in (None, phase)
            and self.name in (None, subject.name)
            and self.type_name in (None, subject.type_name)
            and (not self.arguments or _has_arguments(subject.value, self.arguments))
        )

    def strikes(self, occurrence: int) -> bool:
        if self.kind is FaultKind.FLAKY:
            return occurrence <= self.times
        return self.occurrence in (None, occurrence)


def _has_arguments(value: Value | None, arguments: Mapping[str, Tree]) -> bool:
    """Return whether the call has these arguments. An unknown value never matches."""
    if value is None or value.payload.__class__ is not dict:
        return False
    for name, wanted in arguments.items():
        part = value.payload.get(name)
        try:
            if part is None or not part.is_wholly_known or value_to_json(part) != wanted:
                return False
        except JsonError:
            return False
    return True


@record(frozen=False)
class FaultWatch:
    """The faults of one step, and how many matching calls each has seen, which is their only state."""

    faults: Sequence[Fault] = ()
    seen: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.seen = [*self.seen, *[0] * (len(self.faults) - len(self.seen))]

    def for_next_step(self, faults: Sequence[Fault]) -> FaultWatch:
        """Return the watch for the next step. Faults of every step come first and keep their counts."""
        permanent = sum(fault.step is None for fault in faults)
        return FaultWatch(faults, self.seen[:permanent])

    def lasting_counts(self) -> tuple[int, ...]:
        """Return the counts that outlive the step: those of the faults of every step."""
        return tuple(self.seen[: sum(fault.step is None for fault in self.faults)])

    def match_faults(self, subject: Subject, phase: Phase, kinds: Collection[FaultKind]) -> list[Fault]:
        """Return the faults of the given kinds that affect this call. Every matching fault counts the call."""
        found: list[Fault] = []
        for index, fault in enumerate(self.faults):
            if fault.kind in kinds and fault.fits(subject, phase):
                self.seen[index] += 1
                if fault.strikes(self.seen[index]):
                    found.append(fault)
        return found
