"""Values and types as Go source text, as the original prints them in errors about a provider.

Such messages are intended for the provider's developers, so they show values in Go terms:
`cty.ObjectVal(map[string]cty.Value{"a":cty.StringVal("x")})`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from shared_nodes.values import number as numbers
from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.paths import AttributeStep, IndexStep, Path
from shared_nodes.values.refinement import NOT_NULL, UNREFINED, Refinement
from shared_nodes.values.text import quoted
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, CollectionType, ObjectType, TupleType, Type
from shared_nodes.values.value import NULL, Unknown, Value

__all__ = ["go_path", "go_string", "go_type"]

_PRIMITIVES: Final = {
    STRING: "cty.String",
    NUMBER: "cty.Number",
    BOOL: "cty.Bool",
    DYNAMIC: "cty.DynamicPseudoType",
}


def go_type(ty: Type) -> str:
    if isinstance(ty, CollectionType):
        return f"cty.{ty.kind.capitalize()}({go_type(ty.element)})"
    if isinstance(ty, TupleType):
        if not ty.elements:
            return "cty.EmptyTuple"
        return f"cty.Tuple([]cty.Type{{{', '.join(map(go_type, ty.elements))}}})"
    if isinstance(ty, ObjectType):
        if not ty.attributes:
            return "cty.EmptyObject"
        return f"cty.Object({_go_map('cty.Type', ((name, go_type(part)) for name, part in ty.attributes.items()))})"
    return next(text for primitive, text in _PRIMITIVES.items() if primitive is ty)


def _go_map(element: str, items: Iterable[tuple[str, str]]) -> str:
    return f"map[string]{element}{{{', '.join(f'{quoted(key)}:{text}' for key, text in items)}}}"


def go_string(value: Value) -> str:
    """The value as Go source text, without its marks."""
    payload, ty = value.payload, value.type
    if payload is NULL:
        return f"cty.NullVal({go_type(ty)})"
    if payload.__class__ is Unknown:
        return (
            "cty.DynamicVal" if ty is DYNAMIC else f"cty.UnknownVal({go_type(ty)}){_go_refinement(payload.refinement)}"
        )
    if payload.__class__ is str:
        return f"cty.StringVal({quoted(payload)})"
    if payload.__class__ is bool:
        return "cty.True" if payload else "cty.False"
    if payload.__class__ is tuple or payload.__class__ is dict:
        return _go_container(value)
    return _go_number(payload)


def _go_container(value: Value) -> str:
    ty, payload = value.type, value.payload
    kind = (
        ty.kind.capitalize() if isinstance(ty, CollectionType) else ("Tuple" if isinstance(ty, TupleType) else "Object")
    )
    if not payload:
        return f"cty.{kind}ValEmpty({go_type(ty.element)})" if isinstance(ty, CollectionType) else f"cty.Empty{kind}Val"
    if payload.__class__ is dict:
        return f"cty.{kind}Val({_go_map('cty.Value', ((key, go_string(part)) for key, part in payload.items()))})"
    return f"cty.{kind}Val([]cty.Value{{{', '.join(map(go_string, payload))}}})"


def _go_number(payload: mpfr) -> str:
    if numbers.is_infinite(payload):
        return "cty.PositiveInfinity" if payload > 0 else "cty.NegativeInfinity"
    if numbers.is_whole(payload):
        return f"cty.NumberIntVal({go_shortest(payload)})"
    as_float = float(payload)
    if numbers.from_float(as_float) == payload:
        return f"cty.NumberFloatVal({go_shortest(numbers.from_float(as_float))})"
    return f'cty.MustParseNumberVal("{numbers.number_text(payload)}")'


def go_shortest(payload: mpfr) -> str:
    """The fewest digits that distinguish the number from its neighbours, with an exponent from one million on
    (`%v`)."""
    text = numbers.number_text(payload)
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, _, fraction = text.partition(".")
    digits = (whole + fraction).lstrip("0")
    exponent = len(whole) - 1 if whole != "0" else -(len(fraction) - len(fraction.lstrip("0")) + 1)
    if digits == "" or -4 <= exponent < 6:
        return sign + text
    digits = digits.rstrip("0")
    mantissa = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
    return f"{sign}{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def _go_refinement(refinement: Refinement) -> str:
    if refinement == UNREFINED:
        return ""
    if refinement == NOT_NULL:
        return ".RefineNotNull()"
    parts = [".NotNull()"] if refinement.not_null else []
    if refinement.prefix:
        parts.append(f".StringPrefixFull({quoted(refinement.prefix)})")
    if refinement.lower is not None:
        parts.append(f".NumberLowerBound({_go_number(refinement.lower)}, {_go_bool(refinement.lower_inclusive)})")
    if refinement.upper is not None:
        parts.append(f".NumberUpperBound({_go_number(refinement.upper)}, {_go_bool(refinement.upper_inclusive)})")
    if refinement.min_length:
        parts.append(f".CollectionLengthLowerBound({refinement.min_length})")
    if refinement.max_length is not None:
        parts.append(f".CollectionLengthUpperBound({refinement.max_length})")
    return f".Refine(){''.join(parts)}.NewValue()"


def _go_bool(truth: bool) -> str:
    return "true" if truth else "false"


def go_path(path: Path) -> str:
    return f"cty.Path{{{', '.join(map(_go_step, path))}}}"


def _go_step(step: AttributeStep | IndexStep) -> str:
    if isinstance(step, AttributeStep):
        return f"cty.GetAttrStep{{Name:{quoted(step.name)}}}"
    return f"cty.IndexStep{{Key:{go_string(step.key)}}}"
