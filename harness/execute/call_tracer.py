"""Records which calls engines make of the functions they share, each with digests of its arguments and its result.

Only what is immutable has a digest, and the fields of a record that is an argument or a result itself. Of anything else
only the type counts, because engines reach the same point of their work at different times: what a context contains by
then says nothing. Functions that are called hundreds of thousands of times are left out, and those of which a cache
keeps the results.
"""

from __future__ import annotations

import dis
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import PurePath
from types import CodeType, FrameType
from typing import Any, Final

from harness.findings.partings import Call, OperationCalls, Place
from harness.mutants.patching import is_forwarding
from shared_nodes.record import record

__all__ = ["trace_calls"]

_SHARED: Final = "shared_nodes"
_LEFT_OUT: Final = frozenset(
    ("values", "lang", "functions", "addresses", "encryption", "record.py", "tasks.py", "task_loop.py")
)
"""What the shared package makes values, expressions, records and tasks of. A mistake there shows in the results of the
functions that call it. Records make their methods when these are first called, so such calls depend on what ran before,
and when tasks run depends on everything."""

_OPERATIONS: Final = ("validate", "plan", "apply")
_RETURNS: Final = frozenset(dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap)
_RAISED: Final = 1
_DEEPEST: Final = 40
"""Depth below which the parts of a value do not count."""


@contextmanager
def trace_calls(apis: Sequence[str]) -> Iterator[Mapping[str, list[OperationCalls]]]:
    """Yield the calls of all operations that have begun since, by engine. `apis` are the modules with the operations of
    the engines. Another profiler sees nothing meanwhile, and only this thread is observed."""
    recorder = _Recorder(apis)
    before = sys.getprofile()
    sys.setprofile(recorder.on_event)
    try:
        yield recorder.found
    finally:
        sys.setprofile(before)


# Which functions


_NOWHERE: Final = Place("", 0, "")


class _Kind(Enum):
    OTHER = 0
    SHARED = 1
    ENGINE = 2
    OPERATION = 3


@record
class _Function:
    kind: _Kind
    name: str = ""
    """The operation."""

    api: str = ""
    place: Place = _NOWHERE
    parameters: tuple[str, ...] = ()
    pauses: bool = False
    """Whether it is a coroutine or a generator, which returns several times."""

    yields: bool = False
    instructions: bytes = b""


_OTHER: Final = _Function(_Kind.OTHER)
_ENGINE: Final = _Function(_Kind.ENGINE)


class _Classifier:
    """Finds out what the code that is called belongs to."""

    def __init__(self, apis: Sequence[str]) -> None:
        packages = dict.fromkeys((*(api.partition(".")[0] for api in apis), _SHARED))
        self._roots = [(root, package) for package in packages for root in _find_roots(package)]
        self._apis = {spec.origin: api for api in apis if (spec := find_spec(api)) is not None}

    def classify(self, code: CodeType) -> _Function:
        file = code.co_filename
        for root, package in self._roots:
            if file.startswith(root + os.sep):
                if package == _SHARED:
                    return _classify_shared(code, os.path.relpath(file, os.path.dirname(root)).replace(os.sep, "/"))
                if (api := self._apis.get(file)) is not None and code.co_qualname in _OPERATIONS:
                    return _Function(_Kind.OPERATION, code.co_name, api, pauses=True, instructions=code.co_code)
                return _ENGINE
        return _OTHER


def _find_roots(package: str) -> list[str]:
    spec = find_spec(package)
    return [os.path.abspath(place) for place in (spec.submodule_search_locations or ())] if spec is not None else []


def _classify_shared(code: CodeType, file: str) -> _Function:
    name = code.co_qualname
    is_special = name.rpartition(".")[2].startswith(("<", "__"))
    if is_special or file.split("/")[1] in _LEFT_OUT or is_forwarding(code):
        return _OTHER
    function = _find_function(file, name)
    if hasattr(function, "cache_clear") or isinstance(function, cached_property):
        return _OTHER
    yields = bool(code.co_flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR))
    return _Function(
        _Kind.SHARED,
        place=Place(file, _line_of(function, code), name),
        parameters=_parameters_of(code),
        pauses=yields or bool(code.co_flags & inspect.CO_COROUTINE),
        yields=yields,
        instructions=code.co_code,
    )


