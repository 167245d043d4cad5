"""Diagnostics for people and for programs, in the forms Terraform publishes.

`render_text` draws the box a terminal shows, `render_plain` prints what `-no-color` prints instead, and
`diagnostic_to_json` builds the object of `validate -json`. All three show the same excerpt of the source, by the
original's rules: the excerpt consists of the lines that the range touches, except that empty lines are dropped, which
shifts the numbers of the lines after them.

Next to the excerpt they print the `Evidence`: what was known about the values the expression refers to, derived from
what the diagnostic keeps of the evaluation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang.access import follow
from shared_nodes.lang.diagnostics import Diagnostic, Evaluated, Severity
from shared_nodes.lang.difference import difference_in
from shared_nodes.lang.function import Callee, FunctionError
from shared_nodes.lang.json_syntax import JsonArray, JsonObject, JsonValue, parse_json
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.references import free_traversals
from shared_nodes.lang.source import Position, Range, Source
from shared_nodes.lang.tree import Block, Traversal, TraverseAttribute
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.json import type_to_json
from shared_nodes.values.marks import EPHEMERAL, NO_MARKS, SENSITIVE, Marks
from shared_nodes.values.text import quoted
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, ObjectType, Type, friendly_name
from shared_nodes.values.value import Value, unknown

if TYPE_CHECKING:
    import regex

    from shared_nodes.values.multiprecision import mpfr

__all__ = [
    "NO_EVIDENCE",
    "CalledFunction",
    "Evidence",
    "context_at",
    "diagnostic_to_json",
    "evidence_of",
    "render_plain",
    "render_text",
    "statement_about",
    "traversal_text",
]

DEFAULT_WIDTH: Final = 78
"""The width assumed when the output is not a terminal."""

_RULE_WIDTH: Final = 2
_LONGEST_LINE: Final = 64 * 1024
"""Limit in bytes. At a longer line the original silently stops drawing the box."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@record
class CalledFunction:
    """The function whose call failed, under the name the configuration used. `function` is None if no such function is
    known."""

    called_as: str
    function: Callee | None


@record
class Evidence:
    """What was known when the problem was found: a statement (`statement_about`) for each reference (`traversal_text`)
    in the expression, and the call that failed."""

    values: tuple[tuple[str, str], ...] = ()
    call: CalledFunction | None = None

    @property
    def sorted_values(self) -> list[tuple[str, str]]:
        return sorted(self.values)


NO_EVIDENCE: Final = Evidence()


# The excerpt


@record
class _Snippet:
    """Lines of source and what to highlight in them; offsets are in bytes."""

    context: str | None
    code: bytes
    start_line: int
    highlight_start: int
    highlight_end: int


def _end_of(subject: Range) -> Position:
    """Return where the highlight ends. An empty range is extended to one byte, since otherwise nothing would be
    visible."""
    end = subject.last
    return end._replace(column=end.column + 1, byte=end.byte + 1) if end.byte == subject.first.byte else end


