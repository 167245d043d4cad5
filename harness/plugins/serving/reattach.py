"""The variable that says to a binary where providers already run."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Final

from harness.plugins.wire.address import Address
from harness.plugins.wire.methods import Major
from shared_nodes.addresses.provider import ProviderSource

__all__ = ["REATTACH", "reattach_text"]

REATTACH: Final = "TF_REATTACH_PROVIDERS"


def reattach_text(addresses: Mapping[ProviderSource, Address], major: Major = Major.SIX) -> str:
    """Return the value of the variable. `Test` says that the binary must not try to end the process."""
    entries = {
        str(source): {
            "Protocol": "grpc",
            "ProtocolVersion": int(major),
            "Pid": os.getpid(),
            "Test": True,
            "Addr": {"Network": address.network, "String": address.place},
        }
        for source, address in addresses.items()
    }
    return json.dumps(entries)
