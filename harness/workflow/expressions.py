"""Conditions and published values: a small language that can compare and count, and nothing else.

An expression is written bare (`when: failed and ctx.rounds < 3`) or as in the recorded workflows (`<% failed() and
ctx().rounds < 3 %>`); both parse alike. Nothing can be called, no attribute of a Python object can be reached and no
value can grow without bound, so a workflow from an untrusted source is safe to conduct. The configuration language is
deliberately not used: its semantics are what the engines are tested for, and a test must not depend on what it tests.

    or   and   not   = == != <> < <= > >= in   + -   * / %   - (sign)   .name  [index]
    succeeded failed completed    ctx    result    true false null    numbers, 'texts', [lists]

`()` after a name is allowed and means nothing; `ctx(name)` is `ctx.name`.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from harness.workflow.outcome import TaskOutcome
from shared_nodes.record import record

__all__ = ["ExpressionError", "WorkflowExpression", "WorkflowScope", "parse_expression"]

LONGEST: Final = 1_000
"""Characters. Nesting cannot be deeper than the text is long, so this also bounds the recursion of the parser."""

DEEPEST: Final = 40
LARGEST: Final = 2**53
"""JSON numbers beyond this are not exact. It also stops a cycle that computes `n * n` from using up all memory."""


class ExpressionError(Exception):
    """The text is not an expression, or it has no value here. The message says why, not where."""


@record
class WorkflowScope:
    """What an expression can see: how the execution ended, its result, and the variables with which it was started."""

    outcome: TaskOutcome | None
    result: Any
    variables: Mapping[str, Any]


Code = Callable[[WorkflowScope], Any]


@record
class WorkflowExpression:
    """A parsed expression. Equality is by text: two transitions with the same words have the same condition."""

    text: str
    _code: Code = field(repr=False, compare=False)

    def value(self, scope: WorkflowScope) -> Any:
        return self._code(scope)

    def holds(self, scope: WorkflowScope) -> bool:
        """Evaluate a condition. Anything but true and false is an error: languages disagree on the truth of texts and
        null."""
        return _boolean(self._code(scope), "a condition")


def parse_expression(text: str) -> WorkflowExpression:
    bare = text.strip()
    if bare.startswith("<%") and bare.endswith("%>") and len(bare) >= len("<%%>"):
        bare = bare[2:-2].strip()
    if len(bare) > LONGEST:
        raise ExpressionError(f"longer than {LONGEST} characters")
    parser = _Parser(_tokenize(bare))
    code = parser.expression(0)
    parser.expect("end")
    return WorkflowExpression(bare, code)


_TOKEN: Final = re.compile(
    r"""\s*(?:
      (?P<number>\d+(?:\.\d+)?)
    | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    | (?P<name>[A-Za-z_]\w*)
    | (?P<sign>==|!=|<>|<=|>=|[=<>+\-*/%().,\[\]])
    )""",
    re.VERBOSE | re.ASCII,
)

_Token = tuple[str, str]
_WORDS: Final = frozenset({"and", "or", "not", "in", "true", "false", "null"})


def _tokenize(text: str) -> list[_Token]:
    found: list[_Token] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionError(f"cannot be understood from {text[position:].strip()[:20]!r} on")
        kind, token = str(match.lastgroup), match[match.lastgroup or 0]
        found.append((token, token) if kind == "sign" or token in _WORDS else (kind, token))
        position = match.end()
    return [*found, ("end", "the end")]


_ARITHMETIC: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}
_STRENGTH: Final[Mapping[str, int]] = (
    {"or": 1, "and": 2}
    | dict.fromkeys(("=", "==", "!=", "<>", "<", "<=", ">", ">=", "in"), 4)
    | {"+": 5, "-": 5, "*": 6, "/": 6, "%": 6}
)
_NOT, _SIGN = 3, 7


class _Parser:
    """A parser by precedence climbing. Each method returns the code of what it has read."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokenize = tokens
        self._position = 0
        self._depth = 0

    def expect(self, kind: str) -> str:
        found, text = self._tokenize[self._position]
        if found != kind:
            wanted = "the end" if kind == "end" else repr(kind)
            raise ExpressionError(f"{wanted} is expected where {text!r} stands")
        self._position += 1
        return text

    def _accept(self, kind: str) -> bool:
        if self._tokenize[self._position][0] != kind:
            return False
        self._position += 1
        return True

    def expression(self, weakest: int) -> Code:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError(f"nested more than {DEEPEST} deep")
        code = self._operand()
        while (strength := _STRENGTH.get(kind := self._tokenize[self._position][0], 0)) > weakest:
            self._position += 1
            code = _binary(kind, code, self.expression(strength))
        self._depth -= 1
        return code

    def _operand(self) -> Code:
        if self._accept("not"):
            inner = self.expression(_NOT - 1)
            return lambda scope: not _boolean(inner(scope), "what stands behind `not`")
        if self._accept("-"):
            inner = self.expression(_SIGN)
            return lambda scope: -_number(inner(scope))
        code = self._primary()
        while True:
            if self._accept("."):
                code = _member(code, self.expect("name"))
            elif self._accept("["):
                code = _index(code, self.expression(0))
                self.expect("]")
            else:
                return code

    def _primary(self) -> Code:
        kind, text = self._tokenize[self._position]
        self._position += 1
        if kind == "(":
            inner = self.expression(0)
            self.expect(")")
            return inner
        if kind == "[":
            return self._list()
        if kind == "name":
            return self._parse_name(text)
        literal = _literal(kind, text)
        return lambda _: literal

    def _parse_name(self, name: str) -> Code:
        if name not in _NAMES:
            raise ExpressionError(f"{name} is not known; there are {', '.join(_NAMES)}")
        if not self._accept("("):
            return _NAMES[name]
        if name == "ctx" and self._tokenize[self._position][0] in ("name", "text"):
            kind, text = self._tokenize[self._position]
            self._position += 1
            self.expect(")")
            return _member(_NAMES[name], text if kind == "name" else str(_literal(kind, text)))
        self.expect(")")
        return _NAMES[name]

    def _list(self) -> Code:
        items: list[Code] = []
        while not self._accept("]"):
            items.append(self.expression(0))
            if not self._accept(","):
                self.expect("]")
                break
        return lambda scope: [item(scope) for item in items]


