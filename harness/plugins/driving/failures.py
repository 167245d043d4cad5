"""What is reported when a plugin gives no usable answer, in the words of the original.

The words name the method of the original that makes the call. None of these diagnostics is about a part of the
configuration, so they have neither an address nor a range.
"""

from __future__ import annotations

from typing import Final

from harness.plugins.wire.methods import Major
from harness.plugins.wire.status import RpcError, Status
from shared_nodes.lang.diagnostics import Diagnostic, error

__all__ = ["call_problem", "rpc_error_text"]

_GO_NAMES: Final = {Status.CANCELLED: "Canceled", Status.OK: "OK"}


def call_problem(failure: RpcError, call: str, major: Major) -> Diagnostic:
    """Report a call that the plugin did not answer. A method that it does not implement is one of these: older plugins
    lack newer calls, and the engine learns it only by asking."""
    package = "plugin" if major is Major.FIVE else "plugin6"
    method = f"{package}.(*GRPCProvider).{call}"
    match failure.status:
        case Status.UNAVAILABLE:
            detail = (
                f"The plugin encountered an error, and failed to respond to the {method} call. The plugin logs may "
                "contain more details."
            )
            return error("Plugin did not respond", detail)
        case Status.CANCELLED:
            return error("Request cancelled", f"The {method} request was cancelled.")
        case Status.UNIMPLEMENTED:
            return error("Unsupported plugin method", f"The {method} method is not supported by this plugin.")
    detail = f"The plugin returned an unexpected error from {method}: {rpc_error_text(failure)}"
    return error("Plugin error", detail)


def rpc_error_text(failure: RpcError) -> str:
    name = _GO_NAMES.get(failure.status) or failure.status.name.title().replace("_", "")
    return f"rpc error: code = {name} desc = {failure.message}"
