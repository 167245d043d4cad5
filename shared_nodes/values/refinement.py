"""What is known about an unknown value: not null, number bounds, string prefix, bounds of the length.

Refinements make results known during planning: `x == null` is false for an unknown that cannot be null, and `length(x)
> 0` is true for a string with a known prefix. Refinements are only ever narrowed.
"""

from __future__ import annotations

from typing import Final

from shared_nodes.record import record
from shared_nodes.values.multiprecision import mpfr

__all__ = ["NOT_NULL", "UNREFINED", "Refinement"]


@record
class Refinement:
    not_null: bool = False
    lower: mpfr | None = None
    lower_inclusive: bool = True
    upper: mpfr | None = None
    upper_inclusive: bool = True
    prefix: str = ""
    min_length: int = 0
    max_length: int | None = None

    def narrow(self, other: Refinement) -> Refinement:
        """Combine two refinements. Callers must not combine contradictory ones: that would be a bug in a function."""
        lower, lower_inclusive = _tighter_bound(
            (self.lower, self.lower_inclusive), (other.lower, other.lower_inclusive), upwards=True
        )
        upper, upper_inclusive = _tighter_bound(
            (self.upper, self.upper_inclusive), (other.upper, other.upper_inclusive), upwards=False
        )
        lengths = [length for length in (self.max_length, other.max_length) if length is not None]
        return Refinement(
            not_null=self.not_null or other.not_null,
            lower=lower,
            lower_inclusive=lower_inclusive,
            upper=upper,
            upper_inclusive=upper_inclusive,
            prefix=max(self.prefix, other.prefix, key=len),
            min_length=max(self.min_length, other.min_length),
            max_length=min(lengths, default=None),
        )

    def __repr__(self) -> str:
        parts = ["not null"] if self.not_null else []
        if self.lower is not None:
            parts.append(f"{'>=' if self.lower_inclusive else '>'} {self.lower}")
        if self.upper is not None:
            parts.append(f"{'<=' if self.upper_inclusive else '<'} {self.upper}")
        if self.prefix:
            parts.append(f"prefix {self.prefix!r}")
        if self.min_length or self.max_length is not None:
            parts.append(f"length {self.min_length}..{'' if self.max_length is None else self.max_length}")
        return ", ".join(parts)


def _tighter_bound(
    first: tuple[mpfr | None, bool], second: tuple[mpfr | None, bool], *, upwards: bool
) -> tuple[mpfr | None, bool]:
    if first[0] is None:
        return second
    if second[0] is None:
        return first
    if first[0] == second[0]:
        return first[0], first[1] and second[1]
    return first if (first[0] > second[0]) == upwards else second


UNREFINED: Final = Refinement()
NOT_NULL: Final = Refinement(not_null=True)