def _find_function(file: str, name: str) -> Any:
    """Return what has this name in its module, or None."""
    found: Any = sys.modules.get(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    for part in name.split("."):
        found = getattr(found, "__dict__", {}).get(part)
    return found


def _line_of(function: Any, code: CodeType) -> int:
    """Return the line of a function as it was imported: its code may have been exchanged for one engine since."""
    inner = getattr(function, "fget", None) or getattr(function, "__func__", None) or function
    own = getattr(inner, "__code__", code)
    return int((own if own.co_qualname == code.co_qualname else code).co_firstlineno)


def _parameters_of(code: CodeType) -> tuple[str, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[:count]


# Recording


class _Recorder:
    def __init__(self, apis: Sequence[str]) -> None:
        self.found: dict[str, list[OperationCalls]] = {api: [] for api in apis}
        self._classifier = _Classifier(apis)
        self._functions: dict[int, _Function] = {}
        """By the identity of their code: code itself would be compared, and that takes long."""

        self._codes: list[CodeType] = []
        self._open: dict[int, tuple[FrameType, Call]] = {}
        """The calls that have not returned, by the identity of their frames. A coroutine that raises looks like one
        that waits, and stays here; its frame is kept, so that no other frame gets the same identity."""

        self._operation = 0
        """The frame of the operation that is running, or 0."""

        self._made: list[Call] = []
        self._time = 0
        self._digests = _Digests()

    def on_event(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            function = self._functions.get(id(frame.f_code))
            if function is None:
                function = self._learn(frame.f_code)
            if function.kind is _Kind.SHARED:
                if self._operation and not (function.pauses and id(frame) in self._open):
                    self._begin(frame, function)
            elif function.kind is _Kind.OPERATION and id(frame) != self._operation:
                self._begin_operation(frame, function)
        elif event == "return":
            function = self._functions.get(id(frame.f_code), _OTHER)
            if function.kind is _Kind.SHARED:
                found = self._open.get(id(frame))
                if found is not None:
                    self._end(found[1], frame, function, argument)
            elif function.kind is _Kind.OPERATION and id(frame) == self._operation and _ends(frame, function):
                self._operation = 0

    def _learn(self, code: CodeType) -> _Function:
        self._codes.append(code)
        function = self._functions[id(code)] = self._classifier.classify(code)
        return function

    def _begin_operation(self, frame: FrameType, function: _Function) -> None:
        operation = OperationCalls(function.name)
        self.found[function.api].append(operation)
        self._operation, self._made = id(frame), operation.made
        self._open.clear()
        self._digests.forget()

    def _begin(self, frame: FrameType, function: _Function) -> None:
        values, parameters = frame.f_locals, function.parameters
        self._digests.is_partial = False
        arguments = hash(tuple([self._digests.of_argument(values[name]) for name in parameters if name in values]))
        is_closed = not self._digests.is_partial and len(values) == len(parameters)
        is_bound = bool(parameters) and parameters[0] == "self" and _parts_of(values["self"].__class__) is None
        self._time += 1
        call = Call(function.place, arguments, self._time, is_bound, is_closed)
        self._calls_around(frame).append(call)
        self._open[id(frame)] = frame, call

    def _calls_around(self, frame: FrameType) -> list[Call]:
        """Return where a call belongs: to the shared function that makes it, unless an engine stands between."""
        outer = frame.f_back
        while outer is not None:
            if (found := self._open.get(id(outer))) is not None:
                return found[1].calls
            if self._functions.get(id(outer.f_code), _OTHER).kind in (_Kind.ENGINE, _Kind.OPERATION):
                break
            outer = outer.f_back
        return self._made

    def _end(self, call: Call, frame: FrameType, function: _Function, argument: Any) -> None:
        has_returned = _ends(frame, function)
        if function.pauses and not has_returned:
            if function.yields:
                call.result = hash((call.result, self._digests.of(argument)))
            return
        del self._open[id(frame)]
        self._time += 1
        call.ended = self._time
        result = self._digests.of_result(argument) if has_returned else _RAISED
        call.result = hash((call.result, result)) if function.yields else result


def _ends(frame: FrameType, function: _Function) -> bool:
    """Return whether the function returns. Otherwise it pauses, or raises."""
    return function.instructions[frame.f_lasti] in _RETURNS


# Digests


class _Digests:
    """Numbers that are equal for equal values, within this process."""

    def __init__(self) -> None:
        self.is_partial = False
        """Whether a digest since this was last false leaves something out."""

        self._known: dict[int, tuple[Any, int, bool]] = {}
        """By the identity of a value, which is kept so that no other value gets the same identity: its digest, and
        whether that leaves something out."""

        self._depth = 0

    def forget(self) -> None:
        self._known.clear()

    def of_result(self, value: Any) -> int:
        """Return the digest of what a function has made: of mutable records, that of their fields."""
        kind = value.__class__
        if kind is list or kind is tuple:
            return hash(tuple([self.of_result(one) for one in value]))
        names = _fields_of(kind)
        if names is not None and _parts_of(kind) is None:
            return hash((kind.__qualname__, *[self.of(getattr(value, name)) for name in names]))
        return self.of(value)

    def of_argument(self, value: Any) -> int:
        """Return the digest of what a function is given: of a mutable record that holds no functions, that of its
        fields."""
        kind = value.__class__
        names = _fields_of(kind)
        if names is None or _parts_of(kind) is not None:
            return self.of(value)
        self.is_partial = True
        parts = [getattr(value, name) for name in names]
        return self.of(value) if any(map(callable, parts)) else hash((kind.__qualname__, *map(self.of, parts)))

    def of(self, value: Any) -> int:
        kind = value.__class__
        if kind in _PLAIN:
            return hash((kind.__name__, value))
        if kind is tuple or kind is list:
            return hash(tuple([self.of(one) for one in value]))
        parts_of = _parts_of(kind)
        if parts_of is None or self._depth == _DEEPEST:
            self.is_partial = True
            return hash(kind.__qualname__)
        if (known := self._known.get(id(value))) is not None:
            self.is_partial |= known[2]
            return known[1]
        before, self.is_partial = self.is_partial, False
        self._depth += 1
        try:
            digest = hash((kind.__qualname__, parts_of(self, value)))
        finally:
            self._depth -= 1
        if kind is not dict and kind is not set:
            self._known[id(value)] = value, digest, self.is_partial
        self.is_partial |= before
        return digest


_PLAIN: Final = frozenset((str, int, float, bool, bytes, type(None)))
_PartsOf = Callable[[_Digests, Any], Any]


@cache
def _parts_of(kind: type) -> _PartsOf | None:
    """Return what takes a value of this type apart, or None if the type is not known to be immutable. Collections are
    taken as they are at the time of the call."""
    names = _fields_of(kind)
    if issubclass(kind, Enum | PurePath):
        return lambda _, value: value.name
    if issubclass(kind, tuple | list):
        return lambda digests, value: tuple([digests.of(one) for one in value])
    if issubclass(kind, Mapping):
        return lambda digests, value: frozenset((digests.of(key), digests.of(one)) for key, one in value.items())
    if issubclass(kind, frozenset | set):
        return lambda digests, value: frozenset(digests.of(one) for one in value)
    if names is not None:
        return _by_names(names) if kind.__dataclass_params__.frozen else None  # type: ignore[attr-defined]
    if kind.__module__.startswith(f"{_SHARED}.values.") and "__slots__" in kind.__dict__:
        return _by_names(_slots_of(kind))
    if issubclass(kind, str | int | float) or kind.__module__ == "gmpy2":
        return lambda _, value: hash(value)
    return None


@cache
def _fields_of(kind: type) -> tuple[str, ...] | None:
    """Return the names of the fields of a data class that count when values are compared."""
    return tuple(each.name for each in fields(kind) if each.compare) if is_dataclass(kind) else None


def _by_names(names: tuple[str, ...]) -> _PartsOf:
    return lambda digests, value: tuple([digests.of(getattr(value, name, None)) for name in names])


def _slots_of(kind: type) -> tuple[str, ...]:
    found = [each.__dict__.get("__slots__", ()) for each in kind.__mro__]
    return tuple(name for slots in found for name in ((slots,) if isinstance(slots, str) else slots))
