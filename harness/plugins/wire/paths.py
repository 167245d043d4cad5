"""Paths of attributes on the wire."""

from __future__ import annotations

from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.wire_error import WireError
from shared_nodes.values import number as numbers
from shared_nodes.values.paths import AttributeStep, IndexStep, Path, Step
from shared_nodes.values.value import integer, string

__all__ = ["path_from_message", "path_message"]

_INT64 = range(-(2**63), 2**63)


def path_message(path: Path) -> pb.AttributePath:
    return pb.AttributePath(steps=map(_step_message, path))


def _step_message(step: Step) -> pb.AttributePath.Step:
    if isinstance(step, AttributeStep):
        return pb.AttributePath.Step(attribute_name=step.name)
    key = step.key.payload
    if isinstance(key, str):
        return pb.AttributePath.Step(element_key_string=key)
    position = numbers.to_int(key)
    if position not in _INT64:
        raise WireError("an index is too large for a path")
    return pb.AttributePath.Step(element_key_int=position)


def path_from_message(message: pb.AttributePath) -> Path:
    """Read a path. A step without a selector leads nowhere, and is left out, as the original does."""
    return tuple([step for part in message.steps for step in _steps(part)])


def _steps(part: pb.AttributePath.Step) -> tuple[Step, ...]:
    match part.WhichOneof("selector"):
        case "attribute_name":
            return (AttributeStep(part.attribute_name),)
        case "element_key_string":
            return (IndexStep(string(part.element_key_string)),)
        case "element_key_int":
            return (IndexStep(integer(part.element_key_int)),)
    return ()
