"""Records which lines of some packages are executed in this process.

Only the first time counts, so a tracer that goes quiet afterwards costs little: from Python 3.12 on that is
`sys.monitoring`, before it `sys.settrace` without the functions of which every line has been seen.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from types import CodeType, FrameType
from typing import Any, Final

from harness.findings.executed_lines import CaseLines
from shared_nodes import record, task_loop, tasks

__all__ = ["trace_lines"]

_LEFT_OUT: Final = frozenset(str(module.__file__) for module in (record, tasks, task_loop))
"""Records make their methods when these are first called, by whatever case comes first, and all cases have tasks."""

_FindFile = Callable[[str], str]
"""From the path of a source file to its name in a report; empty for a file of no package that is traced."""


@contextmanager
def trace_lines(packages: Sequence[str]) -> Iterator[CaseLines]:
    """Yield the lines of these packages that have been executed since. Another tracer, such as that of a debugger, sees
    nothing meanwhile."""
    found: dict[str, int] = defaultdict(int)
    with _trace(_file_finder(tuple(packages)), found):
        yield found


@cache
def _file_finder(packages: tuple[str, ...]) -> _FindFile:
    specs = [spec for package in packages if (spec := find_spec(package)) is not None]
    roots = [os.path.abspath(place) for spec in specs for place in spec.submodule_search_locations or ()]

    @cache
    def find(path: str) -> str:
        if path in _LEFT_OUT:
            return ""
        for root in roots:
            if path.startswith(root + os.sep):
                return os.path.relpath(path, os.path.dirname(root)).replace(os.sep, "/")
        return ""

    return find


if sys.version_info >= (3, 12):

    @contextmanager
    def _trace(find_file: _FindFile, found: dict[str, int]) -> Iterator[None]:
        monitoring = sys.monitoring
        tool = next(number for number in range(6) if monitoring.get_tool(number) is None)

        def on_line(code: CodeType, number: int) -> Any:
            if file := find_file(code.co_filename):
                found[file] |= 1 << number
            return monitoring.DISABLE

        monitoring.use_tool_id(tool, "diffharness")
        try:
            monitoring.register_callback(tool, monitoring.events.LINE, on_line)
            monitoring.set_events(tool, monitoring.events.LINE)
            monitoring.restart_events()
            yield
        finally:
            monitoring.set_events(tool, monitoring.events.NO_EVENTS)
            monitoring.register_callback(tool, monitoring.events.LINE, None)
            monitoring.free_tool_id(tool)

else:

    @contextmanager
    def _trace(find_file: _FindFile, found: dict[str, int]) -> Iterator[None]:
        unseen: dict[CodeType, set[int]] = {}

        def on_call(frame: FrameType, _event: str, _argument: object) -> Any:
            code = frame.f_code
            if (left := unseen.get(code)) is None:
                is_traced = bool(find_file(code.co_filename))
                left = unseen[code] = {number for *_, number in code.co_lines() if number} if is_traced else set()
                left.discard(code.co_firstlineno)
            return on_line if left else None

        def on_line(frame: FrameType, event: str, _argument: object) -> Any:
            if event == "line":
                found[find_file(frame.f_code.co_filename)] |= 1 << frame.f_lineno
                unseen[frame.f_code].discard(frame.f_lineno)
            return on_line

        before, of_threads = sys.gettrace(), threading.gettrace()
        threading.settrace(on_call)
        sys.settrace(on_call)
        try:
            yield
        finally:
            sys.settrace(before)
            threading.settrace(of_threads)
