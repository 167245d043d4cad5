"""The parser of bodies: the arguments and blocks of a file, or between the braces of a block."""

from __future__ import annotations

from shared_nodes.lang.cursor import Cursor
from shared_nodes.lang.expression_parser import read_expression
from shared_nodes.lang.lexer import END, IDENTIFIER, NEWLINE, OPEN_QUOTE
from shared_nodes.lang.literals import read_plain_string
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Attribute, Block, Body
from shared_nodes.values.text import quoted

__all__ = ["read_body"]

_REQUIRED = "Argument or block definition required"
_REQUIRED_HERE = "An argument or block definition is required here."
_USE_EQUALS = ' To set an argument, use the equals sign "=" to introduce the argument value.'
_UNCLOSED = (
    "There is no closing brace for this block before the end of the file. "
    "This may be caused by incorrect brace nesting elsewhere in this file."
)


def read_body(cursor: Cursor, closer: str) -> Body:
    """Read arguments and blocks through the `closer`: a brace for a block, the end of the text for a file."""
    first = max(cursor.previous, 0)
    attributes: dict[str, Attribute] = {}
    blocks: list[Block] = []
    while True:
        kind = cursor.kind
        if kind == IDENTIFIER:
            item = _read_item(cursor)
            if isinstance(item, Block):
                blocks.append(item)
            elif item is not None:
                _add_attribute(cursor, attributes, item)
        elif kind == closer:
            last = cursor.read()
            break
        elif kind == NEWLINE:
            cursor.read()
        else:
            last = cursor.read()
            if not cursor.recovering:
                _report_no_item(cursor, first, last)
            cursor.recover(closer)
            break
    end = cursor.ends[last]
    return Body(attributes, tuple(blocks), cursor.span(first, last), Range(cursor.source, end, end))


def _add_attribute(cursor: Cursor, attributes: dict[str, Attribute], new: Attribute) -> None:
    """Add an argument. The first definition of a name is kept."""
    existing = attributes.setdefault(new.name, new)
    if existing is not new:
        cursor.report(
            "Attribute redefined",
            f"The argument {quoted(new.name)} was already set at {existing.name_range}. "
            "Each argument may be set only once.",
            new.name_range,
        )


def _report_no_item(cursor: Cursor, first: int, bad: int) -> None:
    kind = cursor.kinds[bad]
    if kind == OPEN_QUOTE:
        cursor.report("Invalid argument name", "Argument names must not be quoted.", cursor.range(bad))
    elif kind == END:
        cursor.report("Unclosed configuration block", _UNCLOSED, cursor.range(first))
    else:
        cursor.report(_REQUIRED, _REQUIRED_HERE, cursor.range(bad))


def _read_item(cursor: Cursor) -> Attribute | Block | None:
    """Read the argument or block that begins with an identifier. Returns None after an error that leaves nothing
    usable."""
    name = cursor.read()
    if cursor.kind == "=":
        return _read_attribute(cursor, name, single_line=False)
    if cursor.kind in (OPEN_QUOTE, "{", IDENTIFIER):
        return _read_block(cursor, name)
    cursor.recover_after_item()
    cursor.report(_REQUIRED, _REQUIRED_HERE + _USE_EQUALS, cursor.range(name))
    return None


def _read_attribute(cursor: Cursor, name: int, *, single_line: bool) -> Attribute:
    cursor.read()
    mark = len(cursor.diagnostics)
    expression = read_expression(cursor)
    last = cursor.previous
    if cursor.failed_since(mark):
        cursor.recover_after_item()
    elif not single_line:
        if cursor.kind in (NEWLINE, END):
            cursor.read()
        else:
            if not cursor.recovering:
                _report_missing_newline(cursor, name)
            cursor.recover_after_item()
    name_range = cursor.range(name)
    return Attribute(cursor.token_text(name), expression, cursor.span(name, last), name_range)


def _report_missing_newline(cursor: Cursor, name: int) -> None:
    summary, detail = "Missing newline after argument", "An argument definition must end with a newline."
    if cursor.kind == ",":
        summary = "Unexpected comma after argument"
        detail = f"Argument definitions must be separated by newlines, not commas. {detail}"
    cursor.report(summary, detail, cursor.range(cursor.at), cursor.span(name, cursor.at))


