"""Provisioners by the name used in a configuration. One is imported when it is first used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Final, cast

from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.provisioners.contract import Provisioner

__all__ = ["missing_provisioners", "provisioner_named"]

_PLACES: Final[Mapping[str, str]] = {
    "file": "shared_nodes.provisioners.remote:FILE",
    "local-exec": "shared_nodes.provisioners.local_exec:LOCAL_EXEC",
    "remote-exec": "shared_nodes.provisioners.remote:REMOTE_EXEC",
}


def provisioner_named(name: str) -> Provisioner | None:
    if name not in _PLACES:
        return None
    module, _, attribute = _PLACES[name].partition(":")
    return cast("Provisioner", getattr(import_module(module), attribute))


def missing_provisioners(types: Iterable[str], flavour: Flavour = TERRAFORM_1_11) -> list[Diagnostic]:
    """Report each unknown type once. Checked for the whole configuration before anything else."""
    return [
        error(
            "Missing required provisioner plugin",
            f"This configuration requires provisioner plugin \"{name}\", which isn't available. If you're intending to "
            "use an external provisioner plugin, you must install it manually into one of the plugin search "
            f"directories before running {flavour.product}.",
        )
        for name in sorted(set(types) - _PLACES.keys())
    ]
