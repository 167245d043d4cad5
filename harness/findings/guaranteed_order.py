"""The order of effects that an engine guarantees, as reports draw it from the evidence of a case.

Reports import the data of findings only. The relation itself is defined where it is compared; this module is the part
of it that a report may use.
"""

from __future__ import annotations

from harness.compare.effect_order import FIELD as ORDER_FIELD
from harness.compare.effect_order import Constraints, Effect, constraints_of, effect_text

__all__ = ["ORDER_FIELD", "Constraints", "Effect", "constraints_of", "effect_text"]
