"""What an operation takes and what it returns: one table that building, checking, saving and running all read.

The numbers are those of the original, because a plan file holds them. Two are left free: 6 (prepare a depose) has no
work to do here, since the delete of a deposed object is planned again when its turn comes; nor has 10 (change an
address), since apply starts from a state whose addresses were already moved. 12 is our own.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from functools import cache
from typing import Final

from shared_nodes.record import record

__all__ = ["SIGNATURES", "Opcode", "OpcodeSignature", "Operand", "OperandType", "operand_problem"]


class OperandType(StrEnum):
    """The type of what a reference refers to. Nothing is the result of an operation that leaves no object behind."""

    INSTANCE = "Instance"
    PROVIDER = "Provider"
    DEPOSED_KEY = "DeposedKey"
    METADATA = "Metadata"
    DESIRED = "Desired"
    OBJECT = "Object"
    FINAL_PLAN = "FinalPlan"
    NOTHING = "Nothing"
    WAITER = "Waiter"

    # Operand types are keys, and the `__hash__` of Enum is not implemented in C.
    __hash__ = str.__hash__


class Opcode(IntEnum):
    # Signatures are found by opcode everywhere, and the `__hash__` of Enum is not implemented in C.
    __hash__ = int.__hash__

    CURRENT_META = 1
    """Begins a leg: waits for everything the leg must come after, then names what it is about."""
    DESIRED = 2
    """The evaluator has everything the block refers to. Errors in the surroundings of the block appear here and only
    here."""
    PRIOR = 3
    """The object in the plan's refreshed state."""
    FINAL_PLAN = 4
    """Plans again, now that values are known. Without something desired it is a delete, without an object a create."""
    APPLY = 5
    """Applies the final plan. The second operand becomes the current object again if nothing was created."""
    PERFORM_DEPOSE = 7
    """Moves the current object aside, under a key of its own, to make room for its replacement. The replacement is
    desired by now: nothing is moved before it is known that the replacement can be planned."""
    DEPOSED_META = 8
    """Like CURRENT_META, for a deposed object."""
    ALREADY_DEPOSED = 9
    """The deposed object itself, as it is in the state by then."""
    DATA_READ = 11
    FORGET = 12
    """Drops an object from the state without a call to its provider: the current or the deposed object that the leg
    began with."""


@record
class Operand:
    type: OperandType
    optional: bool = False


@record
class OpcodeSignature:
    """What an opcode takes and returns. `name` is used in texts and messages."""

    name: str
    operands: tuple[Operand, ...]
    result: OperandType


_INSTANCE: Final = Operand(OperandType.INSTANCE)
_PROVIDER: Final = Operand(OperandType.PROVIDER)
_DEPOSED_KEY: Final = Operand(OperandType.DEPOSED_KEY)
_METADATA: Final = Operand(OperandType.METADATA)
_DESIRED: Final = Operand(OperandType.DESIRED)
_FINAL_PLAN: Final = Operand(OperandType.FINAL_PLAN)
_WAITER: Final = Operand(OperandType.WAITER)
_MAYBE_DESIRED: Final = Operand(OperandType.DESIRED, optional=True)
_MAYBE_OBJECT: Final = Operand(OperandType.OBJECT, optional=True)

SIGNATURES: Final[Mapping[Opcode, OpcodeSignature]] = {
    Opcode.CURRENT_META: OpcodeSignature(
        "ResourceInstanceCurrentMeta", (_INSTANCE, _PROVIDER, _MAYBE_OBJECT, _WAITER), OperandType.METADATA
    ),
    Opcode.DESIRED: OpcodeSignature("ResourceInstanceDesired", (_METADATA,), OperandType.DESIRED),
    Opcode.PRIOR: OpcodeSignature("ResourceInstancePrior", (_INSTANCE,), OperandType.OBJECT),
    Opcode.FINAL_PLAN: OpcodeSignature(
        "ManagedFinalPlan", (_METADATA, _MAYBE_DESIRED, _MAYBE_OBJECT), OperandType.FINAL_PLAN
    ),
    Opcode.APPLY: OpcodeSignature("ManagedApply", (_FINAL_PLAN, _MAYBE_OBJECT), OperandType.OBJECT),
    Opcode.PERFORM_DEPOSE: OpcodeSignature(
        "ManagedPerformDepose", (_METADATA, _DESIRED, _DEPOSED_KEY), OperandType.OBJECT
    ),
    Opcode.DEPOSED_META: OpcodeSignature(
        "ManagedDeposedMeta", (_INSTANCE, _PROVIDER, _DEPOSED_KEY, _WAITER), OperandType.METADATA
    ),
    Opcode.ALREADY_DEPOSED: OpcodeSignature("ManagedAlreadyDeposed", (_METADATA,), OperandType.OBJECT),
    Opcode.DATA_READ: OpcodeSignature("DataRead", (_METADATA, _DESIRED), OperandType.OBJECT),
    Opcode.FORGET: OpcodeSignature("ManagedForget", (_METADATA,), OperandType.NOTHING),
}


@cache
def operand_problem(opcode: Opcode, given: tuple[OperandType | None, ...]) -> str | None:
    """Return why an operation cannot have operands of these types, or None; None as an operand is nil. Cached,
    because it is called for every operation, but with few combinations."""
    signature = SIGNATURES[opcode]
    if len(given) != len(signature.operands):
        return f"{signature.name} takes {len(signature.operands)} operands, not {len(given)}"
    for number, (found, wanted) in enumerate(zip(given, signature.operands, strict=True), start=1):
        if found is not wanted.type and not (found is None and wanted.optional):
            return f"operand {number} of {signature.name} must be of type {wanted.type}, not {found or 'nil'}"
    return None