def _read_block(cursor: Cursor, type_name: int) -> Block:
    labels: list[str] = []
    label_ranges: list[Range] = []
    while cursor.kind != "{":
        if cursor.kind == OPEN_QUOTE:
            label, label_range = read_plain_string(cursor)
        elif cursor.kind == IDENTIFIER:
            token = cursor.read()
            label, label_range = cursor.token_text(token), cursor.range(token)
        else:
            return _refuse_block(cursor, type_name, labels, label_ranges)
        labels.append(label)
        label_ranges.append(label_range)
    opening = cursor.read()
    cursor.deeper()
    if cursor.kind in (NEWLINE, END, "}"):
        body = read_body(cursor, "}")
    else:
        body = _read_single_line_body(cursor, opening, type_name)
    cursor.depth -= 1
    closing = cursor.previous
    if cursor.kind in (NEWLINE, END):
        cursor.read()
    else:
        if not cursor.recovering:
            cursor.report(
                "Missing newline after block definition",
                "A block definition must end with a newline.",
                cursor.range(cursor.at),
                cursor.span(type_name, cursor.at),
            )
        cursor.recover_after_item()
    return Block(
        type=cursor.token_text(type_name),
        labels=tuple(labels),
        body=body,
        type_range=cursor.range(type_name),
        label_ranges=tuple(label_ranges),
        open_range=cursor.range(opening),
        close_range=cursor.range(closing),
    )


def _refuse_block(cursor: Cursor, type_name: int, labels: list[str], label_ranges: list[Range]) -> Block:
    """Report a block header without a body. An empty block is kept, so that its labels are still checked."""
    kind = cursor.kind
    if kind == "=":
        detail = 'The equals sign "=" indicates an argument definition, and must not be used when defining a block.'
    elif kind == NEWLINE:
        detail = (
            'A block definition must have block content delimited by "{" and "}", '
            "starting on the same line as the block header."
        )
    else:
        detail = 'Either a quoted string block label or an opening brace ("{") is expected here.'
    if kind in ("=", NEWLINE) or not cursor.recovering:
        context = cursor.span(type_name, cursor.at)
        cursor.report("Invalid block definition", detail, cursor.range(cursor.at), context)
    cursor.recover_after_item()
    here = cursor.range(type_name)
    body = Body({}, (), here, here)
    return Block(cursor.token_text(type_name), tuple(labels), body, here, tuple(label_ranges), here, here)


def _read_single_line_body(cursor: Cursor, opening: int, type_name: int) -> Body:
    """Read `{ name = value }`. Problems around the closing brace are reported before those inside."""
    mark = len(cursor.diagnostics)
    attribute = _read_single_attribute(cursor)
    inner = cursor.diagnostics[mark:]
    del cursor.diagnostics[mark:]
    if cursor.kind == "}":
        cursor.read()
    else:
        _report_unclosed_single_line(cursor, opening, type_name)
        cursor.recover("}")
    cursor.diagnostics.extend(inner)
    if attribute is None:
        return Body({}, (), cursor.span(opening, cursor.previous), cursor.range(cursor.previous))
    end = attribute.range.end
    return Body({attribute.name: attribute}, (), attribute.range, Range(cursor.source, end, end))


def _read_single_attribute(cursor: Cursor) -> Attribute | None:
    name = cursor.read()
    if cursor.kinds[name] != IDENTIFIER:
        cursor.recover_after_item()
        cursor.report(_REQUIRED, _REQUIRED_HERE, cursor.range(name))
        return None
    if cursor.kind == "=":
        return _read_attribute(cursor, name, single_line=True)
    if cursor.kind in (OPEN_QUOTE, "{", IDENTIFIER):
        cursor.report(
            "Argument definition required",
            "A single-line block definition can contain only a single argument. If you meant to define argument "
            f"{quoted(cursor.token_text(name))}, use an equals sign to assign it a value. To define a nested block, "
            "place it on a line of its own within its parent block.",
            cursor.span(name, cursor.at),
        )
    else:
        cursor.report(_REQUIRED, _REQUIRED_HERE + _USE_EQUALS, cursor.range(name))
    cursor.recover_after_item()
    return None


def _report_unclosed_single_line(cursor: Cursor, opening: int, type_name: int) -> None:
    if cursor.kind == ",":
        detail = (
            "Single-line block syntax can include only one argument definition. To define multiple arguments, "
            "use the multi-line block syntax with one argument definition per line."
        )
    elif cursor.kind == NEWLINE:
        detail = (
            "An argument definition on the same line as its containing block creates a single-line block definition, "
            "which must also be closed on the same line. Place the block's closing brace immediately after the "
            "argument definition."
        )
    elif cursor.recovering:
        return
    elif cursor.kind == END:
        context = cursor.span(type_name, opening)
        cursor.report("Unclosed configuration block", _UNCLOSED, cursor.range(opening), context)
        return
    else:
        detail = (
            "A single-line block definition must end with a closing brace immediately after its single argument "
            "definition."
        )
    cursor.report("Invalid single-argument block definition", detail, cursor.range(cursor.at))
