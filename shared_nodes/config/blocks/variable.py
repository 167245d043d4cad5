"""Input variables: their declarations, and the conversion of given expressions and text to their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shared_nodes.addresses.expression_references import references
from shared_nodes.addresses.references import InputVariable
from shared_nodes.config.blocks.model import Condition
from shared_nodes.config.blocks.rules import read_rule
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.literals import check_name, constant_flag, constant_text
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.ignored_attributes import ignored_attributes
from shared_nodes.lang.json_static import static_value
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Range, Source
from shared_nodes.lang.tree import Attribute, Block, Expression
from shared_nodes.lang.type_constraint import TypeConstraint, read_variable_type
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.defaults import apply_defaults
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, Primitive, Type, without_optional_attributes
from shared_nodes.values.value import Value, null, string, unknown

__all__ = ["Variable", "ignored_in_argument", "null_default", "read_variable"]

_SCHEMA: Final = ContentSchema(
    arguments=frozenset(("description", "default", "type", "sensitive", "nullable", "ephemeral")),
    blocks={"validation": ()},
)

_FLAGS: Final = ("sensitive", "ephemeral", "nullable", "const")
_RESERVED_NAMES: Final = frozenset(
    ("_", "source", "version", "provider", "providers", "count", "for_each", "lifecycle", "depends_on", "locals")
)


@record
class Variable:
    name: str
    constraint: TypeConstraint
    default: Value | None
    """Already converted to the type. None if the variable must be given."""

    nullable: bool
    sensitive: bool
    ephemeral: bool
    parses_literally: bool
    """Text from the command line or the environment is the value itself, not an expression. This applies to primitive
    types and to variables without a type."""

    range: Range
    deprecated: str = ""
    """What to use instead; empty if the variable is not deprecated."""

    const: bool | None = None
    """True if its value must be computed statically, False if it cannot be used so; None if it does not say."""

    description: str = ""
    validations: tuple[Condition, ...] = ()

    def accept(self, given: Value) -> Value:
        """Convert a given value to the value expressions see. Raises ConversionError."""
        if self.constraint.defaults is not None and not given.is_null:
            given = apply_defaults(given, self.constraint.defaults)
        value = convert(given, self.constraint.type)
        if value.is_null and not self.nullable and self.default is not None:
            value = self.default
        return self.mark(value)

    def mark(self, value: Value) -> Value:
        if self.sensitive:
            value = value.mark(SENSITIVE)
        return value.mark(EPHEMERAL) if self.ephemeral else value

    def unknown_value(self) -> Value:
        """Return the variable's value during validation: an unknown value of its type."""
        return self.mark(unknown(without_optional_attributes(self.constraint.type)))

    def parse_text(self, text: str, flavour: Flavour) -> tuple[Value | None, list[Diagnostic]]:
        """Return the value denoted by text from the command line or the environment, before conversion."""
        if self.parses_literally:
            return string(text), []
        expression, problems = parse_expression(Source(f"<value for var.{self.name}>", text))
        if problems or expression is None:
            return None, problems
        value, problems = evaluate(expression, Scope(flavour=flavour))
        return (None, problems) if problems else (value, [])


def read_variable(block: Block, flavour: Flavour, *, is_override: bool = False) -> tuple[Variable, list[Diagnostic]]:
    """Read a variable. In an override only the arguments that are present count; all other fields are meaningless
    defaults."""
    schema = _SCHEMA.with_arguments("deprecated") if flavour.values_can_be_deprecated else _SCHEMA
    schema = schema.with_arguments("const") if flavour.evaluates_statically else schema
    content, problems = read_content(block.body, schema)
    name = block.labels[0]
    problems = [*_check_variable_name(name, block.label_ranges[0]), *problems]
    attributes = content.attributes
    constraint = TypeConstraint(DYNAMIC)
    if "type" in attributes:
        constraint, found = read_variable_type(attributes["type"].expression, flavour)
        problems.extend(found)
    flags = {word: constant_flag(attributes.get(word), flavour, problems) for word in _FLAGS}
    default = None
    if "default" in attributes:
        default, found = _read_default(attributes["default"], constraint, flavour)
        problems.extend(found)
        if not found and default is not None and default.is_null and flags["nullable"] is False:
            problems.append(null_default(attributes["default"].expression.range))
        problems.extend(_ignored_in_default(attributes["default"].expression, constraint.type, flavour))
    variable = Variable(
        name=name,
        constraint=constraint,
        default=default,
        nullable=flags["nullable"] is not False,
        sensitive=bool(flags["sensitive"]),
        ephemeral=bool(flags["ephemeral"]),
        deprecated=_read_deprecation(attributes.get("deprecated"), block.label_ranges[0], flavour, problems),
        parses_literally=_is_literal(constraint, "type" in attributes),
        range=block.header_range,
        const=flags["const"],
        description=constant_text(attributes.get("description"), flavour, problems) or "",
        validations=_read_validations(name, content.blocks, flavour, is_override, problems),
    )
    return variable, problems


