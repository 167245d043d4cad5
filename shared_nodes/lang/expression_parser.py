"""The parser of expressions: recursive descent for nested constructs, loops for chains.

Chains of operators, of conditionals in the false branch, and of `.name` and `[index]` steps need no recursion, so their
length is unlimited; real nesting is bounded (`Cursor.deeper`). Every function reads from the cursor and always returns
a node: for invalid text, it reports errors and returns a placeholder that is never evaluated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shared_nodes.lang.constructor_parser import read_object, read_tuple
from shared_nodes.lang.cursor import MAXIMUM_DEPTH, Cursor, NestingError
from shared_nodes.lang.lexer import (
    CLOSE_HEREDOC,
    CLOSE_QUOTE,
    END,
    IDENTIFIER,
    NUMBER,
    OPEN_HEREDOC,
    OPEN_QUOTE,
    QUOTED_LITERAL,
)
from shared_nodes.lang.literals import quoted_text
from shared_nodes.lang.source import Range
from shared_nodes.lang.template_parser import read_template
from shared_nodes.lang.tree import (
    Binary,
    Call,
    Conditional,
    Expression,
    Index,
    Literal,
    Parentheses,
    RelativeTraversal,
    Splat,
    SplatItem,
    Step,
    Template,
    Traversal,
    TraverseAttribute,
    TraverseIndex,
    Unary,
)
from shared_nodes.values import number as numbers
from shared_nodes.values.types import NUMBER as NUMBER_TYPE
from shared_nodes.values.value import DYNAMIC_UNKNOWN, FALSE, NULL_DYNAMIC, TRUE, Value, number, string, unknown

__all__ = ["number_value", "read_expression"]

_LEVEL: Final = {
    "||": 1,
    "&&": 2,
    "==": 3,
    "!=": 3,
    "<": 4,
    ">": 4,
    "<=": 4,
    ">=": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "%": 6,
}
_WORDS: Final = {"true": TRUE, "false": FALSE, "null": NULL_DYNAMIC}


def read_expression(cursor: Cursor) -> Expression:
    cursor.deeper()
    start = cursor.at
    mark = len(cursor.diagnostics)
    expression = _read_operation(cursor, 1)
    if cursor.kind == "?" and not cursor.failed_since(mark):
        expression = _read_conditional(cursor, start, expression)
    cursor.depth -= 1
    return expression


def _read_conditional(cursor: Cursor, start: int, condition: Expression) -> Expression:
    """Read `? true : false`. Conditionals in the false branch are collected first and then joined from the last to the
    first."""
    mark = len(cursor.diagnostics)
    outer: list[tuple[int, Expression, Expression]] = []
    while cursor.kind == "?" and not cursor.failed_since(mark):
        cursor.read()
        true_result = read_expression(cursor)
        if cursor.failed_since(mark):
            break
        if cursor.kind != ":":
            cursor.report(
                "Missing false expression in conditional",
                "The conditional operator (...?...:...) requires a false expression, delimited by a colon.",
                cursor.range(cursor.at),
                cursor.span(start, cursor.at),
            )
            break
        cursor.read()
        outer.append((cursor.starts[start], condition, true_result))
        start = cursor.at
        condition = _read_operation(cursor, 1)
    result = condition
    for offset, condition, true_result in reversed(outer):
        if cursor.failed_since(mark):
            result = condition
        else:
            result = Conditional(Range(cursor.source, offset, result.range.end), condition, true_result, result)
    return result


def _read_operation(cursor: Cursor, lowest: int) -> Expression:
    """Read a term and the operators of level `lowest` and above that follow it, grouped to the left."""
    mark = len(cursor.diagnostics)
    left = _read_term(cursor)
    while (level := _LEVEL.get(cursor.kind, 0)) >= lowest and not cursor.failed_since(mark):
        operator = cursor.kind
        cursor.read()
        right = _read_operation(cursor, level + 1)
        if cursor.failed_since(mark):
            break
        left = Binary(Range(cursor.source, left.range.start, right.range.end), operator, left, right)
    return left


def _read_term(cursor: Cursor) -> Expression:
    """Read signs, a primary expression, and the steps that follow it. Signs bind less tightly than steps."""
    if cursor.kind in ("-", "!"):
        return _read_signed(cursor)
    term = _PRIMARY.get(cursor.kind, _refuse_term)(cursor)
    if cursor.kind in (".", "["):
        return _read_steps(cursor, term)
    return term


def _read_signed(cursor: Cursor) -> Expression:
    signs: list[int] = []
    while cursor.kind in ("-", "!"):
        if cursor.depth + len(signs) >= MAXIMUM_DEPTH:
            raise NestingError(cursor.range(cursor.at))
        signs.append(cursor.read())
    operand = _read_term(cursor)
    for sign in reversed(signs):
        symbol = cursor.range(sign)
        operand = Unary(Range(cursor.source, symbol.start, operand.range.end), cursor.kinds[sign], operand, symbol)
    return operand


def _refuse_term(cursor: Cursor) -> Expression:
    """Report that no expression begins here. The token is left unread."""
    subject = cursor.range(cursor.at)
    if not cursor.recovering:
        if cursor.kind == END:
            detail = "Expected the start of an expression, but found the end of the file."
            cursor.report("Missing expression", detail, subject)
        else:
            detail = "Expected the start of an expression, but found an invalid expression token."
            cursor.report("Invalid expression", detail, subject)
    cursor.recovering = True
    return Literal(subject, DYNAMIC_UNKNOWN)


def number_value(cursor: Cursor, token: int) -> Value:
    payload = numbers.parse(cursor.token_text(token))
    if payload is not None:
        return number(payload)
    detail = "Failed to recognize the value of this number literal."
    cursor.report("Invalid number literal", detail, cursor.range(token))
    return unknown(NUMBER_TYPE)


def _read_number(cursor: Cursor) -> Expression:
    token = cursor.read()
    return Literal(cursor.range(token), number_value(cursor, token))


def _read_name(cursor: Cursor) -> Expression:
    token = cursor.read()
    kind = cursor.kind
    if kind in ("(", "::"):
        return _read_call(cursor, token)
    name = cursor.token_text(token)
    name_range = cursor.range(token)
    if name in _WORDS:
        return Literal(name_range, _WORDS[name])
    return Traversal(name_range, name, name_range, ())


def _read_parentheses(cursor: Cursor) -> Expression:
    opening = cursor.read()
    cursor.push_newlines(False)
    mark = len(cursor.diagnostics)
    inner = read_expression(cursor)
    if len(cursor.diagnostics) > mark:
        cursor.recover(")")
        cursor.pop_newlines()
        return inner
    if cursor.kind != ")":
        cursor.report(
            "Unbalanced parentheses",
            "Expected a closing parenthesis to terminate the expression.",
            cursor.range(cursor.at),
            cursor.span(opening, cursor.at),
        )
        cursor.recovering = True
    closing = cursor.read()
    cursor.pop_newlines()
    return Parentheses(cursor.span(opening, closing), inner)


def _read_quoted(cursor: Cursor) -> Expression:
    """Read a quoted string. Most are a single literal, which is handled here directly."""
    opening = cursor.read()
    kinds = cursor.kinds
    if cursor.kind == QUOTED_LITERAL and kinds[opening + 2] == CLOSE_QUOTE:
        text = cursor.read()
        literal = Literal(cursor.range(text), string(quoted_text(cursor, text)))
        return Template(cursor.span(opening, cursor.read()), (literal,))
    return read_template(cursor, opening, CLOSE_QUOTE, False, read_expression)


def _read_heredoc(cursor: Cursor) -> Expression:
    opening = cursor.read()
    flush = cursor.text.startswith("<<-", cursor.starts[opening])
    return read_template(cursor, opening, CLOSE_HEREDOC, flush, read_expression)


def _read_steps(cursor: Cursor, base: Expression) -> Expression:
    """Read any number of attribute accesses, index steps and splats on `base`.

    Consecutive attribute steps and literal index steps form one traversal; they are collected in `steps` until
    something else follows. All nodes made here begin where `base` begins.
    """
    source, offset = cursor.source, base.range.start
    steps: list[Step] = []
    while True:
        kind = cursor.kind
        if kind == ".":
            dot = cursor.read()
            kind = cursor.kind
            if kind == IDENTIFIER:
                token = cursor.read()
                steps.append(TraverseAttribute(cursor.token_text(token), cursor.span(dot, token)))
            elif kind == NUMBER:
                steps.append(_read_legacy_index(cursor, dot, cursor.at, _LEGACY_CHAIN))
            elif kind == "*":
                base, steps = _with_steps(cursor, base, steps), []
                base = _read_attribute_splat(cursor, dot, base, offset)
            else:
                detail = "An attribute name is required after a dot."
                cursor.report("Invalid attribute name", detail, cursor.range(cursor.at))
                base, steps = Literal(Range(source, offset, cursor.ends[dot]), DYNAMIC_UNKNOWN), []
                cursor.recovering = True
        elif kind == "[":
            opening = cursor.read()
            if cursor.kind == "*":
                base, steps = _with_steps(cursor, base, steps), []
                base = _read_full_splat(cursor, opening, base, offset)
                continue
            key, closing = _read_key(cursor)
            brackets = cursor.span(opening, closing)
            literal = _literal_key(key)
            if literal is not None:
                steps.append(TraverseIndex(literal, brackets))
            else:
                base, steps = _with_steps(cursor, base, steps), []
                base = Index(Range(source, offset, brackets.end), base, key, brackets)
        else:
            return _with_steps(cursor, base, steps)


def _with_steps(cursor: Cursor, base: Expression, steps: list[Step]) -> Expression:
    if not steps:
        return base
    end = steps[-1].range.end
    whole = Range(cursor.source, base.range.start, end)
    if isinstance(base, Traversal):
        return Traversal(whole, base.root, base.root_range, tuple(steps))
    return RelativeTraversal(whole, base, tuple(steps), Range(cursor.source, steps[0].range.start, end))


_LEGACY_CHAIN: Final = "Use the proper index syntax instead, like [{}][{}]."
_LEGACY_SPLAT_CHAIN: Final = "Use the proper index syntax with a full splat expression [*] instead, like [{}][{}]."


def _read_legacy_index(cursor: Cursor, dot: int, blamed: int, advice: str) -> TraverseIndex:
    """Read `.0`. Two of them in a row look like one number with a fraction."""
    token = cursor.read()
    whole = cursor.span(dot, token)
    first, separator, second = cursor.token_text(token).partition(".")
    if not separator:
        return TraverseIndex(number_value(cursor, token), whole)
    detail = "When using the legacy index syntax, chaining two indexes together is not permitted. "
    cursor.report("Invalid legacy index syntax", detail + advice.format(first, second), cursor.range(blamed))
    return TraverseIndex(DYNAMIC_UNKNOWN, whole)


def _read_attribute_splat(cursor: Cursor, dot: int, base: Expression, offset: int) -> Expression:
    """Read `.*` and the attribute and legacy index steps after it, which apply to each element.

    Errors in these steps are reported at the star, except for a second star, which is reported itself.
    """
    star = cursor.read()
    marker = cursor.span(dot, star)
    steps: list[Step] = []
    while cursor.kind == ".":
        step_dot = cursor.read()
        if cursor.kind == NUMBER:
            steps.append(_read_legacy_index(cursor, step_dot, star, _LEGACY_SPLAT_CHAIN))
        elif cursor.kind == IDENTIFIER:
            token = cursor.read()
            steps.append(TraverseAttribute(cursor.token_text(token), cursor.span(step_dot, token)))
        else:
            if not cursor.recovering:
                _report_bad_splat_step(cursor, star)
            cursor.recovering = True
            return base
    item = SplatItem(marker)
    each: Expression = item
    if steps:
        steps_range = steps[0].range.through(steps[-1].range)
        each = RelativeTraversal(steps_range, item, tuple(steps), steps_range)
    end = steps[-1].range.end if steps else marker.end
    return Splat(Range(cursor.source, offset, end), base, each, marker)


def _report_bad_splat_step(cursor: Cursor, star: int) -> None:
    if cursor.kind == "*":
        detail = "A splat expression (*) cannot be used inside another attribute-only splat expression."
        cursor.report("Nested splat expression not allowed", detail, cursor.range(cursor.at))
    else:
        cursor.report("Invalid attribute name", "An attribute name is required after a dot.", cursor.range(star))


def _read_full_splat(cursor: Cursor, opening: int, base: Expression, offset: int) -> Expression:
    """Read `[*]` and all steps after it, which apply to each element.

    A missing bracket is reported at the token where recovery ends, not at the token found in its place.
    """
    cursor.read()
    closing = cursor.read()
    if cursor.kinds[closing] != "]" and not cursor.recovering:
        closing = cursor.recover("]")
        cursor.report(
            "Missing close bracket on splat index",
            'The star for a full splat operator must be immediately followed by a closing bracket ("]").',
            cursor.range(closing),
        )
    marker = cursor.span(opening, closing)
    cursor.deeper()
    each = _read_steps(cursor, SplatItem(marker))
    cursor.depth -= 1
    return Splat(Range(cursor.source, offset, each.range.end), base, each, marker)


def _read_key(cursor: Cursor) -> tuple[Expression, int]:
    """Read the expression between index brackets, and the closing bracket. Errors are reported as in
    `_read_full_splat`."""
    cursor.push_newlines(False)
    mark = len(cursor.diagnostics)
    key = read_expression(cursor)
    if cursor.failed_since(mark):
        closing = cursor.recover("]")
    else:
        closing = cursor.read()
        if cursor.kinds[closing] != "]" and not cursor.recovering:
            closing = cursor.recover("]")
            cursor.report(
                "Missing close bracket on index",
                'The index operator must end with a closing bracket ("]").',
                cursor.range(closing),
            )
    cursor.pop_newlines()
    return key, closing


def _literal_key(key: Expression) -> Value | None:
    """The key, if it makes the index a step of a traversal: a literal, or a string without template sequences."""
    if isinstance(key, Literal):
        return key.value
    if isinstance(key, Template) and len(key.parts) == 1 and isinstance(key.parts[0], Literal):
        return key.parts[0].value
    return None


def _read_call(cursor: Cursor, name: int) -> Expression:
    """Read a function call whose first name has been read."""
    name_text, name_end = cursor.token_text(name), name
    opening = cursor.read()
    while cursor.kinds[opening] == "::":
        name_end = cursor.read()
        if cursor.kinds[name_end] != IDENTIFIER:
            detail = "Function scope resolution symbol :: must be followed by a function name in this scope."
            return _refuse_call(cursor, name, name_end, "Missing function name", detail)
        name_text += "::" + cursor.token_text(name_end)
        opening = cursor.read()
    if cursor.kinds[opening] != "(":
        detail = "Function selector must be followed by an open parenthesis to begin the function call."
        return _refuse_call(cursor, name, opening, "Missing open parenthesis", detail)
    cursor.push_newlines(False)
    arguments, expand_final, closing = _read_arguments(cursor, name, opening)
    cursor.pop_newlines()
    return Call(
        range=cursor.span(name, closing),
        name=name_text,
        arguments=tuple(arguments),
        expand_final=expand_final,
        name_range=cursor.span(name, name_end),
        open_range=cursor.range(opening),
        close_range=cursor.range(closing),
    )


def _refuse_call(cursor: Cursor, name: int, blamed: int, summary: str, detail: str) -> Expression:
    whole = cursor.span(name, blamed)
    cursor.report(summary, detail, cursor.range(blamed), whole)
    cursor.recover_over_parentheses()
    return Literal(whole, DYNAMIC_UNKNOWN)


def _read_arguments(cursor: Cursor, name: int, opening: int) -> tuple[list[Expression], bool, int]:
    """Read the arguments. Returns them, whether the last is expanded, and the closing parenthesis."""
    arguments: list[Expression] = []
    while cursor.kind != ")":
        mark = len(cursor.diagnostics)
        arguments.append(read_expression(cursor))
        if cursor.failed_since(mark):
            return arguments, False, cursor.recover(")")
        separator = cursor.read()
        kind = cursor.kinds[separator]
        if kind == ",":
            continue
        if kind == ")":
            return arguments, False, separator
        if kind == "...":
            return arguments, True, _close_expanded(cursor, name, separator)
        if kind == END:
            cursor.report(
                "Unterminated function call",
                "There is no closing parenthesis for this function call before the end of the file. "
                "This may be caused by incorrect parenthesis nesting elsewhere in this file.",
                cursor.span(name, opening),
            )
        else:
            cursor.report(
                "Missing argument separator",
                "A comma is required to separate each function argument from the next.",
                cursor.range(separator),
                cursor.span(name, separator),
            )
        return arguments, False, cursor.recover(")")
    return arguments, False, cursor.read()


def _close_expanded(cursor: Cursor, name: int, ellipsis: int) -> int:
    if cursor.kind == ")":
        return cursor.read()
    if not cursor.recovering:
        cursor.report(
            "Missing closing parenthesis",
            "An expanded function argument (with ...) must be immediately followed by closing parentheses.",
            cursor.range(ellipsis),
            cursor.span(name, ellipsis),
        )
    return cursor.recover(")")


_PRIMARY: Final[dict[str, Callable[[Cursor], Expression]]] = {
    IDENTIFIER: _read_name,
    OPEN_QUOTE: _read_quoted,
    NUMBER: _read_number,
    "(": _read_parentheses,
    "[": lambda cursor: read_tuple(cursor, read_expression),
    "{": lambda cursor: read_object(cursor, read_expression),
    OPEN_HEREDOC: _read_heredoc,
}
