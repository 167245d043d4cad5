"""Calls of provider functions.

Expressions are evaluated without waiting for anything, while a call to a plugin has to wait. So functions have a plugin
of their own, in an event loop of its own, in a thread; evaluation stands still until the answer is there. It is started
by the first call, and ends with the object, or with the program.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, Final

import trio

from harness.plugins.driving.failures import call_problem, rpc_error_text
from harness.plugins.driving.handshake import PluginStartError
from harness.plugins.driving.plugin_process import PluginProcess
from harness.plugins.driving.plugin_provider import StartPlugin, call_plugin
from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.functions import function_from_message
from harness.plugins.wire.status import RpcError, Status
from harness.plugins.wire.values import value_from_message, value_message
from harness.plugins.wire.wire_error import WireError
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError
from shared_nodes.values.types import Type
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = ["FunctionCaller", "run_in_thread"]

_END_TIMEOUT_S: Final = 10


def run_in_thread(function: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
    """Run an asynchronous function to its end in an event loop of its own, in a thread, and return the result."""
    outcome: Future[Any] = Future()

    def run() -> None:
        try:
            outcome.set_result(trio.run(function, *arguments))
        except BaseException as failure:
            outcome.set_exception(failure)

    thread = threading.Thread(target=run, name="plugin")
    thread.start()
    thread.join()
    return outcome.result()


class FunctionCaller:
    """The plugin that is called for functions."""

    def __init__(self, start: StartPlugin) -> None:
        self._start = start
        self._starting = threading.Lock()
        self._loop: _Loop | None = None

    def function(self, name: str, signature: pb.Function) -> Function:
        """Return a function that is called in the plugin."""
        parameters = [*signature.parameters]

        def implementation(arguments: Arguments, return_type: Type) -> Value:
            request = pb.CallFunctionRequest(name=name)
            for position, argument in enumerate(arguments):
                described = parameters[position] if position < len(parameters) else signature.variadic_parameter
                request.arguments.append(_argument(argument, described))
            return self._call(request, return_type)

        return function_from_message(name, signature, implementation)

    def _call(self, request: pb.CallFunctionRequest, return_type: Type) -> Value:
        try:
            answer = self._running().call(request)
            if answer.HasField("error"):
                raise _function_error(answer.error)
            return value_from_message(answer.result, return_type) if answer.HasField("result") else NULL_DYNAMIC
        except PluginStartError as failure:
            raise FunctionError(f"failed to launch provider plugin: {failure}") from failure
        except WireError as failure:
            raise FunctionError(str(failure)) from failure

    def _running(self) -> _Loop:
        with self._starting:
            if self._loop is None:
                loop = _Loop(self._start)
                loop.wait_until_started()
                self._loop = loop
                weakref.finalize(self, loop.end)
            return self._loop


def _argument(argument: Value, described: pb.Function.Parameter) -> pb.DynamicValue:
    from harness.plugins.wire.types import type_from_wire

    return value_message(argument, type_from_wire(described.type))


def _function_error(problem: pb.FunctionError) -> FunctionError:
    if problem.HasField("function_argument"):
        return ArgumentError(problem.function_argument, problem.text)
    return FunctionError(problem.text)


class _Loop:
    """A plugin in an event loop in a thread. The thread must not refer to the caller, so that this can be forgotten."""

    def __init__(self, start: StartPlugin) -> None:
        self._start = start
        self._started: Future[None] = Future()
        self._token: trio.lowlevel.TrioToken | None = None
        self._plugin: PluginProcess | None = None
        self._done = trio.Event()
        self._thread = threading.Thread(target=trio.run, args=(self._run,), name="plugin functions", daemon=True)
        self._thread.start()

    async def _run(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        try:
            self._plugin = await self._start()
        except (PluginStartError, RpcError) as failure:
            self._started.set_exception(failure)
            return
        self._started.set_result(None)
        await self._done.wait()
        await self._plugin.close()

    def wait_until_started(self) -> None:
        try:
            self._started.result()
        except RpcError as failure:
            raise PluginStartError(rpc_error_text(failure)) from failure

    def call(self, request: pb.CallFunctionRequest) -> pb.CallFunctionResponse:
        assert self._token is not None
        outcome: Future[pb.CallFunctionResponse] = Future()
        try:
            self._token.run_sync_soon(trio.lowlevel.spawn_system_task, self._answer, request, outcome)
            return outcome.result()
        except trio.RunFinishedError as failure:
            raise _call_error(RpcError(Status.UNAVAILABLE, "the plugin has ended"), self._plugin) from failure

    async def _answer(self, request: pb.CallFunctionRequest, outcome: Future[pb.CallFunctionResponse]) -> None:
        assert self._plugin is not None
        try:
            outcome.set_result(await call_plugin(self._plugin, "CallFunction", request))
        except RpcError as failure:
            outcome.set_exception(_call_error(failure, self._plugin))
        except trio.Cancelled:
            outcome.set_exception(_call_error(RpcError(Status.CANCELLED, "the program ends"), self._plugin))
            raise

    def end(self) -> None:
        """End the plugin, from any thread."""
        assert self._token is not None
        try:
            self._token.run_sync_soon(self._done.set)
        except trio.RunFinishedError:
            return
        self._thread.join(_END_TIMEOUT_S)


def _call_error(failure: RpcError, plugin: PluginProcess | None) -> FunctionError:
    assert plugin is not None
    problem = call_problem(failure, "CallFunction", plugin.major)
    return FunctionError(f"{problem.summary}: {problem.detail}")