def _has_ended(scope: WorkflowScope, outcomes: tuple[TaskOutcome, ...]) -> bool:
    if scope.outcome is None:
        raise ExpressionError("nothing has ended yet; only ctx can be used here")
    return scope.outcome in outcomes


_NAMES: Final[Mapping[str, Code]] = {
    "succeeded": lambda scope: _has_ended(scope, (TaskOutcome.SUCCEEDED,)),
    "failed": lambda scope: _has_ended(scope, (TaskOutcome.FAILED,)),
    "completed": lambda scope: _has_ended(scope, tuple(TaskOutcome)),
    "ctx": lambda scope: scope.variables,
    "result": lambda scope: scope.result,
}


def _literal(kind: str, text: str) -> Any:
    constants = {"true": True, "false": False, "null": None}
    if kind in constants:
        return constants[kind]
    if kind == "number":
        return _check_size(float(text) if "." in text else int(text))
    if kind == "text":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    raise ExpressionError(f"a value is expected where {text!r} stands")


def _binary(kind: str, left: Code, right: Code) -> Code:
    if kind in ("and", "or"):
        what = f"what stands beside `{kind}`"
        decisive = kind == "or"

        def decide(scope: WorkflowScope) -> bool:
            first = _boolean(left(scope), what)
            return first if first is decisive else _boolean(right(scope), what)

        return decide
    if kind in _COMPARISONS:
        compare = _COMPARISONS[kind]
        return lambda scope: compare(left(scope), right(scope))
    calculate = _ARITHMETIC[kind]

    def arithmetic(scope: WorkflowScope) -> Any:
        first, second = _number(left(scope)), _number(right(scope))
        if kind in "/%" and second == 0:
            raise ExpressionError("division by zero")
        return _check_size(calculate(first, second))

    return arithmetic


def _member(code: Code, name: str) -> Code:
    def member(scope: WorkflowScope) -> Any:
        holder = code(scope)
        if not isinstance(holder, Mapping) or name not in holder:
            there = ", ".join(map(str, holder)) if isinstance(holder, Mapping) and holder else "nothing"
            raise ExpressionError(f"there is no {name}; there is {there}")
        return holder[name]

    return member


def _index(code: Code, index: Code) -> Code:
    def element(scope: WorkflowScope) -> Any:
        holder, key = code(scope), index(scope)
        if isinstance(holder, Mapping) and isinstance(key, str) and key in holder:
            return holder[key]
        is_position = isinstance(key, int) and not isinstance(key, bool)
        if isinstance(holder, list) and is_position and 0 <= key < len(holder):
            return holder[key]
        raise ExpressionError(f"there is no element {key!r}")

    return element


def _boolean(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise ExpressionError(f"{what} must be true or false, and is {_kind(value)}")
    return value


def _number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ExpressionError(f"a number is needed, and there is {_kind(value)}")
    return value


def _check_size(value: int | float) -> int | float:
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise ExpressionError(f"a number larger than {LARGEST}")
    return value


def _equal(left: Any, right: Any) -> bool:
    """Compare values strictly: true and 1 are different here, although Python considers them equal."""
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def _comparable(left: Any, right: Any) -> tuple[Any, Any]:
    if isinstance(left, str) and isinstance(right, str):
        return left, right
    return _number(left), _number(right)


def _contains(holder: Any, item: Any) -> bool:
    if isinstance(holder, str) and isinstance(item, str):
        return item in holder
    if isinstance(holder, Mapping):
        return isinstance(item, str) and item in holder
    if isinstance(holder, list):
        return any(_equal(item, element) for element in holder)
    raise ExpressionError(f"`in` needs a list, a mapping or a text, and there is {_kind(holder)}")


def _kind(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return "a text"
    return "a mapping" if isinstance(value, Mapping) else "a list"


_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "=": _equal,
    "==": _equal,
    "!=": lambda left, right: not _equal(left, right),
    "<>": lambda left, right: not _equal(left, right),
    "<": lambda left, right: operator.lt(*_comparable(left, right)),
    "<=": lambda left, right: operator.le(*_comparable(left, right)),
    ">": lambda left, right: operator.gt(*_comparable(left, right)),
    ">=": lambda left, right: operator.ge(*_comparable(left, right)),
    "in": lambda left, right: _contains(right, left),
}