def _read_validations(
    name: str, blocks: tuple[Block, ...], flavour: Flavour, is_override: bool, problems: list[Diagnostic]
) -> tuple[Condition, ...]:
    rules: list[Condition] = []
    for block in blocks:
        rule, found = read_rule(block, flavour, is_override=is_override)
        problems.extend(found)
        condition = block.body.attributes.get("condition")
        if not is_override and condition is not None and not _refers_to_variable(name, condition.expression, flavour):
            detail = f'The condition for variable "{name}" must refer to var.{name} in order to test incoming values.'
            subject = condition.expression.range
            problems.append(error("Invalid variable validation condition", detail, subject))
        rules.extend([] if rule is None else [rule])
    return tuple(rules)


def _refers_to_variable(name: str, condition: Expression, flavour: Flavour) -> bool:
    return any(reference.subject == InputVariable(name) for reference in references(condition, flavour)[0])


def null_default(subject: Range) -> Diagnostic:
    detail = "A null default value is not valid when nullable=false."
    return error("Invalid default value for variable", detail, subject)


def _is_literal(constraint: TypeConstraint, has_type: bool) -> bool:
    if not has_type:
        return True
    return isinstance(constraint.type, Primitive) and constraint.type is not DYNAMIC


def _check_variable_name(name: str, subject: Range) -> list[Diagnostic]:
    if name in _RESERVED_NAMES:
        detail = f'The variable name "{name}" is reserved due to its special meaning inside module blocks.'
        return [error("Invalid variable name", detail, subject)]
    return check_name("Invalid variable name", name, subject)


def _read_deprecation(attribute: Attribute | None, subject: Range, flavour: Flavour, problems: list[Diagnostic]) -> str:
    message = constant_text(attribute, flavour, problems)
    if message is not None and not message.strip():
        detail = (
            'The "deprecated" argument must not be empty, and should provide instructions on how to migrate away from '
            "usage of this deprecated variable."
        )
        problems.append(error("Invalid `deprecated` value", detail, subject))
    return message or ""


def _read_default(
    attribute: Attribute, constraint: TypeConstraint, flavour: Flavour
) -> tuple[Value | None, list[Diagnostic]]:
    expression = attribute.expression
    value, problems = static_value(expression, flavour)
    if problems:
        return None, problems
    if constraint.defaults is not None and not value.is_null:
        value = apply_defaults(value, constraint.defaults)
    try:
        return convert(value, constraint.type), []
    except ConversionError as failure:
        reason = failure.explain(flavour)
        detail = f"This default value is not compatible with the variable's type constraint: {reason}."
        problem = error("Invalid default value for variable", detail, expression.range)
        return null(DYNAMIC), [problem]


def ignored_in_argument(variable: Variable, argument: Expression, flavour: Flavour) -> list[Diagnostic]:
    """Warn of attributes in a module's argument that the type of the variable lacks."""

    def describe(place: str) -> str:
        return f"input variable {quoted(variable.name)}{place and f' nested value {place}'}"

    return _ignored(argument, variable.constraint.type, flavour, describe)


def _ignored_in_default(default: Expression, want: Type, flavour: Flavour) -> list[Diagnostic]:
    return _ignored(default, want, flavour, lambda place: place or "this variable")


def _ignored(expression: Expression, want: Type, flavour: Flavour, describe: Callable[[str], str]) -> list[Diagnostic]:
    if not flavour.ignored_attributes_cause_warnings:
        return []
    return [
        warning(
            "Object attribute is ignored",
            f"The object type for {describe(ignored.place)} {ignored.consequence}",
            ignored.range,
            ignored.constructor,
        )
        for ignored in ignored_attributes(expression, want)
    ]
