"""Provisioners by the name used in a configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.provisioners.contract import Provisioner
from shared_nodes.provisioners.local_exec import LOCAL_EXEC
from shared_nodes.provisioners.remote import FILE, REMOTE_EXEC

__all__ = ["PROVISIONERS", "missing_provisioners"]

PROVISIONERS: Final[Mapping[str, Provisioner]] = {"file": FILE, "local-exec": LOCAL_EXEC, "remote-exec": REMOTE_EXEC}


def missing_provisioners(types: Iterable[str], flavour: Flavour = TERRAFORM_1_11) -> list[Diagnostic]:
    """Report each unknown type once. Checked for the whole configuration before anything else."""
    return [
        error(
            "Missing required provisioner plugin",
            f"This configuration requires provisioner plugin \"{name}\", which isn't available. If you're intending to "
            "use an external provisioner plugin, you must install it manually into one of the plugin search "
            f"directories before running {flavour.product}.",
        )
        for name in sorted(set(types) - PROVISIONERS.keys())
    ]