def _snippet(diagnostic: Diagnostic) -> _Snippet | None:
    """Return the excerpt, or None where there is no source text to show, for example for values from the command
    line."""
    subject = diagnostic.subject
    if subject is None or not subject.source.is_quotable:
        return None
    around = diagnostic.context or subject
    whole = Range(subject.source, min(around.start, subject.start), max(around.end, subject.end))
    first, last = whole.first.byte, _end_of(whole).byte
    touched = [
        (start, line)
        for start, line in _lines(subject.source.file)
        if line and start <= last and start + len(line) >= first
    ]
    code = b"\n".join(line for _, line in touched)
    code_start = touched[0][0] if touched else 0
    start = subject.first.byte - code_start
    end = start + _end_of(subject).byte - subject.first.byte
    return _Snippet(
        _context_of(subject),
        code,
        whole.first.line,
        min(max(start, 0), len(code)),
        min(max(end, 0), len(code)),
    )


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield each line without its ending, and the byte offset at which it starts."""
    content = source.text.encode("utf-8", "surrogateescape")
    start = source.position(0).byte
    if start - source.first.byte == len(_BYTE_ORDER_MARK):
        content, start = _BYTE_ORDER_MARK + content, source.first.byte
    for line in content.split(b"\n"):
        yield start, line.removesuffix(b"\r")
        start += len(line) + 1


@lru_cache(maxsize=16)
def _top_level_blocks(source: Source) -> tuple[Block, ...]:
    """Return the blocks of a file. Cached, since one broken file tends to produce many diagnostics."""
    return parse_body(source)[0].blocks


@lru_cache(maxsize=16)
def _json_document(source: Source) -> JsonValue:
    return parse_json(source)[0]


def _context_of(subject: Range) -> str | None:
    """Return the header of the top-level block that contains the subject; in JSON syntax the path to the innermost
    object or array. A subject that starts where one of these starts is not contained in it."""
    file, before = subject.source.file, subject.first.byte - 1
    if file.filename.endswith(".json"):
        return "".join(_path_to(_json_document(file), before)).removeprefix(".") or None
    for block in _top_level_blocks(file):
        if block.range.first.byte <= before < block.range.last.byte:
            return " ".join([block.type, *map(quoted, block.labels)])
    return None


def context_at(source: Source, line: int, column: int) -> str | None:
    """Return the context of a place in a whole file, as excerpts name it. Lines and columns count from 1. In a line
    with characters of several code points the place is not exact, which the header of a block seldom notices."""
    before = "\n".join(source.text.split("\n")[: line - 1])
    start = min(len(before) + (line > 1) + column - 1, len(source.text))
    return _context_of(source.range(start, start))


def _path_to(value: JsonValue, byte: int) -> Iterator[str]:
    """Yield the steps from a value down to the innermost object or array that contains the byte."""
    parts: Iterable[tuple[str, JsonValue]] = ()
    if isinstance(value, JsonObject):
        parts = ((f".{entry.name}", entry.value) for entry in value.properties)
    elif isinstance(value, JsonArray):
        parts = ((f"[{number}]", item) for number, item in enumerate(value.items))
    for step, part in parts:
        if isinstance(part, JsonObject | JsonArray) and part.range.first.byte <= byte < part.range.last.byte:
            yield step
            yield from _path_to(part, byte)
            return


def _text(content: bytes) -> str:
    """Decode, replacing every byte that is not valid UTF-8 by one replacement character."""
    decoded = content.decode("utf-8", "surrogateescape")
    return "".join("\ufffd" if "\udc80" <= character <= "\udcff" else character for character in decoded)


# For programs


def diagnostic_to_json(diagnostic: Diagnostic, evidence: Evidence | None = None) -> dict[str, Any]:
    """Return the object that `validate -json` lists under `diagnostics`, with keys in the published order."""
    evidence = evidence_of(diagnostic) if evidence is None else evidence
    result: dict[str, Any] = {
        "severity": str(diagnostic.severity),
        "summary": diagnostic.summary,
        "detail": diagnostic.detail,
    }
    if diagnostic.address:
        result["address"] = diagnostic.address
    if diagnostic.subject is None:
        return result
    result["range"] = {
        "filename": diagnostic.subject.source.filename,
        "start": diagnostic.subject.first._asdict(),
        "end": _end_of(diagnostic.subject)._asdict(),
    }
    snippet = _snippet(diagnostic)
    if snippet is None:
        return result
    result["snippet"] = {
        "context": snippet.context,
        "code": _text(snippet.code),
        "start_line": snippet.start_line,
        "highlight_start_offset": snippet.highlight_start,
        "highlight_end_offset": snippet.highlight_end,
        "values": [{"traversal": name, "statement": statement} for name, statement in evidence.sorted_values],
    }
    if evidence.call is not None:
        result["snippet"]["function_call"] = _call_to_json(evidence.call)
    difference = difference_in(diagnostic)
    if difference is not None:
        result["difference"] = difference
    return result


def _call_to_json(call: CalledFunction) -> dict[str, Any]:
    function = call.function
    if function is None:
        return {"called_as": call.called_as}
    signature: dict[str, Any] = {
        "name": call.called_as.rpartition("::")[2],
        "params": [{"name": p.name, "type": type_to_json(p.type)} for p in function.parameters],
    }
    if function.variadic is not None:
        signature["variadic_param"] = {"name": function.variadic.name, "type": type_to_json(function.variadic.type)}
    signature["return_type"] = type_to_json(_declared_result(function))
    return {"called_as": call.called_as, "signature": signature}


def _declared_result(function: Callee) -> Type:
    """Return the result type as far as it follows from the parameter types alone."""
    if isinstance(function.return_type, Type):
        return function.return_type
    try:
        return function.return_type([unknown(parameter.type) for parameter in function.parameters])
    except FunctionError:
        return DYNAMIC


# For people


@record
class _Palette:
    """Escape sequences, or empty strings. The original ends every coloured piece of text with one extra reset."""

    bold: str = ""
    underline: str = ""
    grey: str = ""
    reset: str = ""
    error: str = ""
    warning: str = ""

    def of(self, severity: Severity) -> str:
        return self.error if severity is Severity.ERROR else self.warning


_WITHOUT_COLOUR: Final = _Palette()
_WITH_COLOUR: Final = _Palette("\033[1m", "\033[4m", "\033[90m", "\033[0m", "\033[31m", "\033[33m")


def render_text(
    diagnostic: Diagnostic, width: int = DEFAULT_WIDTH, colour: bool = False, evidence: Evidence | None = None
) -> str:
    """Draw the diagnostic in its box, ending with a newline."""
    evidence = evidence_of(diagnostic) if evidence is None else evidence
    palette = _WITH_COLOUR if colour else _WITHOUT_COLOUR
    tone, reset = palette.of(diagnostic.severity), palette.reset
    title = f"{palette.bold}{tone}{diagnostic.severity.capitalize()}: {reset}{reset}"
    title += f"{palette.bold}{diagnostic.summary}{reset}\n\n{reset}"
    content = title + _location(diagnostic, evidence, palette) + _detail(diagnostic.detail, width - _RULE_WIDTH - 1)
    rule = f"{tone}│{reset} {reset}"
    drawn = [f"{tone}╷{reset}{reset}"]
    for line in content.removesuffix("\n").split("\n"):
        shown = line.removesuffix("\r")
        if len(shown.encode("utf-8", "surrogateescape")) >= _LONGEST_LINE:
            break
        drawn.append(rule + shown if shown else rule.strip())
    drawn.append(f"{tone}╵{reset}{reset}\n")
    return "\n".join(drawn)


def render_plain(diagnostic: Diagnostic, width: int = DEFAULT_WIDTH, evidence: Evidence | None = None) -> str:
    """Render without box and colour, beginning and ending with a newline, for logs and other programs."""
    evidence = evidence_of(diagnostic) if evidence is None else evidence
    title = f"\n{diagnostic.severity.capitalize()}: {diagnostic.summary}\n\n"
    return title + _location(diagnostic, evidence, _WITHOUT_COLOUR) + _detail(diagnostic.detail, width - 1)


def _location(diagnostic: Diagnostic, evidence: Evidence, palette: _Palette) -> str:
    address = f"  with {diagnostic.address},\n" if diagnostic.address else ""
    subject = diagnostic.subject
    if subject is None:
        return address
    place = f"  on {subject.source.filename} line {subject.first.line}"
    snippet = _snippet(diagnostic)
    if snippet is None:
        return f"{address}{place}:\n  (source code not available)\n\n"
    context = f", in {snippet.context}" if snippet.context else ""
    return f"{address}{place}{context}:\n{_excerpt(snippet, palette)}{_render_evidence(evidence, palette)}\n"


def _excerpt(snippet: _Snippet, palette: _Palette) -> str:
    code, start, end = snippet.code, snippet.highlight_start, snippet.highlight_end
    before, highlight, after = _text(code[:start]), _text(code[start:end]), _text(code[end:])
    marked = f"{before}{palette.underline}{highlight}{palette.reset}{after}{palette.reset}"
    numbered = enumerate(marked.split("\n"), start=snippet.start_line)
    return "".join(f"{number:4d}: {line}\n" for number, line in numbered)


def _render_evidence(evidence: Evidence, palette: _Palette) -> str:
    call = evidence.call if evidence.call is not None and evidence.call.function is not None else None
    if not evidence.values and call is None:
        return ""
    grey, bold, reset = palette.grey, palette.bold, palette.reset
    text = f"    {grey}├────────────────{reset}\n{reset}"
    if call is not None and call.function is not None:
        names = [parameter.name for parameter in call.function.parameters]
        if call.function.variadic is not None:
            names.append(f"{call.function.variadic.name}...")
        text += f"    {grey}│{reset} while calling {bold}{call.called_as}{reset}({reset}{', '.join(names)})\n"
    for name, statement in evidence.sorted_values:
        text += f"    {grey}│{reset} {bold}{name}{reset} {statement}\n{reset}"
    return text


def _detail(detail: str, width: int) -> str:
    """Wrap the paragraphs of a detail. A line that begins with a space is an example and is kept unchanged."""
    if not detail:
        return ""
    if width <= 0:
        return f"{detail}\n"
    return "".join(f"{line if line.startswith(' ') else _wrap(line, width)}\n" for line in detail.split("\n"))


@cache
def _word() -> regex.Pattern[str]:
    import regex  # only what has problems to report needs it, and it takes a while to import

    return regex.compile(r"([^\S\xa0]*)((?:\S|\xa0)*)")


def _wrap(line: str, width: int) -> str:
    """Move words that cross the width to the next line, never splitting one. Each character counts as one column,
    whatever its width on a screen; a no-break space is part of a word."""
    parts: list[str] = []
    column = 0
    for match in _word().finditer(line):
        spaces, word = match.groups()
        if not word:
            if column + len(spaces) <= width:
                parts.append(spaces)
            break
        crossing = max(width - column - len(spaces) + 1, 1)  # length at which the word first crosses the width
        if crossing <= len(word) and crossing < width:
            parts.append(f"\n{word}")
            column = len(word)
        else:
            parts.append(spaces + word)
            column += len(spaces) + len(word)
    return "".join(parts)


# Evidence


def evidence_of(diagnostic: Diagnostic) -> Evidence:
    """Collect what was known where the problem was found. A reference that cannot be resolved completely is reported as
    far as it can be; a bare root name never is."""
    evaluated = diagnostic.evaluated
    if evaluated is None:
        return NO_EVIDENCE
    seen = {**(evaluated.scope.variables or {}), **evaluated.bound}
    found: dict[str, str] = {}
    for traversal in free_traversals(evaluated.expression):
        known = _resolve_longest_prefix(traversal, seen, evaluated.scope.flavour)
        if known is None:
            continue
        shown, value = known
        statement = statement_about(
            value, unknown_is_cause=evaluated.unknown_is_cause, marks_are_cause=evaluated.marks_are_cause
        )
        if statement is not None:
            found[traversal_text(shown)] = statement
    return Evidence(tuple(found.items()), _failed_call(evaluated))


def _resolve_longest_prefix(
    traversal: Traversal, seen: Mapping[str, Value], flavour: Flavour
) -> tuple[Traversal, Value] | None:
    root = seen.get(traversal.root)
    for count in range(0 if root is None else len(traversal.steps), 0, -1):
        outcome = follow(seen[traversal.root], traversal.steps[:count], flavour)
        if isinstance(outcome, Value):
            return replace(traversal, steps=traversal.steps[:count]), outcome
    return None


def _failed_call(evaluated: Evaluated) -> CalledFunction | None:
    """Return the failed call. Quirk `loops-hide-signatures`: inside a `for`, the original does not know the
    functions."""
    if evaluated.function is None:
        return None
    functions = {} if evaluated.bound else evaluated.scope.functions or {}
    return CalledFunction(evaluated.function, functions.get(evaluated.function))


def statement_about(value: Value, *, unknown_is_cause: bool = False, marks_are_cause: Marks = NO_MARKS) -> str | None:
    """Describe a value that an expression refers to; None where a description would only mislead.

    That a value is unknown, sensitive or ephemeral is mentioned only where exactly that caused the problem, because
    readers take whatever is mentioned for the cause. The content of collections is never shown, since it may itself be
    sensitive.
    """
    marks = {mark for mark in (SENSITIVE, EPHEMERAL) if value.has_mark(mark)}
    if marks:
        statement = "has a sensitive value" if SENSITIVE in marks else "has an ephemeral value"
        return statement if marks == marks_are_cause else None
    if not value.is_known:
        after = ", known only after apply" if unknown_is_cause else ""
        if value.type is not DYNAMIC:
            return f"is a {friendly_name(value.type)}{after}"
        return "will be known only after apply" if unknown_is_cause else None
    return f"is {_summary(value)}"


def _summary(value: Value) -> str:
    payload, ty = value.payload, value.type
    if value.is_null:
        return "null"
    if ty is BOOL:
        return "true" if payload else "false"
    if ty is NUMBER:
        return _ten_digits(payload)
    if ty is STRING:
        return quoted(payload)
    count = len(payload)
    if not isinstance(ty, ObjectType):
        return _count_text(friendly_name(ty), count)
    if count == 1:
        return f"object with 1 attribute {quoted(next(iter(payload)))}"
    return f"object with {count or 'no'} attributes"


def _ten_digits(payload: mpfr) -> str:
    """Format a number with at most ten significant digits, with an exponent if it is very large or very small."""
    if numbers.is_infinite(payload) or payload == 0:
        return numbers.number_text(payload)
    digits, point, _ = payload.digits(10, 10)
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    digits = digits.rstrip("0")
    if not -4 <= point - 1 < 10:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{point - 1:+03d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
    return f"{sign}{whole}.{fraction}" if fraction else f"{sign}{whole}"


def _count_text(kind: str, count: int) -> str:
    if count == 0:
        return f"empty {kind}"
    return f"{kind} with {count} element{'' if count == 1 else 's'}"


def traversal_text(traversal: Traversal) -> str:
    """Format a reference compactly: `var.a["b"][0]`."""
    steps = (f".{s.name}" if isinstance(s, TraverseAttribute) else f"[{_summary(s.key)}]" for s in traversal.steps)
    return traversal.root + "".join(steps)
